"""Predtron's margins against their definition, and its bounds on random streams that are separable."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

from ranktron import bounds
from ranktron.data import separable

from .predtron_loop import by_costs, inverse_link, ndcg_losses, off_by, places, rankings, several, two_sided

SLACK = 1 + 1e-9
NORMS = ["euclidean", "l1", "group", "trace"]


def by_definition(representations, losses, t):
    """The least lead of a right prediction over a wrong one."""
    similarities = representations @ t
    return min(a - b for a, free in zip(similarities, losses == 0) if free for b, cost in zip(similarities, losses) if cost > 0)


def norm_of(W, norm):
    if norm == "l1":
        return sum(abs(v) for v in W.ravel())
    if norm == "group":
        return sum(math.sqrt(column @ column) for column in W.T)
    return sum(np.linalg.svd(W)[1]) if norm == "trace" else math.sqrt((W * W).sum())


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("seed", range(3))
def test_margins_are_those_of_the_definition(norm, seed):
    random = np.random.default_rng(seed)
    W, X, codes = random.standard_normal((4, 6)), random.standard_normal((9, 6)), random.integers(4, size=9)
    Y, signs = random.integers(2, size=(9, 4)), random.choice([-1, 1], size=9)
    classes, sets = by_costs(1 - np.eye(4)), several(4)

    def least(loop, W, labels):
        return min(by_definition(loop.representations, loop.costs(y), W @ x) for x, y in zip(X, labels)) / norm_of(W, norm)

    assert bounds.predtron_class_margin(W, X, codes, norm) == pytest.approx(least(classes, W, codes))
    assert bounds.predtron_multilabel_margin(W, X, Y, norm) == pytest.approx(least(sets, W, Y))
    assert bounds.predtron_binary_margin(W[0], X, signs, norm) == pytest.approx(least(two_sided(), W[:1], (1 - signs) // 2))
    task = SimpleNamespace(representation=lambda s: np.eye(4)[s], loss_of=lambda s, y: abs(s - y))
    assert bounds.predtron_margin(task, W, X, codes, range(4), norm) == pytest.approx(least(classes, W, codes))


@pytest.mark.parametrize("power", [1.1, 2.0, -1.0])
@pytest.mark.parametrize("agreeing", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_margin_of_rankings_is_that_of_the_definition(power, agreeing, seed):
    random = np.random.default_rng(seed)
    m = random.integers(2, 6)
    orders = list(itertools.permutations(range(m)))
    representations = np.array([places(m, power)[np.argsort(order)] for order in orders])
    Y = random.integers(3, size=(7, m))
    Y[:, 0], Y[:, 1] = 2, 0
    X = random.standard_normal((7, m)) + Y * (3.0 if agreeing else 0.0)
    leads = [by_definition(representations, ndcg_losses(orders, y), x) for x, y in zip(X, Y)]
    W, (qid, rows) = np.eye(m), (np.repeat(np.arange(7), m), X.reshape(-1, 1))
    assert bounds.predtron_label_ranking_margin(W, X, Y, power) == pytest.approx(min(leads) / math.sqrt(m))
    assert bounds.predtron_list_margin(np.array([2.0]), rows, Y.ravel(), qid, power) == pytest.approx(min(leads))
    task = SimpleNamespace(
        representation=lambda order: places(m, power)[np.argsort(order)], loss_of=lambda order, y: ndcg_losses([order], y)[0]
    )
    assert bounds.predtron_margin(task, np.ones(1), X[:, :, None], Y, orders) == pytest.approx(min(leads))


def test_lemma_4():
    """Equal scores inside a grade, and t(i_j - 1) = t(i_j) + γZ / (f(i_j - 1) - f(i_j)) at both drops: the margin is γ."""
    y, gamma = np.array([2, 2, 1, 0, 0]), 0.3
    f = [-(i**1.1) for i in range(1, 6)]
    Z = math.sqrt(sum(v * v for v in f))
    first, second = gamma * Z / (f[1] - f[2]), gamma * Z / (f[2] - f[3])
    t = np.array([first + second, first + second, second, 0.0, 0.0])
    assert bounds.predtron_list_margin(np.ones(1), t[:, None], y) == pytest.approx(gamma)
    assert bounds.predtron_list_margin(np.ones(1), t[:, None], np.ones(5)) == math.inf


@pytest.mark.parametrize("call", [bounds.predtron_norm, lambda W, name: bounds.predtron_link_radius(1.0, 3, name)])
def test_unknown_norms_are_named(call):
    with pytest.raises(ValueError, match="'l2' is not among 'euclidean', 'l1', 'group' and 'trace'"):
        call(np.eye(2), "l2")


@pytest.mark.parametrize(("m", "highest"), [(2, 1), (2, 4), (3, 3), (4, 2), (5, 1), (5, 2)])
def test_the_smallest_ndcg_loss_is_that_of_all_orders_of_all_grades(m, highest):
    orders = list(itertools.permutations(range(m)))
    losses = [ndcg_losses(orders, y) for y in itertools.combinations_with_replacement(range(highest + 1), m)]
    smallest = min(loss for loss in np.concatenate(losses) if loss > 0)
    assert bounds.ndcg_smallest_loss(m, highest) == pytest.approx(smallest, rel=1e-8)


@pytest.mark.parametrize("highest", [1, 2, 4, 10])
def test_the_corollaries_follow_from_the_smallest_ndcg_loss(highest):
    for m in (2, 3, 5, 10, 100, 1000):
        assert bounds.predtron_loss(1.0, 1.0, bounds.ndcg_smallest_loss(m, highest)) <= bounds.predtron_ndcg_loss(
            m, highest, 1.0, 1.0
        )
    assert bounds.ndcg_smallest_loss(1, highest) == bounds.ndcg_smallest_loss(5, 0) == math.inf


def test_nine_log_p_is_enough_for_two_features_or_more():
    factors = {p: bounds.predtron_link_radius(1.0, p) ** 2 for p in (*range(1, 2000), 10**6, 10**9)}
    assert all(factor <= 9 * math.log(p) for p, factor in factors.items() if p > 1)
    assert factors[1] == 1 > 9 * math.log(1)
    assert bounds.predtron_link_radius(2.0, 10**6, "trace", n_scores=5) == 2.0
    assert bounds.predtron_link_radius(2.0, 100, "trace", n_scores=100) ** 2 == pytest.approx(4 * (math.log(100) - 1))


def dual_norm(theta, link):
    """‖·‖_q, q = max(2, log p), or that of the sizes of the trace."""
    sizes = {"l1": np.abs(theta), "group": np.linalg.norm(theta, axis=0), "trace": np.linalg.svd(theta)[1]}[link]
    q = max(2.0, math.log(min(theta.shape) if link == "trace" else theta.shape[1]))
    return (sizes**q).sum() ** (1 / q), q


@pytest.mark.parametrize("link", ["l1", "group", "trace"])
@pytest.mark.parametrize("shape", [(3, 5), (4, 40), (12, 30)])
def test_the_radius_of_a_link_is_what_its_proof_needs(link, shape):
    """½‖θ + δ‖² ≤ ½‖θ‖² + ⟨W, δ⟩ + ½(q - 1)‖δ‖² in the dual norm, and for the move of a row (q - 1)‖δ‖² ≤ D · radius²."""
    random = np.random.default_rng(0)
    for scale in (0.01, 0.3, 1.0, 10.0):
        theta, delta = random.standard_normal((2, *shape)) * [[[1.0]], [[scale]]]
        (after, q), (before, _), (size, _) = (dual_norm(v, link) for v in (theta + delta, theta, delta))
        linear = (inverse_link(theta, link) * delta).sum()
        assert after**2 / 2 <= (before**2 / 2 + linear + (q - 1) * size**2 / 2) * SLACK
        way, x = random.standard_normal(shape[0]), random.uniform(-1, 1, shape[1])
        R = np.linalg.norm(x) if link == "trace" else np.abs(x).max()
        move, q = dual_norm(np.outer(way, x), link)
        assert (q - 1) * move**2 <= way @ way * bounds.predtron_link_radius(R, shape[1], link, shape[0]) ** 2 * SLACK


CLASS_LIKE = {
    "binary": (two_sided, lambda seed: _signs(separable.binary(60, 8, margin=0.3, seed=seed)), 4.0, 1.0, 1.0),
    "classes": (
        lambda **p: by_costs(1 - np.eye(4), **p),
        lambda seed: separable.classes(60, 8, 4, margin=0.3, seed=seed),
        2.0,
        1.0,
        1.0,
    ),
    "ordinal": (
        lambda **p: by_costs(off_by(4), **p),
        lambda seed: separable.ordinal(60, 8, 4, margin=0.1, seed=seed),
        2.0,
        1.0,
        3.0,
    ),
    "costs": (
        lambda **p: by_costs(off_by(4) ** 2, **p),
        lambda seed: separable.classes(60, 8, 4, margin=0.3, seed=seed),
        2.0,
        1.0,
        9.0,
    ),
    "hamming": (lambda **p: several(3, **p), lambda seed: separable.multilabel(60, 8, 3, margin=0.3, seed=seed), 4.0, 1.0, 3.0),
    "subset": (
        lambda **p: several(3, lambda wrong: wrong.any(axis=1), **p),
        lambda seed: separable.multilabel(60, 8, 3, margin=0.3, seed=seed),
        4.0,
        1.0,
        1.0,
    ),
    "ranked": (
        lambda **p: rankings(3, **p),
        lambda seed: separable.multilabel_ranking(60, 8, 3, margin=0.2, seed=seed),
        bounds.predtron_ranking_spread(3),
        bounds.ndcg_smallest_loss(3, 2),
        1.0,
    ),
}


def _signs(stream):
    X, y = stream
    return X, (1 - y) // 2


def drawn(make):
    """A stream, and what was drawn to separate it."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_unit", "_rows_at_right_angles"):
            draw = getattr(separable, name)
            patch.setattr(separable, name, lambda *sizes, draw=draw: found.append(draw(*sizes)) or found[-1])
        return make(), found[0]


