"""Ordinal models: their labels are ranks, cut out of one direction by thresholds."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any

import numpy as np

from ..learners.concurrency import reads
from .intervals import IntervalModel

# The smallest positive number: a projection on a threshold counts as above it, and ``decision_function`` has to show that.
ABOVE_A_TIE = 5e-324


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class OrdinalModel(IntervalModel, abc.ABC):
    """What all ordinal models share."""

    @property
    @reads
    def thresholds_(self) -> np.ndarray:
        """The thresholds b that ``predict`` uses."""
        return self._learned.hypothesis().thresholds

    @property
    @reads
    def cumulative_loss_(self) -> int:
        """How many ranks the learning hypothesis was off before each update, in all."""
        return int(self._learned.counts[2])

    @reads
    def project(self, X: Any) -> np.ndarray:
        """The projection w·x of every row: the higher, the higher its rank, so this is what to sort by."""
        projections: np.ndarray = self._scores(X)[:, -1] + self._learned.off_centre
        return projections

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """How far inside the interval of each label a row is; for two labels, how far above the threshold."""
        above = self._scores(X)[:, :-1]
        if above.shape[1] == 1:
            return np.where(above == 0, ABOVE_A_TIE, above)[:, 0]
        below = np.where(above == 0, -ABOVE_A_TIE, -above)
        end = np.full((len(above), 1), np.inf)
        inside: np.ndarray = np.minimum(np.hstack([end, above]), np.hstack([below, end]))
        return inside
