"""Jester: people's ratings of jokes, collected at Berkeley."""

from __future__ import annotations

import re

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet, File, PathLike
from .ratings import Ratings, check_levels, check_pairs, check_size, ratings_of, read_columns

DATA_SET = DataSet("Jester", "jester", "Ken Goldberg's laboratory at Berkeley, https://eigentaste.berkeley.edu/dataset/")
# The number of people in a file, by its name.
PEOPLE = {"jester-data-1.csv": 24_983, "jester-data-2.csv": 23_500, "jester-data-3.csv": 24_938, "jester_ratings.dat": 59_132}
NOT_RATED = 99.0
_EMPTY = re.compile(rb",(?=[,\r\n])")
# The share of rows that may have another number of ratings than their first column says.
_TOLERATED = 0.01


def load_jester(path: PathLike | None = None, *, partial: bool = False) -> Ratings:
    """Read Jester: ratings from -10 to 10.

    Excel files are not read. Export them as CSV without a header: one row per person, with the number of jokes rated and then one
    column per joke, which holds 99 or nothing where there is no rating. Several such files with the same jokes, like those of
    data set 1, are joined. ``jester_ratings.dat`` of data set 2 is read, plain or in its zip file.

    Parameters
    ----------
    path : str or path, optional
        The file or its folder; by default ``jester`` in ``$RANKTRON_DATA``.
    partial : bool
        Accept an incomplete copy.

    Returns
    -------
    Ratings
        The ids of jokes are their numbers from 1. Those of people are the numbers of their rows from 1, or the ids in
        ``jester_ratings.dat``.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("jester-data-1.csv").write_text("2,-7.82,99,8.79\\n1,99,99,4.08\\n")
    >>> ratings = load_jester("jester-data-1.csv", partial=True)
    >>> ratings.people, ratings.ratings, ratings.names_items
    (array([0, 0, 1], dtype=int32), array([-7.82,  8.79,  4.08]), array([1, 3]))
    """
    files = _found(path)
    ratings = _listed(files[0]) if files[0].parts[-1].endswith(".dat") else _joined(files)
    check_levels(files[0], ratings.ratings, -10.0, 10.0, 0.0)
    check_pairs(files[0], ratings)
    check_size(DATA_SET, files[0], "Jester", None, ratings, partial)
    _check_people(files, ratings, partial)
    return ratings


def _found(path: PathLike | None) -> list[File]:
    files = DATA_SET.files(path)
    listed = [file for file in files if file.parts[-1] == "jester_ratings.dat"]
    tables = [file for file in files if file.parts[-1].endswith(".csv") and not file.member]
    if listed and tables:
        raise ValueError(f"{DATA_SET.root(path)} holds several data sets of Jester: pass the path of one, like {tables[0]}")
    if listed or tables:
        return listed[:1] or tables
    excel = [file for file in files if ".xls" in file.parts[-1]]
    if excel:
        raise BadDataFile(f"{excel[0]} is an Excel file, which cannot be read; export it as CSV, without a header")
    raise DATA_SET.missing(DATA_SET.root(path), "jester-data-1.csv, jesterfinal151cols.csv or jester_ratings.dat")


def _listed(file: File) -> Ratings:
    people, items, scores = read_columns(file, file.texts(), b"\t ", (np.int64, np.int64, np.float64))
    return ratings_of(people, items, scores)


def _joined(files: list[File]) -> Ratings:
    """The ratings of several matrices with the same columns."""
    matrices = [_matrix(file) for file in files]
    widths = {matrix.shape[1] for matrix in matrices}
    if len(widths) > 1:
        some = ", ".join(f"{file.parts[-1]} {matrix.shape[1]}" for file, matrix in zip(files, matrices, strict=True))
        raise ValueError(f"the files of Jester have different numbers of jokes, {some}: pass the path of one data set")
    matrix = np.concatenate(matrices)
    people, jokes = np.nonzero(matrix != NOT_RATED)
    return ratings_of(people + 1, jokes + 1, matrix[people, jokes])


def _matrix(file: File) -> np.ndarray:
    """The ratings of a file, one row per person."""
    first = next(file.texts(), b"").partition(b"\n")[0]
    width = first.count(b",") + 1
    if width < 3:
        raise BadDataFile(
            f"{file}, line 1: a row is the number of jokes rated and a rating for every joke, with commas between them"
        )
    texts = (_EMPTY.sub(b",99", text) for text in file.texts())
    counts, *columns = read_columns(file, texts, b", ;", [np.float64] * width)
    matrix = np.stack(columns, axis=1)
    off = np.count_nonzero(counts != np.count_nonzero(matrix != NOT_RATED, axis=1))
    if off > _TOLERATED * len(matrix):
        raise BadDataFile(
            f"{file}: the first column should be the number of jokes rated, but is not in {off:,} of {len(matrix):,} rows;"
            " export all columns, without a header"
        )
    return matrix


def _check_people(files: list[File], ratings: Ratings, partial: bool) -> None:
    known = [PEOPLE[file.parts[-1]] for file in files if file.parts[-1] in PEOPLE]
    if len(known) == len(files) and sum(known) != len(ratings.names_people) and not partial:
        names = ", ".join(file.parts[-1] for file in files)
        DATA_SET.refuse_part(
            files[0].path.parent, f"{names} of Jester has {sum(known):,} people", f"{len(ratings.names_people):,}"
        )
