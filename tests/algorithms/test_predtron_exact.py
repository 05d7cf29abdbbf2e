"""Predtron on rows against the paper's pseudocode, round by round.

Rows are small integers and losses, steps and representations dyadic, so sums are exact and ties are ties in both. Links take
roots and logarithms: there rows are drawn from the normal distribution, and results differ by rounding.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron

import ranktron
from ranktron import tasks
from ranktron.kernels import Polynomial
from tests.covering import examples

from ..papers import jain_natarajan_tewari as paper
from .test_kernels import mapped

COSTS = [[0, 2, 5], [1, 0, 1], [3.5, 0, 0]]
TILTED = [[1, 0, 0, 0], [0, -1, 0, 0], [0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, 0.5, -0.5]]
LOSSES = [[0, 1, 2], [3, 0, 1], [1, 1, 0], [0, 2, 2]]
REJECTS = [0.5, 0.25, 1, 0.125]
SETS = {"hamming": paper.hamming, "subset": paper.subset, "error-set": paper.error_set}


def classes_of(task):
    """What a model is told of the labels 0, 1, ... where the task does not say how many there are."""
    return {"classes": (0, 1)} if isinstance(task, tasks.Binary) else {}


def fractions(table):
    return [[Fraction(v) for v in row] for row in table]


def label_sets(m):
    return list(itertools.product((0, 1), repeat=m))


CASES = {
    "binary": (tasks.Binary(), paper.binary(), range(2)),
    "weighted": (tasks.Binary(weights=(3, 0.5)), paper.binary((3, Fraction(1, 2))), range(2)),
    "two classes": (tasks.Multiclass(n_classes=2), paper.multiclass(2), range(2)),
    "classes": (tasks.Multiclass(n_classes=4), paper.multiclass(4), range(4)),
    "ordinal": (tasks.Ordinal(n_ranks=5), paper.ordinal(5), range(5)),
    "costs": (tasks.CostMatrix(COSTS), paper.cost_matrix(fractions(COSTS)), range(3)),
    "finite": (tasks.Finite(TILTED, LOSSES), paper.finite(fractions(TILTED), LOSSES), range(3)),
    "reject": (tasks.RejectAsPublished(REJECTS), paper.published_reject([Fraction(v) for v in REJECTS]), range(4)),
    **{
        f"{name} of {m}": (tasks.Multilabel(loss=name), paper.multilabel(m, loss), label_sets(m))
        for (name, loss), m in itertools.product(SETS.items(), (1, 4))
    },
}
UNEVEN = {
    f"{name} of {m}": (tasks.Multilabel(loss=name), paper.multilabel(m, loss), label_sets(m))
    for (name, loss), m in itertools.product(SETS.items(), (2, 3, 5))
}
ONE_LABEL = {key: CASES[key] for key in CASES if "of" not in key}
every_case = pytest.mark.parametrize(("task", "oracle", "labels"), CASES.values(), ids=CASES)
near = partial(pytest.approx, rel=1e-12, abs=1e-12)
booleans = st.booleans()
steps = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(1, 2**60)])  # the last one, added to 1, is lost


@st.composite
def streams(draw, labels, rows=12, features=3):
    """Small integers, so that scores often tie."""
    d, n = draw(st.integers(1, features)), draw(st.integers(3, rows))
    X = draw(st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=n, max_size=n))
    return X, draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n))


def plain(answer):
    """A prediction as the oracles have it: a number, or a tuple of them."""
    answer = np.asarray(answer).tolist()
    return tuple(answer) if isinstance(answer, list) else answer


def shown(task, t):
    """What ``decision_function`` gives for the scores t: a number for two classes."""
    single = len(t) == 1 and not isinstance(task, tasks.Multilabel)
    return float(t[-1] - sum(t[:-1])) if single or task == tasks.Multiclass(n_classes=2) else [float(v) for v in t]


def weights(model):
    """W, an intercept as the weight of a last feature."""
    return np.hstack([model.coef_, np.reshape(model.intercept_, (-1, 1))]) if model.fit_intercept else model.coef_


def hypotheses(model, rounds):
    """What the model predicts with after each round."""
    return paper.means(rounds) if model.average else [now.W for now in rounds]


def assert_same_run(model, oracle, rows, X, y, rounds, near=near, weights=weights):
    """``rows`` are what the oracle has for X: with a constant, or the features of a kernel."""
    rounds = list(rounds)
    held, loss, updates = [[0] * len(rows[0])] * len(rounds[0].t), 0, 0
    for i, (now, after) in enumerate(zip(rounds, hypotheses(model, rounds), strict=True)):
        t = paper.scores(held, rows[i])
        if i:
            assert model.decision_function([X[i]])[0] == near(shown(model.task, t)), f"row {i}"
            assert plain(model.predict_one(X[i])) == paper.pred(oracle, t), f"row {i}"
        if i % 2:
            model.learn_one(X[i], y[i])
        else:
            assert plain(model.predict_then_learn([X[i]], [y[i]])[0]) == paper.pred(oracle, t), f"row {i}"
        held, loss, updates = after, loss + now.loss, updates + now.updated
        assert (model.n_seen_, model.n_updates_) == (i + 1, updates), f"row {i}"
        assert model.cumulative_loss_ == near(float(loss)), f"row {i}"
        if weights is not None:
            assert weights(model) == near(np.array(held, float)), f"row {i}"


def exactly(expected, **_):
    return expected if np.isscalar(expected) else pytest.approx(np.asarray(expected), rel=0, abs=0)


@every_case
@pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])
@settings(max_examples=examples(10))
@given(data=st.data())
def test_every_round_is_the_papers(task, oracle, labels, average, data):
    X, y = data.draw(streams(labels))
    step, loss_driven, intercept = data.draw(steps), data.draw(booleans), data.draw(booleans)
    rows = [[*x, 1] for x in X] if intercept else X
    rounds = paper.predtron(rows, y, oracle, step=step, loss_driven=loss_driven)
    model = ranktron.Predtron(
        task, step=float(step), loss_driven=loss_driven, average=average, fit_intercept=intercept, **classes_of(task)
    )
    assert_same_run(model, oracle, rows, X, y, rounds, near if average else exactly)


@every_case
@settings(max_examples=examples(8))
@given(data=st.data())
def test_a_kernel_is_its_features(task, oracle, labels, data):
    X, y = data.draw(streams(labels, rows=8, features=2))
    loss_driven, average, intercept = (data.draw(booleans) for _ in range(3))
    rows = [[*map(int, row), *[1] * intercept] for row in mapped(X, 2)]
    rounds = paper.predtron(rows, y, oracle, loss_driven=loss_driven)
    model = ranktron.Predtron(
        task, kernel=Polynomial(2), fit_intercept=intercept, loss_driven=loss_driven, average=average, **classes_of(task)
    )
    assert_same_run(model, oracle, rows, X, y, rounds, near if average else exactly, weights=None)


def normal_stream(labels, n, p, seed):
    random = np.random.default_rng(seed)
    X, places = random.standard_normal((n, p)), random.integers(len(labels), size=n)
    return X.tolist(), [labels[i] for i in places]


@pytest.mark.parametrize(("task", "oracle", "labels"), UNEVEN.values(), ids=UNEVEN)
@pytest.mark.parametrize("loss_driven", [False, True], ids=["", "loss-driven"])
def test_label_sets_of_any_size_are_the_papers_but_for_rounding(task, oracle, labels, loss_driven):
    X, y = normal_stream(labels, 16, 3, seed=len(labels))
    for average in (False, True):
        rounds = paper.predtron(X, y, oracle, step=0.3, loss_driven=loss_driven)
        assert_same_run(ranktron.Predtron(task, step=0.3, loss_driven=loss_driven, average=average), oracle, X, X, y, rounds)


UNEQUAL = np.random.default_rng(9).uniform(1, 3, (9, 9)).round(3) * (1 - np.eye(9))
LINKED = [
    *(
        (link, name, *CASES[name], 20)
        for link, name in itertools.product(("l1", "group"), ("weighted", "classes", "ordinal", "hamming of 4"))
    ),
    ("trace", "classes", tasks.Multiclass(n_classes=9), paper.multiclass(9), range(9), 10),
    ("trace", "costs", tasks.CostMatrix(UNEQUAL), paper.cost_matrix(UNEQUAL.tolist()), range(9), 12),
    ("l1", "few features", *CASES["classes"], 3),
    ("trace", "few classes", *CASES["classes"], 20),
]


@pytest.mark.parametrize(("link", "name", "task", "oracle", "labels", "p"), LINKED, ids=[f"{one[0]} {one[1]}" for one in LINKED])
@pytest.mark.parametrize("loss_driven", [False, True], ids=["", "loss-driven"])
def test_links_are_the_papers_but_for_rounding(link, name, task, oracle, labels, p, loss_driven):
    X, y = normal_stream(labels, 16, p, seed=p)
    about = partial(pytest.approx, rel=1e-8, abs=1e-10)
    linked = partial(paper.predtron, X, y, oracle, step=0.7, loss_driven=loss_driven)
    rounds, others = (list(linked(link=one)) for one in (getattr(paper, link), paper.euclidean))
    apart = np.abs(np.subtract(rounds[-1].W, others[-1].W)).max()
    assert (apart > 1e-3) == ("few" not in name), "q is 2 for few, and only then the link is the identity"
    for average in (False, True):
        model = ranktron.Predtron(task, link=link, step=0.7, loss_driven=loss_driven, average=average, **classes_of(task))
        assert_same_run(model, oracle, X, X, y, rounds, about)


@pytest.mark.parametrize(("task", "oracle", "labels"), {**CASES, **UNEVEN}.values(), ids={**CASES, **UNEVEN})
def test_the_parts_of_a_task_are_those_of_the_enumeration(task, oracle, labels):
    d = len(oracle.rep(oracle.predictions[0]))
    for sigma, y in itertools.product(oracle.predictions, labels):
        assert task.representation(sigma) == near([float(v) for v in oracle.rep(sigma)])
        assert task.loss_of(sigma, y) == near(float(oracle.loss(sigma, y)))
    random = np.random.default_rng(d)
    for scale, y in itertools.product((0.125, 1, 8), [labels[i] for i in random.integers(len(labels), size=4)]):
        for t in (scale * random.standard_normal(d), scale * random.integers(-1, 2, d).astype(float)):
            assert plain(task.decode(t)) == paper.pred(oracle, t.tolist())
            assert plain(task.correct(y, t)) == oracle.correct(y, t.tolist())
            found = plain(task.loss_augmented(t, y))
            value, best = (
                float(paper.augmented_loss(oracle, sigma, t.tolist(), y))
                for sigma in (found, paper.augmented(oracle, t.tolist(), y))
            )
            assert value == near(best), (t, y, found)


@pytest.mark.parametrize("name", ONE_LABEL)
@settings(max_examples=examples(15))
@given(data=st.data())
def test_line_8_goes_through_the_classes_in_their_order(name, data):
    task, oracle, labels = ONE_LABEL[name]
    d = len(oracle.rep(oracle.predictions[0]))
    t, y = data.draw(st.lists(st.integers(-4, 4), min_size=d, max_size=d)), data.draw(st.sampled_from(labels))
    assert task.loss_augmented(np.array(t, float), y) == paper.augmented(oracle, t, y)


@pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])
@pytest.mark.parametrize("step", [2.0**-60, 0.25, 1.0, 8.0])
def test_classes_are_the_multiclass_perceptrons_at_any_step(step, average):
    """READINGS 19: also at steps that adding 1 to the scores would absorb."""
    random = np.random.default_rng(2)
    for k, X in (
        (2, random.standard_normal((60, 4))),
        (5, random.standard_normal((60, 4))),
        (4, random.integers(-1, 2, (60, 3))),
    ):
        y = random.integers(k, size=60)
        ours = ranktron.Predtron(tasks.Multiclass(n_classes=k), step=step, average=average)
        theirs = ranktron.MulticlassPerceptron(update="max", average=average, classes=range(k))
        assert ours.predict_then_learn(X, y).tolist() == theirs.predict_then_learn(X, y).tolist()
        assert ours.coef_.tolist() == (step * theirs.coef_).tolist()
        assert (ours.n_updates_, ours.n_seen_) == (theirs.n_updates_, 60)
        assert ours.cumulative_loss_ == ours.n_updates_, "every mistake costs 1, however far from the label"


FAR = [[abs(i - j) for j in range(4)] for i in range(4)]


@pytest.mark.parametrize("task", [tasks.Ordinal(n_ranks=4), tasks.CostMatrix(FAR)], ids=["ordinal", "costs"])
def test_other_losses_are_not_the_multiclass_perceptrons(task):
    """All tie at 0, so class 0 is predicted for the label 1, and the perceptron demotes it; but 3 would cost more."""
    ours, theirs = ranktron.Predtron(task, average=False), ranktron.MulticlassPerceptron(average=False, classes=range(4))
    assert ours.predict_then_learn([[1.0]], [1]).tolist() == theirs.predict_then_learn([[1.0]], [1]).tolist() == [0]
    assert (ours.coef_.ravel().tolist(), theirs.coef_.ravel().tolist()) == ([0, 1, 0, -1], [-1, 1, 0, 0])


@pytest.mark.parametrize("epochs", [1, 3])
def test_binary_with_half_the_step_is_scikit_learns_perceptron(epochs):
    """READINGS 19: the first label is negative, and no later score is exactly 0."""
    random = np.random.default_rng(4)
    X, y = random.standard_normal((80, 3)), random.integers(2, size=80)
    y[0] = 0
    theirs = Perceptron(fit_intercept=False, shuffle=False, tol=None, max_iter=epochs).fit(X, y)
    ours = ranktron.Predtron(tasks.Binary(), step=0.5, average=False, epochs=epochs).fit(X, y)
    assert ours.coef_ == near(theirs.coef_)
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()


@every_case
def test_the_step_of_the_theory_is_that_of_theorem_1(task, oracle, labels):
    X, y = normal_stream(labels, 12, 2, seed=1)
    least = min(oracle.loss(sigma, label) or 99 for sigma, label in itertools.product(oracle.predictions, labels))
    ours = ranktron.Predtron(task, step="theory", radius=3.0).fit(X, y)
    assert ours.coef_ == near(ranktron.Predtron(task, step=float(least) / 36).fit(X, y).coef_)
