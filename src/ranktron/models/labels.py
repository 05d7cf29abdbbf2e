"""Ordered labels, and the ranks 0, 1, … that the core knows them by."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

_WIDEST_TABLE = 1 << 16


class Labels:
    """Labels in ascending order.

    >>> Labels(np.array(["low", "mid", "high"])).encode(np.array(["high", "low"]))
    array([2, 0])
    """

    def __init__(self, values: np.ndarray, closed: bool = True) -> None:
        self.values = values
        self.closed = closed  # whether a label that is not here is an error
        self.names: list[Any] = values.tolist()
        self.rank_of = {name: rank for rank, name in enumerate(self.names)}
        # Of consecutive whole numbers the rank is a difference.
        self._lowest = self.names[0] if values.dtype.kind in "iu" and len(values) else None
        if self._lowest is not None and self.names != list(range(self._lowest, self._lowest + len(self.names))):
            self._lowest = None
        if len(self.rank_of) < len(self.names):
            raise ValueError(f"classes {short(self.names)} name a label twice")

    def __len__(self) -> int:
        return len(self.names)

    def alike(self, count: int) -> Labels:
        """Other labels, of which there are ``count``."""
        return Labels(np.arange(count))

    def encode(self, y: np.ndarray) -> np.ndarray:
        """The rank of every label in ``y``."""
        if self._lowest is not None and y.dtype.kind in "iu" and y.dtype != np.uint64:
            ranks = (
                np.asarray(y, np.int64) if self._lowest == 0 else np.subtract(y, self._lowest, dtype=np.int64, casting="unsafe")
            )
            if ranks.view(np.uint64).max(initial=0) < len(self.names):  # a negative one is huge when unsigned
                return np.ascontiguousarray(ranks)
        if self.values.dtype.kind == "O" or y.dtype.kind == "O" or (self.values.dtype.kind == "U") != (y.dtype.kind == "U"):
            ranks = np.fromiter((self._rank(label) for label in y.tolist()), np.int64, len(y))
        else:
            order = np.argsort(self.values)
            place = np.minimum(np.searchsorted(self.values, y, sorter=order), len(self) - 1)
            ranks = np.where(self.values[order[place]] == y, order[place], -1)
        if ranks.min() < 0:
            row = int(np.argmax(ranks < 0))
            self.refuse(y.tolist()[row], f" in row {row}")
        return np.ascontiguousarray(ranks)

    def _rank(self, label: Any) -> int:
        try:
            return self.rank_of.get(label, -1)
        except TypeError:
            refuse_label(label)

    def decode(self, ranks: np.ndarray) -> np.ndarray:
        """The labels of ``ranks``."""
        return self.values[ranks]

    def refuse(self, label: Any, where: str = "") -> None:
        """Raise for a label that is not among these."""
        raise ValueError(
            f"label {short(label)}{where} is not among classes {short(self.names)}; pass classes= to the first partial_fit"
        )

    def check_given(self, classes: Any) -> None:
        """Raise ValueError if ``classes``, as a user gives them to a later call, are others."""
        if given_labels(classes).names != self.names:
            raise ValueError(f"classes={short(list(classes))} differ from {short(self.names)}, which the model learned with")

    def place_of(self, label: Any) -> int:
        """The rank at which a new label is inserted."""
        try:
            return bisect.bisect(self.names, label)
        except TypeError:
            raise ValueError(f"label {short(label)} cannot be ordered among classes {short(self.names)}; give classes=") from None

    def with_label(self, label: Any) -> Labels:
        """These labels and one more."""
        names = list(self.names)
        names.insert(self.place_of(label), label)
        return Labels(as_labels(names), self.closed)


def as_labels(given: Iterable[Any]) -> np.ndarray:
    """An array of labels as numpy would have it, but mixed types stay what they are."""
    array = given if isinstance(given, np.ndarray) else np.asarray(kept := list(given))
    if array.dtype.kind == "U" and not isinstance(given, np.ndarray) and not all(isinstance(one, str) for one in kept):
        array = np.empty(len(kept), object)
        array[:] = kept
    if array.ndim != 1:
        raise ValueError(f"labels should be one per row, got an array of shape {array.shape}")
    return array


def given_labels(classes: Any) -> Labels:
    """The labels that a user gives as ``classes``."""
    try:
        labels = Labels(as_labels(classes))
        for name in labels.names:
            check_label(name)
    except (TypeError, ValueError) as error:
        raise ValueError(f"classes should be labels in ascending order, not {short(classes)}: {error}") from None
    if len(labels) < 2:
        raise ValueError(f"classes should be at least two labels in ascending order, not {short(classes)}")
    return labels


def own_order(y: Any) -> list[Any] | None:
    """The order that ordered categories of pandas or an Enum of polars bring."""
    categories = getattr(y, "cat", y)
    if getattr(categories, "ordered", False) is True:
        return list(categories.categories)
    dtype: Any = getattr(y, "dtype", None)
    return list(dtype.categories) if type(dtype).__name__ == "Enum" else None


def refuse_label(label: Any) -> NoReturn:
    """Raise for a label that has no place in any order."""
    raise ValueError(f"label {short(label)} is not a grade: a label should be a number, a string or another plain value")


def check_label(label: Any) -> None:
    """Refuse a label that has no place in any order: missing, infinite, or no plain value."""
    try:
        hash(label)
        if label is None or label != label or label in (math.inf, -math.inf) or isinstance(label, complex):
            refuse_label(label)
    except TypeError:
        refuse_label(label)


def short(value: Any) -> str:
    """A value in at most 60 characters, for a message."""
    return cut(repr(value), 60)


def cut(text: str, most: int) -> str:
    """A text in one line of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def check_targets(y: np.ndarray) -> None:
    """Refuse labels that are not grades: numbers that are missing, infinite, complex or continuous."""
    if y.dtype.kind in "cO":
        for row, label in enumerate(y.tolist()):
            if label is None or label != label or isinstance(label, complex):
                raise ValueError(f"Input y contains {short(label)} in row {row}, which is not a grade")
    if y.dtype.kind == "f":
        if np.isnan(y).any():
            raise ValueError(f"Input y contains NaN in row {int(np.argmax(np.isnan(y)))}")
        if np.isinf(y).any():
            raise ValueError("Input y contains infinity or a value too large for dtype('float64').")
        if (y != np.round(y)).any():
            row = int(np.argmax(y != np.round(y)))
            raise ValueError(
                f"Unknown label type: continuous. Label {y[row]} in row {row} is not a whole number; "
                "pass classes= if it is a grade"
            )


def distinct(y: np.ndarray) -> np.ndarray:
    """The labels that occur, sorted; whole numbers in a small range need no sort."""
    if y.dtype.kind in "iu" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low < _WIDEST_TABLE:
            return (np.flatnonzero(np.bincount(np.subtract(y, low, dtype=np.int64, casting="unsafe"))) + low).astype(y.dtype)
    try:
        return np.unique(y)
    except TypeError:
        raise ValueError("labels of mixed types have no order of their own; pass classes= in ascending order") from None
