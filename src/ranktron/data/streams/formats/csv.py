"""CSV and TSV: polars parses a block of records; where it fails, they are parsed one by one."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from ...svmlight.line import BadDataFile, cropped
from ..inputs import Input
from ..reader import Options
from ..records import BAD_QUOTES, LONGEST_QUOTED, Quoted
from ..tables import ReadTable, TableReader, listed
from ..text_blocks import TextBlock
from ..text_files import TextReader

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WIDEST_TABLE = 1 << 18  # columns; each costs some 6 KB while the first rows are examined


class Candidates(NamedTuple):
    """Records that have the right number of fields, and why others are bad."""

    begins: np.ndarray
    ends: np.ndarray
    bad: list[tuple[int, str]]
    is_all: bool


class Csv(TableReader[TextBlock], TextReader):
    """The reader of CSV."""

    format = "csv"
    records = Quoted(",")

    def __init__(self, options: Options, inputs: list[Input]) -> None:
        super().__init__(options, inputs)
        self.has_header = options.header
        self.columns: list[str] = []

    def read_header(self, name: str, head: bytes) -> None:
        """Read the header of a file; all files must have the same one."""
        if not self.has_header:
            return
        columns = self._header(head.removeprefix(_BYTE_ORDER_MARK), name)
        if self.columns and columns != self.columns:
            raise BadDataFile(f"{name} has other columns than {self.name}: {_difference(columns, self.columns)}")
        self.columns = columns

    def _header(self, head: bytes, name: str) -> list[str]:
        counts = self.records.scan(head, len(head), True)[1].tolist()
        try:
            if len(counts) != 1 or counts[0] == BAD_QUOTES:
                raise BadDataFile(f"{name}, line 1: the header has stray quotes" if counts else f"{name} holds no rows")
            self._check_width(counts[0], name)
            columns = [column.strip() or f"c{place}" for place, column in enumerate(self.records.fields(head), 1)]
        except UnicodeDecodeError:
            raise BadDataFile(f"{name}, line 1: the header is not UTF-8 text; convert the file") from None
        twice = next((column for column, times in Counter(columns).items() if times > 1), None)
        if twice is not None:
            raise BadDataFile(
                f"{name}, line 1: two columns are named {cropped(twice)!r}; rename one, or say that there is no header"
            )
        return columns

    def _check_width(self, count: int, name: str) -> None:
        """Refuse a table that is too wide, unless a model learned from one of this width."""
        most = max(self.options.max_features or WIDEST_TABLE, 2 * len(self.options.names or ()))
        if count > most:
            raise BadDataFile(
                f"{name}, line 1: it has {count:,} columns, and a table may have {most:,}; write lines of svmlight or JSON, "
                f"or allow them (--max-features {count})"
            )

    def settle(self, text: TextBlock) -> None:
        """Decide what the columns hold."""
        if not self.has_header:
            width = int(self.records.scan(text.data, text.size, True)[1][0])
            self._check_width(width, self.name)
            self.columns = [f"c{place}" for place in range(1, width + 1)]
        self.settle_columns(self.columns, lambda: self._stripped(self._strings(text, self._found(text))))

    def key(self, record: bytes) -> Any:
        """The query of a record, as it is written."""
        try:
            return self.records.fields(record)[self.columns.index(self.layout.query or "")].strip()
        except (ValueError, IndexError):
            return record

    def read(self, part: TextBlock) -> ReadTable:
        """The records with the right number of fields."""
        found = self._found(part)
        frame, unread = self._frame(part, found, self._types())
        return ReadTable(self._stripped(frame), found.begins, lambda: self._strings(part, found), unread, found.bad)

    def _found(self, text: TextBlock) -> Candidates:
        """The records that have as many fields as there are columns."""
        ends, counts = self.records.scan(text.data, text.size, True)
        begins = np.append(0, ends[:-1])[: len(ends)]
        is_short = ends - begins <= 2
        blank = np.zeros(len(ends), bool)
        blank[is_short] = [self.records.is_blank(text.data[a:b]) for a, b in zip(begins[is_short], ends[is_short], strict=True)]
        good = (counts == len(self.columns)) & ~blank
        wrong = np.flatnonzero(~good & ~blank)
        bad = [(int(begins[record]), self._why(int(counts[record]))) for record in wrong.tolist()]
        return Candidates(begins[good], ends[good], bad, bool(good.all()))

    def _why(self, count: int) -> str:
        if count == BAD_QUOTES:
            return (
                f"the quotes do not match: a field in quotes ends with a quote within {LONGEST_QUOTED >> 20} MB, "
                "and quotes inside it are doubled"
            )
        return f"it has {count} fields where there are {len(self.columns)} columns"

    def _types(self) -> dict[str, Any]:
        library, layout = self.library, self.layout
        types = dict.fromkeys(self.columns, library.String)
        types |= dict.fromkeys(layout.of_kind("number"), library.Float64)
        if layout.target is not None and layout.target_kind == "number":
            types[layout.target] = library.Float64
        if layout.query is not None and layout.query_kind == "number":
            types[layout.query] = library.Int64
        return types

    def _frame(self, text: TextBlock, found: Candidates, types: dict[str, Any]) -> tuple[Any, dict[int, str]]:
        """The records as a data frame, and by row why it is not text."""
        data = text.data[: text.size] if found.is_all else b"".join(_records(text, found))
        frame = self._read(data, types) if data else self.library.DataFrame(schema=types)
        if frame is not None and frame.height == len(found.begins):
            return frame, {}
        return self._by_line(text, found)

    def _read(self, data: bytes, types: dict[str, Any]) -> Any:
        try:
            return self.library.read_csv(data, has_header=False, schema=types, separator=chr(self.records.delimiter))
        except (self.library.exceptions.PolarsError, self.library.exceptions.PanicException):
            return None

    def _stripped(self, frame: Any) -> Any:
        """The frame without white space around text."""
        return frame.with_columns(self.library.col(self.library.String).str.strip_chars())

    def _by_line(self, text: TextBlock, found: Candidates) -> tuple[Any, dict[int, str]]:
        rows: list[list[str]] = []
        bad: dict[int, str] = {}
        for row, record in enumerate(_records(text, found)):
            try:
                rows.append(self.records.fields(record))
            except UnicodeDecodeError:
                rows.append([""] * len(self.columns))
                bad[row] = "it is not UTF-8 text"
        columns = zip(*rows, strict=True) if rows else ([] for _ in self.columns)
        types = dict.fromkeys(self.columns, self.library.String)
        return self.library.DataFrame(dict(zip(self.columns, map(list, columns), strict=True)), schema=types), bad

    def _strings(self, text: TextBlock, found: Candidates) -> Any:
        return self._frame(text, found, dict.fromkeys(self.columns, self.library.String))[0]


class Tsv(Csv):
    """The reader of TSV."""

    format = "tsv"
    records = Quoted("\t")


def _records(text: TextBlock, found: Candidates) -> list[bytes]:
    return [text.data[begin:end] for begin, end in zip(found.begins.tolist(), found.ends.tolist(), strict=True)]


def _difference(columns: list[str], others: list[str]) -> str:
    new = [column for column in columns if column not in others]
    missing = [column for column in others if column not in columns]
    if new or missing:
        return "; ".join(f"{what} {listed(some, 5)}" for what, some in (("it has", new), ("it lacks", missing)) if some)
    return "they are in another order"
