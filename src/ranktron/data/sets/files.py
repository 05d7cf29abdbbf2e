"""Finds the user's copies of the data sets, in folders and zip files."""

from __future__ import annotations

import fnmatch
import os
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..svmlight.line import LONGEST, BadDataFile, BadLine, too_long
from ..svmlight.text import PIECE, chunks_of, pieces, read_some

PathLike = str | os.PathLike[str]
VARIABLE = "RANKTRON_DATA"
# How many levels of folders are searched below the given one.
_DEPTH = 4


class MissingData(FileNotFoundError):
    """A data set was not found; the message names the place and where to get the data set."""


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
        """The number of bytes to read."""
        if not self.member:
            return self.path.stat().st_size
        with zipfile.ZipFile(self.path) as archive:
            return archive.getinfo(self.member).file_size

    def texts(self) -> Iterator[bytes]:
        """The text in pieces of whole lines; the last line ends with a line break, too."""
        if self.member:
            yield from self._unzipped()
            return
        try:
            for piece in pieces(self.path):
                for chunk in chunks_of(piece):
                    yield bytes(chunk.text[chunk.start : chunk.stop])
        except BadLine as error:
            raise BadDataFile(f"{self}: a line cannot be read: {error}") from None

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
        """The whole text. Some copies do not have the usual encoding; they are read as latin-1."""
        everything = b"".join(self.texts())
        try:
            return everything.decode(encoding)
        except UnicodeDecodeError:
            return everything.decode("latin-1")


class DataSet(NamedTuple):
    """A data set: its title, its folder in RANKTRON_DATA, and its publisher."""

    title: str
    folder: str
    publisher: str

    def root(self, path: PathLike | None) -> Path:
        """The file or the folder to read."""
        if path is None and not os.environ.get(VARIABLE):
            raise MissingData(f"{self.title} was not looked for, because {VARIABLE} is not set: {self._advice()}")
        root = Path(os.environ[VARIABLE], self.folder) if path is None else Path(path)
        if not root.exists():
            raise self.missing(root)
        return root

    def missing(self, place: Path, what: str = "") -> MissingData:
        """The error for a missing data set, or for ``what`` is missing in it."""
        return MissingData(f"{self.title} is not at {place}{what and f', where {what} should be'}: {self._advice()}")

    def _advice(self) -> str:
        return (
            f"pass the path of your copy, or set {VARIABLE} to the folder that holds it as {self.folder}; get it from"
            f" {self.publisher}"
        )

    def files(self, path: PathLike | None) -> list[File]:
        """All files of the copy, plain ones first."""
        root = self.root(path)
        if root.is_file():
            return _members(root) if zipfile.is_zipfile(root) else [File(root)]
        found = sorted(place for place in _below(root, _DEPTH) if place.is_file())
        zipped = [member for place in found if place.suffix.lower() == ".zip" for member in _members(place)]
        return [File(place) for place in found] + zipped

    def first(self, path: PathLike | None, patterns: Sequence[str], what: str) -> File:
        """The first file whose name has the first of these forms that any has; ``what`` names them in the error."""
        files = self.files(path)
        for pattern in patterns:
            for file in files:
                if fnmatch.fnmatchcase(file.parts[-1], pattern):
                    return file
        raise self.missing(self.root(path), what)

    def refuse_part(self, file: object, whole: str, here: str) -> None:
        """Raise the error for an incomplete copy."""
        raise BadDataFile(f"{file}: {whole}, but here are {here}; get it again, or pass partial=True to use this part")


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
        raise BadDataFile(f"{path} is not a complete zip file: {error}; get it again") from None
