"""MovieLens in all its forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron.data import BadDataFile, sets

HUNDRED = b"196\t242\t3\t881250949\n186\t302\t3\t891717742\n22\t377\t1\t878887116\n196\t302\t4\t881251577\n"
MILLION = b"1::1193::5::978300760\n1::661::3::978302109\n2::1193::4::978298413\n"
TEN = b"1::122::5::838985046\n1::185::4.5::838983525\n2::122::0.5::868245777\n"
LATEST = b"userId,movieId,rating,timestamp\n1,1,4.0,964982703\n1,3,4.5,964981247\n2,1,0.5,1445714835\n"

ITEMS = (
    "1|Toy Story (1995)|01-Jan-1995||http://us.imdb.com/M/title-exact?Toy%20Story%20(1995)|0|0|0|1|1|1|0|0|0|0|0|0|0|0|0|0|0|0|0\n"
    "543|Misérables, Les (1995)|01-Jan-1995||http://us.imdb.com/M/title-exact?Mis%E9rables%2C%20Les%20%281995%29|0|0|0|0|0|0\n"
)
FILMS = "1::Toy Story (1995)::Animation|Children's|Comedy\n73::Misérables, Les (1995)::Drama|Musical\n"
TABLE = 'movieId,title,genres\n1,Toy Story (1995),Adventure|Animation\n11,"American President, The (1995)",Comedy|Drama\n'


def write(folder: Path, **files: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_bytes(text)
    return folder


def test_100k(tmp_path: Path) -> None:
    ratings = sets.load_movielens(write(tmp_path / "ml-100k", u_data=HUNDRED), partial=True)
    assert ratings.people.tolist() == [0, 1, 2, 0]
    assert ratings.items.tolist() == [0, 1, 2, 1]
    assert ratings.ratings.tolist() == [3.0, 3.0, 1.0, 4.0]
    assert (ratings.names_people.tolist(), ratings.names_items.tolist()) == ([196, 186, 22], [242, 302, 377])
    assert ratings.times is not None
    assert ratings.times.tolist() == [881250949, 891717742, 878887116, 881251577]


@pytest.mark.parametrize(
    ("folder", "name", "text", "stars", "films"),
    [
        ("ml-1m", "ratings_dat", MILLION, [5.0, 3.0, 4.0], [1193, 661]),
        ("ml-10M100K", "ratings_dat", TEN, [5.0, 4.5, 0.5], [122, 185]),
        ("ml-latest-small", "ratings_csv", LATEST, [4.0, 4.5, 0.5], [1, 3]),
        ("ml-25m", "ratings_csv", LATEST.replace(b"\n", b"\r\n"), [4.0, 4.5, 0.5], [1, 3]),
    ],
)
def test_the_other_versions(folder: str, name: str, text: bytes, stars: list[float], films: list[int], tmp_path: Path) -> None:
    write(tmp_path / folder, **{name: text})
    ratings = sets.load_movielens(tmp_path, partial=True)
    assert ratings.ratings.tolist() == stars
    assert ratings.people.tolist() == [0, 0, 1]
    assert ratings.names_items.tolist() == films


def test_several_versions_have_to_be_told_apart(tmp_path: Path) -> None:
    write(tmp_path / "ml-1m", ratings_dat=MILLION)
    write(tmp_path / "ml-10M100K", ratings_dat=TEN)
    with pytest.raises(ValueError, match=r"several versions of MovieLens: pass version, one of 10m, 1m"):
        sets.load_movielens(tmp_path, partial=True)
    assert sets.load_movielens(tmp_path, "10m", partial=True).ratings.tolist() == [5.0, 4.5, 0.5]
    with pytest.raises(sets.MissingData, match=r"ratings\.csv of 20m should be"):
        sets.load_movielens(tmp_path, "20m")
    with pytest.raises(ValueError, match="version='2m' should be one of 100k, 1m"):
        sets.load_movielens(tmp_path, "2m")


def test_a_version_may_be_told_where_no_name_does(tmp_path: Path) -> None:
    write(tmp_path / "films", ratings_dat=TEN)
    with pytest.raises(BadDataFile, match=r"the rating in row 2 is 4\.5; ratings are 1 to 5 in steps of 1"):
        sets.load_movielens(tmp_path, partial=True)  # taken for 1M
    assert len(sets.load_movielens(tmp_path, "10m", partial=True).ratings) == 3


def test_titles(tmp_path: Path) -> None:
    hundred = write(tmp_path / "ml-100k", u_data=HUNDRED, u_item=ITEMS.encode("latin-1"))
    assert sets.load_movielens_titles(hundred) == {1: "Toy Story (1995)", 543: "Misérables, Les (1995)"}
    million = write(tmp_path / "ml-1m", ratings_dat=MILLION, movies_dat=FILMS.encode("latin-1"))
    assert sets.load_movielens_titles(million) == {1: "Toy Story (1995)", 73: "Misérables, Les (1995)"}
    ten = write(tmp_path / "ml-10M100K", ratings_dat=TEN, movies_dat=FILMS.encode("utf-8"))
    assert sets.load_movielens_titles(ten) == sets.load_movielens_titles(million)
    latest = write(tmp_path / "ml-latest", ratings_csv=LATEST, movies_csv=TABLE.encode())
    assert sets.load_movielens_titles(latest) == {1: "Toy Story (1995)", 11: "American President, The (1995)"}
    assert sets.load_movielens_titles(tmp_path, "latest") == sets.load_movielens_titles(latest)
    (hundred / "u.item").unlink()
    with pytest.raises(sets.MissingData, match=r"where u\.item should be"):
        sets.load_movielens_titles(hundred)


def test_a_whole_copy_is_taken_and_a_part_of_it_is_not(tmp_path: Path) -> None:
    rows = (
        (1 + row % 943, 1 + row % 1_682, 1 + row % 5, 881_250_949 + row) for row in range(100_000)
    )  # 943 and 1,682 are coprime
    path = write(tmp_path, u_data="".join("\t".join(map(str, row)) + "\n" for row in rows).encode()) / "u.data"
    ratings = sets.load_movielens(path)
    assert (len(ratings.ratings), len(ratings.names_people), len(ratings.names_items)) == (100_000, 943, 1_682)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(
        BadDataFile, match=r"MovieLens 100k has 100,000 ratings by 943 people of 1,682 items, but here are 99,999"
    ):
        sets.load_movielens(path)
    assert len(sets.load_movielens(path, partial=True).ratings) == 99_999


def test_the_size_of_32m(tmp_path: Path) -> None:
    write(tmp_path / "ml-32m", ratings_csv=LATEST)
    with pytest.raises(
        BadDataFile, match="MovieLens 32m has 32,000,204 ratings by 200,948 people, but here are 3 ratings by 2 people"
    ):
        sets.load_movielens(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HUNDRED[:-30], "line 3: it has 3 fields; expected 4"),
        (HUNDRED.replace(b"\t", b","), "line 1: it has 1 fields; expected 4"),
        (HUNDRED.replace(b"\t1\t", b"\t6\t"), r"the rating in row 3 is 6; ratings are 1 to 5 in steps of 1"),
        (HUNDRED.replace(b"\t1\t", b"\t1.5\t"), r"the rating in row 3 is 1\.5"),
        (HUNDRED.replace(b"\t1\t", b"\tnan\t"), r"the rating in row 3 is nan"),
        (HUNDRED + HUNDRED[:20], "person 196 rates item 242 more than once"),
        (b"", "holds no ratings"),
    ],
)
def test_bad_copies_are_refused(text: bytes, told: str, tmp_path: Path) -> None:
    path = write(tmp_path, u_data=text) / "u.data"
    with pytest.raises(BadDataFile, match=told) as caught:
        sets.load_movielens(path, partial=True)
    assert str(path) in str(caught.value)


def test_a_csv_file_needs_its_header(tmp_path: Path) -> None:
    path = write(tmp_path, ratings_csv=LATEST.partition(b"\n")[2]) / "ratings.csv"
    with pytest.raises(
        BadDataFile, match=r"line 1: the header should be userId,movieId,rating,timestamp, not '1,1,4\.0,964982703'"
    ):
        sets.load_movielens(path)
