"""The exponential function made of + and × alone, and a rough logarithm: in vectors, and the same bit for bit everywhere.

exp x = 2^n · exp r with r = x - n log 2 in [-½ log 2, ½ log 2]:
thirteen terms of the series are exact to the last bit or two.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compile.generic import compiled_as, inline

INVERSE_LOG_2 = 1.0 / math.log(2.0)
LOG_2_HIGH, LOG_2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # so that n · LOG_2_HIGH is exact
# A number plus this minus this is the number rounded; before the subtraction, the integer stands in the last bits.
ROUNDER = 1.5 * 2.0**52

# Below this exponent the result is 0: it would not be a normal number.
LOWEST = -708.0

TERMS = tuple(1.0 / math.factorial(power) for power in range(13, -1, -1))


@compiled_as("ranktron.core.native.kernel_rows:exponentials")
def exponentials(numbers: np.ndarray, count: int, factor: float) -> None:
    """Replace each of the first ``count`` numbers, none negative, by exp(factor · number); the factor is negative."""
    x = factor * numbers[:count]
    kept = np.maximum(x, LOWEST)
    shifted = kept * INVERSE_LOG_2 + ROUNDER
    n = shifted - ROUNDER
    r = (kept - n * LOG_2_HIGH) - n * LOG_2_LOW
    power = np.full_like(r, TERMS[0])
    for term in TERMS[1:]:
        power = power * r + term
    bits = (shifted.view(np.int64) << 52) + power.view(np.int64)
    numbers[:count] = np.where(x >= LOWEST, bits.view(np.float64), np.where(x < LOWEST, 0.0, x))


@inline
def doubles_above(number: float, power: int) -> Any:
    """The number of doubles from 2^power to a number: 2^52 per octave, so a logarithm that is linear within octaves."""
    return np.float64(number).view(np.int64) - ((1023 + power) << 52)


@inline
def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), for any x, by the exponential of the C library."""
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))
