"""Mu-PRank: PRank with multiplicative updates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from ..core.decisions import FirstUnmet
from ..core.scorers.multiplicative import multiplicative
from ..models.inputs import Table, place, refuse_row, row_of
from ..models.kinds.ordinal import OrdinalModel
from ..models.learners.parts import Parts
from ..models.parameters import flag, positive
from .prank import MoveTheWrong


def theory_step(n_ranks: int, gamma: float) -> float:
    """Corollary 2's step for a known margin ``gamma``."""
    thresholds = max(n_ranks - 1, 1)
    if gamma >= thresholds:
        raise ValueError(f"gamma={gamma} should be below the number of thresholds, {thresholds}")
    return math.log((thresholds + gamma) / (thresholds - gamma)) / (2 * thresholds)


@dataclass(kw_only=True, eq=False, repr=False)
class MuPRank(OrdinalModel):
    """Mu-PRank (Crammer & Singer 2005, Figure 5): PRank's corrections, made by multiplying.

    For many features of which few matter: the loss grows with the logarithm of their number. All weights and thresholds are
    positive and add up to 1, unless ``signed``. A correct row costs O(nonzeros), a mistake O(d), for it moves every weight.

    A label that appears later doubles its neighbour's threshold.

    Examples
    --------
    >>> from ranktron import MuPRank
    >>> model = MuPRank(step=0.5, average=False).partial_fit([[1.0, -1.0], [-0.5, 1.0]], [2, 1], classes=[1, 2])
    >>> float(model.coef_.sum() + model.thresholds_.sum())
    1.0

    References
    ----------
    Crammer, K. & Singer, Y. (2005). Online ranking by projecting. Neural Computation 17(1).
    """

    step: Any = positive(
        0.1, or_word="theory", help='The learning rate η. ``"theory"`` is the one of Corollary 2 for the margin ``gamma``.'
    )
    gamma: float | None = positive(
        None, help='The margin that ``step="theory"`` assumes, below the number of thresholds. Other steps do not use it.'
    )
    signed: bool = flag(False, help="Learn weights and thresholds of either sign, as differences of two positive ones (EG±).")
    radius: float = positive(
        1.0,
        help="""
        The largest absolute value of a feature. Rows are divided by it, and a larger value is an error; ``coef_`` is for the rows
        as given.
        """,
    )

    merges_columns: ClassVar[bool] = True
    takes_kernels: ClassVar[bool] = False

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        scorer = multiplicative(n_features, n_ranks, self.average, self._step(n_ranks), float(self.radius), bool(self.signed))
        return Parts(scorer, MoveTheWrong(False), FirstUnmet())

    def _step(self, n_ranks: int) -> float:
        if self.step != "theory":
            return float(self.step)
        if self.gamma is None:
            raise ValueError('MuPRank: step="theory" needs gamma=, the margin that the data are assumed to have')
        return theory_step(n_ranks, self.gamma)

    def _refuse(self, table: Table, row: int) -> NoReturn:
        columns, values = row_of(table.rows, row)
        far = np.flatnonzero(np.isfinite(values) & (np.abs(values) > self.radius))
        if len(far) and np.isfinite(values).all():
            raise ValueError(
                f"{place(table, row, columns[far[0]])} is {values[far[0]]}, beyond radius={self.radius}: "
                "scale the rows, or pass the largest absolute value as radius="
            )
        refuse_row(table, row)
