"""The order of one list, and how good it is: the measures that rankers learn by.

A list's documents have gains, which are zero for the irrelevant ones. Equal scores stand in the order of their documents.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import compiled_as, generic


@generic
def reach(measure: Any, count: int) -> int:
    """The number of places from the top that count, for a list of ``count`` documents."""
    return count


@generic
def value_of(measure: Any, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    """The measure of one list, given its gains and the documents in the places that count: by score, and in the ideal order.

    NaN if no document is relevant; exactly 1 if the gains never rise from place to place.
    """
    raise NotImplementedError


@compiled_as("ranktron.core.native.orders:best_first")
def best_first(scores: np.ndarray, count: int, places: np.ndarray) -> None:
    """Write the ``count`` documents with the highest scores into ``places``, best first, the lower index of equals.

    ``places`` is long enough for all documents; what stands after the first ``count`` has no meaning.
    """
    places[:count] = np.argsort(-scores, kind="stable")[:count]


class NDCG(NamedTuple):
    """The discounted gains of the first ``cutoff`` places, or of all if it is 0, divided by their maximum.

    ``discounts`` has at least as many numbers as the longest list has places that count.
    """

    cutoff: int
    discounts: np.ndarray


@reach.on(NDCG)
def reach_ndcg(measure: NDCG, count: int) -> int:
    return min(measure.cutoff, count) if measure.cutoff else count


@value_of.on(NDCG)
def value_of_ndcg(measure: NDCG, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    got = best = 0.0
    for place in range(by_score.shape[0]):
        got += gains[by_score[place]] * measure.discounts[place]
        best += gains[by_gain[place]] * measure.discounts[place]
    return got / best if best > 0.0 else math.nan


class AveragePrecision(NamedTuple):
    """The mean, over the relevant documents, of the share of relevant ones down to each; gains are 0 or 1."""


@value_of.on(AveragePrecision)
def value_of_average_precision(measure: AveragePrecision, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    hits = total = 0.0
    for place in range(by_score.shape[0]):
        if gains[by_score[place]] > 0.0:
            hits += 1.0
            total += hits / (place + 1.0)
    return total / hits if hits > 0.0 else math.nan


class PrecisionAt(NamedTuple):
    """The relevant documents in the first ``k`` places, divided by their maximum; gains are 0 or 1, and all places are read."""

    k: int


@value_of.on(PrecisionAt)
def value_of_precision_at(measure: PrecisionAt, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    hits = best = 0.0
    for place in range(min(measure.k, by_score.shape[0])):
        hits += gains[by_score[place]]
        best += gains[by_gain[place]]
    return hits / best if best > 0.0 else math.nan


# 2^1024 overflows a double, so grades stay below.
HIGHEST_GRADE = 1000


def exponential(grades: np.ndarray) -> np.ndarray:
    """The gains 2^grade - 1, exact for whole grades on every machine.

    >>> exponential(np.array([0.0, 1.0, 4.0])).tolist()
    [0.0, 1.0, 15.0]
    """
    whole = (grades == np.floor(grades)).all()
    powers: np.ndarray = np.ldexp(1.0, grades.astype(np.int32)) if whole else np.exp2(grades)
    return powers - 1.0


def discounts(count: int) -> np.ndarray:
    """1 / log2(p + 2) for the places p = 0, 1, … from the top.

    >>> discounts(3).round(3).tolist()
    [1.0, 0.631, 0.5]
    """
    return np.array([1.0 / math.log2(place + 2) for place in range(count)])


def ndcg_smallest_loss(m: int, highest: int) -> float:
    """The smallest 1 - NDCG that is not 0, of m documents with grades 0 to ``highest``; infinite if there is none.

    Every wrong order loses at least what one exchange of neighbours with different grades does; then all before them have the
    highest grade, and all behind them the lower of the two. The exchange at the bottom of the list loses least.

    >>> round(ndcg_smallest_loss(2, 1), 4), round(ndcg_smallest_loss(10, 4), 6)
    (0.3691, 0.000201)
    """
    weights, gains = discounts(m), exponential(np.arange(highest + 1.0))
    before = np.cumsum(weights) - weights
    behind = weights.sum() - before - weights
    weights, before, behind = weights[-2:], before[-2:], behind[-2:]
    least = math.inf
    for low, high in itertools.pairwise(gains):
        best = gains[-1] * before + high * weights + low * behind
        losses = (high - low) * -np.diff(weights) / best[:-1]
        least = min(least, float(losses.min(initial=math.inf)))
    return least
