"""LETOR and svmlight lines: columns without names, labels, and queries if there are any."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np

from ....core.rows import CSR, Rows
from ...svmlight.columns import SvmlightRows, joined
from ...svmlight.fill import fill, loops_for
from ...svmlight.line import GREATEST, QUERY, BadLine, Limits, last_index
from ...svmlight.text import Piece
from ..block import Block
from ..inputs import Input
from ..reader import Options, Parsed, too_many
from ..text_blocks import MARGIN, TextBlock
from ..text_files import TextReader

_QUERY = re.compile(rb"(?:^|\s)qid:([+-]?[0-9]+)(?=\s|#|$)")
WIDEST = 2**31 - 1
# After so many bad lines in a block, every line is parsed by itself: each bad line costs another pass over the rest.
MOST_PASSES = 10

# How many lines of one width it takes to refuse a shorter last line without a line end, which is probably cut off.
AGREEING = 2


class Svmlight(TextReader):
    """The reader of svmlight and LETOR files."""

    format = "svmlight"
    looks_at = MARGIN  # the first row shows whether there are queries

    def __init__(self, options: Options, inputs: list[Input]) -> None:
        super().__init__(options, inputs)
        self.expected = sum(source.size or 0 for source in inputs)
        self.n_columns = options.n_columns or 1 if options.hash_bits is None else 1 << options.hash_bits
        self.has_queries = False
        self._hasher: Any = None
        loops_for(self.expected)  # decided now, before the threads start

    def settle(self, text: TextBlock) -> None:
        """See whether there are queries."""
        first = next((line for line in text.data[: text.size].split(b"\n") if not self.records.is_blank(line)), b"")
        self.has_queries = any(token.startswith(QUERY) for token in first.partition(b"#")[0].split())

    @property
    def schema(self) -> dict[str, Any]:
        hashed = {} if self.options.hash_bits is None else {"hash_bits": self.options.hash_bits}
        return {"zero_based": self.options.zero_based, "n_columns": self.n_columns, **hashed}

    @property
    def encoding(self) -> str:
        """How indices are hashed, if they are."""
        bits = self.options.hash_bits
        return "" if bits is None else f"indices of features are hashed into 2^{bits} columns"

    def key(self, record: bytes) -> Any:
        found = _QUERY.search(record)
        if found is None or len(found[1]) > 20 or record.find(b"#", 0, found.start()) >= 0:
            return record
        return int(found[1])

    def parse(self, text: TextBlock, skip: bool) -> Parsed:
        bad: list[tuple[int, str]] = []
        tables: list[SvmlightRows] = []
        start = 0
        while start < text.size:
            try:
                tables.append(self._table(text, start, text.size))
                break
            except BadLine as error:
                if not skip:
                    raise
                if len(bad) == MOST_PASSES:
                    tables.append(self._good_lines(text, start, bad))
                    break
                bad.append((error.place, str(error)))
                if error.place > start:
                    tables.append(self._table(text, start, error.place))
                start = Piece(text.data, error.place, text.size).line_end(error.place)
        return Parsed(joined(tables), bad, lambda row: self._begin_of(text, bad, row))

    def _begin_of(self, text: TextBlock, bad: list[tuple[int, str]], row: int) -> int:
        """Where the line of a row begins."""
        others = {place for place, _ in bad}
        begins = (begin for begin, _ in self.records.rows(text.data, text.size) if begin not in others)
        return next(itertools.islice(begins, row, None))

    @property
    def _most(self) -> int:
        if self.options.hash_bits is not None:
            return GREATEST + 1
        return min(WIDEST, self.options.most_features or WIDEST)

    def _hashed(self, table: SvmlightRows, bits: int) -> Rows:
        from ..encoding import IndexHasher

        self._hasher = self._hasher or IndexHasher(bits)
        indices = table.indices.astype(np.int64) + (0 if self.options.zero_based else 1)
        rows: Rows = self._hasher.rows(table.sizes, indices, table.values)
        return rows

    def _good_lines(self, text: TextBlock, start: int, bad: list[tuple[int, str]]) -> SvmlightRows:
        """Parse each line from ``start`` on by itself, to find the good ones."""
        good: list[bytes] = []
        data = text.data[start : text.size]
        for begin, end in self.records.rows(data, len(data)):
            line = data[begin:end]
            try:
                self._table(TextBlock(line, len(line), 0, 0), 0, len(line))
                good.append(line if line.endswith(b"\n") else line + b"\n")
            except BadLine as error:
                bad.append((start + begin, str(error)))
        lines = b"".join(good)
        return self._table(TextBlock(lines, len(lines), 0, 0), 0, len(lines))

    def _table(self, text: TextBlock, start: int, stop: int) -> SvmlightRows:
        piece = Piece(text.data, start, stop)
        limits = Limits(0 if self.options.zero_based else 1, GREATEST, self.options.lists)
        try:
            table, _ = fill(piece, limits, False, self.expected)
        except BadLine as error:
            if error.place > start:
                self._table(text, start, error.place)  # a line before it may be too wide: that error comes first
            if str(error).startswith("there is no qid"):
                raise BadLine("there is no qid, and lists need one in every line", place=error.place) from None
            raise
        if table.highest >= self._most:
            _refuse_width(piece, limits.first, self._most)
        if text.is_open and stop == text.size and not self.records.is_blank(text.data[text.last_line : stop]):
            _check_last(table.sizes, text)
        return table

    def to_block(self, parsed: Parsed) -> Block:
        """Rows with as many columns as the widest block so far."""
        table: SvmlightRows = parsed.rows
        bits = self.options.hash_bits
        if bits is None:
            self.n_columns = max(self.n_columns, table.width)
        rows = _rows(table, self.n_columns) if bits is None else self._hashed(table, bits)
        return Block(rows, self.n_columns, None, table.y, table.qid if self.has_queries else None)


def _rows(table: SvmlightRows, n_columns: int) -> Rows:
    if len(table.values) == len(table.y) * n_columns:  # indices ascend, so every row has every feature
        return table.values.reshape(-1, n_columns)
    indptr = np.zeros(len(table.y) + 1, np.int32)
    np.cumsum(table.sizes, out=indptr[1:])
    return CSR(indptr, table.indices.astype(np.int32, copy=False), table.values)


def _refuse_width(piece: Piece, first: int, most: int) -> None:
    place = piece.start
    while (index := last_index(piece.text[place : piece.line_end(place)])) - first < most:
        place = piece.line_end(place)
    if index > WIDEST:
        why = f"index {index} is beyond {WIDEST}, the highest that can be a column; hash them (--hash-bits 20)"
    else:
        why = f"index {index} makes {too_many(index - first + 1, most)}"
    raise BadLine(why, place=place)


def _check_last(sizes: np.ndarray, text: TextBlock) -> None:
    """Refuse a last line without a line end that has fewer features than all lines before it."""
    before = sizes[:-1]
    if len(before) >= AGREEING and (before == before[0]).all() and sizes[-1] < before[0]:
        raise BadLine(f"it has {sizes[-1]} features where all others have {before[0]}", place=text.last_line)
