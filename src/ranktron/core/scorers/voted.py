"""Every hypothesis that a scorer has held, with the number of rows that it has survived."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import verb
from ..budget import drop, shrink, spread, weight
from ..checks import MOST_ROWS, require
from ..protocol import check_learned, decide, hold, learn, mistaken, score, score_mean
from ..rows import squared_norm
from .protocol import (
    Hypothesis,
    copy_within,
    divisor,
    effort,
    grows,
    hypothesis,
    member,
    resize,
    with_own_room,
    with_rank,
    with_room,
)
from .stack import restacked, stacked, sum_of
from .state import room, trimmed
from .votes import count_votes

KEPT, PRESENT, MADE = range(3)
"""Places in ``Voted.state``: how many hypotheses are kept, where the present one is, how many were made."""


class Voted(NamedTuple):
    """``trail`` is a stack of hypotheses, ``made`` says when each came to be."""

    trail: Any
    decision: Any
    survived: np.ndarray
    made: np.ndarray
    state: np.ndarray
    votes: np.ndarray  # room
    limit: int  # the most that are kept, 0 for all
    start: int  # what a count begins with, before the row at which the hypothesis was made
    combine: int


def voted(scorer: Any, decision: Any, n_ranks: int, limit: int, start: int, combine: int) -> Voted:
    """One hypothesis to begin with."""
    counts = (np.zeros(1, np.int64), np.zeros(1, np.int64), np.array([1, 0, 1]))
    return Voted(stacked(scorer, 1), decision, *counts, np.zeros(n_ranks), limit, start, combine)


@with_room.on(Voted)
def _(voted, rows):
    needed, room = int(voted.state[KEPT]) + rows + 1, len(voted.survived)  # one more to learn in
    needed = min(needed, voted.limit + 1) if voted.limit else needed
    if needed <= room:
        return voted
    room = min(max(needed, 2 * room), voted.limit + 1) if voted.limit else max(needed, 2 * room)
    trail = type(voted.trail)(*(_longer(part, room) if isinstance(part, np.ndarray) else part for part in voted.trail))
    return voted._replace(trail=trail, survived=_longer(voted.survived, room), made=_longer(voted.made, room))


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


@score.on(Voted)
def _(voted, X, i, scores):
    votes, total, finite = voted.votes, 0, 0.0
    for r in range(votes.shape[0]):
        votes[r] = 0.0
    for h in range(voted.state[KEPT]):
        finite += 0.0 * score(member(voted.trail, h), X, i, scores)
        votes[decide(voted.decision, scores)] += voted.survived[h]
        total += voted.survived[h]
    if total == 0:
        score(member(voted.trail, voted.state[PRESENT]), X, i, scores)
        votes[decide(voted.decision, scores)] = 1.0
    for r in range(votes.shape[0]):
        scores[r] = votes[r]
    count_votes(scores, voted.combine)
    return finite


@score_mean.on(Voted)
def _(voted, X, i, age, scores):
    return score(voted, X, i, scores)


@learn.on(Voted)
def _(voted, rule, X, i, label, prediction, scale, age, single, scores, correction):
    now = voted.state[PRESENT]
    if not math.isfinite(score(member(voted.trail, now), X, i, scores)):
        return -1
    own = decide(voted.decision, scores)
    if not mistaken(rule, scores, own, label):
        return 0
    if single and not math.isfinite(squared_norm(X, i)):
        return -1
    new = voted.state[KEPT]
    copy_within(voted.trail, now, new)
    learned = learn(member(voted.trail, new), rule, X, i, label, own, scale, age, single, scores, correction)
    if learned > 0:
        admit(voted, new)
    return learned


@verb
def admit(voted, new):
    """Let the hypothesis behind all others be the present one, in the place of another if there are too many."""
    place = new
    if voted.limit and new == voted.limit:
        place = shortest_lived(voted)
        copy_within(voted.trail, new, place)
    voted.survived[place], voted.made[place] = voted.start, voted.state[MADE]
    voted.state[KEPT] = max(voted.state[KEPT], place + 1)
    voted.state[PRESENT] = place
    voted.state[MADE] += 1


@verb
def shortest_lived(voted):
    """The hypothesis that survived the fewest rows, the oldest of equals."""
    least = 0
    for h in range(1, voted.state[KEPT]):
        fewer = voted.survived[h] < voted.survived[least]
        if fewer or (voted.survived[h] == voted.survived[least] and voted.made[h] < voted.made[least]):
            least = h
    return least


@hold.on(Voted)
def _(voted):
    voted.survived[voted.state[PRESENT]] += 1


@drop.on(Voted)
def _(voted, column):
    for h in range(voted.state[KEPT]):
        drop(member(voted.trail, h), column)


@weight.on(Voted)
def _(voted, column):
    return weight(member(voted.trail, voted.state[PRESENT]), column)


@spread.on(Voted)
def _(voted, column, X, own):
    return spread(member(voted.trail, voted.state[PRESENT]), column, X, own)


@shrink.on(Voted)
def _(voted, factor, age):
    shrink(member(voted.trail, voted.state[PRESENT]), factor, age)


@effort.on(Voted)
def _(voted):
    return max(1, int(voted.state[KEPT]))


@grows.on(Voted)
def _(voted):
    return voted.limit == 0 or len(voted.survived) <= voted.limit


@check_learned.on(Voted)
def check_voted(voted, prefix, n_features):
    kept, present, made = voted.state.tolist()
    require(present < kept <= made and kept <= (voted.limit or kept), f"{prefix}state {voted.state.tolist()} cannot be")
    numbers = voted.made[:kept]
    require(len(np.unique(numbers)) == kept and numbers.max() < made, f"{prefix}made should number {kept} of {made} hypotheses")
    require(float(voted.survived.sum(dtype=np.float64)) <= MOST_ROWS, f"{prefix}survived adds up to too many rows")


@room.on(Voted)
def _(voted):
    return ("votes",)


@trimmed.on(Voted)
def _(voted, columns):
    kept = int(voted.state[KEPT])
    trail = type(voted.trail)(*(part[:kept] if isinstance(part, np.ndarray) else part for part in voted.trail))
    return voted._replace(trail=trimmed(trail, columns), survived=voted.survived[:kept], made=voted.made[:kept])


@resize.on(Voted)
def _(voted, n_features):
    return voted._replace(trail=restacked(voted.trail, lambda one: resize(one, n_features)))


@with_rank.on(Voted)
def _(voted, place, X, age, n_ranks):
    trail = restacked(voted.trail, lambda one: with_rank(one, place, X, age, n_ranks))
    return voted._replace(trail=trail, votes=np.zeros(n_ranks + 1))


@with_own_room.on(Voted)
def _(voted):
    return voted._replace(votes=np.zeros_like(voted.votes))


@hypothesis.on(Voted)
def _(voted, n_ranks, age):
    """The mean of the hypotheses by their votes."""
    every, votes = hypotheses(voted, n_ranks)
    total = votes.sum()
    if total == 0:
        return Hypothesis(*(part[-1] for part in every))
    return Hypothesis(*(sum_of((part.T * votes).T) / total for part in every))


def hypotheses(voted: Voted, n_ranks: int) -> tuple[Hypothesis, np.ndarray]:
    """All hypotheses, stacked in the order in which they were made, and their votes."""
    order = np.argsort(voted.made[: voted.state[KEPT]])
    each = (hypothesis(member(voted.trail, h), n_ranks, 0) for h in order)
    return Hypothesis(*(np.stack(parts) for parts in zip(*each))), voted.survived[order]


@divisor.on(Voted)
def _(voted, age):
    return int(voted.survived[: voted.state[KEPT]].sum()) or 1
