"""Writers of LETOR files, and of TREC's runs (rankings) and qrels (judgements).

Numbers are written as Python writes them, so that ``float`` reads the same bits. A name that ends with ``.gz`` makes a compressed
file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .text import StrPath


def write_letor(path: StrPath, X: Any, y: Any, qid: Any, comments: Sequence[str] | None = None) -> None:
    """Write a LETOR file that ``read_letor`` reads back, bit for bit, except that all NaN are written alike.

    All values of an array are written, and the stored ones of a sparse matrix: if its last columns are empty, pass ``n_features``
    to read it. Comments are read back without the white space around them.

    Examples
    --------
    >>> from pathlib import Path
    >>> write_letor("test.txt", np.array([[0.1, 2.0]]), [1], [7], ["docid = A"])
    >>> print(Path("test.txt").read_text(), end="")
    1 qid:7 1:0.1 2:2 #docid = A
    """
    X = _matrix(X)
    labels, queries = _column(y, "y", X.shape[0]), _integers(qid, "qid", X.shape[0])
    remarks = [""] * len(labels) if comments is None else _comments(comments, len(labels))
    _write(path, map(_letor_line, labels, queries, _features(X), remarks))


def _letor_line(label: float, query: int, features: Iterable[tuple[int, float]], comment: str) -> str:
    fields = [shortest(label), f"qid:{query}", *(f"{column + 1}:{shortest(value)}" for column, value in features)]
    return " ".join([*fields, f"#{comment}"] if comment else fields)


def shortest(number: float) -> str:
    """Python's ``repr`` of a number without a trailing ".0".

    >>> shortest(0.1), shortest(2.0), shortest(-0.0), shortest(float("nan"))
    ('0.1', '2', '-0', 'nan')
    """
    return repr(number).removesuffix(".0")


def _matrix(X: Any) -> Any:
    """An array, or a CSR matrix with ascending columns."""
    if not hasattr(X, "tocsr"):
        X = np.asarray(X)
    elif not (X := X.tocsr()).has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(f"X should be a matrix of numbers; it has {X.ndim} dimensions of {X.dtype} values")
    return X


def _features(X: Any) -> Iterator[Iterable[tuple[int, float]]]:
    """Columns and values, row by row."""
    for row in range(X.shape[0]):
        if isinstance(X, np.ndarray):
            yield enumerate(X[row].astype(np.float64).tolist())
        else:
            part = slice(X.indptr[row], X.indptr[row + 1])
            yield zip(X.indices[part].tolist(), X.data[part].astype(np.float64).tolist(), strict=True)


def write_run(path: StrPath, qid: Any, docids: Any, scores: Any, tag: str = "ranktron") -> None:
    """Write a TREC run, the ranking that ``trec_eval`` and similar tools read: lines of ``qid Q0 docid rank score tag``.

    Queries are in the order of their first rows. Ranks count from 1 at the highest score; among equal scores the earlier row is
    first. ``trec_eval`` itself sorts by the scores, and has an order of its own for equal ones. ``docids=None`` names the
    documents by their row numbers.

    Examples
    --------
    >>> from pathlib import Path
    >>> write_run("run.txt", [7, 7, 9], ["A", "B", "A"], [0.5, 2, -1])
    >>> print(Path("run.txt").read_text(), end="")
    7 Q0 B 1 2.0 ranktron
    7 Q0 A 2 0.5 ranktron
    9 Q0 A 1 -1.0 ranktron
    """
    numbers = np.asarray(_column(scores, "scores", None))
    queries, names = _identifiers(qid, docids, len(numbers))
    if np.isnan(numbers).any():
        raise ValueError(f"the score in row {np.isnan(numbers).argmax()} is NaN, which cannot be ranked")
    _name(tag, "tag")
    _write(path, _run_lines(queries, names, numbers, tag))


def _run_lines(queries: list[str], names: list[str], scores: np.ndarray, tag: str) -> Iterator[str]:
    places = {query: place for place, query in enumerate(dict.fromkeys(queries))}
    order = np.lexsort((-scores, np.array([places[query] for query in queries], np.int64)))
    before, rank = None, 0
    for row in order.tolist():
        rank = rank + 1 if queries[row] == before else 1
        before = queries[row]
        yield f"{before} Q0 {names[row]} {rank} {float(scores[row])!r} {tag}"


def write_qrels(path: StrPath, qid: Any, docids: Any, y: Any) -> None:
    """Write TREC qrels: lines of ``qid 0 docid grade``, with integer grades. ``docids=None`` is as for ``write_run``.

    Examples
    --------
    >>> from pathlib import Path
    >>> write_qrels("qrels.txt", [7, 7, 9], ["A", "B", "A"], [2, 0, 1])
    >>> print(Path("qrels.txt").read_text(), end="")
    7 0 A 2
    7 0 B 0
    9 0 A 1
    """
    grades = _integers(y, "y", None)
    queries, names = _identifiers(qid, docids, len(grades))
    _write(path, (f"{query} 0 {name} {grade}" for query, name, grade in zip(queries, names, grades, strict=True)))


def _identifiers(qid: Any, docids: Any, n_rows: int) -> tuple[list[str], list[str]]:
    """Queries and documents as text; refuses a document that occurs twice in one query."""
    queries = _names(qid, "qid", n_rows)
    names = [str(row) for row in range(n_rows)] if docids is None else _names(docids, "docids", n_rows)
    seen: set[tuple[str, str]] = set()
    for row, pair in enumerate(zip(queries, names, strict=True)):
        if pair in seen:
            raise ValueError(f"row {row} names document {pair[1]!r} of query {pair[0]!r} again")
        seen.add(pair)
    return queries, names


def _names(values: Any, what: str, n_rows: int) -> list[str]:
    array = np.asarray(values)
    if array.shape != (n_rows,) or array.dtype.kind not in "iuUOT":
        raise ValueError(f"{what} should hold {n_rows} integers or strings; it is {array.dtype} of shape {array.shape}")
    names = [str(value) for value in array.tolist()]
    for row, name in enumerate(names):
        _name(name, f"{what} in row {row}")
    return names


def _name(text: str, what: str) -> None:
    if text.split() != [text]:
        raise ValueError(f"{what} is {text!r}; it should be one word, without white space")


def _column(values: Any, what: str, n_rows: int | None) -> list[float]:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "fiub" or n_rows not in (None, len(array)):
        wanted = "numbers" if n_rows is None else f"{n_rows} numbers"
        raise ValueError(f"{what} should hold {wanted}; it is {array.dtype} of shape {array.shape}")
    numbers: list[float] = array.astype(np.float64).tolist()
    return numbers


def _integers(values: Any, what: str, n_rows: int | None) -> list[int]:
    numbers = _column(values, what, n_rows)
    for row, number in enumerate(numbers):
        if not number.is_integer():
            raise ValueError(f"{what} is {number} in row {row}; it should be an integer")
    return [int(value) for value in np.asarray(values).tolist()]


def _comments(comments: Sequence[str], n_rows: int) -> Sequence[str]:
    if len(comments) != n_rows:
        raise ValueError(f"comments should hold {n_rows} texts, one per row; it holds {len(comments)}")
    for row, comment in enumerate(comments):
        if "\n" in comment or "\r" in comment:
            raise ValueError(f"the comment of row {row} contains a line end")
    return comments


def _write(path: StrPath, lines: Iterable[str]) -> None:
    is_zipped = os.fspath(path).endswith(".gz")
    if is_zipped:
        import gzip
    with (gzip.open if is_zipped else open)(path, "wt", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
