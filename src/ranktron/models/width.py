"""The largest number of columns of a model, from the memory that a column takes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..core.scorers.protocol import arrays_of

if TYPE_CHECKING:
    from .kinds.model import Model

MOST = 1 << 24  # columns, without ``--max-features``: as many as names hashed into 24 bits have
MEMORY = 1 << 31  # bytes of weights, without ``--max-features``
_PROBE = 256  # columns of a model that is made to be measured: more than ``Rater`` knows by second order
_SCALING = 48  # bytes a column: six numbers, see ``Moments``
_SUPPORT = 1000  # rows that a kernel model without a budget is taken to keep
_FEW = 1 << 20  # columns that fit any machine


def most_features(models: Iterable[Model]) -> int:
    """The number of columns that these models may have together."""
    return min(MOST, MEMORY // max(1, sum(map(_bytes_a_column, models))))


def check_memory(model: Model, n_columns: int) -> None:
    """Refuse columns whose weights this machine has no memory for: to fill them would end the process without a word."""
    if n_columns <= _FEW:
        return
    needed, there = n_columns * _bytes_a_column(model), _memory()
    if needed > there:
        raise ValueError(
            f"{n_columns:,} features need {needed >> 30:,} GB of weights, and this machine has {there >> 30:,} GB: "
            "hash them, or leave out columns that are always 0"
        )


def _bytes_a_column(model: Model) -> int:
    scaling, kernel_view = 0 if model.scale is None else _SCALING, model._assembled(_PROBE, 2).kernel_view
    if kernel_view is not None:
        return 8 * (kernel_view.budget or _SUPPORT) + scaling
    few, many = (_bytes_of(model, n_columns) for n_columns in (_PROBE, 2 * _PROBE))
    return (4 * few - many) // (2 * _PROBE) + scaling  # what grows with the square, models of second order limit themselves


def _bytes_of(model: Model, n_columns: int) -> int:
    return sum(one.array.nbytes for one in arrays_of(model._assembled(n_columns, 2).scorer) if one.has_columns)


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # the system does not say
        return int(np.iinfo(np.int64).max)
