"""No-PRank against the search for active sets in fractions, and what the paper proves of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from ranktron.algorithms.noprank import MARGINS, solve_push
from tests.covering import examples

from ..family import stream
from ..papers import crammer_singer as paper
from .runs import flat, fresh, rule, steps

KINDS = list(itertools.product(MARGINS, ("mistake", "margin")))


def integers(seed, n=15, d=3, k=4):
    random = np.random.default_rng(seed)
    return random.integers(-3, 4, (n, d)), random.integers(1, k + 1, n)


def assert_same_run(X, y, k, **parameters):
    run = steps(fresh("NoPRank", k, **parameters), X.tolist(), y.tolist())
    for got, expected in zip(run, paper.noprank(X.tolist(), y.tolist(), k, **parameters), strict=True):
        assert got[0] == expected[0]
        assert flat(got[1:]) == pytest.approx(flat(expected[1:]), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("margin", "trigger"), KINDS)
@pytest.mark.parametrize(("k", "beta"), [(2, 1.0), (5, 0.5), (7, 3.0)])
def test_every_round_is_the_papers(margin, trigger, k, beta):
    X, y = stream(18, d=3, k=k, seed=k)
    assert_same_run(X, y, k, margin=margin, trigger=trigger, beta=beta)


@pytest.mark.parametrize(("margin", "trigger"), KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_round_is_the_papers_on_integers(margin, trigger, seed):
    X, y = integers(seed)
    assert_same_run(X, y, 4, margin=margin, trigger=trigger)


@pytest.mark.parametrize(("margin", "trigger"), KINDS)
def test_the_average_is_the_mean_of_the_rules_held(margin, trigger):
    X, y = stream(15, d=3, k=4, seed=1)
    parameters = {"margin": margin, "trigger": trigger}
    model = fresh("NoPRank", 4, average=True, **parameters)
    expected = list(paper.predict_averaged(paper.noprank, X.tolist(), y.tolist(), 4, **parameters))
    assert model.predict_then_learn(X, y).tolist() == expected
    *_, mean = paper.averages(paper.noprank(X.tolist(), y.tolist(), 4, **parameters))
    assert flat(rule(model)) == pytest.approx(flat(mean), rel=1e-9, abs=1e-12)


@st.composite
def problems(draw):
    """Thresholds, a label and margins of few different values, so that knees coincide, with f = 0."""
    halves = st.integers(-8, 8).map(lambda n: n / 2)
    b = sorted(draw(st.lists(halves, min_size=1, max_size=6)))
    margins = [draw(st.sampled_from([0.5, 1.0, 2.0, 3.0])) for _ in b]
    return b, draw(st.integers(1, len(b) + 1)), margins, draw(st.sampled_from([0.0, 0.125, 1.0, 3.0, 1e4]))


def wanted(b, label, margins):
    """y_r c_r = y_r margin_r - (f - b_r) for f = 0, and the y_r."""
    sides = np.where(label > np.arange(1, len(b) + 1), 1.0, -1.0)
    return sides * margins + np.asarray(b), sides


@settings(max_examples=examples(200))
@given(problem=problems())
def test_the_solver_finds_what_trying_all_active_sets_finds(problem):
    b, label, margins, norm = problem
    expected, _ = paper.solve_noprank(0, norm, b, label, margins)
    assert solve_push(wanted(b, label, margins)[0], label - 1, norm) == pytest.approx(float(expected), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("label", [1, 12, 20, 30])
@pytest.mark.parametrize("norm", [0.0, 0.01, 1.0, 30.0])
def test_the_solver_of_thirty_ranks_agrees_with_a_quadratic_program(label, norm):
    """Equation 4.5: min ½ τ'(I + a y y')τ - c'τ over τ ≥ 0, as least squares by a Cholesky factor."""
    random = np.random.default_rng(label)
    for _ in range(5):
        b, margins = np.sort(random.normal(scale=2, size=29)), random.uniform(0.1, 2, 29)
        aims, sides = wanted(b, label, margins)
        factor = np.linalg.cholesky(np.eye(29) + norm * np.outer(sides, sides)).T
        tau, _ = nnls(factor, np.linalg.solve(factor.T, sides * aims))
        assert solve_push(aims, label - 1, norm) == pytest.approx(sides @ tau, rel=1e-7, abs=1e-9)


def test_the_solver_leaves_its_input_alone():
    aims = np.array([3.0, -1.0, 2.0])
    solve_push(aims, 1, 1.0)
    assert aims.tolist() == [3.0, -1.0, 2.0]


def test_a_zero_row_moves_thresholds_only():
    # w = 0, b = (0, 0): y = 2 asks for b1 ≤ -1 and b2 ≥ 1.
    model = fresh("NoPRank", 3).partial_fit([[0.0, 0.0]], [2])
    assert rule(model) == ((0.0, 0.0), (-1.0, 1.0))


@pytest.mark.parametrize("margin", MARGINS)
def test_a_row_that_meets_every_margin_changes_nothing(margin):
    """Lemma 2: the smallest change is none."""
    X, y = stream(60, d=3, k=4, seed=2)
    model = fresh("NoPRank", 4, margin=margin, trigger="margin", beta=0.25).partial_fit(X, y)
    rows = 10 * np.random.default_rng(3).standard_normal((200, 3))
    labels = model.predict(rows)
    places = np.arange(1, 4)
    asked = np.where(labels[:, None] > places, labels[:, None] - places, places + 1 - labels[:, None])
    asked = 0.25 * (asked if margin == "distance" else np.ones_like(asked))
    met = (np.abs(model.project(rows)[:, None] - model.thresholds_) >= asked).all(axis=1)
    assert met.sum() >= 20
    before, updates = rule(model), model.n_updates_
    model.partial_fit(rows[met], labels[met])
    assert (rule(model), model.n_updates_) == (before, updates)


def test_a_margin_met_exactly_is_met():
    # k = 2, ‖x‖² = 1: S = -1/2 puts f = -1/2 and b = 1/2, one apart and exact in binary.
    model = fresh("NoPRank", 2, trigger="margin").partial_fit([[1.0], [1.0]], [1, 1])
    assert (rule(model), model.n_updates_) == (((-0.5,), (0.5,)), 1)


@pytest.mark.parametrize(("margin", "trigger"), KINDS)
@pytest.mark.parametrize("beta", [2.0**-40, 2.0**13])
@pytest.mark.parametrize("average", [False, True])
def test_a_power_of_two_as_beta_scales_the_run_exactly(margin, trigger, beta, average):
    X, y = stream(120, seed=4)
    one, other = (fresh("NoPRank", 5, margin=margin, trigger=trigger, average=average, beta=b) for b in (1.0, beta))
    assert (one.predict_then_learn(X, y) == other.predict_then_learn(X, y)).all()
    assert (other.coef_ == beta * one.coef_).all()
    assert (other.thresholds_ == beta * one.thresholds_).all()


@pytest.mark.parametrize(("margin", "trigger"), KINDS)
def test_predictions_from_zero_do_not_depend_on_beta(margin, trigger):
    X, y = stream(120, seed=5)
    runs = [fresh("NoPRank", 5, margin=margin, trigger=trigger, beta=b).predict_then_learn(X, y) for b in (0.3, 1.0, 7.0)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] == runs[2]).all()
