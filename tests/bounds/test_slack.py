"""The best rule where none is right: no other makes the bound smaller, as the dual problem tells."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ranktron import MinimaxRank, PRank, bounds
from ranktron.data import separable, synthetic


def noisy(seed, n=400, k=4):
    X, y = separable.ordinal(n, 4, k, margin=0.3, seed=seed)
    random = np.random.default_rng(seed)
    return X, 1 + np.where(random.random(n) < 0.02, random.integers(k, size=n), y)


def root_at_least(best, X, ranks, k, heat):
    """A lower bound on √(R² + 1) ‖u‖ + ‖ξ‖, by its dual: Σ α / max(‖Σ α z‖ / √(R² + 1), ‖(Σ_r α_tr)_t‖) for any α ≥ 0."""
    sides = np.where(ranks > np.arange(1, k)[:, None], 1.0, -1.0)
    short = 1 - sides * (X @ best.coef - best.thresholds[:, None]) / best.margin
    slack = np.maximum(0.0, short.max(axis=0))
    shares = np.exp((short - short.max(axis=0)) / heat)
    alpha = shares / shares.sum(axis=0) * slack
    pull = np.append((sides * alpha).sum(axis=0) @ X, -(sides * alpha).sum(axis=1))
    price = math.sqrt(np.linalg.norm(X, axis=1).max() ** 2 + 1)
    return alpha.sum() / max(np.linalg.norm(pull) / price, np.linalg.norm(alpha.sum(axis=0)))


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("seed", range(2))
def test_theorem_2_is_within_a_hundredth_of_its_dual(k, seed):
    X, ranks = noisy(seed, k=k)
    best = bounds.best_inseparable(X, ranks, k)
    least = max(root_at_least(best, X, ranks, k, heat) for heat in (1e-3, 1e-2, 1e-1))
    assert (k - 1) * least**2 <= best.loss <= (k - 1) * least**2 * 1.01
    R = np.linalg.norm(X, axis=1).max()
    assert best.missed == pytest.approx(bounds.missed(best.coef, best.thresholds, X, ranks, best.margin), rel=1e-12)
    assert best.loss == pytest.approx(bounds.prank_loss_inseparable(k, R, best.margin, best.missed), rel=1e-12)
    assert np.linalg.norm(np.append(best.coef, best.thresholds)) == pytest.approx(1.0)
    assert PRank(average=False, classes=range(1, k + 1)).partial_fit(X, ranks).cumulative_loss_ <= best.loss


def test_what_contradicts_itself_costs_as_much_as_being_always_wrong():
    X, ranks = np.ones((30, 1)) * 5, np.tile([1, 3], 15)
    assert bounds.best_inseparable(X, ranks, 3).loss == pytest.approx(2 * 30, rel=1e-6)


def test_missed_is_the_root_of_what_each_row_misses():
    X, ranks = noisy(0, n=50)
    w, b = np.array([1.0, 0.5, 0.0, -1.0]), np.array([-1.0, 0.0, 1.0])
    each = [max(0.0, 0.4 - bounds.margin(w, b, X[[t]], ranks[[t]])) for t in range(50)]
    assert bounds.missed(w, b, X, ranks, 0.4) == pytest.approx(math.hypot(*each))


def lists(seed, n=80):
    random = np.random.default_rng(seed)
    X, y, qid = synthetic.chaudhuri_tewari(n, n_documents=3, n_features=2, n_grades=2, margin=0.5, seed=seed)
    return X / 8, np.where(np.repeat(random.random(n) < 0.03, 3), 1 - y, y), qid


@pytest.mark.parametrize(("algorithm", "measure"), [("slam", "ap"), ("slam", "ndcg@2"), ("minimax", "ndcg")])
def test_no_direction_tried_has_a_smaller_bound(algorithm, measure):
    X, y, qid = lists(0)
    kind = {"algorithm": algorithm, "measure": measure}
    best, bound = bounds.best_inseparable_list(X, y, qid, **kind), bounds.list_bound(X, y, qid, **kind)
    assert best.loss == bound.loss(float(np.linalg.norm(best.coef)), best.surrogate)
    assert best.surrogate == pytest.approx(bound.surrogate(X @ best.coef, y, qid))
    turns = [np.array([math.cos(a), math.sin(a)]) for a in np.linspace(0, 2 * math.pi, 17)]
    tried = [bound.loss(size, bound.surrogate(X @ w * size, y, qid)) for w in turns for size in np.geomspace(0.1, 10, 12)]
    assert best.loss <= min(tried) * 1.01
    assert best.loss < 80  # that of 0


def test_at_a_step_the_bound_is_convex_and_its_least_is_found():
    X, y, qid = lists(1)
    known = bounds.list_bound(X, y, qid, measure="ap")
    step = bounds.slam_theory_step(known.m, known.R, known.v_max)
    best = bounds.best_inseparable_list(X, y, qid, measure="ap", step=step)
    assert best.loss == pytest.approx(2 * best.surrogate + np.sum(best.coef**2) / step)
    bound = bounds.list_bound(X, y, qid, measure="ap", step=step)
    for move in np.random.default_rng(0).standard_normal((50, 2)) * 0.2:
        w = best.coef + move
        assert bound.loss(float(np.linalg.norm(w)), bound.surrogate(X @ w, y, qid)) >= best.loss * (1 - 1e-3)


def test_documents_that_are_alike_cost_one_a_list():
    X, y, qid = np.ones((40, 1)), np.tile([0, 1], 20), np.repeat(np.arange(20), 2)
    for algorithm in ("slam", "minimax"):
        assert bounds.best_inseparable_list(X, y, qid, algorithm=algorithm).loss == 20
    assert MinimaxRank(measure="ap", average=False).partial_fit(X, y, qid).cumulative_loss_ == 10


def test_the_constants_of_lists_are_the_papers():
    y, qid = np.array([2, 0, 1, 0, 1, 0]), np.array([0, 0, 0, 0, 1, 1])
    X = np.arange(12.0).reshape(6, 2)
    known = bounds.list_bound(X, y, qid, measure="ndcg")
    assert (known.m, known.R) == (4, pytest.approx(math.hypot(10, 11)))
    assert known.v_max == pytest.approx(bounds.weight_ratio(np.array([2, 0, 1, 0])))
    assert bounds.list_bound(X, y, qid, measure="ndcg@2").m == 2
    shared = bounds.list_bound(X, np.array([1, 1, 1, 0, 1, 0]), qid, measure="ndcg@1", ties="average")
    assert (shared.m, shared.v_max) == (3, 1.0)  # all three share the first place


@pytest.mark.parametrize("name", ["algorithm", "measure"])
def test_unknown_words_are_named(name):
    with pytest.raises(ValueError, match=f"{name}='mrr' should be"):
        bounds.list_bound([[1.0], [2.0]], [0, 1], **{name: "mrr"})
