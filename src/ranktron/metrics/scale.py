"""Labels on a scale: all labels in ascending order, as the user named them."""

from __future__ import annotations

from typing import Any

import numpy as np


class Scale:
    """The rank, from 0, of every label.

    >>> Scale(["low", "mid", "high"]).rank("high", "y_true")
    2
    """

    def __init__(self, classes: Any) -> None:
        if isinstance(classes, str | bytes):
            raise ValueError(f"classes should be the labels in ascending order, not {classes!r:.60}")
        try:
            self._names = np.asarray(classes).tolist() if hasattr(classes, "dtype") else list(classes)
            self._ranks = {name: rank for rank, name in enumerate(self._names)}
        except TypeError:
            raise ValueError(f"classes should be the labels in ascending order, not {classes!r:.60}") from None
        if not len(self._ranks) == len(self._names) > 0:
            raise ValueError(f"classes should name every label once, in ascending order, not {classes!r:.60}")

    def __len__(self) -> int:
        return len(self._names)

    def rank(self, label: Any, name: str, where: str = "") -> int:
        """The rank of one label."""
        try:
            return self._ranks[label]
        except (KeyError, TypeError):
            raise ValueError(f"{name} holds {label!r:.60}{where}, which is not among classes {self._names!r:.60}") from None

    def ranks(self, labels: np.ndarray, name: str) -> np.ndarray:
        """The rank of every label."""
        try:
            return np.fromiter(map(self._ranks.__getitem__, labels.tolist()), np.int64, len(labels))
        except (KeyError, TypeError):
            return np.array([self.rank(label, name, f" in row {row}") for row, label in enumerate(labels.tolist())])


def check_label(label: Any, name: str, where: str = "") -> None:
    """Refuse a missing label, which would never be right."""
    if label is None or label != label:
        raise ValueError(f"{name} holds {label!r:.60}{where}, which is not a label")


def check_labels(labels: np.ndarray, name: str) -> None:
    """Refuse missing labels."""
    if labels.dtype.kind in "fcO":
        for row, label in enumerate(labels.tolist()):
            check_label(label, name, f" in row {row}")
