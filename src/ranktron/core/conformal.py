"""Prediction sets by conformal prediction: the coverage is kept on any stream, and learned while the model learns.

The nonconformity of a rank is how far the scores of a row are from those that would predict it: 0 for the predicted rank, and
larger for ranks further away. Before a row is learned, the nonconformity of its label is recorded, and the share u of the rows
before it whose label conformed better. For rows in random order, u is below .9 in 90 % of the rows, whatever the model. For each
of some levels of coverage c there is a level θ, and the prediction set has all ranks with u < θ. After each recorded row

    θ ← max(0, θ + step · (missed - (1 - c))),

so a level that misses too often rises, whatever the stream does (adaptive conformal inference: Gibbs & Candès 2021; with steps
that get smaller: Angelopoulos, Barber & Bates 2024). Above 1 the set has all ranks and misses none, so θ never exceeds 1 + step:
of T recorded rows at most (1 - c) T + (1 + step) / step are missed, on any stream. The predicted rank is always in the set. If
it alone covers more than c, a right prediction counts partly as a miss, as if the rank were in the set by chance: θ then stays
near c instead of sinking, and is right at once when the stream gets harder.

Nonconformity is divided by its running mean, so the unit of the features does not matter, and counted in bins: 4 per power of 2,
linear between their edges. Counts fade, so about a thousand rows count. A row takes constant time and memory.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic, inline
from .calibration import Slope
from .checks import LARGEST_DOUBLE, check_between
from .decisions import FirstUnmet, Highest
from .exponential import doubles_above
from .protocol import (
    Decision,
    Scorer,
    calibrate,
    calibration_state,
    check_learned,
    decide,
    decide_without_reject,
    delegate,
    next_calibration_row,
    pause_calibration,
    write_prediction,
)
from .scorers.protocol import unit

# The coverages that have a level θ; between them it is interpolated.
LEVELS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)

# The step after n rows is START / √(n + DELAY), and never below SLOWEST.
START, SLOWEST, DELAY = 0.5, 0.008, 25

# The number of rows after which the step is that.
SETTLED = (START / SLOWEST) ** 2 - DELAY

# The number of rows after which counts fade, by its inverse; the same for the mean, because scores may grow.
MEMORY, PRESENT = 1000, 32

# A row counts into the mean as at most this multiple of the mean, and a larger one halves the weight of the mean. So one extreme
# row hardly counts, and if all rows have grown the mean follows within a few.
OUTLYING = 8.0

# The first rows are all recorded, then one in two, and one in twice as many whenever the age doubles, up to SPARSEST. Recording
# then costs little, and the second half of a stream has enough recorded rows, however long it is. A model may ask for all rows.
# Which rows are recorded depends on their numbers alone, so it does not matter in what batches they come.
DENSE, SPARSEST = 2_048, 64

# 2³² divided by the golden ratio. Its multiples choose the row of a block, so no period in the stream coincides with them.
GOLDEN = 2_654_435_761

# Bins per power of 2, and the powers between which they are; one more bin goes up to infinity.
STEPS, LOWEST, HIGHEST = 4, -10, 6

BINS = STEPS * (HIGHEST - LOWEST) + 1

# Places in the state: the rows recorded; the number of rows in the mean of the largest nonconformity, and that mean; the weight
# of the next row, and of all; the levels θ; the weight of the rows with a right prediction, and then of those in each bin.
SEEN, MEASURED, MEAN, WEIGHT, TOTAL, THETA = range(6)
RIGHT = THETA + len(LEVELS)
FIRST = RIGHT + 1


_NOTHING_RECORDED = np.zeros(FIRST + BINS)
_NOTHING_RECORDED[WEIGHT], _NOTHING_RECORDED[THETA:RIGHT] = 1.0, LEVELS


class Conformal(NamedTuple):
    """``decision``, with prediction sets around it."""

    decision: Any
    state: np.ndarray
    all_rows: bool  # whether each of them is recorded
    known: bool = False  # whether they were learned before


def conformal(decision: Any, all_rows: bool = False) -> Conformal:
    """A decision without any row recorded."""
    return Conformal(decision, _NOTHING_RECORDED.copy(), all_rows)


@check_learned.on(Conformal)
def check_conformal(wrapper: Conformal, prefix: str, n_features: int) -> None:
    state = wrapper.state
    check_between("intervals", state[MEAN], 0.0, LARGEST_DOUBLE)
    check_between("intervals", np.delete(state, MEAN), 0.0, 2.0**100)
    check_between("intervals", state[WEIGHT], 2.0**-64, 2.0**65)
    check_between("intervals", state[THETA:RIGHT], 0.0, 1.0 + START)
    check_learned(wrapper.decision, prefix, n_features)


@generic
def bare(decision: Any) -> Any:
    """The decision without prediction sets."""
    return decision


@bare.on(Conformal)
def bare_conformal(wrapper: Conformal) -> Any:
    return wrapper.decision


delegate(Conformal, bare, decide, decide_without_reject, write_prediction)


@pause_calibration.on(Conformal)
def pause_calibration_conformal(wrapper: Conformal, known: bool) -> Decision:
    return wrapper._replace(known=known, decision=pause_calibration(wrapper.decision, known))


@calibration_state.on(Conformal)
def calibration_state_conformal(wrapper: Conformal) -> dict[str, np.ndarray]:
    return {"intervals": wrapper.state} | calibration_state(wrapper.decision)


@next_calibration_row.on(Conformal)
def next_calibration_row_conformal(wrapper: Conformal, age: int) -> int:
    if wrapper.all_rows or age < DENSE:
        return age
    recorded = recorded_row_near(age)
    return recorded if recorded >= age else recorded_row_near(age + block_size(age) - age % block_size(age))


@inline
def block_size(age: int) -> int:
    """The number of rows of which one is recorded, at this age."""
    size = 2
    while size < SPARSEST and age >= size * DENSE:
        size *= 2
    return size


@inline
def recorded_row_near(age: int) -> int:
    """The recorded row in the block of this one."""
    size = block_size(age)
    block = age // size
    return block * size + (block * GOLDEN % 2**32) * size // 2**32


@calibrate.on(Conformal)
def calibrate_conformal(wrapper: Conformal, scorer: Scorer, scores: np.ndarray, label: int, age: int) -> None:
    calibrate(wrapper.decision, scorer, scores, label, age)
    predicted, share = decide(wrapper.decision, scores), 1.0 / unit(scorer, age)
    lowest = nonconformity(wrapper.decision, scores, predicted, 0)
    highest = nonconformity(wrapper.decision, scores, predicted, scores.shape[0] - 1)
    widest = larger(lowest, highest) * share
    if widest < math.inf:
        if not wrapper.known:
            own = nonconformity(wrapper.decision, scores, predicted, label)
            record(wrapper.state, own * share, label == predicted)
        record_widest(wrapper.state, widest)


@inline
def larger(one: float, other: float) -> float:
    """The larger number, or ``one`` if ``other`` is NaN."""
    return other if other > one else one


@generic
def nonconformity(decision: Decision, scores: np.ndarray, predicted: int, rank: int) -> float:
    """How far the scores are from predicting ``rank`` or one beyond it."""
    raise NotImplementedError


@nonconformity.on(FirstUnmet)
@nonconformity.on(Slope)
def nonconformity_of_thresholds(decision: FirstUnmet | Slope, scores: np.ndarray, predicted: int, rank: int) -> float:
    last = scores.shape[0] - 1  # no branch that depends on the data: of a rank that is not predicted, one of the two is above 0
    short = -scores[max(rank - 1, 0)] if rank > 0 else 0.0
    beyond = scores[min(rank, last - 1)] if rank < last else 0.0
    return larger(larger(beyond, short), 0.0)


@nonconformity.on(Highest)
def nonconformity_highest(decision: Highest, scores: np.ndarray, predicted: int, rank: int) -> float:
    start, stop = (rank, scores.shape[0]) if rank > predicted else (0, rank + 1)
    highest = scores[rank]
    for r in range(start, stop):
        highest = max(highest, scores[r])
    return scores[predicted] - highest


@inline
def record_widest(state: np.ndarray, widest: float) -> None:
    """Count the largest nonconformity of a row into the mean."""
    rows, most = min(state[MEASURED] + 1.0, PRESENT), OUTLYING * state[MEAN]
    is_far = state[MEAN] > 0.0 and widest > most
    state[MEAN] += ((most if is_far else widest) - state[MEAN]) / rows
    state[MEASURED] = 0.5 * rows if is_far else rows


@inline
def record(state: np.ndarray, value: float, right: bool) -> None:
    """Learn from the nonconformity of a row's label, and from whether the label was predicted."""
    state[SEEN] += 1.0
    place = RIGHT if right else place_of(state, value)
    all_of_it = state[TOTAL] + state[WEIGHT]
    below = state[RIGHT] + state[WEIGHT] if right else weight_below(state, place)
    inverse = all_of_it / below if right else 0.0
    step = SLOWEST if state[SEEN] >= SETTLED else START / math.sqrt(state[SEEN] + DELAY)
    for level in range(len(LEVELS)):
        theta = state[THETA + level]
        missed = max(0.0, 1.0 - theta * inverse) if right else 1.0 if below >= theta * all_of_it else 0.0
        state[THETA + level] = max(0.0, theta + step * (missed - (1.0 - LEVELS[level])))
    state[int(place)] += state[WEIGHT]
    state[TOTAL] = all_of_it
    if state[SEEN] >= MEMORY:
        raise_weight(state)


