"""What makes a Predtron a scikit-learn estimator, of the kind that its task asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_consistent_length, validate_data

from .. import algorithms, tasks
from ..models.inputs import Table
from ..models.learner import Learner
from .classifier import OrdinalClassifier
from .ranker import Ranking


class Classifying(OrdinalClassifier):
    """Mixed into a Predtron of labels."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not isinstance(self.task, tasks.Binary)
        return tags

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are labelled rightly; a rejected one is not."""
        told, (given, _) = self.predict(X), self._read_targets(y)
        check_consistent_length(told, given, sample_weight)
        return float(np.average(np.array(told == given, bool), weights=sample_weight))


class Targeting(BaseEstimator):
    """Mixed into a Predtron of label matrices, or of a user's own targets."""

    _not_fitted = NotFittedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing == "zero"
        tags.target_tags.required = True
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = tags.target_tags.two_d_labels = not self._own_labels()
        if isinstance(self.task, tasks.Multilabel):
            tags.estimator_type = "classifier"
            tags.classifier_tags = ClassifierTags(multi_class=False, multi_label=True)
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return self._learner is not None

    def _check_columns(self, learner: Learner, X: Any, table: Table) -> None:
        validate_data(self, X, skip_check_array=True, reset=False)


class Predtron(BaseEstimator, algorithms.Predtron):
    __doc__ = algorithms.Predtron.__doc__


def _kind(mixin: type, name: str) -> type:
    """An estimator of a kind; it is called Predtron, and found as a part of it."""
    own = {"__doc__": Predtron.__doc__, "__module__": __name__, "__qualname__": f"Predtron.{mixin.__name__}"}
    kind = type("Predtron", (mixin, Predtron, algorithms.Predtron.kinds[name]), own)
    setattr(Predtron, mixin.__name__, kind)
    return kind


Predtron.kinds = {
    "classes": _kind(Classifying, "classes"),
    "targets": _kind(Targeting, "targets"),
    "lists": _kind(Ranking, "lists"),
}
