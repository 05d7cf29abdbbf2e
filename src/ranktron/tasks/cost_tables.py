"""Tasks that are given as tables: what each prediction costs for each label, and how it is represented."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ..core.protocol import decide
from .class_task import ClassTask, check_costs
from .protocol import count_predictions, loss_between, represent, rightful, similarity


class Costs(NamedTuple):
    """Every class has its own score; ``costs[σ, y]`` is what it costs, ``best[y]`` the first that costs nothing."""

    costs: np.ndarray
    best: np.ndarray


class Listed(NamedTuple):
    """Any predictions: each has a row of ``vectors``; losses as in ``Costs``."""

    vectors: np.ndarray
    costs: np.ndarray
    best: np.ndarray


@loss_between.on(Costs)
@loss_between.on(Listed)
def loss_between_listed_or_costs(task, code, label):
    return task.costs[code, label]


@rightful.on(Costs)
@rightful.on(Listed)
def rightful_listed_or_costs(task, label):
    return task.best[label]


@represent.on(Listed)
def represent_listed(task, code, sign, vector):
    for r in range(vector.shape[0]):
        vector[r] += sign * task.vectors[code, r]


@similarity.on(Listed)
def similarity_listed(task, scores, code):
    total = 0.0
    for r in range(scores.shape[0]):
        total += task.vectors[code, r] * scores[r]
    return total


@count_predictions.on(Listed)
def count_predictions_listed(task, scores):
    return task.vectors.shape[0]


@decide.on(Listed)
def decide_listed(task, scores):
    best, highest = 0, similarity(task, scores, 0)
    for code in range(1, task.vectors.shape[0]):
        here = similarity(task, scores, code)
        if here > highest:
            best, highest = code, here
    return best


@dataclasses.dataclass(frozen=True)
class CostMatrix(ClassTask):
    """Classes with a price for every confusion.

    Parameters
    ----------
    costs : matrix
        ``costs[p][y]`` is what it costs to predict class p when the label is y. No cost is negative, and for every y some p costs
        nothing. The classes are called 0, 1, … unless ``classes=`` names them, in the order of the matrix.

    Examples
    --------
    To miss a fraud costs ten times as much as to bother a customer:

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
                f"CostMatrix: costs should have a row and a column a class, at least two; their shape is {costs.shape}"
            )
        object.__setattr__(self, "costs", tuple(map(tuple, costs.tolist())))

    @property
    def n_labels(self) -> int:
        """How many classes."""
        return len(self.costs)

    @property
    def smallest_loss(self) -> float:
        """The smallest cost above 0."""
        return _smallest(np.array(self.costs))

    def core(self, n_labels: int) -> Costs:
        """What the loops work with."""
        costs = np.array(self.costs)
        return Costs(costs, costs.argmin(axis=0))


@dataclasses.dataclass(frozen=True)
class Finite(ClassTask):
    """Any few predictions for any few labels, each of which may be what it likes; they are gone through one by one.

    Parameters
    ----------
    representations : matrix
        rep(σ) in row σ, of length 1.
    losses : matrix
        ``losses[p][y]`` is what prediction p costs when the label is y, as for :class:`CostMatrix`. ``predict`` returns the
        number p of the prediction; if there are as many as labels, it returns the label of that number.
    """

    representations: Any
    losses: Any

    def __post_init__(self) -> None:
        losses, vectors = _matrix(self, self.losses), np.asarray(self.representations)
        if vectors.dtype.kind not in "fiu" or vectors.ndim != 2 or len(vectors) != len(losses) or losses.shape[1] < 2:
            raise ValueError("Finite: representations and losses should have a row a prediction, and losses two labels at least")
        lengths = np.linalg.norm(vectors.astype(float), axis=1)
        if not (abs(lengths - 1) < 1e-9).all():
            row = int(np.argmax(~(abs(lengths - 1) < 1e-9)))
            raise ValueError(f"Finite: representation {row} has length {lengths[row]:g}; divide it by that")
        object.__setattr__(self, "representations", tuple(map(tuple, vectors.astype(float).tolist())))
        object.__setattr__(self, "losses", tuple(map(tuple, losses.tolist())))

    @property
    def n_labels(self) -> int:
        """How many labels."""
        return len(self.losses[0])

    @property
    def smallest_loss(self) -> float:
        """The smallest loss above 0."""
        return _smallest(np.array(self.losses))

    def scores_for(self, n_labels: int) -> int:
        """How long a representation is."""
        return len(self.representations[0])

    def core(self, n_labels: int) -> Listed:
        """What the loops work with."""
        losses = np.array(self.losses)
        return Listed(np.array(self.representations), losses, losses.argmin(axis=0))

    def decision(self, n_labels: int) -> Listed:
        """The most similar."""
        return self.core(n_labels)


@dataclasses.dataclass(frozen=True)
class RejectAsPublished(ClassTask):
    """The paper's reject option: REJECT is a prediction of its own, the normalised sum of all classes.

    From W = 0 it never rejects: every update is the difference of two classes, so the scores add up to 0, and so does the
    similarity of REJECT, which some class always reaches. What works is ``reject=`` of :class:`Multiclass` and :class:`Binary`.

    Parameters
    ----------
    costs : sequence
        What it costs to reject a row of each class, above 0 and not above 1.
    """

    costs: Any

    def __post_init__(self) -> None:
        costs = np.asarray(self.costs)
        check_costs(self, costs, (max(2, costs.size),))
        if (costs > 1).any():
            raise ValueError(f"{self} should have no cost above 1, which is that of a wrong class")
        object.__setattr__(self, "costs", tuple(costs.astype(float).tolist()))

    @property
    def n_labels(self) -> int:
        """How many classes."""
        return len(self.costs)

    @property
    def smallest_loss(self) -> float:
        """The smallest cost."""
        return float(min(self.costs))

    def core(self, n_labels: int) -> Listed:
        """What the loops work with: REJECT is the last prediction."""
        n = len(self.costs)
        vectors = np.vstack([np.eye(n), np.full(n, 1 / np.sqrt(n))])
        return Listed(vectors, np.vstack([1.0 - np.eye(n), self.costs]), np.arange(n))

    def decision(self, n_labels: int) -> Listed:
        """The most similar."""
        return self.core(n_labels)


def _matrix(task: Any, given: Any) -> np.ndarray:
    costs = np.asarray(given)
    name = type(task).__name__
    if costs.ndim != 2 or costs.dtype.kind not in "fiu" or not np.isfinite(costs).all() or (costs < 0).any():
        raise ValueError(f"{name}: costs should be a matrix of numbers from 0 on, a row a prediction and a column a label")
    if not costs.size or costs.min(axis=0).max() > 0:
        label = int(np.argmax(costs.min(axis=0) > 0)) if costs.size else 0
        raise ValueError(f"{name}: every prediction costs something for label {label}; the right one should cost 0")
    return costs.astype(float)


def _smallest(losses: np.ndarray) -> float:
    return float(losses[losses > 0].min()) if (losses > 0).any() else 1.0
