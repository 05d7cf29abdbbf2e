"""The cystic fibrosis collection of Shaw, Wood, Wood and Tibbo (1991): four judges' grades of documents for 100 queries."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet, File, PathLike
from .judgements import Judgements, check_judgements

DATA_SET = DataSet(
    "The cystic fibrosis collection",
    "cystic_fibrosis",
    "Marti Hearst's pages on Modern Information Retrieval at Berkeley, https://people.ischool.berkeley.edu/~hearst/irbook/cfc.html",
)
JUDGES = ("REW", "colleagues", "post-docs", "JBW")
PAIRS, QUERIES, DOCUMENTS = 4_819, 100, 1_239
FILES = ("judgements.tsv", "cfquery", "cfquery.xml", "cfquery-2.xml")
_QUERY = re.compile(r"^QN\s+(\d+)\s.*?^NR\s+(\d+)\s*^RD\s([\d\s]*)", re.MULTILINE | re.DOTALL)
_ELEMENT = re.compile(r"<QueryNumber>\s*(\d+)\s*</QueryNumber>.*?<Results>\s*(\d+)\s*</Results>(.*?)</QUERY>", re.DOTALL)
_ITEM = re.compile(r'<Item\s+score="(\d+)"\s*>\s*(\d+)\s*</Item>')
# The digits of a query's number of documents; a document's grades have four.
_HEAD = 5


class Query(NamedTuple):
    """A query's number, the number of documents that it should have, and its documents with their grades."""

    number: int
    size: int
    judged: list[tuple[str, str]]


def load_cystic_fibrosis(path: PathLike | None = None, *, partial: bool = False) -> Judgements:
    """Read the cystic fibrosis collection: 4,819 pairs of a query and a document, judged 0, 1 or 2 by each of four judges.

    It has only pairs that at least one judge graded above 0. Three forms are read: the original ``cfquery``, ``cfquery.xml``, and
    ``judgements.tsv``, a table of the query, the document and the four grades under a header. There is a copy of the XML in which
    query 93 is part of query 92. It is repaired with a warning.

    Parameters
    ----------
    path : str or path, optional
        The file or its folder; by default ``cystic_fibrosis`` in ``$RANKTRON_DATA``.
    partial : bool
        Accept an incomplete copy.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("cfquery").write_text('''\\
    ... QN 00001
    ... QU What are the effects of calcium on the physical properties of mucus
    ...    from CF patients?
    ... NR 00003
    ... RD  139 1222  151 2211  166 0001
    ... ''')
    >>> judgements = load_cystic_fibrosis("cfquery", partial=True)
    >>> judgements.documents, judgements.judges
    (array([139, 151, 166]), ('REW', 'colleagues', 'post-docs', 'JBW'))
    >>> judgements.grades
    array([[1, 2, 2, 2],
           [2, 2, 1, 1],
           [0, 0, 0, 1]])
    """
    file = DATA_SET.first(path, FILES, f"one of {', '.join(FILES)}")
    name = file.parts[-1]
    judgements = _table(file) if name.endswith(".tsv") else _collected(file, _queries(file))
    _check(file, judgements, partial)
    return judgements


def _table(file: File) -> Judgements:
    header, *lines = file.text("utf-8").splitlines() or [""]
    if len(header.split("\t")) != 6:
        raise BadDataFile(f"{file}, line 1: the header should name a query, a document and four judges, with tabs between them")
    rows = [line.split("\t") for line in lines if line.strip()]
    for place, row in enumerate(rows, 2):
        if len(row) != 6 or not all(cell.strip().isdigit() for cell in row):
            raise BadDataFile(f"{file}, line {place}: a row is six whole numbers with tabs between them")
    table = np.array(rows, np.int64).reshape(-1, 6)
    return Judgements(table[:, 0], table[:, 1], table[:, 2:], JUDGES)


def _queries(file: File) -> Iterator[Query]:
    text = file.text("utf-8")
    if "<QUERY>" not in text:
        for number, count, judged in _QUERY.findall(text):
            words = judged.split()
            yield Query(int(number), int(count), list(zip(words[::2], words[1::2])))
        return
    for number, count, records in _ELEMENT.findall(text):
        items = [(document, grades) for grades, document in _ITEM.findall(records)]
        yield from _parted(file, Query(int(number), int(count), items))


def _parted(file: File, query: Query) -> Iterator[Query]:
    """The query, and queries that became part of it. Their heads look like a document, the number, and its grades, the count."""
    heads = [place for place, (_, grades) in enumerate(query.judged) if len(grades) == _HEAD]
    stops = [*heads, len(query.judged)]
    yield query._replace(judged=query.judged[: stops[0]])
    for head, stop in zip(heads, stops[1:], strict=True):
        number, count = (int(word) for word in query.judged[head])
        warnings.warn(
            f"{file}: query {number} was within query {query.number}; it is read as a query of its own", UserWarning, stacklevel=5
        )
        yield Query(number, count, query.judged[head + 1 : stop])


def _collected(file: File, queries: Iterator[Query]) -> Judgements:
    numbers, documents, grades = [], [], []
    for query in queries:
        if len(query.judged) != query.size or any(len(some) != len(JUDGES) for _, some in query.judged):
            raise BadDataFile(
                f"{file}: query {query.number} should have {query.size} documents with four grades each, but has"
                f" {len(query.judged)}; get it again"
            )
        numbers += [query.number] * query.size
        documents += [int(document) for document, _ in query.judged]
        grades += [[int(digit) for digit in some] for _, some in query.judged]
    table = np.array(grades, np.int64).reshape(-1, len(JUDGES))
    return Judgements(np.array(numbers, np.int64), np.array(documents, np.int64), table, JUDGES)


def _check(file: File, judgements: Judgements, partial: bool) -> None:
    _, documents, grades, _ = judgements
    if (grades > 2).any():
        raise BadDataFile(f"{file}: grades should be 0, 1 or 2, but there is a {grades.max()}")
    if len(documents) and not (documents.min() >= 1 and documents.max() <= DOCUMENTS):
        raise BadDataFile(f"{file}: documents should be 1 to {DOCUMENTS}, but are {documents.min()} to {documents.max()}")
    partial = partial and len(documents) > 0  # nothing at all is not a part
    check_judgements(DATA_SET, file, "the collection", (PAIRS, QUERIES), judgements, partial)
