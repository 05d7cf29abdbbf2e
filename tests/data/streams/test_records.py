"""Records of CSV text against Python's csv module, and the same however much of the text is there."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.data.streams import records as records_module
from ranktron.data.streams.records import BAD_QUOTES, Quoted

FIELDS = st.text(st.sampled_from('ab,\t"\n é'), max_size=6)
TABLES = st.lists(st.lists(FIELDS, min_size=2, max_size=4), min_size=1, max_size=6)
TEXTS = st.lists(st.sampled_from([b'"', b'"', b",", b"\n", b"\r\n", b"a", b"bc"]), max_size=40).map(b"".join)


@pytest.fixture(params=[",", "\t"])
def records(request: pytest.FixtureRequest) -> Quoted:
    return Quoted(request.param)


def written(table: list[list[str]], delimiter: str, end: str, quoting: int) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(table)
    return out.getvalue()


def split(records: Quoted, data: bytes) -> list[bytes]:
    ends = records.ends(data, len(data), True).tolist()
    return [data[begin:end] for begin, end in zip([0, *ends], ends)]


@given(table=TABLES, end=st.sampled_from(["\n", "\r\n"]), quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_records_are_those_of_the_csv_module(table: list[list[str]], delimiter: str, end: str, quoting: int) -> None:
    records = Quoted(delimiter)
    data = written(table, delimiter, end, quoting).encode()
    found = split(records, data)
    assert [records.fields(record) for record in found] == table
    assert records.scan(data, len(data), True)[1].tolist() == [len(row) for row in table]
    assert b"".join(found) == data


@given(text=TEXTS, longest=st.sampled_from([3, 10, 1 << 20]))
def test_the_quick_way_and_the_careful_one_agree(text: bytes, longest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records_module, "LONGEST_QUOTED", longest)
        records = Quoted(",")
        for ended in (False, True):
            quick, careful = records.scan(text, len(text), ended), records._match(text, len(text), ended)
            assert [part.tolist() for part in quick] == [part.tolist() for part in careful]


@given(text=TEXTS, more=TEXTS, longest=st.sampled_from([3, 10, 1 << 20]))
def test_more_text_does_not_change_the_records_before_it(text: bytes, more: bytes, longest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records_module, "LONGEST_QUOTED", longest)
        records = Quoted(",")
        before, counts = records.scan(text, len(text), False)
        after, others = records.scan(text + more, len(text + more), True)
        assert after[: len(before)].tolist() == before.tolist()
        assert others[: len(before)].tolist() == counts.tolist()


@given(text=TEXTS, at=st.integers(0, 30), ended=st.booleans())
def test_the_end_after_a_place_is_the_first_of_all_ends(text: bytes, at: int, ended: bool) -> None:
    records = Quoted(",")
    ends = records.ends(text, len(text), ended)
    expected = ends[ends >= max(at, 1)]
    found = records.end(text, at, ended)
    assert found == (int(expected[0]) if len(expected) else 0) or (ended and found == 0 and expected[0] == len(text))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (b'a"b,2\n3,4\n', [BAD_QUOTES, 2]),
        (b'"ab,2\n3,4\n', [BAD_QUOTES, 2]),
        (b'"a"b,2\n3,4\n', [BAD_QUOTES, 2]),
        (b'"a\nb",2\n3\n', [2, 1]),
        (b'1,"a""b"\n', [2]),
        (b'1,""\n""\n', [2, 1]),
        (b'5" pipe,1\n6" pipe,2\n', [BAD_QUOTES, BAD_QUOTES]),
    ],
)
def test_a_stray_quote_spoils_its_own_line_only(text: bytes, counts: list[int]) -> None:
    assert Quoted(",").scan(text, len(text), True)[1].tolist() == counts


def test_a_quote_that_is_never_closed_does_not_swallow_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "LONGEST_QUOTED", 100)
    records = Quoted(",")
    text = b'1,"a\n' + b"2,b\n" * 100
    assert len(records.ends(text[:90], 90, False)) == 0  # it may still be closed
    ends, counts = records.scan(text, len(text), False)
    assert counts.tolist() == [BAD_QUOTES] + [2] * 100
    assert ends[-1] == len(text)


def test_fields_of_a_bad_record_are_refused() -> None:
    with pytest.raises(ValueError, match="the quotes do not match"):
        Quoted(",").fields(b'a,b"c\n')


def test_text_that_is_no_utf8_has_fields() -> None:
    text = b'1,\xff\n2,"b\n'
    assert Quoted(",").scan(text, len(text), True)[1].tolist() == [2, BAD_QUOTES]


def test_ends_are_whole_numbers() -> None:
    assert Quoted(",").ends(b"", 0, True).dtype == np.int64
