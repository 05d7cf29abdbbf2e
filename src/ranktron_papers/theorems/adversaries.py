"""Losses beside bounds on adversaries: streams that nearly reach a bound, or exceed it if it is wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ranktron
from ranktron import bounds

from .streams import Measured, best_slam, estimator, gradient_limit, hinge_bound, longest, loss_of


def adversaries(seed: int, n: int) -> Measured:
    """All but Predtron's, with n rounds each; the seed gives the number of ranks and the length of rows."""
    k, R = 2 + seed % 4, 10.0 * (1 + seed % 5)
    return ranks(n, k, R) | norms(n) | halved(seed) | inseparable(n, R) | documents(n, R) | lower(n, R)


def ranks(n: int, k: int, R: float) -> Measured:
    """Orthogonal rows that always get the extreme label that is farther from the prediction."""
    prank, single, optimal = (estimator(kind, classes=range(1, k + 1)) for kind in ("PRank", "SiPRank", "NoPRank"))
    oap = estimator("OAP", n_members=5, tau=1.0, classes=range(1, k + 1))
    (loss, gamma), (single_loss, single_gamma), (optimal_loss, optimal_gamma), (_, oap_gamma) = (
        dueled(model, n, R, k) for model in (prank, single, optimal, oap)
    )
    return {
        "CS Theorem 1": (loss, bounds.prank_loss(k, R, gamma)),
        "CS Theorem 1 for Si-PRank": (single_loss, bounds.prank_loss(k, R, single_gamma)),
        "CS footnote 2": (single.n_updates_, bounds.siprank_mistakes(R, single_gamma)),
        "CS Corollary 1": (optimal.n_updates_, bounds.noprank_mistakes(R, optimal_gamma)),
        "CS after Corollary 1": (optimal_loss, bounds.noprank_loss(k, R, optimal_gamma)),
        "H section 2": (prank.n_updates_, bounds.prank_loss(k, R, gamma)),
        "H section 3": (oap.n_updates_, bounds.oap_updates(5, k, R, oap_gamma)),
    }


def dueled(model: Any, n: int, R: float, k: int) -> tuple[int, float]:
    """The loss of a duel, and the best margin on its rows."""
    X, played, loss = bounds.duel(model, bounds.orthogonal_rows(n, R))
    return loss, bounds.best_margin(X, played, k).margin


def norms(n: int) -> Measured:
    """A single short row, and a spiral on which No-PRank makes many small updates."""
    short = np.array([[math.sqrt(math.sqrt(2) - 1)]])
    model = estimator("PRank", classes=[1, 2]).partial_fit(short, [1])
    gamma = bounds.best_margin(short, [1], 2).margin
    spiral = estimator("NoPRank", classes=[1, 2], trigger="margin")
    X, played, used = bounds.spiral(spiral, 1.0, 10.0, 1 / n)
    return {
        "H section 2, as printed": (model.n_updates_, bounds.as_printed.prank_mistakes(2, longest(short), gamma)),
        "CS Theorem 3": (used, bounds.noprank_weights(1.0, bounds.best_margin(X, played).margin)),
    }


def halved(seed: int) -> Measured:
    """Streams that contradict half of the features each time, with a margin of nearly 1; a rule that Mu-PRank cannot learn."""
    p = 2 ** (4 + seed % 6)
    large = estimator("MuPRank", step=12.0, classes=[1, 2])
    _, _, loss = bounds.halving(large, p)
    both = estimator("MuPRank", step=12.0, signed=True, classes=[1, 2])
    _, _, both_loss = bounds.halving(both, p)
    theory = estimator("MuPRank", step="theory", gamma=0.99, classes=[1, 2])
    _, _, theory_loss = bounds.halving(theory, p, 0.99)
    stuck = estimator("MuPRank", step=1.0, classes=[1, 2]).partial_fit([[-1.0], [1.0]] * 25, [2, 1] * 25)
    return {
        "CS Theorem 4": (loss, bounds.muprank_loss(2, p, 1.0, 12.0)),
        "CS Theorem 4, any rule": (stuck.cumulative_loss_, bounds.muprank_loss(2, 1, 1.0, 1.0)),
        "CS Theorem 4, signed": (both_loss, bounds.muprank_loss(2, p, 1.0, 12.0, signed=True)),
        "CS Corollary 2": (theory_loss, bounds.muprank_loss_at_theory_step(2, p, 0.99)),
        "CS Corollary 2, as printed": (theory_loss, bounds.as_printed.muprank_loss_at_theory_step(2, p, 0.99)),
    }


