"""PRank written by hand for numba: one fused loop, no checks, ranks from 0."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit
def plain(X, ranks, w, b):
    """Learn every row; returns the number of mistakes."""
    mistakes = 0
    for i in range(X.shape[0]):
        projection = dot(X, i, w)
        label = ranks[i]
        if reached(b, projection) != label:
            mistakes += 1
            push = 0.0
            for r in range(b.shape[0]):
                side = 1.0 if label > r else -1.0
                if side * (projection - b[r]) <= 0.0:
                    b[r] -= side
                    push += side
            for j in range(X.shape[1]):
                w[j] += push * X[i, j]
    return mistakes


@numba.njit
def averaged(X, ranks, w, b, w_lag, b_lag):
    """The same with averaging: the mean over time is w minus ``w_lag`` divided by the age."""
    mistakes = 0
    for i in range(X.shape[0]):
        projection = dot(X, i, w)
        label = ranks[i]
        if reached(b, projection) != label:
            mistakes += 1
            push = 0.0
            for r in range(b.shape[0]):
                side = 1.0 if label > r else -1.0
                if side * (projection - b[r]) <= 0.0:
                    b[r] -= side
                    b_lag[r] -= side * i
                    push += side
            lagged = push * i
            for j in range(X.shape[1]):
                x = X[i, j]
                w[j] += push * x
                w_lag[j] += lagged * x
    return mistakes


@numba.njit(inline="always")
def dot(X, i, w):
    """An inner product in four partial sums, because each addition to a single one would wait for the one before."""
    fours = X.shape[1] - X.shape[1] % 4
    s0 = s1 = s2 = s3 = 0.0
    for j in range(0, fours, 4):
        s0 += X[i, j] * w[j]
        s1 += X[i, j + 1] * w[j + 1]
        s2 += X[i, j + 2] * w[j + 2]
        s3 += X[i, j + 3] * w[j + 3]
    total = (s0 + s1) + (s2 + s3)
    for j in range(fours, X.shape[1]):
        total += X[i, j] * w[j]
    return total


@numba.njit(inline="always")
def reached(b, projection):
    """The number of thresholds that the projection reaches."""
    count = 0
    for r in range(b.shape[0]):
        count += projection >= b[r]
    return count


def learn(X: np.ndarray, ranks: np.ndarray, n_ranks: int, average: bool) -> tuple[np.ndarray, np.ndarray]:
    """The direction and thresholds after one pass."""
    w, b = np.zeros(X.shape[1]), np.zeros(n_ranks - 1)
    if not average:
        plain(X, ranks, w, b)
        return w, b
    w_lag, b_lag = np.zeros_like(w), np.zeros_like(b)
    averaged(X, ranks, w, b, w_lag, b_lag)
    return w - w_lag / len(X), b - b_lag / len(X)
