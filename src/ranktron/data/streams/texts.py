"""Text in blocks of whole records. Where a block ends follows from where it begins and from nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..svmlight.fill import newlines
from ..svmlight.line import LONGEST, BadDataFile, too_long
from .inputs import Input, Reading

SIZE = 1 << 22
MARGIN = 1 << 16

_NEWLINE, _SPACE, _HASH = b"\n #"

Key = Callable[[bytes], Any]


class Text(NamedTuple):
    """Whole records: the first ``size`` bytes of ``data``, of which ``line`` lines come before in that file.

    Shuffled, ``pieces`` says where each record begins, its file and the lines before it there.
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
        """Whether the last line has no end."""
        return self.is_last and not self.data.endswith(b"\n", 0, self.size)


class Records(Protocol):
    """How a text falls into records."""

    def end(self, data: bytes, at: int, ended: bool) -> int:
        """The first end of a record at ``at`` or after it; 0 if it is not there yet."""

    def ends(self, data: bytes, size: int, ended: bool) -> np.ndarray:
        """The ends of all records that are complete."""

    def split(self, data: bytes, size: int) -> tuple[np.ndarray, np.ndarray]:
        """The ends of all records, and which of them would spoil others that they are put before."""

    def is_blank(self, record: bytes) -> bool:
        """Whether there is no row in it."""

    def first_row(self, data: bytes, size: int) -> int:
        """Where the first record begins that is not blank; ``size`` if all are."""


class Lines:
    """Every line is a record."""

    _blank = re.compile(rb"(?:\s++|#[^\n]*+(?:\n|\Z))*+")

    def end(self, data: bytes, at: int, ended: bool) -> int:
        """After the next line end."""
        return data.find(b"\n", max(at - 1, 0)) + 1

    def ends(self, data: bytes, size: int, ended: bool) -> np.ndarray:
        """After every line end, and where the text ends."""
        found = np.flatnonzero(np.frombuffer(data, np.uint8, size) == _NEWLINE) + 1
        return closed(found, size, ended)

    def split(self, data: bytes, size: int) -> tuple[np.ndarray, np.ndarray]:
        """The ends of all lines, none of which matters to others."""
        ends = self.ends(data, size, True)
        return ends, np.zeros(len(ends), bool)

    def is_blank(self, record: bytes) -> bool:
        """White space, or a comment."""
        record = record.lstrip()
        return not record or record.startswith(b"#")

    def first_row(self, data: bytes, size: int) -> int:
        """Behind white space and comments."""
        return matched(self._blank, data, size)


def matched(pattern: re.Pattern[bytes], data: bytes, size: int) -> int:
    """How many of the first ``size`` bytes match."""
    found = pattern.match(data, 0, size)
    return found.end() if found else 0


def closed(ends: np.ndarray, size: int, ended: bool) -> np.ndarray:
    """With the end of the text, if that ends a record that nothing else does."""
    return np.append(ends, size) if ended and size > (ends[-1] if len(ends) else 0) else ends


class Spans(NamedTuple):
    """Where rows or lists begin and end, the lines before them, how many rows they are, and which need a block of their own."""

    begins: np.ndarray
    ends: np.ndarray
    lines: np.ndarray
    rows: np.ndarray
    alone: np.ndarray


class Cutting(NamedTuple):
    """Where blocks end: so many bytes on or so many records, and where a list ends if there is a ``key`` to tell them by."""

    records: Records
    size: int
    block_rows: int | None = None
    key: Key | None = None

    def stop(self, data: bytes, ended: bool) -> int:
        """Where the block ends that begins with ``data``; 0 if that is not there yet."""
        stop = self.records.end(data, self.size, ended) if len(data) >= self.size else 0
        if self.block_rows is not None and newlines(data, stop or len(data)) >= self.block_rows:
            ends = self.records.ends(data, stop or len(data), ended)
            stop = int(ends[self.block_rows - 1]) if len(ends) >= self.block_rows else stop
        if stop and self.key is not None:
            stop = self._list_end(data, stop, ended)
        return stop or (len(data) if ended else 0)

    def _list_end(self, data: bytes, stop: int, ended: bool) -> int:
        """Where the list ends that the record before ``stop`` is in."""
        assert self.key is not None
        key = self._last_key(data, stop)
        begin, rest = stop, data[stop:]
        for end in (self.records.ends(rest, len(rest), ended) + stop).tolist():
            record = data[begin:end]
            if not self.records.is_blank(record) and self.key(record) != key:
                return begin
            begin = end
        return 0

    def spans(self, text: Text) -> Spans:
        """The rows, or the lists if there is a key."""
        ends, alone = self.records.split(text.data, text.size)
        begins = np.append(0, ends)[: len(ends)]
        characters = np.frombuffer(text.data, np.uint8, text.size)
        kept = np.ones(len(ends), bool)
        for record in np.flatnonzero((characters[begins] <= _SPACE) | (characters[begins] == _HASH)).tolist():
            kept[record] = not self.records.is_blank(text.data[begins[record] : ends[record]])
        begins, ends, alone = begins[kept], ends[kept], alone[kept]
        first = self._first_of_lists(text.data, begins, ends)
        rows = np.diff(first, append=len(begins))
        lines = text.line + np.searchsorted(np.flatnonzero(characters == _NEWLINE), begins[first])
        spoilt = np.logical_or.reduceat(alone, first) if len(first) else alone
        return Spans(begins[first], ends[first + rows - 1], lines, rows, spoilt)

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


def sizes(size: int, is_pipe: bool) -> Iterator[int]:
    """How large blocks are: nobody should wait long for the first ones of a slow pipe."""
    growing = min(size, MARGIN) if is_pipe else size
    while True:
        yield growing
        growing = min(size, 2 * growing)


def blocks_of(reading: Reading, cutting: Cutting, file: int, line: int = 0) -> Iterator[tuple[Text, int]]:
    """Blocks of text, whose data may go on behind them, and how many lines they have; those of a pipe begin small."""
    kept = b""
    for size in sizes(cutting.size, reading.is_pipe):
        cutting = cutting._replace(size=size)
        wanted, stop = cutting.size + MARGIN, 0
        while not stop:
            data = reading.ahead(kept, wanted)
            ended = len(data) < wanted
            if not data:
                return
            stop, kept = cutting.stop(data, ended), data
            if (stop or len(data)) > LONGEST:
                check_records(reading.name, cutting.records, data[: stop or None], line)
            wanted = _more(wanted)
        lines = newlines(data, stop)
        yield Text(data, stop, file, line, ended and stop == len(data)), lines
        line += lines
        kept = reading.behind(data, stop)


def _more(size: int) -> int:
    """How much to read instead: twice as much, but no more than tells that a line is too long."""
    return min(2 * size, LONGEST + 1) if size <= LONGEST else 2 * size


def check_records(name: str, records: Records, data: bytes, line: int) -> None:
    """Refuse the first record that is too long; ``line`` lines come before ``data``."""
    ends = records.ends(data, len(data), False)
    begins = np.append(0, ends)
    long = np.diff(begins, append=len(data)) > LONGEST
    if long.any():
        before = line + data.count(b"\n", 0, int(begins[np.argmax(long)]))
        raise BadDataFile(f"{name}, line {before + 1}: {too_long('it', LONGEST)}")


def prelude(source: Input, records: Records, header: bool) -> bytes:
    """What comes before the first record: the mark of UTF-8, if there is one, and the header."""
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
