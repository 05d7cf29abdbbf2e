"""Intervals that hold: how strange a label may look before it is left out, learned from the stream while it is learned.

The strangeness of a rank is how far the scores of a row are from those that would decide for it: 0 for the predicted rank, and
the more, the further out a rank is. Before a row is learned it is noted how strange its label was, and what share u of the rows
before it had a label less strange: a number between 0 and 1 that is, for rows in random order, as often below .9 as 90 % of the
time, whatever the model. For each of some levels of coverage c a bar θ is kept, and all ranks with u < θ are in the set. After
each row that was noted

    θ ← max(0, θ + step · (missed - (1 - c))),

so that a bar that misses too often rises, whatever the stream does (adaptive conformal inference: Gibbs & Candès 2021; with steps
that get smaller: Angelopoulos, Barber & Bates 2024). Above 1 it has all ranks in and misses none, so it never passes 1 + step:
of T rows noted at most (1 - c) T + (1 + step) / step are missed, on any stream at all. The predicted rank is always in. Where it
alone covers more than c, being right counts as a miss in part, as if it were in by chance: θ rests near c instead of sinking, and
is where it is needed when the stream gets harder.

Strangeness is measured against a running mean of the rows before, whatever the unit of the features, and counted in bins: 4 to a
power of 2, with straight lines between their edges. What was counted fades, so that a thousand rows weigh. A row takes constant
time and room.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic, inline
from .calibration import CalibratedSlope, LearnedSlope
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
    next_calibration_row,
    pause_calibration,
    write_prediction,
)
from .scorers.protocol import unit

# Coverages that a bar is kept for; between them bars are interpolated.
LEVELS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)

# The step after n rows is START / √(n + DELAY), and never below SLOWEST.
START, SLOWEST, DELAY = 0.5, 0.008, 25

# Rows from which on it is that.
SETTLED = (START / SLOWEST) ** 2 - DELAY

# Rows from which on what was counted fades, and by what share; the same for the mean, for scores may grow.
MEMORY, PRESENT = 1000, 32

# A row counts into the mean as at most so many times the mean. One that is beyond leaves the mean half as sure: a row far out
# hardly counts, and where all have grown the mean follows in a few.
OUTLYING = 8.0

# Rows that are all noted. Then it is one of two, and every time that the age has doubled, one of twice as many, up to so many: so
# there are as many to learn from in the latter half of a stream, however long it is. All are noted where a model asks for it. A
# row goes by its number alone: it does not matter in what batches rows come.
DENSE, SPARSEST = 2_048, 64

# 2³² by the golden ratio: its multiples tell which row of a block it is, so no period of a stream keeps in step with them.
GOLDEN = 2_654_435_761

# Bins to a power of 2, and the powers between which there are any; one more bin goes up to infinity.
STEPS, LOWEST, HIGHEST = 4, -10, 6

BINS = STEPS * (HIGHEST - LOWEST) + 1

SEEN, MEASURED, MEAN, WEIGHT, TOTAL, BARS = range(6)
RIGHT = BARS + len(LEVELS)
# Places in the state: the rows noted; how many rows the mean of the strangest rank stands for, and that mean; what the next row
# weighs, and what all do together; the bars θ; the rows whose predicted rank was right, and then those in each bin, by weight.
FIRST = RIGHT + 1


_NOTHING_RECORDED = np.zeros(FIRST + BINS)
_NOTHING_RECORDED[WEIGHT], _NOTHING_RECORDED[BARS:RIGHT] = 1.0, LEVELS


class Conformal(NamedTuple):
    """What ``decision`` decides, and how far from it the truth may be."""

    decision: Any
    state: np.ndarray
    all_rows: bool  # whether each of them is noted
    known: bool = False  # whether they were learned before


def conformal(decision: Any, all_rows: bool = False) -> Conformal:
    """A decision that has yet to learn how far off it may be."""
    return Conformal(decision, _NOTHING_RECORDED.copy(), all_rows)


@check_learned.on(Conformal)
def check_conformal(covering: Conformal, prefix: str, n_features: int) -> None:
    state = covering.state
    check_between("intervals", state[MEAN], 0.0, LARGEST_DOUBLE)
    check_between("intervals", np.delete(state, MEAN), 0.0, 2.0**100)
    check_between("intervals", state[WEIGHT], 2.0**-64, 2.0**65)
    check_between("intervals", state[BARS:RIGHT], 0.0, 1.0 + START)
    check_learned(covering.decision, prefix, n_features)


def bare(decision: Any) -> Any:
    """The decision alone, which learns nothing."""
    return decision.decision if isinstance(decision, Conformal) else decision


@decide.on(Conformal)
def decide_conformal(covering: Conformal, scores: np.ndarray) -> int:
    return decide(covering.decision, scores)


@decide_without_reject.on(Conformal)
def decide_without_reject_conformal(covering: Conformal, scores: np.ndarray) -> int:
    return decide_without_reject(covering.decision, scores)


@write_prediction.on(Conformal)
def write_prediction_conformal(covering: Conformal, scores: np.ndarray, predictions: np.ndarray, i: int) -> None:
    write_prediction(covering.decision, scores, predictions, i)


@pause_calibration.on(Conformal)
def pause_calibration_conformal(covering: Conformal, known: bool) -> Decision:
    return covering._replace(known=known, decision=pause_calibration(covering.decision, known))


@calibration_state.on(Conformal)
def calibration_state_conformal(covering: Conformal) -> dict[str, np.ndarray]:
    return {"intervals": covering.state} | calibration_state(covering.decision)


@next_calibration_row.on(Conformal)
def next_calibration_row_conformal(covering: Conformal, age: int) -> int:
    if covering.all_rows or age < DENSE:
        return age
    noted = recorded_row_near(age)
    return noted if noted >= age else recorded_row_near(age + block_size(age) - age % block_size(age))


@inline
def block_size(age: int) -> int:
    """How many rows there are to one that is noted, after so many."""
    size = 2
    while size < SPARSEST and age >= size * DENSE:
        size *= 2
    return size


@inline
def recorded_row_near(age: int) -> int:
    """The row that is noted in the block of this one."""
    size = block_size(age)
    block = age // size
    return block * size + (block * GOLDEN % 2**32) * size // 2**32


@calibrate.on(Conformal)
def calibrate_conformal(covering: Conformal, scorer: Scorer, scores: np.ndarray, label: int, age: int) -> None:
    calibrate(covering.decision, scorer, scores, label, age)
    predicted, share = decide(covering.decision, scores), 1.0 / unit(scorer, age)
    lowest = nonconformity(covering.decision, scores, predicted, 0)
    highest = nonconformity(covering.decision, scores, predicted, scores.shape[0] - 1)
    widest = larger(lowest, highest) * share
    if widest < math.inf:
        if not covering.known:
            strange = nonconformity(covering.decision, scores, predicted, label)
            record(covering.state, strange * share, label == predicted)
        record_widest(covering.state, widest)


@inline
def larger(one: float, other: float) -> float:
    """The larger number, or ``one`` if that is none."""
    return other if other > one else one


@generic
def nonconformity(decision: Decision, scores: np.ndarray, predicted: int, rank: int) -> float:
    """How far the scores are from deciding for ``rank`` or one beyond it."""
    raise NotImplementedError


@nonconformity.on(FirstUnmet)
@nonconformity.on(LearnedSlope)
@nonconformity.on(CalibratedSlope)
def nonconformity_calibrated_slope_and_others(
    decision: CalibratedSlope | FirstUnmet | LearnedSlope, scores: np.ndarray, predicted: int, rank: int
) -> float:
    last = scores.shape[0] - 1  # no branch to mispredict: of a rank that is not predicted, one of the two is above 0
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
    """Count into the mean how strange a label could have been."""
    rows, most = min(state[MEASURED] + 1.0, PRESENT), OUTLYING * state[MEAN]
    is_far = state[MEAN] > 0.0 and widest > most
    state[MEAN] += ((most if is_far else widest) - state[MEAN]) / rows
    state[MEASURED] = 0.5 * rows if is_far else rows


@inline
def record(state: np.ndarray, strange: float, right: bool) -> None:
    """Learn from a row how strange its label was, and whether it was predicted."""
    state[SEEN] += 1.0
    place = RIGHT if right else place_of(state, strange)
    all_of_it = state[TOTAL] + state[WEIGHT]
    below = state[RIGHT] + state[WEIGHT] if right else weight_below(state, place)
    inverse = all_of_it / below if right else 0.0
    step = SLOWEST if state[SEEN] >= SETTLED else START / math.sqrt(state[SEEN] + DELAY)
    for level in range(len(LEVELS)):
        bar = state[BARS + level]
        missed = max(0.0, 1.0 - bar * inverse) if right else 1.0 if below >= bar * all_of_it else 0.0
        state[BARS + level] = max(0.0, bar + step * (missed - (1.0 - LEVELS[level])))
    state[int(place)] += state[WEIGHT]
    state[TOTAL] = all_of_it
    if state[SEEN] >= MEMORY:
        raise_weight(state)


@inline
def place_of(state: np.ndarray, strange: float) -> float:
    """The place of the bin for so much strangeness, and as a fraction how far into the bin it is."""
    ratio = strange / state[MEAN] if state[MEAN] > 0.0 else 0.0
    if not ratio >= 2.0**LOWEST:
        return float(FIRST)
    if ratio >= 2.0**HIGHEST:
        return float(FIRST + BINS - 1)
    return FIRST + doubles_above(ratio, LOWEST) * (STEPS * 2.0**-52)


@inline
def weight_below(state: np.ndarray, place: float) -> float:
    """What the rows weigh whose label was less strange."""
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
    """Let the rows to come weigh more than those so far; before numbers get too large, all of them are made smaller."""
    state[WEIGHT] *= 1.0 + 1.0 / MEMORY
    if state[WEIGHT] >= 2.0**64:
        state[WEIGHT] *= 2.0**-64
        state[TOTAL] *= 2.0**-64
        for place in range(RIGHT, FIRST + BINS):
            state[place] *= 2.0**-64


# Answers


@generic
def nonconformities(decision: Any, table: np.ndarray) -> Any:
    """The strangeness of all ranks of many rows, and the ranks that are predicted of them."""
    raise NotImplementedError


@nonconformities.on(FirstUnmet)
@nonconformities.on(LearnedSlope)
@nonconformities.on(CalibratedSlope)
def nonconformities_calibrated_slope_and_others(decision: CalibratedSlope | FirstUnmet | LearnedSlope, table: np.ndarray) -> Any:
    above, end = table[:, :-1], np.zeros((len(table), 1))
    return np.maximum(np.hstack([end, -above]), np.hstack([above, end])), (above >= 0.0).sum(axis=1)


@nonconformities.on(Highest)
def nonconformities_highest(decision: Highest, table: np.ndarray) -> Any:
    predicted = table.argmax(axis=1)
    up_to, from_there = np.maximum.accumulate(table, axis=1), np.maximum.accumulate(table[:, ::-1], axis=1)[:, ::-1]
    above = np.arange(table.shape[1]) > predicted[:, None]
    return table.max(axis=1, keepdims=True) - np.where(above, from_there, up_to), predicted


def prediction_set(covering: Conformal, sums: np.ndarray, held: float, coverage: float) -> np.ndarray:
    """Which ranks of each row are in, by its scores summed over ``held`` hypotheses: the predicted one and its neighbours."""
    strange, predicted = nonconformities(covering.decision, sums)
    inside: np.ndarray = strange < reach_of(covering.state, coverage) * held
    inside[np.arange(len(sums)), predicted] = True
    return inside


def reach_of(state: np.ndarray, coverage: float) -> float:
    """How strange a rank may not be to be in: infinitely, as long as too few rows were noted to leave any out."""
    bar = np.interp(coverage, LEVELS, np.maximum.accumulate(state[BARS:RIGHT])) * (state[TOTAL] + state[WEIGHT])
    below = np.cumsum(state[RIGHT:-1])  # what all bins below each one weigh
    above = int(np.searchsorted(below, bar))
    if above == 0:
        return 0.0
    if above == BINS or state[MEAN] == 0.0:
        return math.inf
    share = (bar - below[above - 1]) / (below[above] - below[above - 1])
    return float(state[MEAN] * (_edge(above - 1) + share * (_edge(above) - _edge(above - 1))))


def _edge(place: int) -> float:
    """Where a bin begins, as a multiple of the mean."""
    return math.ldexp(0.5 + (place % STEPS) / (2 * STEPS), place // STEPS + 1 + LOWEST)