@inline
def place_of(state: np.ndarray, value: float) -> float:
    """The place of the bin for a nonconformity; its fraction says how far into the bin it is."""
    ratio = value / state[MEAN] if state[MEAN] > 0.0 else 0.0
    if not ratio >= 2.0**LOWEST:
        return float(FIRST)
    if ratio >= 2.0**HIGHEST:
        return float(FIRST + BINS - 1)
    return FIRST + doubles_above(ratio, LOWEST) * (STEPS * 2.0**-52)


@inline
def weight_below(state: np.ndarray, place: float) -> float:
    """The weight of the rows whose label conformed better."""
    end = int(place)
    s0 = s1 = s2 = s3 = 0.0
    for lower in range(RIGHT, end - 3, 4):  # four sums side by side
        s0 += state[lower]
        s1 += state[lower + 1]
        s2 += state[lower + 2]
        s3 += state[lower + 3]
    for lower in range(end - (end - RIGHT) % 4, end):
        s0 += state[lower]
    return (s0 + s1) + (s2 + s3) + (place - end) * state[end]


@inline
def raise_weight(state: np.ndarray) -> None:
    """Raise the weight of the rows to come; before weights overflow, all of them are divided by a power of two."""
    state[WEIGHT] *= 1.0 + 1.0 / MEMORY
    if state[WEIGHT] >= 2.0**64:
        state[WEIGHT] *= 2.0**-64
        state[TOTAL] *= 2.0**-64
        for place in range(RIGHT, FIRST + BINS):
            state[place] *= 2.0**-64


