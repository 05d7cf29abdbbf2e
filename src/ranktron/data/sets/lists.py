"""Reads files of lists by ``read_letor``, and checks them."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile
from ..svmlight.reader import read_letor
from .files import DataSet

# Of the same length, so places in messages stay right.
_NULL, _NAN = b":NULL", b":nan "


class Lists(NamedTuple):
    """Rows of features, their grades, and the queries that they belong to."""

    X: Any
    y: np.ndarray
    qid: np.ndarray


class Fold(NamedTuple):
    """Lists for training, for validation and for the test."""

    train: Lists
    valid: Lists
    test: Lists


def read_rows(path: Path, **given: Any) -> tuple[Any, ...]:
    """Like ``read_letor``, but LETOR's NULL is read as NaN."""
    if not has_null(path):
        return read_letor(path, **given)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "rows.txt")
        copy.write_bytes(path.read_bytes().replace(_NULL, _NAN))
        return read_letor(copy, **given)


def has_null(path: Path) -> bool:
    """Whether any value is NULL."""
    if not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return text.find(_NULL) >= 0


def read_lists(paths: Sequence[Path], **given: Any) -> Lists:
    """The rows of files, joined."""
    parts = [read_rows(path, **given) for path in paths]
    if len(parts) == 1:
        return Lists(*parts[0])
    widths = sorted({X.shape[1] for X, _, _ in parts})
    if len(widths) > 1:
        raise BadDataFile(f"{paths[0].parent}: the files have {widths[0]} to {widths[-1]} features; they are not of one data set")
    X, y, qid = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Lists(X, y, qid)


def check_fold(place: object, fold: Fold, most: float, least: float = 0.0) -> None:
    """Refuse parts that differ in width or share queries, and grades that are not whole numbers from 0 to ``most``."""
    widths = {part.X.shape[1] for part in fold}
    if len(widths) > 1:
        raise BadDataFile(f"{place}: the parts have {', '.join(map(str, sorted(widths)))} features; they are not of one data set")
    for part in fold:
        check_grades(place, part.y, most, least)
    queries = [np.unique(part.qid) for part in fold]
    everything, counts = np.unique(np.concatenate(queries), return_counts=True)
    if (counts > 1).any():
        raise BadDataFile(f"{place}: query {everything[counts > 1][0]} is in more than one of the parts; get them again")


def check_grades(place: object, y: np.ndarray, most: float, least: float = 0.0) -> None:
    """Refuse a grade that is not a whole number of the scale."""
    off = y[~((y >= least) & (y <= most) & (y == np.rint(y)))]
    if len(off):
        raise BadDataFile(f"{place}: grades are {least:g} to {most:g}, but there is {off[0]:g}; this is another data set")


# The numbers of rows, if known, and of queries by the name of a data set.
Sizes = Mapping[str, tuple[int | None, int]]


def check_sizes(data_set: DataSet, place: object, fold: Fold, known: Sizes, partial: bool) -> None:
    """Refuse a fold unless its numbers of rows and queries, over all parts, are those of a known data set."""
    rows = sum(len(part.y) for part in fold)
    queries = len(np.unique(np.concatenate([part.qid for part in fold])))
    if not rows:
        raise BadDataFile(f"{place} holds no rows; get it again")
    if not partial and not any(queries == size[1] and size[0] in (rows, None) for size in known.values()):
        sizes = ", ".join(
            f"{name} {size[1]:,}{'' if size[0] is None else f' with {size[0]:,} rows'}" for name, size in known.items()
        )
        data_set.refuse_part(place, f"the queries of all parts are, by data set, {sizes}", f"{queries:,} with {rows:,} rows")
