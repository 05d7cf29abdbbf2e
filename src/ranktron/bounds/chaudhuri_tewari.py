"""Chaudhuri & Tewari (2015), for lists of at most m documents, or k places that count; ``v_max`` is as in `weight_ratio`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.measures import discounts, exponential
from .widest import rows_of_lists


def list_margin(coef: np.ndarray, X: np.ndarray, y: np.ndarray, qid: Any = None) -> float:
    """Eq. 21: the least w·x_i - w·x_j over the pairs of a list with grades y_i > y_j, for the direction scaled to unit norm.

    >>> list_margin(np.array([3.0, 4.0]), np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), np.array([2, 1, 0]))
    0.6
    """
    scores, grades = np.asarray(X) @ coef / np.linalg.norm(coef), np.asarray(y)
    least = math.inf
    for of in rows_of_lists(qid, len(scores)):
        s, grade = scores[of], grades[of]
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


def perceptron_mistakes(R: float, gamma: float) -> float:
    """Corollary 2: the mistakes of the perceptron on two labels, of rows with y w·x ≥ γ for a w of unit norm (Novikoff 1962)."""
    return R**2 / gamma**2


def perceptron_mistakes_inseparable(R: float, norm: float, hinge: float) -> float:
    """Theorem 1, Eq. 5: the same against a direction of this norm whose hinge losses add up to ``hinge``.

    It is `minimax_loss_inseparable` for lists of x/2 and -x/2. A row that comes with both labels in turn reaches it.
    """
    return hinge + R * norm * math.sqrt(hinge) + R**2 * norm**2


def slam_loss(m: int, R: float, gamma: float, v_max: float = 1.0) -> float:
    """Corollary 7: the total 1 - NDCG, or 1 - AP, of SLAM on a stream of lists with margin gamma, at its theory step.

    `bottom_lists` of two documents reach a quarter of it in AP.
    """
    return 4 * m * R**2 * v_max / gamma**2


def slam_loss_at_cutoff(k: int, R: float, gamma: float, v_max: float = 1.0) -> float:
    """Theorem 8: the total 1 - NDCG@k, for lists of any length; `bottom_lists` reach it if k is 1."""
    return slam_loss(k, R, gamma, v_max)


def slam_loss_inseparable(m: int, R: float, norm: float, v_max: float, surrogate: float) -> float:
    """Theorem 6 at the best step, against a direction of this norm whose `slam_surrogate` adds up to ``surrogate``.

    Eq. 19 lacks v_max under its root. With k, the number of places that count, for m it is Eq. 22 of Theorem 8. Identical
    documents reach it: their best direction is 0.
    """
    constant = 4 * norm**2 * m * R**2 * v_max
    return surrogate + math.sqrt(constant * surrogate) + constant


def slam_loss_at_step(m: int, R: float, norm: float, v_max: float, surrogate: float, step: float) -> float:
    """The proof of Theorem 6 for any step η: (Σ f_t + ‖w‖²/2η) / (1 - 2η m R² v_max), or infinite if that is not positive.

    At the theory step this is 2 Σ f_t + 4 ‖w‖² m R² v_max.
    """
    left = 1 - 2 * step * m * R**2 * v_max
    return (surrogate + norm**2 / (2 * step)) / left if left > 0 else math.inf


def slam_theory_step(m: int, R: float, v_max: float = 1.0) -> float:
    """The step for which the bounds of SLAM with a margin are proved; it learns slowly."""
    return 1 / (4 * m * R**2 * v_max)


def slam_gradient(m: int, R: float, v_max: float, surrogate: float) -> float:
    """Lemma 5: the squared norm of the gradient for a list that is not in perfect order and has this `slam_surrogate`."""
    return 4 * m * R**2 * v_max * surrogate


def minimax_loss(R: float, gamma: float) -> float:
    """Corollary 11: the total loss of MinimaxRank on a stream of lists with margin gamma, in any measure.

    `bottom_lists` of m documents reach 1 - 1/m of it in AP.
    """
    return 4 * R**2 / gamma**2


def minimax_loss_inseparable(R: float, norm: float, surrogate: float) -> float:
    """Theorem 10 against a direction of this norm whose `minimax_surrogate` adds up to ``surrogate``."""
    return surrogate + 2 * norm * R * math.sqrt(surrogate) + 4 * norm**2 * R**2


def list_loss_at_least(R: float, gamma: float, measure: str = "ndcg") -> float:
    """Theorem 9: the loss of any deterministic ranker in `list_duel`: ⌊R²/γ²⌋ - 1 lists, each 1 - 1/log₂ 3 in NDCG or ½ in AP.

    >>> round(list_loss_at_least(1.0, 0.125), 2), list_loss_at_least(1.0, 0.125, "ap")
    (23.25, 31.5)
    """
    return (math.floor(R**2 / gamma**2) - 1) * (0.5 if measure == "ap" else 1 - 1 / math.log2(3))


def list_duel(model: Any, R: float, gamma: float, m: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Theorem 9: lists of m documents on which the model's first place is always wrong, though a direction has margin gamma.

    Returns the rows, their grades, the ids of their lists and the direction, where component i + 1 follows list i. In each list
    the only relevant document is below the top. The loss is at least 1 - 1 / log2(3) in NDCG and ½ in AP, and exactly that if m
    is 2. The bounds hold for models that rank by their last hypothesis (``average=False``).
    """
    rounds = math.floor(R**2 / gamma**2) - 1
    rows, grades = [], []
    direction = np.full(rounds + 1, -gamma / (2 * R))
    for t in range(rounds):
        X, y = np.zeros((m, rounds + 1)), np.zeros(m, int)
        X[0, t + 1], X[1, t + 1], X[2:, 0] = R, -R, R
        first_is_on_top = t == 0 or model.rank(X)[0] == 0  # before any learning scores are equal, and the first document is
        y[int(first_is_on_top)] = 1
        if not first_is_on_top:
            direction[t + 1] *= -1
        model.learn_list(X, y)
        rows.append(X)
        grades.append(y)
    return np.concatenate(rows), np.concatenate(grades), np.repeat(np.arange(rounds), m), direction


