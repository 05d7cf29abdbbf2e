"""The combined rule of an ensemble: the sum of its members, or their votes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import inline
from ..budget import column_weight, drop_column, removal_cost, shrink
from ..protocol import Example, Rule, Scorer, accumulate_average, delegate, learn, score, score_mean, update
from ..rows import AnyRows
from .lanes import Lanes, lanes
from .protocol import (
    Hypothesis,
    Roles,
    divisor,
    field_roles,
    hypothesis,
    in_native_layout,
    resize,
    unit,
    with_own_buffers,
    with_rank,
    without_layout,
)
from .stack import EQUAL, VOTES, Stack, clear_reports, collect_votes, sum_of, sum_reports, train_members, with_reports
from .thresholded import Thresholded
from .voted import count_votes


class PooledEnsemble(NamedTuple):
    """Members and their sum, which is a scorer like each of them and moves by the sum of their corrections.

    Predicting then costs as much as with one member. ``taught`` says that threads have trained the members on the rows already,
    and only their reports are to be read; ``clock`` holds the age, and the next row of the reports.
    """

    members: Any
    pool: Any
    taught: bool
    clock: np.ndarray


class NoLeader(NamedTuple):
    """The place of a pool where there is none."""


class PolledEnsemble(NamedTuple):
    """Members whose votes are counted, or whose scores are summed, on every row."""

    members: Any
    pool: NoLeader
    combine: int
    taught: bool
    clock: np.ndarray


def with_stack(members: Any, stack: Stack) -> Any:
    """The members with another stack, in the same layout and with their own buffers."""
    return lanes(stack) if isinstance(members, Lanes) else stack


@score.on(PooledEnsemble)
def score_pooled_ensemble(ensemble: PooledEnsemble, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return score_mean(ensemble.pool, X, i, ensemble.clock[0], scores)  # the loss is that of the combined prediction


@score_mean.on(PooledEnsemble)
def score_mean_pooled_ensemble(ensemble: PooledEnsemble, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    return score_mean(ensemble.pool, X, i, age, scores)


@learn.on(PooledEnsemble)
def learn_pooled_ensemble(ensemble: PooledEnsemble, rule: Rule, example: Example, prediction: int, age: float) -> int:
    stack, row, updates = without_layout(ensemble.members), ensemble.clock[1], 1
    if not ensemble.taught:  # else threads have trained the members, whose reports are processed row by row
        clear_reports(stack, row)
        updates = train_members(ensemble.members, rule, example, age, row)
    if updates > 0:
        sum_reports(stack, row, example.correction)
        update(ensemble.pool, example.X, example.i, example.correction, age)
    return updates


@score.on(PolledEnsemble)
def score_polled_ensemble(ensemble: PolledEnsemble, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return score_mean(ensemble, X, i, ensemble.clock[0], scores)


@score_mean.on(PolledEnsemble)
def score_mean_polled_ensemble(ensemble: PolledEnsemble, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    finite, stack, row = 0.0, without_layout(ensemble.members), ensemble.clock[1]
    if not ensemble.taught:
        clear_reports(stack, row)
        finite = collect_votes(ensemble.members, X, i, age, row, scores)
    sum_reports(stack, row, scores)
    if stack.report == VOTES:
        count_votes(scores, ensemble.combine)
    return finite


@learn.on(PolledEnsemble)
def learn_polled_ensemble(ensemble: PolledEnsemble, rule: Rule, example: Example, prediction: int, age: float) -> int:
    return 0 if ensemble.taught else train_members(ensemble.members, rule, example, age, ensemble.clock[1])


@accumulate_average.on(PooledEnsemble)
@accumulate_average.on(PolledEnsemble)
def accumulate_average_ensemble(ensemble: PolledEnsemble | PooledEnsemble, weight: float) -> None:
    accumulate_average(ensemble.pool, weight)
    ensemble.clock[0] += 1
    if ensemble.taught:
        ensemble.clock[1] += 1
    else:
        accumulate_average(ensemble.members, weight)


@drop_column.on(NoLeader)
def drop_column_no_leader(nothing: NoLeader, column: int) -> None:
    pass


@drop_column.on(PooledEnsemble)
@drop_column.on(PolledEnsemble)
def drop_column_ensemble(ensemble: PolledEnsemble | PooledEnsemble, column: int) -> None:
    drop_column(ensemble.members, column)
    drop_column(ensemble.pool, column)


@inline
def members_of(ensemble: PolledEnsemble | PooledEnsemble) -> Scorer:
    """The members."""
    return ensemble.members


delegate(PooledEnsemble, members_of, column_weight, removal_cost)
delegate(PolledEnsemble, members_of, column_weight, removal_cost)


@shrink.on(PooledEnsemble)
@shrink.on(PolledEnsemble)
def shrink_ensemble(ensemble: PolledEnsemble | PooledEnsemble, factor: float, age: float) -> None:
    shrink(ensemble.members, factor, age)
    shrink(ensemble.pool, factor, age)


@field_roles.on(PooledEnsemble)
@field_roles.on(PolledEnsemble)
def field_roles_ensemble(ensemble: PolledEnsemble | PooledEnsemble) -> Roles:
    return Roles(buffers=("clock",))


@in_native_layout.on(PooledEnsemble)
@in_native_layout.on(PolledEnsemble)
def in_native_layout_ensemble(ensemble: PolledEnsemble | PooledEnsemble) -> Scorer:
    return ensemble._replace(members=in_native_layout(ensemble.members))


@resize.on(NoLeader)
def resize_no_leader(nothing: NoLeader, n_features: int) -> Scorer:
    return nothing


@resize.on(PooledEnsemble)
@resize.on(PolledEnsemble)
def resize_ensemble(ensemble: PolledEnsemble | PooledEnsemble, n_features: int) -> Scorer:
    return ensemble._replace(members=resize(ensemble.members, n_features), pool=resize(ensemble.pool, n_features))


@with_rank.on(PooledEnsemble)
def with_rank_pooled_ensemble(ensemble: PooledEnsemble, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    """A new threshold of the pool is the sum of the members' new ones."""
    members, pool = with_rank(ensemble.members, place, X, age, n_ranks), with_rank(ensemble.pool, place, X, age, n_ranks)
    if isinstance(pool, Thresholded):
        copies, at = without_layout(members).copies, min(place, n_ranks - 1)
        # A new threshold of each member depends on its own projections, so their sum is not that of the pool's projection.
        for mine, theirs in ((pool.b, copies.b), (pool.total, copies.total)):
            if len(mine):
                mine[at] = theirs[:, at].sum()
                np.maximum.accumulate(mine, out=mine)
    return ensemble._replace(members=members, pool=pool)


