"""Interleaved timing: contenders take turns, so other load on the machine affects all of them, and only ratios are kept."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

SCHEDULE = Path("/proc/thread-self/schedstat")  # Linux: nanoseconds run, nanoseconds in line, time slices

Run = Callable[[], Any]
# Makes a fresh start, untimed, and returns what is to be timed.
Prepare = Callable[[], Run]


class Ratio(NamedTuple):
    """The median over the rounds, with the quartiles."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{figures(self.value)} ({figures(self.low)}–{figures(self.high)})"


class Contender(NamedTuple):
    """A function to time, and the number of rows that it processes."""

    prepare: Prepare
    rows: int


class Race:
    """Contenders that run in turns: each once untimed, then each once per round."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.contenders: dict[str, Contender] = {}
        self.results: dict[str, Any] = {}  # what the last run of each returned
        self._seconds: dict[str, list[float]] = {}  # a row

    def add(self, name: str, prepare: Prepare, rows: int = 1) -> None:
        """Add a contender; times are compared per row."""
        self.contenders[name] = Contender(prepare, rows)

    def run(self) -> Self:
        """Warm up, then time."""
        for name in self.contenders:
            self._time(name)
        self._seconds = {name: [] for name in self.contenders}
        for _ in range(self.rounds):
            gc.collect()
            for name, seconds in self._seconds.items():
                seconds.append(self._time(name))
        return self

    def _time(self, name: str) -> float:
        contender = self.contenders[name]
        self.results.pop(name, None)
        run = contender.prepare()
        seconds, self.results[name] = timed(run)
        return seconds / contender.rows

    def speed(self, name: str, reference: str) -> Ratio:
        """The speed relative to the reference."""
        return self.cost(reference, name)

    def cost(self, name: str, reference: str) -> Ratio:
        """The time relative to the reference."""
        return spread([own / other for own, other in zip(self._seconds[name], self._seconds[reference], strict=True)])


def timed(run: Run) -> tuple[float, Any]:
    """The seconds that ``run`` takes and its result; the garbage collector is off, as in ``timeit``."""
    gc.disable()
    try:
        waited, began = waiting(), time.perf_counter()
        result = run()
        seconds = time.perf_counter() - began
        return seconds - (waiting() - waited), result
    finally:
        gc.enable()


def waiting() -> float:
    """The seconds that this thread has waited for a core so far; 0 if the system does not report it."""
    try:
        return int(SCHEDULE.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def spread(ratios: list[float]) -> Ratio:
    """The median of the ratios with their quartiles."""
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Ratio(middle, low, high)


def figures(number: float) -> str:
    """Three significant figures.

    >>> figures(1234.5), figures(12.345), figures(0.012345)
    ('1,230', '12.3', '0.0123')
    """
    return f"{float(f'{number:.3g}'):,.0f}" if abs(number) >= 100 else f"{number:#.3g}".rstrip(".")
