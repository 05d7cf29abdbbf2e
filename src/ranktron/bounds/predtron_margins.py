"""Predtron's margin of a matrix W on data: the least difference in similarity to W x between right and wrong predictions.

W is scaled to unit norm: Frobenius's, or that of the link (`predtron_norm`). The paper assumes that all right predictions of a
label tie ("compatible"); for rankings this means equal scores within a grade. Here the least similar right prediction counts,
which is the same if they tie. If they do not, a positive margin still implies the bounds of the loss-driven version, and of
Algorithm 1 with ``ties="score"``: both demote wrong predictions only, so each update gains the margin.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from .widest import rows_of_lists


def predtron_norm(W: np.ndarray, norm: str = "euclidean") -> float:
    """Frobenius's norm, or the sum of absolute entries (``"l1"``), columns' norms (``"group"``) or singular values (``"trace"``).

    >>> [round(predtron_norm(np.array([[3.0, 0.0], [4.0, 1.0]]), norm), 2) for norm in ("euclidean", "l1", "group", "trace")]
    [5.1, 8.0, 6.0, 5.66]
    """
    W = np.atleast_2d(np.asarray(W, float))
    if norm == "euclidean":
        return float(np.linalg.norm(W))
    if norm == "l1":
        return float(np.abs(W).sum())
    if norm == "group":
        return float(np.linalg.norm(W, axis=0).sum())
    if norm == "trace":
        return float(np.linalg.norm(W, "nuc"))
    raise ValueError(f"norm {norm!r} is not among 'euclidean', 'l1', 'group' and 'trace'")


def predtron_margin(
    task: Any, W: np.ndarray, X: Iterable[Any], y: Iterable[Any], predictions: Iterable[Any], norm: str = "euclidean"
) -> float:
    """The margin by definition, for any task with few ``predictions``; it tries all of them, and those without loss are right.

    The task needs ``representation`` and ``loss_of``. Scores are W x; for lists ``X`` has a matrix of documents for each, and
    scores are X w.
    """
    tried = list(predictions)
    representations = np.array([task.representation(sigma) for sigma in tried])
    least = math.inf
    for x, label in zip(X, y):
        scores = np.asarray(x) @ W if np.ndim(x) == 2 else np.atleast_2d(W) @ x
        similarities = representations @ scores
        wrong = np.array([task.loss_of(sigma, label) > 0 for sigma in tried])
        least = min(least, float(similarities[~wrong].min() - similarities[wrong].max(initial=-math.inf)))
    return least / predtron_norm(W, norm)


def predtron_binary_margin(w: np.ndarray, X: np.ndarray, y: np.ndarray, norm: str = "euclidean") -> float:
    """Twice the classical margin, the least 2 y w·x; labels are -1 and 1.

    >>> predtron_binary_margin(np.array([3.0, 4.0]), np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1]))
    1.2
    """
    return float(2 * (np.asarray(y) * (np.asarray(X) @ np.ravel(w))).min() / predtron_norm(w, norm))


def predtron_class_margin(W: np.ndarray, X: np.ndarray, y: np.ndarray, norm: str = "euclidean") -> float:
    """The least lead of the label's score over the best other class; labels count from 0; W has one row per class.

    >>> predtron_class_margin(np.eye(3), np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]]), np.array([0, 1])) * math.sqrt(3)
    1.0
    """
    scores = np.asarray(X) @ np.asarray(W).T
    rows = np.arange(len(scores))
    right = scores[rows, y]
    scores[rows, y] = -math.inf
    return float((right - scores.max(axis=1)).min() / predtron_norm(W, norm))


def predtron_multilabel_margin(W: np.ndarray, X: np.ndarray, Y: np.ndarray, norm: str = "euclidean") -> float:
    """The least 2 |w_j·x| / √m of a label, or minus the sum of those on the wrong side; ``Y`` has a column of 0 and 1 for each.

    It is the margin for the Hamming and the subset loss. Error-set size calls far more right, and rarely has a margin.
    """
    leads = np.where(np.asarray(Y) > 0, 1.0, -1.0) * (np.asarray(X) @ np.asarray(W).T)
    least = np.minimum(leads, 0.0).sum(axis=1).min() if (leads < 0).any() else leads.min()
    return float(2 * least / math.sqrt(leads.shape[1]) / predtron_norm(W, norm))


def predtron_label_ranking_margin(
    W: np.ndarray, X: np.ndarray, Y: np.ndarray, power: float = 1.1, norm: str = "euclidean"
) -> float:
    """Lemma 4 for rankings of labels: row i of ``Y`` has the grades of all labels for row i of ``X``."""
    scores = np.asarray(X) @ np.asarray(W).T
    return min(_lead(t, grades, power) for t, grades in zip(scores, np.asarray(Y))) / predtron_norm(W, norm)


def predtron_list_margin(
    w: np.ndarray, X: np.ndarray, y: np.ndarray, qid: Any = None, power: float = 1.1, norm: str = "euclidean"
) -> float:
    """Lemma 4 for lists of documents, with grades and ``qid`` as for rankers; without ``qid`` all rows are one list.

    >>> round(predtron_list_margin(np.array([1.0]), np.array([[3.0], [1.0], [1.0]]), np.array([1, 0, 0])), 4)  # 2 (2^1.1 - 1) / Z
    0.5579
    """
    scores, grades = np.asarray(X) @ np.ravel(w), np.asarray(y)
    leads = [_lead(scores[of], grades[of], power) for of in rows_of_lists(qid, len(scores))]
    return min(leads) / predtron_norm(w, norm)


def _lead(scores: np.ndarray, grades: np.ndarray, power: float) -> float:
    """The lead of the least similar right order over the most similar wrong one; infinite if the grades are equal.

    If scores agree with grades, the most similar wrong order is the best one with two neighbours exchanged where the grade drops:
    each order that moves a document across such a place loses at least as much.
    """
    place = np.arange(1.0, len(grades) + 1) ** power * (-1.0 if power > 0 else 1.0)
    place /= np.linalg.norm(place)
    order = np.lexsort((-scores, -grades))
    drops = np.flatnonzero(np.diff(grades[order]))
    if not len(drops):
        return math.inf
    best, worst = scores[order], scores[np.lexsort((scores, -grades))]
    gaps = best[drops] - best[drops + 1]
    agree = bool((gaps >= 0).all())
    wrong = place @ best - ((place[drops] - place[drops + 1]) * gaps).min() if agree else place @ np.sort(scores)[::-1]
    return float(place @ worst - wrong)
