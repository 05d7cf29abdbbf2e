"""Masked arrays: numpy's conversions drop a mask and keep the values under it, so it has to be looked at before."""

from __future__ import annotations

from typing import Any

import numpy as np


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
