"""PRank: the perceptron for ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.decisions import FirstUnmet
from ..core.protocol import correct
from ..core.scorers.thresholded import thresholded
from ..models.kinds.ordinal import OrdinalModel
from ..models.learners.parts import Parts
from ..models.parameters import choice


class MoveTheWrong(NamedTuple):
    """Move every threshold with the projection on its wrong side, and the direction once for each."""

    strict: bool


@correct.on(MoveTheWrong)
def correct_move_the_wrong(
    rule: MoveTheWrong, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    thresholds = scores.shape[0] - 1
    push = 0.0
    for r in range(thresholds):
        side = 1.0 if label > r else -1.0  # y_r in the paper
        wrong = (label > r) != (prediction > r) if rule.strict else side * scores[r] <= 0.0
        correction[r] = side if wrong else 0.0  # τ_r
        push += correction[r]
    correction[thresholds] = push


@dataclass(kw_only=True, eq=False, repr=False)
class PRank(OrdinalModel):
    """PRank (Crammer & Singer 2005, Figure 2): one direction and ordered thresholds, corrected on every wrong grade.

    A good first choice among the papers' algorithms: no step to tune, O(d) per row, and with ``average=True`` about as good as
    batch ordinal regression.

    Examples
    --------
    >>> from ranktron import PRank
    >>> X = [[1, 0], [2, 1], [3, 1], [4, 2]]
    >>> model = PRank(average=False, epochs=50).fit(X, ["bad", "fair", "good", "great"])
    >>> model.predict(X).tolist()
    ['bad', 'fair', 'good', 'great']
    >>> model.coef_, model.thresholds_
    (array([4., 1.]), array([ 8., 11., 17.]))

    References
    ----------
    Crammer, K. & Singer, Y. (2005). Online ranking by projecting. Neural Computation 17(1).
    """

    ties: str = choice(
        "paper",
        "strict",
        help="""
        Which thresholds move on a mistake if the projection lies exactly on a threshold, which counts as above it. ``"paper"``
        moves that threshold too, as in Figure 2; ``"strict"`` moves only the thresholds between label and prediction.
        """,
    )

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        return Parts(thresholded(n_features, n_ranks, self.average), MoveTheWrong(self.ties == "strict"), FirstUnmet())
