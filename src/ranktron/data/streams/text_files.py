"""What text formats share: a `TextReader`, and text files and pipes as the source of its blocks."""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

import numpy as np

from ..svmlight.line import LONGEST, BadDataFile
from . import text_blocks
from .block import Place
from .inputs import Input
from .reader import Reader, Source
from .records import Lines, Records
from .shuffle import Index, Record, first_lists
from .text_blocks import Cutter, TextBlock, cut_blocks, read_prelude

Item = tuple[TextBlock, Place]


class TextReader(Reader[TextBlock], Protocol):
    """The reader of a text format, which parses whole records; ``open`` is given.

    ==================  =========  ===========================================================================
    member              default    meaning, beside the members of `Reader`
    ==================  =========  ===========================================================================
    ``settle``          mandatory  look at the first records
    ``key``             mandatory  the query of a record, to see where lists end
    ``records``         `Lines`    where records end
    ``has_header``      False      whether the first record of a file is a header
    ``read_header``     nothing    read the bytes before the first record of a file
    ``looks_at``        64 MB      the most bytes for ``settle``; a block has 4 MB at first
    ==================  =========  ===========================================================================
    """

    records: Records = Lines()
    has_header: bool = False
    looks_at: ClassVar[int] = LONGEST

    @abc.abstractmethod
    def settle(self, text: TextBlock) -> None: ...

    @abc.abstractmethod
    def key(self, record: bytes) -> Any: ...

    def read_header(self, name: str, head: bytes) -> None:  # most formats have none
        ...

    def open(self, lists: bool | None, block_rows: int | None) -> Source:
        """Show the reader the first records, and return the source of its blocks."""
        self._read_first(self.inputs[0])
        self.decide_lists(lists)
        key = self.key if self.options.lists else None
        return TextFiles(self.inputs, self, Cutter(self.records, text_blocks.SIZE, block_rows, key))

    def _read_first(self, source: Input) -> None:
        """Read until there is a row, and as much as ``settle`` wants to see."""
        head = read_prelude(source, self.records, self.has_header)
        self.read_header(source.name, head)
        size = min(self.looks_at, next(text_blocks.block_sizes(text_blocks.SIZE, not source.is_regular)))
        while True:
            wanted = size + text_blocks.MARGIN
            data = source.peek(len(head) + wanted)[len(head) :]
            ended = len(data) < wanted
            stop = Cutter(self.records, size).stop(data, ended) or len(data)
            if self.records.first_row(data, stop) < stop:
                return self.settle(TextBlock(data, stop, 0, head.count(b"\n"), ended and stop == len(data)))
            if ended and stop == len(data):
                raise BadDataFile(f"{source.name} holds no rows")
            if stop >= text_blocks.LONGEST:
                raise BadDataFile(f"{source.name} has no row in its first {text_blocks.LONGEST >> 20} MB; is this text?")
            size *= 2


class TextFiles(Source):
    """The source of text formats."""

    unit = "line"

    def __init__(self, inputs: list[Input], reader: TextReader, cutter: Cutter) -> None:
        self.inputs, self.reader, self.cutter = inputs, reader, cutter
        self.is_seekable = all(source.is_regular and not source.is_zipped for source in inputs)
        self._position = (0, 0)

    def in_order(self, start: Place) -> Iterator[Item]:
        for file in range(start.file, len(self.inputs)):
            offset, line = (start.offset, start.line) if file == start.file else (0, 0)
            source = self.inputs[file]
            head = read_prelude(source, self.cutter.records, self.reader.has_header)
            self.reader.read_header(source.name, head)
            if offset < len(head):
                offset, line = len(head), head.count(b"\n")
            for text, lines in self._texts(file, offset, line):
                offset, line = offset + text.size, line + lines
                yield text, Place(file, offset, line)

    def _texts(self, file: int, offset: int, line: int) -> Iterator[tuple[TextBlock, int]]:
        source = self.inputs[file]
        with contextlib.closing(source.reading(offset if source.is_regular else 0)) as reading:
            if not source.is_regular:
                reading.read(offset)  # skip the header, which was read before
            for item in cut_blocks(reading, self.cutter, file, line):
                self._position = file, reading.position if source.is_regular else 0
                yield item

    def progress(self, place: Place) -> float | None:
        """The share of the files before a place; None if there is a pipe."""
        sizes = [source.size for source in self.inputs if source.size is not None]
        if len(sizes) < len(self.inputs):
            return None
        file, offset = (place.file, place.offset) if self.is_seekable else self._position
        return min(1.0, (sum(sizes[:file]) + offset) / max(1, sum(sizes)))

    def permuted(self, index: Index, start: Place, seed: int, epoch: int) -> Iterator[Item]:
        entries, order = index.entries, index.order(seed, epoch)
        step = max(1, self.cutter.size * len(entries) // max(1, index.size))
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(open(source.path, "rb", buffering=0)) for source in self.inputs]
            records: list[Record] = []
            position = start.offset
            while position < len(entries):
                some = entries[order[position : position + step]]
                some = some[: self._n_in_block(some["rows"])]
                records += self._fetched(some[len(records) :], files)
                count = first_lists(records[: len(some)])
                position += count
                yield self.joined(records[:count]), Place(0, position)
                records = records[count:]

    def _n_in_block(self, rows: np.ndarray) -> int:
        """How many of the first records make a block, by the rows of each."""
        most = self.cutter.block_rows
        return len(rows) if most is None else int(np.searchsorted(np.cumsum(rows), most)) + 1

    def _fetched(self, entries: np.ndarray, files: list[Any]) -> Iterator[Record]:
        for begin, line, size, rows, file, alone in entries.tolist():
            files[file].seek(begin)
            data = files[file].read(size)
            if len(data) < size:
                self.inputs[file].check_unchanged()
            yield self._record(data, file, line, rows, alone)

    def _record(self, data: bytes, file: int, line: int, rows: int, alone: bool) -> Record:
        key = None if self.cutter.key is None else self.cutter.key(data[: self.cutter.records.end(data, 1, True) or None])
        return Record(data, file, line, rows, alone, key)

    def index(self, parts: Iterator[Item]) -> Index:
        return Index.of(self._entries(parts))

    def _entries(self, parts: Iterator[Item]) -> Iterator[np.ndarray]:
        found = [0] * len(self.inputs)
        for text, place in parts:
            entries = self.cutter.entries(text)
            entries["begin"] += place.offset - text.size
            found[text.file] += len(entries)
            yield entries
        for source, count in zip(self.inputs, found, strict=True):
            if not count:
                raise BadDataFile(f"{source.name} holds no rows")

    def records(self, text: TextBlock) -> list[Record]:
        return [
            self._record(text.data[begin : begin + size], file, line, rows, alone)
            for begin, line, size, rows, file, alone in self.cutter.entries(text).tolist()
        ]

    def joined(self, records: list[Record]) -> TextBlock:
        parts = [record.data if record.data.endswith(b"\n") else record.data + b"\n" for record in records]
        data = b"".join(parts)
        begins = np.cumsum([0, *map(len, parts[:-1])])
        files, lines = (np.array(column) for column in zip(*((record.file, record.line) for record in records)))
        return TextBlock(data, len(data), 0, 0, pieces=(begins, files, lines))

    def n_together(self, records: list[Record]) -> int:
        """As many as have the size of a block."""
        by_size = self.cutter.size * len(records) // max(1, sum(len(record.data) for record in records))
        return min(by_size, self._n_in_block(np.array([record.rows for record in records])))
