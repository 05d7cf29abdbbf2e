"""Cuts text into blocks of whole records. Where a block ends depends only on where it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..svmlight.fill import newlines
from ..svmlight.line import LONGEST as LONGEST
from ..svmlight.line import BadDataFile, too_long
from .inputs import Input, Reading
from .records import BAD_QUOTES, Records
from .shuffle import ENTRY

# The bytes of a block, and how many more are read at first to find the end of its last record.
SIZE = 1 << 22
MARGIN = 1 << 16

_NEWLINE, _SPACE, _HASH = b"\n #"

Key = Callable[[bytes], Any]


class TextBlock(NamedTuple):
    """Whole records: the first ``size`` bytes of ``data``. ``line`` counts the lines before them in the file.

    For shuffled records ``pieces`` has where each begins here, its file, and the lines before it there.
    """

    data: bytes
    size: int
    file: int
    line: int
    is_last: bool = False
    pieces: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def at(self, offset: int) -> tuple[int, int]:
        """The file and the line, counted from 1, of a byte."""
        if self.pieces is None:
            return self.file, self.line + self.data.count(b"\n", 0, offset) + 1
        begins, files, lines = self.pieces
        piece = int(np.searchsorted(begins, offset, side="right")) - 1
        return int(files[piece]), int(lines[piece]) + self.data.count(b"\n", int(begins[piece]), offset) + 1

    @property
    def is_open(self) -> bool:
        """Whether the last line has no line end."""
        return self.is_last and not self.data.endswith(b"\n", 0, self.size)

    @property
    def last_line(self) -> int:
        """Where the last line begins."""
        return self.data.rfind(b"\n", 0, self.size) + 1


class Cutter(NamedTuple):
    """Decides where blocks end: after ``size`` bytes or ``block_rows`` records; with a ``key``, where the list ends."""

    records: Records
    size: int
    block_rows: int | None = None
    key: Key | None = None

    def stop(self, data: bytes, ended: bool) -> int:
        """Where the block that begins with ``data`` ends; 0 if ``data`` does not reach its end."""
        stop = self.records.end(data, self.size, ended) if len(data) >= self.size else 0
        if self.block_rows is not None and newlines(data, stop or len(data)) >= self.block_rows:
            ends = self.records.ends(data, stop or len(data), ended)
            stop = int(ends[self.block_rows - 1]) if len(ends) >= self.block_rows else stop
        if stop and self.key is not None:
            stop = self._list_end(data, stop, ended)
        return stop or (len(data) if ended else 0)

    def _list_end(self, data: bytes, stop: int, ended: bool) -> int:
        """Where the list of the record before ``stop`` ends."""
        assert self.key is not None
        key, rest = self._last_key(data, stop), data[stop:]
        for begin, end in self.records.rows(rest, len(rest), ended):
            if self.key(rest[begin:end]) != key:
                return stop + begin
        return 0

    def entries(self, text: TextBlock) -> np.ndarray:
        """The places in the text of the rows, or of the lists if there is a key."""
        ends, counts = self.records.scan(text.data, text.size, True)
        begins = np.append(0, ends)[: len(ends)]
        characters = np.frombuffer(text.data, np.uint8, text.size)
        kept = np.ones(len(ends), bool)
        for record in np.flatnonzero((characters[begins] <= _SPACE) | (characters[begins] == _HASH)).tolist():
            kept[record] = not self.records.is_blank(text.data[begins[record] : ends[record]])
        begins, ends, alone = begins[kept], ends[kept], counts[kept] == BAD_QUOTES
        first = self._first_of_lists(text.data, begins, ends)
        rows = np.diff(first, append=len(begins))
        entries = np.empty(len(first), ENTRY)
        entries["begin"], entries["size"] = begins[first], ends[first + rows - 1] - begins[first]
        entries["line"] = text.line + np.searchsorted(np.flatnonzero(characters == _NEWLINE), begins[first])
        entries["rows"], entries["file"] = rows, text.file
        entries["alone"] = np.logical_or.reduceat(alone, first) if len(first) else alone
        return entries

    def _first_of_lists(self, data: bytes, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
        if self.key is None or not len(begins):
            return np.arange(len(begins))
        keys = [self.key(data[begin:end]) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
        return np.array([0, *(place for place in range(1, len(keys)) if keys[place] != keys[place - 1])])

    def _last_key(self, data: bytes, stop: int) -> Any:
        assert self.key is not None
        ends = self.records.ends(data, stop, True).tolist()
        for begin, end in zip(reversed([0, *ends[:-1]]), reversed(ends), strict=True):
            if not self.records.is_blank(data[begin:end]):
                return self.key(data[begin:end])
        return None


def block_sizes(size: int, is_pipe: bool) -> Iterator[int]:
    """The sizes of successive blocks. Those of a pipe begin small, so that the first rows of a slow one are learned soon."""
    growing = min(size, MARGIN) if is_pipe else size
    while True:
        yield growing
        growing = min(size, 2 * growing)


def cut_blocks(reading: Reading, cutting: Cutter, file: int, line: int = 0) -> Iterator[tuple[TextBlock, int]]:
    """Blocks of text with their numbers of lines; ``data`` of a block may go on after its end."""
    kept = b""
    for size in block_sizes(cutting.size, not reading.source.is_regular):
        cutting = cutting._replace(size=size)
        wanted, stop = cutting.size + MARGIN, 0
        while not stop:
            data = reading.ahead(kept, wanted)
            ended = len(data) < wanted
            if not data:
                return
            stop, kept = cutting.stop(data, ended), data
            if (stop or len(data)) > LONGEST:
                check_records(reading.source.name, cutting.records, data[: stop or None], line)
            wanted = _more(wanted)
        lines = newlines(data, stop)
        yield TextBlock(data, stop, file, line, ended and stop == len(data)), lines
        line += lines
        kept = reading.behind(data, stop)


def _more(size: int) -> int:
    """The next amount to read: twice as much, but at first no more than shows that a line is too long."""
    return min(2 * size, LONGEST + 1) if size <= LONGEST else 2 * size


def check_records(name: str, records: Records, data: bytes, line: int) -> None:
    """Refuse the first record that is too long; ``line`` counts the lines before ``data``."""
    ends = records.ends(data, len(data), False)
    begins = np.append(0, ends)
    long = np.diff(begins, append=len(data)) > LONGEST
    if long.any():
        before = line + data.count(b"\n", 0, int(begins[np.argmax(long)]))
        raise BadDataFile(f"{name}, line {before + 1}: {too_long('it', LONGEST)}")


def read_prelude(source: Input, records: Records, header: bool) -> bytes:
    """The bytes before the first record: a byte order mark, if there is one, and the header."""
    size = MARGIN
    while True:
        data = source.peek(size)
        begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        ended = len(data) < size
        stop = begin + (records.end(data[begin:], 1, ended) if header else 0)
        if stop > begin or not header:
            return data[:stop]
        if ended:
            return data
        if size > LONGEST:
            raise BadDataFile(f"{source.name}, line 1: {too_long('the header', LONGEST)}")
        size = _more(size)
