"""No-PRank: the smallest step that ranks the row with a margin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.decisions import FirstUnmet
from ..core.protocol import correct, depends_on_rank_only, needs_update
from ..core.scorers.thresholded import thresholded
from ..models.kinds.ordinal import OnceIsEnough
from ..models.learners.parts import Parts
from ..models.parameters import choice, positive

MARGINS = ("fixed", "loss", "distance")


class SmallestStep(NamedTuple):
    """min ½‖(w, b) - (w', b')‖² so that y_r (w·x - b_r) ≥ β_r for every threshold r."""

    beta: float
    margin: int  # a place in MARGINS
    on_margin: bool


@inline
def required(rule: SmallestStep, r: int, prediction: int, label: int) -> float:
    """β_r, the required margin at threshold ``r``."""
    if rule.margin == 1:
        return rule.beta * max(1, abs(label - prediction))
    if rule.margin == 2:
        return rule.beta * (label - r if label > r else r + 1 - label)
    return rule.beta


@needs_update.on(SmallestStep)
def needs_update_smallest_step(rule: SmallestStep, scores: np.ndarray, prediction: Any, label: Any) -> bool:
    if not rule.on_margin:
        return prediction != label
    for r in range(scores.shape[0] - 1):
        side = 1.0 if label > r else -1.0
        if side * scores[r] < required(rule, r, prediction, label):
            return True
    return False


@depends_on_rank_only.on(SmallestStep)
def depends_on_rank_only_smallest_step(rule: SmallestStep) -> bool:
    return not rule.on_margin


@correct.on(SmallestStep)
def correct_smallest_step(
    rule: SmallestStep, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    thresholds = scores.shape[0] - 1
    for r in range(thresholds):
        side = 1.0 if label > r else -1.0
        correction[r] = side * required(rule, r, prediction, label) - scores[r]  # y_r c_r
    solve_multipliers(correction, label, norm)


@inline
def solve_multipliers(correction: np.ndarray, label: int, norm: float) -> None:
    """Replace y_r c_r by y_r τ_r for every threshold, and write their sum into the last place."""
    thresholds = correction.shape[0] - 1
    push = solve_push(correction[:thresholds], label, norm)
    for r in range(thresholds):
        side = 1.0 if label > r else -1.0
        correction[r] = side * max(0.0, side * (correction[r] - norm * push))
    correction[thresholds] = push


@inline
def solve_push(wanted: np.ndarray, label: int, norm: float) -> float:
    """The S for which Σ y_r max(0, y_r (wanted_r - norm · S)) is S itself, where wanted_r = y_r c_r and y_r = ±1 by the label.

    The difference of the two sides is piecewise linear and strictly increasing in S, with a knee at every wanted_r / norm: halve
    the knees around its root until none is left between, then solve for S. O(k log k) where each side is in order, as it is but
    for margins that grow with the distance.
    """
    low, high = -math.inf, math.inf  # norm · S is above low and not above high
    between = wanted.shape[0]
    while between:
        knee = pick_between(wanted, low, high, between // 2)
        total = 0.0
        for r in range(wanted.shape[0]):
            beyond = wanted[r] - knee
            if (beyond > 0.0) == (label > r):
                total += beyond
        if knee < norm * total:
            low = knee
        else:
            high = knee
        between = 0
        for r in range(wanted.shape[0]):
            between += low < wanted[r] < high
    total, active = 0.0, 0
    for r in range(wanted.shape[0]):
        if (wanted[r] >= high) == (label > r):
            total += wanted[r]
            active += 1
    return total / (1.0 + norm * active)


@inline
def pick_between(wanted: np.ndarray, low: float, high: float, skip: int) -> float:
    """The number of ``wanted`` between ``low`` and ``high`` that follows the first ``skip`` ones."""
    found = math.nan
    for r in range(wanted.shape[0]):
        if low < wanted[r] < high:
            if skip == 0:
                found = wanted[r]
            skip -= 1
    return found


@dataclass(kw_only=True, eq=False, repr=False)
class NoPRank(OnceIsEnough):
    """No-PRank (Crammer & Singer 2005, Figure 3): the smallest change that gives the row its rank with a margin.

    Steps as large as the row needs, solved exactly: the first choice for features of different scales, and with
    ``trigger="margin"`` on standardised features the best of the family.

    A sample weight is 0 or 1, for learning the row again would change nothing.

    Examples
    --------
    >>> from ranktron import NoPRank
    >>> model = NoPRank(average=False).partial_fit([[1.0, 1.0]], [1], classes=[1, 2, 3])
    >>> model.coef_, model.thresholds_  # one third of ||x||² · 2 + ..., the least that puts both thresholds 1 above w·x
    (array([-0.4, -0.4]), array([0.2, 0.2]))

    References
    ----------
    Crammer, K. & Singer, Y. (2005). Online ranking by projecting. Neural Computation 17(1).
    """

    beta: float = positive(
        1.0, help="The margin β that a row should have. From zero it only scales the hypothesis; predictions do not depend on it."
    )
    margin: str = choice(
        *MARGINS,
        help="""
        The margin at each threshold: β everywhere, β |y - ŷ|, or β times the number of ranks to the threshold (the end of section
        4).
        """,
    )
    trigger: str = choice(
        "mistake", "margin", help="Learn on a wrong prediction (Figure 3), or whenever the margin is not met (Lemma 2)."
    )

    merges_columns: ClassVar[bool] = True

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        rule = SmallestStep(float(self.beta), MARGINS.index(self.margin), self.trigger == "margin")
        return Parts(thresholded(n_features, n_ranks, self.average), rule, FirstUnmet())
