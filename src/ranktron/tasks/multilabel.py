"""Sets of labels: every label has a score, whose sign decides whether it is in the set."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.measures import best_first
from .protocol import Task, away_from_predicted, away_from_worst, loss_of


class Hamming(NamedTuple):
    """Every wrong label costs 1. ``targets`` has one row per example: 1 for a label in the set, 0 for another."""

    targets: np.ndarray


class Subset(NamedTuple):
    """A wrong set costs 1."""

    targets: np.ndarray


class ErrorSet(NamedTuple):
    """Every pair of a missing label and a superfluous one costs 1; ``order`` is a buffer for the labels in order."""

    targets: np.ndarray
    order: np.ndarray


@inline
def is_in(score: float, label: int) -> bool:
    """Whether a label is in the predicted set: sign(t), where 0 counts as in for labels 0, 2, … and as out for the others."""
    # Otherwise equal scores would predict the set of all labels, or the empty one, which have no error-set loss.
    return score > 0.0 or (score == 0.0 and label % 2 == 0)


@loss_of.on(Hamming)
def loss_of_hamming(task: Hamming, scores: np.ndarray, prediction: Any, label: int) -> float:
    return count_wrong(scores, task.targets[label])


@loss_of.on(Subset)
def loss_of_subset(task: Subset, scores: np.ndarray, prediction: Any, label: int) -> float:
    return 1.0 if count_wrong(scores, task.targets[label]) > 0.0 else 0.0


@loss_of.on(ErrorSet)
def loss_of_error_set(task: ErrorSet, scores: np.ndarray, prediction: Any, label: int) -> float:
    y, missing, extra = task.targets[label], 0.0, 0.0
    for j in range(scores.shape[0]):
        predicted = is_in(scores[j], j)
        missing += y[j] > 0 and not predicted
        extra += predicted and y[j] == 0
    return missing * extra


@inline
def count_wrong(scores: np.ndarray, y: np.ndarray) -> float:
    """The number of missing and of superfluous labels."""
    wrong = 0.0
    for j in range(scores.shape[0]):
        wrong += is_in(scores[j], j) != (y[j] > 0)
    return wrong


@away_from_predicted.on(Hamming)
@away_from_predicted.on(Subset)
@away_from_predicted.on(ErrorSet)
def away_from_predicted_set(
    task: Hamming | Subset | ErrorSet, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray
) -> None:
    y, unit = task.targets[label], 1.0 / math.sqrt(scores.shape[0])
    for j in range(scores.shape[0]):
        direction[j] = 2.0 * unit * (float(y[j]) - is_in(scores[j], j))


@away_from_worst.on(Hamming)
def away_from_worst_hamming(task: Hamming, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray) -> None:
    y, unit = task.targets[label], 1.0 / math.sqrt(scores.shape[0])
    for j in range(scores.shape[0]):
        side = 1.0 if y[j] else -1.0
        direction[j] = 2.0 * unit * side if 2.0 * unit * side * scores[j] < 1.0 else 0.0


@away_from_worst.on(Subset)
def away_from_worst_subset(task: Subset, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray) -> None:
    y, unit = task.targets[label], 1.0 / math.sqrt(scores.shape[0])
    away_from_predicted(task, scores, prediction, label, direction)
    if count_wrong(scores, y) > 0.0:
        return
    nearest = 0
    for j in range(1, scores.shape[0]):
        if abs(scores[j]) < abs(scores[nearest]):
            nearest = j
    if 2.0 * unit * abs(scores[nearest]) < 1.0:
        direction[nearest] = 2.0 * unit if y[nearest] else -2.0 * unit


@away_from_worst.on(ErrorSet)
def away_from_worst_error_set(task: ErrorSet, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray) -> None:
    y, m = task.targets[label], scores.shape[0]
    unit = 1.0 / math.sqrt(m)
    best_first(scores, m, task.order)
    missed, included = worst_counts(scores, y, task.order, unit)
    for j in range(m):
        direction[j] = 0.0
    for place in range(m):  # include the highest of those that are not in the set
        j = task.order[place]
        if included > 0 and not y[j]:
            direction[j] = -2.0 * unit
            included -= 1
    for place in range(m - 1, -1, -1):  # miss the lowest of those that are
        j = task.order[place]
        if missed > 0 and y[j]:
            direction[j] = 2.0 * unit
            missed -= 1


@inline
def worst_counts(scores: np.ndarray, y: np.ndarray, order: np.ndarray, unit: float) -> tuple[float, float]:
    """The numbers of missed and of superfluous labels with the highest loss + similarity; the smallest numbers among equals."""
    # One more superfluous label adds its score, and 1 for every missed label. So the best number of superfluous labels grows
    # with the number of missed ones, and one pass over the labels finds the best pair.
    m = scores.shape[0]
    low, high = m, -1  # places of the last missed label and of the last superfluous one
    missed, included, value = 0.0, 0.0, 0.0
    best_missed, best_included, best = 0.0, 0.0, 0.0
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
def next_place(y: np.ndarray, order: np.ndarray, place: int, step: int, wanted: int) -> int:
    """The next place, up or down, of a label that is in the set, or of one that is not."""
    place += step
    while 0 <= place < order.shape[0] and (y[order[place]] > 0) != (wanted > 0):
        place += step
    return place


KINDS = {"hamming": Hamming, "subset": Subset, "error-set": ErrorSet}


@dataclasses.dataclass(frozen=True)
class Multilabel(Task):
    """Sets of labels: ``y`` and the prediction are matrices of 0 and 1 with one column per label.

    Parameters
    ----------
    loss : {"hamming", "subset", "error-set"}
        The number of wrong labels; 1 for a wrong set; or the number of pairs of a missing and a superfluous label. The set of all
        labels and the empty one have no such pairs, so they never have this last loss. A score of 0 therefore counts as in for
        labels 0, 2, … and as out for the others: otherwise nothing would be learned from the first scores, which are all 0.
    """

    loss: str = "hamming"
    smallest_loss: ClassVar[float] = 1.0  # type: ignore[misc]

    def __post_init__(self) -> None:
        if not isinstance(self.loss, str) or self.loss not in KINDS:
            raise ValueError(f"Multilabel: loss={self.loss!r} should be one of {', '.join(map(repr, KINDS))}")

    def core(self, targets: np.ndarray) -> Any:
        """The task as the loops see it."""
        return ErrorSet(targets, np.zeros(targets.shape[1], np.int64)) if self.loss == "error-set" else KINDS[self.loss](targets)

    def representation(self, prediction: Any) -> np.ndarray:
        """1 / √m for labels in the set, and -1 / √m for the others."""
        vector: np.ndarray = np.where(np.asarray(prediction) > 0, 1.0, -1.0) / math.sqrt(len(prediction))
        return vector

    def decode(self, scores: np.ndarray) -> np.ndarray:
        """The labels with a positive score, and labels 0, 2, … with a score of 0. Scores may have several rows."""
        scores = np.asarray(scores)
        return ((scores > 0) | ((scores == 0) & (np.arange(scores.shape[-1]) % 2 == 0))).astype(np.int64)

    def loss_of(self, prediction: Any, label: Any) -> float:
        """L(σ, y)."""
        return float(loss_of(self.core(_row(label)), self.representation(prediction), 0, 0))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> np.ndarray:
        """The set with the highest L(σ, y) + <rep(σ), t>."""
        direction = np.zeros(len(scores))
        away_from_worst(self.core(_row(label)), np.asarray(scores, float), 0, 0, direction)
        return np.where(direction == 0, np.asarray(label) > 0, direction < 0).astype(np.int64)


def _row(label: Any) -> np.ndarray:
    return np.asarray(label).reshape(1, -1).astype(np.uint8)
