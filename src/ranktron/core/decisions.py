"""Decisions: from scores to the predicted rank."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..compile.generic import inline
from .protocol import decide, write_prediction


class FirstUnmet(NamedTuple):
    """The first threshold that the projection does not reach, min {r : w·x - b_r < 0}.

    Thresholds are in order, so its place is the number of those that the projection reaches.
    """


@inline
def first_unmet(scores: np.ndarray) -> int:
    """The number of thresholds reached; the last score is the projection."""
    reached = 0
    for r in range(scores.shape[0] - 1):
        reached += scores[r] >= 0.0  # no branch to mispredict
    return reached


@decide.on(FirstUnmet)
def decide_first_unmet(decision: FirstUnmet, scores: np.ndarray) -> int:
    return first_unmet(scores)


class Highest(NamedTuple):
    """The class with the highest score, the lowest of equals."""


@inline
def highest(scores: np.ndarray) -> int:
    """The place of the highest score, the first of equals."""
    best = 0
    for r in range(1, scores.shape[0]):
        if scores[r] > scores[best]:
            best = r
    return best


@decide.on(Highest)
def decide_highest(decision: Highest, scores: np.ndarray) -> int:
    return highest(scores)


class Unrated(NamedTuple):
    """No rank: the scores are the prediction."""


@decide.on(Unrated)
def decide_unrated(decision: Unrated, scores: np.ndarray) -> int:
    return 0


@write_prediction.on(Unrated)
def write_prediction_unrated(decision: Unrated, scores: np.ndarray, predictions: np.ndarray, i: int) -> None:
    for r in range(scores.shape[0]):
        predictions[i, r] = scores[r]
