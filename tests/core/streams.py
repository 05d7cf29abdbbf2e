"""Streams to be covered, steady and drifting, and what one estimator's intervals are worth on them, asked before each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ranktron.data import synthetic

CUTS = (-0.8, -0.25, 0.25, 0.8)
Stream = tuple[np.ndarray, np.ndarray]


def along(n: int, direction: Callable[[np.ndarray], Any], noise: Any, shift: Any = 0.0) -> Stream:
    """Five ranks along a direction that may be another at every row, given as angle; the last feature is 1."""
    rng = np.random.default_rng(n)
    X = np.column_stack([rng.standard_normal((n, 4)), np.ones(n)])
    angle = direction(np.arange(n) / n)
    value = X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle) + shift + noise * rng.standard_normal(n)
    return X, 1 + np.digitize(value, CUTS)


def steady(share: np.ndarray) -> np.ndarray:
    return 0.5 + 0.0 * share


def ticks(n: int) -> Stream:
    """Three features that are 0 or 1: few different rows, so that many are equally strange."""
    rng = np.random.default_rng(n)
    X = np.column_stack([rng.integers(0, 2, (n, 3)), np.ones(n)]).astype(float)
    return X, 1 + np.digitize(X @ [1.0, 0.5, -0.7, 0.0] + 0.5 * rng.standard_normal(n), [-0.5, 0.1, 0.7, 1.2])


N = 2500
STREAMS: dict[str, Callable[[], Stream]] = {
    "Crammer and Singer's": lambda: synthetic.crammer_singer(N, seed=1),
    "ten ranks": lambda: synthetic.linear(N, 10, n_ranks=10, noise=0.5, seed=1),
    "two ranks": lambda: synthetic.linear(N, 6, n_ranks=2, noise=0.7, seed=1),
    "nothing to learn": lambda: (synthetic.linear(N, 5, seed=1)[0], np.random.default_rng(1).integers(1, 6, N)),
    "ticks": lambda: ticks(N),
    "direction turns": lambda: along(N, lambda share: 6.0 * share, 0.3),
    "direction jumps": lambda: along(N, lambda share: np.where(share < 0.5, 0.5, 2.6), 0.1),
    "thresholds move": lambda: along(N, steady, 0.3, 2.0 * np.sin(6.0 * np.arange(N) / N)),
    "noise grows": lambda: along(N, steady, np.linspace(0.1, 1.5, N)),
}


class Told(NamedTuple):
    """By row: the ends of the intervals and whether the prediction alone was right, in ranks."""

    low: np.ndarray
    high: np.ndarray
    right: np.ndarray
    truth: np.ndarray

    @property
    def covered(self) -> float:
        return float(((self.low <= self.truth) & (self.truth <= self.high)).mean())


def on_the_way(model: Any, X: np.ndarray, y: np.ndarray, coverage: float = 0.9, batch: int = 10) -> Told:
    """Ask before learning, a few rows at a time; before the first ones all labels are in."""
    classes = np.unique(y)
    model.partial_fit(X[:batch], y[:batch], classes=classes)
    low, high, right = np.zeros(len(y), int), np.full(len(y), len(classes) - 1), np.zeros(len(y), bool)
    for start in range(batch, len(y), batch):
        rows = slice(start, start + batch)
        sets = model.predict_set(X[rows], coverage)
        low[rows], high[rows] = sets.argmax(axis=1), len(classes) - 1 - sets[:, ::-1].argmax(axis=1)
        right[rows] = model.predict(X[rows]) == y[rows]
        model.partial_fit(X[rows], y[rows])
    return Told(low, high, right, np.searchsorted(classes, y))
