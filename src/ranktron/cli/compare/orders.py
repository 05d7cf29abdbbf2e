"""One reading of a stream in several orders at once, in bounded memory.

Rows, or whole lists, go through one shuffling buffer per repeat: new rows join the buffer, and the surplus leaves it, drawn at
random. A stream that is shorter than the buffer comes out as a random permutation. Repeats draw independently but release the
same number of rows at a time, and a row that is in several buffers is stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.rows import CSR, Rows
from ...data.streams.block import Block
from ..shared.figures import list_bounds

# The size of the buffer in rows.
BUFFER = 100_000


class StreamOrders:
    """``push`` takes blocks, ``take`` returns the same rows, a block per repeat; a single repeat keeps their order."""

    def __init__(self, repeats: int, seed: int, lists: bool, buffer: int = BUFFER) -> None:
        self._lists, self._buffer = lists, buffer if repeats > 1 else 0
        self._random = [np.random.Generator(np.random.PCG64([seed, repeat])) for repeat in range(repeats)]
        self._waiting = [np.empty(0, np.int64) for _ in range(repeats)]
        self._leaving = [np.empty(0, np.int64) for _ in range(repeats)]
        self._store: list[Block] = []
        self._units = np.empty((0, 3), np.int64)  # for every row or list: its block, and its first and last row there
        self.rows = self.units = self._needed = 0

    @property
    def ready(self) -> int:
        """The number of rows, or lists, that each repeat can take now."""
        return len(self._leaving[0])

    def push(self, block: Block) -> None:
        """Add the rows of a block."""
        self._tidy()
        bounds = list_bounds(block.qid) if self._lists else np.arange(len(block) + 1)
        new = np.column_stack([np.full(len(bounds) - 1, len(self._store)), bounds[:-1], bounds[1:]])
        numbers = np.arange(len(self._units), len(self._units) + len(new))
        self._store.append(block)
        self._units = np.concatenate([self._units, new])
        self.rows, self.units = self.rows + len(block), self.units + len(new)
        kept = self._buffer * self.units // self.rows
        self._waiting = [np.append(waiting, numbers) for waiting in self._waiting]
        self._release(min(kept, len(self._waiting[0])))

    def close(self) -> None:
        """Release all rows: no more will come."""
        self._release(0)

    def _release(self, kept: int) -> None:
        if len(self._waiting[0]) == kept:
            return
        for repeat, random in enumerate(self._random):
            waiting = self._waiting[repeat]
            order = random.permutation(waiting) if self._buffer else waiting
            self._waiting[repeat] = order[:kept]
            self._leaving[repeat] = np.append(self._leaving[repeat], order[kept:])

    def take(self, count: int) -> list[Block]:
        """The next rows, or lists, of every repeat."""
        taken = [self._gathered(leaving[:count]) for leaving in self._leaving]
        self._leaving = [leaving[count:] for leaving in self._leaving]
        return taken

    def _gathered(self, numbers: np.ndarray) -> Block:
        (first, start, _), (last, _, stop) = self._units[numbers[0]], self._units[numbers[-1]]
        if not self._buffer and first == last:
            return self._store[int(first)].part(int(start), int(stop))
        block, rows, sizes = self._rows_of(numbers)
        qid = np.repeat(np.arange(len(sizes)), sizes) if self._lists else None  # two runs of one query are two lists
        return gathered(self._store, block, rows, qid)

    def _tidy(self) -> None:
        """Delete rows that no repeat needs, once these are about half of the store."""
        held = len(self._waiting[0]) + len(self._leaving[0])
        if len(self._units) <= 2 * max(self._needed, held) + 1000 * (held > 0):
            return
        needed = np.unique(np.concatenate(self._waiting + self._leaving))
        self._needed = len(needed)
        self._waiting, self._leaving = (
            [np.searchsorted(needed, numbers) for numbers in kept] for kept in (self._waiting, self._leaving)
        )
        block, rows, sizes = self._rows_of(needed)
        ends = np.cumsum(sizes)
        self._store = [gathered(self._store, block, rows, None)] if len(needed) else []
        self._units = np.column_stack([np.zeros_like(ends), ends - sizes, ends])

    def _rows_of(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For rows or lists of these numbers: the block and the place in it of every row, and their numbers of rows."""
        block, start, stop = self._units[numbers].T
        sizes = stop - start
        return np.repeat(block, sizes), _runs(start, sizes), sizes


def gathered(blocks: Sequence[Block], which: np.ndarray, rows: np.ndarray, qid: Any) -> Block:
    """A block of rows of several blocks: of ``blocks[which[i]]`` the row ``rows[i]``."""
    used = np.unique(which).tolist()
    newest = max((blocks[number] for number in used), key=lambda block: block.n_columns)
    labels = _labels([blocks[number] for number in used])
    y = np.empty(len(rows), labels)
    for number in used:
        mine = which == number
        y[mine] = np.asarray(blocks[number].y)[rows[mine]]
    return Block(_rows(blocks, used, which, rows), newest.n_columns, newest.names, y, qid)


def _labels(blocks: Sequence[Block]) -> Any:
    kinds = {np.asarray(block.y).dtype for block in blocks}
    return np.dtype(object) if any(kind.kind in "OU" for kind in kinds) else np.result_type(*kinds)


def _rows(blocks: Sequence[Block], used: list[int], which: np.ndarray, rows: np.ndarray) -> Rows:
    if all(not isinstance(blocks[number].rows, CSR) for number in used) and len({blocks[n].n_columns for n in used}) == 1:
        dense = np.empty((len(rows), blocks[used[0]].n_columns))
        for number in used:
            mine = which == number
            dense[mine] = blocks[number].rows[rows[mine]]
        return dense
    return _sparse({number: as_sparse(blocks[number].rows) for number in used}, which, rows)


def as_sparse(rows: Rows) -> CSR:
    """Dense rows as sparse ones that store every column."""
    if isinstance(rows, CSR):
        return rows
    n, columns = rows.shape
    indptr = np.arange(n + 1, dtype=np.int32) * np.int32(columns)
    return CSR(indptr, np.tile(np.arange(columns, dtype=np.int32), n), rows.ravel())


def _sparse(parts: dict[int, CSR], which: np.ndarray, rows: np.ndarray) -> CSR:
    sizes = np.empty(len(rows), np.int64)
    for number, part in parts.items():
        mine = which == number
        sizes[mine] = np.diff(part.indptr)[rows[mine]]
    ends = np.cumsum(sizes)
    indices, values = np.empty(ends[-1], np.int32), np.empty(ends[-1])
    for number, part in parts.items():
        mine = which == number
        into, source = _runs(ends[mine] - sizes[mine], sizes[mine]), _runs(part.indptr[rows[mine]], sizes[mine])
        indices[into], values[into] = part.indices[source], part.values[source]
    return CSR(np.concatenate([[0], ends]).astype(np.int32), indices, values)


def _runs(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Consecutive numbers from every start, ``sizes`` of them each."""
    ends = np.cumsum(sizes)
    runs: np.ndarray = np.repeat(starts - ends + sizes, sizes) + np.arange(ends[-1] if len(ends) else 0)
    return runs
