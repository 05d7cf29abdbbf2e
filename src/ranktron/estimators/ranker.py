"""What makes a model a scikit-learn estimator that ranks lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import column_or_1d, validate_data

from ..models.inputs import Table
from ..models.learner import Learner
from ..models.ranking import RankingModel


class Ranking(BaseEstimator):
    """Mixed into a ranking model: tags, feature names, routing of ``qid``, and scikit-learn's own exceptions and warnings."""

    _not_fitted = NotFittedError

    @classmethod
    def of(cls, model: type[RankingModel], module: str) -> type[RankingModel]:
        """The estimator that wraps ``model``."""
        return type(model.__name__, (cls, model), {"__doc__": model.__doc__, "__module__": module})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing == "zero"
        tags.target_tags.required = True
        tags.target_tags.positive_only = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return self._learner is not None

    def score(self, X: Any, y: Any, qid: Any = None, sample_weight: None = None) -> float:
        """The mean of ``measure`` over the lists that have a relevant document; pipelines want ``sample_weight`` to be there."""
        if sample_weight is not None:
            raise ValueError("score takes every list as it is: leave sample_weight out")
        return super().score(X, y, qid)  # type: ignore[no-any-return]

    def _check_columns(self, learner: Learner, X: Any, table: Table) -> None:
        if type(X) is np.ndarray and learner.features.names is None:
            super()._check_columns(learner, X, table)  # what scikit-learn says too, at once
        else:
            validate_data(self, X, skip_check_array=True, reset=False)

    def _read_grades(self, y: Any) -> np.ndarray:
        if getattr(y, "ndim", 1) == 2:
            y = column_or_1d(y, warn=True)
        return super()._read_grades(y)  # type: ignore[no-any-return]
