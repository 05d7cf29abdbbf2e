"""Text into columns: chunks of lines in threads, by compiled code where that pays, and by ``_lines`` what it leaves."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compile import compiled_loop, policy
from .columns import NO_INDEX, Columns, Table
from .line import BadLine, Limits, Line, last_index, read_line
from .text import ROOM, Chunk, Piece, chunks_of, release

_NEWLINE = ord("\n")
_PIECE = 1 << 16  # what fits the processor's cache
# What a row is taken to be, where ``policy.PATIENCE`` says how many of them repay the compiler.
BYTES_A_ROW = 200

_read = 0
_is_compiled = False


class Kernels(NamedTuple):
    """Compiled loops over the lines of a chunk."""

    counting: compiled_loop.Compiled
    reading: compiled_loop.Compiled
    widest: compiled_loop.Compiled


KERNELS = Kernels(
    *(
        compiled_loop.Compiled.deferred("ranktron.data.svmlight.compiled_lines", name)
        for name in ("count_lines", "read_lines", "widest_line")
    )
)


class Job(NamedTuple):
    """Chunks to read, the room for rows and features that each needs, and how to read them."""

    chunks: list[Chunk]
    rooms: np.ndarray
    limits: Limits
    marked: bool
    kernels: Kernels | None


class TooNarrow(Exception):
    """An index does not fit the column for indices."""


def fill(piece: Piece, limits: Limits, marked: bool, expected: int) -> tuple[Table, int]:
    """Read all lines, and count them; ``expected`` is how large the file is."""
    kernels = _kernels(piece, expected)
    try:
        chunks = list(chunks_of(piece))
        rooms = np.array(_in_threads(lambda chunk: _count(chunk, kernels), chunks), np.int64).reshape(-1, 2)
        table = _table(Job(chunks, rooms, limits, marked, kernels))
    except BadLine as error:
        error.line = 1 + sum(piece.text[start:stop].count(b"\n") for start, stop in _parts(piece.start, error.place))
        raise
    return table, int(rooms[:, 0].sum())


def greatest_index(piece: Piece, expected: int) -> int:
    """The greatest index of the piece, or -1; what else is in the lines is not looked at."""
    kernels = _kernels(piece, expected)
    chunks: list[Chunk] = []
    with contextlib.suppress(BadLine):  # a line that is too long is refused when its turn comes
        for chunk in chunks_of(piece):
            chunks.append(chunk)
    return max(_in_threads(lambda chunk: _greatest_index(chunk, kernels), chunks), default=-1)


def _greatest_index(chunk: Chunk, kernels: Kernels | None) -> int:
    if kernels is None:
        return max(last_index(line) for line in chunk.text[chunk.start : chunk.stop].split(b"\n"))
    found = int(kernels.widest(_characters(chunk), chunk.start, chunk.stop))
    release(chunk)
    return found


def _table(job: Job) -> Table:
    if job.rooms[:, 1].sum() <= np.iinfo(np.int32).max:
        with contextlib.suppress(TooNarrow):
            return _table_of(job, np.int32)
    return _table_of(job, np.int64)


def _kernels(piece: Piece, expected: int) -> Kernels | None:
    """Compiled code, once so much text has been read, or is to be, that it repays loading it."""
    global _read
    _read += piece.stop - piece.start
    return kernels_for(max(_read, expected))


def kernels_for(size: int) -> Kernels | None:
    """Compiled code, if it repays loading it for so much text."""
    global _is_compiled
    text = size / BYTES_A_ROW
    if text > policy.PATIENCE or (text > policy.patience_to_load() and (_is_compiled or _kept())):
        _is_compiled = True
        return KERNELS
    return None


def _kept() -> bool:
    """Whether reading, the largest of them, is compiled already."""
    columns = Columns.empty(0, 0, np.int32, False)
    counts = np.zeros(4, np.int64)
    return KERNELS.reading.is_cached((_characters(Chunk(b" ", 0, 0, 0)), 0, 0, Limits(0, 0, False), columns, counts))


def _in_threads(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Results in order; the first error in order is raised. Of two items one is the few lines at the end of a text."""
    workers = min(len(items) - 1, _cores())
    if workers < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, items))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _count(chunk: Chunk, kernels: Kernels | None) -> tuple[int, int]:
    """Lines, and no fewer than there are features."""
    if kernels is None:
        part = chunk.text[chunk.start : chunk.stop]
        return part.count(b"\n"), part.count(b":")
    counts = np.zeros(2, np.int64)
    kernels.counting(_characters(chunk), chunk.start, chunk.stop, counts)
    release(chunk)
    return int(counts[0]), int(counts[1])


