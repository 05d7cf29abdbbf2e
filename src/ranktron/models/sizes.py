"""The shapes of a model's arrays at any size, and the memory that a column takes, found without allocating large arrays.

Each array grows by a constant with every column, feature, label, stored row or hypothesis. So small models that differ in one of
these sizes show what the shapes are at any size.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.kernel_rows import HELD
from ..core.scorers.protocol import arrays_of
from .features import Features

if TYPE_CHECKING:
    from .kinds.model import Model
    from .learners.learner import Learner

MOST = 1 << 24  # columns, without ``--max-features``: as many as names hashed into 24 bits have
MEMORY = 1 << 31  # bytes of weights, without ``--max-features``
_PROBE = 256  # columns of a model that is made to be measured: more than ``Rater`` knows by second order
_SCALING = 48  # bytes a column: six numbers, see ``Moments``
_SUPPORT = 1000  # rows that a kernel model without a budget is taken to keep
_FEW = 1 << 20  # columns that fit any machine


# Memory


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


# Shapes

Shape = tuple[int, ...]


class Sizes(NamedTuple):
    """The sizes that determine the shapes."""

    columns: int
    features: int
    labels: int
    support: int  # in eights of rows
    hypotheses: int


def expected_shapes(
    model: Model, n_features: int, labels: Any, arrays: dict[str, np.ndarray]
) -> tuple[dict[str, tuple[Shape, np.dtype[Any]]], int]:
    """Shape and type of every array of a model by name, and how many columns its hypothesis has in the ``arrays`` of a file."""
    small = Sizes(model._few_columns(n_features), 1, 3, 1, 1)
    learner = _learner(model, small, labels)
    first_with_columns = next(one.name for one in arrays_of(learner.scorer) if one.has_columns)
    n_columns = n_features if learner.kernel_view else arrays[first_with_columns].shape[-1]
    if n_features > n_columns:
        raise ValueError(f"there are {n_features} features in {n_columns} columns")
    stored, hypotheses = (arrays[name].size if name in arrays else 0 for name in ("support.born", "survived"))
    wanted = Sizes(n_columns, n_features, 3 if labels is None else len(labels), stored // 8 or 1, hypotheses or 1)
    known = _arrays(learner)
    shapes = {name: array.shape for name, array in known.items()}
    # The difference between two small models is the step by which each array grows along an axis.
    for axis, at, size in zip(Sizes._fields, small, wanted):
        if size != at:
            larger = _arrays(_learner(model, small._replace(**{axis: at + 1}), labels))
            for name, shape in shapes.items():
                steps = (size - at) * (np.array(larger[name].shape, object) - np.array(known[name].shape, object))
                shapes[name] = tuple(int(length) for length in np.array(shape, object) + steps)
    return {name: (shapes[name], array.dtype) for name, array in known.items()}, n_columns


def _learner(model: Model, sizes: Sizes, labels: Any) -> Learner:
    learner = model._new_learner(sizes.columns, Features(sizes.features), labels and labels.alike(sizes.labels))
    learner.reserve(max(8 * sizes.support, sizes.hypotheses))
    arrays = learner.arrays()
    if "support.counts" in arrays:
        arrays["support.counts"][HELD] = 8 * sizes.support
    if "state" in arrays:
        from ..core.scorers.voted import KEPT  # which hardly any model needs

        arrays["state"][KEPT] = sizes.hypotheses
    return learner


def _arrays(learner: Learner) -> dict[str, np.ndarray]:
    return learner.tallies | learner.arrays()
