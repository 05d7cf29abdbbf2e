"""Finished trials on disk, each in a file of its own, so that whatever ends a run the next one goes on from there."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files import replacing
from .experiment import Numbers

LEFT_BEHIND = 60.0
"""Seconds after which a file that is still being written belongs to a process that is no more."""


class Trial(NamedTuple):
    """What one trial measured, and how long it took."""

    seed: int
    numbers: Numbers
    seconds: float


class Kept:
    """The finished trials in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, seed: int) -> Trial | None:
        """A trial, or None if it is not there whole."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads(self._path(seed).read_bytes())
            if found["seed"] == seed:
                return Trial(seed, checked(found["numbers"]), float(found["seconds"]))
        return None

    def write(self, trial: Trial) -> None:
        """Keep a trial; who looks sees all of it or nothing, or after a power cut perhaps what ``read`` takes for nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(self._path(trial.seed), on_disk=False) as file:
            file.write(json.dumps(trial._asdict()).encode())

    def _path(self, seed: int) -> Path:
        return self.folder / f"{seed}.json"

    def clear_leftovers(self) -> None:
        """Delete what was being written when a run was killed."""
        for left in self.folder.glob(".*.json.*"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > LEFT_BEHIND:
                    left.unlink()


def checked(numbers: Any) -> Numbers:
    """The numbers of a trial as plain data: single ones and curves, by name.

    >>> checked({"loss": np.float64(0.5), "curve": np.arange(2)})
    {'loss': 0.5, 'curve': [0.0, 1.0]}
    """
    if not isinstance(numbers, dict) or not numbers or not all(isinstance(name, str) for name in numbers):
        raise TypeError("a trial should give numbers by their names")
    found: Numbers = {}
    for name, value in numbers.items():
        values = np.asarray(value, float)
        if values.ndim > 1 or not values.size:
            raise ValueError(f"{name} should be a number or a list of numbers, not an array of shape {values.shape}")
        found[name] = values.tolist()
    return found
