"""Kernel models against their dual forms and against the features that the kernels stand for, with and without a budget."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel

import ranktron
from ranktron.core import hashed_random
from ranktron.core.exponential import exponentials
from ranktron.kernels import Gaussian, Linear, Polynomial
from tests.covering import examples

from ..family import state, stream
from ..papers import kernels as paper
from .runs import fresh, integer_streams

EVERY = {
    "PRank": partial(paper.prank),
    "PRank-strict": partial(paper.prank, ties="strict"),
    "SiPRank": partial(paper.siprank),
    "MulticlassPerceptron": partial(paper.mcp),
    "MulticlassPerceptron-intercept": partial(paper.mcp, intercept=True),
    "MulticlassPerceptron-uniform": partial(paper.mcp, update="uniform"),
    "NoPRank": partial(paper.noprank),
    "NoPRank-margin": partial(paper.noprank, trigger="margin", margin="loss"),
    "WidrowHoff": partial(paper.widrow_hoff, step=0.5),
    "WidrowHoff-intercept": partial(paper.widrow_hoff, step=0.5, intercept=True),
}
EXACT = list(EVERY)[:5]
KERNELS = {
    "linear": (Linear(), paper.linear),
    "quadratic": (Polynomial(2, 0.5), paper.polynomial(2, 0.5)),
    "gaussian": (Gaussian(0.5), paper.gaussian(0.5)),
}
POLICIES = ("oldest", "random", "forgetron")
every_algorithm = pytest.mark.parametrize("name", EVERY)
both_hypotheses = pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])


def made(name, k, **parameters):
    own = {"fit_intercept" if key == "intercept" else key: value for key, value in EVERY[name].keywords.items()}
    return fresh(name.split("-")[0], k, **own, **parameters)


def picks(budget, seed):
    """Which of the rows, the oldest first, goes at each eviction: rows keep their places, and a new one takes the free one."""
    born, new = list(range(budget + 1)), budget
    for n in itertools.count():
        with np.errstate(over="ignore"):
            new = (new + 1 + int(hashed_random.below(budget, np.uint64(seed), n))) % (budget + 1)
        yield sorted(born).index(born[new])
        born[new] = budget + 1 + n


def bounded(budget, policy, seed=0):
    """Parameters of the estimator and of the oracle."""
    shape, gone = {"budget": budget, "policy": policy}, picks(budget, seed)
    return ({**shape, "random_state": seed}, {**shape, "pick": lambda n: next(gone)}) if policy else ({}, {})


def assert_same_run(model, run, X, y, like=lambda numbers: numbers):
    for t, (row, label, now) in enumerate(zip(X, y, run)):
        assert model.predict_one(row) == (now.averaged if model.average else now.prediction), f"round {t}"
        model.learn_one(row, label)
        assert model.support_.tolist() == [X[s] for s in now.points], f"round {t}"
        alpha, b, rows = (now.sums, now.b_sums, t + 1) if model.average else (now.alpha, now.b, 1)
        offsets = model.thresholds_ if type(model).__name__.endswith("PRank") else np.atleast_1d(model.intercept_)
        got = [*np.atleast_2d(model.dual_coef_).T.tolist(), offsets[: len(b)].tolist()]
        assert got == [like([float(Fraction(v) / rows) for v in part]) for part in (*alpha, b)], f"round {t}"


@both_hypotheses
@pytest.mark.parametrize("policy", [None, "oldest", "random"])
@settings(max_examples=examples(60))
@given(data=st.data())
def test_every_round_is_the_dual_forms_to_the_last_bit(policy, average, data):
    X, y, k = data.draw(integer_streams(rows=18, features=3))
    name, kind = data.draw(st.sampled_from(EXACT)), data.draw(st.sampled_from(["linear", "quadratic"]))
    ours, theirs = bounded(data.draw(st.integers(1, 6)), policy, data.draw(st.integers(0, 99)))
    run = EVERY[name](X, y, k, KERNELS[kind][1], **theirs)
    assert_same_run(made(name, k, average=average, kernel=KERNELS[kind][0], **ours), run, X, y)


@both_hypotheses
@pytest.mark.parametrize("policy", [None, *POLICIES])
@pytest.mark.parametrize("kind", ["linear", "quadratic", "gaussian"])
@every_algorithm
def test_every_round_is_the_dual_forms(name, kind, policy, average):
    """Until a Forgetron's thresholds, no longer whole numbers apart, would pass each other: here they take each other along."""
    near = partial(pytest.approx, rel=1e-8, abs=1e-10)
    for k in range(2, 7):
        X, y = (part.tolist() for part in stream(14, d=2, k=k, seed=k))
        ours, theirs = bounded(3, policy, k)
        run = list(EVERY[name](X, y, k, KERNELS[kind][1], **theirs))
        stop = next((t for t, now in enumerate(run) if "PRank" in name and list(now.b) != sorted(now.b)), len(run))
        assert stop == len(run) or (policy == "forgetron" and min(now.shrink for now in run[:stop]) < 1)
        model = made(name, k, average=average, kernel=KERNELS[kind][0], **ours)
        assert_same_run(model, run[:stop], X, y, near)
        if stop < len(run) and not average:
            thresholds = model.partial_fit([X[stop]], [y[stop]]).thresholds_
            assert thresholds == near(np.maximum.accumulate(np.array(run[stop].b, float)))


