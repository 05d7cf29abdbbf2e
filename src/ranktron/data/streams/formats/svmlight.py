"""LETOR and svmlight lines: columns without names, labels, and queries where there are any."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ....core.rows import CSR, Rows
from ...svmlight.columns import Table, joined
from ...svmlight.fill import fill, kernels_for
from ...svmlight.line import GREATEST, QUERY, BadLine, Limits, last_index
from ...svmlight.text import Piece
from ..options import Options
from ..rows import Filled, Parsed, bad_line, begin_of, too_many
from ..texts import MARGIN, Lines, Text

_QUERY = re.compile(rb"(?:^|\s)qid:([+-]?[0-9]+)(?=\s|#|$)")
WIDEST = 2**31 - 1
# Bad lines of a text until each of the others is looked at by itself.
PATIENCE = 10

# Lines before the last one that tell how many features it should have.
AGREEING = 2


class SvmlightLines(Parsed):
    """A table, and the lines that are none of its rows."""

    def __init__(self, table: Table, bad: list[tuple[int, str]]) -> None:
        super().__init__(bad)
        self.table = table


class Svmlight:
    """Reads texts of lines; ``expected`` is how many bytes of them there are."""

    format = "svmlight"
    workers = True
    has_header = False
    looks_at = MARGIN  # for the first row tells all
    names: list[str] | None = None

    def __init__(self, options: Options, expected: int) -> None:
        self.options, self.expected = options, expected
        self.records = Lines()
        self.n_columns = options.n_columns or 1 if options.hash_bits is None else 1 << options.hash_bits
        self.has_queries = False
        self._hasher: Any = None
        kernels_for(expected)  # found out now, for threads that do so at once are in each other's way

    def begin(self, name: str, head: bytes) -> None:
        """Nothing: there is no header."""

    def settle(self, text: Text) -> None:
        """See whether there are queries."""
        first = next((line for line in text.data[: text.size].split(b"\n") if not self.records.is_blank(line)), b"")
        self.has_queries = _has_query(first)

    @property
    def schema(self) -> dict[str, Any]:
        """What another file of the same kind is read with."""
        hashed = {} if self.options.hash_bits is None else {"hash_bits": self.options.hash_bits}
        return {"zero_based": self.options.zero_based, "n_columns": self.n_columns, **hashed}

    @property
    def encoding(self) -> str:
        """How indices become columns, where they do not number them."""
        bits = self.options.hash_bits
        return "" if bits is None else f"indices of features are hashed into 2^{bits} columns"

    def key(self, record: bytes) -> Any:
        """The query of a line."""
        found = _QUERY.search(record)
        if found is None or len(found[1]) > 20 or record.find(b"#", 0, found.start()) >= 0:
            return record
        return int(found[1])

    def parse(self, text: Text, skip: bool) -> SvmlightLines:
        """Read all lines, or all that can be read."""
        bad: list[tuple[int, str]] = []
        tables: list[Table] = []
        start = 0
        while start < text.size:
            try:
                tables.append(self._table(text, start, text.size))
                break
            except BadLine as error:
                if not skip:
                    raise
                if len(bad) == PATIENCE:
                    tables.append(self._good_lines(text, start, bad))
                    break
                bad.append((error.place, str(error)))
                if error.place > start:
                    tables.append(self._table(text, start, error.place))
                start = Piece(text.data, error.place, text.size).line_end(error.place)
        return SvmlightLines(joined(tables), bad)

    @property
    def _most(self) -> int:
        """How many columns there may be."""
        if self.options.hash_bits is not None:
            return GREATEST + 1
        return min(WIDEST, self.options.most_features or WIDEST)

    def _hashed(self, table: Table, bits: int) -> Rows:
        from ..encoding import IndexHasher

        self._hasher = self._hasher or IndexHasher(bits)
        indices = table.indices.astype(np.int64) + (0 if self.options.zero_based else 1)
        rows: Rows = self._hasher.rows(table.sizes, indices, table.values)
        return rows

    def _good_lines(self, text: Text, start: int, bad: list[tuple[int, str]]) -> Table:
        """Look at each line from ``start`` on, and read those that are good."""
        good: list[bytes] = []
        for end in (self.records.ends(text.data[start : text.size], text.size - start, True) + start).tolist():
            line = text.data[start:end]
            try:
                if not self.records.is_blank(line):
                    self._table(Text(line, len(line), 0, 0), 0, len(line))
                    good.append(line if line.endswith(b"\n") else line + b"\n")
            except BadLine as error:
                bad.append((start, str(error)))
            start = end
        lines = b"".join(good)
        return self._table(Text(lines, len(lines), 0, 0), 0, len(lines))

    def _table(self, text: Text, start: int, stop: int) -> Table:
        piece = Piece(text.data, start, stop)
        limits = Limits(0 if self.options.zero_based else 1, GREATEST, self.options.lists)
        try:
            table, _ = fill(piece, limits, False, self.expected)
        except BadLine as error:
            if error.place > start:
                self._table(text, start, error.place)  # for a line before it may be too wide
            if str(error).startswith("there is no qid"):
                raise bad_line(error.place, "there is no qid, and lists need one in every line") from None
            raise
        if table.highest >= self._most:
            _refuse_width(piece, limits.first, self._most)
        if text.is_open and stop == text.size and not self.records.is_blank(text.data[_last_line(text) : stop]):
            _check_last(table.sizes, text)
        return table

    def begin_of(self, text: Text, parsed: SvmlightLines, row: int) -> int:
        """Where the line of a row begins."""
        return begin_of(self.records, text, {place for place, _ in parsed.bad}, row)

    def finish(self, parsed: SvmlightLines) -> Filled:
        """Rows with as many columns as any had so far."""
        table, bits = parsed.table, self.options.hash_bits
        if bits is None:
            self.n_columns = max(self.n_columns, table.width)
        rows = _rows(table, self.n_columns) if bits is None else self._hashed(table, bits)
        return Filled(rows, self.n_columns, None, table.y, table.qid if self.has_queries else None)


def _rows(table: Table, n_columns: int) -> Rows:
    if len(table.values) == len(table.y) * n_columns:  # ascending, so they are all there
        return table.values.reshape(-1, n_columns)
    indptr = np.zeros(len(table.y) + 1, np.int32)
    np.cumsum(table.sizes, out=indptr[1:])
    return CSR(indptr, table.indices.astype(np.int32, copy=False), table.values)


def _has_query(line: bytes) -> bool:
    return any(token.startswith(QUERY) for token in line.partition(b"#")[0].split())


def _refuse_width(piece: Piece, first: int, most: int) -> None:
    place = piece.start
    while (index := last_index(piece.text[place : piece.line_end(place)])) - first < most:
        place = piece.line_end(place)
    if index > WIDEST:
        raise bad_line(
            place, f"index {index} is beyond {WIDEST}, the last that there are columns for; hash them (--hash-bits 20)"
        )
    raise bad_line(place, f"index {index} makes {too_many(index - first + 1, most)}")


def _last_line(text: Text) -> int:
    return text.data.rfind(b"\n", 0, text.size) + 1


def _check_last(sizes: np.ndarray, text: Text) -> None:
    """Refuse a last line without an end that has fewer features than all others have."""
    before = sizes[:-1]
    if len(before) >= AGREEING and (before == before[0]).all() and sizes[-1] < before[0]:
        raise bad_line(_last_line(text), f"it has {sizes[-1]} features where all others have {before[0]}")
