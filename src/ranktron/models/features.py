"""Features: which column each one has, and single examples as rows."""

from __future__ import annotations

import functools
import hashlib
import operator
import struct
import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ..core.rows import CSR
from .inputs import Table, read_only, row_of, unmasked

_FLOAT64 = np.dtype(np.float64)


class Features:
    """The columns of a model: a number of them without names, with names that may grow, or hashed into a fixed number."""

    def __init__(
        self,
        count: int = 0,
        names: Iterable[Hashable] | None = None,
        hash_bits: int | None = None,
        may_grow: bool = True,
    ) -> None:
        self.names = None if names is None or hash_bits is not None else list(names)
        self.hash_bits, self.may_grow = hash_bits, may_grow
        self.count = 1 << hash_bits if hash_bits is not None else count if self.names is None else len(self.names)
        self._column_of = {name: column for column, name in enumerate(self.names or ())}
        self._buffers = _Buffers()
        self._all_values: Any = None  # how to get them, once a mapping has had every name

    @classmethod
    def of(cls, x: Any, hash_bits: int | None) -> Features:
        """The features of a first example: those of a mapping are named or hashed, those of an array are numbered."""
        if isinstance(x, Mapping):
            return cls(names=[], hash_bits=hash_bits)
        shape = np.shape(x)
        if len(shape) != 1 or shape[0] == 0:
            raise ValueError(f"an example should be a mapping or a 1-D array of features, got one of shape {shape}")
        return cls(shape[0])

    def __getstate__(self) -> dict[str, Any]:
        names = self.names and list(self.names)
        return {"count": self.count, "names": names, "hash_bits": self.hash_bits, "may_grow": self.may_grow}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def row(self, x: Any, missing: str) -> tuple[Table, bool]:
        """The 1-D array or mapping ``x`` as a table of one row, valid until this thread's next, and whether all of it is there.

        What is left out are the names of a mapping that have no column yet.
        """
        is_mapping = type(x) is dict or (type(x) is not np.ndarray and isinstance(x, Mapping))  # the second one takes its time
        values = self._values_of_all(x) if is_mapping else None
        if is_mapping and values is None:
            return self._sparse_row(x, missing)
        buffer = self._buffers.dense
        if buffer.size != self.count:
            buffer = self._buffers.dense = _Buffer(self.count, self.names)
        if values is not None:
            buffer.pack(values, x)
        elif type(x) is np.ndarray and x.dtype is _FLOAT64 and x.shape == buffer.values.shape:  # the usual case, quickly
            buffer.values[:] = x
        else:
            buffer.values[:] = self._checked(unmasked(x, missing))
        if missing == "zero":
            buffer.clean()
        return buffer.dense, True

    def table(self, examples: Sequence[Any], missing: str) -> Table:
        """Mappings as a table, one per row; names that have no column are left out."""
        rows = [self._stored(x, missing) for x in examples]
        indptr = np.cumsum([0] + [len(columns) for columns, _ in rows])
        indices, values = (np.concatenate(parts) for parts in zip(*rows))
        parts = (indptr.astype(np.int32), indices, values)
        return Table(CSR(*(read_only(part) for part in parts)), len(rows), self.count, self.names)

    def _stored(self, x: Any, missing: str) -> tuple[np.ndarray, np.ndarray]:
        columns, values = row_of(self._sparse_row(x, missing)[0].rows, 0)
        return columns.copy(), values  # the next row uses the same buffer

    def _values_of_all(self, x: Mapping[Hashable, Any]) -> Any:
        """The values of ``x`` in the order of the columns, if it has every name and no other."""
        if type(x) is not dict or len(x) != self.count or self.names is None or self.count < 2:
            return None  # another mapping may compute values when they are read
        if self._all_values is None:
            self._all_values = operator.itemgetter(*self.names)
        try:
            return self._all_values(x)
        except KeyError:
            return None

    def _checked(self, values: np.ndarray) -> np.ndarray:
        if values.shape != (self.count,):
            raise ValueError(
                f"an example should be a mapping or a 1-D array of {self.count} features, got one of shape {values.shape}"
            )
        if values.dtype.kind not in "fiub":
            raise ValueError(f"the example holds {values.dtype} values; it should hold numbers")
        return values

    def unknown(self, x: Any) -> list[Hashable]:
        """The names in ``x`` that have no column yet, sorted."""
        if self.names is None or not isinstance(x, Mapping):
            return []
        new = _sorted([name for name in x if name not in self._column_of])
        if new and not self.may_grow:
            raise ValueError(
                f"feature {new[0]!r:.60} has no column: with hash_bits the columns of a data frame are all there are"
            )
        return new

    def add(self, names: Iterable[Hashable]) -> None:
        """Give each of ``names`` the next column."""
        if self.names is not None:
            for name in names:
                self._column_of[name] = len(self.names)
                self.names.append(name)
            self.count, self._all_values = len(self.names), None

    def widen(self, count: int, names: Sequence[Hashable] | None) -> None:
        """Have ``count`` columns, of these names if they have any."""
        if names is None:
            self.count = count
        else:
            self.add(names[self.count : count])

    def truncate(self, count: int) -> None:
        """Forget all columns but the first ``count``."""
        for name in (self.names or ())[count:]:
            del self._column_of[name]
        if self.names is not None:
            del self.names[count:]
        self.count, self._all_values = count, None

    def _sparse_row(self, x: Mapping[Hashable, Any], missing: str) -> tuple[Table, bool]:
        if self.names is None and self.hash_bits is None:
            raise ValueError("this model has learned from columns without names: pass a 1-D array, not a mapping")
        if self.hash_bits is not None:
            pairs, complete = self._hashed_pairs(x, missing), True
        else:
            column_of = self._column_of
            pairs = [(column_of[name], value) for name, value in x.items() if name in column_of]
            complete = len(pairs) == len(x)
        pairs.sort(key=operator.itemgetter(0))
        buffer = self._buffers.sparse
        if buffer.size < len(pairs):
            buffer = self._buffers.sparse = _Buffer(max(len(pairs), 2 * buffer.size), self.names)
        buffer.pack([value for _, value in pairs], x)
        buffer.indices[: len(pairs)] = [column for column, _ in pairs]
        buffer.indptr[1] = len(pairs)
        if missing == "zero":
            buffer.clean()
        return buffer.sparse, complete

    def _hashed_pairs(self, x: Mapping[Hashable, Any], missing: str) -> list[tuple[int, float]]:
        """Column and value; values of names that share a column are added up, in their own order, not the mapping's."""
        assert self.hash_bits is not None
        columns: dict[int, list[float]] = {}
        for name, value in x.items():
            if not _is_number(value):
                _refuse_value(x)
            number = float(value)
            known = 0.0 if missing == "zero" and number != number else number
            columns.setdefault(_hashed(name, self.hash_bits), []).append(known)
        return [(column, sum(sorted(values))) for column, values in columns.items()]


