"""The text of a file: a memory map of all of it, or pieces of whole lines, unzipped if necessary."""

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
PADDING = 64  # bytes after the last line that compiled code may load
_ZIPPED = b"\x1f\x8b"
_FOREIGN = {  # other compressions by the first bytes of a file: the name, and the program that unpacks it
    b"BZh": ("bzip2", "bzcat"),
    b"\xfd7zXZ\x00": ("xz", "xzcat"),
    b"\x28\xb5\x2f\xfd": ("zstd", "zstdcat"),
    b"\x04\x22\x4d\x18": ("lz4", "lz4cat"),
    b"PK\x03\x04": ("zip", "unzip -p"),
    b"7z\xbc\xaf\x27\x1c": ("7z", "7z x -so"),
}
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # "BZh" and a digit may also begin a line of text

TextBuffer = bytes | mmap.mmap
StrPath = str | os.PathLike[str]


class Piece(NamedTuple):
    """Whole lines: ``text`` from ``start`` to ``stop``. If the lines were copied, they were at ``origin`` before."""

    text: TextBuffer
    start: int
    stop: int
    origin: int = 0

    def line_end(self, place: int) -> int:
        """The end of the line that contains ``place``."""
        return self.text.find(b"\n", place, self.stop) + 1 or self.stop


def chunks_of(piece: Piece) -> Iterator[Piece]:
    """Cut a piece into chunks: lines that all end with a newline. The last ones are copied, to have padding after them."""
    text, start = piece.text, piece.start
    while start < piece.stop:
        stop = piece.line_end(start + CHUNK) if piece.stop - start > 3 * CHUNK else piece.stop
        if stop - start > LONGEST:
            _check_last_line(text, start, stop)
        if len(text) - stop < PADDING:
            stop = text.rfind(b"\n", start, max(0, len(text) - PADDING)) + 1
        if stop <= start:
            last = text[start : piece.stop]
            yield Piece(last + b"\n" * PADDING, 0, len(last) + (not last.endswith(b"\n")), start)
            return
        yield Piece(text, start, stop)
        start = stop


def _check_last_line(text: TextBuffer, start: int, stop: int) -> None:
    """Refuse the last line of a chunk if it is too long; the lines before it end within ``CHUNK`` bytes."""
    begin = text.rfind(b"\n", start, start + CHUNK) + 1 or start
    if stop - begin > LONGEST:
        raise BadLine(too_long("it"), place=begin)


def release(chunk: Piece) -> None:
    """Release the pages of a memory map that were read, so that they do not count as memory of this process."""
    if isinstance(chunk.text, mmap.mmap) and hasattr(chunk.text, "madvise"):
        start, stop = (place & -mmap.PAGESIZE for place in (chunk.start, chunk.stop))
        chunk.text.madvise(mmap.MADV_DONTNEED, start, stop - start)


def is_regular(path: StrPath) -> bool:
    """Whether a path is a file, which can be read twice, and not a pipe."""
    return stat.S_ISREG(os.stat(path).st_mode)


def mapped(path: StrPath) -> Piece | None:
    """A memory map of the whole text, or None if it has to be read in pieces."""
    if not is_regular(path):
        return None
    with open(path, "rb") as file:
        if _is_zipped(file, os.fspath(path)):
            return None
        size = os.fstat(file.fileno()).st_size
        return Piece(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) if size else b"", 0, size)


def pieces(path: StrPath) -> Generator[Piece]:
    """Pieces of the text, in order."""
    everything = mapped(path)
    if everything is None:
        with contextlib.closing(_ahead(_line_pieces(path))) as texts:
            for text in texts:
                yield Piece(text, 0, len(text))
    else:
        start = 0
        while start < everything.stop:
            stop = everything.line_end(start + PIECE)
            yield Piece(everything.text, start, stop)
            start = stop


def _line_pieces(path: StrPath) -> Generator[bytes]:
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
    """The file itself, or a reader of its unzipped text."""
    if not _is_zipped(file, name):
        return file
    import gzip

    return gzip.GzipFile(fileobj=file)


def _is_zipped(file: Any, name: str) -> bool:
    """Whether the file is compressed by gzip; refuses other compressions."""
    head: bytes = file.peek(10)[:10]
    for magic, (what, program) in _FOREIGN.items():
        if head.startswith(magic) and (what != "bzip2" or head[4:] in _BZIP2_BLOCKS):
            how = f"{program} {name} > FILE" if os.path.exists(name) else f"pipe it through {program}"
            raise BadDataFile(f"{name} is compressed with {what}, and only gzip is read; decompress it first: {how}")
    return head.startswith(_ZIPPED)


def read_some(file: Any, name: StrPath, size: int) -> bytes:
    """The next ``size`` bytes, or fewer where the file ends."""
    import zlib

    try:
        piece: bytes = file.read(size)
        return piece
    except (EOFError, zlib.error, OSError) as error:
        raise BadDataFile(f"{os.fspath(name)}: the file cannot be read to its end: {error}") from None


def _ahead(items: Generator[bytes]) -> Generator[bytes]:
    """The same items, with the next one made in a thread while one is used."""
    from concurrent.futures import ThreadPoolExecutor

    with contextlib.closing(items), ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, items, b"")
        while item := coming.result():
            coming = pool.submit(next, items, b"")
            yield item