def mapped(X, degree):
    """Features whose inner product is (x·z + 1)^degree."""
    return np.array([[math.prod(part) for part in itertools.product([1, *x], repeat=degree)] for x in X], float)


@both_hypotheses
@pytest.mark.parametrize("degree", [0, 1, 2, 3])
@settings(max_examples=examples(25))
@given(data=st.data())
def test_a_kernel_is_its_features_exactly(degree, average, data):
    X, y, k = data.draw(integer_streams(rows=20, features=3))
    name = data.draw(st.sampled_from(EXACT))
    kernel, features = (Polynomial(degree), mapped(X, degree)) if degree else (Linear(), X)
    ours, theirs = (made(name, k, average=average, kernel=one) for one in (kernel, None))
    assert ours.predict_then_learn(X, y).tolist() == theirs.predict_then_learn(features, y).tolist()
    assert (ours.n_updates_, ours.cumulative_loss_) == (theirs.n_updates_, theirs.cumulative_loss_)
    assert len(ours.support_) == ours.n_updates_
    assert ours.decision_function(X).tolist() == theirs.decision_function(features).tolist()


@both_hypotheses
@pytest.mark.parametrize("degree", [1, 2, 3])
@every_algorithm
def test_a_kernel_is_its_features_but_for_rounding(name, degree, average):
    X, y = stream(60, d=2, k=4, seed=degree)
    ours = made(name, 4, average=average, kernel=Polynomial(degree)).partial_fit(X / 4, y)
    theirs = made(name, 4, average=average).partial_fit(mapped(X / 4, degree), y)
    assert ours.project(X / 4) == pytest.approx(theirs.project(mapped(X / 4, degree)), rel=1e-9, abs=1e-10)
    assert len(ours.support_) == ours.n_updates_ == theirs.n_updates_


@pytest.mark.parametrize("make", [partial(ranktron.OAP, n_members=4, tau=0.5), ranktron.Voted], ids=["OAP", "Voted"])
@settings(max_examples=examples(25))
@given(stream=integer_streams(rows=15, features=3))
def test_aggregates_of_kernel_models_are_those_of_the_features(make, stream):
    X, y, k = stream
    ours, theirs = (make(estimator=ranktron.PRank(kernel=kernel), classes=range(1, k + 1)) for kernel in (Polynomial(2), None))
    assert ours.predict_then_learn(X, y).tolist() == theirs.predict_then_learn(mapped(X, 2), y).tolist()
    assert ours.vote_shares(X).tolist() == theirs.vote_shares(mapped(X, 2)).tolist()


