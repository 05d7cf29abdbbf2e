"""Blocks of whole lists, whatever the pieces are that a file is read in."""

from __future__ import annotations

import gzip
import os
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ranktron.data import BadDataFile, iter_letor, read_letor
from ranktron.data.svmlight import text as text_module
from ranktron.data.svmlight.fill import greatest_index
from ranktron.data.svmlight.text import Piece
from tests.data.svmlight.letor_lines import files, same_bits

QUERIES = st.integers(1, 3)


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("letor") / "file.txt"


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "PIECE", 1 << 16)


def expected_sizes(qid: list[int], rows: int) -> list[int]:
    """How long blocks are: a block is closed when a list ends and it has so many rows."""
    sizes, size = [], 0
    for row, query in enumerate(qid):
        size += 1
        ends = row + 1 == len(qid) or qid[row + 1] != query
        if ends and (size >= rows or row + 1 == len(qid)):
            sizes.append(size)
            size = 0
    return sizes


@given(
    file=files(queries=QUERIES),
    rows=st.integers(1, 5),
    piece=st.integers(1, 200),
    zipped=st.booleans(),
    told=st.booleans(),
    dense=st.booleans(),
)
def test_blocks_are_the_file_cut_where_lists_end(
    file: Any, rows: int, piece: int, zipped: bool, told: bool, dense: bool, path: Path
) -> None:
    path.write_bytes(gzip.compress(file[1]) if zipped else file[1])
    X, y, qid, comments = read_letor(path, comments=True)
    width = 70 if told else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "PIECE", piece)
        blocks = list(iter_letor(path, rows=rows, comments=True, n_features=width, dense=dense))
    assert [len(block[1]) for block in blocks] == expected_sizes(qid.tolist(), rows)
    assert {block[0].shape[1] for block in blocks} <= {width or X.shape[1]}
    if blocks:
        parts = [np.concatenate([block[place] for block in blocks]) for place in (1, 2)]
        together = np.concatenate([b[0] for b in blocks]) if dense else sparse.vstack([b[0] for b in blocks]).toarray()
        assert all(same_bits(found, all_of_it) for found, all_of_it in zip(parts, (y, qid), strict=True))
        assert same_bits(together[:, : X.shape[1]], X.toarray())
        assert [comment for block in blocks for comment in block[3]] == comments


def test_a_query_that_comes_again_is_another_list(path: Path) -> None:
    path.write_text("".join(f"0 qid:{query} 1:1\n" for query in (1, 1, 2, 1, 1)))
    assert [qid.tolist() for *_, qid in iter_letor(path, rows=1)] == [[1, 1], [2], [1, 1]]


def test_a_list_longer_than_all_pieces_stays_whole(path: Path, small_pieces: None) -> None:
    path.write_text("0 qid:1 1:0.25\n" * 30_000 + "0 qid:2 1:0.5\n")
    assert [len(y) for _, y, _ in iter_letor(path, rows=10)] == [30_000, 1]


@pytest.mark.parametrize("width", [None, 1])
def test_a_bad_line_is_refused_when_its_turn_comes(width: int | None, path: Path, small_pieces: None) -> None:
    lists = [f"0 qid:{query} 1:0.25\n" * 100 for query in range(200)]
    path.write_text("".join([*lists[:100], "0 qid:2 1:x\n", *lists[100:]]))
    blocks = iter_letor(path, rows=1, n_features=width)
    assert next(blocks)[2].tolist() == [0] * 100
    with pytest.raises(BadDataFile, match="line 10001: '1:x' is not a feature"):
        list(blocks)


@pytest.mark.parametrize(
    "text", ["", "#9:1\n", "1 qid:1 #9:1\n", "1 qid:1 1:2 30:1 qid:1 #99:1\n1 qid:1 2:2\n", f"1 qid:1 {10**30}:1"]
)
def test_columns_are_counted_before_lines_are_judged(text: str, path: Path) -> None:
    path.write_text(text)
    found = [index for line in text.splitlines() for index in re.findall(r" ([0-9]+):", line.partition("#")[0])]
    assert greatest_index(Piece(text.encode(), 0, len(text)), 0) == min(max(map(int, found), default=-1), 2**63 - 2)


def test_an_index_beyond_the_width_is_refused(path: Path) -> None:
    path.write_text("0 qid:1 1:0.25\n0 qid:1 3:0.25\n")
    with pytest.raises(BadDataFile, match="line 2: index 3 is beyond 2"):
        list(iter_letor(path, n_features=2))


def peak(blocks: Iterator[Any]) -> int:
    """The most memory in use while blocks are read and dropped."""
    tracemalloc.start()
    for _ in blocks:
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("zipped", [pytest.param(False, marks=pytest.mark.full), True], ids=["plain", "zipped"])
def test_memory_does_not_grow_with_the_file(zipped: bool, path: Path, small_pieces: None) -> None:
    def most(lists: int) -> int:
        text = "".join(f"1 qid:{query} 1:0.5 2:0.25 3:0.125\n" * 10 for query in range(lists)).encode()
        path.write_bytes(gzip.compress(text) if zipped else text)
        return peak(iter_letor(path, rows=500))

    most(100)  # what is imported on the way stays
    assert most(4000) < 1.2 * most(1000)


def test_blocks_may_be_left_half_way(path: Path, small_pieces: None) -> None:
    path.write_text("0 qid:1 1:0.25\n1 qid:2 1:0.25\n" * 20_000)
    blocks = iter_letor(path, rows=1)
    assert next(blocks)[2].tolist() == [1]
    blocks.close()  # type: ignore[attr-defined]
    assert next(blocks, None) is None


@pytest.mark.parametrize("rows", [0, -3])
def test_a_block_has_rows(rows: int, path: Path) -> None:
    with pytest.raises(ValueError, match=f"rows={rows} should be at least 1"):
        iter_letor(path, rows=rows)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_needs_a_width(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="cannot be read twice, to find the number of columns: pass n_features"):
        iter_letor(tmp_path / "pipe")
