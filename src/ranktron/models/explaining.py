"""What each feature adds to a score: exact, for a score is a sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..moments import scaling_now
from .inputs import row_of
from .model import Model
from .row_learner import RowLearner


class Explained(Model):
    """Mixed into a model of one hypothesis."""

    def explain(self, x: Any, other: Any = None) -> Any:
        """How much each feature adds to the projection that ``predict`` goes by, or why ``x`` is above ``other``.

        Of a mapping it tells a mapping from names, the largest share first; of a 1-D array an array; of rows one row a row.
        The shares of an example add up to its ``project``, and with ``other`` to the difference of both. Where rows are scaled
        and centred, a share is counted from what is usual: a feature at its mean adds nothing.
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
        learner = self._learned
        weights, centre = self._weighing(learner)
        if isinstance(x, Mapping):
            if learner.features.hash_bits is not None:
                return _largest_first({name: self._of_one({name: x[name]}, weights, centre).sum() for name in x})
            return _largest_first(dict(zip(learner.features.names or (), self._of_one(x, weights, centre).tolist())))
        if np.ndim(x) == 1 and not hasattr(x, "tocsr"):
            return self._of_one(x, weights, centre)
        _, table = self._asked(x)
        shares = np.tile(-weights * centre, (table.n_rows, 1))
        for row in range(table.n_rows):
            columns, values = row_of(table.rows, row)
            np.add.at(shares[row], columns, weights[columns] * values)
        return shares

    def _of_one(self, x: Any, weights: np.ndarray, centre: np.ndarray) -> np.ndarray:
        table, _ = self._learned.features.row(x, self.missing)
        columns, values = row_of(table.rows, 0)
        shares: np.ndarray = -weights * centre
        np.add.at(shares, columns, weights[columns] * values)
        return shares

    def _weighing(self, learner: RowLearner | Any) -> tuple[np.ndarray, np.ndarray]:
        """What a unit of each feature adds, and from where it is counted."""
        weights: np.ndarray = self.coef_
        if weights.ndim != 1:
            raise ValueError(f"explain tells of one direction, and {type(self).__name__} has one a class: look at coef_")
        return weights, np.zeros_like(weights) if learner.moments is None else scaling_now(learner.moments)[0][: len(weights)]


def _largest_first(shares: dict[Any, float]) -> dict[Any, float]:
    told = {name: float(share) for name, share in shares.items() if share != 0.0}
    return dict(sorted(told.items(), key=lambda one: -abs(one[1])))
