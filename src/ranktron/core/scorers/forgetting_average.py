"""A scorer whose mean forgets: every hypothesis counts less than the next by the same factor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import verb
from ..budget import drop, shrink, spread, weight
from ..checks import MOST_ROWS, check_between
from ..protocol import check_learned, compiles, hold, learn, move, score, score_mean, update
from .fading import hold_weighted, scale_sums
from .protocol import (
    divisor,
    effort,
    grows,
    hypothesis,
    insert_rank,
    laid_out,
    resize,
    with_own_room,
    with_rank,
    with_room,
    within,
)
from .state import clear, sweeps

AGE, HELD, NEXT = range(3)
"""Places in ``Faded.clock``: the rows learned, the weights of their hypotheses in sum, and the weight of the next one."""

LARGEST, LESS = 2.0**64, 2.0**-64
"""When a weight exceeds this, all sums and weights are multiplied by that: a power of two, so nothing is rounded."""


class Faded(NamedTuple):
    """``scorer``, where the hypothesis held after row t has the weight growth^t instead of 1.

    Its mean is kept as ever, with the sum of the weights for the number of rows: a move is lagged by the weights so far. The past
    does not shrink, then, but what comes grows, and no row costs more than without it.
    """

    scorer: Any
    clock: np.ndarray
    growth: float


def faded(scorer: Any, forget: float) -> Faded:
    """A scorer that knows nothing yet, and will forget this share of its past with every row."""
    return Faded(scorer, np.array([0.0, 0.0, 1.0]), 1.0 / (1.0 - forget))


@score.on(Faded)
def _(faded, X, i, scores):
    return score(faded.scorer, X, i, scores)


@score_mean.on(Faded)
def _(faded, X, i, age, scores):
    return score_mean(faded.scorer, X, i, faded.clock[HELD], scores)


@learn.on(Faded)
def _(faded, rule, X, i, label, prediction, scale, age, single, scores, correction):
    return learn(faded.scorer, rule, X, i, label, prediction, scale, faded.clock[HELD], single, scores, correction)


@update.on(Faded)
def _(faded, X, i, correction, age):
    update(faded.scorer, X, i, correction, faded.clock[HELD])


@move.on(Faded)
def _(faded, X, rows, pushes, age):
    move(faded.scorer, X, rows, pushes, faded.clock[HELD])


@hold.on(Faded)
def _(faded):
    clock = faded.clock
    hold_weighted(faded.scorer, clock[NEXT])
    clock[AGE] += 1.0
    clock[HELD] += clock[NEXT]
    clock[NEXT] *= faded.growth
    if clock[NEXT] > LARGEST:
        scale_sums(faded.scorer, LESS)
        clock[HELD] *= LESS
        clock[NEXT] *= LESS


@verb
def held_after(faded, age):
    """The sum of the weights after so many rows: those learned, or one more."""
    clock = faded.clock
    if age <= clock[AGE]:
        return clock[HELD]
    return (clock[HELD] + clock[NEXT]) * (LESS if clock[NEXT] * faded.growth > LARGEST else 1.0)


@divisor.on(Faded)
def _(faded, age):
    return divisor(faded.scorer, held_after(faded, age))


@drop.on(Faded)
def _(faded, column):
    drop(faded.scorer, column)


@weight.on(Faded)
def _(faded, column):
    return weight(faded.scorer, column)


@spread.on(Faded)
def _(faded, column, X, own):
    return spread(faded.scorer, column, X, own)


@shrink.on(Faded)
def _(faded, factor, age):
    shrink(faded.scorer, factor, faded.clock[HELD])


# No compiled loop calls the rest


@check_learned.on(Faded)
def check_faded(faded, prefix, n_features):
    check_between(f"{prefix}clock", faded.clock[[AGE, HELD]], 0.0, MOST_ROWS * LARGEST)
    check_between(f"{prefix}clock", faded.clock[NEXT], LESS, LARGEST)


@within.on(Faded)
def _(faded):
    return faded.scorer


@sweeps.on(Faded)
def _(faded):
    return True  # when all sums are scaled


@hypothesis.on(Faded)
def _(faded, n_ranks, age):
    return hypothesis(faded.scorer, n_ranks, float(faded.clock[HELD]))


@with_rank.on(Faded)
def _(faded, place, X, age, n_ranks):
    return faded._replace(scorer=with_rank(faded.scorer, place, X, float(faded.clock[HELD]), n_ranks))


def _asked_inside(verb: Any) -> None:
    verb.on(Faded)(lambda faded, *args: verb(faded.scorer, *args))


def _changed_inside(verb: Any) -> None:
    verb.on(Faded)(lambda faded, *args: faded._replace(scorer=verb(faded.scorer, *args)))


for _verb in (clear, compiles, effort, grows):
    _asked_inside(_verb)
for _verb in (insert_rank, laid_out, resize, with_own_room, with_room):
    _changed_inside(_verb)
