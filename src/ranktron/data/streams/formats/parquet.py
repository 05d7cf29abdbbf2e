"""Parquet files, read by polars in blocks of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...svmlight.line import BadDataFile, cropped
from ..block import Place
from ..inputs import Input
from ..reader import Source
from ..shuffle import Record
from ..tables import ReadTable, TableReader, listed

BLOCK_ROWS = 50_000


class FrameBlock(NamedTuple):
    """Rows of a data frame, with the file and the row number of each."""

    frame: Any
    file: int
    rows: np.ndarray
    files: np.ndarray | None = None

    def at(self, row: int) -> tuple[int, int]:
        """The file and the row, counted from 1."""
        return (self.file if self.files is None else int(self.files[row])), int(self.rows[row]) + 1


Item = tuple[FrameBlock, Place]


class Parquet(TableReader[FrameBlock]):
    """The reader of Parquet files."""

    format = "parquet"

    def open(self, lists: bool | None, block_rows: int | None) -> Source:
        """Decide what the columns hold by the first block of the first file."""
        files = ParquetFiles(self.inputs, self, block_rows)
        frame = files.read(0, 0, files.block_rows)
        self.settle_columns(frame.columns, lambda: self._plain(frame))
        self.decide_lists(lists)
        return files

    def read(self, part: FrameBlock) -> ReadTable:
        """All rows."""
        return ReadTable(self._plain(part.frame), np.arange(part.frame.height), lambda: part.frame, {}, [])

    def _plain(self, frame: Any) -> Any:
        """The columns that are used, as numbers or as text."""
        used = [column for column in frame.columns if column not in self.options.drop]
        return frame.select(self._plain_column(frame[column]) for column in used)

    def _plain_column(self, series: Any) -> Any:
        library, kind = self.library, series.dtype
        as_text = series.name in self.options.text or self.options.kinds.get(series.name) == "text"
        if kind == library.String:
            return series
        if kind.is_integer() and series.name == self.options.query:
            return series
        if (kind.is_numeric() or kind in (library.Boolean, library.Null)) and not as_text:
            return series.cast(library.Float64)
        if kind.is_nested() or kind in (library.Binary, library.Object):
            raise BadDataFile(
                f"{self.name}: column {cropped(series.name)!r} holds {kind}, neither numbers nor text; drop it (--drop)"
            )
        return series.cast(library.String)


class ParquetFiles(Source):
    """The source of Parquet rows."""

    unit = "row"
    is_seekable = False

    def __init__(self, inputs: list[Input], reader: Parquet, block_rows: int | None) -> None:
        self.inputs, self.reader, self.block_rows = inputs, reader, block_rows or BLOCK_ROWS
        for source in inputs:
            if not source.is_regular or source.is_zipped:
                raise BadDataFile(f"{source.name}: Parquet is read from plain files; write it to one first")
        self._schema = self._scan(0, lambda scan: scan.collect_schema())
        count = reader.library.len()
        self._sizes = [self._scan(file, lambda scan: scan.select(count).collect().item()) for file in range(len(inputs))]

    def _scan(self, file: int, work: Callable[[Any], Any]) -> Any:
        library, source = self.reader.library, self.inputs[file]
        try:
            return work(library.scan_parquet(source.path, glob=False))
        except (library.exceptions.PolarsError, library.exceptions.PanicException, OSError) as error:
            source.check_unchanged()
            reason = cropped(str(error).strip().split("\n")[0], 200)
            raise BadDataFile(f"{source.name} cannot be read as Parquet: {reason}") from None

    def read(self, file: int, start: int, stop: int, columns: list[str] | None = None) -> Any:
        def work(scan: Any) -> Any:
            part = scan.slice(start, stop - start)
            return (part if columns is None else part.select(columns)).collect()

        return self._scan(file, work)

    def in_order(self, start: Place) -> Iterator[Item]:
        for file in range(start.file, len(self.inputs)):
            place = start.offset if file == start.file else 0
            while place < self._sizes[file]:
                stop = self._stop(file, place)
                frame = self._checked(file, self.read(file, place, stop))
                yield FrameBlock(frame, file, np.arange(place, stop)), Place(file, stop, stop)
                place = stop

    def _checked(self, file: int, frame: Any) -> Any:
        known = self.reader.layout.columns
        if frame.columns != known:
            missing = [column for column in known if column not in frame.columns]
            what = f"it lacks {listed(missing, 5)}" if missing else f"it has {listed(frame.columns)}"
            raise BadDataFile(f"{self.inputs[file].name} has other columns than {self.reader.name}: {what}")
        return frame

    def _stop(self, file: int, place: int) -> int:
        """Where a block ends: at the end of its list, if there are lists."""
        stop, size = min(place + self.block_rows, self._sizes[file]), self._sizes[file]
        query = self.reader.layout.query
        if not self.reader.options.lists or query is None:
            return stop
        last = self.read(file, stop - 1, stop, [query])[query][0]
        while stop < size:
            following = self.read(file, stop, stop + self.block_rows, [query])[query]
            others = (following.ne_missing(last)).arg_true()
            if len(others):
                return stop + int(others[0])
            stop += len(following)
        return size

    def progress(self, place: Place) -> float | None:
        """The share of the rows before a place."""
        is_shuffled = place.line == 0
        behind = place.rows if is_shuffled else sum(self._sizes[: place.file]) + place.offset
        return min(1.0, behind / max(1, sum(self._sizes)))

    def records(self, part: FrameBlock) -> list[Record]:
        rows, begin = part.frame.rows(), int(part.rows[0])
        query = self.reader.layout.query
        if not self.reader.options.lists or query is None:
            return [Record([row], part.file, begin + place) for place, row in enumerate(rows)]
        keys = part.frame[query].to_list()
        ends = [place for place in range(1, len(keys)) if keys[place] != keys[place - 1]]
        spans = pairwise([0, *ends, len(keys)])
        return [Record(rows[start:stop], part.file, begin + start, stop - start, key=keys[start]) for start, stop in spans]

    def joined(self, records: list[Record]) -> FrameBlock:
        rows = [row for record in records for row in record.data]
        frame = self.reader.library.DataFrame(rows, schema=self._schema, orient="row")
        numbers = np.concatenate([np.arange(record.line, record.line + record.rows) for record in records])
        files = np.repeat([record.file for record in records], [record.rows for record in records])
        return FrameBlock(frame, 0, numbers, files)

    def n_together(self, records: list[Record]) -> int:
        """As many as a block has rows."""
        return self.block_rows
