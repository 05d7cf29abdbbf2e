"""Blocks of a stream are learned as their rows and lists would be one by one, and refused without a trace."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from ranktron import algorithms
from ranktron.core.rows import CSR
from ranktron.models.streaming import answer, feed

from ..family import PLAIN, is_scaled, make, state, stream, weights_of
from .contract import every_variant
from .predtron import family as predtron
from .rankers import family as lists

FORMS = ["dense", "sparse"]
every_form = pytest.mark.parametrize("form", FORMS)
every_list_variant = pytest.mark.parametrize(("name", "parameters"), lists.VARIANTS, ids=lists.ids_of(lists.VARIANTS))
every_class_task = predtron.every(["binary-weights", "classes", "classes-reject", "ordinal-l1", "costs-driven", "finite-budget"])
WIDTHS = (3, 5, 5, 11)
NAMES = [f"f{column:02}" for column in range(max(WIDTHS))]


class Block(NamedTuple):
    """What a stream delivers: the list of names is that of the whole stream, which may have read further already."""

    rows: Any
    n_columns: int
    names: list[str] | None
    y: Any = None
    qid: Any = None


def csr(X: np.ndarray) -> CSR:
    rows, columns = np.nonzero(X)
    ends = np.searchsorted(rows, np.arange(len(X) + 1)).astype(np.int32)
    return CSR(ends, columns.astype(np.int32), X[rows, columns])


def block(X: np.ndarray, y: Any = None, qid: Any = None, form: str = "dense", names: list[str] | None = NAMES) -> Block:
    return Block(csr(X) if form == "sparse" else X, X.shape[1], names, y, qid)


def mapping(x: np.ndarray, form: str) -> dict[str, float]:
    """A row of a block, of which a sparse one stores what is not 0."""
    return {name: value for name, value in zip(NAMES, x.tolist()) if form == "dense" or value}


def growing(form: str, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows and labels in blocks that become wider; the first has two labels, the others bring a third, a fourth and more."""
    random = np.random.default_rng(seed)
    sizes = (12, 1, 9, 25)
    labels = [random.choice([20, 40], 12), [10], random.choice([10, 20, 40], 9), random.choice([10, 20, 40], 25)]
    labels[0][:2] = 20, 40
    labels[3][[0, 1, 7, 24]] = 30, 60, 50, 0  # the first row and the next, one between, and the last
    blocks = []
    for size, width, y in zip(sizes, WIDTHS, labels):
        X = random.standard_normal((size, width))
        if form == "sparse":
            X *= random.random(X.shape) < 0.5
            X[:, 1] = 0.0  # no row has it all, or it would be summed up as a dense one
        blocks.append((X, np.asarray(y)))
    blocks[0][0][0] = [1.5, -0.5, 0.25]
    return blocks


def fresh(name: str, parameters: dict[str, Any], **more: Any) -> Any:
    return make(name, library=PLAIN, **parameters, **more)


def told_one_by_one(model: Any, blocks: Any, form: str) -> list[Any]:
    """The definition: the columns of a block are there before its rows, the labels of the first one too, others as they come."""
    told = []
    for X, y in blocks:
        if model._learner is not None:
            model._learner.add_features(NAMES[model.n_features_in_ : X.shape[1]])
        for x, label in zip(X, y.tolist()):
            told.append(model.predict_one(mapping(x, form)))
            model.learn_one(mapping(x, form), label)
            model._learner.labels.closed = False
    return told


def portrait(model: Any) -> dict[str, Any]:
    """What a model says of itself and of some rows, bit for bit, however much room it keeps."""
    probe = np.random.default_rng(9).standard_normal((6, model.n_features_in_))
    counts = {name: getattr(model, name) for name in ("n_seen_", "n_updates_", "cumulative_loss_", "n_features_in_")}
    told = {"weights": weights_of(model).tobytes(), "predictions": model.predict(probe).tolist()}
    if hasattr(model, "classes_"):
        told |= {"classes": model.classes_.tolist(), "scores": model.decision_function(probe).tobytes()}
    return {**counts, **told}


