"""What a model predicted by at its last milestones, so that it can tell how it has changed since."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..scorers.sizes import Hypothesis

KEPT = 6
"""Milestones that are remembered: the last ones, each at twice the age of the one before."""

EARLIEST = 128
"""No milestone before this age is remembered: the first hypotheses tell of nothing but the first rows."""

WIDEST = 1_000
"""Weights up to which a direction is remembered, so that a trail stays small beside what it is the trail of."""


class Trail(NamedTuple):
    """Directions and thresholds by the ages at which they predicted; thresholds that were not there are NaN."""

    ages: np.ndarray
    coefs: np.ndarray
    thresholds: np.ndarray

    def with_milestone(self, age: int, rule: Hypothesis) -> Trail:
        """The trail after one more milestone; none where there is no one direction, or it has grown too wide."""
        if rule.coef.ndim != 1 or len(rule.coef) > WIDEST:
            return NOTHING
        coefs = _longer(self.coefs, rule.coef, 0.0)
        thresholds = _longer(self.thresholds, np.ravel(rule.thresholds - rule.intercept), np.nan)
        return Trail(*(part[-KEPT:] for part in (np.append(self.ages, age), coefs, thresholds)))


NOTHING = Trail(np.empty(0, np.int64), np.empty((0, 0)), np.empty((0, 0)))


def _longer(table: np.ndarray, row: np.ndarray, gap: float) -> np.ndarray:
    """The table with one more row, and as many columns as either has."""
    longer = np.full((len(table) + 1, max(table.shape[1], len(row))), gap)
    longer[:-1, : table.shape[1]] = table
    longer[-1, : len(row)] = row
    return longer


def named_trail(trail: Trail) -> dict[str, np.ndarray]:
    """A trail as a model file keeps it; of none there is nothing to keep."""
    return {f"trail.{name}": part for name, part in trail._asdict().items()} if len(trail.ages) else {}


def trail_in(arrays: dict[str, np.ndarray]) -> Trail:
    """The trail that a model file holds."""
    parts = [arrays[name] for name in (f"trail.{name}" for name in Trail._fields) if name in arrays]
    if not parts:
        return NOTHING
    kinds = [(part.dtype.str, part.ndim, len(part)) for part in parts]
    if kinds != [("<i8", 1, len(parts[0])), *[("<f8", 2, len(parts[0]))] * 2]:
        raise ValueError("its trail of milestones is incomplete")
    return Trail(*parts)
