"""Figures that are kept in parts, and values as they are typed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktron import metrics
from ranktron.algorithms import ListNet, NoPRank, PRank
from ranktron.cli.shared.algorithms import read
from ranktron.cli.shared.figures import figures_of
from ranktron.kernels import Gaussian, Linear, Polynomial
from ranktron.steps import AdaGrad
from ranktron.tasks import CostMatrix, Multiclass
from tests.covering import examples


def rater(labels):
    return PRank(classes=labels).partial_fit(np.eye(len(labels)), labels)


def resumed(figures, model):
    """The same figures, by way of a file."""
    other = figures_of(model)
    other.restore(json.loads(json.dumps(figures.state())))
    return other


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30), st.integers(0, 30), st.integers(0, 3))
def test_ratings_in_parts_are_the_whole(pairs, cut, kind):
    scale = [[1, 2, 5, 9], [-1000, 0, 1, 1000], ["a", "b", "c", "d"], [0.5, 1.0, 1.5, 7.0]][kind]
    model = rater(scale)
    y, told = (np.array([scale[pair[side]] for pair in pairs], object if kind == 2 else None) for side in (0, 1))
    figures = figures_of(model)
    for part in (slice(None, cut), slice(cut, None)):
        figures.update(y[part], told[part])
        figures = resumed(figures, model)
    values = figures.values()
    assert values["loss"] == pytest.approx(metrics.mean_absolute_error(y, told, classes=scale)) == figures.loss()
    assert values["accuracy"] == pytest.approx(metrics.accuracy(y, told))
    assert values["macro_mae"] == pytest.approx(metrics.macro_mae(y, told, classes=scale))
    expected = metrics.quadratic_weighted_kappa(y, told, classes=scale)
    assert values["kappa"] == pytest.approx(expected, nan_ok=True)


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.integers(0, 12), st.integers(0, 2**20))
def test_lists_in_parts_are_the_whole(sizes, cut, seed):
    random = np.random.default_rng(seed)
    qid = np.repeat(np.arange(len(sizes)) % 2, sizes)  # neighbours differ, and ids come again
    runs = np.repeat(np.arange(len(sizes)), sizes)
    y, scores = random.integers(0, 3, len(qid)).astype(float), random.normal(size=len(qid))
    figures, model = figures_of(ListNet()), ListNet()
    at = sum(sizes[:cut])
    for part in (slice(None, at), slice(at, None)):
        if len(qid[part]):
            figures.update(y[part], scores[part], qid[part])
            figures = resumed(figures, model)
    values = figures.values()
    assert values["ndcg@10"] == pytest.approx(metrics.ndcg(y, scores, runs, k=10, empty="skip"), nan_ok=True)
    assert values["map"] == pytest.approx(metrics.average_precision(y, scores, runs, empty="skip"), nan_ok=True)
    assert figures.loss() == pytest.approx(1 - values["ndcg@10"], nan_ok=True)
    assert figures.skipped == sum(not y[runs == run].any() for run in range(len(sizes)))


def test_a_true_number_that_the_model_does_not_know_has_its_place():
    figures = figures_of(rater([1, 2, 4]))
    figures.update(np.array([3, 4]), np.array([4, 2]))
    assert figures.values()["loss"] == (1 + 2) / 2  # on the scale 1, 2, 3, 4


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-0.5", -0.5),
        ("1e-3", 0.001),
        ("None", None),
        ("none", None),
        ("true", True),
        ("[1, 2]", [1, 2]),
        ("theory", "theory"),
        ("ndcg@10", "ndcg@10"),
        ("survival+1", "survival+1"),
        ("'quoted'", "quoted"),
        ("Linear", Linear()),
        ("gaussian(0.5)", Gaussian(0.5)),
        ("Polynomial(degree=2, coef0=0)", Polynomial(2, 0)),
        ("AdaGrad(0.3)", AdaGrad(0.3)),
        (True, True),
    ],
)
def test_values_as_they_are_typed(text, value):
    assert read(text, "--x") == value


def test_models_and_tasks_as_they_are_typed():
    model = read("NoPRank(trigger='margin', kernel=Gaussian(2))", "--estimator")
    assert (type(model), model.trigger, model.kernel) == (NoPRank, "margin", Gaussian(2))
    assert read("Multiclass(reject=0.25)", "--task").reject == 0.25
    assert type(read("Multiclass", "--task")) is Multiclass
    assert type(read("CostMatrix([[0, 1], [5, 0]])", "--task")) is CostMatrix


@pytest.mark.parametrize("text", ["open('x')", "Gaussian(open('x'))", "(1).real()", "[x for x in (1,)]", "Gaussian(", "a.b(1)"])
def test_nothing_else_is_ever_called(text):
    with pytest.raises(ValueError, match="is not valid"):
        read(text, "--kernel")
