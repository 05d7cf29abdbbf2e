"""Compiled code reads what ``_lines`` defines, and refuses what that refuses, in chunks of any size on any number of cores."""

from __future__ import annotations

import math
import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from ranktron.compile import policy
from ranktron.data import BadDataFile, iter_letor, read_letor, read_svmlight
from ranktron.data.svmlight import fill
from ranktron.data.svmlight import text as text_module
from tests.covering import examples
from tests.data.svmlight.letor_lines import agree, files
from tests.processes import run

pytestmark = pytest.mark.compiled
CHARACTERS = [*b"0123456789.:# \t\r\n\x0b\x00\xff+-_einqd"]
CHUNKS = st.sampled_from([1, 30, 200, 1 << 21])


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("letor") / "file.txt"


def outcome(reader: Any, patience: float, chunk: int, *args: Any, **parameters: Any) -> Any:
    """What is read, as bytes, or the message that refuses it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policy, "PATIENCE", patience)
        patch.setattr(text_module, "CHUNK", chunk)
        try:
            X, *others = reader(*args, **parameters)
        except BadDataFile as error:
            return str(error)
    parts = X.shape, X.data.tobytes(), X.indices.tolist(), X.indices.dtype, X.indptr.tolist()
    return *parts, *(other.tobytes() if isinstance(other, np.ndarray) else other for other in others)


def all_blocks(path: Path, rows: int) -> tuple[Any, ...]:
    """What ``iter_letor`` gives, put together again."""
    blocks = list(iter_letor(path, rows=rows))
    if not blocks:
        return read_letor(path)
    X, *others = zip(*blocks, strict=True)
    return sparse.vstack(X, format="csr"), *(np.concatenate(other) for other in others)


@given(file=files(), chunk=CHUNKS, cores=st.integers(1, 3))
def test_a_file_reads_as_it_was_written(file: Any, chunk: int, cores: int, path: Path) -> None:
    rows, text = file
    path.write_bytes(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "CHUNK", chunk)
        patch.setattr(fill, "n_cores", lambda: cores)
        assert agree(read_letor(path, comments=True), rows)


@st.composite
def damaged(draw: Any) -> bytes:
    """A file in which some characters were replaced, inserted or deleted."""
    text = bytearray(draw(files(indices=st.integers(0, 2**33)))[1])
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        text[place : place + draw(st.integers(0, 1))] = bytes(draw(st.lists(st.sampled_from(CHARACTERS), max_size=2)))
    return bytes(text)


@settings(max_examples=examples(300), deadline=None)  # compiling, or loading the compiler, is part of one of them
@given(text=damaged(), chunk=CHUNKS, width=st.sampled_from([None, 40, 2**32]), letor=st.booleans(), comments=st.booleans())
def test_damaged_files_read_the_same_or_are_refused_the_same(
    text: bytes, chunk: int, width: int | None, letor: bool, comments: bool, path: Path
) -> None:
    path.write_bytes(text)
    reader, parameters = (read_letor, {"comments": comments}) if letor else (read_svmlight, {})
    defined = outcome(reader, math.inf, 1 << 21, path, n_features=width, **parameters)
    assert outcome(reader, 0, chunk, path, n_features=width, **parameters) == defined
    assert outcome(all_blocks, 0, chunk, path, rows=2) == outcome(all_blocks, math.inf, 1 << 21, path, rows=2)


@pytest.mark.parametrize("ending", ["\n", "", "\r\n", "\n\n", " # comment", "e5", "."])
@pytest.mark.parametrize("pages", [1, 2])
def test_the_last_page_of_a_file_may_be_full(ending: str, pages: int, path: Path) -> None:
    line = "3 qid:1 1:0.5 2:12345678" + ending
    padding = pages * mmap.PAGESIZE - len(line) - 2
    path.write_text("#" + "x" * padding + "\n" + line, newline="")
    assert path.stat().st_size == pages * mmap.PAGESIZE
    assert outcome(read_letor, 0, 1000, path) == outcome(read_letor, math.inf, 1 << 21, path)


def test_of_two_bad_lines_the_first_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "CHUNK", 200)
    lines = ["1 qid:3 1:0.5"] * 300
    lines[150], lines[250] = "1 qid:3 1:x", "1 qid:3 1:y"
    path.write_text("\n".join(lines))
    with pytest.raises(BadDataFile, match="line 151: '1:x' is not a feature"):
        read_letor(path)


def test_a_file_that_is_changed_while_it_is_read_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room is counted before lines are read: whatever comes later, nothing is written beyond it."""
    path.write_text("1 qid:3 1:0.5 2:0.5\n" * 100)
    true = fill._count
    for fewer in ((0, 1), (1, 0)):  # rows and features

        def count(chunk: Any, kernels: Any, fewer: tuple[int, int] = fewer) -> tuple[int, int]:
            rows, features = true(chunk, kernels)
            return (rows - fewer[0], features - fewer[1]) if chunk.origin else (rows, features)

        monkeypatch.setattr(fill, "_count", count)
        with pytest.raises(BadDataFile, match="line 100: the file changed while it was read"):
            read_letor(path)


def test_a_large_file_is_read_by_compiled_code(path: Path) -> None:
    path.write_text("1 qid:3 1:0.25 2:0.5\n" * 600_000)
    read = f"import ranktron.data; ranktron.data.read_letor({str(path)!r}, dense=True)"
    assert run(read + "; from ranktron.data.svmlight import fill; print(fill._is_compiled)", RANKTRON_PATIENCE="0.01") == "True"


def test_many_small_files_are_read_by_compiled_code_in_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("1 qid:3 1:0.25 2:0.5\n" * 100)
    size = path.stat().st_size
    monkeypatch.setattr(policy, "PATIENCE", 3.5 * size * 1e-6)
    monkeypatch.setattr(fill, "_seconds_a_byte", lambda: 1e-6)
    monkeypatch.setattr(fill, "_bytes_parsed", 0)
    monkeypatch.setattr(fill, "_is_compiled", False)
    monkeypatch.setattr(fill.LOOPS.reading, "is_ready", lambda args: False)
    piece = text_module.Piece(path.read_bytes(), 0, size)
    assert [fill._loops(piece, 0) is None for _ in range(5)] == [True, True, True, False, False]
    monkeypatch.setattr(fill, "_bytes_parsed", 0)
    monkeypatch.setattr(fill, "_is_compiled", False)
    monkeypatch.setattr(fill.LOOPS.reading, "is_ready", lambda args: True)
    assert fill._loops(piece, 0) is not None  # nothing has to be compiled
