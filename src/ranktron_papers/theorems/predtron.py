"""Predtron's losses beside its bounds: on random separable streams, and on its adversaries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ranktron import bounds, tasks
from ranktron.data import separable

from .streams import Measured, StreamSizes, converged, estimator, longest

# The weights in Corollary 2.
HEAVY, LIGHT = 30.0, 20.0

# The loss of a wrong order of two.
NDCG_2 = 1 - 1 / math.log2(3)


def streams(seed: int, size: StreamSizes) -> Measured:
    """Streams that are generated with a known margin, learned until there are no mistakes."""
    random = np.random.default_rng([seed, 99])
    return classes(random, size) | orders(random, size)


def classes(random: np.random.Generator, size: StreamSizes) -> Measured:
    """Two labels, several classes, ranks and sets of labels."""
    drawn, k, gamma = int(random.integers(1 << 30)), int(random.integers(2, 6)), 0.3
    two = separable.binary(size.rows, 5, margin=gamma, seed=drawn)
    several = separable.classes(size.rows, 7, k, margin=gamma, seed=drawn)
    ranks = separable.ordinal(size.rows, 5, k, margin=gamma, seed=drawn)
    sets = separable.multilabel(size.rows, 6, 3, margin=gamma, seed=drawn)
    R2, Rk, Ro, Rs = (longest(X) for X, _ in (two, several, ranks, sets))
    weighted = run(tasks.Binary(weights=(LIGHT, HEAVY)), two, size.passes, R2)
    mistakes = run(tasks.Binary(), two, size.passes, R2)
    rejecting = run(tasks.RejectAsPublished((0.6, 0.3)), (two[0], (1 + two[1]) // 2), size.passes, R2)
    to_reject = gamma / math.sqrt(8)  # W of ±w/√2 leads REJECT by half of what it leads the other class by
    costs = random.integers(1, 6, (k, k)) * (1 - np.eye(k, dtype=int))
    priced = run(tasks.CostMatrix(costs.tolist()), several, size.passes, Rk)
    return {
        "P Theorem 1": (priced, bounds.predtron_loss(Rk, gamma, float(costs[costs > 0].min()), float(costs.max()))),
        "P binary": (mistakes, bounds.predtron_binary_mistakes(R2, gamma / 2)),
        "CT Corollary 2": (mistakes, bounds.perceptron_mistakes(R2, gamma / 2)),
        "P Corollary 2": (weighted, bounds.predtron_weighted_loss(R2, gamma, HEAVY, LIGHT)),
        "P Corollary 2, as printed": (weighted, bounds.as_printed.predtron_weighted_loss(R2, gamma, HEAVY, LIGHT)),
        "P reject": (rejecting, bounds.predtron_reject_loss(R2, to_reject, 0.3)),
        "P reject, as printed": (rejecting, bounds.as_printed.predtron_reject_loss(R2, to_reject, 0.6, 0.3)),
        "P multiclass": (run(tasks.Multiclass(k), several, size.passes, Rk), bounds.predtron_loss(Rk, gamma)),
        "P footnote 2": (run(tasks.Multiclass(k), several, size.passes, Rk), bounds.predtron_error_set_rounds(Rk, gamma)),
        "P ordinal": (run(tasks.Ordinal(k), ranks, size.passes, Ro), bounds.predtron_ordinal_loss(k, Ro, gamma)),
        "P Hamming": (run(tasks.Multilabel(), sets, size.passes, Rs), bounds.predtron_hamming_loss(Rs, gamma)),
        "P loss-driven": (
            run(tasks.Ordinal(k), ranks, size.passes, Ro, loss_driven=True),
            bounds.predtron_loss_driven(Ro, gamma, k - 1.0),
        ),
    }


def run(task: Any, stream: tuple[Any, ...], passes: int, R: float, **more: Any) -> float:
    """The total loss of a Predtron at the theory step."""
    model = estimator("Predtron", task=task, step="theory", radius=R, **more)
    return float(converged(model, stream, passes).cumulative_loss_)


def orders(random: np.random.Generator, size: StreamSizes) -> Measured:
    """Documents and labels to be ranked, with the Euclidean link and with those for few features."""
    drawn, m, gamma, few = int(random.integers(1 << 30)), int(random.integers(2, 5)), 0.2, min(size.passes, 10)
    X, y, qid = separable.subset_ranking(size.lists, m, 9, margin=gamma, seed=drawn)
    rows, grades = separable.multilabel_ranking(size.lists, 9, m, margin=gamma, seed=drawn)
    documents = [X[qid == one] for one in range(size.lists)]
    spectral = max(float(np.linalg.norm(one, 2)) for one in documents)
    columns = max(float(np.linalg.norm(one, axis=0).max()) for one in documents)
    listed, labelled = tasks.SubsetRanking(highest=2, longest=m), tasks.MultilabelRanking(highest=2)
    by_1 = gamma / 3  # the 1-norm of nine weights is at most √9 times the Euclidean one, and so is the group norm of columns
    sparse, group = (bounds.predtron_link_radius(size, 9) for size in (columns, float(np.abs(rows).max())))
    return {
        "P Corollary 5": (
            run(listed, (X, y, qid), few, spectral),
            bounds.predtron_ndcg_loss(m, 2, spectral, gamma),
        ),
        "P Corollary 6": (
            run(listed, (X, y, qid), few, sparse, link="l1"),
            bounds.predtron_ndcg_loss_sparse(m, 2, 9, columns, by_1),
        ),
        "P Corollary 7": (
            run(labelled, (rows, grades), few, longest(rows)),
            bounds.predtron_ndcg_loss(m, 2, longest(rows), gamma),
        ),
        "P Corollary 8": (
            run(labelled, (rows, grades), few, group, link="group"),
            bounds.predtron_ndcg_loss_sparse(m, 2, 9, float(np.abs(rows).max()), by_1),
        ),
    }


def adversaries(seed: int, n: int) -> Measured:
    """Orthogonal rows, halved features, and labels that are never the predicted ones, with n rounds each."""
    R = 1.0 + seed % 7
    return _duels(n, R) | _tables(n, R) | _orders(n, R)


def _duels(n: int, R: float) -> Measured:
    perceptron = estimator("Predtron", task=tasks.Binary(), classes=[-1, 1], step="theory", radius=R)
    X, codes, W = bounds.predtron_duel(perceptron, n, R)
    gamma = bounds.predtron_binary_margin(W[1] - W[0], X, 2 * codes - 1)
    weighted = estimator("Predtron", task=tasks.Binary(weights=(HEAVY, LIGHT)), classes=[-1, 1], step="theory", radius=R)
    X2, codes2, W2 = bounds.predtron_duel(weighted, n, R)
    gamma2, loss = bounds.predtron_binary_margin(W2[1] - W2[0], X2, 2 * codes2 - 1), weighted.cumulative_loss_
    driven = estimator("Predtron", task=tasks.Binary(), classes=[-1, 1], loss_driven=True)
    X3, codes3, W3 = bounds.predtron_duel(driven, n, R)
    gamma3 = bounds.predtron_binary_margin(W3[1] - W3[0], X3, 2 * codes3 - 1)
    return {
        "P Theorem 1": (perceptron.cumulative_loss_, bounds.predtron_loss(R, gamma)),
        "P binary": (perceptron.cumulative_loss_, bounds.predtron_binary_mistakes(R, gamma / 2)),
        "CT Corollary 2": (perceptron.cumulative_loss_, bounds.perceptron_mistakes(R, gamma / 2)),
        "P Corollary 2": (loss, bounds.predtron_weighted_loss(R, gamma2, HEAVY, LIGHT)),
        "P Corollary 2, as printed": (loss, bounds.as_printed.predtron_weighted_loss(R, gamma2, HEAVY, LIGHT)),
        "P loss-driven": (driven.cumulative_loss_, bounds.predtron_loss_driven(R, gamma3)),
    }


def _tables(n: int, R: float) -> Measured:
    """Classes, ranks, sets and the option to reject."""
    found: Measured = {}
    for name, task, k, bound in (
        ("P multiclass", tasks.Multiclass(2), 2, bounds.predtron_loss),
        ("P footnote 2", tasks.Multiclass(2), 2, bounds.predtron_error_set_rounds),
        ("P ordinal", tasks.Ordinal(3), 3, lambda R, gamma: bounds.predtron_ordinal_loss(3, R, gamma)),
    ):
        model = estimator("Predtron", task=task, classes=list(range(k)), step="theory", radius=R)
        X, codes, W = bounds.predtron_duel(model, n, R)
        found[name] = (model.cumulative_loss_, bound(R, bounds.predtron_class_margin(W, X, codes)))
    sets = estimator("Predtron", task=tasks.Multilabel(), step="theory", radius=R)
    X, Y, W = bounds.predtron_label_duel(sets, n, 2, R)
    found["P Hamming"] = (sets.cumulative_loss_, bounds.predtron_hamming_loss(R, bounds.predtron_multilabel_margin(W, X, Y)))
    return found | _rejecting(n, R)


def _rejecting(n: int, R: float) -> Measured:
    """REJECT as a prediction of its own that costs .6 and .3: W has to keep the margin to it too."""
    task = tasks.RejectAsPublished((0.6, 0.3))
    model = estimator("Predtron", task=task, classes=[0, 1], step="theory", radius=R)
    X, codes, _ = bounds.predtron_duel(model, n, R)
    halfway = np.full(2, math.sqrt(0.5))
    W = sum(np.outer(np.eye(2)[code] - halfway, x) for code, x in zip(codes, X))
    leads = [np.eye(2)[code] @ W @ x - max(np.eye(2)[1 - code] @ W @ x, halfway @ W @ x) for code, x in zip(codes, X)]
    gamma = float(min(leads) / np.linalg.norm(W))
    return {
        "P reject": (model.cumulative_loss_, bounds.predtron_reject_loss(R, gamma, 0.3)),
        "P reject, as printed": (model.cumulative_loss_, bounds.as_printed.predtron_reject_loss(R, gamma, 0.6, 0.3)),
    }


def _orders(n: int, R: float) -> Measured:
    """Lists of two documents and rankings of two labels whose best is predicted last."""
    listed, labelled = tasks.SubsetRanking(highest=1, longest=2), tasks.MultilabelRanking(highest=1)
    documents = estimator("Predtron", task=listed, step="theory", radius=R * math.sqrt(2))
    X, y, qid, w = bounds.list_duel(documents, R, R / math.sqrt(n))
    found = {"P Corollary 5": _of_lists(documents, X, y, qid, w)}
    labels = estimator("Predtron", task=labelled, step="theory", radius=R)
    rows, grades = np.array(list(bounds.orthogonal_rows(n, R))), np.tile([0, 1], (n, 1))  # in a tie the first is predicted
    labels.partial_fit(rows, grades)
    gamma = bounds.predtron_label_ranking_margin(np.outer([-1.0, 1.0], rows.sum(axis=0)), rows, grades)
    found["P Corollary 7"] = (labels.cumulative_loss_, bounds.predtron_ndcg_loss(2, 1, R, gamma))
    p, radius = 256, bounds.predtron_link_radius(1.0, 256)
    few = estimator("Predtron", task=listed, link="l1", step="theory", radius=radius * math.sqrt(2))
    X, y, qid, w = bounds.list_halving(few, p)
    gamma = bounds.predtron_list_margin(w, X, y, qid, norm="l1")
    found["P Corollary 6"] = (few.cumulative_loss_, bounds.predtron_ndcg_loss_sparse(2, 1, p, math.sqrt(2), gamma))
    one = estimator("Predtron", task=labelled, link="group", step="theory", radius=radius)
    rows, grades, W = bounds.label_halving(one, p)
    gamma = bounds.predtron_label_ranking_margin(W, rows, grades, norm="group")
    return found | {"P Corollary 8": (one.cumulative_loss_, bounds.predtron_ndcg_loss_sparse(2, 1, p, 1.0, gamma))}


def _of_lists(model: Any, X: np.ndarray, y: np.ndarray, qid: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    R = math.sqrt(2) * longest(X)  # the largest singular value of x and -x
    return model.cumulative_loss_, bounds.predtron_ndcg_loss(2, 1, R, bounds.predtron_list_margin(w, X, y, qid))
