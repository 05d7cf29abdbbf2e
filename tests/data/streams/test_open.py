"""Opening streams: formats are guessed, and what cannot be opened gets one sentence."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from ranktron.data import BadDataFile
from ranktron.data.streams import inputs, open_stream, text_blocks
from tests.data.streams.reading import bits, labels, pipe, wheres, write
from tests.processes import run
from tests.waiting import LIMIT

CONTENTS = {
    "svmlight": "1 qid:2 1:0.5\n",
    "csv": "y,a\n1,2\n",
    "tsv": "y\ta\n1\t2\n",
    "jsonl": '{"y": 1, "a": 2}\n',
}
ENDINGS = [
    *((ending, "svmlight") for ending in ("svm", "svmlight", "libsvm", "letor", "txt", "dat", "SVM")),
    *((ending, "csv") for ending in ("csv", "txt", "dat", "CSV")),
    *((ending, "tsv") for ending in ("tsv", "tab", "txt")),
    *((ending, "jsonl") for ending in ("jsonl", "ndjson", "json", "txt")),
]


@pytest.mark.parametrize(("ending", "format"), ENDINGS)
@pytest.mark.parametrize("zipped", [False, True])
def test_the_format_is_guessed(ending: str, format: str, zipped: bool, tmp_path: Path) -> None:
    text = CONTENTS[format].encode()
    name = write(tmp_path / f"file.{ending}{'.gz' if zipped else ''}", gzip.compress(text) if zipped else text)
    stream = open_stream([name], target=None if format == "svmlight" else "y")
    assert (stream.format, labels(stream)) == (format, [1])


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("\n \n# comment\n2 1:3\n", "svmlight"),
        ("2\n3 1:1\n", "svmlight"),
        ("qid:3 2 1:3\n", "svmlight"),
        ("2 1:3 # a,b,c\td\n", "svmlight"),
        ("2\t1:3\n", "svmlight"),
        ("\ufeffy,a\n1,2\n", "csv"),
        ("y a,b\n1,2\n", "csv"),
        ("a,b\tc\td\n1\t2\t3\n", "tsv"),
        ("name\nx\n", "csv"),
        ('  {"y": 1}\n', "jsonl"),
    ],
)
def test_the_first_line_tells_the_format(text: str, format: str, tmp_path: Path) -> None:
    assert open_stream([write(tmp_path / "file", text)], labelled=False).format == format


def test_a_pipe_of_rows_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    for format, text in CONTENTS.items():
        pipe(monkeypatch, text.encode())
        assert open_stream(["-"], labelled=False).format == format


def test_the_format_can_be_given(tmp_path: Path) -> None:
    name = write(tmp_path / "file.csv", "1 1:2\n")
    assert labels(open_stream([name], format="svmlight")) == [1]
    with pytest.raises(ValueError, match="there is no format 'xls'; expected one of svmlight, csv, tsv, parquet, jsonl"):
        open_stream([name], format="xls")


def test_a_stream_has_one_format(tmp_path: Path) -> None:
    names = [write(tmp_path / "a.csv", CONTENTS["csv"]), write(tmp_path / "b.txt", CONTENTS["svmlight"])]
    with pytest.raises(BadDataFile, match=r"b\.txt looks like svmlight, and .*a\.csv like csv; a stream has one format"):
        open_stream(names, target="y")


@pytest.mark.parametrize(
    ("paths", "options", "message"),
    [
        ([], {}, "name at least one file"),
        (["-", "-"], {}, "standard input can be read only once; name - once"),
        (["a.svm"], {"on_error": "ask"}, 'on_error=\'ask\' should be "stop" or "skip"'),
        (["a.svm"], {"block_rows": 0}, "block_rows=0 should be at least 1"),
        (["a.svm"], {"buffer": 0}, "buffer=0 should be at least 1"),
        (["a.svm"], {"hash_bits": 40}, "hash_bits=40 should be from 1 to 30"),
    ],
)
def test_what_is_asked_for_is_checked(paths: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_stream(paths, **options)


def test_files_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadDataFile, match=r"missing\.svm does not exist; check the path$"):
        open_stream([str(tmp_path / "missing.svm")])
    with pytest.raises(BadDataFile, match=r"is a folder; name the files in it$"):
        open_stream([str(tmp_path)])
    with pytest.raises(BadDataFile, match="cannot be opened: embedded null byte"):
        open_stream(["a\0b"])
    monkeypatch.setattr(inputs, "open", _refuse, raising=False)
    with pytest.raises(BadDataFile, match=r"secret\.svm cannot be read: permission denied$"):
        open_stream([write(tmp_path / "secret.svm", "1 1:1\n")])


def _refuse(*_: Any) -> None:
    raise PermissionError


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n"])
@pytest.mark.parametrize("name", ["empty.svm", "empty"])
def test_an_empty_file_holds_no_rows(text: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match=r"empty(\.svm)? holds no rows$"):
        open_stream([write(tmp_path / name, text)])


def test_an_empty_pipe_holds_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"")
    with pytest.raises(BadDataFile, match=r"standard input holds no rows$"):
        open_stream(["-"])


def test_a_second_file_without_rows_is_refused(tmp_path: Path) -> None:
    stream = open_stream([write(tmp_path / "a.svm", "1 1:1\n"), write(tmp_path / "b.svm", "\n")])
    with pytest.raises(BadDataFile, match=r"b\.svm holds no rows$"):
        list(stream.blocks())


def test_a_zipped_file_that_was_cut_off_is_refused_after_what_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{row} 1:{row * 7919 % 1000}\n" for row in range(20_000)).encode()
    content = gzip.compress(text)
    name = write(tmp_path / "cut.svm.gz", content[: len(content) // 2])
    with pytest.raises(BadDataFile, match=r"cut\.svm\.gz: the file cannot be read to its end: Compressed file ended"):
        list(open_stream([name]).blocks())
    monkeypatch.setattr(text_blocks, "SIZE", 1000)
    monkeypatch.setattr(text_blocks, "MARGIN", 100)
    stream = open_stream([name])
    found: list[int] = []
    with pytest.raises(BadDataFile, match="cannot be read to its end"):
        found.extend(label for block in stream.blocks() for label in block.y.tolist())
    assert len(found) > 5000
    assert found == list(range(len(found)))


def test_progress_through_zipped_and_plain_files(tmp_path: Path) -> None:
    text = "".join(f"{row} 1:{row * 7919 % 1000}\n" for row in range(3000))
    names = [write(tmp_path / "a.svm.gz", gzip.compress(text.encode())), write(tmp_path / "b.svm", text)]
    stream = open_stream(names, block_rows=1000)
    progress = [stream.progress(block) for block in stream.blocks()]
    assert all(share is not None and 0 < share <= 1 for share in progress)
    assert progress == sorted(progress)
    assert progress[-1] == 1.0


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1\n" * 10)
    stream = open_stream([name], block_rows=3)
    assert stream.fingerprint() == [{"path": name, "size": 60, "mtime_ns": os.stat(name).st_mtime_ns}]
    stream.check_unchanged()
    write(Path(name), "1 1:1\n" * 5)
    message = rf"{name} changed while it was read; start again when nothing writes to it$"
    for read in (stream.check_unchanged, lambda: list(stream.blocks()), lambda: list(stream.blocks(shuffle=(0, 0)))):
        with pytest.raises(BadDataFile, match=message):
            read()
    os.unlink(name)
    with pytest.raises(BadDataFile, match="was removed while it was read; start again with a file that stays"):
        stream.check_unchanged()


def test_a_file_that_grows_is_noticed(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1\n" * 10)
    stream = open_stream([name])
    write(Path(name), "1 1:1\n" * 20)
    for shuffle in (None, (0, 0)):
        with pytest.raises(BadDataFile, match="changed while it was read"):
            list(stream.blocks(shuffle=shuffle))


def test_a_file_that_shrinks_between_two_epochs_is_noticed(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1\n" * 100)
    stream = open_stream([name], block_rows=30)
    assert len(labels(stream, shuffle=(0, 0))) == 100
    write(Path(name), "1 1:1\n" * 40)
    with pytest.raises(BadDataFile, match="changed while it was read"):
        list(stream.blocks(shuffle=(0, 1)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_with_a_name(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    text = CONTENTS["csv"] + "5,6\n"
    writer = threading.Thread(target=path.write_text, args=[text])
    writer.start()
    stream = open_stream([str(path)], target="y")
    assert (stream.format, stream.rereadable) == ("csv", False)
    assert wheres(stream) == [f"{path}, line 2", f"{path}, line 3"]
    writer.join()
    with pytest.raises(BadDataFile, match="is a pipe, which can be read only once"):
        list(stream.blocks())
    with pytest.raises(BadDataFile, match="is a pipe, which cannot be resumed in the middle; write it to a file"):
        stream._inputs[0].reading(5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_block_of_a_pipe_does_not_wait_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "SIZE", 1000)
    monkeypatch.setattr(text_blocks, "MARGIN", 100)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = threading.Event()

    def writing() -> None:
        with path.open("w") as file:
            file.write("1 1:1\n" * 200)
            file.flush()
            read.wait(LIMIT)

    writer = threading.Thread(target=writing)
    writer.start()
    blocks = open_stream([str(path)], format="svmlight").blocks()
    assert 0 < len(next(blocks)) < 200
    assert not read.is_set()
    assert writer.is_alive()  # it has more to say
    read.set()
    assert sum(len(block) for block in blocks) > 0
    writer.join()


def test_files_and_a_pipe_are_one_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"3 1:1\n4 1:1\n")
    stream = open_stream([write(tmp_path / "a.svm", "1 1:1\n2 1:1\n"), "-"])
    assert labels(stream) == [1, 2, 3, 4]
    assert not stream.rereadable
    assert len(stream.fingerprint()) == 1


def test_a_stream_reads_the_same_twice_and_says_how_far_it_is(tmp_path: Path) -> None:
    names = [write(tmp_path / f"{file}.svm", "".join(f"{row} 1:{row}\n" for row in range(30))) for file in range(2)]
    stream = open_stream(names, block_rows=7)
    first, second = ([bits(block) for block in stream.blocks()] for _ in range(2))
    assert first == second
    progress = [stream.progress(block) for block in stream.blocks()]
    assert progress == sorted(progress)
    assert progress[-1] == 1.0


def test_a_line_that_never_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "LONGEST", 1 << 20)
    name = write(tmp_path / "a.svm", b"1 1:1\n" + b" " * (1 << 23))
    with pytest.raises(BadDataFile, match=r"a\.svm, line 2: it has more than 1 MB; is this text\?"):
        list(open_stream([name]).blocks())


def test_streams_are_light() -> None:
    """Neither scipy nor polars nor numba nor scikit-learn is loaded for a small svmlight file."""
    code = """
import sys, pathlib, tempfile
from ranktron.data.streams import open_stream
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "a.svm")
    path.write_text("1 1:1\\n2 1:1\\n")
    assert len(next(open_stream([str(path)]).blocks())) == 2
print([name for name in ("scipy", "polars", "numba", "sklearn", "json", "csv", "concurrent.futures") if name in sys.modules])
"""
    assert run(code).strip() == "[]"
