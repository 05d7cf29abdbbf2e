"""The grades of the documents of a list, as the rules for lists read them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic, inline
from .lists import Lists
from .measures import NDCG, AveragePrecision, exponential, reach, value_of

# Grades 0, 1, … below this are their own places in one table of gains that all lists share.
FEW = 32


# Up to this number of grades, one pass over the documents for each grade is faster than counting.
FEW_PASSES = 8


class Graded(NamedTuple):
    """Grades of documents, list after list: that of document p of list q is ``levels[firsts[q] + codes[p]]``.

    A list's table goes up to the next one's first place; with no ``firsts`` there is one table for all. ``gains`` are theirs.
    """

    codes: np.ndarray
    firsts: np.ndarray
    levels: np.ndarray
    gains: np.ndarray

    @property
    def widest(self) -> int:
        """How many grades the longest table has."""
        return int(np.diff(self.firsts).max()) if len(self.firsts) else len(self.levels)


class ListWorkspace(NamedTuple):
    """Buffers for one list: a place per document, or a place per grade."""

    scores: np.ndarray
    correction: np.ndarray
    weights: np.ndarray
    by_score: np.ndarray
    by_gain: np.ndarray
    ranked: np.ndarray
    ideal: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    best: np.ndarray
    sums: np.ndarray


class Grades(NamedTuple):
    """The grades of one list: a code per document, the best documents by grade, and gains, levels and counts per code."""

    measure: Any
    codes: np.ndarray
    by_gain: np.ndarray
    ranked: np.ndarray  # a buffer for the codes in the order of scores
    ideal: np.ndarray  # a buffer for the codes in the order of grades
    gains: np.ndarray
    levels: np.ndarray
    counts: np.ndarray
    best: np.ndarray  # a buffer for one document per grade
    sums: np.ndarray  # a buffer for five numbers per grade
    weights: np.ndarray  # a buffer for the weight of each document


def graded(y: np.ndarray, lists: Lists, binary: bool) -> Graded:
    """Grades as loops read them: small whole numbers as they are, others by their place among the grades of their list.

    >>> graded(np.array([2.0, 0.5, 7.0, 7.0]), Lists(np.empty(0, int), np.array([0, 2, 4])), binary=False).codes
    array([1, 0, 0, 0])
    """
    y = y > 0 if binary else y
    y = y[lists.rows] if len(lists.rows) else y
    codes = y.astype(np.uint16)  # grades are not above 1,000, and small codes are quick to read
    top = int(codes.max())
    if top < FEW and (y.dtype.kind in "iub" or (codes == y).all()):
        levels = np.arange(top + 1.0)
        return Graded(codes, np.empty(0, np.int64), levels, levels if binary else exponential(levels))
    sizes = np.diff(lists.bounds)
    q = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((y, q))
    is_new = np.ones(len(y), bool)
    is_new[1:] = (q[order][1:] != q[order][:-1]) | (y[order][1:] != y[order][:-1])
    places = np.empty(len(y), np.int64)
    places[order] = np.cumsum(is_new) - 1
    levels = y[order][is_new].astype(np.float64)
    firsts = np.append(places[order[lists.bounds[:-1]]], len(levels))
    return Graded(places - firsts[q], firsts, levels, levels if binary else exponential(levels))


def relevant_or_not(given: Graded) -> Graded:
    """The same grades, of which all above 0 gain 1."""
    return given._replace(gains=(given.levels > 0).astype(float))


def workspace_for(lists: Lists, given: Graded) -> ListWorkspace:
    """Buffers for the longest of the lists."""
    longest, widest = lists.longest, given.widest
    scores, correction, weights = np.zeros((3, longest))
    by_score, by_gain, ranked, ideal = np.zeros((4, longest + 1), np.int64)
    counts, starts, best = np.zeros((3, widest), np.int64)
    return ListWorkspace(
        scores, correction, weights, by_score, by_gain, ranked, ideal, counts, starts, best, np.zeros((5, widest))
    )


@inline
def grades_of(given: Any, measure: Any, q: int, start: int, stop: int, buffers: ListWorkspace) -> Grades:
    """The grades of list ``q``, documents ``start`` to ``stop``, and the order of its documents by grade."""
    first, last = (given.firsts[q], given.firsts[q + 1]) if given.firsts.shape[0] else (0, given.levels.shape[0])
    codes, size, width = given.codes[start:stop], stop - start, last - first
    count = reach(measure, size)
    highest_first(codes, width, count, buffers.by_gain, buffers.starts)
    orders = buffers.by_gain[:count], buffers.ranked[:count], buffers.ideal[:count]
    gains, levels, counts = given.gains[first:last], given.levels[first:last], buffers.counts[:width]
    return Grades(
        measure, codes, *orders, gains, levels, counts, buffers.best[:width], buffers.sums[:, :width], buffers.weights[:size]
    )


@inline
def highest_first(codes: np.ndarray, n_grades: int, count: int, places: np.ndarray, starts: np.ndarray) -> None:
    """Write the ``count`` documents with the highest codes into ``places``, the highest first, the lower index of equals."""
    if n_grades > FEW_PASSES:
        counted_first(codes, n_grades, places, starts)
        return
    found, g = 0, n_grades
    while found < count:  # one pass per grade, without a branch that depends on the data
        g -= 1
        for i in range(codes.shape[0]):
            places[found] = i
            found += codes[i] == g


@inline
def counted_first(codes: np.ndarray, n_grades: int, places: np.ndarray, starts: np.ndarray) -> None:
    """The same for all documents, by counting: O(documents + grades)."""
    for g in range(n_grades):
        starts[g] = 0
    for i in range(codes.shape[0]):
        starts[codes[i]] += 1
    place = 0
    for g in range(n_grades - 1, -1, -1):
        starts[g], place = place, place + starts[g]
    for i in range(codes.shape[0]):
        places[starts[codes[i]]] = i
        starts[codes[i]] += 1


@inline
def look_up(grades: Grades, ranking: np.ndarray) -> None:
    """Write the codes of the places that count: as they are ranked, and as they should be."""
    for place in range(ranking.shape[0]):
        grades.ranked[place] = grades.codes[ranking[place]]
        grades.ideal[place] = grades.codes[grades.by_gain[place]]


@inline
def count_grades(grades: Grades) -> None:
    """Count the documents of each grade."""
    for g in range(grades.counts.shape[0]):
        grades.counts[g] = 0
    for i in range(grades.codes.shape[0]):
        grades.counts[grades.codes[i]] += 1


@inline
def misordered(grades: Grades) -> bool:
    """Whether the measure is below its maximum: whether a place that counts holds another gain than in the ideal order."""
    missed = 0
    for place in range(grades.ideal.shape[0]):
        missed += grades.gains[grades.ranked[place]] != grades.gains[grades.ideal[place]]
    return missed > 0


@generic
def falls_short(measure: Any, grades: Grades) -> bool:
    """Whether the measure is below its maximum."""
    return value_of(measure, grades.gains, grades.ranked, grades.ideal) < 1.0


@falls_short.on(NDCG)
def falls_short_ndcg(measure: NDCG, grades: Grades) -> bool:
    return misordered(grades)  # by comparing gains, because a small loss of huge gains would be rounded away


@generic
def weigh(measure: Any, grades: Grades, share: bool) -> None:
    """Write the weights v of the documents; with ``share``, those of one grade share theirs evenly."""
    raise NotImplementedError


@weigh.on(NDCG)
def weigh_ndcg(measure: NDCG, grades: Grades, share: bool) -> None:
    total = 0.0
    for i in range(grades.weights.shape[0]):
        grades.weights[i] = 0.0
    for place in range(grades.by_gain.shape[0]):
        weight = grades.gains[grades.ideal[place]] * measure.discounts[place]
        grades.weights[grades.by_gain[place]] = weight
        total += weight
    for place in range(grades.by_gain.shape[0]):
        grades.weights[grades.by_gain[place]] /= total
    if share:
        share_out(grades, grades.sums[0])


@weigh.on(AveragePrecision)
def weigh_average_precision(measure: AveragePrecision, grades: Grades, share: bool) -> None:
    relevant = 0.0
    for i in range(grades.codes.shape[0]):
        relevant += grades.gains[grades.codes[i]]
    for i in range(grades.codes.shape[0]):
        grades.weights[i] = grades.gains[grades.codes[i]] / relevant


@inline
def share_out(grades: Grades, sums: np.ndarray) -> None:
    """Give the documents of each grade the mean of their weights."""
    count_grades(grades)
    for g in range(sums.shape[0]):
        sums[g] = 0.0
    for place in range(grades.by_gain.shape[0]):
        i = grades.by_gain[place]
        sums[grades.codes[i]] += grades.weights[i]
    for i in range(grades.weights.shape[0]):
        grades.weights[i] = sums[grades.codes[i]] / grades.counts[grades.codes[i]]


@inline
def best_below(grades: Grades, scores: np.ndarray, ranking: np.ndarray) -> None:
    """Write the highest scored document of the lower grades for every grade, -1 where there is none: O(documents + grades).

    It is the first document of a lower grade in the ranking. Only if the ranking, which may be cut off, lacks the lowest grade,
    all documents are searched.
    """
    best, lowest = grades.best, grades.best.shape[0]
    for place in range(ranking.shape[0]):
        for g in range(grades.ranked[place] + 1, lowest):
            best[g] = ranking[place]
        lowest = min(lowest, grades.ranked[place] + 1)
    if lowest > 1:
        search_below(grades, scores, lowest)
    best[0] = -1


@inline
def search_below(grades: Grades, scores: np.ndarray, lowest: int) -> None:
    """The same for the grades below ``lowest``."""
    best, top = grades.best, grades.sums[0]
    for g in range(lowest):
        best[g], top[g] = -1, -math.inf
    for i in range(scores.shape[0]):
        g = grades.codes[i]
        if g < lowest and scores[i] > top[g]:
            best[g], top[g] = i, scores[i]
    below, highest = -1, -math.inf
    for g in range(lowest):
        here, best[g] = best[g], below
        if top[g] > highest or (top[g] == highest and here < below):
            below, highest = here, top[g]
