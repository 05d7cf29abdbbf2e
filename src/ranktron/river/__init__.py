"""The models as River estimators: those that rate are classifiers, a Predtron is one of labels or of sets.

This needs ``ranktron[river]``.

>>> from river import evaluate, metrics, preprocessing, stream
>>> from ranktron.data import synthetic
>>> from ranktron.river import PRank
>>> model = preprocessing.StandardScaler() | PRank()
>>> rated = stream.iter_array(*synthetic.linear(2_000, 5, seed=0))
>>> evaluate.progressive_val_score(rated, model, metrics.Accuracy())
Accuracy: 71.79%

``ranktron.river.metrics`` has the metrics of grades that River lacks: MAE, macro MAE, quadratic kappa, ranked probability score.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from river import base
from river.reco import base as reco

from .. import algorithms, collaborative, doors, models, tasks
from ..models import NotFitted
from ..models.learners.concurrency import reads
from ..tasks.classes import ClassTask
from . import metrics as metrics

__all__ = ["Predtron", "Recommender", "load", "metrics", *doors.RATERS]


class OrdinalClassifier:
    """Mixed into an ordinal model: labels not seen yet are inserted in their order, and before any label the answer is None."""

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: dict[Any, Any], **_: Any) -> Any:
        """The label of one example, or None before there is any."""
        try:
            return super().predict_one(x)  # type: ignore[misc]
        except NotFitted:
            return None

    @reads
    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, float]:
        """The share of each label: of the votes, or all of it the predicted one's, or equal if it rejects; empty at first."""
        try:
            if hasattr(self, "predict_proba"):
                return super().predict_proba_one(x)  # type: ignore[misc]
            predicted = self.predict_one(x)
            names = list(self._given_classes() or ()) if self._learner is None else self._labels.names  # type: ignore[attr-defined]
            return {label: float(label == predicted) if predicted in names else 1 / len(names) for label in names}
        except NotFitted:
            return {}


CLASSIFIERS = {
    name: type(name, (OrdinalClassifier, model, base.Classifier), {"__doc__": model.__doc__, "__module__": __name__})
    for name, model in doors.RATERS.items()
}
globals().update(CLASSIFIERS)


class Sorter(OrdinalClassifier):
    """Mixed into a Predtron of labels."""

    @property
    def _multiclass(self) -> bool:
        return not isinstance(self.task, tasks.Binary)  # type: ignore[attr-defined]

    def _given_classes(self) -> Any:
        """Two classes are False and True in River, unless ``classes`` says otherwise."""
        given = super()._given_classes()  # type: ignore[misc]
        return [False, True] if given is None and not self._multiclass else given


class Tagger:
    """Mixed into a Predtron of label matrices: a target is a mapping from labels to booleans, and so is a prediction."""

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"task": tasks.Multilabel()}

    @reads
    def predict_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, bool]:
        """Whether each label is in, or nothing before there is any."""
        try:
            predicted = super().predict_one(x)  # type: ignore[misc]
        except NotFitted:
            return {}
        return {label: bool(one) for label, one in zip(self.classes_.tolist(), predicted, strict=True)}  # type: ignore[attr-defined]

    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, dict[bool, float]]:
        """All of it the predicted one's, for a Predtron knows no probabilities."""
        return {label: {False: float(not one), True: float(one)} for label, one in self.predict_one(x).items()}


class Predtron(algorithms.Predtron):
    __doc__ = algorithms.Predtron.__doc__

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "task" and isinstance(value, tasks.Task) and not isinstance(value, ClassTask | tasks.Multilabel):
            raise ValueError(f"River has no kind of estimator for {value}: use ranktron.Predtron")
        super().__setattr__(name, value)


def _kind(mixin: type, name: str, kind: type) -> Any:
    own = {"__doc__": Predtron.__doc__, "__module__": __name__, "__qualname__": f"Predtron.{mixin.__name__}"}
    setattr(Predtron, mixin.__name__, type("Predtron", (mixin, Predtron, algorithms.Predtron.kinds[name], kind), own))
    return getattr(Predtron, mixin.__name__)


Predtron.kinds = {
    "classes": _kind(Sorter, "classes", base.Classifier),
    "targets": _kind(Tagger, "targets", base.MultiLabelClassifier),
}


class Recommender(collaborative.Recommender, reco.Ranker):
    __doc__ = collaborative.Recommender.__doc__

    def learn_one(self, user: Any, item: Any, y: Any, x: dict[Any, Any] | None = None) -> None:
        """Learn one rating; ``x``, what else is known, is not used."""
        super().learn_one(user, item, y)

    def predict_one(self, user: Any, item: Any, x: dict[Any, Any] | None = None) -> float:  # type: ignore[override]
        """The expected rating, which is what River's recommenders give; 0 before there is any."""
        return 0.0 if self._learner is None else self.predict_mean_one(user, item)


ESTIMATORS: dict[str, Any] = {**CLASSIFIERS, "Predtron": Predtron, "Recommender": Recommender}


def load(path: str | Path) -> Any:
    """The River estimator that ``save`` wrote to a file."""
    return models.load(path, ESTIMATORS)
