"""The members of an ensemble: copies of one scorer, each of which learns from a random part of the stream."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import generic, inline
from ..budget import column_weight, drop_column, removal_cost, shrink
from ..hashed_random import coin_flips
from ..protocol import Example, Rule, Scorer, accumulate_average, decide, learn, score, score_mean
from ..rows import AnyRows
from .protocol import Hypothesis, Roles, divisor, field_roles, hypothesis, member, resize, with_rank, without_layout, zeros

# Members are summed in blocks of this size, and then block by block, so no sum depends on which thread runs which member.
BLOCK = 32

# What members report of a row: their corrections, their votes, or their scores.
CORRECTIONS, VOTES, SCORES = range(3)

# How many votes a member has: the number of its correct ranks, that since its last update, or one.
CORRECT, SURVIVAL, EQUAL = range(3)


class Stack(NamedTuple):
    """``copies`` holds the arrays of all members, with an axis for them in front."""

    copies: Any
    decision: Any
    steps: np.ndarray  # of ``coin_flips``
    seed: np.ndarray
    first: int  # the number of the first member here
    shown: np.ndarray  # how often each member learns this row
    right: np.ndarray  # how many ranks each member predicted correctly
    voice: int
    report: int
    reports: np.ndarray  # by block, row and rank
    start: np.ndarray  # the age at the first row of the reports


@score.on(Stack)
def score_stack(stack: Stack, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return 0.0  # each member checks for itself whether it can learn the row


@learn.on(Stack)
def learn_stack(members: Any, rule: Rule, example: Example, prediction: int, age: float) -> int:
    stack = without_layout(members)
    row = age - stack.start[0]
    clear_reports(stack, row)
    if not math.isfinite(collect_votes(members, example.X, example.i, age, row, example.scores)):
        return -1
    return train_members(members, rule, example, age, row)


@generic
def train_members(stack: Any, rule: Rule, example: Example, age: float, row: int) -> int:
    """Train the members whose coin says so on a row: lines 4 to 10 of Harrington's Algorithm 2."""
    # A coin depends on the seed, the row and the member, so batches and threads do not change what a member learns.
    coin_flips(stack.shown, stack.seed[0], age, stack.first, stack.steps)
    updates = 0
    for m in range(stack.shown.shape[0]):
        if stack.shown[m]:
            learned = train_member(stack, m, 1, rule, example, age, row)
            if learned < 0:
                return -1
            updates += learned
    return train_members_again(stack, updates, rule, example, age, row)


@inline
def train_members_again(stack: Any, updates: int, rule: Rule, example: Example, age: float, row: int) -> int:
    """Train the members that learn a row more than once for the second and later times."""
    if stack.steps.shape[0] == 1:
        return updates  # Bernoulli: at most once
    for m in range(stack.shown.shape[0]):
        if stack.shown[m] > 1:
            learned = train_member(stack, m, np.int64(stack.shown[m]) - 1, rule, example, age, row)
            if learned < 0:
                return -1
            updates += learned
    return updates


@inline
def train_member(stack: Any, m: int, times: Any, rule: Rule, example: Example, age: float, row: int) -> int:
    """Train one member on a row, ``times`` times."""
    one, updates = member(stack.copies, m), 0
    for _ in range(times):
        score(one, example.X, example.i, example.scores)
        prediction = decide(stack.decision, example.scores)
        learned = learn(one, rule, example, prediction, age)
        if learned < 0:
            return -1
        record_result(stack, m, prediction == example.label, learned, row, example.correction)
        updates += learned
    return updates


