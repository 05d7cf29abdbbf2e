"""AROW-PRank: a second-order PRank, whose steps are as long as the weights are uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.decisions import FirstUnmet
from ..core.protocol import depends_on_rank_only, needs_update
from ..core.scorers.gaussian import gain, gaussian_belief
from ..models.kinds.ordinal import OrdinalModel
from ..models.learners.parts import Parts
from ..models.parameters import flag, positive

# The distance between thresholds at the start; equal thresholds would have to be separated first.
GAP = 2.0


class Regularised(NamedTuple):
    """min KL(belief, present belief) + (the squared hinge loss + the variance of the score) / 2r, at one threshold."""

    r: float


@gain.on(Regularised)
def gain_regularised(rule: Regularised, score: float, is_above: bool, variance: float, scale: float) -> tuple[float, float]:
    side = 1.0 if is_above else -1.0  # y_r in PRank
    hinge = 1.0 - side * score
    beta = 1.0 / (variance + rule.r) if hinge > 0.0 else 0.0
    return beta, side * hinge * beta


@needs_update.on(Regularised)
def needs_update_regularised(rule: Regularised, scores: np.ndarray, prediction: Any, label: Any) -> bool:
    short = 0  # thresholds that are not 1 away, on the right side
    for r in range(scores.shape[0] - 1):
        short += (scores[r] if label > r else -scores[r]) < 1.0
    return short > 0


@depends_on_rank_only.on(Regularised)
def depends_on_rank_only_regularised(rule: Regularised) -> bool:
    return False


@dataclass(kw_only=True, eq=False, repr=False)
class AROWPRank(OrdinalModel):
    """AROW (Crammer, Kulesza & Dredze 2009) at every threshold of PRank: steps as long as the belief in each weight is wide.

    It keeps a covariance of all weights and thresholds, so correlated features and features of different scales do not slow it
    down, and each row takes O(k d²) instead of O(k + d). A row moves the thresholds that it is nearer to than 1, or on the wrong
    side of, one after the other. Where probabilities are wanted, :class:`OrdinalLogit` learns as fast.

    Memory, and a model file, holds (d + k - 1)² numbers.

    Examples
    --------
    >>> from ranktron import AROWPRank
    >>> from ranktron.data import synthetic
    >>> X, y = synthetic.crammer_singer(2_000, seed=1)
    >>> model = AROWPRank().partial_fit(X, y)
    >>> model.coef_.shape, model.thresholds_.shape
    ((6,), (4,))

    References
    ----------
    Crammer, K., Kulesza, A. & Dredze, M. (2009). Adaptive regularization of weight vectors. NIPS 22.
    """

    r: float = positive(
        1.0, help="How much a row that contradicts the belief is distrusted: the larger it is, the shorter are the steps."
    )
    prior: float = positive(
        10.0, help="The variance of every weight and threshold before the first row. Scale the features: it is in their units."
    )
    average: bool = flag(
        False,
        help="""
        Predict with the mean of the hypotheses held after each row, or with the last one. Here the last one is the better one.
        """,
    )

    takes_kernels: ClassVar[bool] = False
    calibrates_every_row: ClassVar[bool] = True
    forgets: ClassVar[bool] = True

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        scorer = gaussian_belief(n_features, n_ranks, self.average, float(self.prior), GAP, kept(self))
        return Parts(scorer, Regularised(float(self.r)), FirstUnmet())


def kept(model: OrdinalModel) -> float:
    """The share of the past that remains after a row, in a second-order model."""
    return 1.0 - float(model.forget or 0.0)
