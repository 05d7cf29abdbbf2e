"""Every hypothesis that a scorer has held, with the number of rows that it survived."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import inline
from ..budget import column_weight, drop_column, removal_cost, shrink
from ..checks import MOST_ROWS, require
from ..protocol import (
    Example,
    Rule,
    Scorer,
    accumulate_average,
    check_learned,
    decide,
    delegate,
    learn,
    needs_update,
    score,
    score_mean,
)
from ..rows import AnyRows, squared_norm
from .protocol import (
    Hypothesis,
    Roles,
    copy_member,
    divisor,
    field_roles,
    grows,
    hypothesis,
    member,
    reserve,
    resize,
    trimmed,
    with_own_buffers,
    with_rank,
    work_per_row,
)
from .stack import restacked, stacked, sum_of

# How votes are combined. The mean and the median give scores like those of thresholds, the others one score per rank.
MEAN, MEDIAN, PLURALITY, SHARES = range(4)

COMBINATIONS = {"mean": MEAN, "median": MEDIAN, "plurality": PLURALITY}


# Places in ``Voted.state``: the number of hypotheses kept, the place of the present one, and the number ever made.
KEPT, PRESENT, MADE = range(3)


class Voted(NamedTuple):
    """``trail`` is a stack of hypotheses; ``made`` numbers them in the order in which they were made."""

    trail: Any
    decision: Any
    survived: np.ndarray
    made: np.ndarray
    state: np.ndarray
    votes: np.ndarray  # a buffer
    limit: int  # the maximum number that is kept, 0 for all
    start: int  # where the count of a hypothesis begins
    combine: int


def voted(scorer: Any, decision: Any, n_ranks: int, limit: int, start: int, combine: int) -> Voted:
    """A trail with one hypothesis, the scorer itself."""
    counts = (np.zeros(1, np.int64), np.zeros(1, np.int64), np.array([1, 0, 1]))
    return Voted(stacked(scorer, 1), decision, *counts, np.zeros(n_ranks), limit, start, combine)


@reserve.on(Voted)
def reserve_voted(voted: Voted, rows: int) -> Scorer:
    needed, capacity = int(voted.state[KEPT]) + rows + 1, len(voted.survived)  # one more, which learns
    needed = min(needed, voted.limit + 1) if voted.limit else needed
    if needed <= capacity:
        return voted
    capacity = min(max(needed, 2 * capacity), voted.limit + 1) if voted.limit else max(needed, 2 * capacity)
    trail = type(voted.trail)(*(_longer(part, capacity) if isinstance(part, np.ndarray) else part for part in voted.trail))
    return voted._replace(trail=trail, survived=_longer(voted.survived, capacity), made=_longer(voted.made, capacity))


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


@score.on(Voted)
def score_voted(voted: Voted, X: AnyRows, i: int, scores: np.ndarray) -> float:
    votes, total, finite = voted.votes, 0, 0.0
    for r in range(votes.shape[0]):
        votes[r] = 0.0
    for h in range(voted.state[KEPT]):
        # 0 times a score is 0, or NaN if the score is not finite
        finite += 0.0 * score(member(voted.trail, h), X, i, scores)
        votes[decide(voted.decision, scores)] += voted.survived[h]
        total += voted.survived[h]
    if total == 0:
        score(present(voted), X, i, scores)
        votes[decide(voted.decision, scores)] = 1.0
    for r in range(votes.shape[0]):
        scores[r] = votes[r]
    count_votes(scores, voted.combine)
    return finite


@score_mean.on(Voted)
def score_mean_voted(voted: Voted, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    return score(voted, X, i, scores)


@learn.on(Voted)
def learn_voted(voted: Voted, rule: Rule, example: Example, prediction: int, age: float) -> int:
    X, i, scores = example.X, example.i, example.scores
    if not math.isfinite(score(present(voted), X, i, scores)):
        return -1
    own = decide(voted.decision, scores)
    if not needs_update(rule, scores, own, example.label):
        return 0
    if example.single and not math.isfinite(squared_norm(X, i)):
        return -1
    new = voted.state[KEPT]
    copy_member(voted.trail, voted.state[PRESENT], new)  # the copy learns, because the present hypothesis goes on voting
    learned = learn(member(voted.trail, new), rule, example, own, age)
    if learned > 0:
        admit(voted, new)
    return learned


@inline
def admit(voted: Voted, new: int) -> None:
    """Make the hypothesis at place ``new`` the present one; if there are too many, it replaces another."""
    place = new
    if voted.limit and new == voted.limit:
        place = shortest_lived(voted)
        copy_member(voted.trail, new, place)
    voted.survived[place], voted.made[place] = voted.start, voted.state[MADE]
    voted.state[KEPT] = max(voted.state[KEPT], place + 1)
    voted.state[PRESENT] = place
    voted.state[MADE] += 1


@inline
def shortest_lived(voted: Voted) -> int:
    """The place of the hypothesis that survived the fewest rows; of equals, the oldest."""
    least = 0
    for h in range(1, voted.state[KEPT]):
        fewer = voted.survived[h] < voted.survived[least]
        if fewer or (voted.survived[h] == voted.survived[least] and voted.made[h] < voted.made[least]):
            least = h
    return least


@accumulate_average.on(Voted)
def accumulate_average_voted(voted: Voted, weight: float) -> None:
    voted.survived[voted.state[PRESENT]] += 1


@drop_column.on(Voted)
def drop_column_voted(voted: Voted, column: int) -> None:
    for h in range(voted.state[KEPT]):
        drop_column(member(voted.trail, h), column)


@inline
def present(voted: Voted) -> Scorer:
    """The hypothesis that learns."""
    return member(voted.trail, voted.state[PRESENT])


delegate(Voted, present, column_weight, removal_cost, shrink)


@work_per_row.on(Voted)
def work_per_row_voted(voted: Voted) -> int:
    return max(1, int(voted.state[KEPT]))


@grows.on(Voted)
def grows_voted(voted: Voted) -> bool:
    return voted.limit == 0 or len(voted.survived) <= voted.limit


@check_learned.on(Voted)
def check_voted(voted: Voted, prefix: str, n_features: int) -> None:
    kept, present, made = voted.state.tolist()
    require(present < kept <= made and kept <= (voted.limit or kept), f"{prefix}state {voted.state.tolist()} cannot be")
    numbers = voted.made[:kept]
    require(len(np.unique(numbers)) == kept and numbers.max() < made, f"{prefix}made should number {kept} of {made} hypotheses")
    require(float(voted.survived.sum(dtype=np.float64)) <= MOST_ROWS, f"{prefix}survived adds up to too many rows")


@field_roles.on(Voted)
def field_roles_voted(voted: Voted) -> Roles:
    return Roles(buffers=("votes",))


@trimmed.on(Voted)
def trimmed_voted(voted: Voted, columns: int | None) -> Scorer:
    kept = int(voted.state[KEPT])
    trail = type(voted.trail)(*(part[:kept] if isinstance(part, np.ndarray) else part for part in voted.trail))
    return voted._replace(trail=trimmed(trail, columns), survived=voted.survived[:kept], made=voted.made[:kept])


@resize.on(Voted)
def resize_voted(voted: Voted, n_features: int) -> Scorer:
    return voted._replace(trail=restacked(voted.trail, lambda one: resize(one, n_features)))


@with_rank.on(Voted)
def with_rank_voted(voted: Voted, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    trail = restacked(voted.trail, lambda one: with_rank(one, place, X, age, n_ranks))
    return voted._replace(trail=trail, votes=np.zeros(n_ranks + 1))


@with_own_buffers.on(Voted)
def with_own_buffers_voted(voted: Voted) -> Scorer:
    return voted._replace(votes=np.zeros_like(voted.votes))


@hypothesis.on(Voted)
def hypothesis_voted(voted: Voted, n_ranks: int, age: float) -> Hypothesis:
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
def divisor_voted(voted: Voted, age: float) -> float:
    return int(voted.survived[: voted.state[KEPT]].sum()) or 1


@inline
def count_votes(votes: np.ndarray, combine: int) -> None:
    """Turn votes, one number per rank, into scores, in place.

    Score r of the mean or the median is not negative if that is r + ½ or more, so halves are rounded up. The last place gets the
    mean rank times the number of votes.
    """
    k = votes.shape[0]
    if combine >= PLURALITY:
        return
    total, ranks = 0.0, 0.0
    for r in range(k):
        total += votes[r]
        ranks += r * votes[r]
    above = total
    for r in range(k - 1):
        above -= votes[r]
        votes[r] = ranks - (r + 0.5) * total if combine == MEAN else 2.0 * above - total
    votes[k - 1] = ranks
