"""The loops of the library: learning from rows, learning from lists of rows, and answering for rows."""

from __future__ import annotations

import math

from ..compile.policy import Loop
from .grades import grades_of, look_up
from .measures import best_first, reach, value_of
from .protocol import (
    accumulate_average,
    are_moderate,
    calibrate,
    correct,
    decide,
    decide_without_reject,
    evaluate_kernel,
    learn,
    move,
    needs_update,
    next_calibration_row,
    prediction_loss,
    score,
    score_mean,
    store_in_support,
    write_prediction,
)
from .row_scaling import (
    index_of_row,
    prepare_list,
    prepare_row,
    rows_to_learn,
    rows_to_predict,
    score_before_and_after,
    switch_to_learning,
    undo_last_row,
)
from .scorers.protocol import divisor

# What ``learn_rows`` returns for a single row that it has not learned, because learning it might have to be undone.
AS_A_BATCH = -2


@Loop
def learn_rows(
    scorer, rule, decision, X, labels, order, scales, means, scores, correction, counts, losses, predictions, start, stop
):
    """Predict, then learn, the rows from ``start`` to ``stop``; returns the first row that cannot be scored, or -1.

    One row without ``scales`` is learned by a caller that cannot undo it: returns ``AS_A_BATCH`` if that might be necessary.
    ``order`` lists the rows to learn and ``scales`` multiplies their corrections; empty, they mean all rows as they stand, and 1.
    ``counts`` holds the rows seen and the updates so far, ``losses`` the loss; ``predictions``, unless empty, gets what the
    predicting hypothesis says of each row before learning it. ``means``, ``scores`` and ``correction`` are room for one row: its
    scores by that hypothesis, by the one that learns, and what is learned of it.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    (asked,), (rows,) = rows_to_predict(X), rows_to_learn(X)
    due = next_calibration_row(decision, age)
    for t in range(start, stop):
        i = order[t] if order.shape[0] else t
        if not prepare_row(X, i):
            return i
        at = index_of_row(X, i, 0)
        evaluate_kernel(asked, at)
        is_asked = predictions.shape[0] > 0 or age == due
        if is_asked:
            finite = score_before_and_after(X, scorer, at, age, means, scores)
        else:
            switch_to_learning(X, at)
            finite = score(scorer, rows, at, scores)
        if not math.isfinite(finite):
            undo_last_row(X)
            return i
        if labels.shape[0] == 1 and scales.shape[0] == 0 and not are_moderate(scores):
            undo_last_row(X)
            return AS_A_BATCH
        if is_asked:
            if predictions.shape[0]:
                write_prediction(decision, means, predictions, i)
            if age == due:
                calibrate(decision, scorer, means, labels[i], age)
                due = next_calibration_row(decision, age + 1)
        prediction = decide_without_reject(decision, scores)
        scale = scales[i] if scales.shape[0] else 1.0
        learned = learn(scorer, rule, rows, at, labels[i], prediction, scale, age, labels.shape[0] == 1, scores, correction)
        if learned < 0:
            undo_last_row(X)
            return i
        store_in_support(rows, at, scorer, age)
        accumulate_average(scorer)
        age += 1
        updates += learned
        loss += prediction_loss(rule, scores, prediction, labels[i])
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Loop
def learn_lists(scorer, rule, measure, X, lists, given, order, counts, losses, room, predictions, start, stop):
    """Rank, then learn, the lists from ``start`` to ``stop``; returns the first row that cannot be scored, or -1.

    ``order`` says which lists to learn; empty, it means all of them as they stand. ``counts`` holds the lists seen and the
    updates so far, ``losses`` the sum of 1 - measure, to which a list without relevant documents adds nothing; ``predictions``,
    unless empty, gets the scores that the predicting hypothesis gives to a list's rows before it is learned.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    (asked,), (known,) = rows_to_predict(X), rows_to_learn(X)
    rows, bounds = lists.rows, lists.bounds
    for t in range(start, stop):
        q = order[t] if order.shape[0] else t
        first, last = bounds[q], bounds[q + 1]
        refused = prepare_list(X, rows, first, last)
        if refused >= 0:
            return refused
        scores, correction = room.scores[: last - first], room.correction[: last - first]
        for p in range(first, last):
            i = rows[p] if rows.shape[0] else p
            at = index_of_row(X, i, p - first)
            evaluate_kernel(asked, at)
            if predictions.shape[0]:
                score_mean(scorer, asked, at, age, scores[p - first :])
                predictions[i] = scores[p - first] / divisor(scorer, age)
            switch_to_learning(X, at)
            if not math.isfinite(score(scorer, known, at, scores[p - first :])):
                return i
        grades = grades_of(given, measure, q, first, last, room)
        ranking = room.by_score[: reach(measure, last - first)]
        best_first(scores, ranking.shape[0], room.by_score)
        look_up(grades, ranking)
        value = value_of(measure, grades.gains, grades.ranked, grades.ideal)
        if needs_update(rule, scores, ranking, grades):
            correct(rule, scores, ranking, grades, 0.0, correction)
            count = 0
            for p in range(first, last):  # only rows that have a correction, and no branch to mispredict
                push = correction[p - first]
                at = index_of_row(X, rows[p] if rows.shape[0] else p, p - first)
                room.by_score[count], correction[count] = at, push
                count += push != 0.0
            move(scorer, known, room.by_score[:count], correction[:count], age)
            updates += 1
        accumulate_average(scorer)
        age += 1
        loss += 0.0 if math.isnan(value) else 1.0 - value
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Loop
def answer_rows(scorer, decision, X, age, scores, predictions, table):
    """Fill ``predictions`` and the scores' ``table``, whichever is not empty; returns as ``learn_rows`` does."""
    (rows,) = rows_to_learn(X)
    for i in range(predictions.shape[0] or table.shape[0]):
        prepare_row(X, i)
        at = index_of_row(X, i, 0)
        evaluate_kernel(rows, at)
        if not math.isfinite(score_mean(scorer, rows, at, age, scores)):
            return i
        if predictions.shape[0]:
            predictions[i] = decide(decision, scores)
        if table.shape[0]:
            for r in range(scores.shape[0]):
                table[i, r] = scores[r]
    return -1
