"""Another order: a permutation of everything where each record can be fetched, else a buffer that records leave at random."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

_STEP = 1 << 20

ENTRY = np.dtype(
    [
        ("begin", np.uint64),
        ("line", np.uint64),
        ("size", np.uint32),
        ("rows", np.uint32),
        ("file", np.uint32),
        ("alone", np.bool_),
    ]
)


def generator(seed: int, epoch: int) -> np.random.Generator:
    """The numbers that decide the order of an epoch."""
    return np.random.Generator(np.random.PCG64([seed, epoch]))


class Index(NamedTuple):
    """Where all records are, in a temporary file that is gone when nobody needs it, and how large they are together."""

    entries: np.ndarray
    size: int

    @classmethod
    def of(cls, parts: Iterable[np.ndarray]) -> Index:
        """Write the entries as they come."""
        count = size = 0
        with tempfile.TemporaryFile() as file:
            for part in parts:
                file.write(part.tobytes())
                count, size = count + len(part), size + int(part["size"].sum())
            file.flush()
            return cls(np.memmap(file, ENTRY, "r", shape=(count,)), size)

    def order(self, seed: int, epoch: int) -> np.ndarray:
        """The permutation of an epoch, in a temporary file as well."""
        count = len(self.entries)
        kind = np.dtype(np.uint32 if count <= 2**32 else np.uint64)
        with tempfile.TemporaryFile() as file:
            file.truncate(count * kind.itemsize)
            order = np.asarray(np.memmap(file, kind, "r+", shape=(count,)))
        for start in range(0, count, _STEP):
            order[start : start + _STEP] = np.arange(start, min(start + _STEP, count), dtype=kind)
        generator(seed, epoch).shuffle(order)
        return order


class Record(NamedTuple):
    """A row, or the rows of a list: what they are, the file and the line they come from, their number, and the list's query.

    Some have to be ``alone`` in a block, for they are bad in a way that may spoil others.
    """

    data: Any
    file: int
    line: int
    rows: int = 1
    alone: bool = False
    key: Any = None


def first_lists(records: list[Record]) -> int:
    """How many of the first records can stand in a block: two lists of one query that have become neighbours would be one."""
    for place in range(1, len(records)):
        before, record = records[place - 1 : place + 1]
        if before.alone or record.alone or (record.key is not None and record.key == before.key):
            return place
    return len(records)


def through_buffer(
    chunks: Iterator[list[Record]], capacity: int, random: np.random.Generator, together: Callable[[list[Record]], int]
) -> Iterator[tuple[list[Record], int]]:
    """Records in another order, in blocks, each with how many there were up to its end.

    The first ``capacity`` rows fill a buffer; then each new record takes the place of one that leaves. ``together`` is how many
    of the last ones make a block.
    """
    position = 0
    for records in _leaving(chunks, capacity, random, together):
        while records:
            count = first_lists(records)
            position += count
            yield records[:count], position
            records = records[count:]


def _leaving(
    chunks: Iterator[list[Record]], capacity: int, random: np.random.Generator, together: Callable[[list[Record]], int]
) -> Iterator[list[Record]]:
    pool: list[Record] = []
    held = 0
    for chunk in chunks:
        taken = 0
        while taken < len(chunk) and held < capacity:
            held += chunk[taken].rows
            pool.append(chunk[taken])
            taken += 1
        places = random.integers(len(pool), size=len(chunk) - taken).tolist() if pool else []
        yield [_exchange(pool, place, record) for place, record in zip(places, chunk[taken:], strict=True)]
    last = [pool[place] for place in random.permutation(len(pool))]
    step = max(1, together(last)) if last else 1
    for start in range(0, len(last), step):
        yield last[start : start + step]


def _exchange(pool: list[Record], place: int, record: Record) -> Record:
    pool[place], record = record, pool[place]
    return record
