"""Damaged files: the right rows, or one sentence; and what is skipped is what would have been refused."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktron.data import BadDataFile, read_svmlight
from ranktron.data.streams import open_stream
from ranktron.data.streams.formats.csv import Csv
from tests.covering import examples
from tests.data.streams.reading import bits, mappings, write
from tests.data.svmlight.letor_lines import files

CHARACTERS = [*b'0123456789.:# \t\r\n\x0b\x00\xff+-_einqdy,"{}[]\xc3\xa9']
CSV = b'y,a,c,q\n1,0.5,x,1\n2,,"a ""b""",1\n3,7,"line\nend",2\n\n1,-1e3,,3\n2,1,y,3\n'
JSONL = b'{"y": 1, "a": 0.5, "c": "x"}\n{"y": 2, "t": ["a", "b"], "u": {"v": true}}\n\n{"y": 3, "a": null}\n{"y": 1, "a": -1e3}\n'
SIZES = st.sampled_from([None, 1, 2, 5])


@st.composite
def damaged(draw: Any, original: bytes) -> bytes:
    """A text in which some characters were replaced, inserted or deleted, and which may be cut off."""
    text = bytearray(original)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        text[place : place + draw(st.integers(0, 3))] = bytes(draw(st.lists(st.sampled_from(CHARACTERS), max_size=2)))
    return bytes(text[: draw(st.one_of(st.none(), st.integers(0, len(text))))])


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("damage") / "file"


def outcome(name: str, shuffle: Any = None, **options: Any) -> tuple[list[Any], str | None, list[str]]:
    """The blocks, the sentence that ended them, and those on what was skipped."""
    found: list[Any] = []
    bad: list[str] = []
    try:
        stream = open_stream([name], **options)
        for block in stream.blocks(shuffle=shuffle):
            bits(block)
            found.append(block)
        bad = stream.bad.first
    except ValueError as error:
        return found, _sentence(error), bad
    return found, None, bad


def _sentence(error: Exception) -> str:
    assert type(error) in (ValueError, BadDataFile)
    assert str(error)
    assert "\n" not in str(error)
    return str(error)


def check(name: str, shuffle: Any, **options: Any) -> list[Any]:
    """What is skipped is what would be refused first; without anything to skip the blocks are the same."""
    blocks, refused, _ = outcome(name, **options)
    kept, sentence, bad = outcome(name, on_error="skip", **options)
    if refused is None:
        assert (sentence, bad) == (None, [])
        assert [bits(block) for block in blocks] == [bits(block) for block in kept]
    elif bad:
        assert bad[0] == refused
    else:
        assert sentence is not None
    mixed, broken, _ = outcome(name, shuffle, on_error="skip", **options)
    assert (broken is None) == (sentence is None)
    assert sum(map(len, mixed)) == sum(map(len, kept)) or broken is not None
    return blocks if refused is None else []


@settings(max_examples=examples(120))
@given(file=files(queries=st.integers(1, 3)), data=st.data(), size=SIZES, lists=st.booleans())
def test_damaged_svmlight(file: Any, data: Any, size: int | None, lists: bool, path: Path) -> None:
    text = data.draw(damaged(file[1]))
    name = write(path, text)
    blocks = check(name, (1, 1), format="svmlight", block_rows=size, lists=lists)
    try:
        X, y = read_svmlight(name, zero_based=False)
    except BadDataFile:
        assert blocks == []
        return
    if blocks:
        assert np.concatenate([block.y for block in blocks]).tobytes() == y.tobytes()
        assert max(1, X.shape[1]) == blocks[-1].n_columns
    else:
        assert len(y) == 0 or lists or X.shape[1] >= 2**31 - 1 or not text.endswith(b"\n")


def by_line(*_: Any) -> None:
    """Let polars read nothing."""


@settings(max_examples=examples(120))
@given(text=damaged(CSV), size=SIZES, lists=st.booleans(), tsv=st.booleans())
def test_damaged_tables(text: bytes, size: int | None, lists: bool, tsv: bool, path: Path) -> None:
    name = write(path, text.replace(b",", b"\t") if tsv else text)
    options: dict[str, Any] = {"format": "tsv" if tsv else "csv", "block_rows": size, "lists": lists, "target": "y", "query": "q"}
    blocks = check(name, (1, 1), **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Csv, "_read", by_line)
        defined = check(name, (1, 1), **options)
    assert [bits(block) for block in blocks] == [bits(block) for block in defined]
    assert [block.names[: block.n_columns] for block in blocks] == [block.names[: block.n_columns] for block in defined]


@settings(max_examples=examples(120))
@given(text=damaged(JSONL), size=SIZES)
def test_damaged_json(text: bytes, size: int | None, path: Path) -> None:
    blocks = check(write(path, text), (1, 1), format="jsonl", block_rows=size, target="y")
    if not blocks:
        return
    rows = [json.loads(line) for line in text.split(b"\n") if line.strip()]
    found = [label for block in blocks for label in block.y.tolist()]
    expected = [row["y"] if isinstance(row["y"], str) else type(found[0])(row["y"]) for row in rows]
    assert found == expected
    plain = [{name: value for name, value in row.items() if type(value) in (int, float) and name != "y"} for row in rows]
    stored = [features for block in blocks for features in mappings(block)]
    for features, expected in zip(stored, plain, strict=True):
        for name, value in expected.items():
            assert features[name] == value or math.isnan(value)


@settings(max_examples=examples(150))
@given(
    text=st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode)),
    format=st.sampled_from([None, "svmlight", "csv", "tsv", "jsonl"]),
)
def test_any_bytes_at_all(text: bytes, format: str | None, path: Path) -> None:
    name = write(path, text)
    for options in ({}, {"target": "y"}, {"labelled": False, "header": False}):
        check(name, (0, 0), format=format, **options)


def pieces(content: bytes) -> Iterator[bytes]:
    for stop in range(0, len(content), max(1, len(content) // 40)):
        yield content[:stop]
        yield content[:stop] + b"\xff" + content[stop + 1 :]


def test_damaged_zipped_files(path: Path) -> None:
    expected = [bits(block) for block in open_stream([write(path, CSV)], target="y").blocks()]
    for content in pieces(gzip.compress(CSV)):
        blocks, refused, _ = outcome(write(path, content), target="y", format="csv")
        assert refused is not None or [bits(block) for block in blocks] == expected


def test_damaged_parquet_files(path: Path, tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame({"y": [1, 2, 3], "x": [0.5, None, 2.0], "c": ["a", "b", None]}).write_parquet(tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    for some in [content[:stop] for stop in range(0, len(content), 50)]:
        _, refused, _ = outcome(write(path, some), target="y", format="parquet")
        assert refused is not None
