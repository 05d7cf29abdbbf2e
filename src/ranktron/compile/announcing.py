"""Compiling takes seconds, so it is announced: in the log, or by the command line on the terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager

# What announces that something is compiled, and about how many seconds that takes, while it is.
Announce = Callable[[str, float], AbstractContextManager[None]]


def log(what: str, seconds: float) -> AbstractContextManager[None]:
    """Log it for who has turned on messages of the level INFO."""
    import logging  # here, because it takes as long to import as many a command takes to run

    logging.getLogger("ranktron").info("%s", sentence(what, seconds))
    return contextlib.nullcontext()


def sentence(what: str, seconds: float) -> str:
    """What is announced."""
    return f"compiling {what}, once: about {max(1, round(seconds))} s"


announce: Announce = log
