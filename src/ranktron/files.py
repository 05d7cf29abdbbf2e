"""Files that are replaced as a whole: a reader sees the old file or the new one, even after ``kill -9``.

The new one is written beside the old one, under a name of its own, and renamed. While it is written it is locked, so a file that
can be locked is one that a killed program left behind: the next one that writes to the same path deletes it. Locks need not reach
other machines that share a drive, so a file has the mark of its machine in its name, and those of others have to be old, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be deleted
    fcntl = None  # type: ignore[assignment]

LEFT_BEHIND = 3600.0  # seconds without a write after which a file belongs to a killed program, if files cannot be locked
HERE = hashlib.blake2b(os.uname().nodename.encode(), digest_size=4).hexdigest() if fcntl else "0" * 8
_MARK = re.compile("[0-9a-f]{16}")


def replace_file(path: Path, content: bytes) -> None:
    """Write a file as a whole, and flush it to the disk."""
    with replacing(path) as file:
        file.write(content)
    _sync_folder(path.parent)


@contextlib.contextmanager
def replacing(path: Path, on_disk: bool = True) -> Iterator[IO[bytes]]:
    """A file to write, which replaces ``path`` at the end; with ``on_disk`` it is flushed to the disk first."""
    with on_its_way(path) as file:
        yield file
        file.flush()
        if on_disk:
            os.fsync(file.fileno())
        if fcntl is None:
            file.close()
        os.replace(file.name, path)


@contextlib.contextmanager
def on_its_way(path: Path) -> Iterator[IO[bytes]]:
    """A new file beside ``path``, which is deleted at the end if it was not renamed."""
    _clear_leftovers(path)
    file = _new_file(path)
    try:
        with file:
            yield file
    finally:
        Path(file.name).unlink(missing_ok=True)


def _new_file(path: Path) -> IO[bytes]:
    while True:
        file = open(path.with_name(f".{path.name}.{HERE}{os.urandom(4).hex()}"), "xb")  # noqa: SIM115
        if _lock(file) is not False and os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another program found it before it was locked, and deletes it


def _lock(file: IO[bytes]) -> bool | None:
    """Whether the file is locked now, and not by another program; None where files cannot be locked."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (OSError, AttributeError):
        return None
    return True


def _clear_leftovers(path: Path) -> None:
    """Delete files that killed programs left beside this path."""
    beginning = f".{path.name}."
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if entry.name.startswith(beginning) and _MARK.fullmatch(entry.name, len(beginning)):
                _delete_if_left(Path(entry.path))


def _delete_if_left(path: Path) -> None:
    with contextlib.suppress(OSError), open(path, "r+b") as file:  # network drives lock only files that are open for writing
        is_locked, is_old = _lock(file), time.time() - os.fstat(file.fileno()).st_mtime > LEFT_BEHIND
        if fcntl is None:
            file.close()
        is_left = is_locked and path.suffix.startswith(f".{HERE}")
        if is_left or (is_old and is_locked is not False):
            path.unlink()  # while it is locked: its maker, if it has not locked it yet, will see that it is gone


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
