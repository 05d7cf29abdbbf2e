"""Rows as the kernels read them, in place: dense arrays and CSR matrices, and the arithmetic on one row.

A sum runs in lanes in a fixed order, without fused or reordered arithmetic, so it is the same bit for bit on any machine,
compiled or not: eight lanes for dense rows, where they become vectors, four for sparse ones. The bodies here are the definition
and run where nothing is compiled; ``_compiled_rows`` holds the same arithmetic as loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._verbs import verb


class CSR(NamedTuple):
    """A scipy CSR matrix: row i holds ``values[p]`` in column ``indices[p]`` for p from ``indptr[i]`` to ``indptr[i + 1]``."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray


Rows = np.ndarray | CSR


@verb
def dot(X, i, w):
    """The inner product of row ``i`` with ``w``."""


@verb
def dot_mean(X, i, w, lag, age):
    """The inner product of row ``i`` with ``age * w - lag``."""


@verb
def squared_norm(X, i):
    """The squared Euclidean norm of row ``i``."""


@verb
def largest(X, i):
    """The largest absolute value in row ``i``, or NaN if one is there."""


@verb
def add(X, i, a, w):
    """w += a * row i"""


@verb
def add_both(X, i, a, w, c, u):
    """w += a * row i and u += c * row i, in one reading of the row."""


def lane_sum(products: np.ndarray, lanes: int = 8) -> float:
    """Add up in so many lanes: the order that every inner product of the library keeps.

    >>> lane_sum(np.array([1e16, 1.0, -1e16, 1.0]))  # from left to right it would be 1
    0.0
    """
    terms = products.tolist()
    even = len(terms) - len(terms) % 4
    sums = [0.0] * lanes
    for j in range(even):
        sums[j % lanes] += terms[j]
    s0, s1, s2, s3 = (sums[lane] + sums[lane + 4] if lanes == 8 else sums[lane] for lane in range(4))
    total = (s0 + s1) + (s2 + s3)
    for term in terms[even:]:
        total += term
    return total


@dot.on(np.ndarray, compiled="ranktron._compiled_rows:dense_dot")
def _(X, i, w):
    return lane_sum(X[i] * w[: X.shape[1]])


@dot_mean.on(np.ndarray, compiled="ranktron._compiled_rows:dense_dot_mean")
def _(X, i, w, lag, age):
    return lane_sum(X[i] * (age * w[: X.shape[1]] - lag[: X.shape[1]]))


@squared_norm.on(np.ndarray, compiled="ranktron._compiled_rows:dense_squared_norm")
def _(X, i):
    return lane_sum(np.square(X[i], dtype=np.float64))


@largest.on(np.ndarray, compiled="ranktron._compiled_rows:dense_largest")
def _(X, i):
    return float(np.abs(X[i]).max(initial=0.0))


@add.on(np.ndarray, compiled="ranktron._compiled_rows:dense_add")
def _(X, i, a, w):
    w[: X.shape[1]] += a * X[i].astype(np.float64)


@add_both.on(np.ndarray, compiled="ranktron._compiled_rows:dense_add_both")
def _(X, i, a, w, c, u):
    add(X, i, a, w)
    add(X, i, c, u)


def _stored(X: CSR, i: int) -> tuple[np.ndarray, np.ndarray]:
    part = slice(X.indptr[i], X.indptr[i + 1])
    return X.indices[part], X.values[part].astype(np.float64)


@dot.on(CSR, compiled="ranktron._compiled_rows:sparse_dot")
def _(X, i, w):
    columns, values = _stored(X, i)
    return lane_sum(values * w[columns], 4)


@dot_mean.on(CSR, compiled="ranktron._compiled_rows:sparse_dot_mean")
def _(X, i, w, lag, age):
    columns, values = _stored(X, i)
    return lane_sum(values * (age * w[columns] - lag[columns]), 4)


@squared_norm.on(CSR, compiled="ranktron._compiled_rows:sparse_squared_norm")
def _(X, i):
    return lane_sum(np.square(_stored(X, i)[1]), 4)


@largest.on(CSR, compiled="ranktron._compiled_rows:sparse_largest")
def _(X, i):
    return float(np.abs(_stored(X, i)[1]).max(initial=0.0))


@add.on(CSR, compiled="ranktron._compiled_rows:sparse_add")
def _(X, i, a, w):
    columns, values = _stored(X, i)
    np.add.at(w, columns, a * values)


@add_both.on(CSR, compiled="ranktron._compiled_rows:sparse_add_both")
def _(X, i, a, w, c, u):
    add(X, i, a, w)
    add(X, i, c, u)
