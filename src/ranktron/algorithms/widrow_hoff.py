"""Widrow-Hoff: online least squares on the rank itself."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.decisions import FirstUnmet
from ..core.protocol import correct, depends_on_rank_only, needs_update
from ..core.scorers.fixed_thresholds import fixed_thresholds
from ..models.kinds.ordinal import OrdinalModel
from ..models.learners.concurrency import reads
from ..models.learners.parts import Parts
from ..models.learners.row import RowLearner
from ..models.parameters import flag, positive

# The longest step, so that a run that diverges stays finite.
FARTHEST = 1e100


class LeastSquares(NamedTuple):
    """A step down the gradient of ½(y - w·x)², y = 1, 2, …, k, on every row."""

    step: float


@needs_update.on(LeastSquares)
def needs_update_least_squares(rule: LeastSquares, scores: np.ndarray, prediction: Any, label: Any) -> bool:
    return True


@depends_on_rank_only.on(LeastSquares)
def depends_on_rank_only_least_squares(rule: LeastSquares) -> bool:
    return False


@correct.on(LeastSquares)
def correct_least_squares(
    rule: LeastSquares, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    last = scores.shape[0] - 1
    step = rule.step * ((label + 1.0) - scores[last])
    correction[last] = max(-FARTHEST, min(FARTHEST, step))


@dataclass(kw_only=True, eq=False, repr=False)
class WidrowHoff(OrdinalModel):
    """Widrow & Hoff (1960), the regression that the PRank paper compares with as WH: the nearest rank to w·x, halves up.

    Quick at first and steady where the grades are evenly spaced. It diverges where step · ‖x‖² exceeds 2, and then warns.

    ``thresholds_`` are 1.5, 2.5, … in ranks from 1.

    Examples
    --------
    >>> from ranktron import WidrowHoff
    >>> model = WidrowHoff(step=0.5, average=False).partial_fit([[2.0], [1.0]], [2, 3], classes=[1, 2, 3])
    >>> model.coef_, model.thresholds_
    (array([2.5]), array([1.5, 2.5]))

    References
    ----------
    Widrow, B. & Hoff, M. E. (1960). Adaptive switching circuits. IRE WESCON Convention Record.
    """

    step: float = positive(
        0.1, help="The learning rate. A sample weight multiplies it. Lower it, or scale the features, where it diverges."
    )
    fit_intercept: bool = flag(False, help="Whether a constant is learned too. It is ``intercept_``.")

    sample_weights: ClassVar[str] = "steps"

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        scorer = fixed_thresholds(n_features, self.average, self.fit_intercept)
        return Parts(scorer, LeastSquares(float(self.step)), FirstUnmet())

    def _learn(self, learner: RowLearner, *rows: Any) -> None:
        super()._learn(learner, *rows)
        if abs(learner.last_projection) > math.sqrt(FARTHEST):
            warnings.warn("WidrowHoff diverges: lower step, or scale the features", RuntimeWarning, stacklevel=4)

    def _constant(self) -> dict[Any, float]:
        return {"intercept_": self.intercept_} if self.fit_intercept else {}

    @property
    @reads
    def intercept_(self) -> float:
        """The constant, 0 without ``fit_intercept``."""
        return float(self._learned.hypothesis().intercept)
