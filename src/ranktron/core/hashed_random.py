"""Randomness as a pure function of seed, example and member: it does not depend on batches, threads or restarts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compile.generic import compiled_as, inline

_GOLDEN, _FIRST, _SECOND = (np.uint64(odd) for odd in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_SPREAD, _EARLY, _LATE = (np.uint32(odd) for odd in (0x9E3779B1, 0x21F0AAAD, 0xD35A2D97))
_15, _16, _27, _30, _31, _32 = (np.uint32(15), np.uint32(16), *(np.uint64(bits) for bits in (27, 30, 31, 32)))
_LAST = np.uint64(2**32 - 1)


def bernoulli(tau: float) -> np.ndarray:
    """The ``steps`` of ``coin_flips`` that give 1 with probability ``tau``, else 0."""
    return _of_all(np.array([1.0 - tau]))


def poisson() -> np.ndarray:
    """The ``steps`` of ``coin_flips`` that give 0, 1, 2, … with the probabilities of Poisson's law with mean 1."""
    return _of_all(np.cumsum([math.exp(-1.0) / math.factorial(count) for count in range(12)]))


def _of_all(shares: np.ndarray) -> np.ndarray:
    return np.minimum(np.round(shares * 2.0**32), float(_LAST)).astype(np.uint32)


@inline
def mixed(seed: Any, number: Any) -> np.uint64:
    """64 random bits for ``number`` (SplitMix64)."""
    bits = seed + np.uint64(number) * _GOLDEN
    bits = (bits ^ (bits >> _30)) * _FIRST
    bits = (bits ^ (bits >> _27)) * _SECOND
    return bits ^ (bits >> _31)


@compiled_as("ranktron.core.native.lanes:flips")
def coin_flips(counts: np.ndarray, seed: np.uint64, example: Any, first: int, steps: np.ndarray) -> None:
    """Write for each member from ``first`` on how many of ``steps`` its random number, below 2^32, reaches at this example."""
    bits = mixed(seed, example)  # two keys of 32 bits: multiplications of that width run in vectors
    z = np.uint32(bits & _LAST) + np.arange(first, first + len(counts), dtype=np.uint32) * _SPREAD
    z = (z ^ (z >> _16)) * _EARLY ^ np.uint32(bits >> _32)
    z = (z ^ (z >> _15)) * _LATE
    z ^= z >> _15
    counts[:] = (z[:, None] >= steps).sum(axis=1)


@inline
def below(size: int, seed: np.uint64, number: int) -> Any:
    """A whole number below ``size``, for ``number``."""
    return np.int64(mixed(seed, number) % np.uint64(size))
