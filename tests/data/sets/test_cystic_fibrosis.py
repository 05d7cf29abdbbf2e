"""The cystic fibrosis collection in its three forms, and with query 93 within query 92."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from ranktron.data import BadDataFile, sets

SHARED = Path(os.environ.get("RANKTRON_DATA", "../shared/data"), "cystic_fibrosis")


@pytest.fixture(scope="module")
def whole() -> sets.Judgements:
    """As many made-up judgements as the collection has."""
    random = np.random.default_rng(0)
    sizes = [49] * 19 + [48] * 81
    documents = np.concatenate([np.sort(random.permutation(1_239)[:size] + 1) for size in sizes])
    grades = random.integers(3, size=(len(documents), 4))
    return sets.Judgements(np.repeat(np.arange(1, 101), sizes), documents, grades, ("REW", "colleagues", "post-docs", "JBW"))


def by_query(judgements: sets.Judgements) -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = {}
    for query, document, grades in zip(*judgements[:3], strict=True):
        found.setdefault(int(query), []).append((int(document), "".join(map(str, grades))))
    return found


def as_text(judgements: sets.Judgements) -> str:
    """Seven documents a line, as in cfquery; some of its lines end with a blank."""
    blocks = []
    for query, judged in by_query(judgements).items():
        pairs = [f"{document:4d} {grades}" for document, grades in judged]
        lines = [" ".join(pairs[start : start + 7]) for start in range(0, len(pairs), 7)]
        head = f"QN {query:05d} \nQU Is CF mucus abnormal in\n   NR of CF patients?\nNR {len(judged):05d}\nRD "
        blocks.append(head + "\n    ".join(lines) + "\n")
    return "\n".join(blocks)


def as_xml(judgements: sets.Judgements, swallowed: int | None = None) -> str:
    """One element a query; that of ``swallowed`` has become an item, and its documents, of the query before."""
    blocks: list[str] = []
    for query, judged in by_query(judgements).items():
        items = "".join(f'<Item score="{grades}">{document}</Item>' for document, grades in judged)
        if query == swallowed:
            head, tail = blocks[-1].split("\n</Records>")
            blocks[-1] = f'{head}<Item score="{len(judged):05d}">{query:05d}</Item>{items}\n</Records>{tail}'
        else:
            start = f"<QUERY>\n<QueryNumber>{query:05d}</QueryNumber> \n<QueryText>Is CF mucus abnormal?\n</QueryText>\n"
            blocks.append(f"{start}<Results>{len(judged):05d}</Results>\n<Records>{items}\n</Records>\n</QUERY>\n")
    return "\n" + "\n".join(blocks)


def as_table(judgements: sets.Judgements) -> str:
    table = np.column_stack(judgements[:3]).tolist()
    return "query\tdoc\trew\tcolleagues\tpostdocs\tjbw\n" + "".join("\t".join(map(str, row)) + "\n" for row in table)


def same(ours: sets.Judgements, theirs: sets.Judgements) -> bool:
    return by_query(ours) == by_query(theirs) and ours.judges == theirs.judges


@pytest.mark.parametrize(("name", "write"), [("cfquery", as_text), ("cfquery.xml", as_xml), ("judgements.tsv", as_table)])
def test_all_forms_read_as_written(name: str, write: object, whole: sets.Judgements, tmp_path: Path) -> None:
    (tmp_path / name).write_text(write(whole))  # type: ignore[operator]
    judgements = sets.load_cystic_fibrosis(tmp_path)
    assert same(judgements, whole)
    assert judgements.grades.shape == (4_819, 4)


@pytest.mark.parametrize("query", [93, 100])
def test_a_query_within_another_is_taken_out_with_a_warning(query: int, whole: sets.Judgements, tmp_path: Path) -> None:
    (tmp_path / "cfquery.xml").write_text(as_xml(whole, swallowed=query))
    with pytest.warns(
        UserWarning, match=rf"cfquery\.xml: query {query} was within query {query - 1}; it is read as a query of its own"
    ):
        judgements = sets.load_cystic_fibrosis(tmp_path)
    assert same(judgements, whole)


def test_a_root_element_does_not_matter(whole: sets.Judgements, tmp_path: Path) -> None:
    text = f'<?xml version="1.0"?>\n<!DOCTYPE FILE SYSTEM "cfcquery-2.dtd">\n<FILE>{as_xml(whole)}</FILE>\n'
    (tmp_path / "cfquery.xml").write_text(text)
    assert same(sets.load_cystic_fibrosis(tmp_path), whole)


TEXT = """\
QN 00001
QU What are the effects of calcium on the physical properties of mucus
   from CF patients?
