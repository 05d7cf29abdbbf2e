"""Predtron as a scikit-learn estimator, of the kind that its task needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_consistent_length

from .. import algorithms, tasks
from ..core.checks import refuse_masked
from .classifier import OrdinalClassifier, check_columns, is_fitted, with_common_tags
from .ranker import Ranking


class Classifying(OrdinalClassifier):
    """Mixed into a Predtron of labels."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not isinstance(self.task, tasks.Binary)
        return tags

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are labelled rightly; a rejected one is not."""
        refuse_masked(sample_weight, "sample_weight")
        predicted, (given, _) = self.predict(X), self._read_targets(y)
        check_consistent_length(predicted, given, sample_weight)
        return float(np.average(np.array(predicted == given, bool), weights=sample_weight))


class Targeting(BaseEstimator):
    """Mixed into a Predtron of label matrices, or of a user's own targets."""

    _not_fitted, _check_columns, __sklearn_is_fitted__ = NotFittedError, check_columns, is_fitted

    def __sklearn_tags__(self) -> Any:
        tags = with_common_tags(super().__sklearn_tags__(), self)
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = tags.target_tags.two_d_labels = not self._own_labels()
        if isinstance(self.task, tasks.Multilabel):
            tags.estimator_type = "classifier"
            tags.classifier_tags = ClassifierTags(multi_class=False, multi_label=True)
        return tags


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
