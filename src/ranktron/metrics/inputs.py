"""Checks the arguments of a metric, and converts them to arrays of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.checks import refuse_masked
from ..core.measures import HIGHEST_GRADE, exponential


def numbers(values: Any, name: str, remedy: str = "") -> np.ndarray:
    """One finite number per row, as float64."""
    array = column(values, name)
    objects = array.tolist() if array.dtype.kind == "O" else []
    if array.dtype.kind not in "iufbO" or any(isinstance(one, str | bytes) for one in objects):
        raise ValueError(f"{name} should hold numbers, not {array.tolist()[0]!r:.60}{remedy}")
    try:
        array = np.ascontiguousarray(array, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} should hold one number per row: {error}{remedy}") from None
    if not np.isfinite(array).all():
        row = int(np.argmin(np.isfinite(array)))
        raise ValueError(f"{name} should hold finite numbers; row {row} is {'NaN' if math.isnan(array[row]) else 'infinite'}")
    return array


def column(values: Any, name: str) -> np.ndarray:
    """One value per row; a list that mixes types keeps them."""
    refuse_masked(values, name)
    array = np.asarray(values)
    if array.dtype.kind in "US" and isinstance(values, list | tuple) and not all(isinstance(one, str | bytes) for one in values):
        array = np.array(values, object)
    if array.ndim != 1:
        raise ValueError(f"{name} should hold one value per row, in one dimension; its shape is {array.shape}")
    if len(array) == 0:
        raise ValueError(f"{name} is empty; a metric needs at least one row")
    return array


def same_length(a: np.ndarray, a_name: str, b: np.ndarray, b_name: str) -> None:
    """Refuse columns of different lengths."""
    if len(a) != len(b):
        raise ValueError(f"{a_name} and {b_name} should both have one value per row; they have {len(a)} and {len(b)}")


def grades_of(y: Any) -> np.ndarray:
    """The grade of every document: 0 for an irrelevant one."""
    grades = numbers(y, "y")
    if grades.min() < 0:
        row = int(np.argmax(grades < 0))
        raise ValueError(f"y holds {grades[row]:g} in row {row}; a grade should be 0 (irrelevant) or more")
    return grades


def exponential_gains(grades: np.ndarray) -> np.ndarray:
    """2^grade - 1; refuses grades for which it overflows."""
    if grades.max() > HIGHEST_GRADE:
        row = int(np.argmax(grades))
        raise ValueError(f"y holds {grades[row]:g} in row {row}; exponential gains need grades up to {HIGHEST_GRADE}")
    return exponential(grades)


def highest_grade(highest: Any) -> float:
    """The highest grade of a scale, checked."""
    if isinstance(highest, bool | str) or not isinstance(highest, int | float | np.number) or not 0 < highest <= HIGHEST_GRADE:
        limits = f"above 0 and up to {HIGHEST_GRADE}"
        raise ValueError(f"highest should be the highest grade of the scale, {limits}, not {highest!r:.60}")
    return float(highest)


def choice(value: Any, name: str, *options: str) -> str:
    """One of the options of a parameter, checked."""
    if value not in options:
        raise ValueError(f"{name} should be {' or '.join(map(repr, options))}, not {value!r:.60}")
    return str(value)


def cutoff_of(k: Any) -> int:
    """The number of places that count, checked; 0 stands for all."""
    if k is None:
        return 0
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k should be a whole number of places, 1 or more, or None for all; not {k!r:.60}")
    return int(k)


def value_of_empty(empty: Any) -> float:
    """The value of a list without relevant documents, checked; NaN if it is left out."""
    if isinstance(empty, str) and empty == "skip":
        return math.nan
    if isinstance(empty, bool | str) or not isinstance(empty, int | float | np.number) or not 0 <= empty <= 1:
        raise ValueError(f"empty should be a number from 0 to 1, or 'skip', not {empty!r:.60}")
    return float(empty)


class Scale:
    """The rank, from 0, of every label; ``classes`` has all labels in ascending order.

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
