"""Labels as numbers on a scale that is four units wide, like one to five stars."""

from __future__ import annotations

import itertools
import numbers
from typing import Any, NamedTuple

import numpy as np

from ..models.labels import Labels

WIDTH = 4.0


class Scale(NamedTuple):
    """From labels to what they are worth, and back."""

    low: float
    unit: float
    values: np.ndarray

    @classmethod
    def of(cls, labels: Labels) -> Scale:
        """Numbers that ascend are worth what they are, other labels their rank from 1.

        >>> Scale.of(Labels(np.array([1, 2, 3]))).values, Scale.of(Labels(np.array(["bad", "good"]))).values
        (array([0., 2., 4.]), array([0., 4.]))
        """
        places = np.array(labels.names if _ascend(labels.names) else range(1, len(labels) + 1), np.float64)
        unit = float(places[-1] - places[0]) / WIDTH or 1.0
        return cls(float(places[0]), unit, (places - places[0]) / unit)

    def in_labels(self, scores: np.ndarray) -> np.ndarray:
        """Scores as ratings, none of them outside of the scale."""
        return self.low + self.unit * np.clip(scores, 0.0, self.values[-1])

    def told_one(self, score: float) -> float:
        """The same for one score."""
        return self.low + self.unit * min(max(score, 0.0), float(self.values[-1]))


def _ascend(names: list[Any]) -> bool:
    return all(isinstance(name, numbers.Real) for name in names) and all(low < high for low, high in itertools.pairwise(names))
