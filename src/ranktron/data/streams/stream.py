"""A stream: files or a pipe as blocks of rows, in order or shuffled, from any place on."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Generator
from typing import Any

from ..svmlight.fill import _cores
from ..svmlight.line import BadDataFile, BadLine
from .block import BadLines, Block, Origin, Place
from .inputs import Input
from .pipeline import parsed
from .rows import too_many
from .texts import Text


class Stream:
    """What ``open_stream`` gives; reading it again gives the same blocks."""

    def __init__(self, files: Any, reader: Any, skip: bool, buffer: int) -> None:
        self._files, self._reader, self._skip, self._buffer = files, reader, skip, buffer
        self._inputs: list[Input] = files.inputs
        self._total: int | None = None
        self.format: str = reader.format
        self.bad = BadLines()
        self.rereadable = all(source.is_regular for source in self._inputs)
        sizes = [source.size for source in self._inputs if source.size is not None]
        self.n_bytes = sum(sizes) if self.rereadable else None

    @property
    def lists(self) -> bool:
        """Whether blocks are made of whole lists."""
        return bool(self._reader.options.lists)

    @property
    def has_queries(self) -> bool:
        """Whether rows say which list they belong to."""
        return bool(self._reader.has_queries)

    @property
    def schema(self) -> dict[str, Any]:
        """Plain data that another file is read by in the same way."""
        return {"format": self.format, **self._reader.schema}

    @property
    def names(self) -> list[str] | None:
        """The names of the columns so far, or None if they have none."""
        names: list[str] | None = self._reader.names
        return names

    @property
    def encoding(self) -> str:
        """How text becomes numbers, in a sentence."""
        return str(self._reader.encoding)

    def limit_features(self, most: int) -> None:
        """Refuse data that need more columns than ``most``; to be called before ``blocks``."""
        options = self._reader.options
        if options.hash_bits is not None and (count := 1 << options.hash_bits) > most:
            raise ValueError(
                f"--hash-bits {options.hash_bits} makes {count:,} features, and a model may have {most:,}; take fewer bits, "
                f"or allow them (--max-features {count})"
            )
        self._reader.options = options._replace(max_features=most)

    def fingerprint(self) -> list[dict[str, Any]]:
        """Path, size and time of every file: a run is resumed only if they are the same."""
        found = (source.fingerprint() for source in self._inputs)
        return [one for one in found if one is not None]

    def check_unchanged(self) -> None:
        """Refuse if a file is another one than when the stream was opened."""
        for source in self._inputs:
            source.check_unchanged()

    def progress(self, place: Block | Place) -> float | None:
        """The share of the input that is behind a place of the reading that is going on."""
        place = place.place if isinstance(place, Block) else place
        return self._files.progress(place) if self._total is None else place.offset / self._total

    @property
    def order(self) -> str:
        """What ``shuffle`` does, in a sentence."""
        what = "lists" if self.lists else "rows"
        if self._files.is_seekable:
            return f"all {what} in random order"
        return f"{what} shuffled in a buffer of {self._buffer:,} rows, as pipes, zipped files and Parquet files are"

    def blocks(self, start: Place | None = None, *, shuffle: tuple[int, int] | None = None) -> Generator[Block]:
        """Blocks from a place on; with ``shuffle``, a seed and an epoch, in an order of their own."""
        start = Place() if start is None else Place(*start)
        rows, seen = start.rows, {start.file} if start.offset else set()
        workers = _cores() if self._reader.workers and self.rereadable else 1  # a pipe should not be waited for thrice
        texts = self._items(start, shuffle)
        with contextlib.closing(texts), contextlib.closing(parsed(texts, self._parse, workers)) as items:
            for (text, place), lines in items:
                self._count_bad(text, lines.bad)
                block = self._block(text, lines, place._replace(rows=rows))
                if len(block):
                    rows = block.place.rows
                    seen.add(text.file)
                    yield block
        if shuffle is None or not rows:
            self._check_rows(start.file, seen)
        self.check_unchanged()

    def _items(self, start: Place, shuffle: tuple[int, int] | None) -> Any:
        self._total = None
        if shuffle is None:
            return self._files.in_order(start)
        drop_last = functools.partial(self._drop_last, start.offset == 0)
        if not self._files.is_seekable:
            return self._files.through_buffer(start, *shuffle, self._buffer, drop_last)
        self._total = len(self._files.index(drop_last).entries)
        return self._files.permuted(start, *shuffle, drop_last)

    def _drop_last(self, counted: bool, text: Text) -> int:
        """Refuse a last line that is not whole, or count it unless that was done; its size is what has to be left out."""
        begin = text.data.rfind(b"\n", 0, text.size) + 1
        lines = self._parse((text, None))
        bad = [(place, why) for place, why in lines.bad if place >= begin]
        if counted:
            self._count_bad(text, bad)
        return text.size - begin if bad else 0

    def _block(self, text: Any, lines: Any, place: Place) -> Block:
        rows, n_columns, names, y, qid, source = self._reader.finish(lines)
        most = self._reader.options.most_features
        if most is not None and n_columns > most:
            where = self._where(text, self._reader.begin_of(text, lines, 0))
            raise BadDataFile(f"{where}: the rows from here on make {too_many(n_columns, most)}")
        origin = Origin(lambda row: self._where(text, self._reader.begin_of(text, lines, row)), source)
        block = Block(rows, n_columns, names, y, qid, place, origin)
        block.place = place._replace(rows=place.rows + len(block))
        return block

    def _parse(self, item: tuple[Any, Any]) -> Any:
        try:
            return self._reader.parse(item[0], self._skip)
        except BadLine as error:
            raise BadDataFile(self._sentence(item[0], error.place, str(error))) from None

    def _sentence(self, text: Any, place: int, why: str) -> str:
        file, line = text.at(place)
        self._inputs[file].check_unchanged()
        if text.is_open and place > text.data.rfind(b"\n", 0, text.size):
            return f"{self._inputs[file].name} ends in the middle of line {line}: {why}"
        return f"{self._where(text, place)}: {why}"

    def _where(self, text: Any, place: int) -> str:
        file, line = text.at(place)
        return f"{self._inputs[file].name}, {self._files.unit} {line}"

    def _count_bad(self, text: Any, bad: list[tuple[int, str]]) -> None:
        for place, why in bad[: self.bad.room]:
            self.bad.first.append(self._sentence(text, place, why))
        self.bad.count += len(bad)

    def _check_rows(self, first: int, seen: set[int]) -> None:
        for file in range(first, len(self._inputs)):
            if file not in seen:
                readable = " that can be read" if self.bad.count else ""
                raise BadDataFile(f"{self._inputs[file].name} holds no rows{readable}")
