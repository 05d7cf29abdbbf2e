"""Growing arrays that lines are parsed into, and the matrices made of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

NO_INDEX = 2**63 - 1  # the lowest index where there are no features


class ColumnBuffers(NamedTuple):
    """Buffers that parsers write rows into: label, query, feature count, features, and where the comment begins and ends."""

    y: np.ndarray
    qid: np.ndarray
    sizes: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    marks: np.ndarray

    @classmethod
    def empty(cls, rows: int, features: int, index_type: Any, marked: bool) -> ColumnBuffers:
        """Allocate for ``rows`` rows and ``features`` features."""
        # Buffers are as large as the text could need. The system gives memory to a page only when it is written.
        y, qid, sizes = np.empty(rows), np.empty(rows, np.int64), np.empty(rows, np.int64)
        marks = np.empty((rows if marked else 0, 2), np.int64)
        return cls(y, qid, sizes, np.empty(features, index_type), np.empty(features), marks)

    def part(self, rows: slice, features: slice) -> ColumnBuffers:
        """A view of some rows and of their features."""
        by_row = (self.y[rows], self.qid[rows], self.sizes[rows])
        return ColumnBuffers(*by_row, self.indices[features], self.values[features], self.marks[rows])

    def close_gaps(self, capacities: np.ndarray, used: np.ndarray) -> None:
        """Move the rows of all parts together: part i had space for ``capacities[i]`` (rows, features) and has ``used[i]``."""
        for place, array in enumerate(self[:5]):
            kind = 0 if place < 3 else 1
            total = start = 0
            for capacity, size in zip(capacities[:, kind].tolist(), used[:, kind].tolist(), strict=True):
                if total < start:
                    array[total : total + size] = array[start : start + size]
                total += size
                start += capacity
            array.resize(total, refcheck=False)  # returns the unused memory to the system


class SvmlightRows(NamedTuple):
    """Rows of an svmlight or LETOR text: row i has the next ``sizes[i]`` of ``indices`` and ``values``."""

    y: np.ndarray
    qid: np.ndarray
    sizes: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    comments: list[str]
    lowest: int
    highest: int

    @property
    def width(self) -> int:
        """The number of columns that the features need."""
        return self.highest + 1

    def split(self, ends: list[int]) -> Iterator[SvmlightRows]:
        """Views of the rows up to each end, and of those after the last one."""
        offsets = np.append(0, self.sizes.cumsum())
        for start, stop in pairwise([0, *ends, len(self.y)]):
            rows, features = slice(start, stop), slice(offsets[start], offsets[stop])
            by_row = (self.y[rows], self.qid[rows], self.sizes[rows])
            stored = (self.indices[features], self.values[features])
            yield SvmlightRows(*by_row, *stored, self.comments[rows], self.lowest, self.highest)

    def matrix(self, n_features: int | None, dense: bool) -> Any:
        """The features as a CSR matrix, or as an array."""
        shape = len(self.y), self.width if n_features is None else n_features
        if dense and shape[0] * shape[1] == len(self.values):  # indices ascend, so every row has every feature
            return self.values.reshape(shape)
        from scipy.sparse import csr_matrix

        indptr = np.zeros(shape[0] + 1, self.indices.dtype)
        np.cumsum(self.sizes, out=indptr[1:])
        X = csr_matrix((self.values, self.indices, indptr), shape=shape)
        X.has_sorted_indices = X.has_canonical_format = True
        return X.toarray() if dense else X


def joined(tables: list[SvmlightRows]) -> SvmlightRows:
    """All rows as one. ``tables`` is emptied on the way, so that at most one column is in memory twice."""
    if not tables:
        return SvmlightRows(*ColumnBuffers.empty(0, 0, np.int32, False)[:5], [], NO_INDEX, -1)
    if len(tables) == 1:
        return tables.pop()
    lowest, highest = min(table.lowest for table in tables), max(table.highest for table in tables)
    comments = [comment for table in tables for comment in table.comments]
    parts: list[list[Any]] = [list(table[:5]) for table in tables]
    tables.clear()
    y, qid, sizes, indices, values = (np.concatenate([part.pop(0) for part in parts]) for _ in range(5))
    return SvmlightRows(y, qid, sizes, indices, values, comments, lowest, highest)
