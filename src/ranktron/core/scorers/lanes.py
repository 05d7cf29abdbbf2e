"""Members as lanes: their weights for one feature lie side by side in memory, so one row is scored for all members in vectors.

They learn the same as a ``Stack``, bit for bit. The compiled twins are in ``native.lanes``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...compile.generic import compiled_as, inline
from ..budget import column_weight, drop_column, removal_cost, shrink
from ..hashed_random import coin_flips
from ..protocol import (
    Example,
    Rule,
    Scorer,
    accumulate_average,
    decide,
    delegate,
    depends_on_rank_only,
    learn,
    needs_update,
    score,
    update,
    write_correction,
)
from ..rows import AnyRows, dots, dots_mean, squared_norm
from .protocol import in_native_layout, member, resize, with_rank, without_layout
from .stack import (
    CORRECTIONS,
    VOTES,
    Stack,
    add_vote,
    collect_votes,
    learn_stack,
    record_result,
    score_stack,
    stacked,
    train_members,
    train_members_again,
)

ONE = np.uint64(1)


class Lanes(NamedTuple):
    """A stack of ``Thresholded``, and buffers for the projections and ranks of all members, and for who is corrected."""

    stack: Stack
    projections: np.ndarray
    ranks: np.ndarray
    marks: np.ndarray  # one bit per member


def lanes(stack: Stack) -> Lanes:
    """A stack whose members lie side by side."""
    count = len(stack.shown)
    return Lanes(stack, np.zeros(count), np.zeros(count, np.uint32), np.zeros(-(-count // 64), np.uint64))


score.on(Lanes)(score_stack)
learn.on(Lanes)(learn_stack)


@compiled_as("ranktron.core.native.lanes:rank_each")
def rank_each(projections: np.ndarray, cuts: np.ndarray, ranks: np.ndarray) -> None:
    """Write the rank that each member predicts, given its projection of the row and its thresholds."""
    ranks[:] = (projections[:, None] - cuts >= 0.0).sum(axis=1)


@inline
def scores_of(lanes: Lanes, m: int, cuts: np.ndarray, scores: np.ndarray) -> None:
    """The scores of one member."""
    projection = lanes.projections[m]
    for r in range(cuts.shape[1]):
        scores[r] = projection - cuts[m, r]
    scores[cuts.shape[1]] = projection


@train_members.on(Lanes)
def train_members_lanes(lanes: Lanes, rule: Rule, example: Example, age: float, row: int) -> int:
    stack, copies, X, i = lanes.stack, lanes.stack.copies, example.X, example.i
    coin_flips(stack.shown, stack.seed[0], age, stack.first, stack.steps)
    dots(X, i, copies.w, lanes.projections)  # also for members that do not learn the row: vectors are cheaper than branches
    mark_mistakes(lanes, rule, example.label, example.scores)
    norm, updates = squared_norm(X, i), 0
    for word in range(lanes.marks.shape[0]):
        bits = lanes.marks[word]
        if bits and example.single and not math.isfinite(norm):
            return -1
        while bits:  # a bit mask, because the processor cannot predict branches on random numbers
            m = 64 * word + lowest(bits)
            bits &= bits - ONE
            scores_of(lanes, m, copies.b, example.scores)
            write_correction(rule, example, decide(stack.decision, example.scores), norm)
            update(member(copies, m), X, i, example.correction, age)
            record_result(stack, m, False, 1, row, example.correction)
            updates += 1
    return train_members_again(stack, updates, rule, example, age, row)


@inline
def mark_mistakes(lanes: Lanes, rule: Rule, label: int, scores: np.ndarray) -> None:
    """Mark the members that learn the row and need an update."""
    stack, cuts = lanes.stack, lanes.stack.copies.b
    for word in range(lanes.marks.shape[0]):
        lanes.marks[word] = 0
    if depends_on_rank_only(rule):
        mark_outside(lanes.marks, stack.shown, lanes.projections, cuts, label)
    else:
        for m in range(stack.shown.shape[0]):
            scores_of(lanes, m, cuts, scores)
            if stack.shown[m] > 0 and needs_update(rule, scores, decide(stack.decision, scores), label):
                lanes.marks[m // 64] |= ONE << np.uint64(m % 64)
    if stack.report == VOTES:
        rank_each(lanes.projections, cuts, lanes.ranks)
        for m in range(stack.shown.shape[0]):
            stack.right[m] += stack.shown[m] > 0 and lanes.ranks[m] == label


@compiled_as("ranktron.core.native.lanes:mark_outside")
def mark_outside(marks: np.ndarray, shown: np.ndarray, projections: np.ndarray, cuts: np.ndarray, label: int) -> None:
    """Set the bits, all of which are 0, of the members that learn the row and project it outside the label's interval."""
    outside = np.zeros(len(shown), bool)
    if label > 0:
        outside |= ~(projections - cuts[:, label - 1] >= 0.0)
    if label < cuts.shape[1]:
        outside |= projections - cuts[:, label] >= 0.0
    bits = np.packbits((shown > 0) & outside, bitorder="little")
    marks.view(np.uint8)[: len(bits)] = bits


@compiled_as("ranktron.core.native.lanes:lowest")
def lowest(bits: np.uint64) -> int:
    """The number of the lowest bit that is set."""
    return (int(bits) & -int(bits)).bit_length() - 1


@collect_votes.on(Lanes)
def collect_votes_lanes(lanes: Lanes, X: AnyRows, i: int, age: float, row: int, scores: np.ndarray) -> float:
    stack, copies = lanes.stack, lanes.stack.copies
    if stack.report == CORRECTIONS:
        return 0.0
    cuts = copies.b
    if copies.lag.shape[1]:
        dots_mean(X, i, copies.w, copies.lag, age, lanes.projections)
        cuts = copies.total
    else:
        dots(X, i, copies.w, lanes.projections)
    rank_each(lanes.projections, cuts, lanes.ranks)
    finite = 0.0
    for m in range(lanes.ranks.shape[0]):
        finite += 0.0 * lanes.projections[m]
        add_vote(stack, m, row, np.int64(lanes.ranks[m]), scores)
    return finite


@accumulate_average.on(Lanes)
def accumulate_average_lanes(lanes: Lanes, weight: float) -> None:
    b, total = lanes.stack.copies.b, lanes.stack.copies.total
    for r in range(total.shape[1]):
        for m in range(total.shape[0]):
            total[m, r] += weight * b[m, r]


@without_layout.on(Lanes)
def without_layout_lanes(lanes: Lanes) -> Scorer:
    return lanes.stack


delegate(Lanes, without_layout, drop_column, column_weight, removal_cost, shrink)


@in_native_layout.on(Lanes)
def in_native_layout_lanes(lanes: Lanes) -> Scorer:
    copies = stacked(member(lanes.stack.copies, 0), len(lanes.stack.shown), by_lanes=True)
    for part, kept in zip(copies, lanes.stack.copies):
        part[...] = kept
    return lanes._replace(stack=lanes.stack._replace(copies=copies))


@resize.on(Lanes)
def resize_lanes(lanes: Lanes, n_features: int) -> Scorer:
    return lanes._replace(stack=resize(lanes.stack, n_features))


@with_rank.on(Lanes)
def with_rank_lanes(members: Lanes, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    return lanes(with_rank(members.stack, place, X, age, n_ranks))
