"""Text files and pipes as blocks of text: in order, permuted, or shuffled in a buffer."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..svmlight.line import BadDataFile
from .block import Place
from .inputs import Input
from .shuffle import ENTRY, Index, Record, first_lists, generator, through_buffer
from .texts import Cutting, Text, blocks_of, prelude

Item = tuple[Text, Place]
DropLast = Callable[[Text], int]


class TextFiles:
    """All inputs of a stream."""

    unit = "line"

    def __init__(self, inputs: list[Input], reader: Any, cutting: Cutting) -> None:
        self.inputs, self.reader, self.cutting = inputs, reader, cutting
        self.is_seekable = all(source.is_regular and not source.is_zipped for source in inputs)
        self._index: Index | None = None
        self._read = (0, 0)

    def in_order(self, start: Place) -> Iterator[Item]:
        """Blocks from a place on."""
        for file in range(start.file, len(self.inputs)):
            offset, line = (start.offset, start.line) if file == start.file else (0, 0)
            source = self.inputs[file]
            head = prelude(source, self.cutting.records, self.reader.has_header)
            self.reader.begin(source.name, head)
            if offset < len(head):
                offset, line = len(head), head.count(b"\n")
            for text, lines in self._texts(file, offset, line):
                offset, line = offset + text.size, line + lines
                yield text, Place(file, offset, line)

    def _texts(self, file: int, offset: int, line: int) -> Iterator[tuple[Text, int]]:
        source = self.inputs[file]
        with contextlib.closing(source.reading(offset if source.is_regular else 0)) as reading:
            if not source.is_regular:
                reading.read(offset)  # the header, which was looked at before
            for item in blocks_of(reading, self.cutting, file, line):
                self._read = file, reading.position if source.is_regular else 0
                yield item

    def progress(self, place: Place) -> float | None:
        """The share of the files that is behind a place."""
        sizes = [source.size for source in self.inputs if source.size is not None]
        if len(sizes) < len(self.inputs):
            return None
        file, offset = (place.file, place.offset) if self.is_seekable else self._read
        return min(1.0, (sum(sizes[:file]) + offset) / max(1, sum(sizes)))

    def permuted(self, start: Place, seed: int, epoch: int, drop_last: DropLast) -> Iterator[Item]:
        """All records, or lists, in random order."""
        index = self.index(drop_last)
        entries, order = index.entries, index.order(seed, epoch)
        step = max(1, self.cutting.size * len(entries) // max(1, index.size))
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(contextlib.closing(_Fetcher(source))) for source in self.inputs]
            records: list[Record] = []
            position = start.offset
            while position < len(entries):
                some = entries[order[position : position + step]]
                some = some[: self._enough(some["rows"])]
                records += self._fetched(some[len(records) :], files)
                count = first_lists(records[: len(some)])
                position += count
                yield _joined(records[:count]), Place(0, position)
                records = records[count:]

    def _enough(self, rows: np.ndarray) -> int:
        """How many records make a block, by the rows that each one has."""
        most = self.cutting.block_rows
        return len(rows) if most is None else int(np.searchsorted(np.cumsum(rows), most)) + 1

    def _fetched(self, entries: np.ndarray, files: list[_Fetcher]) -> Iterator[Record]:
        for begin, line, size, rows, file, alone in entries.tolist():
            yield self._record(files[file].read(begin, size), file, line, rows, alone)

    def index(self, drop_last: DropLast) -> Index:
        """Where all records are, or lists; ``drop_last`` says how many bytes at the end of a text are no whole line."""
        if self._index is None:
            self._index = Index.of(self._all_entries(drop_last))
        return self._index

    def _all_entries(self, drop_last: DropLast) -> Iterator[np.ndarray]:
        found = [0] * len(self.inputs)
        for text, place in self.in_order(Place()):
            entries = self._entries(text, place.offset - text.size, drop_last(text) if text.is_open else 0)
            found[text.file] += len(entries)
            yield entries
        for source, count in zip(self.inputs, found, strict=True):
            if not count:
                raise BadDataFile(f"{source.name} holds no rows")

    def _entries(self, text: Text, offset: int, dropped: int) -> np.ndarray:
        spans = self.cutting.spans(text._replace(size=text.size - dropped))
        entries = np.empty(len(spans.begins), ENTRY)
        entries["begin"], entries["size"] = spans.begins + offset, spans.ends - spans.begins
        entries["line"], entries["rows"], entries["file"], entries["alone"] = spans.lines, spans.rows, text.file, spans.alone
        return entries

    def through_buffer(
        self, start: Place, seed: int, epoch: int, capacity: int, drop_last: Callable[[Text], int]
    ) -> Iterator[Item]:
        """All records, or lists, shuffled as far as a buffer reaches."""
        chunks = (self._records(text, drop_last(text) if text.is_open else 0) for text, _ in self.in_order(Place()))
        for records, position in through_buffer(chunks, capacity, generator(seed, epoch), self._together):
            if position > start.offset:
                yield _joined(records), Place(0, position)

    def _records(self, text: Text, dropped: int) -> list[Record]:
        spans = zip(*(part.tolist() for part in self.cutting.spans(text._replace(size=text.size - dropped))))
        return [self._record(text.data[begin:end], text.file, line, rows, alone) for begin, end, line, rows, alone in spans]

    def _record(self, data: bytes, file: int, line: int, rows: int, alone: bool) -> Record:
        key = None if self.cutting.key is None else self.cutting.key(data[: self.cutting.records.end(data, 1, True) or None])
        return Record(data, file, line, rows, alone, key)

    def _together(self, records: list[Record]) -> int:
        by_size = self.cutting.size * len(records) // max(1, sum(len(record.data) for record in records))
        return min(by_size, self._enough(np.array([record.rows for record in records])))


class _Fetcher:
    """Reads anywhere in a file."""

    def __init__(self, source: Input) -> None:
        self.source = source
        self._file: Any = None

    def read(self, begin: int, size: int) -> bytes:
        """So many bytes from a place on."""
        if self._file is None:
            self._file = open(self.source.path, "rb", buffering=0)  # noqa: SIM115
        if hasattr(os, "pread"):
            data: bytes = os.pread(self._file.fileno(), size, begin)
        else:
            self._file.seek(begin)
            data = self._file.read(size)
        if len(data) < size:
            self.source.check_unchanged()
        return data

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _joined(records: list[Record]) -> Text:
    """A text of records from anywhere."""
    parts = [record.data if record.data.endswith(b"\n") else record.data + b"\n" for record in records]
    data = b"".join(parts)
    begins = np.cumsum([0, *map(len, parts[:-1])])
    files, lines = (np.array(column) for column in zip(*((record.file, record.line) for record in records)))
    return Text(data, len(data), 0, 0, pieces=(begins, files, lines))
