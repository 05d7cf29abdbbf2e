"""Ordinal models: their labels are ranks, cut out of one direction by thresholds."""

from __future__ import annotations

import abc
import dataclasses
import numbers
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ...core.conformal import LEVELS, conformal, prediction_set
from ...core.scorers.protocol import unit
from ..explain import explained
from ..features import Features
from ..inputs import Table
from ..labels import Labels, short
from ..learners.concurrency import reads
from ..learners.parts import Parts
from ..learners.row import RowLearner
from .row import RowModel

# The smallest positive number: a projection on a threshold counts as above it, and ``decision_function`` has to show that.
ABOVE_A_TIE = 5e-324


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class OrdinalModel(RowModel, abc.ABC):
    """A model of ordered labels; an algorithm adds its own parameters and ``_parts``.

    Beside the hypothesis it learns on the way how far from its predictions the labels were, for prediction intervals.
    """

    # Whether every row calibrates the intervals: where learning a row is slow anyway, or too few others would.
    calibrates_every_row: ClassVar[bool] = False

    if TYPE_CHECKING:

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    def _calibrated_parts(self, n_features: int, n_ranks: int) -> Parts:
        """The parts, with a decision that learns how far off it may be."""
        parts = self._assembled(n_features, n_ranks)
        return parts._replace(decision=conformal(parts.decision, self.calibrates_every_row))

    def _new_learner(self, n_features: int, features: Features, labels: Labels) -> RowLearner:
        return RowLearner(self._calibrated_parts(n_features, len(labels)), features, labels, self._plan())

    @property
    @reads
    def thresholds_(self) -> np.ndarray:
        """The thresholds b that ``predict`` uses."""
        return self._learned.hypothesis().thresholds

    @property
    @reads
    def cumulative_loss_(self) -> int:
        """How many ranks the learning hypothesis was off before each update, in all."""
        return int(self._learned.counts[2])

    @reads
    def project(self, X: Any) -> np.ndarray:
        """The projection w·x of every row: the higher, the higher its rank, so this is what to sort by."""
        return self._scores(X)[:, -1] + self._learned.off_centre

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """How far inside the interval of each label a row is; for two labels, how far above the threshold."""
        above = self._scores(X)[:, :-1]
        if above.shape[1] == 1:
            return np.where(above == 0, ABOVE_A_TIE, above)[:, 0]
        below = np.where(above == 0, -ABOVE_A_TIE, -above)
        end = np.full((len(above), 1), np.inf)
        return np.minimum(np.hstack([end, above]), np.hstack([below, end]))

    @reads
    def explain(self, x: Any, other: Any = None) -> Any:
        """How much each feature adds to the projection that ``predict`` goes by, or why ``x`` is above ``other``.

        A mapping gives a mapping from names, the largest share first; a 1-D array gives an array; rows give one row per row.
        The shares of an example add up to its ``project``, and with ``other`` to the difference of both: compare with what is
        usual, such as the mean row, where features are far from 0. A constant that was learned is a share of its own: the last
        entry of an array, or ``"intercept_"`` in a mapping.
        """
        return explained(self, x, other)

    def _constant(self) -> dict[Any, float]:
        """What is added to the projection of every row, by name, if the model has such a constant."""
        return {}

    # Prediction intervals

    @reads
    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest label that every row may have: the label is between them so often, in the long run.

        The width follows from the stream itself, also where it drifts: see ``docs/intervals.md``. The predicted label is
        always in it. As long as too few rows were seen, it holds all labels.
        """
        sets, labels = self.predict_set(X, coverage), self._labels
        return labels.decode(sets.argmax(axis=1)), labels.decode(len(labels) - 1 - sets[:, ::-1].argmax(axis=1))

    @reads
    def predict_set(self, X: Any, coverage: float = 0.9) -> np.ndarray:
        """Which labels every row may have: the interval as booleans, a column a label in the order of ``classes_``."""
        check_coverage(coverage)
        return self._prediction_set(*self._rows_for_prediction(X), coverage)

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
        ranks = np.flatnonzero(self._prediction_set(learner, table, coverage)[0])
        return [learner.labels.names[rank] for rank in ranks]

    def _prediction_set(self, learner: RowLearner, table: Table, coverage: float) -> np.ndarray:
        sums = self._sums_of(learner, table)
        return prediction_set(learner.decision, sums, unit(learner.scorer, learner.age), coverage)


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class OnceIsEnough(OrdinalModel, abc.ABC):
    """A model that ranks a row rightly once it has learned it, so that weights are 0 or 1."""

    sample_weights: ClassVar[str] = "flags"

    if TYPE_CHECKING:
        set_fit_request: ClassVar[None]  # type: ignore[assignment]

    def fit(self, X: Any, y: Any, **weights: Any) -> Self:  # type: ignore[override]
        """Forget everything, then learn the rows in order, ``epochs`` times.

        A ``sample_weight`` of 0 or 1 is taken, but is not in the signature: by that scikit-learn would expect 3 to mean thrice.
        """
        return super().fit(X, y, **weights)


def check_coverage(coverage: Any) -> None:
    """Refuse what the bars do not reach."""
    if not isinstance(coverage, numbers.Real) or not LEVELS[0] <= float(coverage) <= LEVELS[-1]:
        raise ValueError(f"coverage={short(coverage)} should be a number from {LEVELS[0]} to {LEVELS[-1]}")
