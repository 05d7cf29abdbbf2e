"""EachMovie as DEC gave it out, and as triples."""

from __future__ import annotations

import datetime
import gzip
from pathlib import Path

import numpy as np
import pytest

from ranktron.data import BadDataFile, sets

VOTES = (
    "1\t18\t0.8\t1\t1/8/97 0:00:00\n"
    "1\t22\t0\t0.5\t1/8/97 0:00:00\n"
    "2\t18\t1\t1\t12/31/96 23:59:58\n"
    "74424\t1648\t0.2\t1\t9/1/1997 7:05:09\n"
)
TRIPLES = "   1.5840000e+03   7.4424000e+04   5.0000000e+00\n   1.8000000e+01   1.0000000e+00   1.0000000e+00\n"


def load(path: Path, text: str, **given: float) -> sets.Ratings:
    path.write_text(text)
    return sets.load_eachmovie(path, partial=True, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("delimiter", ["\t", ",", ", "])
@pytest.mark.parametrize("header", ["", "Person_ID\tMovie_ID\tScore\tWeight\tModified\n"])
def test_votes(delimiter: str, header: str, tmp_path: Path) -> None:
    ratings = load(tmp_path / "vote.txt", (header + VOTES).replace("\t", delimiter))
    assert ratings.people.tolist() == [0, 0, 1, 2]
    assert ratings.names_items[ratings.items].tolist() == [18, 22, 18, 1648]
    assert ratings.ratings.tolist() == [0.8, 0.0, 1.0, 0.2]
    assert ratings.names_people.tolist() == [1, 2, 74424]
    dates = [(1997, 1, 8), (1997, 1, 8), (1996, 12, 31, 23, 59, 58), (1997, 9, 1, 7, 5, 9)]
    assert ratings.times is not None
    assert ratings.times.tolist() == [int(datetime.datetime(*date, tzinfo=datetime.UTC).timestamp()) for date in dates]


@pytest.mark.parametrize(("date", "has_times"), [("", False), ("\t1/8/97", True), ("\t1/8/97 7:05", True)])
def test_votes_with_less_of_a_date(date: str, has_times: bool, tmp_path: Path) -> None:
    ratings = load(tmp_path / "Vote.txt", f"1\t18\t0.8\t1{date}\n")
    assert (ratings.times is not None) == has_times


def test_votes_of_low_weight_can_be_left_out(tmp_path: Path) -> None:
    ratings = load(tmp_path / "Vote.txt", VOTES, least_weight=1.0)
    assert ratings.ratings.tolist() == [0.8, 1.0, 0.2]
    assert ratings.names_items.tolist() == [18, 1648]


def test_the_last_of_several_votes_of_a_pair_counts(tmp_path: Path) -> None:
    again = VOTES.splitlines(keepends=True)[0].replace("0.8", "0.4")
    ratings = load(tmp_path / "Vote.txt", VOTES + again)
    pairs = zip(ratings.names_people[ratings.people].tolist(), ratings.names_items[ratings.items].tolist(), strict=True)
    assert dict(zip(pairs, ratings.ratings.tolist(), strict=True)) == {
        (1, 22): 0.0,
        (2, 18): 1.0,
        (74424, 1648): 0.2,
        (1, 18): 0.4,
    }
    assert ratings.times is not None
    assert len(ratings.times) == 4


@pytest.mark.parametrize("zipped", [False, True])
def test_triples(zipped: bool, tmp_path: Path) -> None:
    path = tmp_path / ("eachmovie_triple.gz" if zipped else "eachmovie_triple")
    path.write_bytes(gzip.compress(TRIPLES.encode()) if zipped else TRIPLES.encode())
    ratings = sets.load_eachmovie(tmp_path, partial=True)
    assert (ratings.names_people.tolist(), ratings.names_items.tolist()) == ([74424, 1], [1584, 18])
    assert ratings.ratings.tolist() == [0.8, 0.0]
    assert ratings.times is None


def test_triples_that_count_from_0(tmp_path: Path) -> None:
    assert load(tmp_path / "eachmovie_triple", "18 1 0\n22 1 5\n").ratings.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (VOTES[:-20], r"line 4: it has \d+ fields; expected 10"),
        (VOTES.replace("\t", ";"), "line 1: a vote is a person, a film, a score, a weight and a date"),
        (VOTES.replace("0.8", "0.7"), r"the rating in row 1 is 0\.7; ratings are 0 to 1 in steps of 0\.2"),
        (VOTES.replace("0.8", "4"), "the rating in row 1 is 4"),
        (VOTES.replace("0.5", "1.5"), r"weights should be 0 to 1, but are from 1 to 1\.5"),
        (VOTES.replace("1/8/97", "8/1/97").replace("12/31", "31/12"), r"month/day/year, but months go up to 31"),
        (VOTES.replace("1/8/97", "Jan/8/97"), "'Jan' is not a number"),
        ("", "line 1: a vote is a person"),
    ],
)
def test_bad_copies_are_refused(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match=told):
        load(tmp_path / "Vote.txt", text)


def test_a_score_beyond_the_scale_of_triples(tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match="the rating in row 2 is 7; ratings are 1 to 6 in steps of 1"):
        load(tmp_path / "eachmovie_triple", "18 1 1\n22 1 7\n")


@pytest.mark.parametrize(
    ("name", "text", "whole"), [("Vote.txt", VOTES, "2,811,983"), ("eachmovie_triple", TRIPLES, "2,811,718")]
)
def test_a_part_is_refused_unless_it_will_do(name: str, text: str, whole: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadDataFile, match=rf"EachMovie has {whole} votes in this form, but here are [24]; get it again"):
        sets.load_eachmovie(tmp_path)


def test_nothing_is_left_of_a_weight_that_no_vote_has(tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match="holds no ratings"):
        load(tmp_path / "Vote.txt", VOTES, least_weight=2.0)


def test_the_papers_six_ratings_lose_a_half(tmp_path: Path) -> None:
    """Crammer & Singer, section 6: "the possible rating values are -0.5, -0.3, -0.1, 0.1, 0.3, 0.5"."""
    lines = "".join(f"{person}\t{film}\t{film / 5}\t1\t1/8/97 0:00:00\n" for person in (1, 2) for film in range(6))
    X, y, _ = sets.collaborative_rows(load(tmp_path / "Vote.txt", lines), 0, min_ratings=1)
    np.testing.assert_allclose(X[:, 0], [-0.5, -0.3, -0.1, 0.1, 0.3, 0.5], atol=1e-15)
    assert y.tolist() == [1, 2, 3, 4, 5, 6]
