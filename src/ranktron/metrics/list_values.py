"""The loop that computes a measure of each list, and the measures that no learner uses."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic
from ..compile.policy import Loop
from ..core import measures
from ..core.lists import Lists
from ..core.measures import NDCG, AveragePrecision, PrecisionAt, best_first, reach, value_of

# A NamedTuple with bodies of the generic functions.
Measure = Any


@generic
def best_reach(measure: Measure, count: int) -> int:
    """The number of documents with the highest gains that a measure needs; the first one shows whether any is relevant."""
    return 1


@generic
def value_by_scores(measure: Measure, scores: np.ndarray, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    """The measure of one list; by default ``value_of``, which needs no scores."""
    return value_of(measure, gains, by_score, by_gain)


@Loop
def write_values(
    measure: Measure,
    scores: np.ndarray,
    gains: np.ndarray,
    bounds: np.ndarray,
    by_score: np.ndarray,
    by_gain: np.ndarray,
    values: np.ndarray,
    start: int,
    stop: int,
) -> int:
    """Write the value of each list from ``start`` to ``stop``; list q has the rows from ``bounds[q]`` to ``bounds[q + 1]``."""
    for q in range(start, stop):
        first, last = bounds[q], bounds[q + 1]
        own_scores, own_gains = scores[first:last], gains[first:last]
        best_first(own_scores, reach(measure, last - first), by_score)
        best_first(own_gains, best_reach(measure, last - first), by_gain)
        values[q] = value_by_scores(measure, own_scores, own_gains, by_score[: reach(measure, last - first)], by_gain)
    return -1


def values_of(measure: Measure, scores: np.ndarray, gains: np.ndarray, lists: Lists) -> np.ndarray:
    """The value of every list in the order of first appearance; NaN if no document is relevant."""
    if len(lists.rows):
        scores, gains = scores[lists.rows], gains[lists.rows]
    by_score, by_gain = np.empty((2, lists.longest), np.int64)
    values = np.empty(len(lists.bounds) - 1)
    write_values(measure, _frozen(scores), _frozen(gains), lists.bounds, by_score, by_gain, values, 0, len(values))
    return values


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False  # writable and read-only arrays would be compiled for separately
    return view


def discounts(lists: Lists, cutoff: int) -> np.ndarray:
    """The discounts of all places that count; they are cached by the next power of two of their number."""
    longest = min(lists.longest, cutoff) if cutoff else lists.longest
    return _discounts(max(4, longest.bit_length()))


@functools.cache
def _discounts(bits: int) -> np.ndarray:
    return measures.discounts(1 << bits)


@best_reach.on(PrecisionAt)
def best_reach_precision_at(measure: PrecisionAt, count: int) -> int:
    return min(measure.k, count)


@best_reach.on(AveragePrecision)
def best_reach_average_precision(measure: AveragePrecision, count: int) -> int:
    return 0


class ExpectedNDCG(NamedTuple):
    """NDCG, averaged over all orders of the documents whose scores are equal."""

    cutoff: int
    discounts: np.ndarray


@best_reach.on(NDCG)
@best_reach.on(ExpectedNDCG)
def best_reach_ndcg(measure: NDCG | ExpectedNDCG, count: int) -> int:
    return min(measure.cutoff, count) if measure.cutoff else count


@value_by_scores.on(ExpectedNDCG)
def value_by_scores_expected_ndcg(
    measure: ExpectedNDCG, scores: np.ndarray, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray
) -> float:
    got = best = mean = 0.0
    end = 0
    for place in range(best_reach(measure, gains.shape[0])):
        if place == end:
            start = by_score[place]
            extra = 0.0
            while end < gains.shape[0] and scores[by_score[end]] == scores[start]:
                extra += gains[by_score[end]] - gains[start]
                end += 1
            mean = gains[start] + extra / (end - place)  # exactly the gain if all gains are equal
        got += mean * measure.discounts[place]
        best += gains[by_gain[place]] * measure.discounts[place]
    return got / best if best > 0.0 else math.nan


class ExpectedReciprocalRank(NamedTuple):
    """The expected reciprocal of the place where a reader stops; gains are the probabilities that a document satisfies one."""

    cutoff: int


class ReciprocalRank(NamedTuple):
    """One over the first place with a relevant document."""

    cutoff: int


class TrecPrecision(NamedTuple):
    """The share of relevant documents in the first ``cutoff`` places, some of which are empty in a short list."""

    cutoff: int


@reach.on(ExpectedReciprocalRank)
@reach.on(ReciprocalRank)
@reach.on(TrecPrecision)
def reach_cutoff(measure: ExpectedReciprocalRank | ReciprocalRank | TrecPrecision, count: int) -> int:
    return min(measure.cutoff, count) if measure.cutoff else count


@value_of.on(ExpectedReciprocalRank)
def value_of_expected_reciprocal_rank(
    measure: ExpectedReciprocalRank, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray
) -> float:
    if not gains[by_gain[0]] > 0.0:
        return math.nan
    total, reading = 0.0, 1.0
    for place in range(reach(measure, gains.shape[0])):
        stops = gains[by_score[place]]
        total += reading * stops / (place + 1.0)
        reading *= 1.0 - stops
    return total


@value_of.on(ReciprocalRank)
def value_of_reciprocal_rank(measure: ReciprocalRank, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    if not gains[by_gain[0]] > 0.0:
        return math.nan
    for place in range(reach(measure, gains.shape[0])):
        if gains[by_score[place]] > 0.0:
            return 1.0 / (place + 1.0)
    return 0.0


@value_of.on(TrecPrecision)
def value_of_trec_precision(measure: TrecPrecision, gains: np.ndarray, by_score: np.ndarray, by_gain: np.ndarray) -> float:
    if not gains[by_gain[0]] > 0.0:
        return math.nan
    hits = 0
    for place in range(reach(measure, gains.shape[0])):
        if gains[by_score[place]] > 0.0:
            hits += 1
    return hits / (measure.cutoff * 1.0)
