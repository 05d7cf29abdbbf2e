"""MCP: ranks as classes without an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..core.decisions import Highest
from ..core.protocol import correct
from ..core.scorers.per_class import per_class
from ..models.kinds.ordinal import OrdinalModel
from ..models.kinds.row import class_scores
from ..models.learners.concurrency import reads
from ..models.learners.parts import Parts
from ..models.parameters import choice, flag


class PromoteAndDemote(NamedTuple):
    """Promote the label; demote the predicted class, or in equal shares all classes that scored no less than the label."""

    uniform: bool


@correct.on(PromoteAndDemote)
def correct_promote_and_demote(
    rule: PromoteAndDemote, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    errors = 0
    for r in range(scores.shape[0]):
        wrong = scores[r] >= scores[label] and r != label if rule.uniform else r == prediction
        correction[r] = -1.0 if wrong else 0.0
        errors += wrong
    for r in range(scores.shape[0]):
        correction[r] /= errors
    correction[label] = 1.0


@dataclass(kw_only=True, eq=False, repr=False)
class MulticlassPerceptron(OrdinalModel):
    """The multiclass perceptron (Crammer & Singer 2003), which the PRank paper compares with as MCP.

    One weight vector a class and no order among them: a baseline, and the better model where the grades are not on one line.

    ``coef_`` has the shape (k, d), and there are no ``thresholds_``.

    Examples
    --------
    >>> from ranktron import MulticlassPerceptron
    >>> model = MulticlassPerceptron(average=False).partial_fit([[1.0, 0.0], [0.0, 1.0]], [2, 3], classes=[1, 2, 3])
    >>> model.coef_
    array([[-1., -1.],
           [ 1.,  0.],
           [ 0.,  1.]])

    References
    ----------
    Crammer, K. & Singer, Y. (2003). Ultraconservative online algorithms for multiclass problems. JMLR 3.
    """

    update: str = choice(
        "max",
        "uniform",
        help="""
        Which classes are demoted on a mistake: the predicted one, or in equal shares every class that scored no less than the
        label.
        """,
    )
    fit_intercept: bool = flag(False, help="Whether each class has a constant too. It is ``intercept_``.")

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        scorer = per_class(n_features, n_ranks, self.average, self.fit_intercept)
        return Parts(scorer, PromoteAndDemote(self.update == "uniform"), Highest())

    @property
    @reads
    def intercept_(self) -> Any:
        """One constant per class; zeros without ``fit_intercept``."""
        intercept = np.asarray(self._learned.hypothesis().intercept)
        return intercept if len(intercept) else np.zeros(len(self._labels))

    @property
    def thresholds_(self) -> NoReturn:
        """None: every class has its own weights."""
        raise AttributeError("MulticlassPerceptron has no thresholds_: every class has its own row of coef_")

    @reads
    def project(self, X: Any) -> np.ndarray:
        """Σ_r (r - mean r) W_r·x, which is larger for rows with higher scores for higher classes."""
        scores = self._scores(X)
        ranks = np.arange(scores.shape[1])
        # Not a BLAS product, because its rounding depends on the number of rows.
        return np.einsum("ij,j->i", scores, ranks - ranks.mean())

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """The score of every class; for two classes, the second's lead."""
        return class_scores(*self._sums(X))
