"""The compiled twins of ``core.exponential``, and of the inner products and distances with a support in ``core.rows``."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from ..exponential import INVERSE_LOG_2, LOG_2_HIGH, LOG_2_LOW, LOWEST, ROUNDER, TERMS
from ..rows import AnyRows
from .ir import intrinsic

T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13 = TERMS


def exponentials(numbers: np.ndarray, count: int, factor: float) -> None:
    for s in range(count):
        x = factor * numbers[s]
        kept = max(x, LOWEST)
        shifted = kept * INVERSE_LOG_2 + ROUNDER
        n = shifted - ROUNDER
        r = (kept - n * LOG_2_HIGH) - n * LOG_2_LOW
        # Horner's rule, written out: numba would not unroll a loop over the terms.
        power = ((((((T0 * r + T1) * r + T2) * r + T3) * r + T4) * r + T5) * r + T6) * r + T7
        power = (((((power * r + T8) * r + T9) * r + T10) * r + T11) * r + T12) * r + T13
        scaled = _times_power_of_two(power, shifted)
        # The comparisons become a selection, so that the loop stays in vectors; NaN is kept.
        numbers[s] = scaled if x >= LOWEST else (0.0 if x < LOWEST else x)


@intrinsic
def _times_power_of_two(typing: Any, power: Any, shifted: Any) -> Any:
    """power · 2^n for the whole number n in the last bits of ``shifted``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, n = (builder.bitcast(value, ir.IntType(64)) for value in args)
        return builder.bitcast(builder.add(number, builder.shl(n, ir.Constant(ir.IntType(64), 52))), ir.DoubleType())

    return types.float64(types.float64, types.float64), codegen


def dense_products(X: AnyRows, i: int, points: np.ndarray, count: int, values: np.ndarray) -> None:
    even = X.shape[1] - X.shape[1] % 4
    for s in range(count):
        values[s] = 0.0
    for j in range(0, even, 4):
        x0, x1, x2, x3 = np.float64(X[i, j]), np.float64(X[i, j + 1]), np.float64(X[i, j + 2]), np.float64(X[i, j + 3])
        p0, p1, p2, p3 = points[j], points[j + 1], points[j + 2], points[j + 3]
        for s in range(count):
            # Four features at a time, so that ``values`` is read and written a quarter as often.
            values[s] += (x0 * p0[s] + x1 * p1[s]) + (x2 * p2[s] + x3 * p3[s])
    for j in range(even, X.shape[1]):
        x0, p0 = np.float64(X[i, j]), points[j]
        for s in range(count):
            values[s] += x0 * p0[s]


def dense_distances(X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray) -> None:
    even = X.shape[1] - X.shape[1] % 4
    for s in range(count):
        values[s] = 0.0
    for j in range(0, even, 4):
        x0, x1, x2, x3 = np.float64(X[i, j]), np.float64(X[i, j + 1]), np.float64(X[i, j + 2]), np.float64(X[i, j + 3])
        p0, p1, p2, p3 = points[j], points[j + 1], points[j + 2], points[j + 3]
        for s in range(count):
            d0, d1, d2, d3 = x0 - p0[s], x1 - p1[s], x2 - p2[s], x3 - p3[s]
            values[s] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
    for j in range(even, X.shape[1]):
        x0, p0 = np.float64(X[i, j]), points[j]
        for s in range(count):
            d0 = x0 - p0[s]
            values[s] += d0 * d0


def sparse_products(X: AnyRows, i: int, points: np.ndarray, count: int, values: np.ndarray) -> None:
    for s in range(count):
        values[s] = 0.0
    for p in range(X.indptr[i], X.indptr[i + 1]):
        x, column = np.float64(X.values[p]), points[X.indices[p]]
        for s in range(count):
            values[s] += x * column[s]


def sparse_distances(X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray) -> None:
    for s in range(count):
        values[s] = squares[s]
    for p in range(X.indptr[i], X.indptr[i + 1]):
        x, column = np.float64(X.values[p]), points[X.indices[p]]
        for s in range(count):
            values[s] += (x - 2.0 * column[s]) * x
    for s in range(count):
        values[s] = max(values[s], 0.0)