def inseparable(n: int, R: float) -> Measured:
    """One row with both labels in turn, and lists of indistinguishable documents."""
    prank = estimator("PRank", classes=[1, 2])
    X, played, loss = bounds.duel(prank, [np.array([R])] * n)
    perceptron = estimator("Predtron", task=ranktron.tasks.Binary(), classes=[-1, 1], step=0.5)
    X2, played2, mistakes = bounds.duel(perceptron, [np.array([R])] * n)
    m = 20
    rows, grades, qid = np.ones((n * m, 1)), np.tile(np.eye(m, dtype=int)[-1], n), np.repeat(np.arange(n), m)
    known = {measure: bounds.best_inseparable_list(rows, grades, qid, measure=measure) for measure in ("ap", "ndcg", "ndcg@1")}
    slam = {measure: best_slam(rows, grades, qid, measure, steps=(1.0,)) for measure in known}  # no step changes any score
    minimax = estimator("MinimaxRank", measure="ap").partial_fit(rows, grades, qid)
    worst_pair = bounds.best_inseparable_list(rows, grades, qid, algorithm="minimax", measure="ap")
    return {
        "CS Theorem 2": (loss, bounds.best_inseparable(X, played, 2).loss),
        "CT Theorem 1": (mistakes, hinge_bound(X2, 2 * played2 - 3)),
        "CT Theorem 6, AP": (slam["ap"], known["ap"].loss),
        "CT Theorem 6, NDCG": (slam["ndcg"], known["ndcg"].loss),
        "CT Eq. 19, as printed": (slam["ndcg"], known["ndcg"].surrogate),  # the best direction is 0, so the other terms are 0
        "CT Theorem 8": (slam["ndcg@1"], known["ndcg@1"].loss),
        "CT Theorem 10": (minimax.cumulative_loss_, worst_pair.loss),
    }


def documents(n: int, R: float) -> Measured:
    """Lists whose only relevant document is ranked last."""
    found: Measured = {}
    for name, m, measure in (
        ("CT Corollary 7, NDCG", 2, "ndcg"),
        ("CT Corollary 7, AP", 2, "ap"),
        ("CT Theorem 8, Eq. 23", 2, "ndcg@1"),
    ):
        X, y, qid, w = bounds.bottom_lists(n, m, R)
        known = bounds.list_bound(X, y, qid, measure=measure)
        step = bounds.slam_theory_step(known.m, R, known.v_max)
        model = estimator("SLAM", measure=measure, step=step).partial_fit(X, y, qid)
        bound = bounds.slam_loss(known.m, R, bounds.list_margin(w, X, y, qid), known.v_max)
        found[name] = (model.cumulative_loss_, bound)
    X, y, qid, w = bounds.bottom_lists(n, 50, R)
    minimax = estimator("MinimaxRank", measure="ap").partial_fit(X, y, qid)
    found["CT Corollary 11"] = (minimax.cumulative_loss_, bounds.minimax_loss(R, bounds.list_margin(w, X, y, qid)))
    return found | _one_list(R)


def _one_list(R: float) -> Measured:
    """Theorem 4 for 100 equal scores, of which the last is relevant, and Lemma 5 for a wrong first place."""
    grades, scores = np.eye(100, dtype=int)[-1], np.zeros(100)
    X, y, _, _ = bounds.bottom_lists(1, 2, R)
    model = estimator("SLAM", measure="ndcg@1", step=1.0)
    model.learn_list(X, y)
    return {
        "CT Theorem 4": (loss_of(grades, scores, "ap"), bounds.slam_surrogate(scores, grades, measure="ap")),
        "CT Lemma 5": (float(model.coef_ @ model.coef_), gradient_limit(X, y, np.zeros(1), "ndcg@1")),
    }


def lower(n: int, R: float) -> Measured:
    """Theorem 9: the lower bound for all rankers, beside the least loss of several."""
    gamma = R / math.sqrt(n)
    rankers = [
        estimator("MinimaxRank", measure="ndcg"),
        estimator("SLAM", measure="ndcg", step=1.0),
        estimator("ListNet", measure="ndcg", step=0.1),
        estimator("Predtron", task=ranktron.tasks.SubsetRanking()),
    ]
    for model in rankers:
        bounds.list_duel(model, R, gamma)
    return {"CT Theorem 9": (bounds.list_loss_at_least(R, gamma), min(model.cumulative_loss_ for model in rankers))}
