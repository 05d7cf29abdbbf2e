"""The verbs of learning: every algorithm scores a row, decides, and on a mistake corrects and updates.

``scores`` and ``correction`` have one place a rank. Where a direction is cut by thresholds, place r < k - 1 stands for threshold
r and the last one for the direction: ``scores`` holds w·x - b_r and w·x, ``correction`` what to take off b_r and how far to move
w along x. Where every class has its own weights, place r stands for class r.

A list of documents is learned in the same words: ``scores`` and ``correction`` then have one place a document, the prediction is
their order and the label is their ``Grades``.
"""

from __future__ import annotations

import math

from ..compile.generic import generic, inline
from .rows import squared_norm

__all__ = [
    "accumulate_average",
    "are_moderate",
    "calibrate",
    "calibration_state",
    "check_learned",
    "compiles",
    "correct",
    "decide",
    "decide_without_reject",
    "depends_on_rank_only",
    "evaluate_kernel",
    "is_small_enough",
    "learn",
    "move",
    "needs_update",
    "next_calibration_row",
    "pause_calibration",
    "prediction_loss",
    "score",
    "score_mean",
    "score_mean_and_current",
    "store_and_average",
    "store_in_support",
    "update",
    "write_prediction",
]


# Single rows that score higher are learned as batches are, which can be undone.
LARGEST_SCORE = 2.0**400


@generic
def evaluate_kernel(X, i):
    """Get ready to work with row ``i``; rows that are plain numbers always are."""


@generic
def score(scorer, X, i, scores):
    """Write the scores of row ``i``; what is returned is finite if and only if the row is one the scorer can learn from."""
    raise NotImplementedError


@generic
def score_mean(scorer, X, i, age, scores):
    """The same by the hypothesis that predicts: the sum of all held over time, or the last one where nothing is averaged."""
    raise NotImplementedError


@generic
def score_mean_and_current(scorer, X, i, age, means, scores):
    """Both, by the hypothesis that predicts into ``means``; returns as ``score`` does."""
    score_mean(scorer, X, i, age, means)
    return score(scorer, X, i, scores)


@generic
def decide(decision, scores):
    """The predicted rank, from 0."""
    raise NotImplementedError


@generic
def decide_without_reject(decision, scores):
    """The rank to learn by: what is decided, but for decisions that may refuse to say."""
    return decide(decision, scores)


@generic
def write_prediction(decision, scores, predictions, i):
    """Write what is predicted of row ``i``."""
    predictions[i] = decide(decision, scores)


@generic
def next_calibration_row(decision, age):
    """Where the decision learns too, from what it would have said of some rows: the first one of those after ``age`` others."""
    return -1


@generic
def calibrate(decision, scorer, scores, label, age):
    """Learn from the scores by which a row was predicted, where the decision does that."""


@generic
def pause_calibration(decision, known):
    """The decision for rows that were learned before, if they are ``known``: what it says of those tells little of new ones."""
    return decision


@generic
def calibration_state(decision):
    """What the decision has learned, by name."""
    return {}


@generic
def learn(scorer, rule, X, i, label, prediction, scale, age, single, scores, correction):
    """Learn row ``i`` after it was scored and predicted, ``age`` rows having been seen before it.

    Returns the number of updates, or -1 for a row that is too large to learn from: a ``single`` one is looked at before anything
    moves, for of others a copy is kept to go back to.
    """
    if not needs_update(rule, scores, prediction, label) or scale == 0.0:
        return 0
    if single and not is_small_enough(scorer, squared_norm(X, i)):
        return -1
    correct(rule, scores, prediction, label, squared_norm(X, i), correction)
    if scale != 1.0:
        for r in range(correction.shape[0]):
            correction[r] *= scale
    update(scorer, X, i, correction, age)
    return 1


@generic
def is_small_enough(scorer, norm):
    """Whether a row of this squared norm is small enough to learn from."""
    return math.isfinite(norm)


@inline
def are_moderate(scores):
    """Whether thresholds and projections are so small that no sum of them overflows, over as many rows as there may be."""
    moderate = True
    for r in range(scores.shape[0]):
        moderate = moderate and abs(scores[r]) < LARGEST_SCORE
    return moderate


@generic
def needs_update(rule, scores, prediction, label):
    """Whether to learn from this row; by default the rule is conservative: only if the prediction was wrong."""
    return prediction != label


@generic
def prediction_loss(rule, scores, prediction, label):
    """What the prediction of the learning hypothesis costs; by default how many ranks it is off."""
    return abs(prediction - label)


@generic
def depends_on_rank_only(rule):
    """Whether to be ``mistaken`` is a matter of the predicted rank alone."""
    return True


@generic
def correct(rule, scores, prediction, label, norm, correction):
    """Write the correction that ``label`` calls for, where ``norm`` is the squared norm of the row."""
    raise NotImplementedError


@generic
def update(scorer, X, i, correction, age):
    """Move along row ``i`` as ``correction`` says."""
    raise NotImplementedError


@generic
def move(scorer, X, rows, pushes, age):
    """Move along some rows of a list, each as far as its push."""
    raise NotImplementedError


@generic
def store_in_support(X, i, scorer, age):
    """Remember row ``i`` if it was moved along, where that is needed."""


@generic
def accumulate_average(scorer):
    """Count the hypothesis held after a row into the mean; nothing to do where the mean is kept by ``update``."""


@inline
def store_and_average(scorer, X, i, age):
    """Finish row ``i`` after it was learned: store it in the support if it was moved along, and count the hypothesis."""
    store_in_support(X, i, scorer, age)
    accumulate_average(scorer)


@generic
def compiles(part):
    """Whether a rule or a scorer is made for compiled code; one that calls a library, or a function of the user's, is not."""
    return True


@generic
def check_learned(part, prefix, n_features):
    """Raise ValueError if a scorer, or a decision, of a model file holds numbers that no stream leads to.

    Called once for every part, however deep; the part's arrays are called ``prefix`` + field in the file. That all numbers are
    finite, and counts not negative, has been checked before.
    """
