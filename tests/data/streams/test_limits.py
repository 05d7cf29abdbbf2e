"""The limits of a line, a header and a field, and of every message, whatever the input holds."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ranktron.data import BadDataFile, iter_letor, read_letor, read_svmlight
from ranktron.data.streams import open_stream, tables, text_blocks
from ranktron.data.streams.formats import csv
from ranktron.data.streams.inputs import Input
from ranktron.data.streams.records import Quoted
from ranktron.data.svmlight import text as pieces
from tests.data.streams.reading import labels, pipe, write

MB = 1 << 20
LONG = b"7" * (3 * MB)
FIRST = {"svm": b"1 1:1\n", "csv": b"y,a\n1,2\n", "tsv": b"y\ta\n1\t2\n", "jsonl": b'{"y": 1, "a": 2}\n'}
NAME = "n" * 100_000


@pytest.fixture
def _one_megabyte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "LONGEST", MB)
    monkeypatch.setattr(text_blocks, "SIZE", 1 << 16)
    monkeypatch.setattr(text_blocks, "MARGIN", 1 << 12)


def refused(name: str, **more: Any) -> str:
    options = {} if ".svm" in name or "target" in more else {"target": "y"}
    with pytest.raises(ValueError) as error:  # noqa: PT011
        list(open_stream([name], **options, **more).blocks())
    return str(error.value)


# Lines


@pytest.mark.usefixtures("_one_megabyte")
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("ending", [b"", b"\n1 1:1\n"])
@pytest.mark.parametrize("form", FIRST)
def test_a_line_has_a_limit(form: str, ending: bytes, zipped: bool, tmp_path: Path) -> None:
    text = FIRST[form] + LONG + ending
    name = write(tmp_path / f"a.{form}{'.gz' if zipped else ''}", gzip.compress(text) if zipped else text)
    line = FIRST[form].count(b"\n") + 1
    for more in ({}, {"on_error": "skip"}):
        assert refused(name, **more) == f"{name}, line {line}: it has more than 1 MB; is this text?"


@pytest.mark.usefixtures("_one_megabyte")
@pytest.mark.parametrize("format", ["svmlight", "csv", "tsv", "jsonl", None])
def test_a_pipe_without_any_line_end_is_refused_at_the_limit(format: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, bytes(5 * MB))
    what = "it" if format in ("svmlight", "jsonl") else "the header"
    target = None if format == "svmlight" else "y"
    with pytest.raises(BadDataFile, match=rf"^standard input, line 1: {what} has more than 1 MB; is this text\?$"):
        list(open_stream(["-"], format=format, target=target).blocks())


@pytest.mark.usefixtures("_one_megabyte")
def test_the_limit_is_exact(tmp_path: Path) -> None:
    for size, is_long in ((MB, False), (MB + 1, True)):
        name = write(tmp_path / "a.csv", b"y,a\n1,2\n" + b"2,".ljust(size - 1) + b"\n" + b"3,4\n" * 50)
        if is_long:
            assert refused(name) == f"{name}, line 3: it has more than 1 MB; is this text?"
        else:
            assert labels(open_stream([name], target="y")) == [1, 2, *[3] * 50]


@pytest.mark.usefixtures("_one_megabyte")
def test_a_header_has_a_limit(tmp_path: Path) -> None:
    for header in (b"y," + LONG, b'y,"' + b'a""\n' * MB, b"y" + b"," * 3 * MB):
        name = write(tmp_path / "a.csv", header + b"\n1,2\n")
        assert refused(name) == f"{name}, line 1: the header has more than 1 MB; is this text?"


@pytest.mark.usefixtures("_one_megabyte")
@pytest.mark.parametrize("inside", [b'a""\n', b'""', b"a" * 1000 + b'""'])
def test_an_open_quote_obeys_the_limit(inside: bytes, tmp_path: Path) -> None:
    name = write(tmp_path / "a.csv", b'y,a\n1,2\n2,"' + inside * (3 * MB // len(inside)))
    assert refused(name) == f"{name}, line 3: it has more than 1 MB; is this text?"


@pytest.mark.usefixtures("_one_megabyte")
def test_a_field_over_many_lines_counts_in_full(tmp_path: Path) -> None:
    field = b'"' + b'an entry of ""many"" lines\n' * (2 * MB // 27) + b'"'
    name = write(tmp_path / "a.csv", b"y,a\n1,x\n2," + field + b"\n" + b"3,x\n" * 50)
    for shuffle in (None, (0, 0)):
        with pytest.raises(BadDataFile, match=r"line 3: it has more than 1 MB; is this text\?$"):
            list(open_stream([name], target="y").blocks(shuffle=shuffle))


@pytest.mark.usefixtures("_one_megabyte")
@pytest.mark.parametrize("form", FIRST)
def test_blank_lines_without_end_are_refused(form: str, tmp_path: Path) -> None:
    head = FIRST[form].partition(b"\n")[0] + b"\n" if form in ("csv", "tsv") else b""
    name = write(tmp_path / f"a.{form}", head + b"\n" * (3 * MB))
    assert refused(name) == f"{name} has no row in its first 1 MB; is this text?"


def test_letor_and_svmlight_lines_have_the_limit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LONGEST", MB)
    monkeypatch.setattr(pieces, "CHUNK", 1 << 16)
    monkeypatch.setattr(pieces, "PIECE", 1 << 18)
    text = b"1 qid:1 1:1\n" * 3 + LONG
    for name in (write(tmp_path / "a.txt", text), write(tmp_path / "a.txt.gz", gzip.compress(text))):
        for read in (read_letor, read_svmlight, lambda name: list(iter_letor(name))):
            with pytest.raises(BadDataFile, match=r"a\.txt(\.gz)?, line 4: it has more than 64 MB; is this text\?$"):
                read(name)


# Work


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_before_the_first_row_are_passed_at_once(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was looked for from the beginning of the file, by a call of its own."""
    calls: list[int] = []
    end_of = Quoted.end
    monkeypatch.setattr(Quoted, "end", lambda self, data, at, ended: (calls.append(at), end_of(self, data, at, ended))[1])
    path = write(tmp_path / "a.csv", f"y,a{end}{end * 50_000}1,2{end}")
    stream = open_stream([path], target="y")
    assert len(calls) < 20
    assert sum(calls) < 100
    assert [block.where(0) for block in stream.blocks()] == [f"{path}, line 50002"]


