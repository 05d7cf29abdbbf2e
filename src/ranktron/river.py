"""The River face: every algorithm that rates as a River classifier. Needs ``pip install ranktron[river]``.

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

from pathlib import Path
from typing import Any

from river import base

from . import _river_metrics as metrics
from . import algorithms, models
from .models import NotFitted, OrdinalModel

__all__ = ["load", "metrics", *algorithms.ORDINAL]


class OrdinalClassifier:
    """Mixed into an ordinal model: labels not seen yet are inserted in their order, and before any label the answer is None."""

    @classmethod
    def of(cls, model: type[OrdinalModel]) -> type[OrdinalModel]:
        """The River classifier that wraps ``model``."""
        return type(model.__name__, (cls, model, base.Classifier), {"__doc__": model.__doc__, "__module__": __name__})

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: dict[Any, Any], **_: Any) -> Any:
        """The label of one example, or None before there is any."""
        try:
            return super().predict_one(x)  # type: ignore[misc]
        except NotFitted:
            return None

    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, float]:
        """The share of each label, all of it the predicted one's where nobody votes: for River's ensembles; empty at first."""
        try:
            if hasattr(self, "predict_proba"):
                return super().predict_proba_one(x)  # type: ignore[misc, no-any-return]
            told = self.predict_one(x)
            return {label: float(label == told) for label in self._labels.names}  # type: ignore[attr-defined]
        except NotFitted:
            return {}


CLASSIFIERS = {name: OrdinalClassifier.of(getattr(algorithms, name)) for name in algorithms.ORDINAL}
globals().update(CLASSIFIERS)


def load(path: str | Path) -> Any:
    """The River classifier that ``save`` wrote to a file."""
    return models.load(path, CLASSIFIERS)
