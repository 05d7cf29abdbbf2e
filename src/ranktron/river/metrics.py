"""The metrics of grades as River's: for its evaluation, and wherever else it takes a metric.

They are those of ``ranktron.metrics``, with weights, rolling windows and clones; but 0 where these are NaN, as in River.

>>> from river import evaluate, preprocessing, stream
>>> from ranktron.data import synthetic
>>> from ranktron.river import PRank, metrics
>>> rated = stream.iter_array(*synthetic.linear(2_000, 5, seed=0))
>>> model = preprocessing.StandardScaler() | PRank()
>>> evaluate.progressive_val_score(rated, model, metrics.MAE() + metrics.QuadraticKappa())
MAE: 0.295148
QuadraticKappa: 91.94%
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from river.metrics.base import ClassificationMetric

from ..metrics import streams

__all__ = ["MAE", "RPS", "MacroMAE", "QuadraticKappa"]


class Face:
    """Mixed into a metric of a stream: it shows itself as River's do."""

    _fmt = ",.6f"
    bigger_is_better = False
    __repr__ = ClassificationMetric.__repr__

    def get(self) -> float:
        """The value so far, or 0 if there is none."""
        value: float = super().get()  # type: ignore[misc]
        return 0.0 if math.isnan(value) else value


class MAE(Face, streams.MAE, ClassificationMetric):
    """The mean distance of predicted from true labels: numbers, or ``classes`` in ascending order, of which it counts steps."""


class MacroMAE(Face, streams.MacroMAE, ClassificationMetric):
    """The mean distance for each true label, averaged over the labels, so that rare ones count as much as common ones."""


class QuadraticKappa(Face, streams.QuadraticKappa, ClassificationMetric):
    """Cohen's kappa with squared distances: 1 for perfect predictions, 0 for those that say nothing."""

    _fmt = ".2%"
    bigger_is_better = True


class RPS(Face, streams.RPS, ClassificationMetric):
    """The ranked probability score: how far the probabilities of labels, ``classes`` in ascending order, are from the truth."""

    requires_labels = False

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"classes": [False, True]}
