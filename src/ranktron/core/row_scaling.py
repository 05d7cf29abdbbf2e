"""Running standardisation, inside the pass: every row is scaled by what the rows up to it have shown.

To the loops it is a kind of rows. A row is predicted as it is scaled before it arrives, and learned as it is scaled with it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import verb
from .moments import Moments, put_back, show, take_in, unpack
from .protocol import look, score, score_both, score_mean
from .rows import CSR, largest

LARGEST = 1e150
"""Numbers from here on are refused: their squares could not be added up."""


class Running(NamedTuple):
    """Rows to learn from: each is taken in when it arrives, and shown as it is scaled ``before`` that and ``now``."""

    source: Any
    moments: Moments
    raw: Any
    old: Any
    first: Any  # room for the rows before, and now
    second: Any
    before: Any  # the same, as a kernel sees it if there is one
    now: Any


class Asked(NamedTuple):
    """Rows to answer for: each is scaled by what is known, and teaches nothing."""

    source: Any
    moments: Moments
    raw: Any
    first: Any
    now: Any


@verb
def arrive(X, i):
    """Make row ``i`` ready; whether it is one to learn from, as far as its own numbers tell."""
    return True


@verb
def gather(X, rows, start, stop):
    """The same for a list; returns the first row that is not, or -1."""
    return -1


@verb
def place(X, i, position):
    """Where row ``i`` is found, which is the one at ``position`` of its list."""
    return i


@verb
def former(X):
    """The rows to predict, as the only one of a tuple, which is how compiled code can return an array."""
    return (X,)


@verb
def present(X):
    """The rows to learn, likewise."""
    return (X,)


@verb
def turn(X, at):
    """Go over from predicting a row to learning it."""


@verb
def score_twice(X, scorer, at, age, means, scores):
    """Score a row as it is predicted, into ``means``, and go over to learning it; returns as ``score`` does."""
    (asked,), (rows,) = former(X), present(X)
    score_mean(scorer, asked, at, age, means)
    turn(X, at)
    return score(scorer, rows, at, scores)


@score_twice.on(np.ndarray)
@score_twice.on(CSR)
def _(X, scorer, at, age, means, scores):
    return score_both(scorer, X, at, age, means, scores)


@verb
def withdraw(X):
    """Forget the last row that was taken in."""


@arrive.on(Running)
def _(X, i):
    if not largest(X.source, i) < LARGEST:
        return False
    unpack(X.source, i, X.raw, 0)
    show(X.raw, 0, X.moments, X.first)
    take_in(X.raw, 0, X.moments, X.old)
    show(X.raw, 0, X.moments, X.second)
    return True


@gather.on(Running)
def _(X, rows, start, stop):
    for p in range(start, stop):
        i = rows[p] if rows.shape[0] else p
        if not largest(X.source, i) < LARGEST:
            return i
        unpack(X.source, i, X.raw, p - start)
        show(X.raw, p - start, X.moments, X.first)
    for t in range(stop - start):
        take_in(X.raw, t, X.moments, X.old)
    for t in range(stop - start):
        show(X.raw, t, X.moments, X.second)
    return -1


@place.on(Running)
def _(X, i, position):
    return position


@former.on(Running)
def _(X):
    return (X.before,)


@present.on(Running)
def _(X):
    return (X.now,)


@turn.on(Running)
def _(X, at):
    look(X.now, at)


@withdraw.on(Running)
def _(X):
    put_back(X.raw, X.moments, X.old)


@arrive.on(Asked)
def _(X, i):
    unpack(X.source, i, X.raw, 0)
    show(X.raw, 0, X.moments, X.first)
    return True


@place.on(Asked)
def _(X, i, position):
    return position


@present.on(Asked)
def _(X):
    return (X.now,)
