"""The history of a learner: milestones, and the hypothesis that predicted at each, to show how it has changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.checks import check_between, check_numbers
from ..core.scorers.protocol import Hypothesis

# The first milestone: the sooner the scaling settles, the less is learned under a scaling that will change.
FIRST_MILESTONE = 8

# Milestones that are remembered: the last ones, each at twice the age of the one before.
KEPT = 6

# No milestone before this age is remembered: the first hypotheses depend on the first rows only.
EARLIEST = 128

# Weights up to which a direction is remembered, so that a trail stays small beside what it is the trail of.
WIDEST = 1_000


def milestones(after: int, before: int, least: int = FIRST_MILESTONE) -> list[int]:
    """The milestones after one age and before another, from ``least`` on, which is one.

    >>> milestones(0, 100), milestones(8, 64), milestones(1_000, 10_000, 4_096)
    ([8, 16, 32, 64], [16, 32], [4096, 8192])
    """
    return [1 << power for power in range(max(after, least - 1).bit_length(), (before - 1).bit_length())]


def is_milestone(age: int) -> bool:
    """Whether an age is a milestone."""
    return age & (age - 1) == 0 and age >= FIRST_MILESTONE


class Milestone(NamedTuple):
    """The direction and the thresholds, less the constant, that predicted at an age."""

    age: int
    coef: np.ndarray
    thresholds: np.ndarray


Trail = tuple[Milestone, ...]

NOTHING: Trail = ()


def with_milestone(trail: Trail, age: int, rule: Hypothesis) -> Trail:
    """The trail after one more milestone; empty if there are several directions, or too many weights."""
    if rule.coef.ndim != 1 or len(rule.coef) > WIDEST:
        return NOTHING
    return *trail[1 - KEPT :], Milestone(age, rule.coef, np.ravel(rule.thresholds - rule.intercept))


def named_trail(trail: Trail) -> dict[str, np.ndarray]:
    """A trail as a model file keeps it, a row a milestone; of none there is nothing to keep."""
    if not trail:
        return {}
    ages, coefs, thresholds = zip(*trail)
    return dict(zip(TRAIL, (np.array(ages), _table(coefs, 0.0), _table(thresholds, np.nan))))


def _table(rows: tuple[np.ndarray, ...], gap: float) -> np.ndarray:
    """Rows as a table, as wide as the widest."""
    table = np.full((len(rows), max(map(len, rows))), gap)
    for line, row in zip(table, rows):
        line[: len(row)] = row
    return table


# The arrays of a trail in a model file.
TRAIL = ("trail.ages", "trail.coefs", "trail.thresholds")


def trail_in(arrays: dict[str, np.ndarray], age: int, n_features: int) -> Trail:
    """The trail in a model file, of a model of this age with ``n_features``."""
    parts = [arrays[name] for name in TRAIL if name in arrays]
    if not parts:
        return NOTHING
    kinds = [(part.dtype.str, part.ndim, len(part)) for part in parts]
    if kinds != [("<i8", 1, len(parts[0])), *[("<f8", 2, len(parts[0]))] * 2]:
        raise ValueError("its trail of milestones is incomplete")
    ages, coefs, thresholds = parts
    check_between("trail.ages", ages, 1, age)
    check_between("trail.ages", np.diff(ages), 1, age)
    check_numbers("trail.coefs", coefs)
    check_numbers("trail.thresholds", thresholds[~np.isnan(thresholds)])
    if len(ages) > KEPT or coefs.shape[1] > n_features:
        raise ValueError(f"its trail has {len(ages)} milestones of {coefs.shape[1]} features")
    return tuple(Milestone(age, w, b[~np.isnan(b)]) for age, w, b in zip(ages.tolist(), coefs, thresholds))
