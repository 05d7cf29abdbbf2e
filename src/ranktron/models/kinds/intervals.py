"""Models that tell how far off they may be: intervals of labels, and sets of them."""

from __future__ import annotations

import abc
import dataclasses
import numbers
from typing import Any, ClassVar

import numpy as np

from ...core.conformal import LEVELS, conformal, prediction_set
from ...core.scorers.protocol import unit
from ..features import Features
from ..inputs import Table
from ..labels import Labels, short
from ..learners.concurrency import reads
from ..learners.parts import Parts
from ..learners.row import RowLearner
from .label import LabelModel


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class IntervalModel(LabelModel, abc.ABC):
    """A model of ordered labels that notes on the way how far from its predictions the labels were."""

    # Whether every row is noted: where learning one takes its time anyway, or hypotheses grow too fast for fewer to do.
    notes_all_rows: ClassVar[bool] = False

    def _watching(self, n_features: int, n_ranks: int) -> Parts:
        """The parts, with a decision that learns how far off it may be."""
        parts = self._assembled(n_features, n_ranks)
        return parts._replace(decision=conformal(parts.decision, self.notes_all_rows))

    def _new_learner(self, n_features: int, features: Features, labels: Labels) -> RowLearner:
        return RowLearner(self._watching(n_features, len(labels)), features, labels, self._plan())

    @reads
    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest label that every row may have: the label is between them so often, in the long run.

        The stream itself has taught how wide that is, also where it drifts: see ``docs/intervals.md``. The predicted label is
        always among them. All labels are, as long as there is too little to go by.
        """
        return self._ends(self.predict_set(X, coverage), self._labels)

    @reads
    def predict_set(self, X: Any, coverage: float = 0.9) -> np.ndarray:
        """Which labels every row may have: the interval as booleans, a column a label in the order of ``classes_``."""
        check_coverage(coverage)
        return self._inside(*self._rows_for_prediction(X), coverage)

    def predict_interval_one(self, x: Any, coverage: float = 0.9) -> tuple[Any, Any]:
        """The lowest and the highest label that one example may have; with ``classes`` given it answers before any learning."""
        labels = self.predict_set_one(x, coverage)
        return labels[0], labels[-1]

    @reads
    def predict_set_one(self, x: Any, coverage: float = 0.9) -> list[Any]:
        """The labels that one example may have, in ascending order."""
        check_coverage(coverage)
        learner = self._known_learner(x)
        table, _ = learner.features.row(x, self.missing)
        ranks = np.flatnonzero(self._inside(learner, table, coverage)[0])
        return [learner.labels.names[rank] for rank in ranks]

    def _inside(self, learner: RowLearner, table: Table, coverage: float) -> np.ndarray:
        sums = np.empty((table.n_rows, learner.n_scores))
        self._predict_into(learner, table, scores=sums)
        return prediction_set(learner.decision, sums, unit(learner.scorer, learner.age), coverage)

    def _ends(self, sets: np.ndarray, labels: Labels) -> tuple[np.ndarray, np.ndarray]:
        last = len(labels) - 1
        return labels.decode(sets.argmax(axis=1)), labels.decode(last - sets[:, ::-1].argmax(axis=1))


def check_coverage(coverage: Any) -> None:
    """Refuse what the bars do not reach."""
    if not isinstance(coverage, numbers.Real) or not LEVELS[0] <= float(coverage) <= LEVELS[-1]:
        raise ValueError(f"coverage={short(coverage)} should be a number from {LEVELS[0]} to {LEVELS[-1]}")
