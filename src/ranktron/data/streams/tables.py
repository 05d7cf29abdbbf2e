"""Tables with named columns: which hold numbers and which text, the target, the query, and the rows of a data frame."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..svmlight.line import BadDataFile, BadLine, cropped
from .block import Block
from .cells import frame_library, numbers_of, queries_of, reads_as_numbers, targets_of
from .encoding import Codes, Encoder
from .inputs import Input
from .reader import Options, Parsed, PartT, Reader

_FITS = 300  # characters for column names in a message


class Cells(NamedTuple):
    """A data frame as numbers and codes, and by row why it is bad."""

    numbers: np.ndarray
    texts: list[Codes]
    y: np.ndarray | None
    qid: np.ndarray | None
    bad: dict[int, str]


class Layout:
    """What the columns of a table hold, decided by its first rows: ``kinds`` has "number", "flag" or "text" for each feature."""

    def __init__(self, options: Options, columns: Sequence[str], name: str) -> None:
        self.columns, self.name = list(columns), name
        self.target = self._known(options, "target")
        self.query = self._known(options, "query")
        if options.labelled and self.target is None:
            raise ValueError(f"{name} has the columns {listed(self.columns)}: say which one is the target (--target)")
        if options.lists and self.query is None:
            raise ValueError(f"{name} has the columns {listed(self.columns)}: say which one is the query of a row (--query)")
        for column in () if options.is_known else (*options.drop, *options.text):
            check_column(column, self.columns, name, "drop" if column in options.drop else "take as text")
        self.options = options
        self.kinds: dict[str, str] = {}
        self.target_kind = self.query_kind = "text"

    def _known(self, options: Options, role: str) -> str | None:
        column: str | None = getattr(options, role)
        needed = options.labelled if role == "target" else options.lists or not options.is_known
        if column is None or (column not in self.columns and not needed):
            return None
        check_column(column, self.columns, self.name, f"be the {role}")
        return column

    def settle(self, frame: Any) -> None:
        """Decide what the columns hold."""
        known = self.options.kinds
        for column in self.columns:
            if column in (self.target, self.query, *self.options.drop):
                continue
            self.kinds[column] = known.get(column) or self._kind(frame[column], column)
        if not self.kinds:
            raise BadDataFile(f"{self.name} has only the columns {listed(self.columns)}, and none to learn from")
        if self.target is not None:
            self.target_kind = "number" if reads_as_numbers(frame[self.target])[0] else "text"
        if self.query is not None:
            self.query_kind = "number" if queries_of(frame[self.query], "number")[1] == {} else "text"
        for column in known:
            check_column(column, self.columns, self.name, "learn from, as the model did")

    def _kind(self, series: Any, column: str) -> str:
        if column in self.options.text:
            return "text"
        is_number, has_flags = reads_as_numbers(series)
        return ("flag" if has_flags else "number") if is_number else "text"

    def of_kind(self, *kinds: str) -> list[str]:
        """The columns of these kinds."""
        return [column for column, kind in self.kinds.items() if kind in kinds]

    def cells(self, frame: Any) -> Cells:
        """Convert a data frame."""
        bad: dict[int, str] = {}
        columns = self.of_kind("number", "flag")
        numbers = np.empty((frame.height, len(columns)))
        for place, column in enumerate(columns):
            numbers[:, place], wrong = numbers_of(frame[column])
            for row, cell in wrong.items():
                bad.setdefault(row, f"{cell!r:.60} in column {cropped(column)!r} is not a number")
        texts = [_codes(frame[column], column) for column in self.of_kind("text")]
        return Cells(numbers, texts, self._targets(frame, bad), self._queries(frame, bad), bad)

    def _targets(self, frame: Any, bad: dict[int, str]) -> np.ndarray | None:
        if self.target is None:
            return None
        y, wrong = targets_of(frame[self.target], self.target_kind)
        if wrong and not self.options.labelled:
            return None
        bad.update((row, _why("target", self.target, cell, "a number")) for row, cell in wrong.items())
        return y

    def _queries(self, frame: Any, bad: dict[int, str]) -> np.ndarray | None:
        if self.query is None:
            return None
        qid, wrong = queries_of(frame[self.query], self.query_kind)
        bad.update((row, _why("query", self.query, cell, "a whole number")) for row, cell in wrong.items())
        return qid


def _why(role: str, column: str, cell: str | None, kind: str) -> str:
    if cell is None:
        return f"the {role} is missing: column {cropped(column)!r} is empty"
    return f"the {role} {cell!r:.60} in column {cropped(column)!r} is not {kind}, as those before it are"


def _codes(series: Any, column: str) -> Codes:
    values = series.drop_nulls().unique().sort().to_list()
    codes = series.rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1
    if values and values[0] == "":
        values, codes = values[1:], np.maximum(codes - 1, -1)
    return Codes(column, codes, values)


def listed(columns: Sequence[str], most: int = 30, between: str = ", ") -> str:
    """Column names for a message: at most ``most``, and as many as fit."""
    names = [cropped(" ".join(column[:_FITS].split())) for column in columns[:most]]  # a name may hold a line end
    while len(names) > 1 and sum(map(len, names)) > _FITS:
        names.pop()
    shown = between.join(names)
    return shown if len(columns) == len(names) else f"{shown}{between}… ({len(columns)} in all)"


def check_column(column: str, columns: Sequence[str], name: str, purpose: str) -> None:
    """Refuse a column that is absent; the error has the most similar name."""
    if column in columns:
        return
    from difflib import get_close_matches

    close = get_close_matches(column, columns, 1, 0.5)
    meant = f"did you mean {cropped(close[0])!r}? " if close else ""
    raise BadDataFile(f"{name} has no column {cropped(column)!r} to {purpose}: {meant}it has {listed(columns)}")


class ReadTable(NamedTuple):
    """A part as a data frame: where each row begins, and how to get it as it was read."""

    frame: Any
    begins: np.ndarray
    source: Callable[[], Any]
    # Why rows are empty, by row; and where records begin that are not in the frame, and why.
    unread: dict[int, str]
    others: list[tuple[int, str]]


class TableReader(Reader[PartT], Protocol[PartT]):
    """What readers of tables share: columns and their encoding. ``layout`` is set when the first rows are known.

    They give ``read``, which makes a data frame of a part.
    """

    layout: Layout
    encoder: Encoder
    library: Any

    def __init__(self, options: Options, inputs: list[Input]) -> None:
        super().__init__(options, inputs)
        self.encoder = Encoder(options.names, options.hash_bits, options.grow)
        self.library = frame_library()

    def settle_columns(self, columns: list[str], frame: Callable[[], Any]) -> None:
        """Decide what the columns hold, by the first rows."""
        self.layout = Layout(self.options, columns, self.name)
        self.layout.settle(frame())
        self.encoder.columns(self.layout.of_kind("number", "flag"))

    @abc.abstractmethod
    def read(self, part: PartT) -> ReadTable: ...

    def parse(self, part: PartT, skip: bool) -> Parsed:
        """The cells of all rows; with ``skip``, of all good ones."""
        frame, begins, source, unread, others = self.read(part)
        cells = self.layout.cells(frame)
        why = cells.bad | unread
        bad = sorted([*others, *((int(begins[row]), reason) for row, reason in why.items())])
        if bad and not skip:
            place, reason = bad[0]
            raise BadLine(reason, place=place)
        kept = np.array([row not in why for row in range(frame.height)], bool)
        if why:
            cells = self.layout.cells(frame.filter(kept))
        return Parsed(cells, bad, begins[kept].item, lambda: source().filter(kept))

    def to_block(self, parsed: Parsed) -> Block:
        cells: Cells = parsed.rows
        rows = self.encoder.rows(self.layout.of_kind("number", "flag"), cells.numbers, cells.texts)
        return Block(rows, self.encoder.n_columns, self.names, cells.y, cells.qid, read=parsed.read)

    @property
    def names(self) -> list[str] | None:
        return self.encoder.names

    @property
    def schema(self) -> dict[str, Any]:
        options, of_kind = self.options, self.layout.of_kind
        return {
            "target": options.target,
            "query": options.query,
            "drop": list(options.drop),
            "numbers": of_kind("number"),
            "flags": of_kind("flag"),
            "text": of_kind("text"),
            "header": options.header,
            "hash_bits": options.hash_bits,
        }

    @property
    def encoding(self) -> str:
        """How columns of text become numbers, in a sentence; empty if there are none."""
        columns, bits = self.layout.of_kind("text"), self.options.hash_bits
        if bits is not None:
            of_text = f", text as {cropped(columns[0])}=value" if columns else ""
            return f"names of features are hashed into 2^{bits} columns{of_text}"
        if not columns:
            return ""
        what = "column" if len(columns) == 1 else "columns"
        return (
            f"text of {what} {listed(columns, 5)} is one-hot encoded: each value becomes a feature, {cropped(columns[0])}=value"
        )
