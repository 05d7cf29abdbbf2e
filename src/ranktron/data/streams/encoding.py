"""Encodes numbers and text as columns: one for each column of numbers, and one for each value of a column of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from ...core.rows import CSR, Rows
from ...models.features import Features, _hashed

_CACHED = 1 << 20  # indices whose column is cached, in 12 MB


class Codes(NamedTuple):
    """A column of text: the number of each row's value among ``values``, or -1."""

    column: str
    codes: np.ndarray
    values: list[str]


class Encoder:
    """Assigns columns to features, new ones as they come, or hashes them."""

    def __init__(self, names: Sequence[str] | None, hash_bits: int | None, grow: bool) -> None:
        self.features = Features(names=list(names or ()), hash_bits=hash_bits)
        self.hash_bits, self.grow = hash_bits, grow

    @property
    def names(self) -> list[str] | None:
        """The names of the columns, or None if they are hashed."""
        return cast("list[str] | None", self.features.names)

    @property
    def n_columns(self) -> int:
        """The number of columns so far."""
        return self.features.count

    def columns(self, names: list[str]) -> np.ndarray:
        """The column of each name; a new name gets a new one with ``grow``, else -1."""
        if self.hash_bits is None and self.grow:
            self.features.add([name for name in names if name not in self.features._column_of])
        return np.array([self._column(name) for name in names], np.int64)

    def _column(self, name: str) -> int:
        return self.features._column_of.get(name, -1) if self.hash_bits is None else _hashed(name, self.hash_bits)

    def rows(self, names: list[str], numbers: np.ndarray, texts: list[Codes]) -> Rows:
        """Rows of ``numbers``, whose columns have these names, and of text."""
        columns = self.columns(names)
        if not texts and len(columns) == self.n_columns and not self.hash_bits:
            return _dense(columns, numbers)
        places = np.empty((len(numbers), len(columns) + len(texts)), np.int64)
        places[:, : len(columns)] = columns
        for place, text in enumerate(texts, len(columns)):
            found = np.append(self.columns([f"{text.column}={value}" for value in text.values]), -1)
            places[:, place] = found[text.codes]
        values = np.concatenate([numbers, np.ones((len(numbers), len(texts)))], axis=1)
        return self._sparse(places, values)

    def rows_of_mappings(self, features: list[dict[str, float]]) -> Rows:
        """Rows of mappings from names to values."""
        names = [name for row in features for name in row]
        self.columns(sorted(set(names)))
        if self.hash_bits is not None and features:
            return CSR(*self.features.table(features, "error").rows)
        column_of = self.features._column_of
        columns = np.array([column_of.get(name, -1) for name in names], np.int32)
        values = np.array([value for row in features for value in row.values()], np.float64)
        rows = np.repeat(np.arange(len(features)), [len(row) for row in features])
        order = np.lexsort((columns, rows))
        order = order[columns[order] >= 0]
        if len(order) == len(features) * self.n_columns:
            return values[order].reshape(len(features), self.n_columns)
        indptr = np.append(0, np.cumsum(np.bincount(rows[order], minlength=len(features))))
        return CSR(indptr.astype(np.int32), columns[order], values[order])

    def _sparse(self, places: np.ndarray, values: np.ndarray) -> CSR:
        """A CSR of the values in the columns ``places``, sorted by column."""
        if (np.diff(places, axis=1) <= 0).any():
            order = np.argsort(places, axis=1, kind="stable")
            places, values = np.take_along_axis(places, order, axis=1), np.take_along_axis(values, order, axis=1)
            if self.hash_bits is not None:
                places, values = _merged(places, values)
        stored = places >= 0
        indptr = np.append(0, np.cumsum(stored.sum(axis=1))).astype(np.int32)
        return CSR(indptr, places[stored].astype(np.int32), values[stored])


class IndexHasher:
    """Hashes features that have an index instead of a name, in the same way as mappings from integers."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        # A direct-mapped cache: hashing one index in Python takes a microsecond.
        self._indices = np.full(_CACHED, -1, np.int64)
        self._columns = np.zeros(_CACHED, np.int32)

    def columns(self, indices: np.ndarray) -> np.ndarray:
        """The column of every index."""
        places = indices & (_CACHED - 1)
        columns: np.ndarray = self._columns[places]
        new = self._indices[places] != indices
        unknown, place = np.unique(indices[new], return_inverse=True)
        found = np.array([_hashed(index, self.bits) for index in unknown.tolist()], np.int32)
        columns[new] = found[place]
        places = unknown & (_CACHED - 1)
        self._indices[places], self._columns[places] = unknown, found
        return columns

    def rows(self, sizes: np.ndarray, indices: np.ndarray, values: np.ndarray) -> CSR:
        """Rows with ``sizes`` features each. Values that share a column are added in ascending order, as ``Features`` does."""
        columns, rows = self.columns(indices), np.repeat(np.arange(len(sizes)), sizes)
        order = np.argsort(rows << 32 | columns, kind="stable")
        columns, values = columns[order], values[order]
        first = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(columns, prepend=-1))
        counts = np.diff(first, append=len(values))
        sums = values[first] + 0.0  # turns -0.0 into 0.0, as a sum that begins at 0 does
        for one in np.flatnonzero(counts > 1).tolist():
            sums[one] = sum(sorted(values[first[one] : first[one] + counts[one]].tolist()))
        indptr = np.append(0, np.cumsum(np.bincount(rows[first], minlength=len(sizes)))).astype(np.int32)
        return CSR(indptr, columns[first], sums)


def _dense(columns: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    if (columns == np.arange(len(columns))).all():
        return np.ascontiguousarray(numbers)
    rows = np.empty(numbers.shape)
    rows[:, columns] = numbers
    return rows


def _merged(places: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add values that share a column, in ascending order, as a model does with a mapping."""
    same = (places[:, 1:] == places[:, :-1]) & (places[:, 1:] >= 0)
    for row in np.flatnonzero(same.any(axis=1)).tolist():
        found: dict[int, list[float]] = {}
        for place, value in zip(places[row].tolist(), values[row].tolist(), strict=True):
            found.setdefault(place, []).append(value)
        missing = places.shape[1] - len(found)
        places[row] = [-1] * missing + list(found)
        values[row] = [0.0] * missing + [sum(sorted(some)) for some in found.values()]
    return places, values
