"""Where the user's copies of the data sets are."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..svmlight.line import LONGEST, BadDataFile, BadLine, too_long
from ..svmlight.text import PIECE, chunks_of, pieces, read_some

Place = str | os.PathLike[str]
VARIABLE = "RANKTRON_DATA"
_DEPTH = 4  # folders below the one that is looked in


class MissingData(FileNotFoundError):
    """A data set is not where it was looked for; the message says where that was, and where to get it."""


class File(NamedTuple):
    """A file, or a member of a zip file."""

    path: Path
    member: str = ""

    def __str__(self) -> str:
        return f"{self.path}, {self.member}" if self.member else str(self.path)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the folders and of the file itself, in lower case."""
        return tuple(part.lower() for part in (*self.path.parts, *Path(self.member).parts))

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
        if not self.member:
            return self.path.stat().st_size
        with zipfile.ZipFile(self.path) as archive:
            return archive.getinfo(self.member).file_size

    def texts(self) -> Iterator[bytes]:
        """The text in pieces of whole lines, each with an end."""
        if self.member:
            yield from self._unzipped()
            return
        try:
            for piece in pieces(self.path):
                for chunk in chunks_of(piece):
                    yield bytes(chunk.text[chunk.start : chunk.stop])
        except BadLine as error:
            raise BadDataFile(f"{self}: a line cannot be read, for {error}") from None

    def _unzipped(self) -> Iterator[bytes]:
        begun = b""
        with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
            while piece := read_some(file, str(self), PIECE // 8):
                lines, end, rest = piece.rpartition(b"\n")
                if end:
                    yield begun + lines + end
                    begun = b""
                begun += rest
                if len(begun) > LONGEST:
                    raise BadDataFile(too_long(f"{self}: a line"))
        if begun:
            yield begun + b"\n"

    def text(self, encoding: str) -> str:
        """All of the text; latin-1 where it is not of that encoding, for some copies are."""
        everything = b"".join(self.texts())
        try:
            return everything.decode(encoding)
        except UnicodeDecodeError:
            return everything.decode("latin-1")


class Source(NamedTuple):
    """A data set: its name in words, its folder in RANKTRON_DATA, and who gives it out."""

    title: str
    folder: str
    giver: str

    def root(self, path: Place | None) -> Path:
        """The file or the folder to read."""
        if path is None and not os.environ.get(VARIABLE):
            raise MissingData(f"{self.title} was not looked for, as {VARIABLE} is not set: {self._advice()}")
        root = Path(os.environ[VARIABLE], self.folder) if path is None else Path(path)
        if not root.exists():
            raise self.missing(root)
        return root

    def missing(self, place: Path, what: str = "") -> MissingData:
        """The error to raise where the data set, or ``what`` of it, is not there."""
        return MissingData(f"{self.title} is not at {place}{what and f', where {what} should be'}: {self._advice()}")

    def _advice(self) -> str:
        return (
            f"pass the path of your copy, or set {VARIABLE} to the folder that holds it as {self.folder}; it is to be had from"
            f" {self.giver}"
        )

    def files(self, path: Place | None) -> list[File]:
        """All files of the copy, plain ones first."""
        root = self.root(path)
        if root.is_file():
            return _members(root) if zipfile.is_zipfile(root) else [File(root)]
        found = sorted(place for place in _below(root, _DEPTH) if place.is_file())
        zipped = [member for place in found if place.suffix.lower() == ".zip" for member in _members(place)]
        return [File(place) for place in found] + zipped

    def refuse_part(self, file: object, whole: str, here: str) -> None:
        """Raise as rows are missing."""
        raise BadDataFile(f"{file}: {whole}, but here are {here}; get it anew, or pass partial=True to take what is there")


def _below(root: Path, depth: int) -> Iterator[Path]:
    for place in root.iterdir():
        yield place
        if depth and place.is_dir():
            yield from _below(place, depth - 1)


def _members(path: Path) -> list[File]:
    try:
        with zipfile.ZipFile(path) as archive:
            return [File(path, info.filename) for info in archive.infolist() if not info.is_dir()]
    except zipfile.BadZipFile as error:
        raise BadDataFile(f"{path} is no whole zip file: {error}; get it anew") from None
