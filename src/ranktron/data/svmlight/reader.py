"""Readers of LETOR and svmlight files, plain or zipped.

Numbers are those that Python's ``float`` reads, bit for bit. Compiled code reads a large file on all cores, from a memory map.
Plain Python reads a small one, with the same result.
"""

from __future__ import annotations

import contextlib
import operator
import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .columns import SvmlightRows, joined
from .fill import fill, greatest_index
from .line import GREATEST, BadDataFile, BadLine, Limits
from .text import Piece, StrPath, is_regular, mapped, pieces


def read_letor(path: StrPath, comments: bool = False, *, n_features: int | None = None, dense: bool = False) -> tuple[Any, ...]:
    """Read a LETOR file: features, labels, queries, and with ``comments`` the text after each row's ``#``.

    A row is a line ``label qid:7 1:0.5 2:0.25 … #comment``. The query may stand anywhere, and feature 1 is column 0. Blank
    lines and lines with only a comment are skipped. Other lines raise `BadDataFile` with the file, the line and the reason: an
    index below 1, indices that do not ascend, a query that is missing or not an integer.

    Parameters
    ----------
    path : str or path
        The file. It may be compressed by gzip, whatever its name.
    comments : bool
        Return a list of the comments too, without the white space around them, and ``""`` for a row without one.
    n_features : int, optional
        The number of columns. Without it, the highest index in the file; pass it where several files have to agree.
    dense : bool
        Return X as an array. If every line has every feature, as in the LETOR collections, that costs no time and less memory,
        and learning is faster.

    Returns
    -------
    X : scipy.sparse.csr_matrix or array of float64
    y : array of float64
    qid : array of int64
    comments : list of str

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("train.txt").write_text('''\\
    ... 2 qid:7 1:0.5 2:1 #docid = GX004
    ... 0 qid:7 1:0.25 2:0 #docid = GX117
    ... 1 qid:9 2:3
    ... ''')
    >>> X, y, qid = read_letor("train.txt", dense=True)
    >>> X
    array([[0.5 , 1.  ],
           [0.25, 0.  ],
           [0.  , 3.  ]])
    >>> y, qid
    (array([2., 0., 1.]), array([7, 7, 9]))
    >>> *_, comments = read_letor("train.txt", comments=True)
    >>> comments
    ['docid = GX004', 'docid = GX117', '']
    """
    width = _width(n_features)
    table = _read(path, Limits(1, GREATEST if width is None else width, True), comments)
    return _parts(table, width, dense, comments)


def read_svmlight(
    path: StrPath, *, zero_based: bool | str = "auto", n_features: int | None = None, dense: bool = False
) -> tuple[Any, np.ndarray]:
    """Read an svmlight (libsvm) file: features and labels. Queries are skipped.

    Parameters
    ----------
    path : str or path
        The file. It may be compressed by gzip, whatever its name.
    zero_based : bool or "auto"
        Whether feature 0 is column 0, or feature 1 is. ``"auto"`` does the same as scikit-learn's ``load_svmlight_file``:
        features count from 0 if the file has a feature 0. Two files of one origin may differ in that: pass True or False if you
        know.
    n_features, dense
        As for ``read_letor``.

    Returns
    -------
    X : scipy.sparse.csr_matrix or array of float64
    y : array of float64

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("grades.txt").write_text("3 1:0.5 3:2\\n1 2:-1\\n")
    >>> X, y = read_svmlight("grades.txt")
    >>> X.toarray(), y
    (array([[ 0.5,  0. ,  2. ],
           [ 0. , -1. ,  0. ]]), array([3., 1.]))
    >>> read_svmlight("grades.txt", zero_based=True, n_features=5)[0].shape
    (2, 5)
    """
    if zero_based not in (True, False, "auto"):
        raise ValueError(f'zero_based={zero_based!r} should be True, False or "auto"')
    width, auto = _width(n_features), zero_based == "auto"
    last = GREATEST if width is None else width - bool(zero_based) + auto
    table = _read(path, Limits(0 if zero_based else 1, last, False), False)
    if auto:
        table = _settled(table, width, path)
    X, y, _ = _parts(table, width, dense, False)
    return X, y


def _settled(table: SvmlightRows, width: int | None, path: StrPath) -> SvmlightRows:
    """Count features from 0 if there is a feature 0, else from 1."""
    if table.lowest == 0:
        if width is not None and table.highest >= width:
            raise BadDataFile(f"{os.fspath(path)}: index {table.highest} is beyond n_features={width}, counted from 0")
        return table
    table.indices[:] -= 1
    return table._replace(highest=max(table.highest - 1, -1))


