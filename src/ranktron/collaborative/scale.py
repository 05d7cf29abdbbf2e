"""What ratings are worth: labels on a scale that is four units wide, as that of one to five stars is."""

from __future__ import annotations

import numbers
from typing import NamedTuple

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
        """Numbers are worth what they are, other labels their rank from 1.

        >>> Scale.of(Labels(np.array([1, 2, 3]))).values, Scale.of(Labels(np.array(["bad", "good"]))).values
        (array([0., 2., 4.]), array([0., 4.]))
        """
        is_number = all(isinstance(name, numbers.Real) for name in labels.names)
        places = np.array(labels.names if is_number else range(1, len(labels) + 1), np.float64)
        unit = float(places.max() - places.min()) / WIDTH or 1.0
        return cls(float(places.min()), unit, (places - places.min()) / unit)

    def told(self, scores: np.ndarray) -> np.ndarray:
        """Scores as ratings, none of them outside of the scale."""
        ratings: np.ndarray = self.low + self.unit * np.clip(scores, 0.0, self.values.max())
        return ratings
