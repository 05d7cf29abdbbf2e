"""When a loop is compiled: it runs interpreted until it has done enough work to repay the compiler, and compiled from then on.

Both give the same result bit for bit.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from .compiled_loop import IS_DISABLED, Compiled

# Rows that a loop runs interpreted with one kind of scorer, rule and rows: then compiling it has repaid itself.
PATIENCE = math.inf if IS_DISABLED else int(os.environ.get("RANKTRON_PATIENCE", "50_000"))

# If the loop is in the cache it need not be compiled, but loading llvmlite still costs as much as this share of those rows.
SHARE_TO_LOAD = 1 / 50


class Loop:
    """A loop that starts out interpreted and is compiled once its work repays the compiler."""

    def __init__(self, loop: Callable[..., Any]) -> None:
        functools.update_wrapper(self, loop)
        self._loop = loop
        self._rows: dict[tuple[type, ...], float] = {}
        self._missing: set[tuple[type, ...]] = set()

    def __call__(self, rows: int, *args: Any) -> Any:
        """Run on ``args``, which stand for that many ``rows``."""
        return (self.compiled_if_worth(rows, *args) or self.interpreted)(*args)

    def compiled_if_worth(self, rows: int, *args: Any) -> Compiled | None:
        """The compiled loop if it pays for arguments of this kind, of which ``rows`` more are to come."""
        kind, done = self._counted(rows, args)
        if done > PATIENCE:
            return self.compiled
        if done > patience_to_load() and kind not in self._missing:
            if self.compiled.is_cached(args):
                return self.compiled
            self._missing.add(kind)  # looking it up takes as long as some rows, so that is done once
        return None

    def entry_point_for(self, rows: int, *args: Any) -> Callable[..., Any] | None:
        """The compiled loop for arguments of exactly these types, if it pays: a call skips numba's look-up of 2 µs."""
        _, done = self._counted(rows, args)
        return self.compiled.entry_point_for(args) if done > PATIENCE else None

    def _counted(self, rows: int, args: tuple[Any, ...]) -> tuple[tuple[type, ...], float]:
        """What kind of arguments these are, and how many rows there were of it."""
        kind = (type(args[0]), type(args[1]), type(args[2]), type(args[3]))
        done = self._rows[kind] = self._rows.get(kind, 0) + rows
        return kind, done

    def interpreted(self, *args: Any) -> Any:
        """Run as Python."""
        with np.errstate(all="ignore"):  # compiled code is silent on overflow too
            return self._loop(*args)

    @functools.cached_property
    def compiled(self) -> Compiled:
        """The compiled loop."""
        return Compiled(f"{self._loop.__module__}.{self._loop.__name__}", lambda: self._loop)


def patience_to_load() -> float:
    """Rows that a loop runs interpreted although it is in the cache."""
    return PATIENCE * SHARE_TO_LOAD
