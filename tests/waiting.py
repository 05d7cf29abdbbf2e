"""Waiting for what is to happen: however slow the machine is, only what hangs reaches a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect

# Seconds that nothing takes, not even with many programs beside it.
LIMIT = 900


def until(happens: Callable[[], Any]) -> None:
    """Return when it has happened."""
    deadline = time.monotonic() + LIMIT
    while not happens():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.005)


def terminal(words: list[str], environment: dict[str, str], columns: int, lines: int = 50, cwd: Path | None = None) -> Any:
    """A program in a terminal of that size."""
    name, *rest = words
    folder = None if cwd is None else str(cwd)
    return pexpect.spawn(name, rest, env=environment, cwd=folder, dimensions=(lines, columns), encoding="utf-8", timeout=LIMIT)


def rest_of(program: Any) -> str:
    """All that a program in a terminal still says; it has ended then, and ``exitstatus`` says how."""
    text: str = program.read()
    program.wait()  # or what takes its time to end would be ended by ``close``
    program.close()
    return text
