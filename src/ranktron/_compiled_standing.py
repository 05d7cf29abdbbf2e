"""The comparisons of ``standing`` for compiled code, which allocates nothing."""

from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable

from .standing import LARGE, LARGER, SMALL, SMALLER

COUNTED = 128
"""Documents up to which every pair is compared, in vectors, which is quicker than to sort them."""


def dense_lay_out(X, lists, start, size, desk):
    rows, columns = lists.rows, desk.columns
    for i in range(size):
        row = rows[start + i] if rows.shape[0] else start + i
        for j in range(X.shape[1]):
            columns[j, i] = X[row, j] + 0.0
    return X.shape[1]


def sparse_lay_out(X, lists, start, size, desk):
    rows, columns, found, line = lists.rows, desk.columns, desk.found, desk.line
    count = 0
    for i in range(size):
        row = rows[start + i] if rows.shape[0] else start + i
        for at in range(X.indptr[row], X.indptr[row + 1]):
            j = X.indices[at]
            if line[j] < 0:
                line[j], found[count] = count, j
                for k in range(size):
                    columns[count, k] = 0.0
                count += 1
            columns[line[j], i] += X.values[at]
    for c in range(count):
        line[found[c]] = -1
    return count


def compare(columns, count, size, how, desk):
    finite = 0.0  # times a number is 0, or NaN if it is not finite
    for c in range(count):
        x = columns[c]
        low, high = x[0], x[0]
        for i in range(size):
            finite += 0.0 * x[i]
            low, high = min(low, x[i]), max(high, x[i])
        if low == high:
            _fill(desk.scaled[c], size)
            _fill(desk.ranks[c], size)
            continue
        if how.standard:
            _standardise(x, size, low, high, desk.scaled[c])
        else:
            _spread(x, size, low, high, desk.scaled[c])
        if how.ranked:
            _rank(x, size, how.standard, desk.ranks[c], desk.sorting)
    return finite == 0.0


@register_jitable
def _fill(line, size):
    for i in range(size):
        line[i] = 0.0


@register_jitable
def _unit(low, high):
    top = max(abs(low), abs(high))
    return SMALLER if top > LARGE else LARGER if top < SMALL else 1.0


@register_jitable
def _spread(x, size, low, high, scaled):
    unit = _unit(low, high)
    width = high * unit - low * unit
    for i in range(size):
        scaled[i] = (x[i] * unit - low * unit) / width


@register_jitable
def _standardise(x, size, low, high, scaled):
    unit, total, squares = _unit(low, high), 0.0, 0.0
    for i in range(size):
        total += x[i] * unit
    mean = total / size
    for i in range(size):
        scaled[i] = x[i] * unit - mean
        squares += scaled[i] * scaled[i]
    deviation = math.sqrt(squares / size)
    for i in range(size):
        scaled[i] /= deviation


@register_jitable
def _rank(x, size, standard, ranks, sorting):
    if size <= COUNTED:
        _count(x, size, ranks)
    else:
        _look_up(x, size, ranks, sorting)
    if standard:
        squares = 0.0
        for i in range(size):
            squares += ranks[i] * ranks[i]
        deviation = math.sqrt(squares / size)
        for i in range(size):
            ranks[i] /= deviation
        return
    last, first = ranks[0], ranks[0]
    for i in range(size):
        last, first = min(last, ranks[i]), max(first, ranks[i])
    for i in range(size):
        ranks[i] = (ranks[i] - last) / (first - last)


@register_jitable
def _count(x, size, ranks):
    for i in range(size):
        ahead = 0
        for k in range(size):
            ahead += np.int64(x[i] > x[k]) - np.int64(x[i] < x[k])
        ranks[i] = ahead


@register_jitable
def _look_up(x, size, ranks, sorting):
    """By the places of a number in the sorted list: how many are lower, and how many are not higher."""
    ordered = sorting[_sort(x, size, sorting)]
    for i in range(size):
        ranks[i] = _below(ordered, size, x[i], False) + _below(ordered, size, x[i], True) - size


@register_jitable
def _below(ordered, size, value, or_equal):
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < value or (or_equal and ordered[middle] == value):
            low = middle + 1
        else:
            high = middle
    return low


@register_jitable
def _sort(x, size, sorting):
    """Merge runs of 1, 2, 4, … numbers from one line into the other; returns the line that is sorted."""
    for i in range(size):
        sorting[0, i] = x[i]
    source, run = 0, 1
    while run < size:
        for start in range(0, size, 2 * run):
            _merge(sorting[source], sorting[1 - source], start, min(start + run, size), min(start + 2 * run, size))
        source, run = 1 - source, 2 * run
    return source


@register_jitable
def _merge(source, target, start, middle, stop):
    a, b = start, middle
    for at in range(start, stop):
        if a < middle and (b >= stop or source[a] <= source[b]):
            target[at] = source[a]
            a += 1
        else:
            target[at] = source[b]
            b += 1


def dense_hand_out(out, row, count, size, how, desk):
    step = 2 if how.ranked else 1
    for i in range(size):
        for c in range(count):
            out[row + i, step * c] = desk.scaled[c, i]
            if how.ranked:
                out[row + i, step * c + 1] = desk.ranks[c, i]


def sparse_hand_out(out, row, count, size, how, desk):
    step, at = 2 if how.ranked else 1, out.indptr[row]
    for i in range(size):
        for c in range(count):
            if desk.scaled[c, i] != 0.0:
                out.indices[at], out.values[at] = step * desk.found[c], desk.scaled[c, i]
                at += 1
            if how.ranked and desk.ranks[c, i] != 0.0:
                out.indices[at], out.values[at] = step * desk.found[c] + 1, desk.ranks[c, i]
                at += 1
        out.indptr[row + i + 1] = at
