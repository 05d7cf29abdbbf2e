"""The loops of the library: learning from rows, learning from lists of rows, and answering for rows."""

from __future__ import annotations

import math

from ._verbs import Kernel
from .grades import grades_of, look_up
from .measures import best_first, reach, value_of
from .protocol import (
    correct,
    cost,
    decide,
    guess,
    hold,
    keep,
    learn,
    look,
    mistaken,
    move,
    score,
    score_mean,
    tell,
    watch,
    watches,
)
from .scorers.sizes import divisor


@Kernel
def learn_rows(scorer, rule, decision, X, labels, order, scales, scores, correction, counts, losses, predictions):
    """Predict, then learn, every row; returns the first row that cannot be scored, or -1.

    ``order`` lists the rows to learn and ``scales`` multiplies their corrections; empty, they mean all rows as they stand, and 1.
    ``counts`` holds the rows seen and the updates so far, ``losses`` the loss; ``predictions``, unless empty, gets what the
    predicting hypothesis says of each row before learning it.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    for t in range(order.shape[0] or labels.shape[0]):
        i = order[t] if order.shape[0] else t
        look(X, i)
        watched = watches(decision, age)
        if predictions.shape[0] or watched:
            score_mean(scorer, X, i, age, scores)
            if predictions.shape[0]:
                tell(decision, scores, predictions, i)
            if watched:
                watch(decision, scorer, scores, labels[i], age)
        if not math.isfinite(score(scorer, X, i, scores)):
            return i
        prediction = guess(decision, scores)
        scale = scales[i] if scales.shape[0] else 1.0
        learned = learn(scorer, rule, X, i, labels[i], prediction, scale, age, labels.shape[0] == 1, scores, correction)
        if learned < 0:
            return i
        keep(X, i, scorer, age)
        hold(scorer)
        age += 1
        updates += learned
        loss += cost(rule, scores, prediction, labels[i])
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Kernel
def learn_lists(scorer, rule, measure, X, lists, given, order, counts, losses, room, predictions):
    """Rank, then learn, every list; returns the first row that cannot be scored, or -1.

    ``order`` says which lists to learn; empty, it means all of them as they stand. ``counts`` holds the lists seen and the
    updates so far, ``losses`` the sum of 1 - measure, to which a list without relevant documents adds nothing; ``predictions``,
    unless empty, gets the scores that the predicting hypothesis gives to a list's rows before it is learned.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    rows, bounds = lists.rows, lists.bounds
    for t in range(order.shape[0] or bounds.shape[0] - 1):
        q = order[t] if order.shape[0] else t
        start, stop = bounds[q], bounds[q + 1]
        scores, correction = room.scores[: stop - start], room.correction[: stop - start]
        for p in range(start, stop):
            i = rows[p] if rows.shape[0] else p
            look(X, i)
            if predictions.shape[0]:
                score_mean(scorer, X, i, age, scores[p - start :])
                predictions[i] = scores[p - start] / divisor(scorer, age)
            if not math.isfinite(score(scorer, X, i, scores[p - start :])):
                return i
        grades = grades_of(given, measure, q, start, stop, room)
        ranking = room.by_score[: reach(measure, stop - start)]
        best_first(scores, ranking.shape[0], room.by_score)
        look_up(grades, ranking)
        value = value_of(measure, grades.gains, grades.ranked, grades.ideal)
        if mistaken(rule, scores, ranking, grades):
            correct(rule, scores, ranking, grades, 0.0, correction)
            count = 0
            for p in range(start, stop):  # only rows that have a correction, and no branch to mispredict
                push = correction[p - start]
                room.by_score[count], correction[count] = rows[p] if rows.shape[0] else p, push
                count += push != 0.0
            move(scorer, X, room.by_score[:count], correction[:count], age)
            updates += 1
        hold(scorer)
        age += 1
        loss += 0.0 if math.isnan(value) else 1.0 - value
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Kernel
def answer_rows(scorer, decision, X, age, scores, predictions, table):
    """Fill ``predictions`` and the scores' ``table``, whichever is not empty; returns as ``learn_rows`` does."""
    for i in range(predictions.shape[0] or table.shape[0]):
        look(X, i)
        if not math.isfinite(score_mean(scorer, X, i, age, scores)):
            return i
        if predictions.shape[0]:
            predictions[i] = decide(decision, scores)
        if table.shape[0]:
            for r in range(scores.shape[0]):
                table[i, r] = scores[r]
    return -1
