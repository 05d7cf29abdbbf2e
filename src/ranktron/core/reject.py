"""Rejecting: a row is rejected if its best class leads by less than a threshold, which is learned.

Before a row is learned, the lead t₍₁₎ - t₍₂₎ of its best class is recorded, and whether that class was wrong. With a threshold θ,
the N(θ) rows below it would each have cost ``cost`` instead of their E(θ) errors. The threshold maximises

    E(θ) - cost · N(θ) - 2 √(cost · N(θ)).

The last term is doubt: if errors are so frequent that rejecting makes no difference, their number has a standard deviation below
√(cost · N). So nothing is rejected without evidence that it pays. Leads and errors do not depend on the cost, and the terms that
do decrease faster the more rows are rejected: a higher cost never rejects a row that a lower one predicts.

Leads are divided by their running mean, so the unit of the features does not matter, and counted in bins: 4 per power of 2, from
2^-12 to 2^4 times the mean. θ is computed again whenever 1/32 more rows have come, and the counts fade by as much: a row halfway
back weighs about half, because hypotheses get better. So a row takes constant time and memory.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import inline
from .checks import LARGEST_DOUBLE, check_between
from .decisions import highest
from .exponential import doubles_above
from .protocol import Scorer, calibrate, calibration_state, check_learned, decide, decide_without_reject, next_calibration_row
from .scorers.protocol import divisor

REJECTED = -1

# Bins per power of 2, and the powers between which they are; the first bin goes down to 0, the last one up to infinity.
STEPS, LOWEST, HIGHEST = 4, -12, 4

BINS = STEPS * (HIGHEST - LOWEST)
# After this share of new rows θ is computed again.
RENEWAL = 1 / 32

# The standard deviations by which rejecting has to pay.
DOUBT = 2.0

# A lead counts into the mean as at most this multiple of the mean, so one extreme row cannot move the threshold far.
OUTLYING = 4.0

# Places in the state: θ times the divisor of the next scores, θ over the mean lead, that mean and the number of rows in it, the
# rows seen and after how many to compute θ again; then the rows in each bin, and the errors in each bin.
BAR, RELATIVE, MEAN, WEIGHT, SEEN, NEXT, FIRST = range(7)


class WithReject(NamedTuple):
    """The best class, or none if it leads by less than the threshold; if ``binary``, there is one score and its sign decides."""

    binary: bool
    cost: float
    state: np.ndarray


def with_reject(cost: float, binary: bool) -> WithReject:
    """A decision without a threshold yet; ``cost`` is between that of a right prediction, 0, and of a wrong one, 1."""
    return WithReject(binary, cost, np.zeros(FIRST + 2 * BINS))


@check_learned.on(WithReject)
def check_with_reject(decision: WithReject, prefix: str, n_features: int) -> None:
    check_between("threshold", decision.state[[BAR, RELATIVE]], 0.0, math.inf)
    check_between("threshold", np.delete(decision.state, [BAR, RELATIVE]), 0.0, LARGEST_DOUBLE)


def threshold_of(state: Any) -> float:
    """θ, in the unit of scores that are divided by the number of hypotheses in them; infinite if no lead is enough."""
    return float(state[RELATIVE] * state[MEAN])


@next_calibration_row.on(WithReject)
def next_calibration_row_with_reject(decision: WithReject, age: int) -> int:
    return age


@calibration_state.on(WithReject)
def calibration_state_with_reject(decision: WithReject) -> dict[str, np.ndarray]:
    return {"threshold": decision.state}


@decide_without_reject.on(WithReject)
def decide_without_reject_with_reject(decision: WithReject, scores: np.ndarray) -> int:
    if decision.binary:
        return 1 if scores[0] >= 0.0 else 0
    return highest(scores)


@decide.on(WithReject)
def decide_with_reject(decision: WithReject, scores: np.ndarray) -> int:
    best = decide_without_reject(decision, scores)
    return REJECTED if lead_of_best(decision, scores, best) < decision.state[BAR] else best


@calibrate.on(WithReject)
def calibrate_with_reject(decision: WithReject, scorer: Scorer, scores: np.ndarray, label: int, age: int) -> None:
    record_lead(decision, scores, label, divisor(scorer, age), divisor(scorer, age + 1))


@inline
def record_lead(decision: WithReject, scores: np.ndarray, label: int, held: float, next_held: float) -> None:
    """Count a row by its scores, sums over ``held`` hypotheses; those of the next row will be over ``next_held``."""
    state, best = decision.state, decide_without_reject(decision, scores)
    gap = lead_of_best(decision, scores, best) / held
    if gap < math.inf:
        count_lead(state, gap, 1.0 if best != label else 0.0)
        if state[SEEN] >= state[NEXT]:
            state[NEXT] = state[SEEN] * (1.0 + RENEWAL)
            state[RELATIVE] = best_threshold(state, decision.cost)
            fade_counts(state)
    state[BAR] = state[RELATIVE] * state[MEAN] * next_held


@inline
def lead_of_best(decision: WithReject, scores: np.ndarray, best: int) -> float:
    """The lead of the best class; infinite if it is the only one."""
    if decision.binary:
        return 2.0 * abs(scores[0])
    gap = math.inf
    for r in range(scores.shape[0]):
        if r != best and not scores[best] - scores[r] >= gap:
            gap = scores[best] - scores[r]
    return gap


@inline
def count_lead(state: np.ndarray, gap: float, error: float) -> None:
    """Count a row with this lead into the mean, and into its bin."""
    state[SEEN] += 1.0
    if state[MEAN] > 0.0:
        state[WEIGHT] += 1.0
        state[MEAN] += (min(gap, OUTLYING * state[MEAN]) - state[MEAN]) / state[WEIGHT]
    elif gap > 0.0:
        state[WEIGHT], state[MEAN] = 1.0, gap
    place = FIRST + (bin_of(gap / state[MEAN]) if state[MEAN] > 0.0 else 0)
    state[place] += 1.0
    state[place + BINS] += error


@inline
def bin_of(ratio: float) -> int:
    """The bin of a lead, given as a multiple of the mean."""
    if not ratio >= 2.0**LOWEST:
        return 0
    if ratio >= 2.0**HIGHEST:
        return BINS - 1
    return doubles_above(ratio, LOWEST) // (2**52 // STEPS)


@inline
def edge_above(place: int) -> float:
    """Where the bin at this place ends, as a multiple of the mean."""
    if place == BINS - 1:
        return math.inf
    return math.ldexp(0.5 + ((place + 1) % STEPS) / (2 * STEPS), (place + 1) // STEPS + 1 + LOWEST)


@inline
def best_threshold(state: np.ndarray, cost: float) -> float:
    """The edge of a bin below which rejecting gained most, beyond doubt; the lowest of equals, and 0 if none did."""
    rows = errors = most = threshold = 0.0
    for place in range(BINS):
        rows += state[FIRST + place]
        errors += state[FIRST + BINS + place]
        gain = errors - cost * rows - DOUBT * math.sqrt(cost * rows)
        if gain > most:
            most, threshold = gain, edge_above(place)
    return threshold


@inline
def fade_counts(state: np.ndarray) -> None:
    """Reduce all counts, so that later rows weigh more."""
    state[WEIGHT] *= 1.0 - RENEWAL
    for place in range(FIRST, FIRST + 2 * BINS):
        state[place] *= 1.0 - RENEWAL
