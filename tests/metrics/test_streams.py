"""Metrics of a stream are the functions of all rows, bit for bit, and forget what is reverted."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron import metrics
from ranktron.metrics import ERR, MAE, MRR, NDCG, RPS, Accuracy, AveragePrecision, MacroMAE, Precision, QuadraticKappa

from .lists import ragged

GRADES = {
    Accuracy: metrics.accuracy,
    MAE: metrics.mean_absolute_error,
    MacroMAE: metrics.macro_mae,
    QuadraticKappa: metrics.quadratic_weighted_kappa,
}
LISTS: list[tuple[Any, Any, tuple[Any, ...], dict[str, Any]]] = [
    (NDCG, metrics.ndcg, (), {}),
    (NDCG, metrics.ndcg, (), {"k": 5, "gain": "linear", "ties": "average", "empty": "skip"}),
    (AveragePrecision, metrics.average_precision, (), {"empty": 0.5}),
    (ERR, metrics.err, (), {"highest": 4, "k": 7}),
    (MRR, metrics.mrr, (), {"k": 3, "empty": "skip"}),
    (Precision, metrics.precision_at, (5,), {}),
]
of_grades = pytest.mark.parametrize(("stream", "batch"), list(GRADES.items()), ids=lambda one: one.__name__)
of_lists = pytest.mark.parametrize(("stream", "batch", "k", "settings"), LISTS)
labels = st.integers(1, 5) | st.floats(-100, 100)
rows = st.lists(st.tuples(labels, labels), min_size=1, max_size=30)


def same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


@of_grades
@given(rows, st.data())
def test_grades_are_those_of_the_function_whatever_was_reverted(stream: Any, batch: Any, rows: Any, data: st.DataObject) -> None:
    metric, kept = stream(), []
    assert math.isnan(metric.get())
    for row, keep in zip(rows, data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))):
        metric.update(*row)
        kept.append(row)
        assert same(metric.get(), batch(*zip(*kept)))
        if not keep:
            kept.pop()
            metric.revert(*row)
    assert same(metric.get(), batch(*zip(*kept)) if kept else math.nan)


@of_grades
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20), st.permutations("abc"))
def test_labels_with_classes(stream: Any, batch: Any, rows: Any, classes: Any) -> None:
    metric = stream(classes=classes)
    for row in rows:
        metric.update(*row)
    assert same(metric.get(), batch(*zip(*rows), classes=classes))


@of_grades
@given(st.lists(st.tuples(labels, labels, st.integers(0, 3)), min_size=1, max_size=12))
def test_a_whole_weight_counts_as_so_many_updates(stream: Any, batch: Any, rows: Any) -> None:
    weighted, repeated = stream(), stream()
    for true, predicted, weight in rows:
        weighted.update(true, predicted, weight)
        for _ in range(weight):
            repeated.update(true, predicted)
    assert same(weighted.get(), repeated.get())


def test_weights_that_are_fractions_are_relative() -> None:
    for stream in GRADES:
        halves, wholes = stream(), stream()
        for true, predicted, weight in ((1, 2, 1), (3, 3, 4), (2, 5, 3), (1, 1, 2)):
            halves.update(true, predicted, w=weight / 2)
            wholes.update(true, predicted, w=weight)
        assert halves.get() == wholes.get()


def test_probabilities() -> None:
    random = np.random.default_rng(0)
    classes, shares = ["low", "mid", "high", "top"], random.dirichlet(np.ones(4), 50)
    labels = random.choice(classes, 50)
    metric, by_name = RPS(classes), RPS(classes=classes)
    for label, own in zip(labels.tolist(), shares):
        metric.update(label, own)
        by_name.update(label, dict(zip(classes, own.tolist())))
    assert metric.get() == by_name.get() == metrics.ranked_probability_score(labels, shares, classes=classes)
    metric.revert(labels[-1], shares[-1])
    assert metric.get() == metrics.ranked_probability_score(labels[:-1], shares[:-1], classes=classes)
    by_name = RPS(classes)
    by_name.update("mid", {"mid": 1})
    assert by_name.get() == 0.0


@of_lists
def test_lists_are_those_of_the_function_whatever_was_reverted(stream: Any, batch: Any, k: Any, settings: Any) -> None:
    y, scores, qid = ragged(60, 20, seed=5)
    metric = stream(*k, **settings)
    assert math.isnan(metric.get())
    for q in dict.fromkeys(qid.tolist()):
        metric.update(y[qid == q], scores[qid == q])
    assert metric.get() == batch(y, scores, *k, qid=qid, **settings)
    for q in range(30):
        metric.revert(y[qid == q], scores[qid == q])
    left = qid >= 30
    assert metric.get() == batch(y[left], scores[left], *k, qid=qid[left], **settings)
    for q in range(30, 60):
        metric.revert(y[qid == q], scores[qid == q])
    assert math.isnan(metric.get())


@of_lists
def test_lists_have_weights(stream: Any, batch: Any, k: Any, settings: Any) -> None:
    weighted, repeated = stream(*k, **settings), stream(*k, **settings)
    for y, scores, weight in (([0, 1, 2], [1, 2, 3], 2), ([0, 3, 0], [3, 2, 1], 3), ([1, 0], [1, 2], 0), ([0], [1], 1)):
        weighted.update(y, scores, w=weight)
        for _ in range(weight):
            repeated.update(y, scores)
    assert weighted.get() == repeated.get()


def test_memory_stays_constant() -> None:
    random = np.random.default_rng(0)
    for stream in (MAE, MacroMAE, QuadraticKappa):
        metric, sizes = stream(), []
        for true, predicted in zip(random.integers(1, 6, 4000).tolist(), random.uniform(1, 5, 4000).tolist()):
            metric.update(true, predicted)
            sizes.append(len(pickle.dumps(metric)))
        assert sizes[-1] < sizes[999] + 40  # a few bits more for each doubling


def test_metrics_can_be_copied_and_sent() -> None:
    for metric in (MAE(), MacroMAE([1, 2, 3]), QuadraticKappa(), Accuracy(), NDCG(k=3), ERR(4)):
        row = ([0, 1, 3], [1, 2, 3]) if isinstance(metric, NDCG | ERR) else (1, 3)
        metric.update(*row)
        for twin in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
            assert repr(twin) == repr(metric)
            twin.revert(*row)
            assert not same(twin.get(), metric.get()) or math.isnan(metric.get())


def test_they_show_their_value() -> None:
    metric = MacroMAE()
    assert repr(metric) == "MacroMAE: nan"
    metric.update(1, 2.5)
    assert repr(metric) == "MacroMAE: 1.5"


@pytest.mark.parametrize(
    ("metric", "row", "sentence"),
    [
        (MAE(), (1, "2"), "y_pred is '2'; labels that are not finite numbers need classes=, in ascending order"),
        (MAE(), (math.nan, 1), "y_true is nan; labels that are not finite numbers need classes=, in ascending order"),
        (MacroMAE(), (None, 1), "y_true is None; labels that are not finite numbers"),
        (QuadraticKappa([1, 2]), (1, 3), "y_pred holds 3, which is not among classes [1, 2]"),
        (QuadraticKappa([1, 2]), ([], 1), "y_true holds [], which is not among classes [1, 2]"),
        (Accuracy(), (None, 1), "y_true holds None, which is not a label"),
        (Accuracy(["a"]), ("a", "b"), "y_pred holds 'b', which is not among classes ['a']"),
        (RPS(["a", "b"]), ("c", {"a": 1}), "y_true holds 'c', which is not among classes ['a', 'b']"),
        (RPS(["a", "b"]), ("a", {"c": 1}), "y_pred holds 'c', which is not among classes ['a', 'b']"),
        (RPS(["a", "b"]), ("a", {"a": 0.5}), "probabilities should not be negative and add up to 1; row 0 is [0.5, 0.0]"),
        (RPS(["a", "b"]), ("a", [1.0]), "y_pred should hold one probability per label, 2, not [1.0]"),
        (RPS(["a", "b"]), ("a", "b"), "y_pred should hold one probability per label, 2, not 'b'"),
        (RPS(["a", "b"]), ("a", 0.5), "y_pred should hold one probability per label, 2, not 0.5"),
        (MAE(), (1, 2, -1), "w should be a finite number, 0 or more, not -1"),
        (MAE(), (1, 2, math.nan), "w should be a finite number, 0 or more, not nan"),
        (NDCG(), ([1, 2], [1.0]), "y and scores should both have one value per row; they have 2 and 1"),
        (ERR(2), ([3], [1.0]), "y holds 3 in row 0; no grade should be above highest=2"),
        (MRR(), ([3], [1.0], "2"), "w should be a finite number, 0 or more, not '2'"),
    ],
)
def test_bad_updates_get_one_sentence_and_change_nothing(metric: Any, row: Any, sentence: str) -> None:
    before = pickle.dumps(metric)
    for change in (metric.update, metric.revert):
        with pytest.raises(ValueError, match=r"^[^\n]*$") as refusal:
            change(*row)
        assert str(refusal.value).startswith(sentence)
    assert pickle.dumps(metric) == before


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: NDCG(k=0), "k should be a whole number of places"),
        (lambda: NDCG(gain="log"), "gain should be 'exponential' or 'linear', not 'log'"),
        (lambda: ERR(highest=-1), "highest should be the highest grade of the scale"),
        (lambda: ERR(highest=None), "highest should be the highest grade of the scale"),
        (lambda: Precision(k=None), "k should be a whole number of places, 1 or more, not None"),
        (lambda: MAE(classes=["a", "a"]), "classes should name every label once"),
        (lambda: RPS(classes=None), "classes should be the labels in ascending order, not None"),
    ],
)
def test_bad_settings_are_refused_at_once(make: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()
