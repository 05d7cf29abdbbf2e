"""What a scorer does when a row that it moved along must be forgotten, as a kernel's support on a budget demands.

Such a scorer has one column a row of the support.
"""

from __future__ import annotations

from ._verbs import verb

__all__ = ["drop", "shrink", "spread", "weight"]


@verb
def drop(scorer, column):
    """Forget a column, in the present hypothesis and in the mean; thresholds stay."""


@verb
def weight(scorer, column):
    """Σ |w_column| over the directions of the scorer."""


@verb
def spread(scorer, column, X, own):
    """Σ w² · own - 2 w · (w·x) over the directions: w in this column, x the column's row, ``own`` its squared norm."""


@verb
def shrink(scorer, factor, age):
    """Multiply the present hypothesis, not what was summed up over ``age`` rows."""
