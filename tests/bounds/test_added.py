"""Bounds with their corrections, surrogate losses, and the adversaries that come near to a bound or refute a printed one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ranktron import OAP, SLAM, MinimaxRank, MuPRank, NoPRank, PRank, Predtron, bounds, metrics, tasks
from ranktron.data import separable, synthetic

SLACK = 1 + 1e-9


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        (bounds.prank_loss_inseparable_tighter(5, 2.0, 0.5, 3.0), (2 * 3 + math.sqrt(17)) ** 2 / 0.25),
        (bounds.siprank_mistakes(2.0, 0.5, 3.0), (3 + math.sqrt(5)) ** 2 / 0.25),
        (bounds.noprank_loss(5, 2.0, 0.5), 4 * 2 * 5 / 0.25),
        (bounds.oap_updates(10, 5, 2.0, 0.5), 10 * 17 / 0.25),
        (bounds.muprank_theory_step(4, 1.2), math.log(4.2 / 1.8) / 6),
        (bounds.perceptron_mistakes(3.0, 0.5), 9 / 0.25),
        (bounds.perceptron_mistakes_inseparable(3.0, 2.0, 16.0), 16 + 3 * 2 * 4 + 36),  # Eq. 5
        (bounds.slam_gradient(5, 2.0, 3.0, 0.5), 4 * 5 * 4 * 3 * 0.5),  # Eq. 18
        (bounds.slam_loss_at_step(5, 1.0, 2.0, 3.0, 7.0, 1 / 60), 2 * 7 + 4 * 4 * 5 * 3),
        (bounds.as_printed.prank_mistakes(5, 2.0, 0.5), 4 * 17 / 0.25),
        (bounds.as_printed.muprank_loss_at_theory_step(3, 9, 0.5), 4 * math.log(11) / 0.25),
        (bounds.as_printed.predtron_weighted_loss(2.0, 0.5, 3.0, 2.0), 4 * 4 * 9 / (4 * 0.25)),
        (bounds.as_printed.predtron_reject_loss(2.0, 0.5, 0.6, 0.3), 4 * 4 * 0.36 / (0.09 * 0.25)),
        (bounds.as_printed.slam_loss_inseparable(5, 1.0, 2.0, 3.0, 80.0), 80 + math.sqrt(4 * 4 * 5) * math.sqrt(80) + 240),
    ],
)
def test_bounds_are_the_papers_formulas(bound, expected):
    assert bound == pytest.approx(expected, rel=1e-12)


def test_theorem_6_is_the_bound_at_the_best_step():
    """With x = Σ f_t(w_t): x - F ≤ ‖w‖²/2η + 2η m R² v x for every η; at η = ‖w‖/√(4 m R² v x) that is x ≤ F + √(cx)."""
    m, R, norm, v, F = 4, 1.5, 0.7, 2.0, 9.0
    x = bounds.slam_loss_inseparable(m, R, norm, v, F)
    step = norm / math.sqrt(4 * m * R**2 * v * x)
    assert bounds.slam_loss_at_step(m, R, norm, v, F, step) <= x * SLACK
    assert bounds.slam_loss_at_step(m, R, norm, v, F, 1 / (2 * m * R**2 * v)) == math.inf
    assert bounds.slam_loss_inseparable(m, R, norm, 1.0, F) == pytest.approx(
        bounds.as_printed.slam_loss_inseparable(m, R, norm, 1.0, F)
    )


def test_the_perceptron_is_minimaxrank_on_halved_rows():
    assert bounds.perceptron_mistakes_inseparable(3.0, 2.0, 16.0) == bounds.minimax_loss_inseparable(1.5, 2.0, 16.0)


# Surrogate losses


def by_definition(scores, grades, weights, worst):
    hinges = [
        max([0.0] + [1 + scores[j] - scores[i] for j in range(len(scores)) if grades[i] > grades[j]]) for i in range(len(scores))
    ]
    return max(hinges) if worst else sum(v * c for v, c in zip(weights, hinges))


@pytest.mark.parametrize("measure", ["ndcg", "ndcg@2", "ap"])
@pytest.mark.parametrize("ties", ["index", "average"])
def test_surrogates_are_those_of_eq_9_and_27(measure, ties):
    random = np.random.default_rng(0)
    for _ in range(30):
        grades, scores = random.integers(3, size=5), random.standard_normal(5)
        seen = (grades > 0).astype(int) if measure == "ap" else grades
        weights = bounds.place_weights(grades, measure, ties)
        assert weights.sum() == pytest.approx(float(grades.any()))
        assert bounds.slam_surrogate(scores, grades, measure=measure, ties=ties) == pytest.approx(
            by_definition(scores, seen, weights, worst=False)
        )
        assert bounds.minimax_surrogate(scores, grades, measure=measure) == pytest.approx(by_definition(scores, seen, None, True))


@pytest.mark.parametrize("measure", ["ndcg", "ndcg@2", "ap"])
@pytest.mark.parametrize("ties", ["index", "average"])
def test_the_first_step_of_slam_is_down_a_subgradient_of_its_surrogate(measure, ties):
    """The surrogate is convex in the direction, so it is nowhere below the tangent that the update tells."""
    random = np.random.default_rng(1)
    X, grades = random.standard_normal((5, 3)), np.array([0, 2, 1, 0, 1])  # at 0 the first one is on top
    model = SLAM(measure=measure, ties=ties, step=1.0, average=False)
    model.learn_list(X, grades)
    at_0 = bounds.slam_surrogate(np.zeros(5), grades, measure=measure, ties=ties)
    for direction in random.standard_normal((50, 3)) * random.choice([0.01, 1.0], (50, 1)):
        there = bounds.slam_surrogate(X @ direction, grades, measure=measure, ties=ties)
        assert there >= at_0 - model.coef_ @ direction - 1e-12


def test_theorem_4_holds_for_every_order_of_a_list():
    random = np.random.default_rng(2)
    for order in itertools.permutations(range(4)):
        scores, grades = np.array(order) * random.uniform(1e-3, 1.0), random.integers(4, size=4)
        grades[0] = 3
        for ties in ("index", "average"):
            for k in (1, 2, 4):
                loss = 1 - metrics.ndcg(grades, scores, k=k)
                assert loss <= bounds.slam_surrogate(scores, grades, measure=f"ndcg@{k}", ties=ties) * SLACK
            loss = 1 - metrics.average_precision(grades > 1, scores)
            assert loss <= bounds.slam_surrogate(scores, grades > 1, measure="ap", ties=ties) * SLACK


def test_several_lists_add_up():
    scores, grades, qid = [1.0, 0.0, 2.0, 3.0], [0, 1, 1, 0], ["a", "a", "b", "b"]
    assert bounds.minimax_surrogate(scores, grades, qid) == 4.0
    assert bounds.slam_surrogate(scores, grades, qid, "ap") == 4.0


# Adversaries


@pytest.mark.parametrize(("short", "share"), [(0.1, 0.94), (0.02, 0.98)])
def test_the_spiral_nears_theorem_3(short, share):
    model = NoPRank(average=False, classes=["low", "high"], trigger="margin", beta=2.0)
    X, ranks, used = bounds.spiral(model, 0.5, 5.0, short)
    gamma = bounds.best_margin(X, ranks).margin
    bound = bounds.noprank_weights(2.0, gamma)
    assert bounds.margin(np.array([1.0, 0.0]), np.zeros(1), X, ranks) == pytest.approx(0.5)
    assert np.linalg.norm(X, axis=1).max() <= 5.0
    assert share * bound <= used <= bound * SLACK
    assert model.n_updates_ == len(X)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_one_row_reaches_what_the_proof_of_theorem_1_gives(k):
    row = np.array([[0.6]])
    model = PRank(average=False, classes=range(1, k + 1)).partial_fit(row, [1])
    gamma = bounds.best_margin(row, [1], k).margin
    assert model.cumulative_loss_ == k - 1 == pytest.approx(bounds.prank_loss_tighter(k, 0.6, gamma))


def test_harringtons_bound_as_printed_does_not_hold():
    row = np.array([[math.sqrt(math.sqrt(2) - 1)]])
    gamma = bounds.best_margin(row, [1], 2).margin
    assert PRank(average=False, classes=[1, 2]).partial_fit(row, [1]).n_updates_ == 1
    assert bounds.as_printed.prank_mistakes(2, row[0, 0], gamma) == pytest.approx(2 * (math.sqrt(2) - 1))


@pytest.mark.parametrize("m", [4, 9])
def test_corollary_2_of_crammer_and_singer_as_printed_does_not_hold(m):
    model = MuPRank(average=False, classes=[1, 2], step="theory", gamma=0.99)
    X, ranks, loss = bounds.halving(model, 2**m, 0.99)
    [last] = np.flatnonzero((X * (2 * ranks[:, None] - 3) == 0.99).all(axis=0))
    assert bounds.margin(np.eye(2**m)[last], np.zeros(1), X, ranks, order=1) == pytest.approx(0.99)
    printed = bounds.as_printed.muprank_loss_at_theory_step(2, 2**m, 0.99)
    assert printed < loss == m <= bounds.muprank_loss_at_theory_step(2, 2**m, 0.99)


def test_nine_rows_violate_corollary_2_of_crammer_and_singer_as_printed():
    """Written out: row t is γ on the features that 2^(t+1) divides and -γ on the others that 2^t does; every label is 2."""
    n, gamma = 512, 0.99
    X = np.array([[gamma * ((j % 2 ** (t + 1) == 0) - (j % 2 ** (t + 1) == 2**t)) for j in range(n)] for t in range(9)])
    ranks = np.full(9, 2)
    assert bounds.best_margin(X, ranks, 2, order=1, signed=False).margin == pytest.approx(gamma)
    model = MuPRank(average=False, classes=[1, 2], step="theory", gamma=gamma).partial_fit(X, ranks)
    assert model.cumulative_loss_ == model.n_updates_ == 9
    assert bounds.as_printed.muprank_loss_at_theory_step(2, n, gamma) == pytest.approx(6.367, abs=5e-4)
    assert bounds.muprank_loss_at_theory_step(2, n, gamma) == pytest.approx(12.734, abs=5e-4)


def test_theorem_4_needs_a_rule_without_negative_weights():
    """w = -1, b = 0 has margin 1, and Mu-PRank, whose weights are positive, is wrong for ever; with signs it is not."""
    X, y = [[-1.0]] * 40, [2] * 40
    assert bounds.margin(np.array([-1.0]), np.zeros(1), X, y, order=1) == 1
    assert MuPRank(average=False, classes=[1, 2], step=1.0).partial_fit(X, y).cumulative_loss_ == 40
    assert bounds.muprank_loss(2, 1, 1.0, 1.0) < 2
    signed = MuPRank(average=False, classes=[1, 2], step=1.0, signed=True).partial_fit(X, y)
    assert signed.cumulative_loss_ <= bounds.muprank_loss(2, 1, 1.0, 1.0, signed=True)


def test_the_printed_bound_of_rejecting_is_that_of_two_classes_at_least():
    X, y = separable.binary(80, 4, margin=0.4, seed=0)
    model = Predtron(tasks.RejectAsPublished((0.4, 0.2)), average=False, step="theory", radius=5.0)
    plain = Predtron(tasks.Multiclass(2), average=False, step="theory", radius=5.0)
    assert model.partial_fit(X, (y + 1) // 2).cumulative_loss_ == plain.partial_fit(X, (y + 1) // 2).cumulative_loss_ > 0
    for dearest, cheapest in ((1.0, 1.0), (0.4, 0.2), (0.1, 0.1)):
        assert bounds.predtron_error_set_rounds(3.0, 0.2) <= bounds.as_printed.predtron_reject_loss(3.0, 0.2, dearest, cheapest)


@pytest.mark.parametrize("m", [2, 5, 20])
def test_bottom_lists_reach_all_but_one_mth_of_corollary_11(m):
    X, y, qid, direction = bounds.bottom_lists(12, m, 3.0)
    gamma = bounds.list_margin(direction, X, y, qid)
    assert gamma == pytest.approx(2 * 3 / math.sqrt(12))
    model = MinimaxRank(measure="ap", average=False).partial_fit(X, y, qid)
    assert model.cumulative_loss_ == pytest.approx((1 - 1 / m) * bounds.minimax_loss(3.0, gamma))


@pytest.mark.parametrize(
    ("measure", "m", "share"), [("ap", 2, 0.25), ("ndcg", 2, (1 - 1 / math.log2(3)) / 2), ("ndcg@1", 7, 1.0)]
)
def test_bottom_lists_reach_as_much_of_slams_bounds_as_they_say(measure, m, share):
    X, y, qid, direction = bounds.bottom_lists(10, m)
    known = bounds.list_bound(X, y, qid, measure=measure)
    step = bounds.slam_theory_step(known.m, 1.0, known.v_max)
    model = SLAM(measure=measure, step=step, average=False).partial_fit(X, y, qid)
    bound = bounds.slam_loss(known.m, 1.0, bounds.list_margin(direction, X, y, qid), known.v_max)
    assert model.cumulative_loss_ == pytest.approx(share * bound)


@pytest.mark.parametrize("measure", ["ndcg", "ap"])
def test_no_ranker_escapes_theorem_9(measure):
    for model in (MinimaxRank(measure=measure, average=False), SLAM(measure=measure, step=1.0, average=False)):
        bounds.list_duel(model, 1.0, 0.2, m=3)
        assert model.cumulative_loss_ >= bounds.list_loss_at_least(1.0, 0.2, measure) / SLACK


@pytest.mark.parametrize("link", ["l1", "group", "euclidean"])
def test_halved_lists_and_labels_are_wrong_in_every_round(link):
    documents = Predtron(tasks.SubsetRanking(), average=False, link=link)
    X, y, qid, direction = bounds.list_halving(documents, 32)
    assert documents.n_updates_ == documents.n_seen_ == 5
    assert (X @ direction == 2 * y - 1).all()
    gamma = bounds.predtron_list_margin(direction, X, y, qid, norm=link)
    assert documents.cumulative_loss_ <= bounds.predtron_ndcg_loss_sparse(2, 1, 32, math.sqrt(2), gamma)
    labels = Predtron(tasks.MultilabelRanking(), average=False, link=link)
    rows, grades, W = bounds.label_halving(labels, 32)
    assert labels.n_updates_ == labels.n_seen_ == 5
    assert (rows @ W.T == 2 * grades - 1).all()
    assert labels.cumulative_loss_ <= bounds.predtron_ndcg_loss_sparse(
        2, 1, 32, 1.0, bounds.predtron_label_ranking_margin(W, rows, grades, norm=link)
    )


def test_members_of_oap_have_pranks_bound_each():
    X, y = separable.ordinal(80, 4, 3, margin=0.3, seed=2)
    R, gamma = np.linalg.norm(X, axis=1).max(), bounds.best_margin(X, y + 1, 3).margin
    model = OAP(n_members=8, tau=0.5, classes=range(3))
    for _ in range(5):
        model.partial_fit(X, y)
    assert 0 < model.n_updates_ <= bounds.oap_updates(8, 3, R, gamma)


@pytest.mark.parametrize("margin", ["fixed", "loss", "distance"])
def test_noprank_keeps_its_loss_bound_for_all_margins(margin):
    model = NoPRank(average=False, classes=range(1, 5), margin=margin)
    X, ranks, loss = bounds.duel(model, bounds.orthogonal_rows(20, 4.0))
    assert 0 < loss <= bounds.noprank_loss(4, 4.0, bounds.best_margin(X, ranks, 4).margin) * SLACK


def test_lemma_5_holds_on_the_way():
    X, y, qid = synthetic.chaudhuri_tewari(25, n_documents=5, n_features=4, seed=3)
    model, w = SLAM(measure="ndcg", step=0.05, average=False), np.zeros(4)
    for one in range(25):
        rows, grades = X[qid == one], y[qid == one]
        known = bounds.list_bound(rows, grades, measure="ndcg")
        model.learn_list(rows, grades)
        surrogate = bounds.slam_surrogate(rows @ w, grades)
        assert np.sum(((model.coef_ - w) / 0.05) ** 2) <= bounds.slam_gradient(known.m, known.R, known.v_max, surrogate) * SLACK
        w = model.coef_
