"""When a loop is compiled: once it has run interpreted for as long as compiling takes, or when that much work is known to come.

Then no job takes more than twice the time of the better of the two. What is compiled already is used from the first row on. The
results are the same bit for bit.
"""

from __future__ import annotations

import functools
import math
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .compiled_loop import IS_DISABLED, Compiled, numba_is_there, slow_runs
from .machine_code import NotPlain, flatten

# Seconds that a loop runs interpreted before it is compiled; None means as long as compiling takes. With 0 all loops are compiled
# at once, and with infinity they run interpreted, also those that are compiled already.
_given = "inf" if IS_DISABLED else os.environ.get("RANKTRON_PATIENCE")
PATIENCE: float | None = float(_given) if _given else None

# Rows that run interpreted at first, to see how long a row takes.
_FIRST = 16


def may_compile() -> bool:
    """Whether compiled code may run."""
    return PATIENCE is None or math.isfinite(PATIENCE)


class Loop:
    """A loop from one row to another, which its last two arguments say; it returns -1, or what it stopped for."""

    def __init__(self, loop: Callable[..., Any]) -> None:
        functools.update_wrapper(self, loop)
        self._loop = loop
        self.seconds: dict[Any, float] = {}  # that it has run interpreted, by the kind of its arguments

    def __call__(self, *args: Any) -> Any:
        """Run on ``args``."""
        return self.bind(args[:-2])(*args[-2:])

    def bind(self, args: tuple[Any, ...], last: int = 2, what: str = "") -> Callable[..., Any]:
        """What runs on ``args`` and on ``last`` numbers more; ``what`` names it while it is compiled."""
        full = (*args, *[0] * last)
        if not may_compile():
            return functools.partial(self.interpreted, *args)
        can_compile = numba_is_there()
        if (PATIENCE == 0.0 and can_compile) or self.compiled.is_ready(full):
            return self.compiled.bind(full, last, what)
        return _Patient(self, args, last, what) if can_compile else functools.partial(self.interpreted, *args)

    def interpreted(self, *args: Any) -> Any:
        """Run as Python."""
        slow_runs.count += 1
        with np.errstate(all="ignore"):  # compiled code is silent on overflow too
            return self._loop(*args)

    @functools.cached_property
    def compiled(self) -> Compiled:
        """The compiled loop."""
        return Compiled(f"{self._loop.__module__}.{self._loop.__name__}", lambda: self._loop)


class _Patient:
    """A loop on its arguments, interpreted until compiling it pays."""

    def __init__(self, loop: Loop, args: tuple[Any, ...], last: int, what: str) -> None:
        self._loop, self._full, self._last, self._what = loop, (*args, *[0] * last), last, what
        self._cost = loop.compiled.cost(self._full) if PATIENCE is None else PATIENCE
        try:
            self._kind: Any = flatten(self._full)[0]
        except NotPlain:
            self._kind = tuple(map(type, self._full))
        self._run: Callable[..., Any] = self._patiently

    def __call__(self, *numbers: Any) -> Any:
        return self._run(*numbers)

    def _patiently(self, *numbers: Any) -> Any:
        args, seconds = self._full[: len(self._full) - self._last], self._loop.seconds
        interpreted = functools.partial(self._loop.interpreted, *args)
        *others, start, stop = numbers or (0, 1)  # without numbers it runs in one piece
        rows, seconds_a_row = _FIRST, 0.0
        while not self._pays(seconds_a_row * (stop - start)):
            end, began = min(start + rows, stop), time.perf_counter()
            result = interpreted(*others, start, end) if numbers else interpreted()
            took = time.perf_counter() - began
            seconds[self._kind] = seconds.get(self._kind, 0.0) + took
            if result != -1 or end == stop:
                return result
            seconds_a_row, start, rows = took / (end - start), end, 2 * rows
        self._run = self._loop.compiled.bind(self._full, self._last, self._what)
        return self._run(*others, start, stop) if numbers else self._run()

    def _pays(self, seconds: float) -> bool:
        """Whether compiling pays if so many seconds of interpreting are to come; what is compiled meanwhile costs nothing."""
        return self._loop.compiled.has(self._kind) or self._loop.seconds.get(self._kind, 0.0) + seconds >= self._cost
