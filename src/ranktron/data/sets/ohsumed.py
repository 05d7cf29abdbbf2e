"""OHSUMED (Hersh and others, 1994): physicians' grades of documents for 106 queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet, File, PathLike
from .judgements import Judgements, check_judgements
from .lists import read_rows

DATA_SET = DataSet(
    "OHSUMED",
    "ohsumed",
    "TREC's filtering track as qrels, https://trec.nist.gov/data/t9_filtering.html, or Microsoft Research as a part of LETOR 3,"
    " https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/letor-3-0/;"
    " those who have Hersh's first collection also have the file judged",
)
PAIRS, QUERIES = 16_140, 106
# The words for definitely, possibly and not relevant, and for not judged.
GRADES = {"d": 2, "p": 1, "n": 0, "": -1}
JUDGES = ("first", "second", "third")
_DOCUMENT = re.compile(r"docid\s*=\s*(\d+)")

Row = tuple[int, int, list[int]]


def load_ohsumed(path: PathLike | None = None, *, partial: bool = False) -> Judgements:
    """Read the judgements of OHSUMED: 2 for definitely, 1 for possibly and 0 for not relevant, and -1 for not judged.

    The first of these that exists is read:

    ``judged``
        Of the first collection: the query, the document's MEDLINE number and place, and three grades d, p, n or none, with tabs
        between them. The second judge graded some pairs again. The third graded what a program found later, and some others.
    ``drel.i`` and ``pdrel.i``
        Of the first collection: pairs that are definitely relevant, and pairs that are at least possibly relevant. One judge, and
        no grade 0.
    ``qrels.ohsu…``
        Of TREC's filtering track: the topic, the document's MEDLINE number, and 1 or 2. One judge, and no grade
        0.
    ``Fold1/test.txt`` to ``Fold5/test.txt``, ``OHSUMED.txt``, or ``S1.txt`` to ``S5.txt``
        Of LETOR 3. One judge.

    Parameters
    ----------
    path : str or path, optional
        The file or its folder; by default ``ohsumed`` in ``$RANKTRON_DATA``.
    partial : bool
        Accept an incomplete copy. Only ``judged`` and the files of LETOR are checked; the size of the others is not known.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("judged").write_text("1\\t87049087\\t12\\td\\tp\\t\\n1\\t87073405\\t340\\t\\t\\tn\\n")
    >>> judgements = load_ohsumed("judged", partial=True)
    >>> judgements.documents
    array([87049087, 87073405])
    >>> judgements.grades
    array([[ 2,  1, -1],
           [-1, -1,  0]])
    """
    files = DATA_SET.files(path)
    for fits, read, judges, is_whole in _FORMS:
        some = [file for file in files if fits(file) and not file.member]
        if some:
            judgements = _judgements(read(some), judges)
            check_judgements(DATA_SET, some[0], "OHSUMED", (PAIRS, QUERIES), judgements, partial or not is_whole)
            return judgements
    raise DATA_SET.missing(DATA_SET.root(path), "judged, drel.i, qrels.ohsu…, Fold1/test.txt or S1.txt")


def _judged(files: list[File]) -> Iterator[Row]:
    for place, fields in _lines(files[0]):
        grades = [GRADES.get(field.strip(), -2) for field in [*fields[3:], "", "", ""][:3]]
        if not 4 <= len(fields) <= 6 or -2 in grades or max(grades) < 0:
            raise BadDataFile(
                f"{files[0]}, line {place}: a row is a query, two numbers of a document and up to three grades d, p or n, with"
                " tabs between them"
            )
        yield int(fields[0]), int(fields[1]), grades


def _relevant(files: list[File]) -> Iterator[Row]:
    """The pairs of ``drel`` and ``pdrel`` with the same ending."""
    kind = files[0].parts[-1].rpartition(".")[2]
    named = {file.parts[-1]: file for file in files}
    definite, possible = set(_pairs(named.get(f"drel.{kind}"))), list(_pairs(named.get(f"pdrel.{kind}")))
    for query, document in possible or sorted(definite):
        yield query, document, [2 if (query, document) in definite else 1]


def _pairs(file: File | None) -> Iterator[tuple[int, int]]:
    for place, fields in _lines(file) if file else ():
        if len(fields) != 2:
            raise BadDataFile(f"{file}, line {place}: a row is a query and a document, with a tab between them")
        yield int(fields[0]), int(fields[1])


def _qrels(files: list[File]) -> Iterator[Row]:
    """Each pair once; the files for different tasks have pairs in common."""
    seen: set[tuple[str, ...]] = set()
    for file in files:
        for place, fields in _lines(file):
            if len(fields) != 3 or fields[2] not in ("0", "1", "2"):
                raise BadDataFile(f"{file}, line {place}: a row is a topic, a document and 1 or 2, with tabs between them")
            if tuple(fields) not in seen:
                yield int(fields[0].removeprefix("OHSU")), int(fields[1]), [int(fields[2])]
        seen.update(tuple(fields) for _, fields in _lines(file))


def _letor(files: list[File], depth: int = 1) -> Iterator[Row]:
    """The rows of one folder of folds. LETOR has several, which differ only in how features were prepared."""
    folder = files[0].path.parents[depth]
    for file in files:
        if file.path.parents[depth] != folder:
            continue
        _, y, qid, comments = read_rows(file.path, comments=True)
        for grade, query, comment in zip(y.tolist(), qid.tolist(), comments, strict=True):
            found = _DOCUMENT.search(comment)
            if not found or grade not in (0, 1, 2):
                raise BadDataFile(f"{file}: every row of OHSUMED has a grade 0, 1 or 2 and a comment like #docid = 40626")
            yield query, int(found[1]), [int(grade)]


def _lines(file: File) -> Iterator[tuple[int, list[str]]]:
    for place, line in enumerate(file.text("utf-8").splitlines(), 1):
        fields = line.split("\t") if "\t" in line else line.split()
        numbers = [field.strip().removeprefix("OHSU") for field in fields[:2]]
        if fields and not all(number.isdigit() for number in numbers):
            raise BadDataFile(f"{file}, line {place}: a row begins with the number of a query and of a document")
        if fields:
            yield place, [field.strip() for field in fields]


def _judgements(rows: Iterator[Row], judges: tuple[str, ...]) -> Judgements:
    queries, documents, grades = tuple(zip(*rows, strict=True)) or ((), (), ())
    table = np.array(grades, np.int64).reshape(-1, len(judges))
    return Judgements(np.array(queries, np.int64), np.array(documents, np.int64), table, judges)


def _named(pattern: str) -> Callable[[File], bool]:
    expression = re.compile(pattern)
    return lambda file: expression.search("/".join(file.parts)) is not None


_FORMS: tuple[tuple[Callable[[File], bool], Callable[[list[File]], Iterator[Row]], tuple[str, ...], bool], ...] = (
    (_named(r"(^|/)judged(\.txt)?$"), _judged, JUDGES, True),
    (_named(r"(^|/)p?drel\.u?i$"), _relevant, JUDGES[:1], False),
    (_named(r"(^|/)qrels\.ohsu[^/]*$"), _qrels, JUDGES[:1], False),
    (_named(r"(^|/)all/ohsumed\.txt$"), _letor, JUDGES[:1], True),
    (_named(r"(^|/)fold[1-5]/test(set)?\.txt$"), _letor, JUDGES[:1], True),
    (_named(r"(^|/)s[1-5]\.txt$"), lambda files: _letor(files, depth=0), JUDGES[:1], True),
)
