"""OHSUMED's judgements in the four forms that they are given out in."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron.data import BadDataFile, sets

JUDGED = "1\t87049087\t12\td\tp\t\n1\t87073405\t340\t\t\tn\n2\t87049087\t12\tn\t\td\n106\t91352411\t348560\tp\t\t\n"


def load(path: Path, text: str, **given: bool) -> sets.Judgements:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return sets.load_ohsumed(path.parent, **given)


@pytest.mark.parametrize("stripped", [False, True])
def test_judged(stripped: bool, tmp_path: Path) -> None:
    text = "".join(line.rstrip() + "\n" for line in JUDGED.splitlines()) if stripped else JUDGED
    judgements = load(tmp_path / "judged", text, partial=True)
    assert judgements.queries.tolist() == [1, 1, 2, 106]
    assert judgements.documents.tolist() == [87049087, 87073405, 87049087, 91352411]
    assert judgements.grades.tolist() == [[2, 1, -1], [-1, -1, 0], [0, -1, 2], [1, -1, -1]]
    assert judgements.judges == ("first", "second", "third")


def test_a_whole_file_is_taken_and_a_part_of_it_is_not(tmp_path: Path) -> None:
    lines = [f"{1 + row % 106}\t{87_000_000 + row}\t{row + 1}\t{'dpn'[row % 3]}\t\t\n" for row in range(16_140)]
    judgements = load(tmp_path / "judged", "".join(lines))
    assert judgements.grades.shape == (16_140, 3)
    with pytest.raises(BadDataFile, match="OHSUMED has 16,140 judged pairs for 106 queries, but here are 16,139 for 106"):
        load(tmp_path / "judged", "".join(lines[:-1]))


@pytest.mark.parametrize("kind", ["i", "ui"])
def test_relevant_pairs(kind: str, tmp_path: Path) -> None:
    (tmp_path / f"drel.{kind}").write_text("1\t12\n2\t7\n")
    judgements = load(tmp_path / f"pdrel.{kind}", "1\t12\n1\t340\n2\t7\n")
    assert judgements.documents.tolist() == [12, 340, 7]
    assert judgements.grades.tolist() == [[2], [1], [2]]


def test_definitely_relevant_pairs_alone(tmp_path: Path) -> None:
    assert load(tmp_path / "drel.i", "1\t12\n2\t7\n").grades.tolist() == [[2], [2]]


def test_qrels(tmp_path: Path) -> None:
    (tmp_path / "qrels.ohsu.adapt.87").write_text("OHSU1\t87316326\t1\n")
    (tmp_path / "qrels.ohsu.batch.87").write_text("OHSU1\t87316326\t1\nOHSU1\t87202778\t2\n")
    judgements = load(tmp_path / "qrels.ohsu.88-91", "OHSU63\t91190212\t2\n")
    assert sorted(
        zip(judgements.queries.tolist(), judgements.documents.tolist(), judgements.grades[:, 0].tolist(), strict=True)
    ) == [
        (1, 87202778, 2),
        (1, 87316326, 1),
        (63, 91190212, 2),
    ]


def test_letor(tmp_path: Path) -> None:
    for name in ("Feature_null", "QueryLevelNorm"):
        for fold in range(1, 6):
            folder = tmp_path / "OHSUMED" / name / f"Fold{fold}"
            folder.mkdir(parents=True)
            (folder / "test.txt").write_text(f"{fold % 3} qid:{fold} 1:3.000000 2:NULL #docid = {40625 + fold}\n")
    judgements = sets.load_ohsumed(tmp_path, partial=True)
    assert judgements.queries.tolist() == [1, 2, 3, 4, 5]
    assert judgements.documents.tolist() == [40626, 40627, 40628, 40629, 40630]
    assert judgements.grades.tolist() == [[1], [2], [0], [1], [2]]


def test_the_five_parts_of_letor(tmp_path: Path) -> None:
    for name in ("Feature_null", "QueryLevelNorm"):
        (tmp_path / name).mkdir()
        for part in range(1, 6):
            (tmp_path / name / f"S{part}.txt").write_text(f"{part % 3} qid:{part} 1:3.0 2:NULL #docid = {40625 + part}\n")
    for place in (tmp_path, tmp_path / "QueryLevelNorm"):
        judgements = sets.load_ohsumed(place, partial=True)
        assert judgements.queries.tolist() == [1, 2, 3, 4, 5]
        assert judgements.documents.tolist() == [40626, 40627, 40628, 40629, 40630]
        assert judgements.grades.tolist() == [[1], [2], [0], [1], [2]]
    assert sets.load_letor(place, partial=True).train.qid.tolist() == [1, 2, 3]  # the same layout
    (place / "S5.txt").unlink()
    with pytest.raises(BadDataFile, match="OHSUMED has 16,140 judged pairs for 106 queries, but here are 4 for 4"):
        sets.load_ohsumed(place)


def test_letor_in_one_file(tmp_path: Path) -> None:
    judgements = load(
        tmp_path / "ALL" / "OHSUMED.txt", "2 qid:1 1:0.5 #docid = 40626\n0 qid:1 1:0.1 #docid = 11852\n", partial=True
    )
    assert judgements.documents.tolist() == [40626, 11852]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("judged", JUDGED.replace("\t", ","), "line 1: a row begins with the number of a query and of a document"),
        ("judged", JUDGED[:-5] + "\n", "line 4: a row is a query, two numbers of a document and up to three grades"),
        ("judged", JUDGED.replace("\td\tp", "\tx\tp"), "line 1: a row is a query"),
        ("judged", JUDGED.replace("\t\t\tn", "\t\t\t"), "line 2: a row is a query"),
        ("judged", JUDGED + JUDGED.splitlines()[0], "1 pairs of a query and a document occur twice"),
        ("drel.i", "1\t12\t3\n", "line 1: a row is a query and a document"),
        ("drel.i", "Q1\t12\n", "line 1: a row begins with the number of a query"),
        ("qrels.ohsu.88-91", "OHSU1\t87316326\t3\n", "line 1: a row is a topic, a document and 1 or 2"),
        ("qrels.ohsu.88-91", "OHSU1\t87316326\n", "line 1: a row is a topic, a document and 1 or 2"),
        ("Fold1/test.txt", "4 qid:1 1:0.5 #docid = 40626\n", "has a grade 0, 1 or 2 and a comment like #docid"),
        ("Fold1/test.txt", "1 qid:1 1:0.5\n", "has a grade 0, 1 or 2 and a comment like #docid"),
    ],
)
def test_bad_copies_are_refused(name: str, text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match=told):
        load(tmp_path / name, text, partial=True)