# Predicting


@generic
def nonconformities(decision: Any, table: np.ndarray) -> Any:
    """The nonconformity of all ranks of many rows, and the predicted ranks."""
    raise NotImplementedError


@nonconformities.on(FirstUnmet)
@nonconformities.on(Slope)
def nonconformities_of_thresholds(decision: FirstUnmet | Slope, table: np.ndarray) -> Any:
    above, end = table[:, :-1], np.zeros((len(table), 1))
    return np.maximum(np.hstack([end, -above]), np.hstack([above, end])), (above >= 0.0).sum(axis=1)


@nonconformities.on(Highest)
def nonconformities_highest(decision: Highest, table: np.ndarray) -> Any:
    predicted = table.argmax(axis=1)
    up_to, from_there = np.maximum.accumulate(table, axis=1), np.maximum.accumulate(table[:, ::-1], axis=1)[:, ::-1]
    above = np.arange(table.shape[1]) > predicted[:, None]
    return table.max(axis=1, keepdims=True) - np.where(above, from_there, up_to), predicted


def prediction_set(wrapper: Conformal, sums: np.ndarray, held: float, coverage: float) -> np.ndarray:
    """Which ranks are in the set of each row, by its scores summed over ``held`` hypotheses."""
    values, predicted = nonconformities(wrapper.decision, sums)
    members: np.ndarray = values < reach_of(wrapper.state, coverage) * held
    members[np.arange(len(sums)), predicted] = True
    return members


def reach_of(state: np.ndarray, coverage: float) -> float:
    """The nonconformity from which on a rank is left out: infinite as long as too few rows were recorded to leave any out."""
    weight = np.interp(coverage, LEVELS, np.maximum.accumulate(state[THETA:RIGHT])) * (state[TOTAL] + state[WEIGHT])
    below = np.cumsum(state[RIGHT:-1])  # what all bins below each one weigh
    above = int(np.searchsorted(below, weight))
    if above == 0:
        return 0.0
    if above == BINS or state[MEAN] == 0.0:
        return math.inf
    share = (weight - below[above - 1]) / (below[above] - below[above - 1])
    return float(state[MEAN] * (_edge(above - 1) + share * (_edge(above) - _edge(above - 1))))


def _edge(place: int) -> float:
    """Where a bin begins, as a multiple of the mean."""
    return math.ldexp(0.5 + (place % STEPS) / (2 * STEPS), place // STEPS + 1 + LOWEST)
