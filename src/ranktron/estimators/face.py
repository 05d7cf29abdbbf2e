"""What all models are as scikit-learn estimators, of whatever kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from ..models.inputs import Table
from ..models.kinds.model import Model
from ..models.learners.learner import Learner


class Face(BaseEstimator):
    """Mixed into a model: tags, feature names, and scikit-learn's own exceptions and warnings."""

    _not_fitted = NotFittedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing == "zero"
        tags.target_tags.required = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return self._learner is not None

    def _check_columns(self, learner: Learner, X: Any, table: Table) -> None:
        if type(X) is np.ndarray and learner.features.names is None:
            Model._check_columns(self, learner, X, table)  # what scikit-learn says too, at once
        else:
            validate_data(self, X, skip_check_array=True, reset=False)