def test_the_beginning_is_read_no_more_than_a_few_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "SIZE", 1 << 12)
    monkeypatch.setattr(text_blocks, "MARGIN", 1 << 6)
    seen: list[int] = []
    peek = Input.peek
    monkeypatch.setattr(Input, "peek", lambda self, size: (seen.append(len(data := peek(self, size))), data)[1])
    text = "\n" * 300_000 + "1 1:2\n"
    for name in ("a.svm", "unnamed"):
        seen.clear()
        assert labels(open_stream([write(tmp_path / name, text)])) == [1]
        assert sum(seen) < 6 * len(text)


# Messages


def lines_of_json(*mappings: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in mappings)


NASTY = {
    "label.svm": f"1 1:1\n{NAME} 1:2\n",
    "query.svm": f"1 qid:{'9' * 100_000} 1:2\n",
    "index.svm": f"1 1:1\n1 {'9' * 100_000}:2\n",
    "number.svm": f"1 1:1\n1 1:{NAME}\n",
    "twice.csv": f"y,{NAME},{NAME}\n1,2,3\n",
    "target.csv": f"{NAME},b\n1,2\n",
    "many.csv": ",".join(f"{column}{NAME[:100]}" for column in range(1000)) + "\n" + ",".join("1" * 1000) + "\n",
    "cell.csv": f"y,{NAME}\n1,2\n" + "2,3\n" * 9 + f"3,{NAME}\n",
    "missing.csv": f"y,{NAME}\n1,2\n,4\n",
    "no_number.csv": f"y,a\n1,2\n{NAME},3\n",
    "quotes.csv": f'y,a\n1,2\n2,"{NAME}"x\n',
    "list.jsonl": lines_of_json({"y": 1, "a": 1}, {"y": 2, NAME: [[1]]}),
    "target.jsonl": lines_of_json({"y": 1, "a": 1}, {"y": NAME, "a": 1}),
    "many.jsonl": lines_of_json({f"{column}{NAME[:100]}": 1 for column in range(1000)}),
    "digits.jsonl": '{"y": 1, "a": 2}\n{"y": 2, "a": ' + "9" * 100_000 + "}\n",
    "text.jsonl": f"{NAME}\n",
}


@pytest.mark.parametrize("name", NASTY)
def test_a_message_is_short_whatever_it_quotes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name in ("cell.csv", "no_number.csv", "target.jsonl", "query.svm"):  # the line is not in the first block
        monkeypatch.setattr(text_blocks, "SIZE", 4)
        monkeypatch.setattr(text_blocks, "MARGIN", 20)
    message = refused(write(Path(name), NASTY[name]), lists=name == "query.svm")
    assert message.startswith(name)
    assert len(message) < 500


def test_columns_of_other_files_are_told_in_short(tmp_path: Path) -> None:
    names = [write(tmp_path / "a.csv", "y,a\n1,2\n"), write(tmp_path / "b.csv", f"y,{NAME}\n1,2\n")]
    with pytest.raises(BadDataFile) as error:
        list(open_stream(names, target="y").blocks())
    assert len(str(error.value)) < 300 + len(str(tmp_path))


def test_names_are_listed_as_far_as_they_fit() -> None:
    assert tables.listed(["a", "b\n c"]) == "a, b c"
    assert tables.listed(["a", "b", "c"], 2) == "a, b, … (3 in all)"
    assert tables.listed([NAME] * 3, between=" < ") == " < ".join([f"{'n' * 39}…"] * 3)
    assert len(tables.listed([NAME] * 30)) < 340


def test_a_table_has_a_limited_number_of_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv, "WIDEST_TABLE", 3)
    for header in (True, False):
        name = write(tmp_path / "a.csv", "c1,c2,c3,c4\n1,2,3,4\n")
        message = f"{name}, line 1: it has 4 columns, and a table may have 3; write lines of svmlight or JSON, or allow them "
        assert refused(name, target="c1", header=header) == f"{message}(--max-features 4)"
        assert labels(open_stream([name], target="c1", drop=["c4"], max_features=4)) == [1]
