"""Limits on numbers read from a model file. They are checked before any loop runs, because loops use some of them as indices."""

from __future__ import annotations

import numpy as np

MOST_ROWS = 2**53
"""The largest count: up to here floating-point numbers hold every integer exactly."""

SMALLEST_DOUBLE, LARGEST_DOUBLE = float(np.finfo(np.float64).tiny), float(np.finfo(np.float64).max)


def check_between(name: str, array: np.ndarray, low: float, high: float) -> None:
    """Raise ValueError unless ``low <= x <= high`` for every x of ``array``; NaN never is."""
    fits = (array >= low) & (array <= high)
    if not fits.all():
        found = array[~fits].ravel()[0].item()
        raise ValueError(f"{name} holds {found!r}; expected numbers from {low!r} to {high!r}")


def check_numbers(name: str, array: np.ndarray) -> None:
    """Raise ValueError unless ``array`` holds finite numbers or counts; random seeds may be any unsigned integers."""
    if array.dtype.kind == "f":
        check_between(name, array, -LARGEST_DOUBLE, LARGEST_DOUBLE)
    elif array.dtype.kind == "i":
        check_between(name, array, 0, MOST_ROWS)


def check_ascending(name: str, array: np.ndarray) -> None:
    """Raise ValueError unless each number along the last axis is at least the one before it."""
    if (np.diff(array, axis=-1) < 0.0).any():
        raise ValueError(f"{name} should be in ascending order")


def require(holds: bool, message: str) -> None:
    """Raise ValueError with ``message`` unless ``holds``."""
    if not holds:
        raise ValueError(message)
