"""The order of ``measures`` for compiled code, which allocates nothing.

Few documents are kept sorted, and a better one is slipped in without a branch: a processor that guesses one wrong loses more time
than ten comparisons take. Many are kept as a heap, the worst on top.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

ZERO, ONE, TWO = np.arange(3, dtype=np.uint64)  # unsigned: no check for a negative index
FEW, SHORT = 32, 256  # measured: from here on, the heap is faster at keeping, and at sorting a whole list


def best_first(scores, count, places):
    if count == 0:
        return
    if count <= FEW or count == scores.shape[0] <= SHORT:
        _keep_sorted(scores, np.uint64(count), places)
    else:
        _keep_heaped(scores, np.uint64(count), places)


@register_jitable
def _keep_sorted(scores, size, places):
    _sort_by_counting(scores, size, places)
    last = size - ONE
    worst = scores[np.uint64(places[last])]
    for i in range(size, np.uint64(scores.shape[0])):
        if scores[i] > worst:
            _slip_in(scores, size, places, i)
            worst = scores[np.uint64(places[last])]


@register_jitable
def _sort_by_counting(scores, size, places):
    """The place of a document is how many come before it."""
    for p in range(size):
        places[p] = p  # a NaN would leave a place as it was, which need not be a document
    for i in range(size):
        before = 0
        for j in range(i):
            before += scores[j] >= scores[i]
        for j in range(i + ONE, size):
            before += scores[j] > scores[i]
        places[np.uint64(before)] = i


@register_jitable
def _slip_in(scores, size, places, document):
    score, moving = scores[document], np.int64(document)
    for p in range(size):
        held = places[p]
        is_worse = scores[np.uint64(held)] < score
        places[p] = moving if is_worse else held
        moving = held if is_worse else moving


@register_jitable
def _keep_heaped(scores, size, places):
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


@register_jitable
def _sink(scores, places, start, size):
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
