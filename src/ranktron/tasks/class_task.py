"""What tasks of one label a row share."""

from __future__ import annotations

import abc
from typing import Any, ClassVar

import numpy as np

from ..core.decisions import Highest
from ..core.protocol import decide_without_reject
from ..core.reject import with_reject
from .protocol import loss_between, represent, rightful, worst
from .task import Task


class ClassTask(Task, abc.ABC):
    """A task with one label a row, the number of a class from 0 on here; users may call the classes what they like."""

    reject: ClassVar[Any] = None

    @property
    @abc.abstractmethod
    def n_labels(self) -> int | None:
        """How many labels there are, if that is known."""

    @abc.abstractmethod
    def core(self, n_labels: int) -> Any:
        """What the loops work with."""

    @property
    def n_scores(self) -> int:
        """How long a representation is."""
        return self.scores_for(self._known())

    def scores_for(self, n_labels: int) -> int:
        """The same for so many labels."""
        return n_labels

    def decision(self, n_labels: int) -> Any:
        """What decides."""
        return Highest() if self.reject is None else with_reject(float(self.reject), False)

    def representation(self, prediction: Any) -> np.ndarray:
        """rep(σ)."""
        vector = np.zeros(self.n_scores)
        represent(self.core(self._known()), prediction, 1.0, vector)
        return vector

    def decode(self, scores: np.ndarray) -> Any:
        """pred(t); ties go to the lowest class, and for one score to the second."""
        return decide_without_reject(self.decision(self._known(len(scores))), np.asarray(scores, float))

    def loss_of(self, prediction: Any, label: Any) -> float:
        """L(σ, y)."""
        n_labels = self.n_labels or max(prediction, label, 1) + 1
        return float(loss_between(self.core(n_labels), prediction, label))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> Any:
        """The σ with the highest L(σ, y) + <rep(σ), t>, the lowest of equals."""
        return worst(self.core(self._known(len(scores))), np.asarray(scores, float), label)

    def correct(self, label: Any, scores: np.ndarray | None = None) -> Any:
        """σ_y."""
        return rightful(self.core(self.n_labels or label + 1), label)

    def _known(self, otherwise: int | None = None) -> int:
        known = self.n_labels or otherwise
        if known is None:
            raise ValueError(f"{self} does not say how many classes there are: give it their number")
        return known


def check_costs(task: Any, costs: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuse costs that are not so many positive numbers."""
    if costs.shape != shape or costs.dtype.kind not in "fiu" or not np.isfinite(costs).all() or not (costs > 0).all():
        raise ValueError(f"{task} should have {shape[0]} costs, all of them positive numbers")
