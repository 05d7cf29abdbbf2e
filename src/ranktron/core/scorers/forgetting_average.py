"""A scorer whose mean forgets: every hypothesis counts less than the next by the same factor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import inline
from ..budget import column_weight, drop_column, removal_cost, shrink
from ..checks import MOST_ROWS, check_between
from ..protocol import (
    Example,
    Rule,
    Scorer,
    accumulate_average,
    check_learned,
    compiles,
    delegate,
    learn,
    move,
    score,
    score_mean,
    update,
)
from ..rows import AnyRows
from .protocol import (
    Hypothesis,
    Roles,
    divisor,
    field_roles,
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

# Places in ``ForgettingAverage.clock``: the rows learned, the weights of their hypotheses in sum, and the weight of the next one.
AGE, HELD, NEXT = range(3)

# When a weight exceeds LARGEST, all sums and weights are multiplied by LESS: a power of two, so nothing is rounded.
LARGEST, LESS = 2.0**64, 2.0**-64


class ForgettingAverage(NamedTuple):
    """``scorer``, where the hypothesis held after row t has the weight growth^t instead of 1.

    The mean is kept as without forgetting, with the sum of the weights for the age. So the past does not shrink, but later rows
    weigh more, and no row costs more than without forgetting.
    """

    scorer: Any
    clock: np.ndarray
    growth: float


def forgetting_average(scorer: Any, forget: float) -> ForgettingAverage:
    """Make a new scorer forget this share of its past with every row."""
    return ForgettingAverage(scorer, np.array([0.0, 0.0, 1.0]), 1.0 / (1.0 - forget))


@score_mean.on(ForgettingAverage)
def score_mean_forgetting_average(wrapper: ForgettingAverage, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    return score_mean(wrapper.scorer, X, i, wrapper.clock[HELD], scores)


@learn.on(ForgettingAverage)
def learn_forgetting_average(wrapper: ForgettingAverage, rule: Rule, example: Example, prediction: int, age: float) -> int:
    return learn(wrapper.scorer, rule, example, prediction, wrapper.clock[HELD])


@update.on(ForgettingAverage)
def update_forgetting_average(wrapper: ForgettingAverage, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    update(wrapper.scorer, X, i, correction, wrapper.clock[HELD])


@move.on(ForgettingAverage)
def move_forgetting_average(wrapper: ForgettingAverage, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    move(wrapper.scorer, X, rows, pushes, wrapper.clock[HELD])


@accumulate_average.on(ForgettingAverage)
def accumulate_average_forgetting_average(wrapper: ForgettingAverage, weight: float) -> None:
    clock = wrapper.clock
    accumulate_average(wrapper.scorer, clock[NEXT])
    clock[AGE] += 1.0
    clock[HELD] += clock[NEXT]
    clock[NEXT] *= wrapper.growth  # instead of fading all sums, which would touch every column for every row
    if clock[NEXT] > LARGEST:
        scale_averages(wrapper.scorer, LESS)
        clock[HELD] *= LESS
        clock[NEXT] *= LESS


@inline
def weight_held_after(wrapper: ForgettingAverage, age: float) -> float:
    """The sum of the weights after ``age`` rows: those learned so far, or one more."""
    clock = wrapper.clock
    if age <= clock[AGE]:
        return clock[HELD]
    return (clock[HELD] + clock[NEXT]) * (LESS if clock[NEXT] * wrapper.growth > LARGEST else 1.0)


@divisor.on(ForgettingAverage)
def divisor_forgetting_average(wrapper: ForgettingAverage, age: float) -> float:
    return divisor(wrapper.scorer, weight_held_after(wrapper, age))


@shrink.on(ForgettingAverage)
def shrink_forgetting_average(wrapper: ForgettingAverage, factor: float, age: float) -> None:
    shrink(wrapper.scorer, factor, wrapper.clock[HELD])


delegate(ForgettingAverage, unwrapped, score, drop_column, column_weight, removal_cost, compiles, work_per_row, grows)


# Compiled loops do not call what follows


@check_learned.on(ForgettingAverage)
def check_forgetting_average(wrapper: ForgettingAverage, prefix: str, n_features: int) -> None:
    check_between(f"{prefix}clock", wrapper.clock[[AGE, HELD]], 0.0, MOST_ROWS * LARGEST)
    check_between(f"{prefix}clock", wrapper.clock[NEXT], LESS, LARGEST)


@unwrapped.on(ForgettingAverage)
def unwrapped_forgetting_average(wrapper: ForgettingAverage) -> Scorer:
    return wrapper.scorer


@field_roles.on(ForgettingAverage)
def field_roles_forgetting_average(wrapper: ForgettingAverage) -> Roles:
    return Roles(local=())  # scaling all sums changes every column


@hypothesis.on(ForgettingAverage)
def hypothesis_forgetting_average(wrapper: ForgettingAverage, n_ranks: int, age: float) -> Hypothesis:
    return hypothesis(wrapper.scorer, n_ranks, float(wrapper.clock[HELD]))


@with_rank.on(ForgettingAverage)
def with_rank_forgetting_average(wrapper: ForgettingAverage, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    return wrapper._replace(scorer=with_rank(wrapper.scorer, place, X, float(wrapper.clock[HELD]), n_ranks))


@rescale_hypothesis.on(ForgettingAverage)
def rescale_forgetting_average(wrapper: ForgettingAverage, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    rescale_hypothesis(wrapper.scorer, ratio, shift, wrapper.clock[HELD])


# What the wrapper wraps again, because the scorer may be another one
for _changed in (insert_rank, in_native_layout, resize, with_own_buffers, reserve):
    _changed.on(ForgettingAverage)(
        lambda wrapper, *args, _function=_changed: wrapper._replace(scorer=_function(wrapper.scorer, *args))
    )
