"""Files and pipes: opened, with one clear message if that fails, unzipped while they are read, and checked for changes."""

from __future__ import annotations

import contextlib
import io
import os
import select
import stat
import sys
from typing import Any

from ..svmlight.line import BadDataFile
from ..svmlight.text import read_some, unzipped

STANDARD_INPUT = "-"


class Input:
    """One of the paths. A pipe is opened once; bytes that were peeked at are read again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == STANDARD_INPUT else path
        self._raw: Any = None
        self._file: Any = None
        self._seen = b""
        self.size: int | None = None
        self.changed: int | None = None
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if path == STANDARD_INPUT else stack.enter_context(_open(path))
            about = os.fstat(file.fileno()) if path != STANDARD_INPUT else None
            self.is_regular = about is not None and stat.S_ISREG(about.st_mode)
            if about is not None and self.is_regular:
                self.size, self.changed = about.st_size, about.st_mtime_ns
            else:
                stack.pop_all()  # a pipe stays open
                file = _interruptible(file)
            text = unzipped(file, self.name)
            self.is_zipped = text is not file
            if not self.is_regular:
                self._raw, self._file = file, text

    def peek(self, size: int) -> bytes:
        """The first bytes of the text."""
        if self.is_regular:
            with contextlib.closing(self.reading(0)) as reading:
                return reading.read(size)
        self._seen += self._read(size - len(self._seen))
        return self._seen[:size]

    def _read(self, size: int) -> bytes:
        if self._file is None:
            raise BadDataFile(f"{self.name} is a pipe, which can be read only once; write it to a file to read it again")
        return read_some(self._file, self.name, max(size, 0))

    def reading(self, offset: int) -> Reading:
        """The text from ``offset`` on."""
        if self.is_regular:
            return Reading(self, offset)
        if offset:
            raise BadDataFile(f"{self.name} is a pipe, which cannot be resumed in the middle; write it to a file")
        self._read(0)
        reading = Reading(self, 0, self._file, self._seen)
        self._file, self._seen = None, b""
        return reading

    def fingerprint(self) -> dict[str, Any] | None:
        """What identifies the state of the file; None for a pipe."""
        return {"path": self.path, "size": self.size, "mtime_ns": self.changed} if self.is_regular else None

    def check_unchanged(self) -> None:
        """Refuse a file that changed since it was opened."""
        if not self.is_regular:
            return
        try:
            about = os.stat(self.path)
        except OSError:
            raise BadDataFile(f"{self.name} was removed while it was read; start again with a file that stays") from None
        if (about.st_size, about.st_mtime_ns) != (self.size, self.changed):
            raise BadDataFile(f"{self.name} changed while it was read; start again when nothing writes to it")


class Reading:
    """The text of an input, from a place on."""

    def __init__(self, source: Input, offset: int, file: Any = None, seen: bytes = b"") -> None:
        self.source, self._seen = source, seen
        self._raw = _open(source.path) if file is None else source._raw
        self._file = unzipped(self._raw, source.name) if file is None else file
        self._offset = offset
        self._is_plain = source.is_regular and not source.is_zipped
        if offset and not source.is_zipped:
            self._file.seek(offset)
        while source.is_zipped and offset and (piece := self.read(min(offset, 1 << 20))):
            offset -= len(piece)

    def read(self, size: int) -> bytes:
        """The next ``size`` bytes, fewer only at the end."""
        seen, self._seen = self._seen[:size], self._seen[size:]
        return seen + read_some(self._file, self.source.name, size - len(seen)) if len(seen) < size else seen

    def ahead(self, kept: bytes, size: int) -> bytes:
        """The next ``size`` bytes, fewer only at the end; they begin with ``kept``, which was read before."""
        if self._is_plain:
            self._file.seek(self._offset + len(kept))
        return kept + self.read(size - len(kept)) if kept else self.read(size)

    def behind(self, data: bytes, size: int) -> bytes:
        """Advance by ``size`` bytes, and return the rest of ``data`` to keep."""
        # A plain file is read again from there, which costs less than to move a short rest.
        self._offset += size
        return b"" if self._is_plain and 2 * size > len(data) else data[size:]

    @property
    def position(self) -> int:
        """How many bytes of the file were read, compressed if it is."""
        return int(self._raw.tell())

    def close(self) -> None:
        """Close the file, unless it is standard input."""
        if self.source.path != STANDARD_INPUT:
            self._raw.close()


class _InterruptiblePipe(io.RawIOBase):
    """A pipe that waits in short steps, so that a signal just before a read is handled at once and not after it."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._file.fileno())

    def readinto(self, buffer: Any) -> int:
        """Wait until there are bytes, and read them."""
        while not select.select([self], [], [], 0.2)[0]:
            pass
        return os.readv(self.fileno(), [buffer])

    def close(self) -> None:
        if not self.closed and self._file is not sys.stdin.buffer:
            self._file.close()
        super().close()


def _interruptible(file: Any) -> Any:
    """A pipe whose reads can be interrupted, where the platform allows it."""
    try:
        file.fileno()
    except (OSError, AttributeError):
        return file
    return io.BufferedReader(_InterruptiblePipe(file)) if hasattr(os, "readv") else file


def _open(path: str) -> Any:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise BadDataFile(f"{path} does not exist; check the path") from None
    except IsADirectoryError:
        raise BadDataFile(f"{path} is a folder; name the files in it") from None
    except PermissionError:
        raise BadDataFile(f"{path} cannot be read: permission denied") from None
    except (OSError, ValueError) as error:
        raise BadDataFile(f"{path!r} cannot be opened: {error}") from None
