"""Scores as probabilities: how steep the way is from "surely not above" to "surely above" a threshold.

Where scores are right in their order and in their thresholds but have no unit, P(y > r) = 1 / (1 + exp(-a · s_r)) needs one
number a, the slope. Every row that is noted asks at every threshold whether its label is above, before it is learned, and the
logarithm of a goes a Newton step towards the answer. What was noted fades, for the unit of scores may change.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ._verbs import verb
from .decisions import first_unmet
from .limits import LARGEST_DOUBLE, check_between
from .protocol import check_learned, decide, next_watched, remembered, watch
from .scorers.sizes import divisor

MEMORY = 2_000.0
"""Answers that weigh."""

LOG_SLOPE, CURVATURE = range(2)
"""Places in the state."""


STEEPEST = 700.0
"""The largest logarithm of a slope that a model file may hold: beyond, its exponential overflows."""


class Sloped(NamedTuple):
    """The first threshold that is not met, and the slope."""

    state: np.ndarray


def sloped() -> Sloped:
    """A slope of 1, of which little is known."""
    return Sloped(np.array([0.0, 1.0]))


@check_learned.on(Sloped)
def check_sloped(decision: Sloped, prefix: str, n_features: int) -> None:
    check_between("slope", decision.state[LOG_SLOPE], -STEEPEST, STEEPEST)
    check_between("slope", decision.state[CURVATURE], 0.0, LARGEST_DOUBLE)


def slope_of(decision: Any) -> float:
    """The slope that is kept in a decision, for scores that are divided by the number of hypotheses in them."""
    return math.exp(remembered(decision)["slope"][LOG_SLOPE])


@decide.on(Sloped)
def _(decision, scores):
    return first_unmet(scores)


@next_watched.on(Sloped)
def _(decision, age):
    return age


@remembered.on(Sloped)
def _(decision):
    return {"slope": decision.state}


@watch.on(Sloped)
def _(decision, scorer, scores, label, age):
    held = divisor(scorer, age)
    for r in range(scores.shape[0] - 1):
        steepen(decision.state, scores[r] / held, label > r)


@verb
def steepen(state, score, is_above):
    """Answer at one threshold: with z = a s the loss log(1 + exp(∓z)) has the slope (p - y) z along log a."""
    z = max(-30.0, min(30.0, math.exp(state[LOG_SLOPE]) * score))
    chance = 1.0 / (1.0 + math.exp(-z))
    gradient = (chance - (1.0 if is_above else 0.0)) * z
    state[CURVATURE] += chance * (1.0 - chance) * z * z - state[CURVATURE] / MEMORY
    state[LOG_SLOPE] -= max(-1.0, min(1.0, gradient / max(state[CURVATURE], 1.0)))
