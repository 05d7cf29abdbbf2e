"""The shapes that the arrays of a model have, found without allocating arrays of these shapes.

Each array grows by a constant with every column, feature, label, stored row or hypothesis. So small models that differ in one of
these sizes show what the shapes are at any size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..core.kernel_rows import HELD
from ..core.scorers.protocol import arrays_of
from .features import Features
from .kinds.model import Model
from .learners.learner import Learner

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
    n_columns = n_features if learner.kernel_view else arrays[_first_with_columns(learner)].shape[-1]
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
    """A learner of these sizes."""
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


def _first_with_columns(learner: Learner) -> str:
    return next(one.name for one in arrays_of(learner.scorer) if one.has_columns)
