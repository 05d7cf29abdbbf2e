"""What errors come to: ratios with intervals, over sets too, and how far probabilities are from what happens.

This file needs neither the peers nor the other files of the benchmarks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ranktron.statistics import CONFIDENCE, quantile

BINS = 10


class Quotient(NamedTuple):
    """One error in another, and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"


def quotient(ours: np.ndarray, theirs: np.ndarray, overlap: float = 0.0) -> Quotient:
    """The geometric mean over the sets of one mean error in the other; errors are (sets, splits), paired by split.

    A split in which everybody errs more says nothing about the ratio, so what varies is the difference of the two errors, each in
    its own mean. Splits of one set share rows to learn from, so they vary less than fresh rows would: ``overlap``, the number of
    rows tested for each row learned, is added to one over the number of splits (Nadeau & Bengio 2003).

    >>> quotient(np.array([[1.0, 2.0]]), np.array([[2.0, 4.0]]))
    Quotient(value=0.5, low=0.5, high=0.5)
    """
    mine, other = ours.mean(axis=1), theirs.mean(axis=1)
    value = math.exp(np.log(mine / other).mean())
    moved = (ours / mine[:, None] - theirs / other[:, None]).mean(axis=0)
    reach = math.exp(half_width(moved, overlap))
    return Quotient(value, value / reach, value * reach)


def half_width(values: np.ndarray, overlap: float = 0.0) -> float:
    """Half the 95 % interval of a mean over splits."""
    count = len(values)
    return quantile(CONFIDENCE, count - 1) * float(values.std(ddof=1)) * math.sqrt(1 / count + overlap)


def calibration_error(ranks: np.ndarray, shares: np.ndarray) -> float:
    """How far P(rank > r), all thresholds together, is from how often that happens: the mean over tenths of the unit interval.

    ``ranks`` count from 1; ``shares`` have a column a rank.

    >>> calibration_error(np.array([1, 2, 1, 2]), np.full((4, 2), 0.5))
    0.0
    """
    above = 1.0 - np.cumsum(shares, axis=1)[:, :-1]
    return mean_gap(above.ravel(), (ranks[:, None] > np.arange(1, shares.shape[1])).ravel())


def top_label_error(ranks: np.ndarray, shares: np.ndarray) -> float:
    """The same for the probability of the most probable rank.

    >>> top_label_error(np.array([1, 2, 1, 2]), np.array([[0.75, 0.25]] * 4))
    0.25
    """
    return mean_gap(shares.max(axis=1), shares.argmax(axis=1) + 1 == ranks)


def mean_gap(predicted: np.ndarray, happened: np.ndarray) -> float:
    """How far probabilities are from frequencies, in the mean over tenths of the unit interval."""
    place = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    gaps = np.bincount(place, weights=predicted - happened, minlength=BINS)
    return float(np.abs(gaps).sum() / predicted.size)


def spread(shares: np.ndarray, ranks: np.ndarray, n_ranks: int) -> np.ndarray:
    """Probabilities of some ranks as probabilities of all from 1 to ``n_ranks``.

    >>> spread(np.array([[0.25, 0.75]]), np.array([1, 3]), 3).tolist()
    [[0.25, 0.0, 0.75]]
    """
    wide = np.zeros((len(shares), n_ranks))
    wide[:, ranks - 1] = shares
    return wide
