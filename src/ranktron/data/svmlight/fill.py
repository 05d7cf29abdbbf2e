"""Parses a text into columns: chunks of lines in threads, by compiled code where it pays, and otherwise by ``line``."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compile import compiled_loop, policy
from ...compile.compiled_loop import numba_is_there
from .columns import NO_INDEX, ColumnBuffers, SvmlightRows
from .line import BadLine, Limits, Line, last_index, read_line
from .text import PADDING, Piece, chunks_of, release

_NEWLINE = ord("\n")
_PIECE = 1 << 16  # bytes that fit in the processor's cache

_bytes_parsed = 0
_is_compiled = False


class CompiledLoops(NamedTuple):
    """The compiled loops over the lines of a chunk."""

    counting: compiled_loop.Compiled
    reading: compiled_loop.Compiled
    widest: compiled_loop.Compiled


LOOPS = CompiledLoops(
    *(
        compiled_loop.Compiled.deferred("ranktron.data.svmlight.compiled_lines", name)
        for name in ("count_lines", "read_lines", "widest_line")
    )
)


class TooNarrow(Exception):
    """An index does not fit in the integer type of the column."""


def fill(piece: Piece, limits: Limits, marked: bool, expected: int) -> tuple[SvmlightRows, int]:
    """Parse all lines, and count them; ``expected`` is the size of the file in bytes."""
    loops = _loops(piece, expected)
    try:
        chunks = list(chunks_of(piece))
        capacities = np.array(_in_threads(lambda chunk: _count(chunk, loops), chunks), np.int64).reshape(-1, 2)
        parse = functools.partial(_fill_chunk, limits=limits, loops=loops)
        table = None
        if capacities[:, 1].sum() <= np.iinfo(np.int32).max:
            with contextlib.suppress(TooNarrow):
                table = _table(chunks, capacities, marked, parse, np.int32)
        if table is None:
            table = _table(chunks, capacities, marked, parse, np.int64)
    except BadLine as error:
        parts = range(piece.start, error.place, 1 << 20)
        error.line = 1 + sum(piece.text[start : min(start + parts.step, error.place)].count(b"\n") for start in parts)
        raise
    return table, int(capacities[:, 0].sum())


def greatest_index(piece: Piece, expected: int) -> int:
    """The highest index of the piece, or -1, without parsing the rest."""
    loops = _loops(piece, expected)
    chunks: list[Piece] = []
    with contextlib.suppress(BadLine):  # ``fill`` refuses a line that is too long
        for chunk in chunks_of(piece):
            chunks.append(chunk)
    return max(_in_threads(lambda chunk: _greatest_index(chunk, loops), chunks), default=-1)


def _greatest_index(chunk: Piece, loops: CompiledLoops | None) -> int:
    if loops is None:
        return max(last_index(line) for line in chunk.text[chunk.start : chunk.stop].split(b"\n"))
    found = int(loops.widest(_characters(chunk), chunk.start, chunk.stop))
    release(chunk)
    return found


def _loops(piece: Piece, expected: int) -> CompiledLoops | None:
    """The compiled loops, if they are there, or repay being compiled for the text parsed so far, or expected."""
    global _bytes_parsed
    _bytes_parsed += piece.stop - piece.start
    return loops_for(max(_bytes_parsed, expected))


def loops_for(size: int) -> CompiledLoops | None:
    """The compiled loops, if they are there, or repay being compiled for ``size`` bytes of text."""
    global _is_compiled
    if not policy.may_compile():
        return None
    args = _no_text()
    if not _is_compiled and not LOOPS.reading.is_ready(args):
        cost = LOOPS.reading.cost(args) if policy.PATIENCE is None else policy.PATIENCE
        if not numba_is_there() or size * _seconds_a_byte() < cost:
            return None
    _is_compiled = True
    return LOOPS


def _no_text() -> tuple[Any, ...]:
    """Arguments of the largest loop."""
    columns, counts = ColumnBuffers.empty(0, 0, np.int32, False), np.zeros(4, np.int64)
    return _characters(Piece(b" ", 0, 0)), 0, 0, Limits(0, 0, False), columns, counts


@functools.cache
def _seconds_a_byte() -> float:
    """How long Python takes for a byte of text, measured on some lines."""
    line, count = b"1 qid:3 " + b" ".join(b"%d:0.25" % index for index in range(1, 30)), 10
    began = time.perf_counter()
    for _ in range(count):
        read_line(line, Limits(1, 100, False))
    return (time.perf_counter() - began) / (count * len(line))


def _in_threads(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Results in order; the first error in order is raised."""
    # Of two chunks one is the few last lines of a text, which needs no thread of its own.
    workers = min(len(items) - 1, n_cores())
    if workers < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, items))