def few(name: str) -> dict[str, Any]:
    return {"n_members": 5} if name == "OAP" else {"radius": 16.0} if name == "MuPRank" else {}


# Rows


@every_form
@every_variant
def test_blocks_are_rows_one_by_one(name: str, parameters: dict[str, Any], form: str) -> None:
    blocks = growing(form)
    single = fresh(name, parameters, classes=[20, 40])
    expected = told_one_by_one(single, blocks, form)
    named, unnamed = fresh(name, parameters), fresh(name, parameters)
    told = [label for X, y in blocks for label in feed(named, block(X, y, form=form)).tolist()]
    assert told == expected
    assert portrait(named) == portrait(single)
    assert named.feature_names_in_.tolist() == NAMES
    told = [one for X, y in blocks for one in feed(unnamed, block(X, y, form=form, names=None)).tolist()]
    if form == "dense" or not is_scaled(name, parameters):  # sparse columns are centred only where they have names
        assert told == expected
        assert portrait(unnamed) == portrait(single)
    assert not hasattr(unnamed, "feature_names_in_")


def without_holes(rows: Any) -> Any:
    return rows._replace(values=np.nan_to_num(rows.values)) if isinstance(rows, CSR) else np.nan_to_num(rows)


@every_form
@pytest.mark.parametrize("name", algorithms.ORDINAL)
def test_missing_values_that_are_zero_are_so_in_rows_of_new_labels_too(name: str, form: str) -> None:
    blocks = growing(form)
    expected, told = fresh(name, {}), fresh(name, {}, missing="zero")
    for X, y in blocks:
        holed = block(np.where(np.arange(X.shape[1]) == 2, np.nan, X), y, form=form)
        filled = holed._replace(rows=without_holes(holed.rows))
        assert feed(told, holed).tolist() == feed(expected, filled).tolist()
        assert answer(told, holed).tolist() == answer(expected, filled).tolist()
    assert portrait(told) == portrait(expected)


@every_class_task
def test_blocks_for_tasks_are_batches(case: predtron.Case) -> None:
    whole = case.stream(40, seed=2)
    fed, batch = case.make(algorithms.Predtron), case.make(algorithms.Predtron)
    y = np.asarray(whole.y) if whole.y.dtype.kind in "ifb" else whole.y.astype(object)
    told = [
        one for part in (slice(0, 15), slice(15, 40)) for one in feed(fed, block(whole.X[part], y[part], names=None)).tolist()
    ]
    assert told == batch.predict_then_learn(whole.X, whole.y).tolist()
    assert predtron.state(fed) == {**predtron.state(batch), "labels": predtron.state(fed)["labels"]}
    assert fed.classes_.tolist() == batch.classes_.tolist()


@every_form
@every_variant
def test_where_blocks_are_cut_does_not_matter(name: str, parameters: dict[str, Any], form: str) -> None:
    random = np.random.default_rng(3)
    X, y = stream(60, 9, seed=3)
    X, y = X * (random.random(X.shape) < 0.6), np.where(np.arange(60) < 20, 1 + y % 2, y)
    begun = fresh(name, parameters)
    feed(begun, block(X[:20], y[:20], form=form, names=None))
    runs = []
    for cuts in ([20, 60], [20, 21, 22, 40, 60], [*range(20, 61)], [20, *sorted(random.choice(np.arange(21, 60), 6, False)), 60]):
        model = copy.deepcopy(begun)
        parts = [block(X[a:b], y[a:b], form=form, names=None) for a, b in itertools.pairwise(cuts)]
        runs.append(([one for part in parts for one in feed(model, part).tolist()], state(model)))
    assert runs[0][1]["classes"] == [1, 2, 3, 4, 5]
    assert runs == [runs[0]] * len(runs)


@pytest.mark.parametrize("name", algorithms.ORDINAL)
def test_a_narrower_block_ends_in_zeros(name: str) -> None:
    X, y = stream(40, 6, seed=4)
    X[20:, 4:] = 0.0
    fed, batch = fresh(name, {}), fresh(name, {})
    told = [*feed(fed, block(X[:20], y[:20])), *feed(fed, block(np.ascontiguousarray(X[20:, :4]), y[20:]))]
    assert told == batch.predict_then_learn(X, y).tolist()
    assert weights_of(fed).tobytes() == weights_of(batch).tobytes()


