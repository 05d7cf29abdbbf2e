"""Memory does not grow with the input, whatever its format."""

from __future__ import annotations

import io
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ranktron.data.streams import open_stream, text_blocks

LINES = {
    "svmlight": lambda row: b"%d qid:%d 1:0.5 2:0.25 3:0.125\n" % (row % 5, row // 10),
    "csv": lambda row: b"%d,%d,0.5,v%d\n" % (row % 5, row // 10, row % 9),
    "jsonl": lambda row: b'{"y": %d, "q": %d, "x": 0.5, "c": "v%d"}\n' % (row % 5, row // 10, row % 9),
}


class Generated(io.RawIOBase):
    """A pipe of so many bytes that are never there all at once."""

    def __init__(self, head: bytes, line: Callable[[int], bytes], size: int) -> None:
        self._parts = self._made(head, line, size)
        self._left = b""

    @staticmethod
    def _made(head: bytes, line: Callable[[int], bytes], size: int) -> Iterator[bytes]:
        yield head
        chunk = b"".join(line(row) for row in range(200))
        for _ in range(size // len(chunk)):
            yield chunk

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        while not self._left and (part := next(self._parts, None)) is not None:
            self._left = part
        count = min(len(room), len(self._left))
        room[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "SIZE", 1 << 14)
    monkeypatch.setattr(text_blocks, "MARGIN", 1 << 12)


def peak(size: int, format: str, monkeypatch: pytest.MonkeyPatch, shuffle: Any = None, **options: Any) -> tuple[int, int]:
    """The most memory in use while blocks are read and dropped, and the rows."""
    source = io.BufferedReader(Generated(b"y,q,x,c\n" if format == "csv" else b"", LINES[format], size))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(source))
    more = {} if format == "svmlight" else {"target": "y", "query": "q"}
    tracemalloc.start()
    rows = sum(len(block) for block in open_stream(["-"], format=format, **more, **options).blocks(shuffle=shuffle))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, rows


@pytest.mark.gate(1)
@pytest.mark.parametrize(
    ("format", "size", "options"),
    [
        ("svmlight", 400_000, {"lists": True}),
        ("csv", 8_000_000, {"lists": True}),
        ("csv", 600_000, {"shuffle": (0, 0), "buffer": 1000}),
        ("jsonl", 400_000, {"lists": True}),
    ],
)
def test_memory_does_not_grow_with_a_pipe(format: str, size: int, options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    peak(size // 8, format, monkeypatch, **options)  # what is loaded once
    little, few = peak(size // 4, format, monkeypatch, **options)
    much, many = peak(size, format, monkeypatch, **options)
    assert many > 3 * few
    assert much < 1.2 * little
