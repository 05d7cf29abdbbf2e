"""Ctrl-C and SIGTERM: the current step is finished first."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any, Self, TypeVar

Item = TypeVar("Item")


class Stopped(BaseException):
    """Raised where a run can stop after a signal."""


class Stopper:
    """Handles signals: the first takes effect at ``check``, or at once while ``waiting``; a second always at once."""

    def __init__(self) -> None:
        self._is_requested = self._is_waiting = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._request)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _request(self, number: int, frame: FrameType | None) -> None:
        if self._is_requested:
            raise KeyboardInterrupt
        self._is_requested = True
        if self._is_waiting:
            raise Stopped

    def waiting(self, is_waiting: bool) -> None:
        """Say whether a signal may interrupt the next steps: waiting for data may take forever."""
        self._is_waiting = is_waiting
        self.check()

    def next(self, items: Iterator[Item]) -> Item | None:
        """The next item, None at the end; a signal may interrupt the waiting for it."""
        self.waiting(True)
        item = next(items, None)
        self.waiting(False)
        return item

    def check(self) -> None:
        """Stop here if a signal came."""
        if self._is_requested:
            raise Stopped
