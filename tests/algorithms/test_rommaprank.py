"""ROMMA-PRank against the search for active sets in fractions, and what its definition says of every step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ranktron.algorithms.rommaprank import FARTHEST
from ranktron.core.scorers import romma as romma_scorer

from ..family import stream
from ..papers import crammer_singer, romma
from .runs import flat, fresh, rule, steps

SCALES = [1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6]


def noisy(seed, scale=1.0, n=25):
    """Rows of one to four features, and two to five ranks that follow them, or in every other stream do not."""
    random = np.random.default_rng(seed)
    k, d = 2 + seed % 4, 1 + seed // 2 % 4
    X = random.standard_normal((n, d))
    follow = 1 + np.digitize(X @ random.standard_normal(d), np.linspace(-1, 1, k - 1))
    return scale * X, follow if seed % 2 else random.integers(1, k + 1, n), k


def mistakes(X, y, k):
    """Each row that the model gets wrong, with its label, the rule v = (w, b) before and after it, and whether that counted."""
    model = fresh("ROMMAPRank", k)
    before, updates = (((0.0,) * X.shape[1], (0.0,) * (k - 1)), 0)
    for row, label in zip(X.tolist(), y.tolist()):
        mistaken = model.predict_one(row) != label
        model.learn_one(row, label)
        after, counted = rule(model), model.n_updates_ - updates
        if mistaken:
            yield row, label, before, after, counted
        else:
            assert (after, counted) == (before, 0)
        before, updates = after, model.n_updates_


def solution(row, label, before):
    """The exact v and what it multiplies the present rule by; None where there is none."""
    w, b, x = crammer_singer.mapped(Fraction, (*before, tuple(row)))
    found = romma.shortest(list(romma.constraints(w, b, x, label)))
    return None if found is None else (np.array([float(v) for v in found[0]]), float(found[1][0]))


def assert_exact(X, y, k):
    """Only rows that ask for more than FARTHEST may be passed over: in floats they are as good as impossible."""
    updates = 0
    for row, label, before, after, counted in mistakes(X, y, k):
        found = solution(row, label, before)
        if counted:
            assert found is not None
            assert np.linalg.norm(flat(after) - found[0]) <= 1e-8 * np.linalg.norm(found[0])
        else:
            assert after == before
            assert found is None or found[1] > 0.99 * FARTHEST
        updates += counted
    assert updates >= 1


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(8))
def test_every_update_is_the_exact_one(seed, scale):
    assert_exact(*noisy(seed, scale))


@pytest.mark.parametrize("seed", range(8))
def test_every_update_is_the_exact_one_on_integers(seed):
    """Where rows come again with other labels, some of which cannot be."""
    random = np.random.default_rng(seed)
    assert_exact(random.integers(-2, 3, (25, 1 + seed % 3)), random.integers(1, 4, 25), 3)


@pytest.mark.parametrize("seed", range(4))
def test_whole_runs_are_the_oracles(seed):
    X, y, k = noisy(seed, n=15)
    run = steps(fresh("ROMMAPRank", k), X.tolist(), y.tolist())
    for got, expected in zip(run, romma.romma(X.tolist(), y.tolist(), k), strict=True):
        assert got[0] == expected[0]
        assert flat(got[1:]) == pytest.approx(flat(expected[1:]), rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(8))
def test_every_update_meets_its_conditions(seed, scale):
    for row, label, before, after, counted in mistakes(*noisy(seed, scale, n=100)):
        old, (w, b), x = np.array(flat(before)), map(np.array, after), np.array(row)
        new = np.array(flat(after))
        length = np.linalg.norm(new)
        assert (np.diff(b) >= 0).all()
        assert length >= np.linalg.norm(old)
        if counted:
            sides = np.where(label > np.arange(1, len(b) + 1), 1, -1)
            assert new @ old >= old @ old - 1e-9 * length * np.linalg.norm(old)
            assert (sides * (w @ x - b) >= 1 - 1e-9 * (1 + length * np.linalg.norm([*x, 1]))).all()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("k", [2, 3, 6])
def test_the_first_update_is_nopranks(k, scale):
    X, _ = stream(5, d=3, seed=k)
    for row, label in zip(scale * X, [1, k - 1, 1, k - 1, 1]):
        ours, theirs = (fresh(name, k).partial_fit([row], [label]) for name in ("ROMMAPRank", "NoPRank"))
        assert rule(ours) == rule(theirs)
        assert ours.n_updates_ == 1


@pytest.mark.parametrize("average", [False, True])
def test_a_row_that_cannot_be_reconciled_is_passed_over_and_not_counted(average):
    w, b = (Fraction(-3, 4),), (Fraction(1, 4),) * 3
    assert romma.solve_romma((0,), (0, 0, 0), (1,), 1) == (w, b)
    assert romma.solve_romma(w, b, (1,), 4) is None
    model = fresh("ROMMAPRank", 4, average=average).partial_fit([[1.0]] * 4, [1, 4, 4, 4])
    assert rule(model) == (w, b)
    assert (model.n_seen_, model.n_updates_, model.cumulative_loss_) == (4, 1, 3 + 3 + 3 + 3)


@pytest.mark.parametrize("seed", range(8))
def test_the_average_is_the_mean_of_the_rules_held(seed):
    X, y, k = noisy(seed, n=60)
    held = np.array([flat(got[1:]) for got in steps(fresh("ROMMAPRank", k), X.tolist(), y.tolist())])
    model = fresh("ROMMAPRank", k, average=True)
    predictions = model.predict_then_learn(X, y)
    assert flat(rule(model)) == pytest.approx(held.mean(axis=0).tolist(), rel=1e-10, abs=1e-12)
    means = held.cumsum(axis=0)
    d = X.shape[1]
    expected = 1 + ((X[1:] * means[:-1, :d]).sum(axis=1)[:, None] >= means[:-1, d:]).sum(axis=1)
    assert predictions[1:].tolist() == expected.tolist()


@pytest.mark.parametrize("average", [False, True])
def test_a_long_noisy_stream_stays_finite_and_in_order(average):
    random = np.random.default_rng(5)
    X, y = random.standard_normal((3000, 4)), random.integers(1, 6, 3000)
    model = fresh("ROMMAPRank", 5, average=average).partial_fit(X, y)
    assert model.n_updates_ > 1000
    assert np.isfinite(flat(rule(model))).all()
    assert (np.diff(model.thresholds_) >= 0).all()


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(("largest", "less"), [(1e3, romma_scorer.LESS), (1e3, 2.0**-3), (1.0, 2.0**-30)])
def test_another_scale_is_the_same_rule(monkeypatch, largest, less, average):
    X, y = stream(1000, seed=6)
    plain, other = (fresh("ROMMAPRank", 5, average=average) for _ in range(2))
    expected = plain.predict_then_learn(X, y)
    monkeypatch.setattr(romma_scorer, "LARGEST", largest)
    monkeypatch.setattr(romma_scorer, "LESS", less)
    assert (other.predict_then_learn(X, y) == expected).all()
    times = np.log(other.coef_[0] / plain.coef_[0]) / np.log(less)
    assert round(times) >= 1
    assert (other.coef_ == plain.coef_ * less ** round(times)).all()
    assert (other.thresholds_ == plain.thresholds_ * less ** round(times)).all()


@pytest.mark.parametrize("average", [False, True])
def test_a_factor_that_is_multiplied_out_often_is_the_same_rule(monkeypatch, average):
    X, y = stream(300, seed=7)
    plain, other = (fresh("ROMMAPRank", 5, average=average) for _ in range(2))
    expected = plain.predict_then_learn(X, y)
    monkeypatch.setattr(romma_scorer, "LEAST", 0.9)
    monkeypatch.setattr(romma_scorer, "MOST", 1.01)
    assert (other.predict_then_learn(X, y) == expected).all()
    assert flat(rule(other)) == pytest.approx(flat(rule(plain)), rel=1e-9)
