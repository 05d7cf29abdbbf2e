"""Chaudhuri & Tewari (2015): lists of m documents at most, or k places that count; ``v_max`` is that of `weight_ratio`."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..lists import lists_of
from ..measures import discounts, exponential


def list_margin(coef: np.ndarray, X: np.ndarray, y: np.ndarray, qid: Any = None) -> float:
    """Eq. 21: the least w·x_i - w·x_j over the pairs of a list with grades y_i > y_j, for the direction scaled to unit norm.

    >>> list_margin(np.array([3.0, 4.0]), np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), np.array([2, 1, 0]))
    0.6
    """
    scores, grades = np.asarray(X) @ coef / np.linalg.norm(coef), np.asarray(y)
    lists = lists_of(qid, len(scores))
    rows = lists.order
    least = math.inf
    for start, stop in itertools.pairwise(lists.bounds.tolist()):
        s, grade = scores[rows[start:stop]], grades[rows[start:stop]]
        for level in np.unique(grade)[1:]:
            least = min(least, float(s[grade == level].min() - s[grade < level].max()))
    return least


def weight_ratio(y: np.ndarray, measure: str = "ndcg") -> float:
    """v_max of one list: the largest weight of Eq. 10, 11 or 24 over the smallest that is not 0; it is 1 for ``"ap"``.

    >>> round(weight_ratio(np.array([2, 1, 0])), 3), weight_ratio(np.array([2, 1, 0]), "ap")
    (4.755, 1.0)
    """
    if measure == "ap":
        return 1.0
    _, _, k = measure.partition("@")
    grades = np.sort(np.asarray(y, float))[::-1][: int(k) if k else None]
    weights = exponential(grades) * discounts(len(grades))
    return float(weights.max() / weights[weights > 0.0].min())


def slam_loss(m: int, R: float, gamma: float, v_max: float = 1.0) -> float:
    """Corollary 7: the total 1 - NDCG, or 1 - AP, of SLAM on a stream of lists with margin gamma, at its theory step."""
    return 4 * m * R**2 * v_max / gamma**2


def slam_loss_at_cutoff(k: int, R: float, gamma: float, v_max: float = 1.0) -> float:
    """Theorem 8: the total 1 - NDCG@k, however long the lists are."""
    return slam_loss(k, R, gamma, v_max)


def slam_loss_inseparable(m: int, R: float, norm: float, v_max: float, surrogate: float) -> float:
    """Theorem 6 against a direction of this norm whose SLAM losses add up to ``surrogate``; Eq. 19 lacks v_max under its root."""
    constant = 4 * norm**2 * m * R**2 * v_max
    return surrogate + math.sqrt(constant * surrogate) + constant


def slam_theory_step(m: int, R: float, v_max: float = 1.0) -> float:
    """The step under which the bounds of SLAM are proved where there is a margin; it learns slowly."""
    return 1 / (4 * m * R**2 * v_max)


def minimax_loss(R: float, gamma: float) -> float:
    """Corollary 11: the total loss of MinimaxRank on a stream of lists with margin gamma, in any measure."""
    return 4 * R**2 / gamma**2


def minimax_loss_inseparable(R: float, norm: float, surrogate: float) -> float:
    """Theorem 10 against a direction of this norm whose losses of Eq. 27 add up to ``surrogate``."""
    return surrogate + 2 * norm * R * math.sqrt(surrogate) + 4 * norm**2 * R**2


def list_duel(model: Any, R: float, gamma: float, m: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Theorem 9: lists of m documents on which the model's first place is always wrong, though a direction has margin gamma.

    Returns the rows, their grades, the ids of their lists and the direction, where component i + 1 follows list i. In each list
    the only relevant document is below the top, which costs at least 1 - 1 / log2(3) in NDCG and ½ in AP, and just that if m is
    2. The model ranks by its last hypothesis (``average=False``) for the bounds to speak of it.
    """
    rounds = math.floor(R**2 / gamma**2) - 1
    rows, grades = [], []
    direction = np.full(rounds + 1, -gamma / (2 * R))
    for t in range(rounds):
        X, y = np.zeros((m, rounds + 1)), np.zeros(m, int)
        X[0, t + 1], X[1, t + 1], X[2:, 0] = R, -R, R
        first_is_on_top = t == 0 or model.rank(X)[0] == 0  # before any learning, the first of equals is
        y[int(first_is_on_top)] = 1
        if not first_is_on_top:
            direction[t + 1] *= -1
        model.learn_list(X, y)
        rows.append(X)
        grades.append(y)
    return np.concatenate(rows), np.concatenate(grades), np.repeat(np.arange(rounds), m), direction
