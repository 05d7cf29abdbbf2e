"""ROMMA-PRank: the relaxed maximum margin step in place of the perceptron's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.decisions import FirstUnmet
from ..core.protocol import Example, Rule, learn, needs_update, update
from ..core.rows import squared_norm
from ..core.scorers.romma import MARGIN, ROMMA, SQUARE, measure_norm, romma, scale_down
from ..models.kinds.ordinal import OnceIsEnough
from ..models.learners.parts import Parts
from .noprank import solve_multipliers

MOST_TURNS = 100
# A row that needs a larger factor, apart from rounding, contradicts the past, and is skipped.
FARTHEST = 1e6


class RelaxedMaximumMargin(NamedTuple):
    """min ‖v‖² so that v·v' ≥ ‖v'‖² and y_r (w·x - b_r) ≥ 1 for every threshold r, where v = (w, b) and v' is the present one."""


@learn.on(ROMMA)
def learn_romma(scorer: ROMMA, rule: Rule, example: Example, prediction: int, age: int) -> int:
    scores, label, correction = example.scores, example.label, example.correction
    if not needs_update(rule, scores, prediction, label):
        return 0
    norm = squared_norm(example.X, example.i)
    if example.single and not math.isfinite(norm):
        return -1
    factor = relax(scores, label, norm, scorer.size[SQUARE], scorer.size[MARGIN], correction)
    if not factor <= FARTHEST:
        return 0
    scale_down(scorer, factor)
    update(scorer, example.X, example.i, correction, age)
    measure_norm(scorer)
    return 1


@inline
def relax(scores: np.ndarray, label: int, norm: float, square: Any, margin: float, correction: np.ndarray) -> Any:
    """The factor of v', and into ``correction`` what to add to it: v = factor · v' + Σ λ_r y_r (x, -e_r).

    For a given factor the λ are No-PRank's multipliers. What v·v' exceeds ‖v'‖² by is then piecewise linear in the factor and
    increasing: Newton's steps find its root, and where one would leave the interval that holds it, the interval is halved.
    """
    factor, low, high, active, pivot = 1.0, 0.0, math.inf, -1, 0.0
    if square == 0.0 or excess(scores, label, norm, square, margin, 0.0, correction) >= 0.0:
        excess(scores, label, norm, square, margin, 0.0, correction)
        return 0.0
    for _ in range(MOST_TURNS):
        if excess(scores, label, norm, square, margin, factor, correction) < 0.0:
            low = factor
        else:
            high = factor
        count, sides, total = 0, 0.0, 0.0
        for r in range(scores.shape[0] - 1):
            if correction[r] != 0.0:
                count += 1
                sides += margin if label > r else -margin
                total += scores[r]
        if count == active and total == pivot:
            break  # the factor solves the equations of the thresholds that still move
        active, pivot = count, total
        above = below = square * (1.0 + norm * count)
        for r in range(scores.shape[0] - 1):
            if correction[r] != 0.0:
                side = margin if label > r else -margin
                centred = scores[r] - total / count  # so that nothing large cancels where rows are long
                above -= side * scores[r] + norm * count * centred * (side - sides / count)
                below -= scores[r] * scores[r] + norm * count * centred * centred
        best = above / below if below > 0.0 else math.inf
        if not low <= best <= high or best == math.inf:
            best = 0.5 * (low + high) if high < math.inf else 2.0 * factor
            active = -1
        factor = best
    return factor


@inline
def excess(scores: np.ndarray, label: int, norm: float, square: Any, margin: float, factor: float, correction: np.ndarray) -> Any:
    """v·v' - ‖v'‖² for v with this factor; writes its multipliers."""
    thresholds = scores.shape[0] - 1
    for r in range(thresholds):
        side = 1.0 if label > r else -1.0
        correction[r] = side * margin - factor * scores[r]
    solve_multipliers(correction, label, norm)
    over = (factor - 1.0) * square
    for r in range(thresholds):
        over += correction[r] * scores[r]
    return over


@dataclass(kw_only=True, eq=False, repr=False)
class ROMMAPRank(OnceIsEnough):
    """ROMMA in place of the perceptron in PRank, as Harrington (2003, section 5) proposes: relaxed maximum margin steps.

    On a mistake the hypothesis becomes the smallest one that ranks the row with margin 1 and lies beyond the plane through the
    present one, which stands for all rows before: direction and thresholds together, solved exactly. The hypothesis only ever
    grows, so on noise each step counts for less: its last hypothesis is steadier than PRank's, its mean no better. A row that no
    such hypothesis can rank, such as the first one again with the opposite label, is passed over; so are most rows of features
    that are tiny beside 1, which is why features should be scaled.

    A sample weight is 0 or 1, for learning the row again would change nothing.

    Examples
    --------
    >>> from ranktron import ROMMAPRank
    >>> model = ROMMAPRank(average=False).partial_fit([[1.0, 1.0]], [1], classes=[1, 2, 3])
    >>> model.coef_, model.thresholds_
    (array([-0.4, -0.4]), array([0.2, 0.2]))

    References
    ----------
    Li, Y. & Long, P. M. (2002). The relaxed online maximum margin algorithm. Machine Learning 46.
    """

    merges_columns: ClassVar[bool] = True
    takes_kernels: ClassVar[bool] = False
    calibrates_every_row: ClassVar[bool] = True

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        return Parts(romma(n_features, n_ranks, self.average), RelaxedMaximumMargin(), FirstUnmet())