@with_rank.on(PolledEnsemble)
def with_rank_polled_ensemble(ensemble: PolledEnsemble, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    return ensemble._replace(members=with_rank(ensemble.members, place, X, age, n_ranks))


@with_own_buffers.on(PooledEnsemble)
def with_own_buffers_pooled_ensemble(ensemble: PooledEnsemble) -> Scorer:
    return ensemble.pool


@with_own_buffers.on(PolledEnsemble)
def with_own_buffers_polled_ensemble(ensemble: PolledEnsemble) -> Scorer:
    stack = without_layout(ensemble.members)
    n_ranks = stack.reports.shape[2] // (2 if stack.report == VOTES else 1)
    members = with_stack(ensemble.members, with_reports(stack, 1, n_ranks))
    return ensemble._replace(members=members, clock=np.zeros(2, np.int64))


@hypothesis.on(PooledEnsemble)
def hypothesis_pooled_ensemble(ensemble: PooledEnsemble, n_ranks: int, age: float) -> Hypothesis:
    count = len(without_layout(ensemble.members).shown)
    return Hypothesis(*(part / count for part in hypothesis(ensemble.pool, n_ranks, age)))


@hypothesis.on(PolledEnsemble)
def hypothesis_polled_ensemble(ensemble: PolledEnsemble, n_ranks: int, age: float) -> Hypothesis:
    members = hypothesis(without_layout(ensemble.members), n_ranks, age)
    return Hypothesis(*(sum_of(part) / len(part) for part in members))


@unit.on(PolledEnsemble)
def unit_polled_ensemble(ensemble: PolledEnsemble, age: float) -> float:
    """About one vote per member and row: the true number may include the votes of rows that threads learned ahead."""
    stack = without_layout(ensemble.members)
    return divisor(stack, age) if stack.voice == EQUAL else 1.0 * stack.right.shape[0] * max(age, 1)


@divisor.on(PooledEnsemble)
@divisor.on(PolledEnsemble)
def divisor_ensemble(ensemble: PolledEnsemble | PooledEnsemble, age: float) -> float:
    return divisor(without_layout(ensemble.members), age)
