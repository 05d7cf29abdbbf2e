"""Finished trials on disk, each in a file of its own, so that an interrupted run continues where it was."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ranktron.files import replacing

from ..experiment import Numbers

# A temporary file that was not written to for this many seconds was left behind by a killed process.
STALE_SECONDS = 60.0


class Trial(NamedTuple):
    """What one trial measured, and how long it took."""

    seed: int
    numbers: Numbers
    seconds: float


class TrialFolder:
    """A folder of finished trials."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, seed: int) -> Trial | None:
        """A trial, or None if its file is missing or incomplete."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads(self._path(seed).read_bytes())
            if found["seed"] == seed:
                return Trial(seed, validated(found["numbers"]), float(found["seconds"]))
        return None

    def write(self, trial: Trial) -> None:
        """Write a trial atomically. It is not flushed to the disk: after a power cut ``read`` may find it missing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(self._path(trial.seed), on_disk=False) as file:
            file.write(json.dumps(trial._asdict()).encode())

    def _path(self, seed: int) -> Path:
        return self.folder / f"{seed}.json"

    def delete_stale(self) -> None:
        """Delete the temporary files of killed runs."""
        for left in self.folder.glob(".*.json.*"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > STALE_SECONDS:
                    left.unlink()


def validated(numbers: Any) -> Numbers:
    """The numbers of a trial as floats and lists of floats; refuses everything else.

    >>> validated({"loss": np.float64(0.5), "curve": np.arange(2)})
    {'loss': 0.5, 'curve': [0.0, 1.0]}
    """
    if not isinstance(numbers, dict) or not numbers or not all(isinstance(name, str) for name in numbers):
        raise TypeError("a trial should return a dictionary of numbers by name")
    found: Numbers = {}
    for name, value in numbers.items():
        values = np.asarray(value, float)
        if values.ndim > 1 or not values.size:
            raise ValueError(f"{name} should be a number or a list of numbers, not an array of shape {values.shape}")
        found[name] = values.tolist()
    return found
