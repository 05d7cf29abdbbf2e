"""The compiled twins of ``core.moments`` for dense rows: short loops, which LLVM turns into vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..moments import NEXT, NOISE, WEIGHT, Moments, count_row, rescale_weights


def dense_standardise(raw: np.ndarray, t: int, moments: Moments, target: np.ndarray) -> None:
    centre, inverse = moments.centre, moments.inverse  # named before the loop: numba does not lift them out of it
    for j in range(raw.shape[1]):
        target[t, j] = (raw[t, j] - centre[j]) * inverse[j]


def dense_update_moments(raw: Any, t: int, moments: Moments, old: np.ndarray) -> None:
    rescale_weights(moments)
    mean, squares, stored = moments.mean, moments.squares, moments.stored
    centre, inverse, settled = moments.centre, moments.inverse, moments.settled
    step, size = moments.tally[NEXT], raw.shape[1]
    for j in range(size):
        old[0, j] = mean[j]
    for j in range(size):
        old[1, j] = squares[j]
    for j in range(size):
        old[2, j] = stored[j]
    for j in range(size):
        old[3, j] = centre[j]
    for j in range(size):
        old[4, j] = inverse[j]
    count_row(moments, old)
    weight = moments.tally[WEIGHT]
    share = step / weight if weight != 0.0 else 0.0
    for j in range(size):
        stored[j] = weight
    for j in range(size):
        away = raw[t, j] - mean[j]
        middle = mean[j] + away * share
        squares[j] += step * away * (raw[t, j] - middle)
        mean[j] = middle
    for j in range(size):
        variance = np.divide(squares[j], weight)
        live = np.divide(1.0, math.sqrt(variance)) if variance > NOISE * (mean[j] * mean[j]) else 0.0
        inverse[j] = inverse[j] if settled[j] == 1.0 else live
    for j in range(size):
        centre[j] = centre[j] if settled[j] == 1.0 else mean[j]
