"""Compressions that are not read: each is named, by the content and not the name, with a program that unpacks it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from pathlib import Path

import pytest

from ranktron.data import BadDataFile, iter_letor, read_letor, read_svmlight
from ranktron.data.streams import open_stream
from ranktron.data.svmlight import text
from tests.data.streams.reading import labels, pipe, write

TEXT = b"1 qid:1 1:1\n2 qid:1 1:2\n"


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.svm", TEXT)
    return file.getvalue()


FOREIGN = {
    "bzip2": (bz2.compress(TEXT), "bzcat"),
    "xz": (lzma.compress(TEXT), "xzcat"),
    "zstd": (bytes.fromhex("28b52ffd2418c1000031207169643a3120313a310a"), "zstdcat"),
    "lz4": (bytes.fromhex("04224d186440a7180000803120716964"), "lz4cat"),
    "zip": (zipped(), "unzip -p"),
    "7z": (bytes.fromhex("377abcaf271c0004") + bytes(24), "7z x -so"),
}


@pytest.mark.parametrize("ending", ["csv", "svm", "jsonl", "txt", "parquet", "csv.bz2"])
@pytest.mark.parametrize("what", FOREIGN)
def test_a_compressed_file_is_told_by_its_content(what: str, ending: str, tmp_path: Path) -> None:
    content, program = FOREIGN[what]
    name = write(tmp_path / f"data.{ending}", content)
    with pytest.raises(BadDataFile) as error:
        open_stream([name], target="y")
    assert str(error.value) == (
        f"{name} is compressed with {what}, and only gzip is read; decompress it first: {program} {name} > FILE"
    )


@pytest.mark.parametrize("what", FOREIGN)
def test_a_compressed_pipe_is_told_by_its_content(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content, program = FOREIGN[what]
    pipe(monkeypatch, content)
    with pytest.raises(BadDataFile) as error:
        open_stream(["-"], format="csv", target="y")
    told = f"standard input is compressed with {what}, and only gzip is read; decompress it first: pipe it through {program}"
    assert str(error.value) == told


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize("read", [read_letor, read_svmlight, lambda path: list(iter_letor(path))])
def test_readers_of_the_library_tell_it_too(what: str, read, tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match=rf"a\.txt is compressed with {what}, and only gzip is read"):
        read(tmp_path / write(tmp_path / "a.txt", FOREIGN[what][0]))


def test_text_that_only_begins_alike_is_read(tmp_path: Path) -> None:
    assert labels(open_stream([write(tmp_path / "a.csv", "BZh9,PK\n1,2\n")], target="BZh9")) == [1]
    assert labels(open_stream([write(tmp_path / "b.csv", "PK,7z\n1,2\n")], target="PK")) == [1]


@pytest.mark.parametrize("size", [1, 5, 11, 12, 100])
def test_lines_may_be_longer_than_the_pieces_in_which_a_file_is_unpacked(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "PIECE", size)
    write(tmp_path / "a.gz", gzip.compress(TEXT))
    X, y, qid = read_letor(tmp_path / "a.gz")
    assert (X.toarray().tolist(), y.tolist(), qid.tolist()) == ([[1.0], [2.0]], [1.0, 2.0], [1, 1])
