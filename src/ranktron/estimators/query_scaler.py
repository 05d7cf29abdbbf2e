"""Scaling within each list, as LETOR's own normalisation does it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import validate_data

from ..core.checks import refuse_masked
from ..core.list_scaling import METHODS, Block, How, scaled_blocks
from ..core.lists import lists_of
from ..core.rows import CSR


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

    looks_within_lists = True  # as Ranker does: a row depends on the others of its list

    def __init__(self, method: str = "minmax") -> None:
        self.method = method

    def fit(self, X: Any, y: Any = None, qid: Any = None) -> Self:
        """Take note of the features; nothing else is kept."""
        self._check_method()
        refuse_masked(X, "X")
        validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        return self

    def transform(self, X: Any, qid: Any = None) -> Any:
        """The rows, each scaled within its list; a sparse matrix stays one, where only features that a list has are stored."""
        self._check_method()
        refuse_masked(X, "X")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        lists, how = lists_of(qid, X.shape[0]), How(standard=self.method == "standard", ranked=False, anchored=False)
        rows = CSR(X.indptr, X.indices, X.data) if sparse.issparse(X) else np.ascontiguousarray(X)
        blocks = list(scaled_blocks(rows, X.shape[1], lists, np.arange(len(lists.bounds) - 1), how))
        scaled = _stacked(blocks, X)[np.argsort(np.concatenate([block.origin for block in blocks]))]
        return type(X)(scaled) if sparse.issparse(X) else scaled

    def fit_transform(self, X: Any, y: Any = None, qid: Any = None) -> Any:
        """The rows, each scaled within its list."""
        return self.fit(X).transform(X, qid)

    def _check_method(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"QueryScaler: method={self.method!r} should be 'minmax' or 'standard'")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.requires_fit = False
        return tags


def _stacked(blocks: list[Block], X: Any) -> Any:
    """The rows of all blocks, sparse if those of ``X`` are."""
    if not sparse.issparse(X):
        return np.concatenate([block.rows for block in blocks])
    parts = []
    for block in blocks:
        indptr, indices, values = block.rows
        count = indptr[-1]
        parts.append(sparse.csr_array((values[:count], indices[:count], indptr), shape=(len(block.origin), X.shape[1])))
    whole = sparse.vstack(parts, format="csr")
    whole.sort_indices()
    return whole
