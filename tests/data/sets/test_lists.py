"""LETOR, MSLR-WEB, Yahoo's and Yandex's: folds of judged documents."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from ranktron.data import BadDataFile, read_letor, sets

SHARED = Path(os.environ.get("RANKTRON_DATA", "../shared/data"), "letor_mq2008")
LINE = "{grade} qid:{query} {features} #docid = GX008-86-{query:07d} inc = 1 prob = 0.086622\n"


def row(grade: int, query: int, width: int = 46, value: str = "0.007477") -> str:
    return LINE.format(grade=grade, query=query, features=" ".join(f"{place}:{value}" for place in range(1, width + 1)))


def write_fold(folder: Path, train: str, valid: str, test: str, names: str = "train vali test") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in zip(names.split(), (train, valid, test), strict=True):
        (folder / f"{name}.txt").write_text(text)
    return folder.parent


@pytest.mark.parametrize("names", ["train vali test", "trainingset validationset testset"])
def test_letor_in_folds(names: str, tmp_path: Path) -> None:
    root = write_fold(tmp_path / "MQ2008" / "Fold3", row(0, 1) + row(2, 1), row(1, 2), row(0, 3), names)
    for path in (root, tmp_path):
        train, valid, test = sets.load_letor(path, fold=3, partial=True)
        assert (train.X.shape, train.y.tolist(), train.qid.tolist()) == ((2, 46), [0.0, 2.0], [1, 1])
        assert (valid.qid.tolist(), test.qid.tolist()) == ([2], [3])
        assert (train.X == 0.007477).all()


@pytest.mark.parametrize(
    ("fold", "train", "valid", "test"), [(1, [1, 2, 3], 4, 5), (2, [2, 3, 4], 5, 1), (4, [4, 5, 1], 2, 3), (5, [5, 1, 2], 3, 4)]
)
def test_letor_in_five_parts(fold: int, train: list[int], valid: int, test: int, tmp_path: Path) -> None:
    for part in range(1, 6):
        (tmp_path / f"S{part}.txt").write_text(row(part % 3, part))
    parts = sets.load_letor(tmp_path, fold, partial=True)
    assert [part.qid.tolist() for part in parts] == [train, [valid], [test]]
    (tmp_path / "S5.txt").unlink()
    with pytest.raises(sets.MissingData, match=r"S5\.txt"):
        sets.load_letor(tmp_path, fold)


def test_null_is_nan_or_the_least_of_the_query(tmp_path: Path) -> None:
    lines = [
        f"0 qid:{query} 1:{first} 2:NULL 3:-1.5 #docid = 7\n"
        for query, first in ((1, "NULL"), (1, "-3.25"), (1, "2"), (4, "NULL"))
    ]
    write_fold(tmp_path / "Fold1", "".join(lines), row(0, 2, 3), row(0, 3, 3))
    X = sets.load_letor(tmp_path, partial=True).train.X
    np.testing.assert_array_equal(X[:, 0], [np.nan, -3.25, 2.0, np.nan])
    assert np.isnan(X[:, 1]).all()
    train, valid, _ = sets.load_letor(tmp_path, null="minimum", partial=True)
    assert train.X.tolist() == [[-3.25, 0.0, -1.5], [-3.25, 0.0, -1.5], [2.0, 0.0, -1.5], [0.0, 0.0, -1.5]]
    assert (valid.X == 0.007477).all()
    (tmp_path / "Fold1" / "vali.txt").write_text("")
    with pytest.raises(BadDataFile, match="the parts have 0, 3 features"):
        sets.load_letor(tmp_path, null="minimum", partial=True)
    with pytest.raises(ValueError, match='null=\'zero\' should be "nan" or "minimum"'):
        sets.load_letor(tmp_path, null="zero")


def test_a_fold_has_all_queries_of_its_data_set(tmp_path: Path) -> None:
    """Fifty queries are as many as TD2003 has."""
    parts = ["".join(row(0, query, 64) for query in some) for some in (range(30), range(30, 40), range(40, 50))]
    write_fold(tmp_path / "Fold1", *parts)
    assert len(np.unique(sets.load_letor(tmp_path).train.qid)) == 30
    write_fold(tmp_path / "Fold1", *parts[:2], row(0, 40, 64))
    with pytest.raises(
        BadDataFile, match=r"MQ2008 784 with 15,211 rows, .* TD2003 50, .*, but here are 41 with 41 rows; get it again"
    ):
        sets.load_letor(tmp_path)


@pytest.mark.parametrize("fold", [0, 6])
def test_there_are_five_folds(fold: int, tmp_path: Path) -> None:
    for load in (sets.load_letor, sets.load_mslr):
        with pytest.raises(ValueError, match=f"fold={fold} should be 1 to 5"):
            load(tmp_path, fold)


def test_several_data_sets_have_to_be_told_apart(tmp_path: Path) -> None:
    for name in ("MQ2007", "MQ2008"):
        write_fold(tmp_path / name / "Fold1", row(0, 1), row(0, 2), row(0, 3))
    with pytest.raises(ValueError, match="holds several data sets: pass the path of one of MQ2007, MQ2008"):
        sets.load_letor(tmp_path)
    (tmp_path / "MQ2007" / "Fold1" / "vali.txt").unlink()
    with pytest.raises(sets.MissingData, match=r"Fold1, where train\.txt, vali\.txt and test\.txt should be"):
        sets.load_letor(tmp_path / "MQ2007")


def test_the_variable_may_have_either_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))
    (tmp_path / "letor_mq2008").mkdir()
    for part in range(1, 6):
        (tmp_path / "letor_mq2008" / f"S{part}.txt").write_text(row(0, part))
    assert sets.load_letor(partial=True).test.qid.tolist() == [5]
    write_fold(tmp_path / "letor" / "Fold1", row(0, 10), row(0, 20), row(0, 30))
    assert sets.load_letor(partial=True).test.qid.tolist() == [30]


@pytest.mark.parametrize(
    ("train", "valid", "told"),
    [
        (row(3, 1), row(0, 2), "grades are -1 to 2, but there is 3; this is another data set"),
        (row(0, 1), row(0, 2, 45), "the parts have 45, 46 features"),
        (row(0, 1), row(0, 1), "query 1 is in more than one of the parts"),
        (row(0, 1).replace(":", " "), row(0, 2), "there is no qid"),
        (row(0, 1)[:50], row(0, 2), "the parts have"),
        (row(0, 1, value="x"), row(0, 2), "'1:x' is not a feature"),
    ],
)
def test_bad_copies_of_letor_are_refused(train: str, valid: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match=told):
        sets.load_letor(write_fold(tmp_path / "Fold1", train, valid, row(0, 3)), partial=True)


def test_parts_of_different_width_are_refused(tmp_path: Path) -> None:
    for part in range(1, 6):
        (tmp_path / f"S{part}.txt").write_text(row(0, part, 45 + part % 2))
    with pytest.raises(BadDataFile, match="the files have 45 to 46 features"):
        sets.load_letor(tmp_path, partial=True)


def test_an_empty_fold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match="holds no rows"):
        sets.load_letor(write_fold(tmp_path / "Fold1", "", "", ""), partial=True)


def test_mslr(tmp_path: Path) -> None:
    lines = [row(grade, query, 136, "3").partition(" #")[0] + " \n" for grade, query in ((2, 1), (4, 1), (0, 16), (1, 13))]
    root = write_fold(tmp_path / "MSLR-WEB10K" / "Fold1", "".join(lines[:2]), lines[2], lines[3])
    train, valid, test = sets.load_mslr(root, partial=True)
    assert (train.X.shape, train.y.tolist(), valid.qid.tolist(), test.y.tolist()) == ((2, 136), [2.0, 4.0], [16], [1.0])
    with pytest.raises(
        BadDataFile, match="WEB10K 10,000 with 1,200,192 rows, WEB30K 31,531 with 3,771,125 rows, but here are 3 with 4"
    ):
        sets.load_mslr(root)
    (root / "Fold1" / "test.txt").write_text(row(1, 13, 137))
    with pytest.raises(BadDataFile, match="index 137 is beyond 136"):
        sets.load_mslr(root, partial=True)


def write_yahoo(folder: Path, part: int) -> None:
    folder.mkdir(exist_ok=True)
    for name, query in (("train", 1), ("valid", 2), ("test", 3)):
        lines = f"1 qid:{query} 10:0.89028 11:0.75088 699:0.5\n4 qid:{query} 1:0.2\n"
        (folder / f"set{part}.{name}.txt").write_text(lines)


def test_yahoo(tmp_path: Path) -> None:
    write_yahoo(tmp_path / "Learning to Rank Challenge", 2)
    train, _, test = sets.load_yahoo(tmp_path, part=2, partial=True)
    assert (train.X.format, train.X.shape, train.X.nnz) == ("csr", (2, 700), 4)
    assert (train.X[0, 9], train.X[1, 0]) == (0.89028, 0.2)
    assert (train.y.tolist(), test.qid.tolist()) == ([1.0, 4.0], [3, 3])
    with pytest.raises(BadDataFile, match="set 2 6,330 with 172,870 rows, but here are 3 with 6 rows"):
        sets.load_yahoo(tmp_path, part=2)
    with pytest.raises(sets.MissingData, match=r"where set1\.train\.txt should be"):
        sets.load_yahoo(tmp_path)
    with pytest.raises(ValueError, match="part=3 should be 1 or 2"):
        sets.load_yahoo(tmp_path, part=3)


LEARNING = "0 1:0.000023 8:0.750000 245:1.000000 # 1\n3 1:0.5 9:1 # 1\n1.5 7:1 # 2\n"


def test_yandex(tmp_path: Path) -> None:
    (tmp_path / "imat2009_learning.txt").write_text(LEARNING)
    (tmp_path / "imat2009_test.txt").write_text("0 5:0.25 # 7\n")
    for path in (tmp_path, tmp_path / "imat2009_learning.txt"):
        train, valid, test = sets.load_yandex(path, partial=True)
        assert (train.X.shape, train.y.tolist(), train.qid.tolist()) == ((3, 245), [0.0, 3.0, 1.5], [1, 1, 2])
        assert train.X[0, [0, 7, 244]].tolist() == [0.000023, 0.75, 1.0]
        assert (valid.X.shape, test.X[0, 4], test.qid.tolist()) == ((0, 245), 0.25, [7])
    (tmp_path / "imat2009_test.txt").unlink()
    assert len(sets.load_yandex(tmp_path, partial=True).test.y) == 0


@pytest.mark.parametrize(
    ("text", "partial", "told"),
    [
        (LEARNING, False, "the learning set 9,124 with 97,290 rows, but here are 2 with 3 rows"),
        (LEARNING.replace("# 2", ""), True, "line 3: expected the number of the query after a #"),
        (LEARNING.replace("3 1:0.5", "5 1:0.5"), True, "grades should be from 0 to 4, but are from 0 to 5"),
        (LEARNING.replace("245:", "246:"), True, "index 246 is beyond 245"),
        ("", True, "holds no rows"),
    ],
)
def test_bad_copies_of_yandex_are_refused(text: str, partial: bool, told: str, tmp_path: Path) -> None:
    (tmp_path / "imat2009_learning.txt").write_text(text)
    with pytest.raises(BadDataFile, match=told):
        sets.load_yandex(tmp_path, partial=partial)


def test_mq2008_itself() -> None:
    if not SHARED.is_dir():
        pytest.skip("the data are not there; RANKTRON_DATA may name the folder above letor_mq2008")
    train, valid, test = sets.load_letor(SHARED)
    assert (len(train.y), len(test.y), train.X.shape[1]) == (9_630, 2_874, 46)  # as an independent copy of the first fold has
    assert sum(len(part.y) for part in (train, valid, test)) == 15_211
    assert sum(len(np.unique(part.qid)) for part in (train, valid, test)) == 784
    X, y, qid = read_letor(SHARED / "S4.txt", dense=True)
    assert (valid.X == X).all()
    assert (valid.y == y).all()
    assert (valid.qid == qid).all()
