"""The loops of the library: learning from rows, and answering for rows."""

from __future__ import annotations

import math

from ._verbs import Kernel
from .protocol import decide, hold, keep, learn, look, score, score_mean


@Kernel
def learn_rows(scorer, rule, decision, X, labels, order, scales, scores, correction, counts, predictions):
    """Predict, then learn, every row; returns the first row that cannot be scored, or -1.

    ``order`` lists the rows to learn and ``scales`` multiplies their corrections; empty, they mean all rows as they stand, and 1.
    ``counts`` holds the rows seen, the updates and the loss so far; ``predictions``, unless empty, gets what the predicting
    hypothesis says of each row before learning it.
    """
    age, updates, loss = counts[0], counts[1], counts[2]
    for t in range(order.shape[0] or labels.shape[0]):
        i = order[t] if order.shape[0] else t
        look(X, i)
        if predictions.shape[0]:
            score_mean(scorer, X, i, age, scores)
            predictions[i] = decide(decision, scores)
        if not math.isfinite(score(scorer, X, i, scores)):
            return i
        prediction = decide(decision, scores)
        scale = scales[i] if scales.shape[0] else 1.0
        learned = learn(scorer, rule, X, i, labels[i], prediction, scale, age, labels.shape[0] == 1, scores, correction)
        if learned < 0:
            return i
        keep(X, i, scorer, age)
        hold(scorer)
        age += 1
        updates += learned
        loss += abs(prediction - labels[i])
    counts[0], counts[1], counts[2] = age, updates, loss
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
