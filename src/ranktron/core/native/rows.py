"""The compiled twins of ``core.rows``.

numba compiles a sum in a fixed order to scalar code, which is slower than memory from some forty columns on. So dense rows are
summed and added here in LLVM's vectors, lane for lane in the order of ``rows.lane_sum``: at memory speed, and equal bit for bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from ..rows import AnyRows
from .ir import Row, intrinsic, repeat

ONE, TWO, THREE, FOUR = np.arange(1, 5, dtype=np.uint64)


def dense_dot(X: AnyRows, i: int, w: np.ndarray) -> float:
    return _dot(X, i, w)


def dense_dot_mean(X: AnyRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> float:
    return _dot_mean(X, i, w, lag, age)


def dense_dot_both(X: AnyRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> tuple[float, float]:
    return _dot_both(X, i, w, lag, age)


def dense_dots(X: AnyRows, i: int, W: np.ndarray, out: np.ndarray) -> None:
    _dots(X, i, W, out)


def dense_dots_mean(X: AnyRows, i: int, W: np.ndarray, lags: np.ndarray, age: float, out: np.ndarray) -> None:
    _dots_mean(X, i, W, lags, age, out)


def dense_squared_norm(X: AnyRows, i: int) -> float:
    return _squared_norm(X, i)


def dense_largest(X: AnyRows, i: int) -> float:
    top = 0.0
    for j in range(X.shape[1]):
        x = abs(X[i, j])
        if x > top or x != x:  # NaN stays: no number is greater than it
            top = x
    return top


def dense_add(X: AnyRows, i: int, a: float, w: np.ndarray) -> None:
    _add(X, i, a, w)


def dense_add_both(X: AnyRows, i: int, a: float, w: np.ndarray, c: float, u: np.ndarray) -> None:
    _add_both(X, i, a, w, c, u)


def sparse_dot(X: AnyRows, i: int, w: np.ndarray) -> float:
    indices, values = X.indices, X.values  # named before the loop: numba does not lift them out of it
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])  # unsigned: no check for a negative index
    even = stop - (stop - start) % FOUR
    # Four sums in a fixed order, because each addition waits for the one before it in the same sum.
    s0 = s1 = s2 = s3 = 0.0
    for p in range(start, even, FOUR):
        s0 += values[p] * w[np.uint32(indices[p])]
        s1 += values[p + ONE] * w[np.uint32(indices[p + ONE])]
        s2 += values[p + TWO] * w[np.uint32(indices[p + TWO])]
        s3 += values[p + THREE] * w[np.uint32(indices[p + THREE])]
    total = (s0 + s1) + (s2 + s3)
    for p in range(even, stop):
        total += values[p] * w[np.uint32(indices[p])]
    return total


def sparse_dot_mean(X: AnyRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> float:
    indices, values = X.indices, X.values
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])
    even = stop - (stop - start) % FOUR
    s0 = s1 = s2 = s3 = 0.0
    for p in range(start, even, FOUR):
        j0, j1 = np.uint32(indices[p]), np.uint32(indices[p + ONE])
        j2, j3 = np.uint32(indices[p + TWO]), np.uint32(indices[p + THREE])
        s0 += values[p] * (age * w[j0] - lag[j0])
        s1 += values[p + ONE] * (age * w[j1] - lag[j1])
        s2 += values[p + TWO] * (age * w[j2] - lag[j2])
        s3 += values[p + THREE] * (age * w[j3] - lag[j3])
    total = (s0 + s1) + (s2 + s3)
    for p in range(even, stop):
        j0 = np.uint32(indices[p])
        total += values[p] * (age * w[j0] - lag[j0])
    return total


def sparse_dot_both(X: AnyRows, i: int, w: np.ndarray, lag: np.ndarray, age: float) -> tuple[float, float]:
    indices, values = X.indices, X.values
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])
    even = stop - (stop - start) % FOUR
    s0 = s1 = s2 = s3 = m0 = m1 = m2 = m3 = 0.0
    for p in range(start, even, FOUR):
        j0, j1 = np.uint32(indices[p]), np.uint32(indices[p + ONE])
        j2, j3 = np.uint32(indices[p + TWO]), np.uint32(indices[p + THREE])
        s0 += values[p] * w[j0]
        s1 += values[p + ONE] * w[j1]
        s2 += values[p + TWO] * w[j2]
        s3 += values[p + THREE] * w[j3]
        m0 += values[p] * (age * w[j0] - lag[j0])
        m1 += values[p + ONE] * (age * w[j1] - lag[j1])
        m2 += values[p + TWO] * (age * w[j2] - lag[j2])
        m3 += values[p + THREE] * (age * w[j3] - lag[j3])
    total, mean = (s0 + s1) + (s2 + s3), (m0 + m1) + (m2 + m3)
    for p in range(even, stop):
        j0 = np.uint32(indices[p])
        total += values[p] * w[j0]
        mean += values[p] * (age * w[j0] - lag[j0])
    return total, mean


def sparse_squared_norm(X: AnyRows, i: int) -> float:
    values = X.values
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])
    even = stop - (stop - start) % FOUR
    s0 = s1 = s2 = s3 = 0.0
    for p in range(start, even, FOUR):
        s0 += np.float64(values[p]) * np.float64(values[p])  # in doubles, as the definition does for any type of values
        s1 += np.float64(values[p + ONE]) * np.float64(values[p + ONE])
        s2 += np.float64(values[p + TWO]) * np.float64(values[p + TWO])
        s3 += np.float64(values[p + THREE]) * np.float64(values[p + THREE])
    total = (s0 + s1) + (s2 + s3)
    for p in range(even, stop):
        total += np.float64(values[p]) * np.float64(values[p])
    return total


def sparse_largest(X: AnyRows, i: int) -> float:
    values = X.values
    top = 0.0
    for p in range(X.indptr[i], X.indptr[i + 1]):
        x = abs(values[p])
        if x > top or x != x:
            top = x
    return top


def sparse_add(X: AnyRows, i: int, a: float, w: np.ndarray) -> None:
    indices, values = X.indices, X.values
    for p in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        w[np.uint32(indices[p])] += a * values[p]


def sparse_add_both(X: AnyRows, i: int, a: float, w: np.ndarray, c: float, u: np.ndarray) -> None:
    indices, values = X.indices, X.values
    for p in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        j, x = np.uint32(indices[p]), values[p]
        w[j] += a * x
        u[j] += c * x


@intrinsic
def _dot(typing: Any, X: Any, i: Any, w: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        return row.times(row.weights(2))[0]

    return types.float64(X, types.int64, w), codegen


@intrinsic
def _dot_mean(typing: Any, X: Any, i: Any, w: Any, lag: Any, age: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        return row.times(row.mean_weights(2, 3, 4))[0]

    return types.float64(X, types.int64, w, lag, types.float64), codegen


@intrinsic
def _dot_both(typing: Any, X: Any, i: Any, w: Any, lag: Any, age: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        return context.make_tuple(builder, signature.return_type, row.times(row.weights(2), row.mean_weights(2, 3, 4)))

    return types.UniTuple(types.float64, 2)(X, types.int64, w, lag, types.float64), codegen


@intrinsic
def _dots(typing: Any, X: Any, i: Any, W: Any, out: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        row.times_each(3, lambda m, j, width: row.across(2, m, j, width))
        return context.get_dummy_value()

    return types.void(X, types.int64, W, out), codegen


@intrinsic
def _dots_mean(typing: Any, X: Any, i: Any, W: Any, lags: Any, age: Any, out: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)

        def weights(m: ir.Value, j: ir.Value, width: int) -> ir.Value:
            now, late = (row.across(place, m, j, width) for place in (2, 3))
            return builder.fsub(builder.fmul(repeat(builder, args[4], width), now), late)

        row.times_each(5, weights)
        return context.get_dummy_value()

    return types.void(X, types.int64, W, lags, types.float64, out), codegen


@intrinsic
def _squared_norm(typing: Any, X: Any, i: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        return row.times(row.values)[0]

    return types.float64(X, types.int64), codegen


@intrinsic
def _add(typing: Any, X: Any, i: Any, a: Any, w: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        row.add_to((args[2], 3))
        return context.get_dummy_value()

    return types.void(X, types.int64, types.float64, w), codegen


@intrinsic
def _add_both(typing: Any, X: Any, i: Any, a: Any, w: Any, c: Any, u: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Row(context, builder, signature, args)
        row.add_to((args[2], 3), (args[4], 5))
        return context.get_dummy_value()

    return types.void(X, types.int64, types.float64, w, types.float64, u), codegen
