"""Rows as a kernel sees them: by their kernel values with the support, the rows that the hypothesis was moved along.

A hypothesis has one weight per row of the support. Its inner product with a row is a sum of kernel values, and moving it along a
row appends the row to the support. So every scorer made of ``dot`` and ``add`` learns with a kernel, without any code for it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..kernels import own_value, values_with
from .budget import column_weight, drop_column, removal_cost, shrink
from .checks import LARGEST_DOUBLE, check_between, check_numbers, require
from .hashed_random import below
from .protocol import Scorer, evaluate_kernel, store_in_support
from .rows import add, add_both, dot, dot_mean, dots, dots_mean, largest, squared_norm, store

POLICIES = ("oldest", "random", "forgetron")
OLDEST, RANDOM, FORGETRON = range(3)

# Places in ``Support.counts``: the rows held, the place of the next one, whether the hypothesis was moved along the present row,
# and how many rows were ever added and removed.
HELD, NEXT, MOVED, JOINED, EVICTED = range(5)


# No squared norm is taken for smaller, so that nothing is divided by 0.
TINY = 1e-300


class Support(NamedTuple):
    """The rows of the support, one per column; ``born`` numbers them in order of arrival, -1 where a column is free."""

    points: np.ndarray
    squares: np.ndarray
    own: np.ndarray
    born: np.ndarray
    counts: np.ndarray
    damage: np.ndarray  # of the Forgetron: the largest squared norm, and the damage done so far
    seed: np.ndarray


class KernelRows(NamedTuple):
    """``rows`` as ``kernel`` sees them; ``values`` has the kernel values of the present row, and of a row to be removed."""

    rows: Any
    support: Support
    kernel: Any
    values: np.ndarray
    finite: np.ndarray  # 0, or NaN if the present row is not finite, which its kernel values may hide: they may all be 0
    budget: int  # 0 for none
    policy: int


def support(n_features: int, budget: int, seed: int) -> Support:
    """An empty support, with capacity for the budget, if there is one, and one more: a row is added before one is removed."""
    capacity = rounded(budget + 1)
    points, squares, own, born = np.zeros((n_features, capacity)), np.zeros(capacity), np.zeros(capacity), np.full(capacity, -1)
    return Support(points, squares, own, born, np.zeros(5, np.int64), np.zeros(2), np.array([seed], np.uint64))


def rounded(count: int) -> int:
    """``count`` rounded up to a multiple of eight, so that sums in eight lanes do not depend on the capacity."""
    return -(-count // 8) * 8


def enlarged(one: Support, n_features: int, rows: int) -> Support:
    """The support with capacity for ``n_features`` features and ``rows`` more rows."""
    features, capacity = one.points.shape
    needed = rounded(int(one.counts[HELD]) + rows)
    features, capacity = (old if new <= old else max(new, 2 * old) for old, new in ((features, n_features), (capacity, needed)))
    if (features, capacity) == one.points.shape:
        return one
    points = np.zeros((features, capacity))
    points[: one.points.shape[0], : one.points.shape[1]] = one.points
    born = np.full(capacity, -1)
    born[: len(one.born)] = one.born
    squares, own = (np.concatenate([part, np.zeros(capacity - len(part))]) for part in (one.squares, one.own))
    return one._replace(points=points, squares=squares, own=own, born=born)


def cut_back(one: Support, n_features: int, rows: int) -> Support:
    """The support without spare capacity."""
    return one._replace(
        points=one.points[:n_features, :rows], squares=one.squares[:rows], own=one.own[:rows], born=one.born[:rows]
    )


def check_support(one: Support, budget: int) -> None:
    """Raise ValueError if a support of a model file is in a state that learning never leaves behind."""
    for name in ("points", "counts"):
        check_numbers(f"support.{name}", getattr(one, name))
    for name in ("squares", "own"):
        check_between(f"support.{name}", getattr(one, name), 0.0, LARGEST_DOUBLE)
    held, place, moved, joined, evicted = one.counts.tolist()
    check_between("support.born", one.born, -1, joined - 1)
    born = one.born[one.born >= 0]
    free = place == held if not budget or not evicted else place <= budget and one.born[place] < 0
    right = (
        held == len(born) == len(np.unique(born)) == joined - evicted
        and moved == 0
        and (held <= budget if budget else not evicted)
    )
    require(right and free, f"support.counts {one.counts.tolist()} do not agree with support.born")
    check_between("support.damage", one.damage[:1], 0.0, LARGEST_DOUBLE)
    check_between("support.damage", one.damage[1:], 0.0, 15.0 / 32.0 * joined * (1.0 + 1e-6))


@inline
def support_width(X: KernelRows) -> int:
    """The number of places of the support that sums run over."""
    top = X.support.counts[HELD] + (1 if X.budget else 0)
    return min(X.values.shape[1], (top + 7) // 8 * 8)


@evaluate_kernel.on(KernelRows)
def evaluate_kernel_kernel_rows(X: KernelRows, i: int) -> None:
    one, count = X.support, support_width(X)
    values_with(X.kernel, X.rows, i, one.points, one.squares, count, X.values[0])
    for s in range(count):
        if one.born[s] < 0:
            X.values[0, s] = 0.0
    X.finite[0] = 0.0 * squared_norm(X.rows, i)


@dot.on(KernelRows)
def dot_kernel_rows(X: KernelRows, i: int, w: np.ndarray) -> float:
    return dot(X.values[:1, : support_width(X)], 0, w) + X.finite[0]


@dot_mean.on(KernelRows)
def dot_mean_kernel_rows(X: KernelRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> float:
    return dot_mean(X.values[:1, : support_width(X)], 0, w, lag, age) + X.finite[0]


@dots.on(KernelRows)
def dots_kernel_rows(X: KernelRows, i: int, W: np.ndarray, out: np.ndarray) -> None:
    dots(X.values[:1, : support_width(X)], 0, W, out)


@dots_mean.on(KernelRows)
def dots_mean_kernel_rows(X: KernelRows, i: int, W: np.ndarray, lags: np.ndarray, age: float, out: np.ndarray) -> None:
    dots_mean(X.values[:1, : support_width(X)], 0, W, lags, age, out)


@squared_norm.on(KernelRows)
def squared_norm_kernel_rows(X: KernelRows, i: int) -> float:
    return own_value(X.kernel, X.rows, i)


@largest.on(KernelRows)
def largest_kernel_rows(X: KernelRows, i: int) -> float:
    return largest(X.rows, i)


@add.on(KernelRows)
def add_kernel_rows(X: KernelRows, i: int, a: float, w: np.ndarray) -> None:
    w[X.support.counts[NEXT]] += a
    X.support.counts[MOVED] = 1


@add_both.on(KernelRows)
def add_both_kernel_rows(X: KernelRows, i: int, a: float, w: np.ndarray, c: float, u: np.ndarray) -> None:
    add(X, i, a, w)
    u[X.support.counts[NEXT]] += c


@store_in_support.on(KernelRows)
def store_in_support_kernel_rows(X: KernelRows, i: int, scorer: Scorer, age: float) -> None:
    one = X.support
    if one.counts[MOVED] == 0:
        return
    new = one.counts[NEXT]
    store(X.rows, i, one.points, new)
    one.squares[new], one.own[new], one.born[new] = squared_norm(X.rows, i), own_value(X.kernel, X.rows, i), one.counts[JOINED]
    one.damage[0] = max(one.damage[0], one.own[new])
    one.counts[MOVED] = 0
    one.counts[JOINED] += 1
    one.counts[HELD] += 1
    one.counts[NEXT] = one.counts[HELD]
    if X.budget and one.counts[HELD] > X.budget:
        evict(X, new, scorer, age)


@inline
def evict(X: KernelRows, new: int, scorer: Scorer, age: float) -> None:
    """Remove one row, so that the budget is kept; its place is for the next row."""
    one = X.support
    place = (new + 1) % (X.budget + 1)  # the oldest, because places are taken in turn
    if X.policy == RANDOM:
        place = (new + 1 + below(X.budget, one.seed[0], one.counts[EVICTED])) % (X.budget + 1)
    if X.policy == FORGETRON:
        relieve(X, place, scorer, age)
    drop_column(scorer, place)
    one.born[place] = -1
    one.counts[NEXT] = place
    one.counts[HELD] -= 1
    one.counts[EVICTED] += 1


@inline
def relieve(X: KernelRows, place: int, scorer: Scorer, age: float) -> None:
    """Shrink the hypothesis, so that removing a row does little damage (Dekel, Shalev-Shwartz & Singer 2008, Figure 3).

    The damage is a φ² + d φ if the hypothesis is multiplied by φ, and its sum may be 15/32 per update.
    """
    one, count = X.support, X.budget + 1
    values_with(X.kernel, one.points.T, place, one.points, one.squares, count, X.values[1])
    a = removal_cost(scorer, place, X.values[1:, : (count + 7) // 8 * 8], one.own[place]) / max(one.damage[0], TINY)
    d = 2.0 * column_weight(scorer, place)
    left = 15.0 / 32.0 * one.counts[JOINED] - one.damage[1]
    factor = 1.0
    if a + d > left:
        factor = 2.0 * left / (d + math.sqrt(d * d + 4.0 * a * left))
        shrink(scorer, factor, age)
    one.damage[1] += (a * factor + d) * factor