def test_labels_are_told_as_they_were_given() -> None:
    X, _ = stream(6)
    for given in (np.array(["b", "a", "c", "b", "a", "c"], object), np.array([3, 1, 2, 3, 1, 2]), np.array([3.0, 1, 2, 3, 1, 2])):
        model = fresh("PRank", {})
        told = [*feed(model, block(X[:2], given[:2])).tolist(), *feed(model, block(X[2:], given[2:])).tolist()]
        assert set(told) <= set(given.tolist())
        assert model.classes_.tolist() == sorted(set(given.tolist()))
        assert all(type(label) is (str if isinstance(given[0], str) else int) for label in [*told, *model.classes_.tolist()])


def test_classes_given_may_be_fractions_and_have_an_order_of_their_own() -> None:
    X, y = stream(30, k=3)
    for classes in ([0.5, 1.0, 1.5], ["low", "mid", "high"]):
        given = np.array(classes, float if classes[0] == 0.5 else object)[y - 1]
        model, batch = (fresh("PRank", {}, classes=classes) for _ in range(2))
        assert feed(model, block(X, given)).tolist() == batch.predict_then_learn(X, given).tolist()
        assert model.classes_.tolist() == classes


# Lists


def growing_lists(form: str) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Rows, grades and ids of blocks of three lists that become wider."""
    for number, width in enumerate(WIDTHS):
        X, y, qid = lists.stream(3, width, seed=number)
        if form == "sparse":
            X *= np.random.default_rng(number).random(X.shape) < 0.6
            X[0] = 1.0 + np.arange(width)
        yield X, y, qid


def rows_or_sparse(X: np.ndarray, form: str) -> Any:
    return sp.csr_array(X) if form == "sparse" else X


def rows_for(X: np.ndarray, form: str) -> Any:
    return [mapping(x, form) for x in X] if form == "sparse" else pd.DataFrame(X, columns=NAMES[: X.shape[1]])


def scored_one_by_one(model: Any, blocks: Any, form: str) -> list[bytes]:
    """The definition: the columns of a block are there before its lists."""
    told = []
    for X, y, qid in blocks:
        if model._learner is not None:
            model._learner.add_features(NAMES[model.n_features_in_ : X.shape[1]])
        for one, grades in lists.each(X, y, qid):
            rows = rows_for(one, form)
            told.append(np.zeros(len(one)).tobytes() if model._learner is None else model.predict(rows).tobytes())
            model.learn_list(rows, grades)
    return told


@every_form
@every_list_variant
def test_blocks_are_lists_one_by_one(name: str, parameters: dict[str, Any], form: str) -> None:
    blocks = list(growing_lists(form))
    single = lists.plain_class(name)(**parameters)
    expected = b"".join(scored_one_by_one(single, blocks, form))
    for names in (NAMES, None):
        model = lists.plain_class(name)(**parameters)
        assert b"".join(feed(model, block(*one, form=form, names=names)).tobytes() for one in blocks) == expected
        assert portrait(model) == portrait(single)
        assert model._learner.features.names == names


@every_form
@every_list_variant
def test_where_blocks_of_lists_are_cut_does_not_matter(name: str, parameters: dict[str, Any], form: str) -> None:
    X, y, qid = lists.stream(12, 9)
    ends = [0, *(np.flatnonzero(np.diff(qid)) + 1).tolist(), len(qid)]
    runs = []
    for cuts in ([0, len(qid)], ends, [0, ends[5], ends[6], len(qid)]):
        model = lists.plain_class(name)(**parameters)
        parts = [block(X[a:b], y[a:b], qid[a:b], form, None) for a, b in itertools.pairwise(cuts)]
        runs.append((b"".join(feed(model, part).tobytes() for part in parts), lists.state(model)))
    assert runs == [runs[0]] * len(runs)
    batch = lists.plain_class(name)(**parameters)
    assert runs[0][0] == batch.predict_then_learn(rows_or_sparse(X, form), y, qid).tobytes()
    assert runs[0][1] == lists.state(batch)