class _Buffer:
    """A buffer for one row, used for each example again."""

    def __init__(self, size: int, names: list[Hashable] | None) -> None:
        self.size = size
        self.values, self.indices, self.indptr = np.zeros(size), np.zeros(size, np.int32), np.zeros(2, np.int32)
        self.dense = Table(read_only(self.values.reshape(1, -1)), 1, size, names)
        parts = (self.indptr, self.indices, self.values)
        self.sparse = Table(CSR(*(read_only(part) for part in parts)), 1, size, names)
        self._memory = self.values.data

    def pack(self, values: Sequence[Any], x: Mapping[Hashable, Any]) -> None:
        """Write ``values``, which come from ``x``."""
        try:
            _packer(len(values)).pack_into(self._memory, 0, *values)
        except (struct.error, OverflowError):
            _refuse_value(x)

    def clean(self) -> None:
        """NaN becomes 0."""
        self.values[np.isnan(self.values)] = 0.0


class _Buffers(threading.local):
    """Every thread's own, once it needs any."""

    dense = sparse = _Buffer(0, None)


@functools.lru_cache(256)
def _packer(count: int) -> struct.Struct:
    return struct.Struct(f"{count}d")


def _refuse_value(x: Mapping[Hashable, Any]) -> NoReturn:
    name, value = next((name, value) for name, value in x.items() if not _is_number(value))
    raise TypeError(f"feature {name!r:.60} is {value!r:.60}; expected a number") from None


def _is_number(value: Any) -> bool:
    try:
        struct.pack("d", value)
    except (struct.error, OverflowError):
        return False
    return True


def _sorted(names: list[Hashable]) -> list[Hashable]:
    return sorted(names, key=lambda name: (type(name).__name__, name if isinstance(name, str | int | float) else repr(name)))


@functools.lru_cache(1 << 16, typed=True)
def _hashed(name: Hashable, bits: int) -> int:
    """A column for ``name`` that is the same in every process, unlike Python's own hash."""
    text = name if isinstance(name, str) else f"{type(name).__name__}:{name!r}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") & ((1 << bits) - 1)
