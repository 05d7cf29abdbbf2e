"""Files and pipes: opened with one clear sentence if that fails, unzipped on the way, and watched for changes."""

from __future__ import annotations

import contextlib
import io
import os
import select
import stat
import sys
from collections.abc import Iterator
from typing import Any

from ..svmlight.line import BadDataFile
from ..svmlight.text import read_some, unzipped

STANDARD_INPUT = "-"


class Input:
    """One of the paths. A pipe is opened once; what was looked at in advance is not lost."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == STANDARD_INPUT else path
        self._raw: Any = None
        self._file: Any = None
        self._seen = b""
        with self._opened() as file:
            about = os.fstat(file.fileno()) if path != STANDARD_INPUT else None
            self.is_regular = about is not None and stat.S_ISREG(about.st_mode)
            self.size: int | None = about.st_size if about is not None and self.is_regular else None
            self.changed: int | None = about.st_mtime_ns if about is not None and self.is_regular else None
            file = file if self.is_regular else _patient(file)
            text = unzipped(file, self.name)
            self.is_zipped = text is not file
            if not self.is_regular:
                self._raw, self._file = file, text

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Any]:
        file = sys.stdin.buffer if self.path == STANDARD_INPUT else _open(self.path)
        try:
            yield file
        finally:
            if getattr(self, "is_regular", True) and self.path != STANDARD_INPUT:
                file.close()

    def peek(self, size: int) -> bytes:
        """The first bytes of the text."""
        if self.is_regular:
            with contextlib.closing(self.reading(0)) as reading:
                return reading.read(size)
        self._seen += self._read(size - len(self._seen))
        return self._seen[:size]

    def _read(self, size: int) -> bytes:
        if self._file is None:
            raise BadDataFile(f"{self.name} is a pipe, which can be read once only: write it to a file to go over it again")
        return read_some(self._file, self.name, max(size, 0))

    def reading(self, offset: int) -> Reading:
        """The text from ``offset`` on."""
        if self.is_regular:
            return Reading(self, offset)
        if offset:
            raise BadDataFile(f"{self.name} is a pipe: it cannot be resumed in the middle; write it to a file")
        self._read(0)
        reading = Reading(self, 0, self._file, self._seen)
        self._file, self._seen = None, b""
        return reading

    def fingerprint(self) -> dict[str, Any] | None:
        """What tells that the file is the same one; None for a pipe."""
        return {"path": self.path, "size": self.size, "mtime_ns": self.changed} if self.is_regular else None

    def check_unchanged(self) -> None:
        """Refuse a file that is another one than when it was opened."""
        if not self.is_regular:
            return
        try:
            about = os.stat(self.path)
        except OSError:
            raise BadDataFile(f"{self.name} was removed while it was read: start again with a file that stays") from None
        if (about.st_size, about.st_mtime_ns) != (self.size, self.changed):
            raise BadDataFile(f"{self.name} changed while it was read: start again once nobody writes to it")


class Reading:
    """The text of an input, from some place on."""

    def __init__(self, source: Input, offset: int, file: Any = None, seen: bytes = b"") -> None:
        self._input, self._seen, self._owned = source, seen, source.path != STANDARD_INPUT
        self._raw = _open(source.path) if file is None else source._raw
        self._file = unzipped(self._raw, source.name) if file is None else file
        self._offset = offset
        self._is_plain = source.is_regular and not source.is_zipped
        if offset:
            self._skip(offset)

    @property
    def is_pipe(self) -> bool:
        """Whether there may be nothing more to read for a while."""
        return not self._input.is_regular

    @property
    def name(self) -> str:
        """What is read."""
        return self._input.name

    def _skip(self, offset: int) -> None:
        if not self._input.is_zipped:
            self._file.seek(offset)
            return
        while offset and (piece := self.read(min(offset, 1 << 20))):
            offset -= len(piece)

    def read(self, size: int) -> bytes:
        """So many bytes; fewer at the end only."""
        seen, self._seen = self._seen[:size], self._seen[size:]
        return seen + read_some(self._file, self._input.name, size - len(seen)) if len(seen) < size else seen

    def ahead(self, kept: bytes, size: int) -> bytes:
        """So many bytes, fewer at the end only, of which those ``kept`` were read before."""
        if self._is_plain:
            self._file.seek(self._offset + len(kept))
            size = self._at_most(size)
        return kept + self.read(size - len(kept)) if kept else self.read(size)

    def _at_most(self, size: int) -> int:
        """So many bytes, or all that there should be and one more, which tells the end: memory for others would not be used."""
        there = (self._input.size or 0) - self._offset
        return min(size, there + 1) if there > 0 else size

    def behind(self, data: bytes, size: int) -> bytes:
        """Go on behind the first ``size`` bytes; what is kept of the others: of a plain file nothing, if it is little."""
        self._offset += size
        return b"" if self._is_plain and 2 * size > len(data) else data[size:]

    @property
    def position(self) -> int:
        """How many bytes of the file itself were read."""
        return int(self._raw.tell())

    def close(self) -> None:
        """Close the file; standard input is not ours."""
        if self._owned:
            self._raw.close()


class _Patient(io.RawIOBase):
    """A pipe that looks up now and then while it waits: a signal that comes just before a read would wait for its end."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """That of the pipe."""
        return int(self._file.fileno())

    def readinto(self, buffer: Any) -> int:
        """What there is, once there is something."""
        while not select.select([self], [], [], 0.2)[0]:
            pass
        return os.readv(self.fileno(), [buffer])

    def close(self) -> None:
        """Close the pipe."""
        if not self.closed and self._file is not sys.stdin.buffer:
            self._file.close()
        super().close()


def _patient(file: Any) -> Any:
    """A pipe that leaves signals their turn, where that can be."""
    try:
        file.fileno()
    except (OSError, AttributeError):
        return file
    return io.BufferedReader(_Patient(file)) if hasattr(os, "readv") else file


def _open(path: str) -> Any:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise BadDataFile(f"{path} does not exist: check the path") from None
    except IsADirectoryError:
        raise BadDataFile(f"{path} is a folder: name the files in it") from None
    except PermissionError:
        raise BadDataFile(f"{path} may not be read: you have no permission") from None
    except (OSError, ValueError) as error:
        raise BadDataFile(f"{path!r} cannot be opened: {error}") from None
