"""Random orders: a permutation of all records where each can be read by itself, else a buffer that records leave at random."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

_STEP = 1 << 20

# Where a record is, and what else a `Record` says of it.
ENTRY = np.dtype([("begin", "u8"), ("line", "u8"), ("size", "u4"), ("rows", "u4"), ("file", "u4"), ("alone", "?")])


def generator(seed: int, epoch: int) -> np.random.Generator:
    """The random numbers that decide the order of an epoch."""
    return np.random.Generator(np.random.PCG64([seed, epoch]))


class Index(NamedTuple):
    """The places of all records, in a temporary file that the system deletes with the array, and their total size."""

    entries: np.ndarray
    size: int

    @classmethod
    def of(cls, parts: Iterable[np.ndarray]) -> Index:
        """Write entries to the file."""
        count = size = 0
        with tempfile.TemporaryFile() as file:
            for part in parts:
                file.write(part.tobytes())
                count, size = count + len(part), size + int(part["size"].sum())
            file.flush()
            return cls(np.memmap(file, ENTRY, "r", shape=(count,)), size)

    def order(self, seed: int, epoch: int) -> np.ndarray:
        """The permutation of an epoch, in a temporary file too."""
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
    """A row, or the rows of a list: their data, file, first line and number, and the query of the list.

    A record is ``alone`` in its block if it could change how others are read, as one with stray quotes does.
    """

    data: Any
    file: int
    line: int
    rows: int = 1
    alone: bool = False
    key: Any = None


def first_lists(records: list[Record]) -> int:
    """How many of the first records may form a block: two lists of one query must not become neighbours, or they would be one."""
    for place in range(1, len(records)):
        before, record = records[place - 1 : place + 1]
        if before.alone or record.alone or (record.key is not None and record.key == before.key):
            return place
    return len(records)


def through_buffer(
    chunks: Iterator[list[Record]], capacity: int, random: np.random.Generator, together: Callable[[list[Record]], int]
) -> Iterator[tuple[list[Record], int]]:
    """Blocks of records in random order, each with the number of records up to its end.

    The first ``capacity`` rows fill a buffer. Then each new record replaces a random one, which leaves. ``together`` returns how
    many of the last records form a block.
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
        leaving = []
        for place, record in zip(places, chunk[taken:], strict=True):
            leaving.append(pool[place])
            pool[place] = record
        yield leaving
    last = [pool[place] for place in random.permutation(len(pool))]
    step = max(1, together(last)) if last else 1
    for start in range(0, len(last), step):
        yield last[start : start + step]
