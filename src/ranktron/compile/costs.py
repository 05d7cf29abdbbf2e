"""How long compiling takes: measured, and kept beside the compiled code for the next process.

Compiling pays once a loop has run interpreted for as long as compiling it takes: then no job takes more than twice the time
that it would have taken had its length been known in advance.
"""

from __future__ import annotations

import contextlib
import functools
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from .cache import CodeFiles, attempt

NUMBA = "numba"  # loading numba, which the first loop of a process waits for
# Seconds, until they are known.
ASSUMED = 3.0
_NAME = "ranktron.seconds"


class Costs:
    """The seconds that compiling took, by what was compiled."""

    def __init__(self, folder: Path | None) -> None:
        self._files = None if folder is None else CodeFiles(folder, "")
        self._known = self._kept()

    def of(self, name: str) -> float:
        """The seconds that compiling a loop will take in this process."""
        return self._known.get(name, ASSUMED) + (0.0 if NUMBA in sys.modules else self._known.get(NUMBA, ASSUMED / 2))

    @contextlib.contextmanager
    def measuring(self, name: str) -> Iterator[None]:
        """Measure and keep how long the block takes, unless it fails."""
        began = time.perf_counter()
        yield
        self._known |= {**self._kept(), name: round(time.perf_counter() - began, 3)}
        if self._files is not None and self._files.is_writable:
            lines = "".join(f"{seconds} {name}\n" for name, seconds in self._known.items())
            attempt("keeping what compiling costs", self._files.write, _NAME, lines.encode())

    def _kept(self) -> dict[str, float]:
        return ({} if self._files is None else attempt("reading what compiling costs", _read, self._files)) or {}


def _read(files: CodeFiles) -> dict[str, float]:
    lines = [line.split(" ", 1) for line in (files.read(_NAME) or b"").decode().splitlines()]
    return {name: float(seconds) for seconds, name in lines if 0.0 < float(seconds) < math.inf}


@functools.cache
def costs(folder: Path | None) -> Costs:
    """The costs that are kept in a folder."""
    return Costs(folder)
