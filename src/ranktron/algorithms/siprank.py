"""Si-PRank: PRank that moves a single threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.decisions import FirstUnmet
from ..core.protocol import correct
from ..core.scorers.thresholded import thresholded
from ..models.kinds.ordinal import OrdinalModel
from ..models.learners.parts import Parts


class MoveTheNearest(NamedTuple):
    """Move the threshold next to the projection on the side of the label."""


@correct.on(MoveTheNearest)
def correct_move_the_nearest(
    rule: MoveTheNearest, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    for r in range(scores.shape[0]):
        correction[r] = 0.0
    above = prediction > label
    r = prediction - 1 if above else prediction  # the update index of the paper's step 3
    correction[r] = -1.0 if above else 1.0
    correction[scores.shape[0] - 1] = correction[r]


@dataclass(kw_only=True, eq=False, repr=False)
class SiPRank(OrdinalModel):
    """Si-PRank (Crammer & Singer 2005, section 3): PRank that moves one threshold, and one x, on a mistake.

    Gentler than PRank when mistakes are many ranks wide; the number of rounds with a mistake is at most (R² + 1)/γ².
    It has no ``ties``, as :class:`PRank` has: the threshold that moves is never in doubt.

    Examples
    --------
    >>> from ranktron import SiPRank
    >>> model = SiPRank(average=False).partial_fit([[1.0], [2.0]], [1, 3], classes=[1, 2, 3])
    >>> model.coef_, model.thresholds_
    (array([1.]), array([-1.,  1.]))

    References
    ----------
    Crammer, K. & Singer, Y. (2005). Online ranking by projecting. Neural Computation 17(1).
    """

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        return Parts(thresholded(n_features, n_ranks, self.average), MoveTheNearest(), FirstUnmet())
