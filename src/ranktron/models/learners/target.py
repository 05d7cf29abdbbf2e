"""Learners whose loss is not a number of ranks, and those of rows whose target is not a label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.rows import Rows
from ...core.scorers.protocol import unwrapped
from ..features import Features
from ..labels import Labels, short
from .parts import Parts
from .row import RowLearner


class CostLearner(RowLearner):
    """``counts`` holds the rows seen and the updates, ``losses`` the loss; a row may have more or fewer scores than labels."""

    def __init__(self, parts: Parts, features: Features, labels: Any, plan: dict[str, Any]) -> None:
        self.losses = np.zeros(1)
        super().__init__(parts, features, labels, plan)

    @property
    def n_scores(self) -> int:  # type: ignore[override]
        """One per place of the representation."""
        return len(unwrapped(self.scorer)[0])


class Tags:
    """The labels of sets: how many there are, and their names if they have any."""

    def __init__(self, count: int, names: list[Any] | None = None) -> None:
        if count < 1 or (names is not None and len(names) != count):
            raise ValueError(f"y has {count} columns, and there are {len(names or ())} names for them: {short(names)}")
        self.count, self.names = count, names

    def __len__(self) -> int:
        return self.count

    def alike(self, count: int) -> Tags:
        """Other labels, of which there are ``count``."""
        return Tags(count)

    def encode(self, targets: Any) -> Any:
        """The targets, which are learned as they are."""
        return targets


class TargetLearner(CostLearner):
    """Its rule is aimed at the targets of a batch, and a row's label is its number among them."""

    labels: Labels | Tags  # type: ignore[assignment]

    def __init__(self, parts: Parts, features: Features, labels: Tags, plan: dict[str, Any], aim: Callable[[Any], Any]) -> None:
        self.aim = aim
        super().__init__(parts, features, labels, plan)

    def _learn_chunks(self, rows: Rows, targets: Any, order: np.ndarray, scales: np.ndarray, predictions: np.ndarray) -> int:
        resting, self.rule = self.rule, self.rule._replace(task=self.aim(targets))
        try:  # where no predictions are wanted, there are none in two dimensions
            return super()._learn_chunks(rows, np.arange(len(targets)), order, scales, predictions.reshape(-1, self.n_scores))
        finally:
            self.rule = resting
