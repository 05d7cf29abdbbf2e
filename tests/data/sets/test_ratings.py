"""Columns of numbers: as ``float`` reads them, or refused with the line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.data import BadDataFile
from ranktron.data.sets.ratings import numbered, read_columns

PLAIN = st.from_regex(r"-?[0-9]{1,12}(\.[0-9]{0,9})?", fullmatch=True)
ODD = st.one_of(st.floats(allow_nan=False).map(repr), st.from_regex(r"[+]?\.[0-9]{1,20}", fullmatch=True))


@given(rows=st.lists(st.tuples(PLAIN, st.one_of(PLAIN, ODD)), max_size=20), ends=st.sampled_from(["\n", "\r\n"]), data=st.data())
def test_numbers_are_those_of_float(rows: list[tuple[str, str]], ends: str, data: st.DataObject) -> None:
    lines = [f"{first}::{second}{data.draw(st.sampled_from(['', ':']))}{ends}" for first, second in rows]
    cut = data.draw(st.integers(0, len(lines)))
    texts = ["".join(part).encode() for part in (lines[:cut], lines[cut:])]
    first, second = read_columns("file", texts, b":", [float, float])
    assert first.tolist() == [float(row[0]) for row in rows]
    assert second.tolist() == [float(row[1]) for row in rows]


def test_blank_lines_and_the_last_line_without_an_end() -> None:
    [column] = read_columns("file", [b"\n1\n\n", b"2\n   \n3"], b" ", [np.int32])
    assert (column.tolist(), column.dtype) == ([1, 2, 3], np.int32)


def test_nothing_at_all() -> None:
    assert [len(column) for column in read_columns("file", [], b",", [int, float])] == [0, 0]
    assert [len(column) for column in read_columns("file", [b"a,b\n"], b",", [int, float], skip=1)] == [0, 0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("7,8", "it has 2 fields; expected 3"),
        ("7,8,9,10", "it has 4 fields; expected 3"),
        ("7\t8\t9", "it has 1 fields; expected 3"),
        ("7,eight,9", "'eight' is not a number"),
        ("7,8-1,9", "'8-1' is not a number"),
        ("7,1.2.3,9", "'1.2.3' is not a number"),
        ("7,-,9", "'-' is not a number"),
        ("7,.,9", "'.' is not a number"),
    ],
)
@pytest.mark.parametrize("skip", [0, 2])
def test_a_bad_line_is_named(line: str, told: str, skip: int) -> None:
    head = "x,y\n" * skip
    texts = [f"{head}1,2,3\n4,5,6\n".encode(), f"1,2,3\n{line}\n1,2,3\n".encode()]
    with pytest.raises(BadDataFile, match=rf"^file, line {skip + 4}: {told}$"):
        read_columns("file", texts, b",", [float] * 3, skip)


@pytest.mark.parametrize("number", ["1.5", "-1", "nan"])
def test_ids_are_whole_numbers(number: str) -> None:
    with pytest.raises(BadDataFile, match=rf"^file: column 2 should hold whole numbers from 0 on, not {number}$"):
        read_columns("file", [f"1,2\n3,{number}\n".encode()], b",", [int, int])


@given(ids=st.lists(st.one_of(st.integers(0, 9), st.sampled_from([10**7, 10**12])), max_size=30))
def test_numbers_are_given_in_the_order_of_appearance(ids: list[int]) -> None:
    numbers, names = numbered(np.array(ids, np.int64))
    assert names.tolist() == list(dict.fromkeys(ids))
    assert names[numbers].tolist() == ids
