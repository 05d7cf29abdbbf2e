"""The coverage and the width of intervals of labels.

Labels are numbers, or ``classes`` names all labels in ascending order, as for the other metrics of grades. Look at both metrics:
the interval of all labels always covers the true one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .inputs import column, numbers, same_length
from .scale import Scale

_REMEDY = "; labels that are not numbers need classes=, all labels in ascending order"


def interval_coverage(y_true: Any, low: Any, high: Any, classes: Any = None) -> float:
    """The share of labels in their interval, both ends included; ``predict_interval`` aims at the coverage that it is given.

    >>> interval_coverage([1, 2, 5], [1, 3, 3], [2, 4, 5])
    0.6666666666666666
    """
    lowest, highest = _ends(low, high, classes)
    true = _places(y_true, "y_true", classes)
    same_length(true, "y_true", lowest, "low")
    return float(((lowest <= true) & (true <= highest)).mean())


def interval_width(low: Any, high: Any, classes: Any = None) -> float:
    """The mean distance of the two ends: 0 if every interval is one label.

    >>> interval_width(["low", "mid"], ["high", "mid"], classes=["low", "mid", "high"])
    1.0
    """
    lowest, highest = _ends(low, high, classes)
    return math.fsum((highest - lowest).tolist()) / len(lowest)


def _ends(low: Any, high: Any, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    lowest, highest = _places(low, "low", classes), _places(high, "high", classes)
    same_length(lowest, "low", highest, "high")
    if (lowest > highest).any():
        row = int(np.argmax(lowest > highest))
        raise ValueError(f"low should not be above high; in row {row} low is {_shown(low, row)} and high is {_shown(high, row)}")
    return lowest, highest


def _places(labels: Any, name: str, classes: Any) -> np.ndarray:
    """The labels as numbers, or as ranks in ``classes``."""
    if classes is None:
        return numbers(labels, name, _REMEDY)
    return Scale(classes).ranks(column(labels, name), name).astype(np.float64)


def _shown(labels: Any, row: int) -> str:
    return f"{column(labels, 'labels').tolist()[row]!r:.60}"