def n_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _count(chunk: Piece, loops: CompiledLoops | None) -> tuple[int, int]:
    """The number of lines, and an upper limit of the number of features."""
    if loops is None:
        part = chunk.text[chunk.start : chunk.stop]
        return part.count(b"\n"), part.count(b":")
    counts = np.zeros(2, np.int64)
    loops.counting(_characters(chunk), chunk.start, chunk.stop, counts)
    release(chunk)
    return int(counts[0]), int(counts[1])


def newlines(text: bytes, stop: int) -> int:
    """How many lines end before ``stop``."""
    # ``bytes.count`` takes ten times as long for one character.
    if _is_compiled:
        cut = max(0, min(stop, len(text) - PADDING))
        return _count(Piece(text, 0, cut), LOOPS)[0] + text.count(b"\n", cut, stop)
    characters = np.frombuffer(text, np.uint8, stop)
    return sum(int(np.count_nonzero(characters[start : start + _PIECE] == _NEWLINE)) for start in range(0, stop, _PIECE))


def _characters(chunk: Piece) -> np.ndarray:
    return np.frombuffer(chunk.text, np.uint8)


def _table(chunks: list[Piece], capacities: np.ndarray, marked: bool, parse: Callable[..., Any], index_type: Any) -> SvmlightRows:
    """Have ``parse`` fill a part of the columns with every chunk; ``capacities`` are upper limits of its rows and features."""
    n_rows, n_features = capacities.sum(axis=0).tolist()
    columns = ColumnBuffers.empty(n_rows, n_features, index_type, marked)
    ends = capacities.cumsum(axis=0)

    def work(place: int) -> tuple[list[int], list[str]]:
        rows, features = (slice(end - size, end) for end, size in zip(ends[place], capacities[place], strict=True))
        return parse(chunks[place], columns.part(rows, features))

    done = _in_threads(work, range(len(chunks)))
    counts = np.array([counts for counts, _ in done], np.int64).reshape(-1, 4)
    columns.close_gaps(capacities, counts[:, :2])
    lowest, highest = counts[:, 2].min(initial=NO_INDEX), counts[:, 3].max(initial=-1)
    return SvmlightRows(*columns[:5], [comment for _, some in done for comment in some], int(lowest), int(highest))


def _fill_chunk(chunk: Piece, columns: ColumnBuffers, limits: Limits, loops: CompiledLoops | None) -> tuple[list[int], list[str]]:
    """Parse a chunk. Returns the numbers of rows and features, the lowest and highest index, and the comments if asked for."""
    counts = np.array([0, 0, NO_INDEX, -1], np.int64)
    place, most = chunk.start, min(limits.most, int(np.iinfo(columns.indices.dtype).max))
    while place < chunk.stop:
        if loops is not None:
            place = loops.reading(_characters(chunk), place, chunk.stop, limits._replace(most=most), columns, counts)
        if place < chunk.stop:
            place = _parse_line(chunk, place, columns, limits, counts)
    comments = _comments(chunk, columns.marks[: counts[0]])
    release(chunk)
    return counts.tolist(), comments


def _parse_line(chunk: Piece, place: int, columns: ColumnBuffers, limits: Limits, counts: np.ndarray) -> int:
    """Parse one line by its definition in ``line``. Returns the start of the next one."""
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


def _store(line: Line, columns: ColumnBuffers, limits: Limits, counts: np.ndarray) -> None:
    row, stored = counts[:2].tolist()
    if row >= len(columns.y) or stored + len(line.indices) > len(columns.values):
        raise BadLine("the file changed while it was read")
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


def _comments(chunk: Piece, marks: np.ndarray) -> list[str]:
    if not len(marks):
        return []
    text = chunk.text[chunk.start : chunk.stop]
    return [text[begin + 1 : end].decode(errors="surrogateescape").strip() for begin, end in (marks - chunk.start).tolist()]
