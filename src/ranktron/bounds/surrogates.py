"""The surrogate losses in the bounds of Chaudhuri & Tewari (2015): Eq. 9 of SLAM and Eq. 27 of MinimaxRank."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.lists import lists_of
from ..core.measures import discounts, exponential


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
    lists = lists_of(qid, len(values))
    for start, stop in itertools.pairwise(lists.bounds.tolist()):
        of = lists.order[start:stop]
        yield values[of], grades[of]


def _hinges(scores: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """max(0, 1 + the highest score of a lower grade - s_i), 0 for the lowest grade."""
    levels, of = np.unique(grades, return_inverse=True)
    best = np.array([scores[of == level].max() for level in range(len(levels))])
    below = np.concatenate([[-np.inf], np.maximum.accumulate(best)[:-1]])
    return np.asarray(np.maximum(0.0, 1.0 + below[of] - scores))
