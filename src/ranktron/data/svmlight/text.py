"""The text of a file: all of it in a memory map, or pieces of whole lines, unzipped on the way if need be."""

from __future__ import annotations

import contextlib
import mmap
import os
import stat
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from .line import LONGEST, BadDataFile, BadLine, too_long

PIECE = 1 << 24
CHUNK = 1 << 21
ROOM = 64  # characters that compiled code may look at behind the last line
_ZIPPED = b"\x1f\x8b"
_FOREIGN = {  # the first bytes of files of other compressions, what to call them, and the program that unpacks them
    b"BZh": ("bzip2", "bzcat"),
    b"\xfd7zXZ\x00": ("xz", "xzcat"),
    b"\x28\xb5\x2f\xfd": ("zstd", "zstdcat"),
    b"\x04\x22\x4d\x18": ("lz4", "lz4cat"),
    b"PK\x03\x04": ("zip", "unzip -p"),
    b"7z\xbc\xaf\x27\x1c": ("7z", "7z x -so"),
}
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # "BZh" and a digit may also begin a line of text

Text = bytes | mmap.mmap
Path = str | os.PathLike[str]


class Piece(NamedTuple):
    """Whole lines: ``text`` from ``start`` to ``stop``."""

    text: Text
    start: int
    stop: int

    def line_end(self, place: int) -> int:
        """Where the line ends that ``place`` is in, or the piece."""
        return self.text.find(b"\n", place, self.stop) + 1 or self.stop


class Chunk(NamedTuple):
    """Lines that all have an end, with room behind them; ``origin`` is where ``text`` begins in that of the piece."""

    text: Text
    start: int
    stop: int
    origin: int


def chunks_of(piece: Piece) -> Iterator[Chunk]:
    """Cut at line ends; the last lines of a text are a copy, for a chunk needs room behind it."""
    text, start, _ = piece
    while start < piece.stop:
        stop = piece.line_end(start + CHUNK) if piece.stop - start > 3 * CHUNK else piece.stop
        if stop - start > LONGEST:
            _check_last_line(text, start, stop)
        if len(text) - stop < ROOM:
            stop = text.rfind(b"\n", start, max(0, len(text) - ROOM)) + 1
        if stop <= start:
            last = text[start : piece.stop]
            yield Chunk(last + b"\n" * ROOM, 0, len(last) + (not last.endswith(b"\n")), start)
            return
        yield Chunk(text, start, stop, 0)
        start = stop


def _check_last_line(text: Text, start: int, stop: int) -> None:
    """Refuse the last line of a chunk if it is too long; those before it end within ``CHUNK`` bytes."""
    begin = text.rfind(b"\n", start, start + CHUNK) + 1 or start
    if stop - begin > LONGEST:
        error = BadLine(too_long("it"))
        error.place = begin
        raise error


def release(chunk: Chunk) -> None:
    """Let go of the pages of a map that were read, or they count as memory in use; the system keeps them at hand."""
    if isinstance(chunk.text, mmap.mmap) and hasattr(chunk.text, "madvise"):
        start, stop = (place & -mmap.PAGESIZE for place in (chunk.start, chunk.stop))
        chunk.text.madvise(mmap.MADV_DONTNEED, start, stop - start)


def is_regular(path: Path) -> bool:
    """Whether the file can be read twice."""
    return stat.S_ISREG(os.stat(path).st_mode)


def whole(path: Path) -> Piece | None:
    """The whole text where it lies, or None if it has to be read in pieces."""
    if not is_regular(path):
        return None
    with open(path, "rb") as file:
        if _is_zipped(file, os.fspath(path)):
            return None
        size = os.fstat(file.fileno()).st_size
        return Piece(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) if size else b"", 0, size)


def pieces(path: Path) -> Generator[Piece]:
    """The text in pieces."""
    everything = whole(path)
    if everything is None:
        with contextlib.closing(_ahead(_whole_lines(path))) as texts:
            for text in texts:
                yield Piece(text, 0, len(text))
    else:
        start = 0
        while start < everything.stop:
            stop = everything.line_end(start + PIECE)
            yield Piece(everything.text, start, stop)
            start = stop


def _whole_lines(path: Path) -> Generator[bytes]:
    begun: list[Any] = []
    with open(path, "rb") as opened:
        file = unzipped(opened, os.fspath(path))
        while piece := read_some(file, path, PIECE):
            stop = piece.rfind(b"\n") + 1
            if stop:
                yield b"".join([*begun, memoryview(piece)[:stop]])
                begun = []
            begun.append(piece[stop:])
            if sum(map(len, begun)) > LONGEST:  # ``chunks_of`` refuses it
                yield b"".join(begun)
                begun = []
    if any(begun):
        yield b"".join(begun)


def unzipped(file: Any, name: str) -> Any:
    """The same file, or the text in it that gzip has packed."""
    if not _is_zipped(file, name):
        return file
    import gzip

    return gzip.GzipFile(fileobj=file)


def _is_zipped(file: Any, name: str) -> bool:
    """Whether gzip has packed the file; refuses other compressions."""
    head: bytes = file.peek(10)[:10]
    for magic, (what, program) in _FOREIGN.items():
        if head.startswith(magic) and (what != "bzip2" or head[4:] in _BZIP2_BLOCKS):
            how = f"{program} {name} > FILE" if os.path.exists(name) else f"pipe it through {program}"
            raise BadDataFile(f"{name} is compressed with {what}, and only gzip is read; decompress it first: {how}")
    return head.startswith(_ZIPPED)


def read_some(file: Any, name: Path, size: int) -> bytes:
    """So many bytes, or fewer where the file ends."""
    import zlib

    try:
        piece: bytes = file.read(size)
        return piece
    except (EOFError, zlib.error, OSError) as error:
        raise BadDataFile(f"{os.fspath(name)}: the file cannot be read to its end: {error}") from None


def _ahead(items: Generator[bytes]) -> Generator[bytes]:
    """The same, the next one being made while one is used."""
    from concurrent.futures import ThreadPoolExecutor

    with contextlib.closing(items), ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, items, b"")
        while item := coming.result():
            coming = pool.submit(next, items, b"")
            yield item
