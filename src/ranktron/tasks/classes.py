"""Tasks whose predictions are classes: by a sign, without an order, or ranks."""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.protocol import decide
from ..core.reject import with_reject
from .class_task import ClassTask, check_costs
from .protocol import count_predictions, loss_between, represent, similarity


class Classes(NamedTuple):
    """Every class has its own score; a wrong one costs 1."""


class Ranks(NamedTuple):
    """Every class has its own score; a wrong one costs how far off it is."""


class Sides(NamedTuple):
    """One score, whose sign decides; a wrong one costs what the label's class weighs."""

    weights: np.ndarray


@loss_between.on(Classes)
def loss_between_classes(task, code, label):
    return 1.0 if code != label else 0.0


@loss_between.on(Ranks)
def loss_between_ranks(task, code, label):
    return float(abs(code - label))


@loss_between.on(Sides)
def loss_between_sides(task, code, label):
    return task.weights[label] if code != label else 0.0


@represent.on(Sides)
def represent_sides(task, code, sign, vector):
    vector[0] += sign if code == 1 else -sign


@similarity.on(Sides)
def similarity_sides(task, scores, code):
    return scores[0] if code == 1 else -scores[0]


@count_predictions.on(Sides)
def count_predictions_sides(task, scores):
    return 2


@decide.on(Sides)
def decide_sides(task, scores):
    return 1 if scores[0] >= 0.0 else 0


@dataclasses.dataclass(frozen=True)
class Binary(ClassTask):
    """Two classes told apart by the sign of one score: the perceptron.

    Parameters
    ----------
    weights : (float, float), optional
        What a mistake costs when the label is the first class, and when it is the second. They act with ``loss_driven=True``;
        in Algorithm 1 they only scale the loss, for the one wrong label is always the worst.
    reject : float, optional
        What it costs not to answer, between 0 and 1: rows whose score is too near to 0 are then rejected, predicted as -1 or, if
        the labels are strings, as None. Where that pays is learned on the way.
    """

    weights: Any = None
    reject: Any = None  # type: ignore[misc]

    def __post_init__(self) -> None:
        _check_reject(self)
        if self.weights is not None:
            check_costs(self, np.asarray(self.weights), (2,))
            object.__setattr__(self, "weights", tuple(map(float, self.weights)))

    @property
    def n_labels(self) -> int:
        """Two."""
        return 2

    @property
    def smallest_loss(self) -> float:
        """The smaller weight."""
        return min(self.weights or (1.0,))

    def scores_for(self, n_labels: int) -> int:
        """One."""
        return 1

    def core(self, n_labels: int) -> Sides:
        """What the loops work with."""
        return Sides(np.array(self.weights or (1.0, 1.0)))

    def decision(self, n_labels: int) -> Any:
        """The sign, 0 being positive."""
        return self.core(2) if self.reject is None else with_reject(float(self.reject), True)


@dataclasses.dataclass(frozen=True)
class Multiclass(ClassTask):
    """Classes without an order, each with its own score; a wrong one costs 1.

    Parameters
    ----------
    n_classes : int, optional
        How many classes; they are called 0, 1, … then, unless ``classes=`` names them. Otherwise they are what the data hold.
    reject : float, optional
        What it costs not to answer, between 0 and 1: rows whose two highest scores are too close are then rejected, predicted as
        -1 or, if the labels are strings, as None. Where that pays is learned on the way.
    """

    n_classes: int | None = None
    reject: Any = None  # type: ignore[misc]
    smallest_loss: ClassVar[float] = 1.0  # type: ignore[misc]

    def __post_init__(self) -> None:
        _check_count(self, "n_classes", self.n_classes)
        _check_reject(self)

    @property
    def n_labels(self) -> int | None:
        """How many classes."""
        return self.n_classes

    def core(self, n_labels: int) -> Classes:
        """What the loops work with."""
        return Classes()


@dataclasses.dataclass(frozen=True)
class Ordinal(ClassTask):
    """Ranks, each with its own score; a wrong one costs how many ranks it is off. See :class:`PRank` for one common direction.

    Parameters
    ----------
    n_ranks : int, optional
        How many ranks; they are called 0, 1, … then, unless ``classes=`` names them. Otherwise they are what the data hold.
    """

    n_ranks: int | None = None
    smallest_loss: ClassVar[float] = 1.0  # type: ignore[misc]

    def __post_init__(self) -> None:
        _check_count(self, "n_ranks", self.n_ranks)

    @property
    def n_labels(self) -> int | None:
        """How many ranks."""
        return self.n_ranks

    def core(self, n_labels: int) -> Ranks:
        """What the loops work with."""
        return Ranks()


def _check_count(task: Any, name: str, count: Any) -> None:
    if count is not None and (isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 2):
        raise ValueError(f"{type(task).__name__}: {name}={count!r} should be None or a whole number from 2 on")


def _check_reject(task: Any) -> None:
    cost = task.reject
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, numbers.Real) or not 0 < float(cost) < 1):
        raise ValueError(f"{type(task).__name__}: reject={cost!r} should be None or a cost above 0 and below 1")
