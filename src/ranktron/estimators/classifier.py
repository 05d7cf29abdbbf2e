"""Models of labels as scikit-learn classifiers, and what all estimators share."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import column_or_1d, has_fit_parameter, validate_data

from ..core.checks import refuse_masked
from ..models.inputs import Table
from ..models.kinds.model import Model
from ..models.learners.learner import Learner
from ..tasks import Multilabel

ORDER_MATTERS = "a weight is that many presentations in a row, and an online learner depends on the order of its rows"
# scikit-learn's checks that shuffle weighted rows and expect the same model, with the reason why it is not.
EXPECTED_FAILED_CHECKS = {
    "check_sample_weight_equivalence_on_dense_data": ORDER_MATTERS,
    "check_sample_weight_equivalence_on_sparse_data": ORDER_MATTERS,
}

SHARES_ARE_NO_MODE = (
    "predict_proba gives shares of votes or probabilities, and the rule predicts their mean or median, not their mode"
)

VOTES_ARE_NO_MARGIN = (
    "predict_proba gives shares of the members' votes, and decision_function the margin of their mean hypothesis: two rows may be"
    " in one order by the one and in the other order by the other"
)
LISTS_ARE_WHOLE = "a row is scaled by the other rows of its list, so a part of a list is another list"

SETS_ARE_NO_LABELS = "it takes y for one label a row: it gives values other than 0 and 1, or classes that are such values"
# Checks that expect one label per row of a classifier of sets, whatever its tags say.
NOT_FOR_SETS = (
    "check_classifier_data_not_an_array",
    "check_classifier_not_supporting_multiclass",
    "check_classifiers_classes",
    "check_classifiers_one_label",
    "check_classifiers_one_label_sample_weights",
    "check_classifiers_regression_target",
    "check_classifiers_train",
    "check_estimators_dtypes",
    "check_estimators_partial_fit_n_features",
    "check_fit2d_1feature",
    "check_n_features_in_after_fitting",
    "check_sample_weights_not_an_array",
    "check_sample_weights_not_overwritten",
    "check_sample_weights_pandas_series",
    "check_sample_weights_shape",
)


def expected_failed_checks(model: Any) -> dict[str, str]:
    """The checks that do not apply to an estimator, and why: for ``check_estimator(model, expected_failed_checks=…)``."""
    failed = dict(EXPECTED_FAILED_CHECKS) if has_fit_parameter(model, "sample_weight") else {}
    if hasattr(model, "predict_proba"):
        failed["check_classifiers_train"] = SHARES_ARE_NO_MODE
    if getattr(model, "combine", None) == "bpm":
        failed["check_decision_proba_consistency"] = VOTES_ARE_NO_MARGIN
    if getattr(model, "looks_within_lists", False):
        failed["check_methods_subset_invariance"] = LISTS_ARE_WHOLE
    if isinstance(getattr(model, "task", None), Multilabel):
        failed |= dict.fromkeys(NOT_FOR_SETS, SETS_ARE_NO_LABELS)
    return failed


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


class OrdinalClassifier(ClassifierMixin, BaseEstimator):
    """Mixed into a model of labels."""

    _not_fitted, _check_columns, __sklearn_is_fitted__ = NotFittedError, check_columns, is_fitted

    def __sklearn_tags__(self) -> Any:
        tags = with_common_tags(super().__sklearn_tags__(), self)
        tags.classifier_tags.poor_score = True  # on labels that are in no order
        return tags

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are labelled rightly."""
        refuse_masked(y, "y")
        refuse_masked(sample_weight, "sample_weight")
        return float(super().score(X, y, sample_weight))

    def _read_targets(self, y: Any) -> tuple[np.ndarray, Any]:
        if getattr(y, "ndim", 1) == 2:
            refuse_masked(y, "y")
            y = column_or_1d(y, warn=True)
        return super()._read_targets(y)
