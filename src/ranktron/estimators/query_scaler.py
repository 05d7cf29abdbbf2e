"""Scaling within each list, as LETOR's own normalisation does it."""

from __future__ import annotations

import itertools
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import validate_data

from ..lists import lists_of

METHODS = ("minmax", "standard")
LARGE, SMALL = 1e150, 1e-150


class QueryScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Scale every feature within each list: to 0…1, or to mean 0 and deviation 1; one that is constant in a list becomes 0.

    What is learned are lists, and what a feature says is how a document compares with the others of its list. So nothing is kept
    from ``fit``, and ``transform`` needs ``qid``, the id of each row's list; without it all rows are one list. In a pipeline,
    scikit-learn's metadata routing brings it here.

    Parameters
    ----------
    method : {"minmax", "standard"}
        (x - min) / (max - min), or (x - mean) / deviation.

    Examples
    --------
    >>> from ranktron import QueryScaler
    >>> QueryScaler().fit_transform([[1.0, 5.0], [3.0, 5.0], [10.0, 0.0], [20.0, 1.0]], qid=[1, 1, 2, 2]).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]

    >>> import sklearn
    >>> from ranktron import ListNet
    >>> with sklearn.config_context(enable_metadata_routing=True):
    ...     ranker = sklearn.pipeline.make_pipeline(
    ...         QueryScaler().set_fit_request(qid=True).set_transform_request(qid=True),
    ...         ListNet().set_fit_request(qid=True).set_score_request(qid=True),
    ...     )
    ...     ranker = ranker.fit([[1.0, 5.0], [3.0, 5.0], [10.0, 0.0], [20.0, 1.0]], [0, 1, 0, 1], qid=[1, 1, 2, 2])
    ...     ranker.score([[100.0, 0.0], [200.0, 0.0]], [0, 1], qid=[3, 3])
    1.0
    """

    def __init__(self, method: str = "minmax") -> None:
        self.method = method

    def fit(self, X: Any, y: Any = None, qid: Any = None) -> Self:
        """Take note of the features; nothing else is kept."""
        self._check_method()
        validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        return self

    def transform(self, X: Any, qid: Any = None) -> Any:
        """The rows, each scaled within its list; a sparse matrix stays one, where only features that a list has are stored."""
        self._check_method()
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        lists = lists_of(qid, X.shape[0])
        rows = lists.order
        if sparse.issparse(X):
            return self._sparse(X, rows, lists.bounds)
        scaled = np.empty_like(X)
        scaled[rows] = self._scaled(X[rows] if len(lists.rows) else X, lists.bounds)
        return scaled

    def fit_transform(self, X: Any, y: Any = None, qid: Any = None) -> Any:
        """The rows, each scaled within its list."""
        return self.fit(X).transform(X, qid)

    def _scaled(self, X: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        starts, sizes = bounds[:-1], np.diff(bounds)

        def spread(per_list: np.ndarray) -> np.ndarray:
            return np.repeat(per_list, sizes, axis=0)

        low, high = np.minimum.reduceat(X, starts), np.maximum.reduceat(X, starts)
        top = np.maximum(np.abs(low), np.abs(high))
        if ((top > LARGE) | ((top < SMALL) & (top > 0.0))).any():  # squares and differences would not be finite, or vanish
            units = -np.frexp(top)[1]
            X, low, high = np.ldexp(X, spread(units)), np.ldexp(low, units), np.ldexp(high, units)
        if self.method == "minmax":
            centre, width = low, high - low
        else:
            centre = np.add.reduceat(X, starts) / sizes[:, None]
            width = np.sqrt(np.add.reduceat(np.square(X - spread(centre)), starts) / sizes[:, None])
        width[low == high] = np.inf
        scaled: np.ndarray = (X - spread(centre)) / spread(width)
        return scaled

    def _sparse(self, X: Any, rows: np.ndarray, bounds: np.ndarray) -> Any:
        """List by list, for a list has few of the features."""
        parts = []
        for start, stop in itertools.pairwise(bounds.tolist()):
            one = X[rows[start:stop]]
            columns = np.unique(one.indices)
            block = sparse.csr_array(self._scaled(one[:, columns].toarray(), np.array([0, stop - start])))
            parts.append(sparse.csr_array((block.data, columns[block.indices], block.indptr), shape=one.shape))
        return type(X)(sparse.vstack(parts, format="csr")[np.argsort(rows)])

    def _check_method(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"QueryScaler: method={self.method!r} should be 'minmax' or 'standard'")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.requires_fit = False
        return tags
