"""Scores as probabilities: one slope, learned from the stream, for all thresholds.

Scores are right in their order and in their thresholds, but have no unit: P(y > r) = 1 / (1 + exp(-a · s_r)) needs one number a,
the slope. Before a row is learned, log a takes a Newton step for every threshold by whether the label is above it. Old rows fade,
because the unit of scores may change.

Scores of a logistic model have a unit, so their slope starts with a prior: log a is Gaussian around 0, narrow at first, and wider
with every row. The hypotheses of the first rows are soon replaced by better ones, so the memory starts short and grows.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import inline
from .checks import LARGEST_DOUBLE, check_between
from .decisions import first_unmet
from .protocol import (
    Decision,
    Scorer,
    calibrate,
    calibration_state,
    check_learned,
    decide,
    next_calibration_row,
    pause_calibration,
)
from .scorers.protocol import divisor

# The number of recent thresholds that count.
MEMORY = 2_000.0

# The precision of the prior, the rows after which half of it is left, the memory in rows at first, and what every row adds to it
# up to MEMORY. Chosen on 16 streams of 3 to 4,000 rows: there the ranked probability score is at most 3 % above that of slope 1,
# and mostly below it. With hardly a prior and the whole memory from the start, as without a unit, it is up to twice as high.
PRIOR, HALVED, SHORTEST, GROWTH = 40.0, 30.0, 3.0, 0.25

# Places in the state; rows are counted only where the slope has a prior.
LOG_SLOPE, CURVATURE, ROWS = range(3)


# The largest logarithm of a slope that a model file may hold: beyond, its exponential overflows.
STEEPEST = 700.0


class Slope(NamedTuple):
    """The first threshold that is not reached, and the slope, which has a prior where scores have a unit.

    From rows ``known`` from an earlier epoch it does not learn; with a prior it does, but they do not widen the prior.
    """

    state: np.ndarray
    has_prior: bool
    known: bool = False


def learned_slope() -> Slope:
    """A slope of 1, with little confidence."""
    return Slope(np.array([0.0, 1.0]), False)


def calibrated_slope() -> Slope:
    """A slope of 1, where the prior keeps it until rows contradict it."""
    return Slope(np.zeros(3), True)


@check_learned.on(Slope)
def check_slope(decision: Slope, prefix: str, n_features: int) -> None:
    check_between("slope", decision.state[LOG_SLOPE], -STEEPEST, STEEPEST)
    check_between("slope", decision.state[CURVATURE:], 0.0, LARGEST_DOUBLE)


def slope_of(decision: Any) -> float:
    """The slope for scores divided by the number of hypotheses in them; 1 if the decision does not learn one."""
    learned = calibration_state(decision).get("slope")
    return 1.0 if learned is None else math.exp(learned[LOG_SLOPE])


@decide.on(Slope)
def decide_slope(decision: Slope, scores: np.ndarray) -> int:
    return first_unmet(scores)


@next_calibration_row.on(Slope)
def next_calibration_row_slope(decision: Slope, age: int) -> int:
    return age


@calibration_state.on(Slope)
def calibration_state_slope(decision: Slope) -> dict[str, np.ndarray]:
    return {"slope": decision.state}


@pause_calibration.on(Slope)
def pause_calibration_slope(decision: Slope, known: bool) -> Decision:
    return decision._replace(known=known)


@calibrate.on(Slope)
def calibrate_slope(decision: Slope, scorer: Scorer, scores: np.ndarray, label: int, age: int) -> None:
    held = divisor(scorer, age)
    if decision.has_prior:
        learn_slope(decision.state, scores, held, label, decision.known)
    elif not decision.known:
        for r in range(scores.shape[0] - 1):
            steepen(decision.state, scores[r] / held, label > r)


@inline
def steepen(state: np.ndarray, score: float, is_above: bool) -> None:
    """Learn from one threshold: with z = a s the loss log(1 + exp(∓z)) has the slope (p - y) z along log a."""
    z = max(-30.0, min(30.0, math.exp(state[LOG_SLOPE]) * score))
    chance = 1.0 / (1.0 + math.exp(-z))
    gradient = (chance - (1.0 if is_above else 0.0)) * z
    state[CURVATURE] += chance * (1.0 - chance) * z * z - state[CURVATURE] / MEMORY
    state[LOG_SLOPE] -= max(-1.0, min(1.0, gradient / max(state[CURVATURE], 1.0)))


@inline
def learn_slope(state: np.ndarray, scores: np.ndarray, held: float, label: int, known: bool) -> None:
    """One Newton step for all thresholds of a row, whose scores are sums over ``held`` hypotheses."""
    thresholds, slope = scores.shape[0] - 1, math.exp(state[LOG_SLOPE]) / held
    gradient = curvature = 0.0
    for r in range(thresholds):
        z = max(-30.0, min(30.0, slope * scores[r]))
        chance = 1.0 / (1.0 + math.exp(-z))
        gradient += (chance - (1.0 if label > r else 0.0)) * z
        curvature += chance * (1.0 - chance) * z * z
    keep = 1.0 - 1.0 / max(SHORTEST, min(MEMORY / max(thresholds, 1), SHORTEST + GROWTH * state[ROWS]))
    before = PRIOR * HALVED / (HALVED + state[ROWS])
    state[ROWS] += 0.0 if known else 1.0
    kept, prior = keep * state[CURVATURE], PRIOR * HALVED / (HALVED + state[ROWS])
    state[LOG_SLOPE] *= keep * (state[CURVATURE] + before) / (kept + prior)  # rows fade faster than the prior, whose mean is 0
    state[CURVATURE] = kept + curvature
    state[LOG_SLOPE] -= max(-1.0, min(1.0, gradient / max(state[CURVATURE] + prior, 1.0)))
