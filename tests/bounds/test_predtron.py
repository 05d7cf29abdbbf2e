"""Predtron's guarantees: they hold for Algorithm 1 and the loss-driven version, and the adversaries come as near as they say."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ranktron import bounds
from ranktron.data import separable

from .predtron_loop import Loop, by_costs, off_by, rankings, several, two_sided

SLACK = 1 + 1e-9
NEARLY = 0.95


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        (bounds.predtron_loss(2.0, 0.5, 0.25, 3.0), 4 * 4 * 9 / (0.25 * 0.25)),  # Theorem 1
        (bounds.predtron_theory_step(2.0, 0.5), 0.5 / 16),
        (bounds.predtron_binary_mistakes(2.0, 0.5), 4 / 0.25),
        (bounds.predtron_weighted_loss(2.0, 0.5, 3.0, 0.25), 4 * 4 * 9 / (0.25 * 0.25)),  # Corollary 2, corrected
        (bounds.predtron_reject_loss(2.0, 0.5, 0.3), 4 * 4 / (0.3 * 0.25)),
        (bounds.predtron_ordinal_loss(5, 2.0, 0.5), 4 * 16 * 4 / 0.25),
        (bounds.predtron_error_set_rounds(2.0, 0.5), 2 * 4 / 0.25),  # footnote 2
        (bounds.predtron_loss_driven(2.0, 0.5, 3.0), 4 * 4 * 3 / 0.25),
        (bounds.predtron_ndcg_loss(8, 4, 2.0, 0.5), 2**7 * 64 * 16 * 4 / 0.25),  # Corollaries 5 and 7
        (bounds.predtron_ndcg_loss_sparse(8, 4, 100, 2.0, 0.5), 9 * math.log(100) * 2**7 * 64 * 16 * 4 / 0.25),  # 6 and 8
    ],
)
def test_bounds_are_the_papers_formulas(bound, expected):
    assert bound == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("smallest", [0.05, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("step", [0.01, 0.05, 0.1, 0.3, 1.0])
def test_the_bound_at_a_step_is_the_largest_loss_that_its_two_inequalities_allow(smallest, step):
    R, gamma, spread = 1.5, 0.2, 3.0
    M = np.linspace(0, 2 * (spread * R**2 + 2 / step) / gamma**2, 200_001)
    most = np.minimum(M, M + step * spread * R**2 * M / 2 - step * gamma**2 * M**2 / 2)
    largest = most[most >= smallest * M].max()
    assert bounds.predtron_loss_at_step(R, gamma, step, smallest, 1.0, spread) == pytest.approx(largest, rel=1e-3)


@pytest.mark.parametrize("smallest", [0.01, 0.3, 0.5, 0.8, 1.0])
def test_theorem_1_is_never_below_the_bound_at_its_step(smallest):
    R, gamma = 1.5, 0.2
    at_theory = bounds.predtron_loss_at_step(R, gamma, bounds.predtron_theory_step(R, smallest), smallest)
    assert at_theory <= bounds.predtron_loss(R, gamma, smallest) * SLACK
    best = bounds.predtron_best_step(R)
    at_best = bounds.predtron_loss_at_step(R, gamma, best, smallest)
    assert at_best == pytest.approx(bounds.predtron_loss_driven(R, gamma))
    assert bounds.predtron_loss_at_step(R, gamma, 0.99 * best, smallest) >= at_best / SLACK


@pytest.mark.parametrize("n", [1, 7, 60])
@pytest.mark.parametrize("loss_driven", [False, True])
def test_two_labels_reach_theorem_1(n, loss_driven):
    model = two_sided(loss_driven=loss_driven, step=bounds.predtron_theory_step(3.0), classes=[1, -1])
    X, codes, W = bounds.predtron_duel(model, n, 3.0)
    y, w = np.where(codes == 0, 1, -1), W[0] - W[1]
    gamma = bounds.predtron_binary_margin(w, X, y)
    assert gamma == pytest.approx(2 * 3 / math.sqrt(n))
    assert model.loss == n == pytest.approx(bounds.predtron_loss(3.0, gamma))
    assert n == pytest.approx(bounds.predtron_binary_mistakes(3.0, gamma / 2)) == bounds.predtron_loss_driven(3.0, gamma)


@pytest.mark.parametrize("loss_driven", [False, True])
def test_corollary_2_as_printed_does_not_hold(loss_driven):
    """Weights 30 and 20 and orthogonal rows: the heavy label every time; with α₂² the bound would be 9R²/γ²."""
    model = two_sided(weights=(30.0, 20.0), loss_driven=loss_driven, classes=[1, -1])
    X, codes, W = bounds.predtron_duel(model, 10, 1.0)
    gamma = bounds.predtron_binary_margin(W[0] - W[1], X, np.where(codes == 0, 1, -1))
    assert model.loss == 300 == pytest.approx(bounds.predtron_loss_driven(1.0, gamma, 30.0))
    assert 4 * 30**2 / (20**2 * gamma**2) < model.loss <= bounds.predtron_weighted_loss(1.0, gamma, 30.0, 20.0)


CYCLIC = [[0, 2, 5], [1, 0, 4], [5, 3, 0]]


@pytest.mark.parametrize(
    ("costs", "share"),
    [
        (1 - np.eye(2), 1 / SLACK),
        (1 - np.eye(3), NEARLY),
        (1 - np.eye(5), NEARLY),
        (off_by(2), 1 / SLACK),
        (off_by(5), NEARLY),
        (CYCLIC, NEARLY),
    ],
)
@pytest.mark.parametrize("loss_driven", [False, True])
def test_classes_nearly_reach_the_loss_driven_bound(costs, share, loss_driven):
    k, largest = len(costs), float(np.max(costs))
    model = by_costs(costs, loss_driven=loss_driven, step=bounds.predtron_best_step(2.0, largest, 2.0))
    n = 1200
    X, codes, W = bounds.predtron_duel(model, n, 2.0)
    gamma = bounds.predtron_class_margin(W, X, codes)
    assert gamma >= math.sqrt(2) * 2.0 / (math.sqrt(n) + math.sqrt(1 - 2 / k)) / SLACK
    assert np.linalg.norm(X, axis=1) == pytest.approx(2.0)
    bound = bounds.predtron_loss_driven(2.0, gamma, largest, 2.0)
    assert share * bound <= model.loss <= bound * SLACK
    assert model.mistakes == n <= bounds.predtron_error_set_rounds(2.0, gamma) * SLACK


@pytest.mark.parametrize(("k", "share"), [(2, 0.5), (5, 0.12)])
def test_ordinal_reaches_as_much_of_the_papers_bound_as_it_says(k, share):
    model = by_costs(off_by(k), step=bounds.predtron_theory_step(2.0))
    X, codes, W = bounds.predtron_duel(model, 1200, 2.0)
    bound = bounds.predtron_ordinal_loss(k, 2.0, bounds.predtron_class_margin(W, X, codes))
    assert model.loss / bound == pytest.approx(share, abs=0.006)  # 1 / (2 (k - 1)), for many rows


@pytest.mark.parametrize("costs", [(1.0, 1.0), (0.6, 0.3)])
def test_rejecting_reaches_as_much_of_its_bound_as_it_says(costs):
    """A score vector with margin γ to the other class and to REJECT has at least the norm γ / ‖e_y - rep(REJECT)‖."""
    representations = np.array([[1.0, 0.0], [0.0, 1.0], [math.sqrt(0.5)] * 2])
    losses = np.array([[0.0, 1.0], [1.0, 0.0], costs])
    model = Loop(representations, lambda y: losses[:, y], classes=[0, 1], step=bounds.predtron_theory_step(1.0, min(costs)))
    X, codes, _ = bounds.predtron_duel(model, 16)
    assert codes.tolist() == [1] * 16
    assert model.loss == 16
    W = np.outer(representations[1] - representations[2], X.sum(axis=0))
    lead = representations @ W / np.linalg.norm(W)
    gamma = (lead[1] - np.maximum(lead[0], lead[2])).min()
    assert model.loss / bounds.predtron_reject_loss(1.0, gamma, min(costs)) == pytest.approx(min(costs) * (2 - math.sqrt(2)) / 4)


@pytest.mark.parametrize(("m", "n"), [(1, 9), (2, 9), (4, 25)])
@pytest.mark.parametrize("loss_driven", [False, True])
def test_several_labels_reach_one_mth_of_their_bound(m, n, loss_driven):
    model = several(m, loss_driven=loss_driven, step=bounds.predtron_theory_step(1.0))
    model.predict_one, code = lambda x: model.sets[int(np.argmax(model.similarities(x)))], model.predict_one
    X, Y, W = bounds.predtron_label_duel(model, n, m)
    gamma = bounds.predtron_multilabel_margin(W, X, Y)
    assert gamma == pytest.approx(2 / (m * math.sqrt(n)))
    assert code(X[0]) >= 0
    assert model.loss == n * m == pytest.approx(bounds.predtron_hamming_loss(1.0, gamma) / m)


@pytest.mark.parametrize(("levels", "share"), [(4, 0.67), (6, 0.75)])
def test_the_staircase_climbs_as_far_as_it_says(levels, share):
    representations, losses, W = bounds.predtron_staircase(levels)
    step, smallest = bounds.predtron_theory_step(2.0, 1 / (levels + 1)), 1 / (levels + 1)
    assert np.linalg.norm(representations, axis=1) == pytest.approx(1.0)
    model = Loop(representations, lambda y: losses[:, y], step=step).until_right([[2.0]], [0], epochs=3000)
    lead = representations @ W[:, 0] * 2.0
    gamma = lead[-1] - lead[:-1].max()
    spread = max(((a - b) ** 2).sum() for a, b in itertools.combinations(representations, 2))
    bound = bounds.predtron_loss_at_step(2.0, gamma, step, smallest, 1.0, spread)
    assert share * bound <= model.loss <= bound
    assert model.loss > bounds.predtron_loss_driven(2.0, gamma, 1.0, spread)  # so the step does matter
    assert model.loss <= bounds.predtron_loss(2.0, gamma, smallest)


@pytest.mark.parametrize("loss_driven", [False, True])
def test_lists_of_two_nearly_reach_their_bound(loss_driven):
    model = rankings(2, loss_driven=loss_driven)
    X, y, qid, direction = bounds.list_duel(model, 1.0, 0.15)
    gamma, R = bounds.predtron_list_margin(direction, X, y, qid), math.sqrt(2.0)  # of a list of x and -x
    bound = bounds.predtron_loss_driven(R, gamma, 1 - 1 / math.log2(3), bounds.predtron_ranking_spread(2))
    assert NEARLY * bound <= model.loss <= bound * SLACK
    assert bound <= bounds.predtron_ndcg_loss(2, 1, R, gamma)


@pytest.mark.parametrize("loss_driven", [False, True])
def test_two_ranked_labels_reach_their_bound(loss_driven):
    model, n = rankings(2, loss_driven=loss_driven), 12
    X, Y = np.array(list(bounds.orthogonal_rows(n, 1.0))), []
    for row in X:
        Y.append(np.eye(2)[model.rank(row)[1]])  # what is predicted last is relevant
        model.learn_one(row, Y[-1])
    gamma = bounds.predtron_label_ranking_margin(model.W, X, np.array(Y))
    bound = bounds.predtron_loss_driven(1.0, gamma, 1 - 1 / math.log2(3), bounds.predtron_ranking_spread(2))
    assert model.loss == pytest.approx(n * (1 - 1 / math.log2(3))) == bound


@pytest.mark.parametrize(("p", "share"), [(4, 0.5), (64, 0.25), (512, 0.23)])
def test_halving_makes_as_many_mistakes_under_the_l1_link_as_it_says(p, share):
    model = two_sided(link="l1", classes=[-1, 1])
    model.representations *= -1  # the first class is the negative one
    X, ranks, mistakes = bounds.halving(model, p)
    gamma = bounds.predtron_binary_margin(
        np.eye(p)[(X * (2 * ranks[:, None] - 3) == 1).all(axis=0).argmax()], X, 2 * ranks - 3, "l1"
    )
    assert gamma == 2
    bound = bounds.predtron_loss(bounds.predtron_link_radius(1.0, p), gamma)
    assert share * bound <= mistakes == model.mistakes <= bound * SLACK


def test_four_rows_of_signs_reach_the_bound_of_the_l1_margin():
    """They are orthogonal, and the first feature alone tells that all are negative."""
    X = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
    model = two_sided(link="l1")
    assert all(model.learn_one(x, 1) for x in X)
    gamma = bounds.predtron_binary_margin(np.eye(4)[0] * -1, X, -np.ones(4), "l1")
    assert bounds.predtron_loss(bounds.predtron_link_radius(1.0, 4), gamma) == pytest.approx(4)


def test_crammer_and_singers_perceptron_keeps_footnote_2_and_predtrons_ties_do_not():
    X, y = separable.classes(60, 5, 4, margin=0.3, seed=1)
    W, rounds = np.zeros((4, 5)), 0
    for x, label in list(zip(X, y)) * 30:
        t = W @ x
        above = [j for j in range(4) if j != label and t[j] >= t[label]]
        rounds += bool(above)
        W[label] += x * bool(above)
        W[above] -= x / max(1, len(above))
    gamma, R = bounds.predtron_class_margin(W, X, y), np.linalg.norm(X, axis=1).max()
    assert gamma > 0
    assert rounds <= bounds.predtron_error_set_rounds(R, gamma)
    model = by_costs(1 - np.eye(4))
    assert not any(model.learn_one(X[0], 0) for _ in range(50))  # a tie of all, and no move, for ever
