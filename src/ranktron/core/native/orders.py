"""The compiled twin of ``measures.best_first``, which allocates nothing.

A mispredicted branch costs more than ten comparisons. So where few of many documents are wanted, a bound excludes most of them,
in vectors, and the others are sorted by counting. Otherwise a few are kept sorted, and a better one is inserted without a branch;
many are kept as a heap, the worst on top.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ...compile.inner import inner
from .ir import intrinsic, load, repeat

ZERO, ONE, TWO, THREE = np.arange(4, dtype=np.uint64)  # unsigned: no check for a negative index
LANES, MANY = 16, 48  # the groups for the bound, and the number of documents from which on it pays
FEW, SHORT = 32, 256  # measured: from here on, the heap is faster at keeping, and at sorting a whole list


def best_first(scores: np.ndarray, count: int, places: np.ndarray) -> None:
    if count == 0:
        return
    if count <= LANES and scores.shape[0] >= MANY:
        _sift(scores, np.uint64(count), places)
    elif count <= FEW or count == scores.shape[0] <= SHORT:
        _keep_sorted(scores, np.uint64(count), places)
    else:
        _keep_heaped(scores, np.uint64(count), places)


@inner
def _sift(scores: np.ndarray, size: Any, places: np.ndarray) -> None:
    """Sort only the documents that reach a bound, which enough documents do."""
    bound, found = _bound(scores, size), ZERO
    for i in range(np.uint64(scores.shape[0])):
        places[found] = i  # written always, counted only if it reaches the bound: no branch to mispredict
        found += np.uint64(scores[i] >= bound)
    # With NaN among the scores too few may be found; after too many the counts do not fit into ``places``.
    if found < size or THREE * found > np.uint64(scores.shape[0]):
        _keep_sorted(scores, size, places)
    else:
        _sort_by_halves(scores, size, places, found)


@inner
def _sort_by_halves(scores: np.ndarray, size: Any, places: np.ndarray, found: Any) -> None:
    """Sort by counting, with one comparison per pair; the counts and the order are written after the documents."""
    for p in range(found):
        score, before = scores[np.uint64(places[p])], np.int64(p)
        for q in range(p):
            is_better = np.int64(scores[np.uint64(places[q])] < score)
            places[found + q] += is_better
            before -= is_better
        places[found + p] = before
    for p in range(found):
        places[TWO * found + np.uint64(places[found + p])] = places[p]
    for p in range(size):
        places[p] = places[TWO * found + p]


@intrinsic
def _bound(typing: Any, scores: Any, count: Any) -> Any:
    """A bound on the score of the last document kept: in ``count`` of sixteen groups the best document reaches it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0])
        size = builder.and_(builder.extract_value(array.shape, 0), ir.Constant(array.shape.type.element, -LANES))
        lowest = repeat(builder, ir.Constant(ir.DoubleType(), float("-inf")), LANES)
        lanes = cgutils.alloca_once_value(builder, lowest)
        builder.store(lowest, lanes)
        step = ir.Constant(size.type, LANES)
        with cgutils.for_range_slice(builder, ir.Constant(size.type, 0), size, step, intp=size.type) as (i, _):
            some, best = load(builder, array.data, i, LANES), builder.load(lanes)
            builder.store(builder.select(builder.fcmp_ordered(">", some, best), some, best), lanes)
        best, bound = builder.load(lanes), ir.Constant(ir.DoubleType(), float("-inf"))
        for lane in range(LANES):
            one = builder.extract_element(best, ir.Constant(ir.IntType(32), lane))
            reached = builder.bitcast(builder.fcmp_ordered(">=", best, repeat(builder, one, LANES)), ir.IntType(LANES))
            enough = builder.icmp_unsigned(">=", builder.zext(builder.ctpop(reached), args[1].type), args[1])
            bound = builder.select(builder.and_(enough, builder.fcmp_ordered(">", one, bound)), one, bound)
        return bound

    return types.float64(scores, types.uint64), codegen


@inner
def _keep_sorted(scores: np.ndarray, size: Any, places: np.ndarray) -> None:
    _sort_by_counting(scores, size, places)
    last = size - ONE
    worst = scores[np.uint64(places[last])]
    for i in range(size, np.uint64(scores.shape[0])):
        if scores[i] > worst:
            _slip_in(scores, size, places, i)
            worst = scores[np.uint64(places[last])]


@inner
def _sort_by_counting(scores: np.ndarray, size: Any, places: np.ndarray) -> None:
    """Sort by counting: the place of a document is the number of documents before it."""
    for p in range(size):
        places[p] = p  # a NaN would leave a place as it was, which need not be a document
    for i in range(size):
        before = 0
        for j in range(i):
            before += scores[j] >= scores[i]
        for j in range(i + ONE, size):
            before += scores[j] > scores[i]
        places[np.uint64(before)] = i


@inner
def _slip_in(scores: np.ndarray, size: Any, places: np.ndarray, document: Any) -> None:
    score, moving = scores[document], np.int64(document)
    for p in range(size):
        held = places[p]
        is_worse = scores[np.uint64(held)] < score
        places[p] = moving if is_worse else held
        moving = held if is_worse else moving  # both are selections: there is no branch to mispredict


@inner
def _keep_heaped(scores: np.ndarray, size: Any, places: np.ndarray) -> None:
    for p in range(size):
        places[p] = p
    for p in range(size // TWO, ZERO, -1):
        _sink(scores, places, np.uint64(p) - ONE, size)
    worst = scores[np.uint64(places[ZERO])]
    for i in range(size, np.uint64(scores.shape[0])):
        if scores[i] > worst:
            places[ZERO] = i
            _sink(scores, places, ZERO, size)
            worst = scores[np.uint64(places[ZERO])]
    for p in range(size, ONE, -1):
        last = np.uint64(p) - ONE
        places[ZERO], places[last] = places[last], places[ZERO]
        _sink(scores, places, ZERO, last)


@inner
def _sink(scores: np.ndarray, places: np.ndarray, start: Any, size: Any) -> None:
    """Move the document at ``start`` down until none below is worse."""
    document = np.uint64(places[start])
    score = scores[document]
    while TWO * start + ONE < size:
        child = TWO * start + ONE
        below = np.uint64(places[child])
        if child + ONE < size:
            other = np.uint64(places[child + ONE])
            if scores[other] < scores[below] or (scores[other] == scores[below] and other > below):
                child, below = child + ONE, other
        if scores[below] > score or (scores[below] == score and below < document):
            break
        places[start] = below
        start = child
    places[start] = document
