"""The verbs of learning: every algorithm scores a row, decides, and on a mistake corrects and updates.

``scores`` and ``correction`` have one place a rank. Where a direction is cut by thresholds, place r < k - 1 stands for threshold
r and the last one for the direction: ``scores`` holds w·x - b_r and w·x, ``correction`` what to take off b_r and how far to move
w along x. Where every class has its own weights, place r stands for class r.
"""

from __future__ import annotations

from ._verbs import verb
from .rows import squared_norm

__all__ = ["correct", "decide", "hold", "mistaken", "norm", "score", "score_mean", "update"]


@verb
def score(scorer, X, i, scores):
    """Write the scores of row ``i``; what is returned is finite if and only if the row is one the scorer can learn from."""


@verb
def score_mean(scorer, X, i, age, scores):
    """The same by the hypothesis that predicts: the sum of all held over time, or the last one where nothing is averaged."""


@verb
def decide(decision, scores):
    """The predicted rank, from 0."""


@verb
def mistaken(rule, scores, prediction, label):
    """Whether to learn from this row; by default the rule is conservative: only if the prediction was wrong."""
    return prediction != label


@verb
def norm(scorer, X, i):
    """The squared norm of row ``i`` in the space where the scorer is linear."""
    return squared_norm(X, i)


@verb
def correct(rule, scores, prediction, label, norm, correction):
    """Write the correction that ``label`` calls for."""


@verb
def update(scorer, X, i, correction, age):
    """Move along row ``i`` as ``correction`` says; ``age`` rows were seen before it."""


@verb
def hold(scorer):
    """Count the hypothesis held after a row into the mean; nothing to do where the mean is kept by ``update``."""