def bottom_lists(n: int, m: int, R: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """n orthogonal lists of m documents, whose only relevant document is the last one and is ranked last.

    This holds for any ranker that starts from 0, moves along rows that it has seen, and keeps the order of equal scores. Returns
    rows, grades, the ids of the lists, and a direction with margin 2R / √n.
    """
    X, y = np.zeros((n, m, n)), np.zeros((n, m), int)
    lists = np.arange(n)
    X[lists, :, lists], y[:, -1] = -R, 1
    X[lists, -1, lists] = R
    return X.reshape(n * m, n), y.ravel(), np.repeat(lists, m), np.full(n, 1 / math.sqrt(n))


# The surrogate losses: Eq. 9 of SLAM and Eq. 27 of MinimaxRank


def place_weights(y: Any, measure: str = "ndcg", ties: str = "index") -> np.ndarray:
    """The weight of each document of a list, v of Eq. 10 (``"ap"``), 11 (``"ndcg"``) or 24 (``"ndcg@k"``); they add up to 1.

    Documents of one grade take the places in their order, or share them evenly if ``ties`` is ``"average"``. All weights are 0
    if nothing is relevant.

    >>> place_weights([0, 2, 1]).round(3).tolist(), place_weights([0, 2, 1], "ap").tolist()
    ([0.0, 0.826, 0.174], [0.0, 0.5, 0.5])
    """
    grades = np.asarray(y, float)
    order = np.argsort(-grades, kind="stable")
    weights = np.zeros(len(grades))
    weights[order] = _worth(grades[order], measure)
    if ties == "average":
        _, of = np.unique(grades, return_inverse=True)
        weights = (np.bincount(of, weights) / np.bincount(of))[of]
    total = weights.sum()
    return weights / total if total > 0 else weights


def _worth(falling: np.ndarray, measure: str) -> np.ndarray:
    """The weight of each place, the highest grade first."""
    name, _, k = measure.partition("@")
    if name not in ("ap", "ndcg"):
        raise ValueError(f"measure={measure!r} should be 'ap', 'ndcg' or 'ndcg@' and a whole number")
    if name == "ap":
        return np.where(falling > 0, 1.0, 0.0)
    worth: np.ndarray = exponential(falling) * discounts(len(falling))
    worth[int(k or len(worth)) :] = 0.0
    return worth


def counted_grades(y: Any, measure: str) -> np.ndarray:
    """The grades as a measure uses them: for ``"ap"`` 1 for all grades above 0."""
    grades = np.asarray(y)
    return (grades > 0).astype(int) if measure == "ap" else grades


def slam_surrogate(scores: Any, y: Any, qid: Any = None, measure: str = "ndcg", ties: str = "index") -> float:
    """Eq. 9, added up over lists: Σ v_i max(0, 1 + s_j - s_i), j the highest scored document of a lower grade than i.

    Theorem 4: it is never below the 1 - NDCG, or 1 - AP, of the order by these scores.

    >>> round(slam_surrogate([0.5, 0.0, 1.0], [0, 2, 1]), 3)  # .826 · (1 + 1.0 - 0.0) + .174 · (1 + 0.5 - 1.0)
    1.739
    """
    total = 0.0
    for s, grades in _lists(scores, counted_grades(y, measure), qid):
        total += float(place_weights(grades, measure, ties) @ _hinges(s, grades))
    return total


def minimax_surrogate(scores: Any, y: Any, qid: Any = None, measure: str = "ndcg") -> float:
    """Eq. 27, added up over lists: the largest max(0, 1 + s_j - s_i) over the pairs of a document i and one of a lower grade j.

    >>> minimax_surrogate([0.5, 0.0, 1.0], [0, 2, 1])
    2.0
    """
    return sum(float(_hinges(s, grades).max()) for s, grades in _lists(scores, counted_grades(y, measure), qid))


def _lists(scores: Any, grades: np.ndarray, qid: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    values = np.asarray(scores, float)
    for of in rows_of_lists(qid, len(values)):
        yield values[of], grades[of]


def _hinges(scores: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """max(0, 1 + the highest score of a lower grade - s_i), 0 for the lowest grade."""
    levels, of = np.unique(grades, return_inverse=True)
    best = np.array([scores[of == level].max() for level in range(len(levels))])
    below = np.concatenate([[-np.inf], np.maximum.accumulate(best)[:-1]])
    return np.asarray(np.maximum(0.0, 1.0 + below[of] - scores))
