"""Jester's matrices and its list."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from ranktron.data import BadDataFile, sets

ROWS = "74,-7.82,8.79,-9.66,-8.16\n4,4.08,-0.29,6.36,4.37\n2,99,99,9.03,-2.52\n".replace("74,", "4,")
LIST = "1\t\t5\t\t0.219\n1\t\t7\t\t-9.281\n2\t\t5\t\t-9.688\n"


def test_a_matrix(tmp_path: Path) -> None:
    (tmp_path / "jester-data-1.csv").write_text(ROWS)
    ratings = sets.load_jester(tmp_path, partial=True)
    assert ratings.people.tolist() == [0] * 4 + [1] * 4 + [2] * 2
    assert ratings.names_items[ratings.items].tolist() == [1, 2, 3, 4, 1, 2, 3, 4, 3, 4]
    assert ratings.ratings.tolist() == [-7.82, 8.79, -9.66, -8.16, 4.08, -0.29, 6.36, 4.37, 9.03, -2.52]
    assert ratings.names_people.tolist() == [1, 2, 3]
    assert ratings.times is None


def test_matrices_are_joined_and_empty_cells_are_no_ratings(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"2,,99,9.03,-2.52\r\n1,99,,,0\r\n")
    (tmp_path / "b.csv").write_text("1,5,99,,99\n")
    ratings = sets.load_jester(tmp_path)
    assert ratings.names_people[ratings.people].tolist() == [1, 1, 2, 3]
    assert ratings.names_items[ratings.items].tolist() == [3, 4, 4, 1]
    assert ratings.ratings.tolist() == [9.03, -2.52, 0.0, 5.0]


@pytest.mark.parametrize("zipped", [False, True])
def test_the_list(zipped: bool, tmp_path: Path) -> None:
    if zipped:
        with zipfile.ZipFile(tmp_path / "jester_dataset_2.zip", "w") as archive:
            archive.writestr("jester_ratings.dat", LIST)
            archive.writestr("jester_items.dat", "1:\n<p>A joke.</p>\n")
    else:
        (tmp_path / "jester_ratings.dat").write_text(LIST)
    ratings = sets.load_jester(tmp_path, partial=True)
    assert ratings.people.tolist() == [0, 0, 1]
    assert ratings.names_items[ratings.items].tolist() == [5, 7, 5]
    assert ratings.ratings.tolist() == [0.219, -9.281, -9.688]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ROWS[:-15], r"line 3: it has \d fields; expected 5"),
        (ROWS.replace(",", ";"), "line 1: a row is the number of jokes rated and a rating for every joke, with commas"),
        (ROWS.replace("8.79", "87.9"), r"the rating in row 2 is 87\.9; ratings are -10 to 10$"),
        (ROWS.replace("8.79", "funny"), "'funny' is not a number"),
        ("\n".join(line.partition(",")[2] for line in ROWS.splitlines()), "the first column should be the number of jokes rated"),
        ("", "line 1: a row is"),
        ("0,99,99\n", "holds no ratings"),
    ],
)
def test_bad_copies_are_refused(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "jokes.csv").write_text(text)
    with pytest.raises(BadDataFile, match=told):
        sets.load_jester(tmp_path, partial=True)


def test_a_part_is_refused_unless_it_will_do(tmp_path: Path) -> None:
    (tmp_path / "jester-data-1.csv").write_text(ROWS)
    (tmp_path / "jester-data-2.csv").write_text(ROWS)
    with pytest.raises(BadDataFile, match=r"jester-data-1\.csv, jester-data-2\.csv of Jester has 48,483 people, but here are 6"):
        sets.load_jester(tmp_path)
    assert len(sets.load_jester(tmp_path, partial=True).names_people) == 6


def test_data_sets_are_not_mixed(tmp_path: Path) -> None:
    (tmp_path / "jester-data-1.csv").write_text(ROWS)
    (tmp_path / "jesterfinal151cols.csv").write_text("1,99,99,99,99,-1.5\n")
    with pytest.raises(ValueError, match=r"different numbers of jokes, jester-data-1\.csv 4, jesterfinal151cols\.csv 5"):
        sets.load_jester(tmp_path)
    (tmp_path / "jester_ratings.dat").write_text(LIST)
    with pytest.raises(ValueError, match="several data sets of Jester: pass the path of one"):
        sets.load_jester(tmp_path)
    assert len(sets.load_jester(tmp_path / "jesterfinal151cols.csv").ratings) == 1


def test_an_excel_file_has_to_be_exported(tmp_path: Path) -> None:
    (tmp_path / "jester-data-1.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    with pytest.raises(BadDataFile, match=r"jester-data-1\.xls is an Excel file, which cannot be read; export it as CSV"):
        sets.load_jester(tmp_path)
