"""A stream: files or a pipe as blocks of rows, in order or shuffled, from any place on."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from typing import Any

from ..svmlight.fill import n_cores
from ..svmlight.line import BadDataFile, BadLine
from .block import BadLines, Block, Place
from .pipeline import parsed
from .reader import Item, Parsed, Part, Reader, Source, too_many
from .shuffle import Index, generator
from .text_blocks import TextBlock


class Stream:
    """What ``open_stream`` returns. Reading it again returns the same blocks."""

    def __init__(self, source: Source, reader: Reader[Any], skip: bool, buffer: int) -> None:
        self._source, self._reader, self._skip, self._buffer = source, reader, skip, buffer
        self._inputs = reader.inputs
        self._index: Index | None = None
        self._n_records: int | None = None
        self.format = reader.format
        self.bad = BadLines()
        self.rereadable = all(source.is_regular for source in self._inputs)

    @property
    def lists(self) -> bool:
        """Whether blocks are made of whole lists."""
        return self._reader.options.lists

    @property
    def has_queries(self) -> bool:
        """Whether rows name the list that they belong to."""
        return self._reader.has_queries

    @property
    def schema(self) -> dict[str, Any]:
        """Plain data from which ``open_stream(schema=)`` reads another file alike."""
        return {"format": self.format, **self._reader.schema}

    @property
    def names(self) -> list[str] | None:
        """The names of the columns so far, or None if they have none."""
        return self._reader.names

    @property
    def encoding(self) -> str:
        """How text becomes numbers, in a sentence."""
        return self._reader.encoding

    def limit_features(self, most: int) -> None:
        """Refuse data that need more columns than ``most``. Call it before ``blocks``."""
        options = self._reader.options
        if options.hash_bits is not None and (count := 1 << options.hash_bits) > most:
            raise ValueError(
                f"--hash-bits {options.hash_bits} makes {count:,} features, and a model may have {most:,}; take fewer bits, "
                f"or allow them (--max-features {count})"
            )
        self._reader.options = options._replace(max_features=most)

    def fingerprint(self) -> list[dict[str, Any]]:
        """The path, size and time of every file: a run is resumed only if they are the same."""
        found = (source.fingerprint() for source in self._inputs)
        return [one for one in found if one is not None]

    def check_unchanged(self) -> None:
        """Raise `BadDataFile` if a file changed since the stream was opened."""
        for source in self._inputs:
            source.check_unchanged()

    def progress(self, place: Block | Place) -> float | None:
        """The share of the input before a place of the current reading."""
        place = place.place if isinstance(place, Block) else place
        return self._source.progress(place) if self._n_records is None else place.offset / self._n_records

    @property
    def order(self) -> str:
        """What ``shuffle`` does, in a sentence."""
        what = "lists" if self.lists else "rows"
        if self._source.is_seekable:
            return f"all {what} in random order"
        return f"{what} shuffled in a buffer of {self._buffer:,} rows, as pipes, zipped files and Parquet files are"

    def blocks(self, start: Place | None = None, *, shuffle: tuple[int, int] | None = None) -> Generator[Block]:
        """Blocks from a place on; with ``shuffle=(seed, epoch)``, in random order."""
        start = Place() if start is None else Place(*start)
        rows, seen = start.rows, {start.file} if start.offset else set()
        # Several threads would wait for a slow pipe, each for a block of its own, before one is learned.
        workers = n_cores() if self._reader.is_threaded and self.rereadable else 1
        parts = self._parts(start, shuffle)
        with contextlib.closing(parts), contextlib.closing(parsed(parts, self._parse, workers)) as items:
            for (part, place), found in items:
                self._count_bad(part, found.bad)
                block = self._block(part, found, place._replace(rows=rows))
                if len(block):
                    rows = block.place.rows
                    seen.add(part.file)
                    yield block
        if shuffle is None or not rows:
            self._check_rows(start.file, seen)
        self.check_unchanged()

    def _parts(self, start: Place, shuffle: tuple[int, int] | None) -> Any:
        self._n_records = None
        if shuffle is None:
            return self._source.in_order(start)
        parts = self._without_bad_ends(start.offset == 0)
        if not self._source.is_seekable:
            return self._source.through_buffer(parts, start, generator(*shuffle), self._buffer)
        self._index = self._index or self._source.index(parts)
        self._n_records = len(self._index.entries)
        return self._source.permuted(self._index, start, *shuffle)

    def _without_bad_ends(self, is_first_time: bool) -> Iterator[Item]:
        """All parts in order, without a last line that has no line end and is bad; refuses it unless bad lines are skipped."""
        for part, place in self._source.in_order(Place()):
            if isinstance(part, TextBlock) and part.is_open:
                begin = part.last_line
                bad = [(at, why) for at, why in self._parse((part, place)).bad if at >= begin]
                if is_first_time:
                    self._count_bad(part, bad)
                if bad:
                    part, place = part._replace(size=begin), place._replace(offset=place.offset - part.size + begin)
            yield part, place

    def _block(self, part: Part, found: Parsed, place: Place) -> Block:
        block = self._reader.to_block(found)
        most = self._reader.options.most_features
        if most is not None and block.n_columns > most:
            where = self._where(part, found.begin_of(0))
            raise BadDataFile(f"{where}: the rows from here on make {too_many(block.n_columns, most)}")
        block.find = lambda row: self._where(part, found.begin_of(row))
        block.place = place._replace(rows=place.rows + len(block))
        return block

    def _parse(self, item: Item) -> Parsed:
        part = item[0]
        try:
            return self._reader.parse(part, self._skip)
        except BadLine as error:
            raise BadDataFile(self._message(part, error.place, str(error))) from None

    def _message(self, part: Part, place: int, why: str) -> str:
        file, line = part.at(place)
        self._inputs[file].check_unchanged()
        if isinstance(part, TextBlock) and part.is_open and place >= part.last_line:
            return f"{self._inputs[file].name} ends in the middle of line {line}: {why}"
        return f"{self._where(part, place)}: {why}"

    def _where(self, part: Part, place: int) -> str:
        file, line = part.at(place)
        return f"{self._inputs[file].name}, {self._source.unit} {line}"

    def _count_bad(self, part: Part, bad: list[tuple[int, str]]) -> None:
        for place, why in bad[: self.bad.n_free]:
            self.bad.first.append(self._message(part, place, why))
        self.bad.count += len(bad)

    def _check_rows(self, first: int, seen: set[int]) -> None:
        for file in range(first, len(self._inputs)):
            if file not in seen:
                readable = " that can be read" if self.bad.count else ""
                raise BadDataFile(f"{self._inputs[file].name} holds no rows{readable}")
