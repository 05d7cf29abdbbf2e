"""Models that combine many hypotheses of another model."""

from __future__ import annotations

import abc
import copy
import dataclasses
from typing import Any, ClassVar, NoReturn

import numpy as np

from ...core.scorers.protocol import divisor
from ...core.scorers.voted import MEAN, SHARES
from .. import files
from ..inputs import Table
from ..learners.concurrency import reads
from ..learners.parts import Parts
from ..learners.row import RowLearner
from ..parameters import check_parameters, share_or_none
from .ordinal import OrdinalModel


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Aggregate(OrdinalModel, abc.ABC):
    """Combines many hypotheses of an estimator; it reads rows and labels, and the estimator says how to learn."""

    forget: float | None = share_or_none(
        help="""
        For streams that change: the share of the past, between 0 and 1, that the scaling forgets at every row. The hypotheses
        that are combined do not forget, so leave it at None without ``scale``.
        """
    )

    # No parameters: the estimator has them, and the votes of its hypotheses take the place of a mean over time.
    average: ClassVar[bool] = False  # type: ignore[misc]
    kernel: ClassVar[None] = None  # type: ignore[misc]
    budget: ClassVar[None] = None  # type: ignore[misc]
    policy: ClassVar[str] = "oldest"  # type: ignore[misc]

    @abc.abstractmethod
    def _base(self) -> OrdinalModel:
        """The estimator, or the one in its place."""

    @abc.abstractmethod
    def _voters(self, combine: int) -> Any:
        """A scorer that counts the votes of all hypotheses."""

    def _assembled(self, n_features: int, n_ranks: int) -> Parts:
        return self._parts(n_features, n_ranks)  # the estimator's own have its kernel already

    def _member_parts(self, n_features: int, n_ranks: int, **changes: Any) -> Parts:
        """The parts of one hypothesis; parameters that concern rows and labels belong to the ensemble, not to its estimator."""
        if self.forget is not None and self.scale is None:
            reason = "what it combines does not forget: leave forget=None, or pass forget= to the estimator alone"
            raise ValueError(f"{type(self).__name__}: {reason}")
        base = copy.copy(self._base())
        check_parameters(base)
        for field in dataclasses.fields(Aggregate):
            if files.plain(getattr(base, field.name)) != field.default:
                raise ValueError(f"{type(self).__name__}: pass {field.name}= to {type(self).__name__}, not to its estimator")
        base.random_state = self.random_state
        for name, value in changes.items():
            setattr(base, name, value)
        return base._assembled(n_features, n_ranks)

    @property
    def sample_weights(self) -> str:  # type: ignore[override]
        """The meaning of a weight, which the estimator defines."""
        return self._base().sample_weights

    @property
    def merges_columns(self) -> bool:  # type: ignore[override]
        """Whether a column stored twice in a sparse row must be merged, which the estimator defines."""
        return self._base().merges_columns

    def _refuse(self, table: Table, row: int) -> NoReturn:
        self._base()._refuse(table, row)

    @reads
    def predict_mean(self, X: Any) -> np.ndarray:
        """The mean of the ranks, 1, 2, …, k, that all hypotheses give each row, by their votes: a real number."""
        scores, votes = self._polled(X, MEAN)
        return 1.0 + scores[:, -1] / votes

    @reads
    def vote_shares(self, X: Any) -> np.ndarray:
        """The share of the votes that each label gets from all hypotheses."""
        scores, votes = self._polled(X, SHARES)
        return scores / votes

    def _polled(self, X: Any, combine: int) -> tuple[np.ndarray, np.ndarray]:
        """The scores that the votes come to, and how many votes there are."""
        return self._polled_table(*self._rows_for_prediction(X), combine)

    def _polled_table(self, learner: RowLearner, table: Table, combine: int) -> tuple[np.ndarray, np.ndarray]:
        voters = self._voters(combine)
        scores = np.empty((table.n_rows, len(learner.labels)))
        self._predict_into(learner, table, scores=scores, scorer=voters)
        return scores, np.array(float(divisor(voters, learner.age)))

    @property
    @reads
    def thresholds_(self) -> np.ndarray:
        """The mean thresholds of all hypotheses."""
        thresholds = super().thresholds_
        if len(thresholds) < len(self._labels) - 1:
            raise AttributeError(f"this {type(self).__name__} has no thresholds_: every class has its own row of coef_")
        return thresholds

    @property
    @reads
    def intercept_(self) -> Any:
        """The mean constant of all hypotheses, for an estimator that has one; one a class for the multiclass perceptron."""
        if not hasattr(type(self._base()), "intercept_"):
            raise AttributeError(f"this {type(self).__name__} has no intercept_: its estimator has none")
        intercept = np.asarray(self._learned.hypothesis().intercept)
        return float(intercept) if intercept.ndim == 0 else intercept if len(intercept) else np.zeros(len(self._labels))

    @property
    def explain(self) -> NoReturn:
        """Not there: many hypotheses predict, and each would give its own reasons."""
        raise AttributeError(f"{type(self).__name__} combines many hypotheses and so has no explain")


def one_hypothesis(estimator: Any) -> bool:
    """Whether copies of an estimator can be combined."""
    return isinstance(estimator, OrdinalModel) and not isinstance(estimator, Aggregate)
