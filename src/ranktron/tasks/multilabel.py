"""Sets of labels: every label has a score, whose sign says whether it is in."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.measures import best_first
from .protocol import away_from_predicted, away_from_worst, loss_of
from .task import Task


class Hamming(NamedTuple):
    """Every label that is wrong costs 1. ``targets`` has a row an example, 1 for a label that is in and 0 for one that is not."""

    targets: np.ndarray


class Subset(NamedTuple):
    """A set that is wrong costs 1."""

    targets: np.ndarray


class ErrorSet(NamedTuple):
    """Every pair of a label that is missing and one that should be missing costs 1; ``order`` is room for the labels."""

    targets: np.ndarray
    order: np.ndarray


@inline
def is_in(score, label):
    """sign(t), where 0 is in for labels 0, 2, … and out for the others: a set of all labels, or of none, may cost nothing."""
    return score > 0.0 or (score == 0.0 and label % 2 == 0)


@loss_of.on(Hamming)
def loss_of_hamming(task, scores, prediction, label):
    return count_wrong(scores, task.targets[label])


@loss_of.on(Subset)
def loss_of_subset(task, scores, prediction, label):
    return 1.0 if count_wrong(scores, task.targets[label]) > 0.0 else 0.0


@loss_of.on(ErrorSet)
def loss_of_error_set(task, scores, prediction, label):
    y, missing, extra = task.targets[label], 0.0, 0.0
    for j in range(scores.shape[0]):
        told = is_in(scores[j], j)
        missing += y[j] > 0 and not told
        extra += told and y[j] == 0
    return missing * extra


@inline
def count_wrong(scores, y):
    """How many labels are in and should not be, or the other way round."""
    wrong = 0.0
    for j in range(scores.shape[0]):
        wrong += is_in(scores[j], j) != (y[j] > 0)
    return wrong


@away_from_predicted.on(Hamming)
@away_from_predicted.on(Subset)
@away_from_predicted.on(ErrorSet)
def away_from_predicted_error_set_and_others(task, scores, prediction, label, way):
    y, unit = task.targets[label], 1.0 / math.sqrt(scores.shape[0])
    for j in range(scores.shape[0]):
        way[j] = 2.0 * unit * (float(y[j]) - is_in(scores[j], j))


@away_from_worst.on(Hamming)
def away_from_worst_hamming(task, scores, prediction, label, way):
    y, unit = task.targets[label], 1.0 / math.sqrt(scores.shape[0])
    for j in range(scores.shape[0]):
        side = 1.0 if y[j] else -1.0
        way[j] = 2.0 * unit * side if 2.0 * unit * side * scores[j] < 1.0 else 0.0


@away_from_worst.on(Subset)
def away_from_worst_subset(task, scores, prediction, label, way):
    y, unit = task.targets[label], 1.0 / math.sqrt(scores.shape[0])
    away_from_predicted(task, scores, prediction, label, way)
    if count_wrong(scores, y) > 0.0:
        return
    nearest = 0
    for j in range(1, scores.shape[0]):
        if abs(scores[j]) < abs(scores[nearest]):
            nearest = j
    if 2.0 * unit * abs(scores[nearest]) < 1.0:
        way[nearest] = 2.0 * unit if y[nearest] else -2.0 * unit


@away_from_worst.on(ErrorSet)
def away_from_worst_error_set(task, scores, prediction, label, way):
    y, m = task.targets[label], scores.shape[0]
    unit = 1.0 / math.sqrt(m)
    best_first(scores, m, task.order)
    missed, included = worst_counts(scores, y, task.order, unit)
    for j in range(m):
        way[j] = 0.0
    for place in range(m):  # included: the highest of those that should be missing
        j = task.order[place]
        if included > 0 and not y[j]:
            way[j] = -2.0 * unit
            included -= 1
    for place in range(m - 1, -1, -1):  # missed: the lowest of those that should be in
        j = task.order[place]
        if missed > 0 and y[j]:
            way[j] = 2.0 * unit
            missed -= 1


@inline
def worst_counts(scores, y, order, unit):
    """How many labels to miss, and how many too many to include, to have the highest loss + similarity; the fewest of equals.

    For so many missed, including one more brings the score of the next, and 1 a missed label: the more are missed, the more it
    pays, so both counts only go up and all pairs of them are looked at in one go over the labels.
    """
    m = scores.shape[0]
    low, high = m, -1  # places of the last missed and of the last included
    missed, included, value = 0.0, 0.0, 0.0
    best_missed, best_included, best = 0, 0, 0.0
    while True:
        place = next_place(y, order, high, 1, 0)
        while place < m and missed + 2.0 * unit * scores[order[place]] > 0.0:
            value += missed + 2.0 * unit * scores[order[place]]
            included += 1.0
            high = place
            place = next_place(y, order, high, 1, 0)
        if value > best:
            best_missed, best_included, best = missed, included, value
        low = next_place(y, order, low, -1, 1)
        if low < 0:
            return best_missed, best_included
        missed += 1.0
        value += included - 2.0 * unit * scores[order[low]]


@inline
def next_place(y, order, place, step, wanted):
    """The next place, up or down, of a label that is in, or of one that is not."""
    place += step
    while 0 <= place < order.shape[0] and (y[order[place]] > 0) != (wanted > 0):
        place += step
    return place


KINDS = {"hamming": Hamming, "subset": Subset, "error-set": ErrorSet}


@dataclasses.dataclass(frozen=True)
class Multilabel(Task):
    """Sets of labels: ``y`` is a matrix of 0 and 1 with a column a label, and so is what is predicted.

    Parameters
    ----------
    loss : {"hamming", "subset", "error-set"}
        The number of wrong labels; 1 for a wrong set; or the number of pairs of a label that is missing and one that should be.
        A set of all labels, or of none, has no pairs, so by the last one nothing may be learned where scores start alike; a score
        of 0 therefore counts as in for labels 0, 2, … and as out for the others, but it is still no loss to put everything in.
    """

    loss: str = "hamming"
    smallest_loss: ClassVar[float] = 1.0  # type: ignore[misc]

    def __post_init__(self) -> None:
        if not isinstance(self.loss, str) or self.loss not in KINDS:
            raise ValueError(f"Multilabel: loss={self.loss!r} should be one of {', '.join(map(repr, KINDS))}")

    def core(self, targets: np.ndarray) -> Any:
        """What the loops work with."""
        return ErrorSet(targets, np.zeros(targets.shape[1], np.int64)) if self.loss == "error-set" else KINDS[self.loss](targets)

    def representation(self, prediction: Any) -> np.ndarray:
        """1 / √m for labels that are in, and -1 / √m for the others."""
        vector: np.ndarray = np.where(np.asarray(prediction) > 0, 1.0, -1.0) / math.sqrt(len(prediction))
        return vector

    def decode(self, scores: np.ndarray) -> np.ndarray:
        """The labels whose score is positive, and those of 0, 2, … whose score is 0; also of many rows of scores."""
        scores = np.asarray(scores)
        return ((scores > 0) | ((scores == 0) & (np.arange(scores.shape[-1]) % 2 == 0))).astype(np.int64)

    def loss_of(self, prediction: Any, label: Any) -> float:
        """L(σ, y)."""
        return float(loss_of(self.core(_row(label)), self.representation(prediction), 0, 0))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> np.ndarray:
        """The set with the highest L(σ, y) + <rep(σ), t>."""
        way = np.zeros(len(scores))
        away_from_worst(self.core(_row(label)), np.asarray(scores, float), 0, 0, way)
        return np.where(way == 0, np.asarray(label) > 0, way < 0).astype(np.int64)


def _row(label: Any) -> np.ndarray:
    return np.asarray(label).reshape(1, -1).astype(np.uint8)
