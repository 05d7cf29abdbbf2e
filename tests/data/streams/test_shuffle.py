"""Another order is a permutation: numpy's where a file can be read anywhere, and one of a buffer's reach elsewhere."""

from __future__ import annotations

import gzip
import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.data import BadDataFile
from ranktron.data.streams import open_stream
from ranktron.data.streams.shuffle import Record, first_lists, generator, through_buffer
from tests.data.streams.reading import labels, pipe, wheres, write


def permutation(seed: int, epoch: int, count: int) -> list[int]:
    return np.random.Generator(np.random.PCG64([seed, epoch])).permutation(count).tolist()


def numbered(path: Path, count: int, query: int = 1) -> str:
    return write(path, "# rows\n" + "".join(f"{row} qid:{row // query} 1:{row}\n" for row in range(count)))


@pytest.mark.parametrize("rows", [None, 1, 7])
def test_rows_come_in_the_order_of_numpys_permutation(rows: int | None, tmp_path: Path) -> None:
    names = [numbered(tmp_path / "a.svm", 40), numbered(tmp_path / "b.svm", 25)]
    stream = open_stream(names, block_rows=rows)
    assert stream.order == "all rows in random order"
    everything = [*(f"{names[0]}, line {row + 2}" for row in range(40)), *(f"{names[1]}, line {row + 2}" for row in range(25))]
    for seed, epoch in ((0, 0), (0, 1), (5, 0)):
        expected = [everything[place] for place in permutation(seed, epoch, 65)]
        assert wheres(stream, shuffle=(seed, epoch)) == expected
    progress = [stream.progress(block) for block in stream.blocks(shuffle=(0, 0))]
    assert progress[-1] == 1.0
    assert progress == sorted(progress)
    assert wheres(stream) == everything  # and in their own order again


def test_a_system_without_reading_at_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pread", raising=False)
    assert labels(open_stream([numbered(tmp_path / "a.svm", 40)]), shuffle=(3, 0)) == permutation(3, 0, 40)


