"""Tasks given by tables: the loss of each prediction for each label, and the representation of each prediction."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ..core.protocol import decide
from .classes import ClassTask, check_costs
from .protocol import correct_code, count_predictions, loss_between, represent, similarity


class Costs(NamedTuple):
    """Every class has its own score; ``costs[σ, y]`` is the loss, and ``best[y]`` the first class without loss."""

    costs: np.ndarray
    best: np.ndarray


class Listed(NamedTuple):
    """Any predictions: each has a row of ``vectors`` as its representation; losses are as in `Costs`."""

    vectors: np.ndarray
    costs: np.ndarray
    best: np.ndarray


@loss_between.on(Costs)
@loss_between.on(Listed)
def loss_between_tables(task: Costs | Listed, code: int, label: int) -> float:
    return float(task.costs[code, label])


@correct_code.on(Costs)
@correct_code.on(Listed)
def correct_code_tables(task: Costs | Listed, label: int) -> int:
    return int(task.best[label])


@represent.on(Listed)
def represent_listed(task: Listed, code: int, sign: float, vector: np.ndarray) -> None:
    for r in range(vector.shape[0]):
        vector[r] += sign * task.vectors[code, r]


@similarity.on(Listed)
def similarity_listed(task: Listed, scores: np.ndarray, code: int) -> float:
    total = 0.0
    for r in range(scores.shape[0]):
        total += task.vectors[code, r] * scores[r]
    return total


@count_predictions.on(Listed)
def count_predictions_listed(task: Listed, scores: np.ndarray) -> int:
    return task.vectors.shape[0]


@decide.on(Listed)
def decide_listed(task: Listed, scores: np.ndarray) -> int:
    best, highest = 0, similarity(task, scores, 0)
    for code in range(1, task.vectors.shape[0]):
        here = similarity(task, scores, code)
        if here > highest:
            best, highest = code, here
    return best


class TableTask(ClassTask, abc.ABC):
    """A task whose core has a table of costs."""

    @property
    def smallest_loss(self) -> float:
        """The smallest loss above 0."""
        losses = self.core(self._known()).costs
        return float(losses[losses > 0].min()) if (losses > 0).any() else 1.0


@dataclasses.dataclass(frozen=True)
class CostMatrix(TableTask):
    """Classes with a loss for every confusion.

    Parameters
    ----------
    costs : matrix
        ``costs[p][y]`` is the loss of predicting class p when the label is y. No cost is negative, and every column has a 0.
        The classes are called 0, 1, … unless ``classes=`` names them, in the order of the matrix.

    Examples
    --------
    Missing a fraud costs ten times as much as a false alarm:

    >>> from ranktron import Predtron
    >>> from ranktron.tasks import CostMatrix
    >>> model = Predtron(CostMatrix([[0, 10], [1, 0]]), classes=["fine", "fraud"], loss_driven=True)
    >>> model.fit([[1.0, 0.2], [0.1, 1.0]], ["fine", "fraud"]).predict([[0.0, 2.0]]).tolist()
    ['fraud']
    """

    costs: Any

    def __post_init__(self) -> None:
        costs = _matrix(self, self.costs)
        if costs.shape[0] != costs.shape[1] or len(costs) < 2:
            raise ValueError(
                f"CostMatrix: costs should have one row and one column per class, at least two; their shape is {costs.shape}"
            )
        object.__setattr__(self, "costs", tuple(map(tuple, costs.tolist())))

    @property
    def n_labels(self) -> int:
        """The number of classes."""
        return len(self.costs)

    def core(self, n_labels: int) -> Costs:
        """The task as the loops see it."""
        costs = np.array(self.costs)
        return Costs(costs, costs.argmin(axis=0))


@dataclasses.dataclass(frozen=True)
class Finite(TableTask):
    """Any finite set of predictions and any finite set of labels; predicting and learning try all predictions.

    Parameters
    ----------
    representations : matrix
        rep(σ) in row σ, of length 1.
    losses : matrix
        ``losses[p][y]`` is the loss of prediction p when the label is y, as for :class:`CostMatrix`. ``predict`` returns the
        number p of the prediction; if there are as many predictions as labels, it returns the label of that number.
    """

    representations: Any
    losses: Any

    def __post_init__(self) -> None:
        losses, vectors = _matrix(self, self.losses), np.asarray(self.representations)
        if vectors.dtype.kind not in "fiu" or vectors.ndim != 2 or len(vectors) != len(losses) or losses.shape[1] < 2:
            raise ValueError(
                "Finite: representations and losses should have one row per prediction, and losses at least two columns"
            )
        lengths = np.linalg.norm(vectors.astype(float), axis=1)
        if not (abs(lengths - 1) < 1e-9).all():
            row = int(np.argmax(~(abs(lengths - 1) < 1e-9)))
            raise ValueError(f"Finite: representation {row} has length {lengths[row]:g}; divide it by its length")
        object.__setattr__(self, "representations", tuple(map(tuple, vectors.astype(float).tolist())))
        object.__setattr__(self, "losses", tuple(map(tuple, losses.tolist())))

    @property
    def n_labels(self) -> int:
        """The number of labels."""
        return len(self.losses[0])

    def scores_for(self, n_labels: int) -> int:
        """The length of a representation."""
        return len(self.representations[0])

    def core(self, n_labels: int) -> Listed:
        """The task as the loops see it."""
        losses = np.array(self.losses)
        return Listed(np.array(self.representations), losses, losses.argmin(axis=0))

    def decision(self, n_labels: int) -> Listed:
        """The most similar prediction."""
        return self.core(n_labels)


@dataclasses.dataclass(frozen=True)
class RejectAsPublished(TableTask):
    """The paper's reject option: REJECT is a prediction of its own, the normalised sum of all classes.

    If learning starts from W = 0 it never rejects. Every update is the difference of two classes, so the scores add up to 0 and
    the similarity of REJECT is 0, which the best class always reaches. Use ``reject=`` of :class:`Multiclass` or :class:`Binary`.

    Parameters
    ----------
    costs : sequence
        The loss of rejecting a row of each class, above 0 and at most 1.
    """

    costs: Any

    def __post_init__(self) -> None:
        costs = np.asarray(self.costs)
        check_costs(self, costs, (max(2, costs.size),))
        if (costs > 1).any():
            raise ValueError(f"{self} should have no cost above 1, which is the loss of a wrong class")
        object.__setattr__(self, "costs", tuple(costs.astype(float).tolist()))

    @property
    def n_labels(self) -> int:
        """The number of classes."""
        return len(self.costs)

    def core(self, n_labels: int) -> Listed:
        """The task as the loops see it; REJECT is the last prediction."""
        n = len(self.costs)
        vectors = np.vstack([np.eye(n), np.full(n, 1 / np.sqrt(n))])
        return Listed(vectors, np.vstack([1.0 - np.eye(n), self.costs]), np.arange(n))

    def decision(self, n_labels: int) -> Listed:
        """The most similar prediction."""
        return self.core(n_labels)


def _matrix(task: Any, given: Any) -> np.ndarray:
    costs = np.asarray(given)
    name = type(task).__name__
    if costs.ndim != 2 or costs.dtype.kind not in "fiu" or not np.isfinite(costs).all() or (costs < 0).any():
        raise ValueError(
            f"{name}: costs should be a matrix of numbers from 0 on, with one row per prediction and one column per label"
        )
    if not costs.size or costs.min(axis=0).max() > 0:
        label = int(np.argmax(costs.min(axis=0) > 0)) if costs.size else 0
        raise ValueError(f"{name}: no prediction for label {label} has cost 0; the right one should")
    return costs.astype(float)
