"""What all models share as scikit-learn estimators: tags, feature names, and scikit-learn's own exceptions and warnings."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from ..models.inputs import Table
from ..models.kinds.model import Model
from ..models.learners.learner import Learner

__all__ = ["NotFittedError", "check_columns", "is_fitted", "with_common_tags"]


def with_common_tags(tags: Any, model: Any) -> Any:
    """The tags, with what holds for every model."""
    tags.input_tags.sparse = True
    tags.input_tags.allow_nan = model.missing == "zero"
    tags.target_tags.required = True
    return tags


def is_fitted(model: Any) -> bool:
    """Whether a model has learned anything."""
    return model._learner is not None


def check_columns(model: Any, learner: Learner, X: Any, table: Table) -> None:
    """Compare the columns of ``X`` with those that the model knows; names are compared by scikit-learn, which warns too."""
    if type(X) is np.ndarray and learner.features.names is None:
        Model._check_columns(model, learner, X, table)  # what scikit-learn says too, at once
    else:
        validate_data(model, X, skip_check_array=True, reset=False)