@both_hypotheses
def test_a_gaussian_is_the_oracles_to_the_last_digits_and_scikit_learns_too(average):
    X, y = stream(60, d=3, seed=3)
    *_, last = paper.prank(X.tolist(), y.tolist(), 5, paper.gaussian(0.7))
    alpha, rows = (last.sums, 60) if average else (last.alpha, 1)
    expected = [paper.expansion(alpha, X[list(last.points)].tolist(), x, paper.gaussian(0.7))[0] / rows for x in X.tolist()]
    for rows, kernel in itertools.product((X, scipy.sparse.csr_array(X)), (Gaussian(0.7), partial(rbf_kernel, gamma=0.7))):
        model = made("PRank", 5, average=average, kernel=kernel).partial_fit(rows, y)
        assert model.project(rows) == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)


@both_hypotheses
@pytest.mark.parametrize("policy", POLICIES)
@every_algorithm
def test_callables_and_sparse_rows_change_nothing(name, policy, average):
    random = np.random.default_rng(4)
    X, y = random.integers(-2, 3, (40, 3)) / 4, random.integers(1, 4, 40)
    learned = []
    for kernel, rows in ((Polynomial(2), X), (lambda A, B: (A @ B.T + 1) ** 2, X), (Polynomial(2), scipy.sparse.csr_array(X))):
        model = made(name, 3, average=average, budget=12, policy=policy, kernel=kernel).partial_fit(rows, y)
        learned.append((state(model), model.predict(rows).tolist()))
    assert learned[0] == learned[1] == learned[2]


@both_hypotheses
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", [name for name in EVERY if "PRank" in name])
def test_thresholds_stay_in_order_and_the_support_in_its_budget(name, policy, average):
    for budget, scale in itertools.product((1, 7), (1e-3, 1.0, 1e3)):
        X, y = stream(100, d=3, k=6, seed=budget)
        model = made(name, 6, average=average, kernel=Polynomial(2), budget=budget, policy=policy)
        for part in range(0, 100, 10):
            model.partial_fit(scale * X[part : part + 10], y[part : part + 10])
            assert (np.diff(model.thresholds_) >= 0).all()
            assert len(model.support_) == min(budget, model.n_updates_)


@both_hypotheses
@pytest.mark.parametrize("policy", [None, *POLICIES])
@pytest.mark.parametrize("kind", ["quadratic", "gaussian"])
@pytest.mark.parametrize("name", ["PRank", "NoPRank", "MulticlassPerceptron-intercept", "WidrowHoff"])
def test_a_kept_model_goes_on_bit_for_bit(tmp_path, name, kind, policy, average):
    X, y = stream(60, d=3, seed=6)
    model = made(name, 5, average=average, kernel=KERNELS[kind][0], **bounded(9, policy)[0])
    model.partial_fit(X[:30], y[:30]).save(tmp_path / "model")
    for kept in (ranktron.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        assert state(kept) == state(model)
        assert (kept.predict(X) == model.predict(X)).all()
        going_on = pickle.loads(pickle.dumps(model)).partial_fit(X[30:], y[30:])
        assert state(kept.partial_fit(X[30:], y[30:])) == state(going_on)


def exponential(numbers):
    values = np.array(numbers, float).ravel()
    exponentials(values, len(values), -1.0)
    return values.reshape(np.shape(numbers))


def test_exponentials_are_right_to_the_last_bits_and_fall():
    numbers = np.concatenate([np.linspace(0, 708, 20_001), np.geomspace(1e-300, 1, 2000)])
    expected = np.array([math.exp(-number) for number in numbers])
    assert (np.abs(exponential(numbers) - expected) / np.spacing(expected)).max() <= 2
    assert exponential([0.0, 708.5, 1e300, math.inf]).tolist() == [1.0, 0.0, 0.0, 0.0]
    for step in (1e-16, 1e-13, 1e-6, 1e-2):  # also where the power of two changes, at odd multiples of ½ log 2
        grid = np.arange(1, 2000)[:, None] * math.log(2) / 2 * (1 + step * np.arange(-20, 21))
        assert (np.diff(exponential(grid)) <= 0).all()


@pytest.mark.parametrize("degree", [0, -1, 1.5, True, "2", 1001, 10**12])
def test_a_degree_that_makes_no_sense_is_refused(degree):
    with pytest.raises(ValueError, match=r"Polynomial: degree=.* should be a whole number from 1 to 1,000"):
        Polynomial(degree)
