"""The compiled twins of ``core.list_scaling``, which allocate nothing.

Except for sorting, the inner loops run over the features of a document, which lie side by side, so they become vectors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compile.inner import inner
from ..list_scaling import LARGE, LARGER, SMALL, SMALLER, How, ListBuffers
from ..rows import CSR, AnyRows

# Up to this number of documents, comparing every pair in vectors is faster than sorting.
COUNTED = 256


def dense_load_list(X: AnyRows, lists: Any, start: int, size: int, buffers: Any) -> int:
    for i in range(size):
        row, numbers = X[lists.rows[start + i] if lists.rows.shape[0] else start + i], buffers.numbers[i]
        for j in range(X.shape[1]):
            numbers[j] = row[j] + 0.0  # -0 becomes 0, so that equal numbers have equal bits
    return X.shape[1]


def sparse_load_list(X: AnyRows, lists: Any, start: int, size: int, buffers: Any) -> int:
    count = 0
    for i in range(size):
        row = lists.rows[start + i] if lists.rows.shape[0] else start + i
        for at in range(X.indptr[row], X.indptr[row + 1]):
            j = X.indices[at]
            if buffers.column[j] < 0:
                buffers.column[j], buffers.found[count] = count, j
                count += 1
    for i in range(size):
        row, numbers = lists.rows[start + i] if lists.rows.shape[0] else start + i, buffers.numbers[i]
        for c in range(count):
            numbers[c] = 0.0
        for at in range(X.indptr[row], X.indptr[row + 1]):
            numbers[buffers.column[X.indices[at]]] += X.values[at]
    for c in range(count):
        buffers.column[buffers.found[c]] = -1  # as it was: clearing all columns would cost more than the list
    return count


def scale_and_rank(numbers: np.ndarray, count: int, size: int, how: How, buffers: ListBuffers) -> bool:
    low, high, unit, centre, width = buffers.lines[0], buffers.lines[1], buffers.lines[2], buffers.lines[3], buffers.lines[4]
    if not _range(numbers, count, size, low, high, width):
        return False
    for c in range(count):
        top = max(abs(low[c]), abs(high[c]))
        unit[c] = SMALLER if top > LARGE else LARGER if top < SMALL else 1.0
    if how.standard:
        _moments(numbers, count, size, unit, centre, width)
    else:
        for c in range(count):
            centre[c], width[c] = low[c] * unit[c], high[c] * unit[c] - low[c] * unit[c]
    for i in range(size):
        row, scaled = numbers[i], buffers.scaled[i]
        for c in range(count):
            scaled[c] = 0.0 if low[c] == high[c] else (row[c] * unit[c] - centre[c]) / width[c]
    if how.ranked:
        if size <= COUNTED:
            _count(numbers, count, size, buffers.ranks)
        else:
            _sort(numbers, count, size, buffers)
        _scale_ranks(buffers.ranks, count, size, how.standard, low, high, centre, width)
    return True


@inner
def _range(numbers: np.ndarray, count: int, size: int, low: np.ndarray, high: np.ndarray, finite: np.ndarray) -> bool:
    """The lowest and the highest number of each feature; returns whether all are finite."""
    for c in range(count):
        low[c], high[c], finite[c] = numbers[0, c], numbers[0, c], 0.0
    for i in range(size):
        row = numbers[i]
        for c in range(count):
            low[c] = row[c] if row[c] < low[c] else low[c]  # a selection, which becomes a vector's minimum
            high[c] = row[c] if row[c] > high[c] else high[c]
            finite[c] += 0.0 * row[c]  # 0, or NaN if the number is not finite
    total = 0.0
    for c in range(count):
        total += finite[c]
    return total == 0.0


@inner
def _moments(numbers: np.ndarray, count: int, size: int, unit: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> None:
    for c in range(count):
        mean[c] = deviation[c] = 0.0
    for i in range(size):
        row = numbers[i]
        for c in range(count):
            mean[c] += row[c] * unit[c]
    for c in range(count):
        mean[c] /= size
    for i in range(size):
        row = numbers[i]
        for c in range(count):
            away = row[c] * unit[c] - mean[c]
            deviation[c] += away * away
    for c in range(count):
        deviation[c] = math.sqrt(deviation[c] / size)


@inner
def _count(numbers: np.ndarray, count: int, size: int, ranks: np.ndarray) -> None:
    """For each document, how many others it is above minus how many it is below, pair by pair."""
    for i in range(size):
        own, ahead = numbers[i], ranks[i]
        for c in range(count):
            ahead[c] = 0.0
        for k in range(i):
            other, behind = numbers[k], ranks[k]
            for c in range(count):
                more = (1.0 if own[c] > other[c] else 0.0) - (1.0 if own[c] < other[c] else 0.0)
                ahead[c] += more
                behind[c] -= more


@inner
def _sort(numbers: np.ndarray, count: int, size: int, buffers: Any) -> None:
    """The same by sorting: the documents from ``start`` to ``stop`` are equal."""
    for c in range(count):
        for i in range(size):
            buffers.sorting[0, i], buffers.order[0, i] = numbers[i, c], i
        line = _merge_all(buffers.sorting, buffers.order, size)
        ordered, order, start = buffers.sorting[line], buffers.order[line], 0
        while start < size:
            stop = start + 1
            while stop < size and ordered[stop] == ordered[start]:
                stop += 1
            for at in range(start, stop):
                buffers.ranks[order[at], c] = start + stop - size
            start = stop


@inner
def _merge_all(sorting: np.ndarray, order: np.ndarray, size: int) -> int:
    """Merge runs of 1, 2, 4, … numbers from one line into the other; returns the line that is sorted."""
    source, run = 0, 1
    while run < size:
        for start in range(0, size, 2 * run):
            ends = min(start + run, size), min(start + 2 * run, size)
            _merge(sorting[source], order[source], sorting[1 - source], order[1 - source], start, ends[0], ends[1])
        source, run = 1 - source, 2 * run
    return source


@inner
def _merge(
    numbers: np.ndarray, whose: np.ndarray, target: np.ndarray, whose_target: np.ndarray, start: int, middle: int, stop: int
) -> None:
    a, b, at = start, middle, start
    while a < middle and b < stop:  # no branch that depends on the data
        is_first = numbers[a] <= numbers[b]
        at_best = a if is_first else b
        target[at], whose_target[at] = numbers[at_best], whose[at_best]
        a += is_first
        b += not is_first
        at += 1
    for rest in range(a, middle):
        target[at], whose_target[at] = numbers[rest], whose[rest]
        at += 1
    for rest in range(b, stop):
        target[at], whose_target[at] = numbers[rest], whose[rest]
        at += 1


@inner
def _scale_ranks(
    ranks: np.ndarray,
    count: int,
    size: int,
    standard: bool,
    low: np.ndarray,
    high: np.ndarray,
    centre: np.ndarray,
    width: np.ndarray,
) -> None:
    if standard:
        for c in range(count):
            width[c] = 0.0
        for i in range(size):
            ahead = ranks[i]
            for c in range(count):
                width[c] += ahead[c] * ahead[c]
        for c in range(count):
            centre[c], width[c] = 0.0, math.sqrt(width[c] / size)
    else:
        _ends(ranks, count, size, centre, width)
    for i in range(size):
        ahead = ranks[i]
        for c in range(count):
            ahead[c] = 0.0 if low[c] == high[c] else (ahead[c] - centre[c]) / width[c]


@inner
def _ends(ranks: np.ndarray, count: int, size: int, last: np.ndarray, width: np.ndarray) -> None:
    """The lowest rank, and how far it is from the highest one."""
    for c in range(count):
        last[c] = width[c] = ranks[0, c]
    for i in range(size):
        ahead = ranks[i]
        for c in range(count):
            last[c] = ahead[c] if ahead[c] < last[c] else last[c]
            width[c] = ahead[c] if ahead[c] > width[c] else width[c]
    for c in range(count):
        width[c] -= last[c]


def dense_write_list(out: np.ndarray, row: int, count: int, size: int, how: Any, buffers: Any) -> None:
    for i in range(size):
        numbers, scaled, ranks = out[row + i], buffers.scaled[i], buffers.ranks[i]
        if how.ranked:
            for c in range(count):
                numbers[2 * c], numbers[2 * c + 1] = scaled[c], ranks[c]
        else:
            for c in range(count):
                numbers[c] = scaled[c]


def sparse_write_list(out: CSR, row: int, count: int, size: int, how: Any, buffers: Any) -> None:
    step, at = 2 if how.ranked else 1, out.indptr[row]
    if how.anchored:
        _anchor(buffers, count, size, how.ranked)
    for i in range(size):
        for c in range(count):
            if buffers.scaled[i, c] != 0.0:
                out.indices[at], out.values[at] = step * buffers.found[c], buffers.scaled[i, c]
                at += 1
            if how.ranked and buffers.ranks[i, c] != 0.0:
                out.indices[at], out.values[at] = step * buffers.found[c] + 1, buffers.ranks[i, c]
                at += 1
        out.indptr[row + i + 1] = at


@inner
def _anchor(buffers: Any, count: int, size: int, ranked: bool) -> None:
    for c in range(count):
        zero = 0
        while zero < size and buffers.numbers[zero, c] != 0.0:
            zero += 1
        if zero < size:
            _lower(buffers.scaled, size, c, buffers.scaled[zero, c])
            if ranked:
                _lower(buffers.ranks, size, c, buffers.ranks[zero, c])


@inner
def _lower(view: np.ndarray, size: int, c: int, amount: float) -> None:
    for i in range(size):
        view[i, c] -= amount