NR 00003
RD  139 1222  151 2211
    166 0001

QN 00002
QU Is CF mucus abnormal?
NR 00002
RD  139 0100 1175 0010
"""


def test_a_few_lines(tmp_path: Path) -> None:
    (tmp_path / "cfquery").write_text(TEXT)
    judgements = sets.load_cystic_fibrosis(tmp_path, partial=True)
    assert judgements.queries.tolist() == [1, 1, 1, 2, 2]
    assert judgements.documents.tolist() == [139, 151, 166, 139, 1175]
    assert judgements.grades.tolist() == [[1, 2, 2, 2], [2, 2, 1, 1], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cfquery", TEXT[:-12], "query 2 should have 2 documents with four grades each, but has 1"),
        ("cfquery", TEXT.replace("166 0001", "166 001"), "query 1 should have 3 documents with four grades each"),
        ("cfquery", TEXT.replace("166 0001", "166 0003"), "grades should be 0, 1 or 2, but there is a 3"),
        ("cfquery", TEXT.replace("1175", "1240"), "documents should be 1 to 1239, but are 139 to 1240"),
        ("cfquery", TEXT.replace("1175", " 139"), "1 pairs of a query and a document occur twice"),
        ("cfquery", "nothing of the kind", "the collection has 4,819 judged pairs for 100 queries, but here are 0 for 0"),
        ("judgements.tsv", "query,doc,rew,colleagues,postdocs,jbw\n1,2,0,0,0,1\n", "line 1: the header should name a query"),
        ("judgements.tsv", "query\tdoc\trew\tcolleagues\tpostdocs\tjbw\n1\t2\t0\t0\t0\n", "line 2: a row is six whole numbers"),
        (
            "judgements.tsv",
            "query\tdoc\trew\tcolleagues\tpostdocs\tjbw\n1\t2\t0\t0\t0\t-1\n",
            "line 2: a row is six whole numbers",
        ),
    ],
)
def test_bad_copies_are_refused(name: str, text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadDataFile, match=told):
        sets.load_cystic_fibrosis(tmp_path, partial=True)


def test_a_part_is_refused_unless_it_will_do(tmp_path: Path) -> None:
    (tmp_path / "cfquery").write_text(TEXT)
    with pytest.raises(
        BadDataFile, match=r"4,819 judged pairs for 100 queries, but here are 5 for 2; get it again, or pass partial"
    ):
        sets.load_cystic_fibrosis(tmp_path)


def test_the_collection_itself() -> None:
    """How often every judge gave every grade, and the sums, as counted when the file was made."""
    if not SHARED.is_dir():
        pytest.skip("the data are not there; RANKTRON_DATA may name the folder above cystic_fibrosis")
    queries, documents, grades, judges = sets.load_cystic_fibrosis(SHARED)
    assert (len(queries), len(np.unique(queries)), len(np.unique(documents))) == (4_819, 100, 1_225)
    counts = {judge: np.bincount(column).tolist() for judge, column in zip(judges, grades.T, strict=True)}
    assert counts["REW"] == [2587, 1128, 1104]
    assert counts["colleagues"] == [2667, 1233, 919]
    assert counts["post-docs"] == [2728, 1063, 1028]
    assert counts["JBW"] == [1365, 2043, 1411]
    assert np.bincount(grades.sum(1)).tolist() == [0, 2280, 744, 251, 202, 250, 297, 330, 465]
