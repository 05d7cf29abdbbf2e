"""The compiled twins of the vector arithmetic in ``scorers.gaussian``: loops that LLVM turns into vectors."""

from __future__ import annotations

import math

import numpy as np

from ..rows import AnyRows


def dense_weighted_sum_of_lines(X: AnyRows, i: int, lines: np.ndarray, out: np.ndarray) -> None:
    """Read four lines at a time, and add them up one after another, as sparse rows are."""
    fours = X.shape[1] - X.shape[1] % 4
    for s in range(out.shape[0]):
        out[s] = 0.0
    for j in range(0, fours, 4):
        x0, x1, x2, x3 = np.float64(X[i, j]), np.float64(X[i, j + 1]), np.float64(X[i, j + 2]), np.float64(X[i, j + 3])
        u0, u1, u2, u3 = lines[j], lines[j + 1], lines[j + 2], lines[j + 3]
        for s in range(out.shape[0]):
            out[s] = (((out[s] + x0 * u0[s]) + x1 * u1[s]) + x2 * u2[s]) + x3 * u3[s]
    for j in range(fours, X.shape[1]):
        x0, u0 = np.float64(X[i, j]), lines[j]
        for s in range(out.shape[0]):
            out[s] += x0 * u0[s]


def sparse_weighted_sum_of_lines(X: AnyRows, i: int, lines: np.ndarray, out: np.ndarray) -> None:
    for s in range(out.shape[0]):
        out[s] = 0.0
    for p in range(X.indptr[i], X.indptr[i + 1]):
        x, line = np.float64(X.values[p]), lines[X.indices[p]]
        for s in range(out.shape[0]):
            out[s] += x * line[s]


def subtract_into(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    for j in range(out.shape[0]):
        out[j] = a[j] - b[j]


def subtract_scaled(a: np.ndarray, factor: float, b: np.ndarray) -> None:
    for j in range(a.shape[0]):
        a[j] -= factor * b[j]


def scale_vector(a: np.ndarray, factor: float) -> None:
    for j in range(a.shape[0]):
        a[j] *= factor


def sum_of_steps(out: np.ndarray, steps: np.ndarray, paces: np.ndarray) -> None:
    for j in range(out.shape[0]):
        out[j] = 0.0
    for r in range(paces.shape[0]):
        pace, step = paces[r], steps[r]
        for j in range(out.shape[0]):
            out[j] += pace * step[j]


def move_with_lag(w: np.ndarray, lag: np.ndarray, move: np.ndarray, age: float) -> None:
    for j in range(w.shape[0]):
        w[j] += move[j]
    for j in range(lag.shape[0]):
        lag[j] += age * move[j]


def subtract_outer_products(covariance: np.ndarray, steps: np.ndarray) -> None:
    """Row by row, with four steps at a time, so that the covariance is read and written once."""
    fours = steps.shape[0] - steps.shape[0] % 4
    for i in range(covariance.shape[0]):
        row = covariance[i]
        for r in range(0, fours, 4):
            u0, u1, u2, u3 = steps[r], steps[r + 1], steps[r + 2], steps[r + 3]
            a0, a1, a2, a3 = u0[i], u1[i], u2[i], u3[i]
            for j in range(row.shape[0]):
                # a0 * u0[j] is the same product as in the transposed place, so the covariance stays symmetric to the last bit.
                row[j] = (((row[j] - a0 * u0[j]) - a1 * u1[j]) - a2 * u2[j]) - a3 * u3[j]
        for r in range(fours, steps.shape[0]):
            u0 = steps[r]
            a0 = u0[i]
            for j in range(row.shape[0]):
                row[j] -= a0 * u0[j]


def forget_toward_prior(covariance: np.ndarray, factors: np.ndarray, prior: float, keep: float) -> None:
    most = math.sqrt(1.0 / keep)
    for j in range(factors.shape[0]):
        factors[j] = min(most, max(1.0, math.sqrt(prior / max(covariance[j, j], prior * keep))))
    for i in range(factors.shape[0]):
        row, factor = covariance[i], factors[i]
        for j in range(factors.shape[0]):
            row[j] *= factor * factors[j]
