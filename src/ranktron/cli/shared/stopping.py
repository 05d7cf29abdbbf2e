"""Ctrl-C and SIGTERM: what is under way is finished first."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any, Self


class Stopped(BaseException):
    """The user wants to stop, and now is a good moment."""


class Stopper:
    """While it is entered a first signal waits for ``check``, or breaks off what is ``waiting``; a second one never waits."""

    def __init__(self) -> None:
        self._is_asked = self._is_waiting = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._is_asked:
            raise KeyboardInterrupt
        self._is_asked = True
        if self._is_waiting:
            raise Stopped

    def waiting(self, is_waiting: bool) -> None:
        """Whether what follows may be broken off: waiting for data may take for ever."""
        self._is_waiting = is_waiting
        self.check()

    def check(self) -> None:
        """Stop here if that is wanted."""
        if self._is_asked:
            raise Stopped
