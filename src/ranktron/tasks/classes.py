"""Tasks whose predictions are classes: by a sign, without an order, or ranks."""

from __future__ import annotations

import abc
import dataclasses
import numbers
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.decisions import Highest
from ..core.protocol import decide, decide_without_reject
from ..core.reject import with_reject
from .protocol import Core, Task, check_count, correct_code, count_predictions, loss_between, represent, similarity, worst


class Classes(NamedTuple):
    """Every class has its own score; a wrong one costs 1."""


class Ranks(NamedTuple):
    """Every class has its own score; the loss of a rank is its distance from the label."""


class Sides(NamedTuple):
    """The sign of the only score decides; the loss of a wrong class is the weight of the label's class."""

    weights: np.ndarray


@loss_between.on(Classes)
def loss_between_classes(task: Classes, code: int, label: int) -> float:
    return 1.0 if code != label else 0.0


@loss_between.on(Ranks)
def loss_between_ranks(task: Ranks, code: int, label: int) -> float:
    return float(abs(code - label))


@loss_between.on(Sides)
def loss_between_sides(task: Sides, code: int, label: int) -> float:
    return float(task.weights[label]) if code != label else 0.0


@represent.on(Sides)
def represent_sides(task: Sides, code: int, sign: float, vector: np.ndarray) -> None:
    vector[0] += sign if code == 1 else -sign


@similarity.on(Sides)
def similarity_sides(task: Sides, scores: np.ndarray, code: int) -> float:
    return float(scores[0] if code == 1 else -scores[0])


@count_predictions.on(Sides)
def count_predictions_sides(task: Sides, scores: np.ndarray) -> int:
    return 2


@decide.on(Sides)
def decide_sides(task: Sides, scores: np.ndarray) -> int:
    return 1 if scores[0] >= 0.0 else 0


class ClassTask(Task, abc.ABC):
    """A task with one label per row. Labels are codes 0, 1, … here; users may call the classes what they like.

    Beside ``n_labels`` and ``core``, which are mandatory, a task may have its own ``scores_for`` and ``decision``. The members of
    `Task` follow from them.
    """

    reject: ClassVar[Any] = None

    @property
    @abc.abstractmethod
    def n_labels(self) -> int | None:
        """The number of labels, if it is known."""

    @abc.abstractmethod
    def core(self, n_labels: int) -> Core:
        """The task as the loops see it."""

    def scores_for(self, n_labels: int) -> int:
        """The number of scores for this number of labels."""
        return n_labels

    def decision(self, n_labels: int) -> Any:
        """The decision from scores to a code."""
        return Highest() if self.reject is None else with_reject(float(self.reject), False)

    @property
    def n_scores(self) -> int:
        """The length of a representation."""
        return self.scores_for(self._known())

    def representation(self, prediction: Any) -> np.ndarray:
        """rep(σ)."""
        vector = np.zeros(self.n_scores)
        represent(self.core(self._known()), prediction, 1.0, vector)
        return vector

    def decode(self, scores: np.ndarray) -> Any:
        """pred(t); ties go to the lowest class, or to the second one where there is one score."""
        return decide_without_reject(self.decision(self._known(len(scores))), np.asarray(scores, float))

    def loss_of(self, prediction: Any, label: Any) -> float:
        """L(σ, y)."""
        n_labels = self.n_labels or max(prediction, label, 1) + 1
        return float(loss_between(self.core(n_labels), prediction, label))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> Any:
        """The σ with the highest L(σ, y) + <rep(σ), t>, and the lowest code among equals."""
        return worst(self.core(self._known(len(scores))), np.asarray(scores, float), label)

    def correct(self, label: Any, scores: np.ndarray | None = None) -> Any:
        """σ_y."""
        return correct_code(self.core(self.n_labels or label + 1), label)

    def _known(self, otherwise: int | None = None) -> int:
        known = self.n_labels or otherwise
        if known is None:
            raise ValueError(f"{self} does not know the number of classes; pass it to {type(self).__name__}")
        return known


@dataclasses.dataclass(frozen=True)
class Binary(ClassTask):
    """Two classes, decided by the sign of one score: the perceptron.

    Parameters
    ----------
    weights : (float, float), optional
        The loss of a mistake when the label is the first class, and when it is the second. They have an effect with
        ``loss_driven=True``. In Algorithm 1 they only scale the loss, because the only wrong label is always the worst.
    reject : float, optional
        The loss of rejecting a row, between 0 and 1. Rows whose score is too near to 0 are then rejected: predicted as -1, or as
        None if the labels are strings. The threshold is learned.
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
        """The task as the loops see it."""
        return Sides(np.array(self.weights or (1.0, 1.0)))

    def decision(self, n_labels: int) -> Any:
        """The sign, where 0 is positive."""
        return self.core(2) if self.reject is None else with_reject(float(self.reject), True)


@dataclasses.dataclass(frozen=True)
class Multiclass(ClassTask):
    """Classes without an order, each with its own score; a wrong one costs 1.

    Parameters
    ----------
    n_classes : int, optional
        The number of classes, which are then called 0, 1, … unless ``classes=`` names them. By default the data determine it.
    reject : float, optional
        The loss of rejecting a row, between 0 and 1. Rows whose two highest scores are too close are then rejected: predicted as
        -1, or as None if the labels are strings. The threshold is learned.
    """

    n_classes: int | None = None
    reject: Any = None  # type: ignore[misc]
    smallest_loss: ClassVar[float] = 1.0  # type: ignore[misc]

    def __post_init__(self) -> None:
        check_count(self, "n_classes", at_least=2)
        _check_reject(self)

    @property
    def n_labels(self) -> int | None:
        """The number of classes."""
        return self.n_classes

    def core(self, n_labels: int) -> Classes:
        """The task as the loops see it."""
        return Classes()


@dataclasses.dataclass(frozen=True)
class Ordinal(ClassTask):
    """Ranks, each with its own score; the loss is the distance in ranks. :class:`PRank` has one direction for all ranks.

    Parameters
    ----------
    n_ranks : int, optional
        The number of ranks, which are then called 0, 1, … unless ``classes=`` names them. By default the data determine it.
    """

    n_ranks: int | None = None
    smallest_loss: ClassVar[float] = 1.0  # type: ignore[misc]

    def __post_init__(self) -> None:
        check_count(self, "n_ranks", at_least=2)

    @property
    def n_labels(self) -> int | None:
        """The number of ranks."""
        return self.n_ranks

    def core(self, n_labels: int) -> Ranks:
        """The task as the loops see it."""
        return Ranks()


def check_costs(task: Any, costs: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuse costs that do not have this shape, or are not positive numbers."""
    if costs.shape != shape or costs.dtype.kind not in "fiu" or not np.isfinite(costs).all() or not (costs > 0).all():
        raise ValueError(f"{task} should have {shape[0]} costs, all of them positive numbers")


def _check_reject(task: Any) -> None:
    cost = task.reject
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, numbers.Real) or not 0 < float(cost) < 1):
        raise ValueError(f"{type(task).__name__}: reject={cost!r} should be None or a cost above 0 and below 1")
