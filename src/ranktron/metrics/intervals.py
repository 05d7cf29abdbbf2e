"""How well intervals of labels hold what they promise, and how wide they are for it.

Labels are numbers, or ``classes`` names all of them in ascending order, as for the other metrics of grades. Neither figure says
much without the other: the interval of all labels always covers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._inputs import column, numbers, same_length
from ._labels import Scale

_REMEDY = "; labels that are no numbers need classes=, all of them in ascending order"


def interval_coverage(y_true: Any, low: Any, high: Any, classes: Any = None) -> float:
    """The share of labels that are in their interval, its ends among it: what ``predict_interval`` was asked for, if all is well.

    >>> interval_coverage([1, 2, 5], [1, 3, 3], [2, 4, 5])
    0.6666666666666666
    """
    lowest, highest = _ends(low, high, classes)
    true = _places(y_true, "y_true", classes)
    same_length(true, "y_true", lowest, "low")
    return float(((lowest <= true) & (true <= highest)).mean())


def interval_width(low: Any, high: Any, classes: Any = None) -> float:
    """The mean distance of the two ends: 0 where every interval is one label.

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
        raise ValueError(f"low should not be above high; in row {row} it is: {_told(low, row)} and {_told(high, row)}")
    return lowest, highest


def _places(labels: Any, name: str, classes: Any) -> np.ndarray:
    """Where labels stand: as numbers, or in ranks of ``classes``."""
    if classes is None:
        return numbers(labels, name, _REMEDY)
    return Scale(classes).ranks(column(labels, name), name).astype(np.float64)


def _told(labels: Any, row: int) -> str:
    return f"{column(labels, 'labels').tolist()[row]!r:.60}"
