"""The loops of the library: learning from rows, learning from lists of rows, and predicting rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compile.policy import Loop
from .grades import Graded, ListWorkspace, grades_of, look_up
from .lists import Lists
from .measures import best_first, reach, value_of
from .protocol import (
    Decision,
    Rule,
    Scorer,
    accumulate_average,
    are_moderate,
    calibrate,
    correct,
    decide,
    decide_without_reject,
    learn,
    needs_update,
    next_calibration_row,
    prediction_loss,
    score_mean,
    store_and_average,
    write_prediction,
)
from .row_scaling import example_of, move_list, prepare_row, rows_to_learn, score_list, score_row, undo_last_row
from .rows import AnyRows

# What ``learn_rows`` returns for a single row that it did not learn, because learning it might have to be undone.
AS_A_BATCH = -2


@Loop
def learn_rows(
    scorer: Scorer,
    rule: Rule,
    decision: Decision,
    X: AnyRows,
    labels: np.ndarray,
    order: np.ndarray,
    scales: np.ndarray,
    means: np.ndarray,
    scores: np.ndarray,
    correction: np.ndarray,
    counts: np.ndarray,
    losses: np.ndarray,
    predictions: np.ndarray,
    start: int,
    stop: int,
) -> int:
    """Predict, then learn, the rows from ``start`` to ``stop``; returns the first row that cannot be learned from, or -1.

    ``order`` lists the rows to learn and ``scales`` multiplies their corrections; empty, they mean all rows as they stand, and 1.
    ``counts`` holds the rows seen and the updates so far, ``losses`` the loss. ``predictions``, unless empty, gets the prediction
    of each row before it is learned. ``means``, ``scores`` and ``correction`` are buffers for one row: its scores by the
    hypothesis that predicts, its scores by the one that learns, and its correction.

    A caller with one row and no ``scales`` cannot undo an update: it gets ``AS_A_BATCH`` if that might be necessary.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    due = next_calibration_row(decision, age)
    for t in range(start, stop):
        i = order[t] if order.shape[0] else t
        at = prepare_row(X, i)
        if at < 0:
            return i
        is_predicted = predictions.shape[0] > 0 or age == due
        if not score_row(X, scorer, at, age, is_predicted, means, scores):
            undo_last_row(X)
            return i
        if labels.shape[0] == 1 and scales.shape[0] == 0 and not are_moderate(scores):
            undo_last_row(X)
            return AS_A_BATCH
        if is_predicted:
            if predictions.shape[0]:
                write_prediction(decision, means, predictions, i)
            if age == due:  # before the row is learned, or the decision would be calibrated on scores that know the label
                calibrate(decision, scorer, means, labels[i], age)
                due = next_calibration_row(decision, age + 1)
        prediction = decide_without_reject(decision, scores)
        scale = scales[i] if scales.shape[0] else 1.0
        example = example_of(X, at, labels[i], scale, labels.shape[0] == 1, scores, correction)
        learned = learn(scorer, rule, example, prediction, age)
        if learned < 0:
            undo_last_row(X)
            return i
        store_and_average(scorer, example.X, at, age)
        age += 1
        updates += learned
        loss += prediction_loss(rule, scores, prediction, labels[i])
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Loop
def learn_lists(
    scorer: Scorer,
    rule: Rule,
    measure: Any,
    X: AnyRows,
    lists: Lists,
    given: Graded,
    order: np.ndarray,
    counts: np.ndarray,
    losses: np.ndarray,
    buffers: ListWorkspace,
    predictions: np.ndarray,
    start: int,
    stop: int,
) -> int:
    """Rank, then learn, the lists from ``start`` to ``stop``; returns the first row that cannot be scored, or -1.

    ``order`` says which lists to learn; empty, it means all of them as they stand. ``counts`` holds the lists seen and the
    updates so far, ``losses`` the sum of 1 - measure, to which a list without relevant documents adds nothing; ``predictions``,
    unless empty, gets the scores that the predicting hypothesis gives to a list's rows before it is learned.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    for t in range(start, stop):
        q = order[t] if order.shape[0] else t
        first, last = lists.bounds[q], lists.bounds[q + 1]
        scores, correction = buffers.scores[: last - first], buffers.correction[: last - first]
        refused = score_list(X, scorer, lists.rows, first, last, age, scores, predictions)
        if refused >= 0:
            return refused
        grades = grades_of(given, measure, q, first, last, buffers)
        ranking = buffers.by_score[: reach(measure, last - first)]
        best_first(scores, ranking.shape[0], buffers.by_score)
        look_up(grades, ranking)
        value = value_of(measure, grades.gains, grades.ranked, grades.ideal)
        if needs_update(rule, scores, ranking, grades):
            correct(rule, scores, ranking, grades, 0.0, correction)
            move_list(X, scorer, lists.rows, first, last, age, correction, buffers.by_score)
            updates += 1
        accumulate_average(scorer, 1.0)
        age += 1
        loss += 0.0 if math.isnan(value) else 1.0 - value
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Loop
def predict_rows(
    scorer: Scorer,
    decision: Decision,
    X: AnyRows,
    scores: np.ndarray,
    predictions: np.ndarray,
    table: np.ndarray,
    age: int,
    start: int,
    stop: int,
) -> int:
    """Fill ``predictions`` and the scores' ``table``, whichever is not empty; returns as ``learn_rows`` does."""
    (rows,) = rows_to_learn(X)
    for i in range(start, stop):
        if not math.isfinite(score_mean(scorer, rows, prepare_row(X, i), age, scores)):
            return i
        if predictions.shape[0]:
            predictions[i] = decide(decision, scores)
        if table.shape[0]:
            for r in range(scores.shape[0]):
                table[i, r] = scores[r]
    return -1
