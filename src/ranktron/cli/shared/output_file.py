"""Output files that are complete or not there at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ...files import replacing


@contextlib.contextmanager
def written(path: str | None) -> Iterator[IO[bytes]]:
    """A file to write to, which gets its name when it is complete; without a path, or for -, standard output.

    A pipe or a device is written to directly.
    """
    if path is None or path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    with _named(path):
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:
                yield file
        else:
            with replacing(target) as file:
                yield file


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Errors of the operating system name the path as the user typed it, unless they are about another file."""
    try:
        yield
    except OSError as error:
        ours = Path(os.path.realpath(path))
        of_ours = ours.with_name(f".{ours.name}.")
        if error.filename is None or str(error.filename).startswith((str(of_ours), str(ours))):
            error.filename, error.filename2 = path, None
        raise