@inline
def record_result(stack: Any, m: int, was_right: bool, learned: int, row: int, correction: np.ndarray) -> None:
    """Count the votes of a member, or report its correction."""
    if stack.report == VOTES:
        if learned and stack.voice == SURVIVAL:
            stack.right[m] = 0
        elif was_right:
            stack.right[m] += 1
    if learned and stack.report == CORRECTIONS:
        sums = stack.reports[m // BLOCK, row]
        for r in range(correction.shape[0]):
            sums[r] += correction[r]


@inline
def clear_reports(stack: Any, row: int) -> None:
    """Empty the reports of a row."""
    for block in range(stack.reports.shape[0]):
        sums = stack.reports[block, row]
        for r in range(sums.shape[0]):
            sums[r] = 0.0


@generic
def collect_votes(stack: Any, X: AnyRows, i: int, age: float, row: int, scores: np.ndarray) -> float:
    """Report the votes or the scores of the members for row ``i``; returns a number that is finite if all could score it."""
    if stack.report == CORRECTIONS:
        return 0.0
    finite = 0.0
    for m in range(stack.shown.shape[0]):
        finite += 0.0 * score_mean(member(stack.copies, m), X, i, age, scores)
        add_vote(stack, m, row, decide(stack.decision, scores), scores)
    return finite


@inline
def add_vote(stack: Any, m: int, row: int, rank: Any, scores: np.ndarray) -> None:
    """Report the votes of one member, weighted and not, or its scores."""
    if stack.report == VOTES:
        stack.reports[m // BLOCK, row, rank] += 0 if stack.voice == EQUAL else stack.right[m]
        stack.reports[m // BLOCK, row, scores.shape[0] + rank] += 1.0
    else:
        for r in range(scores.shape[0]):
            stack.reports[m // BLOCK, row, r] += scores[r]


@inline
def sum_reports(stack: Any, row: int, sums: np.ndarray) -> None:
    """Sum the reports of all blocks on a row; if no member has earned a vote, every member has one."""
    total = 0.0
    for r in range(sums.shape[0]):
        sums[r] = 0.0
        for block in range(stack.reports.shape[0]):
            sums[r] += stack.reports[block, row, r]
        total += sums[r]
    if stack.report == VOTES and total == 0.0:
        for r in range(sums.shape[0]):
            for block in range(stack.reports.shape[0]):
                sums[r] += stack.reports[block, row, sums.shape[0] + r]


@accumulate_average.on(Stack)
def accumulate_average_stack(stack: Stack, weight: float) -> None:
    for m in range(stack.shown.shape[0]):
        accumulate_average(member(stack.copies, m), weight)


@drop_column.on(Stack)
def drop_column_stack(stack: Stack, column: int) -> None:
    for m in range(stack.shown.shape[0]):
        drop_column(member(stack.copies, m), column)


@column_weight.on(Stack)
def column_weight_stack(stack: Stack, column: int) -> float:
    total = 0.0
    for m in range(stack.shown.shape[0]):
        total += column_weight(member(stack.copies, m), column)
    return total / stack.shown.shape[0]


@removal_cost.on(Stack)
def removal_cost_stack(stack: Stack, column: int, X: AnyRows, own: float) -> float:
    total = 0.0
    for m in range(stack.shown.shape[0]):
        total += removal_cost(member(stack.copies, m), column, X, own)
    return total / stack.shown.shape[0]


@shrink.on(Stack)
def shrink_stack(stack: Stack, factor: float, age: float) -> None:
    for m in range(stack.shown.shape[0]):
        shrink(member(stack.copies, m), factor, age)


@field_roles.on(Stack)
def field_roles_stack(stack: Stack) -> Roles:
    return Roles(buffers=("steps", "shown", "reports", "start"))


@resize.on(Stack)
def resize_stack(stack: Stack, n_features: int) -> Scorer:
    return stack._replace(copies=restacked(stack.copies, lambda one: resize(one, n_features)))


@with_rank.on(Stack)
def with_rank_stack(stack: Stack, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    copies = restacked(stack.copies, lambda one: with_rank(one, place, X, age, n_ranks))
    return with_reports(stack._replace(copies=copies), 1, n_ranks + 1)


@hypothesis.on(Stack)
def hypothesis_stack(stack: Stack, n_ranks: int, age: float) -> Hypothesis:
    """All members' hypotheses, stacked."""
    members = [hypothesis(member(stack.copies, m), n_ranks, age) for m in range(len(stack.shown))]
    return Hypothesis(*(np.stack(parts) for parts in zip(*members)))


@divisor.on(Stack)
def divisor_stack(stack: Stack, age: float) -> float:
    if stack.report == VOTES:
        votes = 0 if stack.voice == EQUAL else int(stack.right.sum())
        return votes or len(stack.right)
    return len(stack.right) * divisor(member(stack.copies, 0), age)


def sum_of(rows: np.ndarray) -> np.ndarray:
    """The sum over the first axis, row by row: numpy's ``sum`` may add in an order that depends on the other axes."""
    total: np.ndarray = np.cumsum(rows, axis=0)[-1]
    return total


def with_reports(stack: Stack, rows: int, n_ranks: int) -> Stack:
    """The stack with buffers of its own, and capacity for reports on ``rows`` rows."""
    blocks, places = -(-len(stack.shown) // BLOCK), 2 * n_ranks if stack.report == VOTES else n_ranks
    return stack._replace(reports=np.zeros((blocks, rows, places)), shown=np.zeros_like(stack.shown), start=np.zeros(1, np.int64))


def part(stack: Stack, members: slice) -> Stack:
    """The stack with some of its members, which begin with a block."""
    copies = type(stack.copies)(*(one[members] if isinstance(one, np.ndarray) else one for one in stack.copies))
    blocks = slice(members.start // BLOCK, -(-members.stop // BLOCK))
    return stack._replace(
        copies=copies,
        first=members.start,
        shown=stack.shown[members],
        right=stack.right[members],
        reports=stack.reports[blocks],
    )


def stacked(scorer: Any, count: int, by_lanes: bool = False) -> Any:
    """``count`` copies of a scorer: side by side in memory, or one after another."""
    return type(scorer)(*(_repeated(part, count, by_lanes) if isinstance(part, np.ndarray) else part for part in scorer))


def _repeated(array: np.ndarray, count: int, by_lanes: bool) -> np.ndarray:
    if by_lanes:
        copies = zeros(*reversed(array.shape), -(-count // 8) * 8).T[:count]  # every feature begins on a cache line
    else:
        copies = zeros(count, *array.shape).astype(array.dtype, copy=False)
    copies[...] = array
    return copies


def restacked(copies: Any, change: Callable[[Any], Any]) -> Any:
    """The copies after each has been changed."""
    count = len(copies[0])
    changed = [change(member(copies, m)) for m in range(count)]
    grown = stacked(changed[0], count, by_lanes=any(np.ndim(part) > 1 and not part.flags.c_contiguous for part in copies))
    for m, one in enumerate(changed):
        for array, part in zip(grown, one):
            if isinstance(part, np.ndarray):
                array[m] = part
    return grown
