"""What each feature adds to a score: exact, for a score is a sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .inputs import Table, row_of
from .kinds.model import Model
from .learners.concurrency import reads


class Explained(Model):
    """Mixed into a model of one hypothesis."""

    @reads
    def explain(self, x: Any, other: Any = None) -> Any:
        """How much each feature adds to the projection that ``predict`` goes by, or why ``x`` is above ``other``.

        Of a mapping it tells a mapping from names, the largest share first; of a 1-D array an array; of rows one row a row.
        The shares of an example add up to its ``project``, and with ``other`` to the difference of both: compare with what is
        usual, such as the mean row, where features are far from 0. A constant that was learned is a share of its own: the last
        entry of an array, or ``"intercept_"`` in a mapping.
        """
        shares = self._shares(x)
        if other is None:
            return shares
        others = self._shares(other)
        if isinstance(shares, dict) != isinstance(others, dict):
            raise TypeError("explain compares two mappings, two arrays or two tables, not one with the other")
        if not isinstance(shares, dict):
            return shares - others
        return _largest_first({name: shares.get(name, 0.0) - others.get(name, 0.0) for name in {**shares, **others}})

    def _shares(self, x: Any) -> Any:
        weights, constant = self._weights(), self._constant()
        if isinstance(x, Mapping):
            return _largest_first({**self._by_name(x, weights), **constant})
        if np.ndim(x) == 1 and not hasattr(x, "tocsr"):
            return np.append(self._of_one(x, weights), list(constant.values()))
        _, table = self._rows_for_prediction(x)
        shares = np.stack([_share(table, row, weights) for row in range(table.n_rows)])
        return np.hstack([shares, *(np.full((table.n_rows, 1), share) for share in constant.values())])

    def _by_name(self, x: Mapping[Any, Any], weights: np.ndarray) -> dict[Any, float]:
        features = self._learned.features
        if features.hash_bits is not None:
            return {name: float(self._of_one({name: x[name]}, weights).sum()) for name in x}
        return dict(zip(features.names or (), self._of_one(x, weights).tolist()))

    def _constant(self) -> dict[Any, float]:
        """What is added to the projection of every row, by name, if the model has such a constant."""
        return {}

    def _of_one(self, x: Any, weights: np.ndarray) -> np.ndarray:
        return _share(self._learned.features.row(x, self.missing)[0], 0, weights)

    def _weights(self) -> np.ndarray:
        weights: np.ndarray = self.coef_
        if weights.ndim != 1:
            raise ValueError(f"explain tells of one direction, and {type(self).__name__} has one a class: look at coef_")
        return weights


def _share(table: Table, row: int, weights: np.ndarray) -> np.ndarray:
    columns, values = row_of(table.rows, row)
    shares: np.ndarray = np.zeros_like(weights)
    np.add.at(shares, columns, weights[columns] * values)
    return shares


def _largest_first(shares: dict[Any, float]) -> dict[Any, float]:
    return dict(sorted(((name, share) for name, share in shares.items() if share != 0.0), key=lambda one: -abs(one[1])))
