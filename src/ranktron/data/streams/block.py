"""Blocks of rows, with the place in the input where the next one begins."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.rows import CSR, Rows

SHOWN = 10


class Place(NamedTuple):
    """Where a block begins or ends.

    ``file`` is the number of the file. ``offset`` counts bytes of unzipped text in it, rows for Parquet, and records in the new
    order when shuffled. ``line`` counts the lines before it in that file, and ``rows`` the rows of this reading.
    """

    file: int = 0
    offset: int = 0
    line: int = 0
    rows: int = 0


class BadLines:
    """The number of lines that were skipped, and the messages of the first ones."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def add(self, message: str) -> None:
        """Count a line."""
        self.count += 1
        if self.n_free:
            self.first.append(message)

    @property
    def n_free(self) -> int:
        """How many more messages are kept."""
        return SHOWN - len(self.first)


@dataclasses.dataclass(slots=True, eq=False, repr=False)
class Block:
    """Rows of a stream: ``rows`` is an array or a CSR with ``n_columns`` columns; ``names`` may have more, for later blocks.

    ``find`` returns the file and line of a row. ``read`` returns the rows as they were read, if they have a form of their
    own: a data frame, or a list of mappings. Both are functions, since few callers need their results.
    """

    rows: Rows
    n_columns: int
    names: list[str] | None = None
    y: np.ndarray | None = None
    qid: np.ndarray | None = None
    place: Place = Place()
    read: Callable[[], Any] | None = None
    find: Callable[[int], str] | None = None
    # The numbers of the rows for ``find`` and ``read``, if some were left out.
    kept: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.rows.indptr) - 1 if isinstance(self.rows, CSR) else len(self.rows)

    def where(self, row: int) -> str:
        """The file and the line of a row."""
        return f"row {row}" if self.find is None else self.find(row if self.kept is None else int(self.kept[row]))

    @property
    def source(self) -> Any:
        """The rows as they were read: a data frame, a list of mappings, or None."""
        if self.read is None:
            return None
        everything = self.read()
        if self.kept is None:
            return everything
        return [everything[row] for row in self.kept] if isinstance(everything, list) else everything[self.kept.tolist()]

    def part(self, start: int, stop: int) -> Block:
        """The rows from ``start`` to ``stop``, without a copy."""
        return self._with(slice(start, stop), _slice(self.rows, start, stop))

    def without(self, rows: int | Sequence[int]) -> Block:
        """All rows except one, or some."""
        others = np.delete(np.arange(len(self)), rows)
        return self._with(others, _taken(self.rows, others))

    def _with(self, kept: Any, rows: Rows) -> Block:
        y, qid = (None if column is None else column[kept] for column in (self.y, self.qid))
        numbers = (np.arange(len(self)) if self.kept is None else self.kept)[kept]
        return dataclasses.replace(self, rows=rows, y=y, qid=qid, kept=numbers)


def _slice(rows: Rows, start: int, stop: int) -> Rows:
    if not isinstance(rows, CSR):
        return rows[start:stop]
    ends = rows.indptr[start : stop + 1]
    return CSR(ends - ends[0], rows.indices[ends[0] : ends[-1]], rows.values[ends[0] : ends[-1]])


def _taken(rows: Rows, kept: np.ndarray) -> Rows:
    if not isinstance(rows, CSR):
        return np.asarray(rows[kept])
    sizes = np.diff(rows.indptr)
    stored = np.repeat(np.isin(np.arange(len(sizes)), kept), sizes)
    indptr = np.append(0, np.cumsum(sizes[kept])).astype(rows.indptr.dtype)
    return CSR(indptr, rows.indices[stored], rows.values[stored])
