"""How sure a mean over a few repeats is, and which differences are more than luck: Student's t in plain Python."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

CONFIDENCE = 0.95


def inside(t: float, degrees: int) -> float:
    """The probability that Student's t with so many degrees of freedom lies between -t and t: a finite sum.

    >>> round(inside(1.0, 1), 12)  # a Cauchy variable is as often within ±1 as beyond
    0.5
    """
    angle = math.atan2(t, math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term, terms = cosine if odd else 1.0, []
    for k in range(1 + odd, degrees, 2):
        terms.append(term)
        term *= cosine * cosine * k / (k + 1)
    total = sine * math.fsum(terms)
    return 2.0 / math.pi * (angle + total) if odd else total


@functools.lru_cache(256)
def quantile(confidence: float, degrees: int) -> float:
    """The t that Student's variable stays within, to either side, with this probability.

    >>> round(quantile(0.95, 4), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while inside(high, degrees) < confidence:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = (low + high) / 2.0
        low, high = (middle, high) if inside(middle, degrees) < confidence else (low, middle)
    return high


class Mean(NamedTuple):
    """A mean and half the length of its interval; NaN where one repeat says nothing about others."""

    value: float
    half: float


def mean_of(values: Any, comparisons: int = 1) -> Mean:
    """The mean over repeats with its interval, wide enough for so many of them to hold at once (Bonferroni)."""
    values = np.asarray(values, float)
    value, half = means_of(values[:, None], comparisons)
    return Mean(float(value[0]), float(half[0]))


def means_of(values: np.ndarray, comparisons: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The same for every column: the means, and half the lengths of their intervals."""
    count = len(values)
    value = values.mean(axis=0)
    if count < 2:
        return value, np.full(value.shape, math.nan)
    t = quantile(1.0 - (1.0 - CONFIDENCE) / comparisons, count - 1)
    return value, t * values.std(axis=0, ddof=1) / math.sqrt(count)


class Behind(NamedTuple):
    """How far one is behind the best, and whether that is sure; ``sure`` is None where there is nothing to judge it by."""

    difference: float
    half: float
    sure: bool | None


def behind(best: Sequence[float], other: Sequence[float], comparisons: int) -> Behind:
    """Compare the losses of two in the same repeats: the order of the rows is the same for both, so it falls out."""
    difference, half = mean_of(np.asarray(other, float) - np.asarray(best, float), comparisons)
    return Behind(difference, half, None if math.isnan(half) else difference > half)