def iter_letor(
    path: StrPath, rows: int = 100_000, *, comments: bool = False, n_features: int | None = None, dense: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Read a LETOR file in blocks of whole lists, in constant memory.

    A list is a run of rows with the same query. A block ends with the first list that brings it to ``rows`` rows. All blocks
    have the same columns: without ``n_features`` the file is scanned once before, to find the highest index. A bad line raises
    `BadDataFile` when its block is read.

    The other parameters, and the arrays of each block, are those of ``read_letor``.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("train.txt").write_text("1 qid:1 1:5\\n0 qid:1 2:6\\n2 qid:2 1:7\\n1 qid:3 3:8\\n")
    >>> for X, y, qid in iter_letor("train.txt", rows=2):
    ...     print(X.shape, y, qid)
    (2, 3) [1. 0.] [1 1]
    (2, 3) [2. 1.] [2 3]
    """
    if operator.index(rows) < 1:
        raise ValueError(f"rows={rows} should be at least 1")
    width = _width(n_features)
    if width is None and not is_regular(path):
        raise ValueError(f"{os.fspath(path)} cannot be read twice, to find the number of columns: pass n_features")
    return _blocks(path, rows, comments, width, dense)


def _blocks(path: StrPath, rows: int, comments: bool, width: int | None, dense: bool) -> Iterator[tuple[Any, ...]]:
    if width is None:
        size = os.stat(path).st_size
        with contextlib.closing(pieces(path)) as parts:
            width = max(0, max((greatest_index(piece, size) for piece in parts), default=0))
    with contextlib.closing(pieces(path)) as parts:
        for table in _whole_lists(_tables(path, parts, Limits(1, width, True), comments), rows):
            yield _parts(table, width, dense, comments)


def _whole_lists(tables: Iterator[SvmlightRows], rows: int) -> Iterator[SvmlightRows]:
    """Cut tables again, where lists end."""
    waiting: list[SvmlightRows] = []
    wanted = rows
    for table in tables:
        waiting.append(table)
        if sum(len(one.y) for one in waiting) > wanted:
            *blocks, rest = _split(waiting, rows)
            yield from blocks
            waiting = [rest]
            wanted = max(rows, 2 * len(rest.y))  # doubling: a list of many pieces is not joined again for every piece
    if waiting:
        yield from (block for block in _split(waiting, rows) if len(block.y))


def _split(tables: list[SvmlightRows], rows: int) -> Iterator[SvmlightRows]:
    table = joined(tables)
    return table.split(_block_ends(table.qid, rows))


def _block_ends(qid: np.ndarray, rows: int) -> list[int]:
    """Ends of lists, each the first one at least ``rows`` rows after the one before."""
    starts = np.flatnonzero(qid[1:] != qid[:-1]) + 1
    ends = [0]
    while (place := np.searchsorted(starts, ends[-1] + rows)) < len(starts):
        ends.append(int(starts[place]))
    return ends[1:]


def _read(path: StrPath, limits: Limits, comments: bool) -> SvmlightRows:
    everything = mapped(path)
    with contextlib.closing(pieces(path)) as parts:  # closes its thread now; an error's traceback would keep it open
        return joined(list(_tables(path, parts if everything is None else [everything], limits, comments)))


def _tables(path: StrPath, parts: Iterable[Piece], limits: Limits, comments: bool) -> Iterator[SvmlightRows]:
    lines, size = 0, os.stat(path).st_size
    for piece in parts:
        with _named(path, lines):
            table, more = fill(piece, limits, comments, size)
        lines += more
        yield table


@contextlib.contextmanager
def _named(path: StrPath, lines: int) -> Iterator[None]:
    """Add the file and the line to the message of a bad line; ``lines`` lines were read before."""
    try:
        yield
    except BadLine as error:
        raise BadDataFile(f"{os.fspath(path)}, line {lines + error.line}: {error}") from None


def _width(n_features: int | None) -> int | None:
    if n_features is not None and operator.index(n_features) < 1:
        raise ValueError(f"n_features={n_features} should be at least 1")
    return n_features


def _parts(table: SvmlightRows, width: int | None, dense: bool, comments: bool) -> tuple[Any, ...]:
    parts = table.matrix(width, dense), table.y, table.qid
    return (*parts, table.comments) if comments else parts