def test_lists_stay_whole(tmp_path: Path) -> None:
    stream = open_stream([numbered(tmp_path / "a.svm", 50, query=3)], lists=True, block_rows=4)
    assert stream.order == "all lists in random order"
    expected = [row for place in permutation(2, 0, 17) for row in range(50) if row // 3 == place]
    assert labels(stream, shuffle=(2, 0)) == expected


@pytest.mark.parametrize("zipped", [False, True])
def test_lists_of_one_query_do_not_become_one(zipped: bool, tmp_path: Path) -> None:
    """Two lists of a query, in two files, stand in blocks of their own if chance makes them neighbours."""
    texts = ["".join(f"{file} qid:{query} 1:1\n" * 2 for query in range(6)).encode() for file in range(2)]
    names = [write(tmp_path / f"{file}.svm", gzip.compress(text) if zipped else text) for file, text in enumerate(texts)]
    for seed in range(20):
        blocks = open_stream(names, lists=True, buffer=8, block_rows=5).blocks(shuffle=(seed, 0))
        runs = [len(list(run)) for block in blocks for _, run in itertools.groupby(block.qid.tolist())]
        assert runs == [2] * 12


def test_quoted_records_and_comments_are_found(tmp_path: Path) -> None:
    rows = [f'{row},"a\n\n{row}"\n' + ("\n" if row % 3 else "") for row in range(30)]
    name = write(tmp_path / "a.csv", "y,c\n" + "".join(rows))
    stream = open_stream([name], target="y", block_rows=8)
    assert labels(stream, shuffle=(1, 1)) == permutation(1, 1, 30)
    lines = np.cumsum([2, *(row.count("\n") for row in rows)])
    assert wheres(stream, shuffle=(1, 1)) == [f"{name}, line {lines[row]}" for row in permutation(1, 1, 30)]


def test_a_bad_line_is_named_wherever_it_comes(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "".join(f"{row} 1:{'x' if row == 17 else row}\n" for row in range(40)))
    with pytest.raises(BadDataFile, match=r"a\.svm, line 18: '1:x' is not a feature"):
        list(open_stream([name]).blocks(shuffle=(0, 0)))
    skipping = open_stream([name], on_error="skip", block_rows=9)
    assert labels(skipping, shuffle=(0, 0)) == [row for row in permutation(0, 0, 40) if row != 17]
    assert skipping.bad.first == [f"{name}, line 18: '1:x' is not a feature; expected index:number"]


@pytest.mark.parametrize("zipped", [False, True])
def test_stray_quotes_do_not_meet(zipped: bool, tmp_path: Path) -> None:
    """Two lines that a quote spoils would be one good record, if they were put together."""
    endings = [',"a', ',"b"', '"', ',"b"']
    text = "y,c\n" + "".join(f"{row}{endings[row % 4]}\n" for row in range(40))
    name = write(tmp_path / "a.csv", gzip.compress(text.encode()) if zipped else text)
    plain = open_stream([name], target="y", on_error="skip")
    assert labels(plain) == [row for row in range(40) if row % 2]
    for seed in range(5):
        stream = open_stream([name], target="y", on_error="skip", buffer=9)
        assert sorted(labels(stream, shuffle=(seed, 0))) == labels(plain)
        assert stream.bad.count == 20


@pytest.mark.parametrize("source", ["pipe", "zipped"])
def test_a_pipe_is_shuffled_in_a_buffer(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = Path(numbered(tmp_path / "a.svm", 200)).read_bytes()
    found = []
    for _ in range(2):
        if source == "pipe":
            pipe(monkeypatch, content)
        name = "-" if source == "pipe" else write(tmp_path / "a.svm.gz", gzip.compress(content))
        stream = open_stream([name], block_rows=30, buffer=50)
        assert stream.order.startswith("rows shuffled in a buffer of 50 rows")
        found.append(labels(stream, shuffle=(4, 0)))
    assert found[0] == found[1]
    assert sorted(found[0]) == list(range(200))
    assert found[0] != sorted(found[0])
    assert all(row <= place + 50 for place, row in enumerate(found[0]))  # no row can come before the buffer has met it


@given(
    sizes=st.lists(st.lists(st.integers(1, 3), max_size=6), max_size=6),
    capacity=st.integers(1, 12),
    together=st.integers(0, 5),
    seed=st.integers(0, 3),
)
def test_a_buffer_gives_everything_once(sizes: list[list[int]], capacity: int, together: int, seed: int) -> None:
    records: list[list[Record]] = []
    for chunk in sizes:
        begun = sum(len(some) for some in records)
        records.append([Record(begun + place, 0, 0, size) for place, size in enumerate(chunk)])
    blocks = list(through_buffer(iter(records), capacity, generator(seed, 0), lambda last: together))
    found = [record.data for block, _ in blocks for record in block]
    assert sorted(found) == list(range(sum(map(len, sizes))))
    assert [position for _, position in blocks] == np.cumsum([len(block) for block, _ in blocks]).tolist()


def test_a_buffer_reaches_everything() -> None:
    """Every order of three is met, if the buffer holds them all."""
    records = [Record(place, 0, 0) for place in range(3)]
    met = set()
    for seed in range(100):
        ((block, _),) = through_buffer(iter([records]), 3, generator(seed, 0), len)
        met.add(tuple(record.data for record in block))
    assert len(met) == 6


def test_neighbours_of_one_query_are_parted() -> None:
    keys: list[Any] = ["a", "b", "b", "c"]
    assert first_lists([Record(0, 0, 0, key=key) for key in keys]) == 2
    assert first_lists([Record(0, 0, 0) for _ in keys]) == 4
    assert first_lists([Record(0, 0, 0), Record(0, 0, 0, alone=True), Record(0, 0, 0)]) == 1
    assert first_lists([Record(0, 0, 0, alone=True), Record(0, 0, 0)]) == 1
    assert first_lists([]) == 0


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    names = [numbered(tmp_path / "a.svm", 3), write(tmp_path / "b.svm", "# nothing\n")]
    with pytest.raises(BadDataFile, match=r"b\.svm holds no rows"):
        list(open_stream(names).blocks(shuffle=(0, 0)))


def test_no_temporary_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    stream = open_stream([numbered(tmp_path / "a.svm", 30)], block_rows=4)
    blocks = stream.blocks(shuffle=(0, 0))
    next(blocks)
    blocks.close()
    assert list(folder.iterdir()) == []
