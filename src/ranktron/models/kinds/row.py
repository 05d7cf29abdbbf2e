"""Models of rows that each have a target: how they are presented and learned."""

from __future__ import annotations

import abc
import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np

from ...core.protocol import pause_calibration
from ..inputs import Table
from ..learners.learner import NO_INTEGERS
from ..learners.row import RowLearner
from ..order import generator, presentations, shuffled
from ..parameters import check_parameters, labels_in_order
from .model import Model

FADING = (
    "the budget is spent: rows that are let go leave the mean over time too, so its direction fades and its thresholds do not; "
    "with a budget use average=False"
)


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class RowModel(Model, abc.ABC):
    """What models of rows share, whatever their targets are."""

    classes: Sequence[Any] | None = labels_in_order(
        help="""
        All labels in ascending order. Give it where that is not their sorted order, or where the first rows lack some of them.
        None takes the labels of the first batch in sorted order; ``learn_one`` then takes new labels as they come.
        """
    )

    # What a weight means: "counts" of presentations, "flags" that leave a row out, or "steps" to scale.
    sample_weights: ClassVar[str] = "counts"

    @abc.abstractmethod
    def _learner_and_targets(self, table: Table, y: Any, classes: Any, learner: RowLearner | None) -> tuple[RowLearner, Any]:
        """The learner for these rows, a new one if there is none, and their targets as it takes them."""

    @abc.abstractmethod
    def _empty_predictions(self, learner: RowLearner, rows: int) -> np.ndarray:
        """Room for what so many rows are told by."""

    @abc.abstractmethod
    def _decode(self, answers: np.ndarray) -> np.ndarray:
        """What is predicted, of rows that are told by this."""

    @property
    def _learned(self) -> RowLearner:
        return cast(RowLearner, super()._learned)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, then learn the rows in order, ``epochs`` times."""
        self._check_not_frozen()
        check_parameters(self)
        table = self._read(X, None)
        learner, targets = self._learner_and_targets(table, y, None, None)
        order, scales = presentations(sample_weight, table.n_rows, self.sample_weights)
        if order is None or (len(scales) and not scales.any()):
            raise ValueError("every sample_weight is zero: there is nothing to learn")
        random = generator(self.random_state)
        for epoch in range(self.epochs):
            learner.decision = pause_calibration(learner.decision, epoch > 0)
            rows = shuffled(order, table.n_rows, random) if self.shuffle else order
            self._learn(learner, table, targets, rows, scales)
        learner.decision = pause_calibration(learner.decision, False)
        self._learner = learner
        return self

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Go on learning, the rows in order; the first call settles the labels, by ``classes`` or by what ``y`` holds."""
        self._learn_more(X, y, classes, sample_weight, predict=False)
        return self

    def predict_then_learn(self, X: Any, y: Any) -> np.ndarray:
        """What ``predict`` would have said of every row after learning those before it; learns them all."""
        return self._decode(self._learn_more(X, y, None, None, predict=True))

    def _learn_more(self, X: Any, y: Any, classes: Any, sample_weight: Any, predict: bool) -> np.ndarray:
        self._check_not_frozen()
        check_parameters(self)
        learner = self._learner
        table = self._read(X, learner)
        learner, targets = self._learner_and_targets(table, y, classes, learner)
        order, scales = presentations(sample_weight, table.n_rows, self.sample_weights)
        answers = self._empty_predictions(learner, table.n_rows if predict else 0)
        self._learn(learner, table, targets, order, scales, answers)
        self._learner = learner
        return answers

    def _learn(
        self, learner: RowLearner, table: Table, targets: Any, order: Any, scales: Any, wanted: np.ndarray = NO_INTEGERS
    ) -> None:
        if order is None:
            return  # every weight is 0
        had_room = not learner.has_evicted
        refused = learner.learn(table, targets, order, scales, wanted)
        if refused >= 0:
            self._refuse(table, refused)
        if had_room and learner.has_evicted and self._averages:
            warnings.warn(FADING, UserWarning, stacklevel=4)

    def _sums(self, X: Any) -> tuple[np.ndarray, float]:
        """The scores that decide, which are sums where there are many hypotheses, and over how many."""
        learner, table = self._rows_for_prediction(X)
        sums = np.empty((table.n_rows, learner.n_scores))
        self._predict_into(learner, table, scores=sums)
        return sums, learner.divisor

    def _scores(self, X: Any) -> np.ndarray:
        sums, held = self._sums(X)
        scores: np.ndarray = sums / held
        return scores
