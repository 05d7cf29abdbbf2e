"""A scorer whose mean forgets: every hypothesis counts less than the next by the same factor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import inline
from ..budget import column_weight, drop_column, removal_cost, shrink
from ..checks import MOST_ROWS, check_between
from ..protocol import Rule, Scorer, accumulate_average, check_learned, compiles, learn, move, score, score_mean, update
from ..rows import AnyRows
from .protocol import (
    Hypothesis,
    accumulate_weighted,
    changes_all_columns,
    clear_buffers,
    divisor,
    grows,
    hypothesis,
    in_native_layout,
    insert_rank,
    rescale_hypothesis,
    reserve,
    resize,
    scale_averages,
    unwrapped,
    with_own_buffers,
    with_rank,
    work_per_row,
)

# Places in ``Faded.clock``: the rows learned, the weights of their hypotheses in sum, and the weight of the next one.
AGE, HELD, NEXT = range(3)

# When a weight exceeds this, all sums and weights are multiplied by that: a power of two, so nothing is rounded.
LARGEST, LESS = 2.0**64, 2.0**-64


class ForgettingAverage(NamedTuple):
    """``scorer``, where the hypothesis held after row t has the weight growth^t instead of 1.

    Its mean is kept as ever, with the sum of the weights for the number of rows: a move is lagged by the weights so far. The past
    does not shrink, then, but what comes grows, and no row costs more than without it.
    """

    scorer: Any
    clock: np.ndarray
    growth: float


def forgetting_average(scorer: Any, forget: float) -> ForgettingAverage:
    """A scorer that knows nothing yet, and will forget this share of its past with every row."""
    return ForgettingAverage(scorer, np.array([0.0, 0.0, 1.0]), 1.0 / (1.0 - forget))


@score.on(ForgettingAverage)
def score_forgetting_average(faded: ForgettingAverage, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return score(faded.scorer, X, i, scores)


@score_mean.on(ForgettingAverage)
def score_mean_forgetting_average(faded: ForgettingAverage, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    return score_mean(faded.scorer, X, i, faded.clock[HELD], scores)


@learn.on(ForgettingAverage)
def learn_forgetting_average(
    faded: ForgettingAverage,
    rule: Rule,
    X: AnyRows,
    i: int,
    label: int,
    prediction: int,
    scale: float,
    age: float,
    single: bool,
    scores: np.ndarray,
    correction: np.ndarray,
) -> int:
    return learn(faded.scorer, rule, X, i, label, prediction, scale, faded.clock[HELD], single, scores, correction)


@update.on(ForgettingAverage)
def update_forgetting_average(faded: ForgettingAverage, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    update(faded.scorer, X, i, correction, faded.clock[HELD])


@move.on(ForgettingAverage)
def move_forgetting_average(faded: ForgettingAverage, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    move(faded.scorer, X, rows, pushes, faded.clock[HELD])


@accumulate_average.on(ForgettingAverage)
def accumulate_average_forgetting_average(faded: ForgettingAverage) -> None:
    clock = faded.clock
    accumulate_weighted(faded.scorer, clock[NEXT])
    clock[AGE] += 1.0
    clock[HELD] += clock[NEXT]
    clock[NEXT] *= faded.growth
    if clock[NEXT] > LARGEST:
        scale_averages(faded.scorer, LESS)
        clock[HELD] *= LESS
        clock[NEXT] *= LESS


@inline
def weight_held_after(faded: ForgettingAverage, age: float) -> float:
    """The sum of the weights after so many rows: those learned, or one more."""
    clock = faded.clock
    if age <= clock[AGE]:
        return clock[HELD]
    return (clock[HELD] + clock[NEXT]) * (LESS if clock[NEXT] * faded.growth > LARGEST else 1.0)


@divisor.on(ForgettingAverage)
def divisor_forgetting_average(faded: ForgettingAverage, age: float) -> float:
    return divisor(faded.scorer, weight_held_after(faded, age))


@drop_column.on(ForgettingAverage)
def drop_column_forgetting_average(faded: ForgettingAverage, column: int) -> None:
    drop_column(faded.scorer, column)


@column_weight.on(ForgettingAverage)
def column_weight_forgetting_average(faded: ForgettingAverage, column: int) -> float:
    return column_weight(faded.scorer, column)


@removal_cost.on(ForgettingAverage)
def removal_cost_forgetting_average(faded: ForgettingAverage, column: int, X: AnyRows, own: float) -> float:
    return removal_cost(faded.scorer, column, X, own)


@shrink.on(ForgettingAverage)
def shrink_forgetting_average(faded: ForgettingAverage, factor: float, age: float) -> None:
    shrink(faded.scorer, factor, faded.clock[HELD])


# No compiled loop calls the rest


@check_learned.on(ForgettingAverage)
def check_forgetting_average(faded: ForgettingAverage, prefix: str, n_features: int) -> None:
    check_between(f"{prefix}clock", faded.clock[[AGE, HELD]], 0.0, MOST_ROWS * LARGEST)
    check_between(f"{prefix}clock", faded.clock[NEXT], LESS, LARGEST)


@unwrapped.on(ForgettingAverage)
def unwrapped_forgetting_average(faded: ForgettingAverage) -> Scorer:
    return faded.scorer


@changes_all_columns.on(ForgettingAverage)
def changes_all_columns_forgetting_average(faded: ForgettingAverage) -> bool:
    return True  # when all sums are scaled


@hypothesis.on(ForgettingAverage)
def hypothesis_forgetting_average(faded: ForgettingAverage, n_ranks: int, age: float) -> Hypothesis:
    return hypothesis(faded.scorer, n_ranks, float(faded.clock[HELD]))


@with_rank.on(ForgettingAverage)
def with_rank_forgetting_average(faded: ForgettingAverage, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    return faded._replace(scorer=with_rank(faded.scorer, place, X, float(faded.clock[HELD]), n_ranks))


@rescale_hypothesis.on(ForgettingAverage)
def rescale_forgetting_average(faded: ForgettingAverage, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    rescale_hypothesis(faded.scorer, ratio, shift, faded.clock[HELD])


# What the wrapper returns for its scorer as it is, and what it wraps again because the scorer may be another one
for _asked in (clear_buffers, compiles, work_per_row, grows):
    _asked.on(ForgettingAverage)(lambda faded, *args, _function=_asked: _function(faded.scorer, *args))
for _changed in (insert_rank, in_native_layout, resize, with_own_buffers, reserve):
    _changed.on(ForgettingAverage)(lambda faded, *args, _function=_changed: faded._replace(scorer=_function(faded.scorer, *args)))
