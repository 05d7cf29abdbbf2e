"""Certificates: what is guaranteed is that of the algorithm's own theorem."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ranktron
from ranktron import bounds, tasks
from ranktron.data import separable, synthetic

RANKS = separable.ordinal(120, 4, 3, margin=0.3, seed=0)
R, GAMMA = np.linalg.norm(RANKS[0], axis=1).max(), bounds.best_margin(RANKS[0], RANKS[1] + 1, 3).margin
UPRIGHT = np.append(np.sign(bounds.best_margin(RANKS[0], RANKS[1] + 1, 3).coef[:-1]), 1.0)  # so that no weight need be negative
SMALL = RANKS[0] * UPRIGHT / np.abs(RANKS[0]).max(), RANKS[1]
CLASSES = separable.classes(120, 6, 3, margin=0.3, seed=0)
LISTS = synthetic.chaudhuri_tewari(30, n_documents=4, n_features=4, n_grades=3, margin=0.5, seed=0)


def taught(kind, stream=RANKS, passes=1, **parameters):
    model = getattr(ranktron, kind)(**parameters)
    for _ in range(passes):
        model.partial_fit(*stream)
    return model


@pytest.mark.parametrize(
    ("kind", "parameters", "what", "bound", "theorem"),
    [
        ("NoPRank", {}, "loss", bounds.noprank_loss(3, R, GAMMA), "Corollary 1"),
        ("NoPRank", {"margin": "distance", "trigger": "margin"}, "loss", bounds.noprank_loss(3, R, GAMMA), "Corollary 1"),
        ("OAP", {"n_members": 7}, "updates", bounds.oap_updates(7, 3, R, GAMMA), "for each member"),
        ("Voted", {}, "updates", bounds.prank_loss_tighter(3, R, GAMMA), "Theorem 1"),
        ("Voted", {"estimator": ranktron.SiPRank()}, "updates", bounds.siprank_mistakes(R, GAMMA), "Theorem 1"),
    ],
)
def test_rankers_of_rows_have_their_own_theorems(kind, parameters, what, bound, theorem):
    model = taught(kind, **parameters)
    found = model_certificate = bounds.certificate(model, *RANKS)
    assert found.guarantee.bound == pytest.approx(bound)
    assert found.guarantee.measured == (model.cumulative_loss_ if what == "loss" else model.n_updates_)
    assert found.guarantee.measured <= found.guarantee.bound
    assert what in found.guarantee.what
    assert theorem in found.guarantee.theorem
    assert (found.rounds, found.loss, found.unit) == (120, model.cumulative_loss_, "row")
    assert model_certificate.future == bounds.future_loss(model.cumulative_loss_, 120, 2.0)


# Rows of norm 1, on which w = 1, b = 0 has margin 1.
PLAIN = np.tile([[1.0], [-1.0]], (100, 1)), np.tile(["good", "bad"], 100)


@pytest.mark.parametrize("kind", ["PRank", "SiPRank"])
def test_a_comparator_and_an_assumed_margin_take_the_place_of_the_best_rule(kind):
    model = taught(kind, PLAIN)
    best = bounds.certificate(model, *PLAIN).guarantee
    assert best.bound == pytest.approx(2.0)  # (R² + 1) / γ²
    assert best.theorem == "Theorem 1 of Crammer & Singer 2005"
    assert best.evidence == "the best rule has margin 1"
    given = bounds.certificate(model, *PLAIN, comparator=(np.array([3.0]), np.array([1.0]))).guarantee
    assert given.bound == pytest.approx(2.0 / (2 / math.sqrt(10)) ** 2)
    assumed = bounds.certificate(model, margin=0.1, radius=2.0).guarantee
    assert assumed.bound == pytest.approx(5 / 0.01)
    assert "is assumed" in assumed.evidence
    assert bounds.certificate(model, PLAIN[0], margin=0.1).guarantee.bound == pytest.approx(2 / 0.01)


@pytest.mark.parametrize("right", [False, True])
def test_of_a_rule_that_margin_is_asked_for_which_theorem_2_is_smallest(right):
    best = bounds.best_margin(RANKS[0], RANKS[1] + 1, 3)
    w, b = (best.coef, best.thresholds) if right else (np.array([1.0, 0.0, 1.0, 0.0]), np.array([-1.0, 1.0]))
    found = bounds.certificate(taught("SiPRank"), *RANKS, comparator=(w, b)).guarantee
    gammas = np.geomspace(0.1 * GAMMA, 1000, 300)
    tried = [bounds.prank_loss_inseparable(3, R, gamma, bounds.missed(w, b, *RANKS[:1], RANKS[1] + 1, gamma)) for gamma in gammas]
    assert found.bound <= min(tried) * 1.0001
    assert "Theorem 2" in found.theorem  # 120 rows are few: to be always wrong costs less than Theorem 1 allows
    assert found.bound <= 2 * 120 * 1.0001 < bounds.prank_loss(3, R, GAMMA)
    assert ("has margin" in found.evidence) == right


def test_rows_that_no_rule_is_right_on_are_compared_with_the_best():
    X, y = RANKS[0], np.where(np.arange(120) % 40 == 0, 2 - RANKS[1], RANKS[1])
    best = bounds.best_inseparable(X, y + 1, 3)
    once = bounds.certificate(taught("PRank", (X, y)), X, y).guarantee
    twice = bounds.certificate(taught("PRank", (X, y), passes=2), X, y).guarantee
    assert once.bound == pytest.approx(bounds.prank_loss_inseparable_tighter(3, R, best.margin, best.missed))
    assert twice.bound == pytest.approx(bounds.prank_loss_inseparable_tighter(3, R, best.margin, best.missed * math.sqrt(2)))
    single = bounds.certificate(taught("SiPRank", (X, y)), X, y).guarantee
    assert single.bound == pytest.approx(bounds.prank_loss_inseparable(3, R, best.margin, best.missed))
    for kind in ("NoPRank", "OAP", "MuPRank", "MulticlassPerceptron"):
        stream = (SMALL[0], y) if kind == "MuPRank" else (X, y)
        found = bounds.certificate(taught(kind, stream), *stream)
        assert found.guarantee is None
        assert "Nothing is guaranteed" in str(found)


def test_muprank_has_theorem_4_in_the_1_norm():
    for signed in (False, True):
        gamma = bounds.best_margin(SMALL[0], SMALL[1] + 1, 3, order=1, signed=signed).margin
        model = taught("MuPRank", SMALL, step="theory", gamma=gamma, signed=signed)
        found = bounds.certificate(model, *SMALL).guarantee
        step = bounds.muprank_theory_step(3, gamma)
        assert found.bound == pytest.approx(bounds.muprank_loss(3, 4, gamma, step, signed))
        assert found.measured <= found.bound
    assert bounds.certificate(model, margin=0.05, radius=9.0).guarantee.bound == bounds.muprank_loss(3, 4, 0.05, step, True)
    scaled = taught("MuPRank", (7 * SMALL[0], SMALL[1]), step=step, signed=True, radius=7.0)
    assert bounds.certificate(scaled, 7 * SMALL[0], SMALL[1]).guarantee.bound == pytest.approx(found.bound)
    rule = bounds.best_margin(SMALL[0], SMALL[1] + 1, 3, order=1)
    assert bounds.certificate(model, *SMALL, comparator=rule[1:]).guarantee.bound == pytest.approx(found.bound)
    unsigned = bounds.certificate(taught("MuPRank", SMALL, step=step), *SMALL, comparator=(-rule.coef, rule.thresholds))
    assert "without negative numbers" in unsigned.remarks[0]
    assert "step=0.5 is too large for Theorem 4" in bounds.certificate(taught("MuPRank", SMALL, step=0.5), *SMALL).remarks[0]


def test_lists_have_theirs():
    X, y, qid, direction = bounds.bottom_lists(30, 4, 2.0)
    LISTS, R, gamma = (X, y, qid), 2.0, 4 / math.sqrt(30)
    minimax = taught("MinimaxRank", LISTS, measure="ndcg")
    found = bounds.certificate(minimax, *LISTS)
    assert found.guarantee.bound == pytest.approx(bounds.minimax_loss(R, gamma)) == pytest.approx(30)
    given = bounds.certificate(minimax, *LISTS, comparator=7 * direction).guarantee
    assert given.bound == pytest.approx(found.guarantee.bound)
    assert (found.unit, found.rounds, found.loss) == ("list", 30, minimax.cumulative_loss_)
    assert found.future == bounds.future_loss(minimax.cumulative_loss_, 30)
    known = bounds.list_bound(*LISTS, measure="ndcg")
    step = bounds.slam_theory_step(4, R, known.v_max)
    slam = bounds.certificate(taught("SLAM", LISTS, measure="ndcg", step=step), *LISTS).guarantee
    assert slam.theorem.startswith("Theorem 6")
    assert slam.bound == pytest.approx(52.5)  # the least 2 (30 (1 - cγ) + c²/2η), where Corollary 7 allows 120
    assert bounds.slam_loss(4, R, gamma, known.v_max) == pytest.approx(120)
    assert bounds.certificate(minimax, margin=0.1, radius=2.0).guarantee.bound == pytest.approx(1600)


def test_lists_that_no_direction_ranks_are_compared_with_the_best():
    X, y, qid = LISTS
    wrong = np.where(qid == 0, 2 - y, y)
    model = taught("MinimaxRank", (X, wrong, qid), measure="ndcg")
    best = bounds.best_inseparable_list(X, wrong, qid, algorithm="minimax")
    assert bounds.certificate(model, X, wrong, qid).guarantee.bound == pytest.approx(best.loss)
    alike = np.ones((6, 2)), np.array([0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2])
    nothing = bounds.certificate(taught("MinimaxRank", alike), *alike).guarantee
    assert nothing.bound == 3
    assert nothing.is_vacuous
    assert "the largest possible value is 3." in str(nothing)


@pytest.mark.parametrize(
    ("task", "facts"),
    [
        (None, (1.0, 1.0)),
        (tasks.Multiclass(), (1.0, 1.0)),
        (tasks.Ordinal(), (1.0, 2.0)),
        (tasks.CostMatrix([[0, 2, 5], [1, 0, 1], [4, 3, 0]]), (1.0, 5.0)),
    ],
)
@pytest.mark.parametrize("loss_driven", [False, True])
def test_predtrons_of_classes_have_the_bound_at_their_step(task, facts, loss_driven):
    model = taught("Predtron", CLASSES, task=task, step=0.3, loss_driven=loss_driven, classes=[0, 1, 2])
    found = bounds.certificate(model, *CLASSES)
    R, gamma = np.linalg.norm(CLASSES[0], axis=1).max(), bounds.best_class_margin(*CLASSES).margin
    driven = bounds.predtron_loss_driven(R, gamma, facts[1], 2.0)
    assert found.guarantee.bound == pytest.approx(
        driven if loss_driven else bounds.predtron_loss_at_step(R, gamma, 0.3, *facts, spread=2.0)
    )
    assert found.guarantee.measured <= found.guarantee.bound
    assert found.future == bounds.future_loss(model.cumulative_loss_, 120, facts[1])


def test_two_labels_have_the_perceptrons_bound():
    X, y = separable.binary(100, 4, margin=0.4, seed=0)
    model = taught("Predtron", (X, y), task=tasks.Binary(weights=(2.0, 1.0)), step="theory", radius=5.0, classes=[-1, 1])
    gamma = bounds.best_class_margin(X, (y + 1) // 2).margin * math.sqrt(2)
    found, R = bounds.certificate(model, X, y), np.linalg.norm(X, axis=1).max()
    assert found.guarantee.bound == pytest.approx(bounds.predtron_loss_at_step(R, gamma, 1 / 100, 1.0, 2.0))
    w = bounds.best_class_margin(X, (y + 1) // 2).coef[1]
    assert bounds.certificate(model, X, y, comparator=w).guarantee.bound == pytest.approx(found.guarantee.bound)
    assert "has to be right on all rows" in bounds.certificate(model, X, y, comparator=-w).remarks[0]


def test_the_multiclass_perceptron_has_footnote_2():
    for intercept in (False, True):
        model = taught("MulticlassPerceptron", CLASSES, fit_intercept=intercept)
        rows = np.column_stack([CLASSES[0], np.ones(120)]) if intercept else CLASSES[0]
        R, gamma = np.linalg.norm(rows, axis=1).max(), bounds.best_class_margin(rows, CLASSES[1]).margin
        found = bounds.certificate(model, *CLASSES)
        assert found.guarantee.bound == pytest.approx(bounds.predtron_error_set_rounds(R, gamma))
        assert found.guarantee.measured == model.n_updates_
        assert found.future == bounds.future_loss(model.cumulative_loss_, 120, 2.0)


@pytest.mark.parametrize("link", ["euclidean", "l1", "group"])
def test_sets_and_orders_take_a_margin_or_a_comparator(link):
    X, Y = separable.multilabel(60, 6, 3, margin=0.3, seed=0)
    R = np.abs(X).max() if link != "euclidean" else np.linalg.norm(X, axis=1).max()
    R = bounds.predtron_link_radius(R, 6, link, 3)
    model = taught("Predtron", (X, Y), task=tasks.Multilabel(), link=link)
    found = bounds.certificate(model, X, Y, margin=0.01)
    assert found.guarantee.bound == pytest.approx(bounds.predtron_loss_at_step(R, 0.01, 1.0, 1.0, 3.0, 4.0))
    assert found.future == bounds.future_loss(model.cumulative_loss_, 60, 3.0)
    W = np.linalg.lstsq(X, np.where(Y > 0, 1.0, -1.0), rcond=None)[0].T
    gamma = bounds.predtron_multilabel_margin(W, X, Y, link)
    told = bounds.certificate(model, X, Y, comparator=W)
    assert (told.guarantee is not None) == (gamma > 0)
    assert "pass comparator= or margin=" in bounds.certificate(model, X, Y).remarks[0]


def test_orders_have_the_constants_of_their_data():
    X, y, qid = separable.subset_ranking(20, 4, 5, margin=0.2, seed=0)
    model = taught("Predtron", (X, y, qid), task=tasks.SubsetRanking())
    R = max(np.linalg.norm(X[qid == one], 2) for one in range(20))
    limit = bounds.predtron_loss_at_step(R, 0.2, 1.0, bounds.ndcg_smallest_loss(4, 2), 1.0, bounds.predtron_ranking_spread(4))
    assert bounds.certificate(model, X, y, qid, margin=0.2).guarantee.bound == pytest.approx(limit)
    gamma = bounds.predtron_list_margin(np.ones(5), X, y, qid)
    assert (bounds.certificate(model, X, y, qid, comparator=np.ones(5)).guarantee is None) == (gamma <= 0)
    X, Y = separable.multilabel_ranking(20, 6, 3, margin=0.2, seed=0)
    model = taught("Predtron", (X, Y), task=tasks.MultilabelRanking(measure="precision@2"), loss_driven=True)
    found = bounds.certificate(model, X, Y, margin=0.2)
    driven = bounds.predtron_loss_driven(np.linalg.norm(X, axis=1).max(), 0.2, 1.0, bounds.predtron_ranking_spread(3))
    assert found.guarantee.bound == pytest.approx(driven)
    assert found.future == bounds.future_loss(model.cumulative_loss_, 20)
    W = np.zeros((3, 6))
    assert bounds.certificate(model, X, Y, comparator=W + np.eye(3, 6)).guarantee is None
    assert "pass X and y, with qid" in bounds.certificate(model, margin=0.2, radius=1.0).remarks[0]
