"""What streams give, in forms that are easily compared."""

from __future__ import annotations

import io
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron.core.rows import CSR
from ranktron.data.streams import Block, Place, Stream, open_stream, text_blocks


def dense(block: Block) -> np.ndarray:
    """The rows as an array; what a row does not store is 0."""
    if not isinstance(block.rows, CSR):
        return block.rows
    rows = np.zeros((len(block), block.n_columns))
    indptr, indices, values = block.rows
    for row in range(len(block)):
        part = slice(indptr[row], indptr[row + 1])
        assert (np.diff(indices[part]) > 0).all()  # ascending, and each column once
        rows[row, indices[part]] = values[part]
    return rows


def stored(block: Block) -> np.ndarray:
    """All values in order."""
    return block.rows.values if isinstance(block.rows, CSR) else block.rows.ravel()


def mappings(block: Block) -> list[dict[str, float]]:
    """The features that each row stores, by name."""
    assert block.names is not None
    if not isinstance(block.rows, CSR):
        return [dict(zip(block.names[: block.n_columns], row.tolist(), strict=True)) for row in block.rows]
    indptr, indices, values = block.rows
    ends = pairwise(indptr)
    return [{block.names[j]: v for j, v in zip(indices[a:b].tolist(), values[a:b].tolist(), strict=True)} for a, b in ends]


def bits(block: Block) -> tuple[Any, ...]:
    """All of a block, to the last bit."""
    arrays = block.rows if isinstance(block.rows, CSR) else [block.rows]
    parts = [(part.dtype.str, part.shape, part.tobytes()) for part in arrays]
    columns = [
        column if column is None else column.tolist() if column.dtype == object else column.tobytes()
        for column in (block.y, block.qid)
    ]
    return parts, block.n_columns, columns, block.place, [block.where(row) for row in (0, len(block) - 1)]


def labels(stream: Stream, **more: Any) -> list[Any]:
    """The targets of all rows."""
    return [label for block in stream.blocks(**more) for label in block.y.tolist()]


def wheres(stream: Stream, **more: Any) -> list[str]:
    """Where all rows come from."""
    return [block.where(row) for block in stream.blocks(**more) for row in range(len(block))]


def write(path: Path, text: str | bytes) -> str:
    """Write a file, and return its name."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input hold this."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))


def first_block(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    """Let blocks be as large as this text: if a file begins with it, it settles what columns hold."""
    monkeypatch.setattr(text_blocks, "SIZE", len(text))
    monkeypatch.setattr(text_blocks, "MARGIN", 64)


def resumed(open_again: Any, names: Any, **shuffle: Any) -> None:
    """Check that a reading that is taken up after any block goes on with the same blocks, told the names that were known then."""
    known: list[tuple[Place, Any, Any]] = [(Place(), None, None)]
    expected = []
    stream = open_again(None, None)
    for block in stream.blocks(**shuffle):
        expected.append(bits(block))
        known.append((block.place, names(block), stream.schema))
    for place, some, schema in known:
        found = [bits(block) for block in open_again(some, schema).blocks(Place(*list(place)), **shuffle)]
        assert found == expected[len(expected) - len(found) :]
        assert len(found) == sum(1 for one in expected if one[3].rows > place.rows)


__all__ = ["bits", "dense", "first_block", "labels", "mappings", "open_stream", "pipe", "resumed", "stored", "wheres", "write"]
