"""Parts of blocks, and what blocks know of themselves."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron.core.rows import CSR
from ranktron.data.streams import BadLines, Block, Place
from tests.data.streams.reading import dense

FULL = np.arange(12.0).reshape(4, 3)


def sparse(rows: np.ndarray) -> CSR:
    stored = [np.flatnonzero(row) for row in rows]
    indptr = np.cumsum([0, *map(len, stored)]).astype(np.int32)
    return CSR(
        indptr,
        np.concatenate(stored).astype(np.int32),
        np.concatenate([row[some] for row, some in zip(rows, stored, strict=True)]),
    )


def block(rows: object) -> Block:
    y, qid = np.array([5, 6, 7, 8]), np.array(["p", "p", "q", "r"], object)
    place, source = Place(0, 9, 4, 4), lambda: ["a", "b", "c", "d"]
    return Block(rows, 3, None, y, qid, place, read=source, find=lambda row: f"line {row + 1}")


@pytest.mark.parametrize("rows", [FULL, sparse(FULL)], ids=["dense", "sparse"])
def test_parts_of_a_block(rows: object) -> None:
    whole = block(rows)
    assert len(whole) == 4
    for start in range(5):
        for stop in range(start, 5):
            part = whole.part(start, stop)
            assert dense(part).tolist() == FULL[start:stop].tolist()
            assert part.y.tolist() == [5, 6, 7, 8][start:stop]
            assert part.qid.tolist() == ["p", "p", "q", "r"][start:stop]
            assert part.source == ["a", "b", "c", "d"][start:stop]
            assert [part.where(row) for row in range(len(part))] == [f"line {row + 1}" for row in range(start, stop)]
            assert part.place == whole.place


@pytest.mark.parametrize("rows", [FULL, sparse(FULL)], ids=["dense", "sparse"])
@pytest.mark.parametrize("row", range(4))
def test_a_block_without_a_row(rows: object, row: int) -> None:
    others = block(rows).without(row)
    kept = [place for place in range(4) if place != row]
    assert dense(others).tolist() == FULL[kept].tolist()
    assert others.y.tolist() == [5 + place for place in kept]
    assert others.without(0).where(1) == f"line {kept[2] + 1}"
    assert others.part(1, 3).source == ["abcd"[place] for place in kept[1:]]


def test_a_part_of_a_sparse_block_is_whole_by_itself() -> None:
    rows = block(sparse(FULL)).part(2, 4).rows
    assert isinstance(rows, CSR)
    assert (rows.indptr[0], rows.indptr[-1], rows.indptr.dtype) == (0, 6, np.int32)


def test_a_block_that_was_made_by_hand_knows_its_rows() -> None:
    plain = Block(FULL, 3)
    assert (plain.where(2), plain.source, plain.y, plain.part(1, 2).where(0)) == ("row 2", None, None, "row 0")


def test_ten_messages_are_kept() -> None:
    bad = BadLines()
    for number in range(25):
        bad.add(f"line {number}")
    assert (bad.count, bad.first, bad.n_free) == (25, [f"line {number}" for number in range(10)], 0)
