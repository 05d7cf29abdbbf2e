"""Says what a command waits for while a loop is compiled."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

from ...compile.announcing import sentence
from . import messages

SPINNER, _TURN = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", 0.1


@contextlib.contextmanager
def announced(what: str, seconds: float) -> Iterator[None]:
    """Print a note; in a terminal it has a spinner, and is gone when the block ends."""
    said = sentence(what, seconds)
    if messages.is_quiet() or not sys.stderr.isatty():
        messages.note(said)
        yield
        return
    is_done = threading.Event()
    thread = threading.Thread(target=_spin, args=(said, is_done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def _spin(said: str, is_done: threading.Event) -> None:
    began, turns = time.monotonic(), 0
    with contextlib.suppress(OSError, ValueError):  # stderr is closed
        while not is_done.wait(_TURN):
            turns += 1
            sys.stderr.write(f"\r\x1b[2K{SPINNER[turns % len(SPINNER)]} {said}; {time.monotonic() - began:.0f} s so far")
            sys.stderr.flush()
        sys.stderr.write("\r\x1b[2K" if turns else "")
        sys.stderr.flush()
