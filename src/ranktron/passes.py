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
from .scaling import arrive, former, gather, place, present, turn, withdraw
from .scorers.sizes import divisor


@Kernel
def learn_rows(scorer, rule, decision, X, labels, order, scales, scores, correction, counts, losses, predictions):
    """Predict, then learn, every row; returns the first row that cannot be scored, or -1.

    ``order`` lists the rows to learn and ``scales`` multiplies their corrections; empty, they mean all rows as they stand, and 1.
    ``counts`` holds the rows seen and the updates so far, ``losses`` the loss; ``predictions``, unless empty, gets what the
    predicting hypothesis says of each row before learning it.
    """
    age, updates, loss = counts[0], counts[1], losses[0]
    (asked,), (rows,) = former(X), present(X)
    for t in range(order.shape[0] or labels.shape[0]):
        i = order[t] if order.shape[0] else t
        if not arrive(X, i):
            return i
        at = place(X, i, 0)
        look(asked, at)
        watched = watches(decision, age)
        if predictions.shape[0] or watched:
            score_mean(scorer, asked, at, age, scores)
            if predictions.shape[0]:
                tell(decision, scores, predictions, i)
            if watched:
                watch(decision, scorer, scores, labels[i], age)
        turn(X, at)
        if not math.isfinite(score(scorer, rows, at, scores)):
            withdraw(X)
            return i
        prediction = guess(decision, scores)
        scale = scales[i] if scales.shape[0] else 1.0
        learned = learn(scorer, rule, rows, at, labels[i], prediction, scale, age, labels.shape[0] == 1, scores, correction)
        if learned < 0:
            withdraw(X)
            return i
        keep(rows, at, scorer, age)
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
    (asked,), (known,) = former(X), present(X)
    rows, bounds = lists.rows, lists.bounds
    for t in range(order.shape[0] or bounds.shape[0] - 1):
        q = order[t] if order.shape[0] else t
        start, stop = bounds[q], bounds[q + 1]
        refused = gather(X, rows, start, stop)
        if refused >= 0:
            return refused
        scores, correction = room.scores[: stop - start], room.correction[: stop - start]
        for p in range(start, stop):
            i = rows[p] if rows.shape[0] else p
            at = place(X, i, p - start)
            look(asked, at)
            if predictions.shape[0]:
                score_mean(scorer, asked, at, age, scores[p - start :])
                predictions[i] = scores[p - start] / divisor(scorer, age)
            turn(X, at)
            if not math.isfinite(score(scorer, known, at, scores[p - start :])):
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
                at = place(X, rows[p] if rows.shape[0] else p, p - start)
                room.by_score[count], correction[count] = at, push
                count += push != 0.0
            move(scorer, known, room.by_score[:count], correction[:count], age)
            updates += 1
        hold(scorer)
        age += 1
        loss += 0.0 if math.isnan(value) else 1.0 - value
    counts[0], counts[1], losses[0] = age, updates, loss
    return -1


@Kernel
def answer_rows(scorer, decision, X, age, scores, predictions, table):
    """Fill ``predictions`` and the scores' ``table``, whichever is not empty; returns as ``learn_rows`` does."""
    (rows,) = present(X)
    for i in range(predictions.shape[0] or table.shape[0]):
        arrive(X, i)
        at = place(X, i, 0)
        look(rows, at)
        if not math.isfinite(score_mean(scorer, rows, at, age, scores)):
            return i
        if predictions.shape[0]:
            predictions[i] = decide(decision, scores)
        if table.shape[0]:
            for r in range(scores.shape[0]):
                table[i, r] = scores[r]
    return -1
