"""Checks of input: limits on numbers read from a model file, and masked arrays.

Numbers of a model file are checked before any loop runs, because loops use some of them as indices. Masks are checked because
numpy's conversions drop a mask and keep the values under it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# The largest count: up to here floating-point numbers hold every integer exactly.
MOST_ROWS = 2**53

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


def mask_of(values: Any) -> np.ndarray | None:
    """Where a masked array is masked, or None if it is not masked anywhere, or is another kind of array."""
    if type(values) is np.ndarray or not isinstance(values, np.ndarray):
        return None
    mask = np.asarray(getattr(values, "mask", False))
    return np.broadcast_to(mask, values.shape) if mask.any() else None


def refuse_masked(values: Any, name: str) -> None:
    """Raise if a masked array has a masked value."""
    mask = mask_of(values)
    if mask is not None:
        raise ValueError(f"{name} has a masked value in {first_masked(mask)}; leave it out, or fill it with a value")


def first_masked(mask: np.ndarray) -> str:
    """Where the first masked value stands, in words."""
    places = [int(part[0]) for part in np.nonzero(mask)]
    return ", ".join(f"{what} {place}" for what, place in zip(("row", "column"), places)) or "its only place"
