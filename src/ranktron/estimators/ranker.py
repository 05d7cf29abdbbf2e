"""Models of lists as scikit-learn estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import column_or_1d

from ..core.checks import refuse_masked
from .classifier import check_columns, is_fitted, with_common_tags


class Ranking(BaseEstimator):
    """Mixed into a ranking model, with routing of ``qid``."""

    _not_fitted, _check_columns, __sklearn_is_fitted__ = NotFittedError, check_columns, is_fitted

    def __sklearn_tags__(self) -> Any:
        tags = with_common_tags(super().__sklearn_tags__(), self)
        tags.target_tags.positive_only = True
        return tags

    def score(self, X: Any, y: Any, qid: Any = None, sample_weight: None = None) -> float:
        """The mean of ``measure`` over the lists that have a relevant document; pipelines want ``sample_weight`` to be there."""
        if sample_weight is not None:
            raise ValueError("score takes every list as it is: leave sample_weight out")
        return super().score(X, y, qid)

    def _read_grades(self, y: Any) -> np.ndarray:
        if getattr(y, "ndim", 1) == 2:
            refuse_masked(y, "y")
            y = column_or_1d(y, warn=True)
        return super()._read_grades(y)
