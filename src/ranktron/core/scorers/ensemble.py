"""The combined rule of many members: their sum, or what they say taken together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import verb
from ..budget import drop, shrink, spread, weight
from ..protocol import hold, learn, score, score_mean, update
from .lanes import Lanes, lanes
from .protocol import Hypothesis, divisor, hypothesis, laid_out, resize, unit, with_own_room, with_rank
from .stack import EQUAL, VOTES, Stack, clear, gather, report, sum_of, teach, with_reports
from .state import room
from .thresholded import Cut
from .votes import count_votes


class Pooled(NamedTuple):
    """Members and the sum of them, which is a scorer like each of them and moves by the sum of their corrections.

    ``taught`` says that the members have learned the rows already and that their reports are there to be read; ``clock`` holds
    the age, and which row of the reports is next.
    """

    members: Any
    pool: Any
    taught: bool
    clock: np.ndarray


class Nothing(NamedTuple):
    """Instead of a pool: it holds nothing, and nothing is done with it."""


class Polled(NamedTuple):
    """Members whose votes are counted, or whose scores are added up, on every row."""

    members: Any
    pool: Nothing
    combine: int
    taught: bool
    clock: np.ndarray


@verb
def stack_of(members):
    """The members as a ``Stack``."""
    return members


@stack_of.on(Lanes)
def _(members):
    return members.stack


def with_stack(members: Any, stack: Stack) -> Any:
    """The members with another stack, laid out as they are and with room of their own to work in."""
    return lanes(stack) if isinstance(members, Lanes) else stack


@score.on(Pooled)
def _(crowd, X, i, scores):
    return score_mean(crowd.pool, X, i, crowd.clock[0], scores)  # the loss is that of the combined prediction


@score_mean.on(Pooled)
def _(crowd, X, i, age, scores):
    return score_mean(crowd.pool, X, i, age, scores)


@learn.on(Pooled)
def _(crowd, rule, X, i, label, prediction, scale, age, single, scores, correction):
    stack, row, updates = stack_of(crowd.members), crowd.clock[1], 1
    if not crowd.taught:
        clear(stack, row)
        updates = teach(crowd.members, rule, X, i, label, scale, age, row, single, scores, correction)
    if updates > 0:
        gather(stack, row, correction)
        update(crowd.pool, X, i, correction, age)
    return updates


@score.on(Polled)
def _(crowd, X, i, scores):
    return score_mean(crowd, X, i, crowd.clock[0], scores)


@score_mean.on(Polled)
def _(crowd, X, i, age, scores):
    finite, stack, row = 0.0, stack_of(crowd.members), crowd.clock[1]
    if not crowd.taught:
        clear(stack, row)
        finite = report(crowd.members, X, i, age, row, scores)
    gather(stack, row, scores)
    if stack.report == VOTES:
        count_votes(scores, crowd.combine)
    return finite


@learn.on(Polled)
def _(crowd, rule, X, i, label, prediction, scale, age, single, scores, correction):
    if crowd.taught:
        return 0
    return teach(crowd.members, rule, X, i, label, scale, age, crowd.clock[1], single, scores, correction)


@hold.on(Pooled)
@hold.on(Polled)
def _(crowd):
    hold(crowd.pool)
    crowd.clock[0] += 1
    if crowd.taught:
        crowd.clock[1] += 1
    else:
        hold(crowd.members)


@drop.on(Nothing)
def _(nothing, column):
    pass


@drop.on(Pooled)
@drop.on(Polled)
def _(crowd, column):
    drop(crowd.members, column)
    drop(crowd.pool, column)


@weight.on(Pooled)
@weight.on(Polled)
def _(crowd, column):
    return weight(crowd.members, column)


@spread.on(Pooled)
@spread.on(Polled)
def _(crowd, column, X, own):
    return spread(crowd.members, column, X, own)


@shrink.on(Pooled)
@shrink.on(Polled)
def _(crowd, factor, age):
    shrink(crowd.members, factor, age)
    shrink(crowd.pool, factor, age)


@room.on(Pooled)
@room.on(Polled)
def _(crowd):
    return ("clock",)


@laid_out.on(Pooled)
@laid_out.on(Polled)
def _(crowd):
    return crowd._replace(members=laid_out(crowd.members))


@resize.on(Nothing)
def _(nothing, n_features):
    return nothing


@resize.on(Pooled)
@resize.on(Polled)
def _(crowd, n_features):
    return crowd._replace(members=resize(crowd.members, n_features), pool=resize(crowd.pool, n_features))


@with_rank.on(Pooled)
def _(crowd, place, X, age, n_ranks):
    """A new threshold of the pool is the sum of the members' new ones, as all of it is."""
    members, pool = with_rank(crowd.members, place, X, age, n_ranks), with_rank(crowd.pool, place, X, age, n_ranks)
    if isinstance(pool, Cut):
        copies, at = stack_of(members).copies, min(place, n_ranks - 1)
        for mine, theirs in ((pool.b, copies.b), (pool.total, copies.total)):
            if len(mine):
                mine[at] = theirs[:, at].sum()
                np.maximum.accumulate(mine, out=mine)
    return crowd._replace(members=members, pool=pool)


@with_rank.on(Polled)
def _(crowd, place, X, age, n_ranks):
    return crowd._replace(members=with_rank(crowd.members, place, X, age, n_ranks))


@with_own_room.on(Pooled)
def _(crowd):
    return crowd.pool


@with_own_room.on(Polled)
def _(crowd):
    stack = stack_of(crowd.members)
    n_ranks = stack.reports.shape[2] // (2 if stack.report == VOTES else 1)
    members = with_stack(crowd.members, with_reports(stack, 1, n_ranks))
    return crowd._replace(members=members, clock=np.zeros(2, np.int64))


@hypothesis.on(Pooled)
def _(crowd, n_ranks, age):
    count = len(stack_of(crowd.members).shown)
    return Hypothesis(*(part / count for part in hypothesis(crowd.pool, n_ranks, age)))


@hypothesis.on(Polled)
def _(crowd, n_ranks, age):
    members = hypothesis(stack_of(crowd.members), n_ranks, age)
    return Hypothesis(*(sum_of(part) / len(part) for part in members))


@unit.on(Polled)
def _(crowd, age):
    """Votes that grow are as many as rows were shown, about: threads may have counted the votes of rows to come already."""
    stack = stack_of(crowd.members)
    return divisor(stack, age) if stack.voice == EQUAL else 1.0 * stack.right.shape[0] * max(age, 1)


@divisor.on(Pooled)
@divisor.on(Polled)
def _(crowd, age):
    return divisor(stack_of(crowd.members), age)
