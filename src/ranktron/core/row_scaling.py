"""Running standardisation inside the loop: every row is scaled by the mean and the deviation of the rows up to it.

To the loops it is a kind of rows. A row is predicted as the rows before it scale it, and learned with itself counted. Predicting
with itself counted would let a row influence its own prediction.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic, inline
from .moments import Moments, copy_row, restore_moments, standardise, update_moments
from .protocol import Example, Scorer, evaluate_kernel, move, score, score_mean, score_mean_and_current
from .rows import CSR, AnyRows, largest
from .scorers.protocol import divisor

# Larger numbers are refused, because sums of their squares overflow.
LARGEST = 1e150


class RunningRows(NamedTuple):
    """Rows to learn from: each is counted by ``prepare_row``, and scaled as ``before`` that and as ``now``."""

    source: Any
    moments: Moments
    raw: Any
    old: Any
    first: Any  # a buffer for the rows as scaled before
    second: Any  # a buffer for the rows as scaled now
    before: Any  # these two, as a kernel sees them if there is one
    now: Any


class ScaledRows(NamedTuple):
    """Rows to predict only: each is scaled by the moments, and not counted."""

    source: Any
    moments: Moments
    raw: Any
    first: Any
    now: Any


@generic
def prepare_row(X: AnyRows, i: int) -> int:
    """Make row ``i`` ready to be predicted; returns its index in the rows to predict and to learn, or -1 if it is unusable."""
    evaluate_kernel(X, i)
    return i


@generic
def prepare_list(X: AnyRows, rows: np.ndarray, start: int, stop: int) -> int:
    """Make the rows of a list ready; returns the first unusable one, or -1."""
    return -1


@generic
def index_of_row(X: AnyRows, i: int, position: int) -> int:
    """The index of row ``i``, which stands at ``position`` of its list, in the rows to predict and to learn."""
    return i


@generic
def rows_to_predict(X: AnyRows) -> tuple[AnyRows]:
    """The rows to predict, in a tuple: numba would count references to an array that a function returns."""
    return (X,)


@generic
def rows_to_learn(X: AnyRows) -> tuple[AnyRows]:
    """The rows to learn, in a tuple."""
    return (X,)


@generic
def switch_to_learning(X: AnyRows, at: int) -> None:
    """Switch from predicting a row to learning it."""


@inline
def score_row(X: AnyRows, scorer: Scorer, at: int, age: float, is_predicted: bool, means: np.ndarray, scores: np.ndarray) -> bool:
    """Score a row as it is learned and, if it is predicted, as it was before that; returns whether its scores are finite."""
    if is_predicted:
        finite = score_before_and_after(X, scorer, at, age, means, scores)
    else:
        switch_to_learning(X, at)
        (rows,) = rows_to_learn(X)
        finite = score(scorer, rows, at, scores)
    return math.isfinite(finite)


@inline
def example_of(
    X: AnyRows, at: int, label: int, scale: float, single: bool, scores: np.ndarray, correction: np.ndarray
) -> Example:
    """Row ``at``, which was scored, as it is learned."""
    (rows,) = rows_to_learn(X)
    return Example(rows, at, label, scale, single, scores, correction)


@inline
def score_list(
    X: AnyRows, scorer: Scorer, rows: np.ndarray, start: int, stop: int, age: float, scores: np.ndarray, predictions: np.ndarray
) -> int:
    """Score the rows of a list, and write its ``predictions`` unless they are empty; returns the first unusable row, or -1."""
    refused = prepare_list(X, rows, start, stop)
    if refused >= 0:
        return refused
    (before,), (now,) = rows_to_predict(X), rows_to_learn(X)
    for p in range(start, stop):
        i = rows[p] if rows.shape[0] else p
        at = index_of_row(X, i, p - start)
        evaluate_kernel(before, at)
        if predictions.shape[0]:
            score_mean(scorer, before, at, age, scores[p - start :])
            predictions[i] = scores[p - start] / divisor(scorer, age)
        switch_to_learning(X, at)
        if not math.isfinite(score(scorer, now, at, scores[p - start :])):
            return i
    return -1


@inline
def move_list(
    X: AnyRows, scorer: Scorer, rows: np.ndarray, start: int, stop: int, age: float, correction: np.ndarray, indices: np.ndarray
) -> None:
    """Move along the rows of a list that have a correction; ``indices`` and ``correction`` are overwritten."""
    (now,) = rows_to_learn(X)
    count = 0
    for p in range(start, stop):  # only rows that have a correction, and no branch to mispredict
        push = correction[p - start]
        at = index_of_row(X, rows[p] if rows.shape[0] else p, p - start)
        indices[count], correction[count] = at, push
        count += push != 0.0
    move(scorer, now, indices[:count], correction[:count], age)


@generic
def score_before_and_after(X: AnyRows, scorer: Scorer, at: int, age: float, means: np.ndarray, scores: np.ndarray) -> float:
    """Score a row as it is predicted, into ``means``, and as it is learned; returns as ``score`` does."""
    (before,), (rows,) = rows_to_predict(X), rows_to_learn(X)
    score_mean(scorer, before, at, age, means)
    switch_to_learning(X, at)
    return score(scorer, rows, at, scores)


@score_before_and_after.on(np.ndarray)
@score_before_and_after.on(CSR)
def score_before_and_after_plain_rows(
    X: CSR | np.ndarray, scorer: Scorer, at: int, age: float, means: np.ndarray, scores: np.ndarray
) -> float:
    return score_mean_and_current(scorer, X, at, age, means, scores)


@generic
def undo_last_row(X: AnyRows) -> None:
    """Take back what ``prepare_row`` counted."""


@prepare_row.on(RunningRows)
def prepare_row_running_rows(X: RunningRows, i: int) -> int:
    if not largest(X.source, i) < LARGEST:
        return -1
    copy_row(X.source, i, X.raw, 0)
    standardise(X.raw, 0, X.moments, X.first)
    update_moments(X.raw, 0, X.moments, X.old)
    standardise(X.raw, 0, X.moments, X.second)
    evaluate_kernel(X.before, 0)
    return 0


@prepare_list.on(RunningRows)
def prepare_list_running_rows(X: RunningRows, rows: np.ndarray, start: int, stop: int) -> int:
    for p in range(start, stop):
        i = rows[p] if rows.shape[0] else p
        if not largest(X.source, i) < LARGEST:
            return i
        copy_row(X.source, i, X.raw, p - start)
        standardise(X.raw, p - start, X.moments, X.first)
    for t in range(stop - start):
        update_moments(X.raw, t, X.moments, X.old)
    for t in range(stop - start):
        standardise(X.raw, t, X.moments, X.second)
    return -1


@index_of_row.on(RunningRows)
def index_of_row_running_rows(X: RunningRows, i: int, position: int) -> int:
    return position


@rows_to_predict.on(RunningRows)
def rows_to_predict_running_rows(X: RunningRows) -> tuple[AnyRows]:
    return (X.before,)


@rows_to_learn.on(RunningRows)
def rows_to_learn_running_rows(X: RunningRows) -> tuple[AnyRows]:
    return (X.now,)


@switch_to_learning.on(RunningRows)
def switch_to_learning_running_rows(X: RunningRows, at: int) -> None:
    evaluate_kernel(X.now, at)


@undo_last_row.on(RunningRows)
def undo_last_row_running_rows(X: RunningRows) -> None:
    restore_moments(X.raw, X.moments, X.old)


@prepare_row.on(ScaledRows)
def prepare_row_scaled_rows(X: ScaledRows, i: int) -> int:
    copy_row(X.source, i, X.raw, 0)
    standardise(X.raw, 0, X.moments, X.first)
    evaluate_kernel(X.now, 0)
    return 0


@rows_to_learn.on(ScaledRows)
def rows_to_learn_scaled_rows(X: ScaledRows) -> tuple[AnyRows]:
    return (X.now,)