def newlines(text: bytes, stop: int) -> int:
    """How many lines end before ``stop``; ``bytes.count`` would take ten times as long."""
    if _is_compiled:
        cut = max(0, min(stop, len(text) - ROOM))
        return _count(Chunk(text, 0, cut, 0), KERNELS)[0] + text.count(b"\n", cut, stop)
    characters = np.frombuffer(text, np.uint8, stop)
    return sum(int(np.count_nonzero(characters[start : start + _PIECE] == _NEWLINE)) for start in range(0, stop, _PIECE))


def _characters(chunk: Chunk) -> np.ndarray:
    return np.frombuffer(chunk.text, np.uint8)


def _table_of(job: Job, index_type: Any) -> Table:
    n_rows, n_features = job.rooms.sum(axis=0).tolist()
    columns = Columns.empty(n_rows, n_features, index_type, job.marked)
    ends = job.rooms.cumsum(axis=0)

    def work(place: int) -> tuple[list[int], list[str]]:
        rows, features = (slice(end - room, end) for end, room in zip(ends[place], job.rooms[place], strict=True))
        return _fill_chunk(job.chunks[place], columns.part(rows, features), job.limits, job.kernels)

    done = _in_threads(work, range(len(job.chunks)))
    counts = np.array([counts for counts, _ in done], np.int64).reshape(-1, 4)
    columns.close_gaps(job.rooms, counts[:, :2])
    lowest, highest = counts[:, 2].min(initial=NO_INDEX), counts[:, 3].max(initial=-1)
    return Table(*columns[:5], [comment for _, some in done for comment in some], int(lowest), int(highest))


def _fill_chunk(chunk: Chunk, columns: Columns, limits: Limits, kernels: Kernels | None) -> tuple[list[int], list[str]]:
    """The rows and features that were there, the least and the greatest index, and the comments if they are marked."""
    counts = np.array([0, 0, NO_INDEX, -1], np.int64)
    place, most = chunk.start, min(limits.most, int(np.iinfo(columns.indices.dtype).max))
    while place < chunk.stop:
        if kernels is not None:
            place = kernels.reading(_characters(chunk), place, chunk.stop, limits._replace(most=most), columns, counts)
        if place < chunk.stop:
            place = _define(chunk, place, columns, limits, counts)
    comments = _comments(chunk, columns.marks[: counts[0]])
    release(chunk)
    return counts.tolist(), comments


def _define(chunk: Chunk, place: int, columns: Columns, limits: Limits, counts: np.ndarray) -> int:
    """Read one line as ``_lines`` defines it, and return the start of the next."""
    end = chunk.text.find(b"\n", place)
    text = chunk.text[place:end]
    try:
        line = read_line(text, limits)
        if line is not None:
            _store(line, columns, limits, counts)
    except BadLine as error:
        error.place = chunk.origin + place
        raise
    if line is not None and len(columns.marks):
        begin = text.find(b"#")
        columns.marks[counts[0] - 1] = (end if begin < 0 else place + begin), end
    return end + 1


def _store(line: Line, columns: Columns, limits: Limits, counts: np.ndarray) -> None:
    row, stored = counts[:2].tolist()
    if row >= len(columns.y) or stored + len(line.indices) > len(columns.values):
        raise BadLine("the file was changed while it was read")
    columns.y[row], columns.qid[row], columns.sizes[row] = line.label, line.query, len(line.indices)
    if line.indices:
        if line.indices[-1] > np.iinfo(columns.indices.dtype).max:
            raise TooNarrow
        lowest, highest = line.indices[0] - limits.first, line.indices[-1] - limits.first
        counts[2:] = min(counts[2], lowest), max(counts[3], highest)
        columns.indices[stored : stored + len(line.indices)] = line.indices
        columns.indices[stored : stored + len(line.indices)] -= limits.first
        columns.values[stored : stored + len(line.values)] = line.values
    counts[:2] += 1, len(line.indices)


def _comments(chunk: Chunk, marks: np.ndarray) -> list[str]:
    if not len(marks):
        return []
    text = chunk.text[chunk.start : chunk.stop]
    return [text[begin + 1 : end].decode(errors="surrogateescape").strip() for begin, end in (marks - chunk.start).tolist()]


def _parts(start: int, stop: int, size: int = 1 << 20) -> Iterator[tuple[int, int]]:
    for begin in range(start, stop, size):
        yield begin, min(begin + size, stop)