def margin_of(loop, X, y, norm, W):
    """By definition."""
    leads = []
    for x, label in zip(X, y):
        losses = loop.costs(label)
        if losses.any():
            leads.append(by_definition(loop.representations, losses, W @ x))
    return min(leads) / norm_of(W, norm)


@pytest.mark.parametrize("task", CLASS_LIKE)
@pytest.mark.parametrize("link", NORMS)
@pytest.mark.parametrize("seed", [0])
def test_separable_streams_keep_every_bound(task, link, seed):
    """Whatever the loop ends with separates the rows, so its margin counts; but rankings ask for equal scores inside a grade."""
    make, draw, spread, smallest, largest = CLASS_LIKE[task]
    (X, y), W = drawn(lambda: draw(seed))
    n_scores = make().representations.shape[1]
    R = np.abs(X).max() if link in ("l1", "group") else np.linalg.norm(X, axis=1).max()
    radius = bounds.predtron_link_radius(R, X.shape[1], link, n_scores)
    theory, best = bounds.predtron_theory_step(radius, smallest), bounds.predtron_best_step(radius, largest, spread)
    for step, loss_driven in ((theory, False), (best, False), (1.0, False), (0.01, True)):
        loop = make(step=step, loss_driven=loss_driven, link=link).until_right(X, y)
        gamma = margin_of(loop, X, y, link, loop.W if task != "ranked" else W)
        assert gamma > 0
        if loss_driven:
            assert loop.loss <= bounds.predtron_loss_driven(radius, gamma, largest, spread)
        else:
            assert loop.loss <= bounds.predtron_loss_at_step(radius, gamma, step, smallest, largest, spread)
        if step == theory:
            assert loop.loss <= bounds.predtron_loss(radius, gamma, smallest, largest)
        if task == "hamming" and (loss_driven or step == theory):
            assert loop.loss <= bounds.predtron_hamming_loss(radius, gamma)


@pytest.mark.parametrize("link", ["euclidean", "l1"])
def test_separable_lists_keep_every_bound(link):
    m, p = 3, 9
    (X, y, qid), w = drawn(lambda: separable.subset_ranking(25, m, p, margin=0.2, seed=0))
    lists, grades = X.reshape(-1, m, p), y.reshape(-1, m)
    R = max(np.linalg.norm(x, axis=0).max() if link == "l1" else np.linalg.norm(x, 2) for x in lists)
    radius, spread = bounds.predtron_link_radius(R, p, link), bounds.predtron_ranking_spread(m)
    smallest = bounds.ndcg_smallest_loss(m, 2)
    for step in (bounds.predtron_theory_step(radius, smallest), bounds.predtron_best_step(radius, 1.0, spread)):
        loop = rankings(m, step=step, link=link).until_right(lists, grades)
        gamma = bounds.predtron_list_margin(w, X, y, qid, norm=link)
        assert gamma > 0
        published = bounds.predtron_ndcg_loss(m, 2, R, gamma) * (9 * math.log(p) if link == "l1" else 1)
        assert 0 < loop.loss <= bounds.predtron_loss_at_step(radius, gamma, step, smallest, 1.0, spread) <= published
