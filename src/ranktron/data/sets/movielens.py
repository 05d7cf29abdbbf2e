"""MovieLens: people's ratings of films, published by GroupLens."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet, File, PathLike
from .ratings import Ratings, RatingsSize, check_levels, check_pairs, check_size, ratings_of, read_columns

DATA_SET = DataSet(
    "MovieLens", "movielens", "GroupLens at the University of Minnesota, https://grouplens.org/datasets/movielens/"
)
_HEADER = b"userId,movieId,rating,timestamp"
_NAMED = re.compile(r"ml-(latest-small|latest|100k|1m|10m|20m|25m|32m)")
_TYPES = (np.int64, np.int64, np.float64, np.int64)
# A ratings.dat of at most this many bytes is taken for that of 1M, which has 25 million; that of 10M has 265 million.
_LARGEST_1M = 100_000_000


class Version(NamedTuple):
    """The files of a version, the step of its ratings, and its size if that does not change."""

    file: str
    delimiters: bytes
    step: float
    titles: str
    size: RatingsSize | None = None


VERSIONS = {
    "100k": Version("u.data", b"\t", 1.0, "u.item", RatingsSize(100_000, 943, 1_682)),
    "1m": Version("ratings.dat", b":", 1.0, "movies.dat", RatingsSize(1_000_209, 6_040, 3_706)),
    "10m": Version("ratings.dat", b":", 0.5, "movies.dat", RatingsSize(10_000_054, 69_878, 10_677)),
    "20m": Version("ratings.csv", b",", 0.5, "movies.csv", RatingsSize(20_000_263, 138_493, 26_744)),
    "25m": Version("ratings.csv", b",", 0.5, "movies.csv", RatingsSize(25_000_095, 162_541, 59_047)),
    "32m": Version("ratings.csv", b",", 0.5, "movies.csv", RatingsSize(32_000_204, 200_948)),
    "latest-small": Version("ratings.csv", b",", 0.5, "movies.csv"),
    "latest": Version("ratings.csv", b",", 0.5, "movies.csv"),
}


def load_movielens(path: PathLike | None = None, version: str | None = None, *, partial: bool = False) -> Ratings:
    """Read MovieLens: ratings of 1 to 5 stars, with half stars from 10M on, and their times.

    Parameters
    ----------
    path : str or path, optional
        The folder, the published zip file, or the file of ratings. By default ``movielens`` in ``$RANKTRON_DATA``.
    version : {"100k", "1m", "10m", "20m", "25m", "32m", "latest-small", "latest"}, optional
        The version to read if there are several. By default it follows from the names of files and folders.
    partial : bool
        Accept an incomplete copy. The sizes of the "latest" versions change, and are not checked.

    Returns
    -------
    Ratings
        In the order of the file. They take 24 bytes per rating, and almost three times as much while reading.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("u.data").write_text("196\\t242\\t3\\t881250949\\n186\\t302\\t3\\t891717742\\n196\\t302\\t4\\t881251577\\n")
    >>> ratings = load_movielens("u.data", partial=True)
    >>> ratings.people, ratings.items, ratings.ratings
    (array([0, 1, 0], dtype=int32), array([0, 1, 1], dtype=int32), array([3., 3., 4.]))
    >>> ratings.names_people
    array([196, 186])
    """
    file, name = _found(path, version)
    about = VERSIONS[name]
    has_header = about.file.endswith("csv")
    if has_header:
        _check_header(file)
    people, items, stars, times = read_columns(file, file.texts(), about.delimiters, _TYPES, int(has_header))
    ratings = ratings_of(people, items, stars, times)
    del people, items  # large, where there are millions
    check_levels(file, stars, about.step, 5.0, about.step)
    check_pairs(file, ratings)
    check_size(DATA_SET, file, f"MovieLens {name}", about.size, ratings, partial)
    return ratings


def load_movielens_titles(path: PathLike | None = None, version: str | None = None) -> dict[int, str]:
    """Read the titles of the films, by the ids in ``names_items``.

    The parameters are those of ``load_movielens``.

    >>> from pathlib import Path
    >>> _ = Path("u.data").write_text("196\\t242\\t3\\t881250949\\n")
    >>> _ = Path("u.item").write_bytes(b"242|Kolya (1996)|24-Jan-1997||http://us.imdb.com/M/title-exact?Kolya%20(1996)|0|0\\n")
    >>> load_movielens_titles(".")
    {242: 'Kolya (1996)'}
    """
    ratings, name = _found(path, version)
    wanted = VERSIONS[name].titles
    beside = [file for file in DATA_SET.files(path) if file.parts[-1] == wanted and file.parts[:-1] == ratings.parts[:-1]]
    if not beside:
        raise DATA_SET.missing(ratings.path.parent, wanted)
    text = beside[0].text("latin-1" if wanted == "u.item" else "utf-8")
    lines = text.splitlines()
    rows = csv.reader(lines) if wanted == "movies.csv" else [line.split("|" if wanted == "u.item" else "::") for line in lines]
    return {int(row[0]): row[1] for row in rows if row and row[0].isdigit()}


def _found(path: PathLike | None, version: str | None) -> tuple[File, str]:
    """The file of ratings, and its version."""
    if version is not None and version not in VERSIONS:
        raise ValueError(f"version={version!r} should be one of {', '.join(VERSIONS)}")
    names = {about.file for about in VERSIONS.values()}
    files = [file for file in DATA_SET.files(path) if file.parts[-1] in names]
    known: dict[str, File] = {}
    for file in files:
        known.setdefault(_version(file), file)
    if version is not None and version not in known and len(files) == 1 and VERSIONS[version].file == files[0].parts[-1]:
        known = {version: files[0]}  # the argument overrides the name of a folder
    if version is None and len(known) > 1:
        raise ValueError(f"{DATA_SET.root(path)} holds several versions of MovieLens: pass version, one of {', '.join(known)}")
    chosen = version or next(iter(known), "")
    if chosen not in known:
        what = VERSIONS[version].file if version else "u.data, ratings.dat or ratings.csv"
        raise DATA_SET.missing(DATA_SET.root(path), f"{what} of {version}" if version else what)
    return known[chosen], chosen


def _version(file: File) -> str:
    name = file.parts[-1]
    for part in reversed(file.parts[:-1]):
        named = _NAMED.match(part)
        if named and VERSIONS[named[1]].file == name:
            return named[1]
    if name == "ratings.dat":
        return "1m" if file.size <= _LARGEST_1M else "10m"
    return "100k" if name == "u.data" else "latest"


def _check_header(file: File) -> None:
    first = next(file.texts(), b"").partition(b"\n")[0].strip()
    if first != _HEADER:
        raise BadDataFile(f"{file}, line 1: the header should be {_HEADER.decode()}, not {first[:60].decode(errors='replace')!r}")
