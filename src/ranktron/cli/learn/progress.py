"""A progress line on stderr: the share done, the speed, the loss and the time left."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Self

from ...report.parts import clock
from ..shared.compiling import SPINNER
from ..shared.output import in_terminal

# Seconds before the line appears, so that it does not flicker for small files, and between two updates.
DELAY, PAUSE = 0.4, 0.1


class Progress:
    """Draws the line in a terminal, unless ``quiet``; ``rows`` and ``share`` are those that a resumed run starts with."""

    def __init__(self, quiet: bool = False, rows: int = 0, share: float | None = 0.0) -> None:
        self._rows, self._share = rows, share or 0.0
        self._is_shown = not quiet and in_terminal() and sys.stderr.isatty()
        self._began = self._next = time.perf_counter()
        self._next += DELAY
        self._turns = 0
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    @property
    def is_due(self) -> bool:
        """Whether the line should be updated."""
        return self._is_shown and time.perf_counter() >= self._next

    def update(self, share: float | None, rows: int, loss: float) -> None:
        """Draw the line for ``rows`` learned, which are a ``share`` of all."""
        now = time.perf_counter()
        seconds = max(now - self._began, 1e-9)
        self._next = now + PAUSE
        self._turns += 1
        rate = float(f"{(rows - self._rows) / seconds:.3g}")
        facts = f"{rows:,} rows  {rate:,.0f} rows/s  loss {loss:.4f}"
        columns = shutil.get_terminal_size().columns - 1
        left = None if share is None or share <= self._share else seconds * (1 - share) / (share - self._share)
        line = _line(share, facts, f"{clock(left)} left" if left is not None else clock(seconds), columns, self._turns)
        sys.stderr.write(f"\r\x1b[?25l\x1b[2K{line}")
        sys.stderr.flush()
        self._drawn = True

    def clear(self) -> None:
        """Delete the line."""
        if self._drawn:
            sys.stderr.write("\r\x1b[2K\x1b[?25h")
            sys.stderr.flush()
            self._drawn = False


def _line(share: float | None, facts: str, time_text: str, columns: int, turns: int) -> str:
    if share is None:
        return f"{SPINNER[turns % len(SPINNER)]} {facts}  {time_text}"[:columns]
    text = f" {share:>4.0%}  {facts}  {time_text}"
    width = min(columns - len(text), 30)
    return f"\x1b[36m{_bar(share, width)}\x1b[0m{text}" if width >= 5 else text.strip()[:columns]


def _bar(share: float, width: int) -> str:
    """A bar of that share, to half a character.

    >>> _bar(0.5, 5)
    '━━╸──'
    """
    halves = round(min(max(share, 0.0), 1.0) * 2 * width)
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(width, "─")
