"""The contribution of each feature to a score: exact, because a score is a sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .inputs import Table, row_of


def explained(model: Any, x: Any, other: Any) -> Any:
    """The share of each feature in the projection of ``x``, or in how far it is above ``other``."""
    shares = _shares(model, x)
    if other is None:
        return shares
    others = _shares(model, other)
    if isinstance(shares, dict) != isinstance(others, dict):
        raise TypeError("explain compares two mappings, two arrays or two tables, not one with the other")
    if not isinstance(shares, dict):
        return shares - others
    return _largest_first({name: shares.get(name, 0.0) - others.get(name, 0.0) for name in {**shares, **others}})


def _shares(model: Any, x: Any) -> Any:
    weights, constant = model.coef_, model._constant()
    if weights.ndim != 1:
        raise ValueError(f"explain needs one direction, and {type(model).__name__} has one per class; see coef_")
    if isinstance(x, Mapping):
        return _largest_first({**_by_name(model, x, weights), **constant})
    if np.ndim(x) == 1 and not hasattr(x, "tocsr"):
        return np.append(_of_one(model, x, weights), list(constant.values()))
    _, table = model._rows_for_prediction(x)
    shares = np.stack([_share(table, row, weights) for row in range(table.n_rows)])
    return np.hstack([shares, *(np.full((table.n_rows, 1), share) for share in constant.values())])


def _by_name(model: Any, x: Mapping[Any, Any], weights: np.ndarray) -> dict[Any, float]:
    features = model._learned.features
    if features.hash_bits is not None:
        return {name: float(_of_one(model, {name: x[name]}, weights).sum()) for name in x}
    return dict(zip(features.names or (), _of_one(model, x, weights).tolist()))


def _of_one(model: Any, x: Any, weights: np.ndarray) -> np.ndarray:
    return _share(model._learned.features.row(x, model.missing)[0], 0, weights)


def _share(table: Table, row: int, weights: np.ndarray) -> np.ndarray:
    columns, values = row_of(table.rows, row)
    shares: np.ndarray = np.zeros_like(weights)
    np.add.at(shares, columns, weights[columns] * values)
    return shares


def _largest_first(shares: dict[Any, float]) -> dict[Any, float]:
    return dict(sorted(((name, share) for name, share in shares.items() if share != 0.0), key=lambda one: -abs(one[1])))
