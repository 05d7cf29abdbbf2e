"""Rows as the kernels read them, in place: dense arrays and CSR matrices, and the arithmetic on one row.

A sum runs in lanes in a fixed order, without fused or reordered arithmetic, so it is the same bit for bit on any machine,
compiled or not: eight lanes for dense rows, where they become vectors, four for sparse ones. The bodies here are the definition
and run where nothing is compiled; their compiled twins are in ``native.rows`` and ``native.kernel_rows``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic


class CSR(NamedTuple):
    """A scipy CSR matrix: row i holds ``values[p]`` in column ``indices[p]`` for p from ``indptr[i]`` to ``indptr[i + 1]``."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray


Rows = np.ndarray | CSR

# Rows, or a view of rows that has bodies of the functions below: as a kernel sees them, or as they are scaled.
AnyRows = Any


@generic
def dot(X: AnyRows, i: int, w: np.ndarray) -> float:
    """The inner product of row ``i`` with ``w``."""
    raise NotImplementedError


@generic
def dot_mean(X: AnyRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> float:
    """The inner product of row ``i`` with ``age * w - lag``."""
    raise NotImplementedError


@generic
def dot_both(X: AnyRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> tuple[float, float]:
    """``dot`` and ``dot_mean``, in one reading of the row."""
    raise NotImplementedError


@generic
def dots(X: AnyRows, i: int, W: np.ndarray, out: np.ndarray) -> None:
    """The inner products of row ``i`` with every row of ``W``."""
    for m in range(out.shape[0]):
        out[m] = dot(X, i, W[m])


@generic
def dots_mean(X: AnyRows, i: int, W: np.ndarray, lags: np.ndarray, age: float, out: np.ndarray) -> None:
    """The inner products of row ``i`` with every row of ``age * W - lags``."""
    for m in range(out.shape[0]):
        out[m] = dot_mean(X, i, W[m], lags[m], age)


@generic
def squared_norm(X: AnyRows, i: int) -> float:
    """The squared Euclidean norm of row ``i``."""
    raise NotImplementedError


@generic
def products(X: AnyRows, i: int, points: np.ndarray, count: int, values: np.ndarray) -> None:
    """Write the inner products of row ``i`` with the first ``count`` columns of ``points``."""
    raise NotImplementedError


@generic
def distances(X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray) -> None:
    """Write the squared distances of row ``i`` from the first ``count`` columns of ``points``; ``squares`` are their norms."""
    raise NotImplementedError


@generic
def store(X: AnyRows, i: int, points: np.ndarray, column: int) -> None:
    """Write row ``i`` into a column of ``points``."""
    raise NotImplementedError


@generic
def largest(X: AnyRows, i: int) -> float:
    """The largest absolute value in row ``i``, or NaN if the row has one."""
    raise NotImplementedError


@generic
def add(X: AnyRows, i: int, a: Any, w: np.ndarray) -> None:
    """w += a * row i"""
    raise NotImplementedError


@generic
def add_both(X: AnyRows, i: int, a: Any, w: np.ndarray, c: Any, u: np.ndarray) -> None:
    """w += a * row i and u += c * row i, in one reading of the row."""
    raise NotImplementedError


def lane_sum(products: np.ndarray, lanes: int = 8) -> float:
    """Add up in four or eight lanes: the order of the sums in every inner product of the library.

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


def lane_sums(products: np.ndarray) -> np.ndarray:
    """``lane_sum`` of every row."""
    even = products.shape[1] - products.shape[1] % 4
    sums = np.zeros((8, len(products)))
    for j in range(even):
        sums[j % 8] += products[:, j]
    s0, s1, s2, s3 = sums[:4] + sums[4:]
    totals: np.ndarray = (s0 + s1) + (s2 + s3)
    for j in range(even, products.shape[1]):
        totals += products[:, j]
    return totals


@dots.on(np.ndarray, compiled="ranktron.core.native.rows:dense_dots")
def dots_dense(X: np.ndarray, i: int, W: np.ndarray, out: np.ndarray) -> None:
    out[:] = lane_sums(X[i] * W[:, : X.shape[1]])


@dots_mean.on(np.ndarray, compiled="ranktron.core.native.rows:dense_dots_mean")
def dots_mean_dense(X: np.ndarray, i: int, W: np.ndarray, lags: np.ndarray, age: float, out: np.ndarray) -> None:
    out[:] = lane_sums(X[i] * (age * W[:, : X.shape[1]] - lags[:, : X.shape[1]]))


@dot.on(np.ndarray, compiled="ranktron.core.native.rows:dense_dot")
def dot_dense(X: np.ndarray, i: int, w: np.ndarray) -> float:
    return lane_sum(X[i] * w[: X.shape[1]])


@dot_mean.on(np.ndarray, compiled="ranktron.core.native.rows:dense_dot_mean")
def dot_mean_dense(X: np.ndarray, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> float:
    return lane_sum(X[i] * (age * w[: X.shape[1]] - lag[: X.shape[1]]))


@dot_both.on(np.ndarray, compiled="ranktron.core.native.rows:dense_dot_both")
@dot_both.on(CSR, compiled="ranktron.core.native.rows:sparse_dot_both")
def dot_both_plain_rows(X: CSR | np.ndarray, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> tuple[float, float]:
    return dot(X, i, w), dot_mean(X, i, w, lag, age)


@squared_norm.on(np.ndarray, compiled="ranktron.core.native.rows:dense_squared_norm")
def squared_norm_dense(X: np.ndarray, i: int) -> float:
    return lane_sum(np.square(X[i], dtype=np.float64))


@largest.on(np.ndarray, compiled="ranktron.core.native.rows:dense_largest")
def largest_dense(X: np.ndarray, i: int) -> float:
    return float(np.abs(X[i]).max(initial=0.0))


@add.on(np.ndarray, compiled="ranktron.core.native.rows:dense_add")
def add_dense(X: np.ndarray, i: int, a: float, w: np.ndarray) -> None:
    w[: X.shape[1]] += a * X[i].astype(np.float64)


@add_both.on(np.ndarray, compiled="ranktron.core.native.rows:dense_add_both")
@add_both.on(CSR, compiled="ranktron.core.native.rows:sparse_add_both")
def add_both_plain_rows(X: CSR | np.ndarray, i: int, a: float, w: np.ndarray, c: float, u: np.ndarray) -> None:
    add(X, i, a, w)
    add(X, i, c, u)


@products.on(np.ndarray, compiled="ranktron.core.native.kernel_rows:dense_products")
def products_dense(X: np.ndarray, i: int, points: np.ndarray, count: int, values: np.ndarray) -> None:
    x, points = X[i].astype(np.float64)[:, None], points[:, :count]
    values[:count] = _sum_by_fours(x * points[: len(x)])


@distances.on(np.ndarray, compiled="ranktron.core.native.kernel_rows:dense_distances")
def distances_dense(X: np.ndarray, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray) -> None:
    x, points = X[i].astype(np.float64)[:, None], points[:, :count]
    values[:count] = _sum_by_fours(np.square(x - points[: len(x)]))


def _sum_by_fours(terms: np.ndarray) -> np.ndarray:
    """Add up rows, four at a time."""
    total, even = np.zeros(terms.shape[1]), len(terms) - len(terms) % 4
    for j in range(0, even, 4):
        total += (terms[j] + terms[j + 1]) + (terms[j + 2] + terms[j + 3])
    for term in terms[even:]:
        total += term
    return total


@store.on(np.ndarray)
def store_dense(X: np.ndarray, i: int, points: np.ndarray, column: int) -> None:
    for j in range(X.shape[1]):
        points[j, column] = X[i, j]


def _stored(X: CSR, i: int) -> tuple[np.ndarray, np.ndarray]:
    part = slice(X.indptr[i], X.indptr[i + 1])
    return X.indices[part], X.values[part].astype(np.float64)


@dot.on(CSR, compiled="ranktron.core.native.rows:sparse_dot")
def dot_csr(X: CSR, i: int, w: np.ndarray) -> float:
    columns, values = _stored(X, i)
    return lane_sum(values * w[columns], 4)


@dot_mean.on(CSR, compiled="ranktron.core.native.rows:sparse_dot_mean")
def dot_mean_csr(X: CSR, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> float:
    columns, values = _stored(X, i)
    return lane_sum(values * (age * w[columns] - lag[columns]), 4)


@squared_norm.on(CSR, compiled="ranktron.core.native.rows:sparse_squared_norm")
def squared_norm_csr(X: CSR, i: int) -> float:
    return lane_sum(np.square(_stored(X, i)[1]), 4)


@largest.on(CSR, compiled="ranktron.core.native.rows:sparse_largest")
def largest_csr(X: CSR, i: int) -> float:
    return float(np.abs(_stored(X, i)[1]).max(initial=0.0))


@add.on(CSR, compiled="ranktron.core.native.rows:sparse_add")
def add_csr(X: CSR, i: int, a: float, w: np.ndarray) -> None:
    columns, values = _stored(X, i)
    np.add.at(w, columns, a * values)  # and not w[columns] +=, which would count a repeated column once


@products.on(CSR, compiled="ranktron.core.native.kernel_rows:sparse_products")
def products_csr(X: CSR, i: int, points: np.ndarray, count: int, values: np.ndarray) -> None:
    values[:count] = 0.0
    for column, value in zip(*_stored(X, i)):
        values[:count] += value * points[column, :count]


@distances.on(CSR, compiled="ranktron.core.native.kernel_rows:sparse_distances")
def distances_csr(X: CSR, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray) -> None:
    values[:count] = squares[:count]
    for column, value in zip(*_stored(X, i)):
        point = points[column, :count]
        values[:count] += (value - 2.0 * point) * value
    np.maximum(values[:count], 0.0, out=values[:count])


@store.on(CSR)
def store_csr(X: CSR, i: int, points: np.ndarray, column: int) -> None:
    for j in range(points.shape[0]):
        points[j, column] = 0.0
    for p in range(X.indptr[i], X.indptr[i + 1]):
        points[X.indices[p], column] += X.values[p]
