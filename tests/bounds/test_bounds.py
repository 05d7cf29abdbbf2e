"""The papers' guarantees: they hold, and on the adversaries they are nearly reached, so a bound cannot be too large either."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ranktron import MuPRank, NoPRank, PRank, SiPRank, bounds

from ..family import stream
from ..papers import crammer_singer as paper

SLACK = 1 + 1e-9
RANKS = [2, 3, 5, 8]
NEARLY = 0.85


def duel(kind, k, R=30.0, n=24, **parameters):
    """A model, its stream and its loss, and the margin of the rule that gives every orthogonal row its label."""
    model = kind(average=False, classes=range(1, k + 1), **parameters)
    X, ranks, loss = bounds.duel(model, bounds.orthogonal_rows(n, R))
    coef = X.T @ np.where(ranks == k, 1.0, -1.0)
    return model, X, ranks, loss, bounds.margin(coef, np.zeros(k - 1), X, ranks)


def separable(seed, k=4, n=400, d=4, gap=0.1):
    """Rows that a random rule of norm 1 ranks with a margin of at least ``gap``, their ranks and that rule."""
    random = np.random.default_rng(seed)
    rule = np.concatenate([random.standard_normal(d), np.sort(random.standard_normal(k - 1))])
    w, b = np.split(rule / np.linalg.norm(rule), [d])
    X = random.standard_normal((n, d))
    f = X @ w
    kept = np.abs(f[:, None] - b).min(axis=1) >= gap
    return X[kept], 1 + (f[:, None] >= b).sum(axis=1)[kept], w, b


@pytest.mark.parametrize("order", [1, 2])
def test_the_margin_is_the_least_over_rows_and_thresholds(order):
    random = np.random.default_rng(0)
    for k in RANKS:
        X, y = random.standard_normal((7, 3)), random.integers(1, k + 1, 7)
        w, b = random.standard_normal(3), np.sort(random.standard_normal(k - 1))
        norm = sum(abs(v) ** order for v in (*w, *b)) ** (1 / order)
        margins = [s * (x @ w - b_r) for x, label in zip(X, y) for s, b_r in zip(paper.sides(label, k), b)]
        assert bounds.margin(w, b, X, y, order=order) == pytest.approx(min(margins) / norm, rel=1e-12)


def test_the_margin_does_not_depend_on_the_length_of_the_rule():
    X, y, w, b = separable(0)
    assert bounds.margin(w, b, X, y) >= 0.1
    assert bounds.margin(5 * w, 5 * b, X, y) == pytest.approx(bounds.margin(w, b, X, y))


@pytest.mark.parametrize("k", RANKS)
def test_the_duel_has_the_margin_of_its_proof(k):
    """n rows of norm R along n axes: the rule has weights ±1/√n, so the margin is R/√n."""
    *_, gamma = duel(PRank, k)
    assert gamma == pytest.approx(30 / math.sqrt(24))


@pytest.mark.parametrize("k", RANKS)
@pytest.mark.parametrize("ties", ["paper", "strict"])
def test_prank_nearly_reaches_theorem_1(k, ties):
    model, _, _, loss, gamma = duel(PRank, k, ties=ties)
    tighter = bounds.prank_loss_tighter(k, 30.0, gamma)
    assert NEARLY * tighter <= loss <= tighter * SLACK <= bounds.prank_loss(k, 30.0, gamma) * SLACK
    assert loss == model.cumulative_loss_


@pytest.mark.parametrize("k", RANKS)
def test_siprank_nearly_reaches_footnote_2(k):
    model, _, _, loss, gamma = duel(SiPRank, k)
    bound = bounds.siprank_mistakes(30.0, gamma)
    assert NEARLY * bound <= model.n_updates_ <= bound * SLACK
    assert loss <= bounds.prank_loss(k, 30.0, gamma) * SLACK


def weights_used(model, X, y, k):
    """Σ τ over a run: each τ is how far its threshold moved."""
    total, before = 0.0, np.zeros(k - 1)
    for row, label in zip(X, y):
        model.learn_one(row, label)
        total, before = total + np.abs(model.thresholds_ - before).sum(), model.thresholds_
    return total


@pytest.mark.parametrize("k", RANKS)
@pytest.mark.parametrize("trigger", ["mistake", "margin"])
@pytest.mark.parametrize("beta", [0.5, 3.0])
def test_noprank_keeps_theorem_3_and_corollary_1_in_the_duel(k, trigger, beta):
    model, X, ranks, _, gamma = duel(NoPRank, k, trigger=trigger, beta=beta)
    assert model.n_seen_ == len(ranks) <= bounds.noprank_mistakes(30.0, gamma) * SLACK  # a duel is lost in every round
    again = NoPRank(average=False, classes=range(1, k + 1), trigger=trigger, beta=beta)
    assert 0 < weights_used(again, X, ranks, k) <= bounds.noprank_weights(beta, gamma) * SLACK
    assert again.coef_.tolist() == model.coef_.tolist()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("kind", "parameters"), [(PRank, {}), (PRank, {"ties": "strict"}), (SiPRank, {}), (NoPRank, {})])
def test_separable_streams_keep_the_bounds(kind, parameters, seed):
    X, y, w, b = separable(seed)
    R, gamma = np.linalg.norm(X, axis=1).max(), bounds.margin(w, b, X, y)
    model = kind(average=False, classes=range(1, 5), **parameters)
    for _ in range(3):
        model.partial_fit(X, y)
    if kind is NoPRank:
        assert model.n_updates_ <= bounds.noprank_mistakes(R, gamma)
        assert weights_used(NoPRank(average=False, classes=range(1, 5)), X, y, 4) <= bounds.noprank_weights(1.0, gamma)
    else:
        assert model.cumulative_loss_ <= bounds.prank_loss_tighter(4, R, gamma)
    if kind is SiPRank:
        assert model.n_updates_ <= bounds.siprank_mistakes(R, gamma)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("gamma", [0.05, 0.2, 1.0])
def test_prank_keeps_theorem_2_on_a_noisy_stream(seed, gamma):
    X, y, w, b = separable(seed, gap=0.0)
    random = np.random.default_rng(seed)
    y = np.where(random.random(len(y)) < 0.1, random.integers(1, 5, len(y)), y)
    R = np.linalg.norm(X, axis=1).max()
    missed = [max(0.0, gamma - bounds.margin(w, b, X[[t]], y[[t]])) for t in range(len(y))]
    D = math.sqrt(sum(d * d for d in missed))
    for kind in (PRank, SiPRank):
        loss = kind(average=False, classes=range(1, 5)).partial_fit(X, y).cumulative_loss_
        assert 0 < loss <= bounds.prank_loss_inseparable(4, R, gamma, D)


def halve(m, **parameters):
    model = MuPRank(average=False, classes=[1, 2], **parameters)
    X, ranks, loss = bounds.halving(model, 2**m)
    [last] = np.flatnonzero((X * np.where(ranks == 2, 1, -1)[:, None] == 1).all(axis=0))
    return model, loss, bounds.margin(np.eye(2**m)[last], np.zeros(1), X, ranks, order=1)


@pytest.mark.parametrize("m", [3, 6, 9])
def test_muprank_nearly_reaches_theorem_4(m):
    model, loss, gamma = halve(m, step=12.0)
    bound = bounds.muprank_loss(2, 2**m, gamma, 12.0)
    assert gamma == 1
    assert loss == model.cumulative_loss_ == m
    assert NEARLY * bound <= loss <= bound * SLACK


@pytest.mark.parametrize("step", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("signed", [False, True])
def test_muprank_keeps_theorem_4_at_any_step(step, signed):
    _, loss, gamma = halve(7, step=step, signed=signed)
    assert loss <= bounds.muprank_loss(2, 2**7, gamma, step, signed=signed) * SLACK


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("k", [2, 4])
def test_muprank_keeps_theorem_4_and_corollary_2_on_separable_rows(seed, signed, k):
    random = np.random.default_rng(seed)
    w, b = np.array([0.5, 0.3, 0.0, 0.0, 0.0, 0.0]), np.linspace(0.02, 0.4, k - 1)
    w = w * ((-1, 1, 1, 1, 1, 1) if signed else 1)
    X = random.uniform(-1, 1, (600, 6))
    X = X[np.abs((X @ w)[:, None] - b).min(axis=1) > 0.05]
    y = 1 + ((X @ w)[:, None] >= b).sum(axis=1)
    gamma = bounds.margin(w, b, X, y, order=1)
    theory = paper.theory_step(k, gamma)
    at_theory = bounds.muprank_loss_at_theory_step(k, 6, gamma, signed=signed)
    assert bounds.muprank_loss(k, 6, gamma, theory, signed=signed) <= at_theory
    by_word = MuPRank(average=False, classes=range(1, k + 1), step="theory", gamma=gamma, signed=signed)
    assert 0 < by_word.partial_fit(X, y).cumulative_loss_ <= at_theory
    half = MuPRank(average=False, classes=range(1, k + 1), step=theory / 2, signed=signed).partial_fit(X, y)
    assert half.cumulative_loss_ <= bounds.muprank_loss(k, 6, gamma, theory / 2, signed=signed)


def test_theorem_4_is_infinite_where_the_step_is_too_large():
    assert bounds.muprank_loss(5, 10, 0.1, 1.0) == math.inf
    assert bounds.muprank_loss(5, 10, 0.1, 1e5) == math.inf


@pytest.mark.parametrize(("k", "n", "gamma", "step"), [(2, 5, 0.5, 0.3), (3, 9, 0.8, 0.05), (4, 2, 1.5, 0.1)])
def test_theorem_4_is_the_papers_formula(k, n, gamma, step):
    gain = math.log(2 / (math.exp(step * (k - 1)) + math.exp(-step * (k - 1)))) + step * gamma
    assert bounds.muprank_loss(k, n, gamma, step) == pytest.approx(math.log(k + n - 1) / gain)
    assert bounds.muprank_loss(k, n, gamma, step, signed=True) == pytest.approx(math.log(2 * (k + n - 1)) / gain)


@pytest.mark.parametrize("k", [2, 5])
def test_corollary_2_is_what_theorem_4_comes_to_for_a_small_margin(k):
    """At the corollary's step the gain is γ²/(2 (k - 1)²) and terms of the fourth order."""
    at_step = bounds.muprank_loss(k, 20, 0.01, paper.theory_step(k, 0.01))
    assert at_step == pytest.approx(bounds.muprank_loss_at_theory_step(k, 20, 0.01), rel=1e-3)


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        (bounds.prank_loss(5, 2.0, 0.5), 4 * (4 + 1) / 0.25),  # Theorem 1
        (bounds.prank_loss_tighter(5, 2.0, 0.5), (4 * 4 + 1) / 0.25),  # its proof
        (bounds.prank_loss_inseparable(5, 2.0, 0.5, 3.0), 4 * (3 + math.sqrt(5)) ** 2 / 0.25),  # Theorem 2
        (bounds.siprank_mistakes(2.0, 0.5), (4 + 1) / 0.25),  # footnote 2
        (bounds.noprank_weights(3.0, 0.5), 2 * 3 / 0.25),  # Theorem 3
        (bounds.noprank_mistakes(2.0, 0.5), 2 * (4 + 1) / 0.25),  # Corollary 1
    ],
)
def test_additive_bounds_are_the_papers_formulas(bound, expected):
    assert bound == pytest.approx(expected, rel=1e-15)


def test_orthogonal_rows_are_orthogonal_and_long():
    rows = np.array(list(bounds.orthogonal_rows(5, 3.0)))
    assert (rows @ rows.T == 9 * np.eye(5)).all()


@pytest.mark.parametrize("kind", [PRank, SiPRank, NoPRank])
def test_a_duel_is_lost_in_every_round(kind):
    model = kind(average=False, classes=["a", "b", "c"])
    X, ranks, loss = bounds.duel(model, stream(20)[0])
    assert model.n_updates_ == len(X) == 20
    assert set(ranks.tolist()) <= {1, 3}
    assert loss == model.cumulative_loss_
