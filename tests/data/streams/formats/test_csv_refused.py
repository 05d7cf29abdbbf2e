"""Every way in which a CSV file, its header or a line of it can be bad, and what is asked of it can be missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ranktron.data import BadDataFile
from ranktron.data.streams import open_stream
from tests.data.streams.formats.test_csv import RATINGS
from tests.data.streams.reading import first_block, labels, wheres, write


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("csv") / "file.csv"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("5,1", "it has 2 fields where there are 4 columns"),
        ("5,1,a,true,9", "it has 5 fields where there are 4 columns"),
        ("5,x,a,true", "'x' in column 'price' is not a number"),
        ("5,1,a,maybe", "'maybe' in column 'fresh' is not a number"),
        (",1,a,true", "the target is missing: column 'stars' is empty"),
        ("nan,1,a,true", "the target is missing: column 'stars' is empty"),
        ("five,1,a,true", "the target 'five' in column 'stars' is not a number, as those before it are"),
        (
            '5,1,"a,true',
            "the quotes do not match: a field in quotes ends with a quote within 1 MB, and quotes inside it are doubled",
        ),
        ('5,1,a"b,true', "the quotes do not match"),
        (b"5,1,\xff,true", "it is not UTF-8 text"),
    ],
)
def test_a_bad_line_is_refused_or_skipped(line: str | bytes, why: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_block(monkeypatch, RATINGS.partition("\n")[2])
    bad = line.encode() if isinstance(line, str) else line
    name = write(path, RATINGS.encode() + bad + b"\n2,3,Rome,false\n")
    stream = open_stream([name], target="stars")
    blocks = stream.blocks()
    assert len(next(blocks)) == 4
    with pytest.raises(BadDataFile, match=f"file.csv, line 7: {why}"):
        list(blocks)
    skipping = open_stream([name], target="stars", on_error="skip")
    assert labels(skipping) == [4, 5, 1, 3, 2]
    assert skipping.bad.count == 1
    assert skipping.bad.first[0].startswith(f"{path}, line 7: {why}")
    assert wheres(skipping) == [f"{path}, line {number}" for number in (2, 3, 5, 6, 8)]


def test_of_two_bad_lines_the_first_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_block(monkeypatch, RATINGS.partition("\n")[2])
    name = write(path, RATINGS + "1,x,a,true\n1\n")
    with pytest.raises(BadDataFile, match="line 7: 'x' in column 'price' is not a number"):
        list(open_stream([name], target="stars").blocks())


def test_a_query_that_is_no_number_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_block(monkeypatch, "1,7,1\n")
    name = write(path, "y,q,x\n1,7,1\n1,a,1\n1,,1\n")
    stream = open_stream([name], target="y", query="q", on_error="skip")
    assert labels(stream) == [1]
    assert stream.bad.first == [
        f"{path}, line 3: the query 'a' in column 'q' is not a whole number, as those before it are",
        f"{path}, line 4: the query is missing: column 'q' is empty",
    ]


@pytest.mark.parametrize(("last", "whole"), [("5,2,c,true", True), ("5,2,c", False), ('5,2,"c', False), ("5", False)])
def test_a_last_line_without_an_end(last: str, whole: bool, path: Path) -> None:
    name = write(path, RATINGS + last)
    if whole:
        assert labels(open_stream([name], target="stars")) == [4, 5, 1, 3, 5]
    else:
        for more in ({}, {"shuffle": (0, 0)}):
            with pytest.raises(BadDataFile, match=f"{path} ends in the middle of line 7: "):
                list(open_stream([name], target="stars").blocks(**more))
            skipping = open_stream([name], target="stars", on_error="skip")
            assert sorted(labels(skipping, **more)) == [1, 3, 4, 5]
            assert skipping.bad.count == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "has the columns stars, price, city, fresh: say which one is the target"),
        ({"target": "sars"}, "has no column 'sars' to be the target: did you mean 'stars'. it has stars, price, city, fresh"),
        ({"target": "stars", "drop": ["prices"]}, "has no column 'prices' to drop: did you mean 'price'"),
        ({"target": "stars", "text": ["zip"]}, "has no column 'zip' to take as text: it has stars"),
        ({"target": "stars", "query": "town"}, "has no column 'town' to be the query"),
        ({"target": "stars", "lists": True}, "has the columns stars, price, city, fresh: say which one is the query of a row"),
        (
            {"target": "stars", "drop": ["price", "city", "fresh"]},
            "has only the columns stars, price, city, fresh, and none to learn from",
        ),
    ],
)
def test_columns_that_are_asked_for_should_be_there(options: dict[str, Any], message: str, path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        open_stream([write(path, RATINGS)], **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,a\n1,2,3\n", "line 1: two columns are named 'a'; rename one, or say that there is no header"),
        ('a,b"c\n1,2\n', "line 1: the header has stray quotes"),
        (b"a,\xff\n1,2\n", "line 1: the header is not UTF-8 text; convert the file"),
        ("a,b\n", "file.csv holds no rows"),
        ("a,b", "file.csv holds no rows"),
        ("", "file.csv holds no rows"),
    ],
)
def test_a_header_that_is_none_is_refused(text: str | bytes, message: str, path: Path) -> None:
    with pytest.raises(BadDataFile, match=message):
        open_stream([write(path, text)], target="a")


def test_a_sentence_is_one_line_whatever_the_columns_are_named(path: Path) -> None:
    with pytest.raises(ValueError, match=r"has the columns a b, c: say which one is the target \(--target\)$"):
        open_stream([write(path, '"a\n b",c\n1,2\n')])


@pytest.mark.parametrize(
    ("header", "message"),
    [("y,z", "it has z; it lacks x"), ("x,y", "they are in another order"), ("y", "it lacks x")],
)
def test_all_files_have_the_same_columns(header: str, message: str, path: Path) -> None:
    names = [write(path, "y,x\n1,2\n"), write(path.with_name("other.csv"), header + "\n3,4\n")]
    stream = open_stream(names, target="y")
    with pytest.raises(BadDataFile, match=f"other.csv has other columns than .*file.csv: {message}$"):
        list(stream.blocks())
