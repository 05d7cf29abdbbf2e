"""What a scorer does when a row is removed from a kernel's support, because the budget is spent.

Such a scorer has one column per row of the support. The defaults are for one direction w with its lag.
"""

from __future__ import annotations

import numpy as np

from ..compile.generic import generic, inline
from .protocol import Scorer
from .rows import AnyRows, dot


@generic
def drop_column(scorer: Scorer, column: int) -> None:
    """Forget a column, in the present hypothesis and in the mean; thresholds stay."""
    scorer.w[column] = 0.0
    if scorer.lag.shape[0]:
        scorer.lag[column] = 0.0


@generic
def column_weight(scorer: Scorer, column: int) -> float:
    """Σ |w_column| over the directions of the scorer."""
    return abs(scorer.w[column])


@generic
def removal_cost(scorer: Scorer, column: int, X: AnyRows, own: float) -> float:
    """Σ w² · own - 2 w · (w·x) over the directions: w in this column, x the column's row, ``own`` its squared norm."""
    return direction_removal_cost(scorer.w, column, X, own)


@generic
def shrink(scorer: Scorer, factor: float, age: float) -> None:
    """Multiply the present hypothesis, but not the sum over the ``age`` rows so far."""


@inline
def direction_removal_cost(w: np.ndarray, column: int, X: AnyRows, own: float) -> float:
    """w² · own - 2 w · (w·x) for the weight in a column."""
    return w[column] * w[column] * own - 2.0 * w[column] * dot(X, 0, w)


@inline
def multiply(w: np.ndarray, lag: np.ndarray, factor: float, age: float) -> None:
    """Multiply weights, and change their lag so that the sum over time stays as it is."""
    for j in range(w.shape[0]):
        if lag.shape[0]:
            lag[j] -= (age - age * factor) * w[j]
        w[j] *= factor
