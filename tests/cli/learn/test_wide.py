"""One line must not eat the machine: features far beyond all others, and input that is not text."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ranktron
from tests.cli.program import command, environment, run
from tests.waiting import LIMIT

MB = 1 << 20
WIDE = "2 100000000:1\n1 1:1\n"
SOME = "2 5:1 7:2\n1 1:1\n3 5:2\n"


class End(NamedTuple):
    """How a program ended: its status, the most memory it had, and what it wrote to stderr."""

    status: int
    memory: int
    err: str


LAUNCHER = """
import resource, subprocess, sys
if int(sys.argv[1]):
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
status = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL).returncode
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def ended(*words: Any, limit: int = 0) -> End:
    """Run the program from a small one, for a process counts the memory of the one that starts it as its own."""
    launcher = [sys.executable, "-c", LAUNCHER, str(limit), *command(*words)]
    found = subprocess.run(launcher, capture_output=True, text=True, env=environment(), check=True, timeout=LIMIT)
    status, kilobytes = map(int, found.stdout.split())
    return End(status, kilobytes << 10, found.stderr)


def file(tmp_path: Path, text: str, name: str = "a.svm") -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def test_an_index_far_beyond_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    name = file(tmp_path, WIDE)
    found = ended("learn", name)
    assert found.err == (
        f"ranktron: {name}, line 1: index 100000000 makes 100,000,000 features, and a model may have 16,777,216; "
        "hash them (--hash-bits 20), or allow them (--max-features 100000000)\n"
    )
    assert found.status == 1
    assert found.memory < 200 * MB


def test_hash_bits_bound_memory_whatever_index_comes(tmp_path: Path) -> None:
    found = ended("learn", file(tmp_path, WIDE), "--hash-bits", 12)
    assert found.status == 0, found.err
    assert found.memory < 200 * MB


@pytest.mark.parametrize(
    ("words", "most"),
    [(["learn", "-a", "prank"], 1 << 24), (["learn", "-a", "oap"], (1 << 31) // 808), (["compare", "--repeats", 2], None)],
)
def test_the_limit_follows_what_a_column_costs(words: list[Any], most: int | None, tmp_path: Path, capsys: Any) -> None:
    answer = run(capsys, *words, file(tmp_path, WIDE))
    assert answer.status == 1
    assert "line 1: index 100000000 makes 100,000,000 features, and a model may have " in answer.err
    allowed = int(answer.err.partition("may have ")[2].partition(";")[0].replace(",", ""))
    assert allowed == most if most else allowed < (1 << 31) // 808


def test_more_features_can_be_allowed_and_fewer(tmp_path: Path, capsys: Any) -> None:
    name = file(tmp_path, SOME)
    assert run(capsys, "learn", name, "--json", "--max-features", 7).result["features"] == 7
    assert "index 7 makes 7 features, and a model may have 6;" in run(capsys, "learn", name, "--max-features", 6).err
    skipped = run(capsys, "learn", name, "--json", "--max-features", 6, "--on-error", "skip").result
    assert (skipped["features"], skipped["examples"], skipped["bad_lines"]) == (5, 2, 1)


def test_a_league_goes_on_without_a_model_of_second_order(tmp_path: Path, capsys: Any) -> None:
    name = file(tmp_path, "2 5:1 70000:2\n1 1:1\n3 5:2\n" * 9)
    told = run(capsys, "compare", name, "-a", "arowprank,prank", "--json").result
    assert "a second-order model keeps a covariance of all features and thresholds, here 7000" in told["out"]["AROWPRank"]
    assert [one["name"] for one in told["league"]] == ["PRank"]


def test_too_many_hash_bits_are_refused(tmp_path: Path, capsys: Any) -> None:
    name = file(tmp_path, SOME)
    for words in (["learn", name, "-a", "prank"], ["compare", name]):
        told = run(capsys, *words, "--hash-bits", 30).err
        assert told.startswith("ranktron: --hash-bits 30 makes 1,073,741,824 features, and a model may have ")
        assert told.endswith("; take fewer bits, or allow them (--max-features 1073741824)\n")


def test_a_model_of_hashed_indices_predicts_learns_more_and_answers_mappings(tmp_path: Path, capsys: Any) -> None:
    name, model = file(tmp_path, SOME * 20), tmp_path / "m"
    told = run(capsys, "learn", name, "--json", "--hash-bits", 6, "-m", model, "--test", name).result
    assert told["features"] == 64
    answer = run(capsys, "predict", model, file(tmp_path, SOME + "1 3000000000:1\n", "new.svm"))
    loaded = ranktron.load(model)
    rows: list[dict[Any, float]] = [{5: 1.0, 7: 2.0}, {1: 1.0}, {5: 2.0}, {3_000_000_000: 1.0}]
    assert answer.out.split() == [str(loaded.predict_one(row)) for row in rows]
    assert len(set(answer.out.split())) > 1
    assert run(capsys, "evaluate", model, name, "--json").result["skipped"] == 0
    more = run(capsys, "learn", name, "--json", "--resume", model, "-m", tmp_path / "n").result
    assert (more["features"], more["examples"]) == (64, 60)


def test_a_model_that_did_not_hash_goes_on_so(tmp_path: Path, capsys: Any) -> None:
    """Up to 0.7.0 svmlight was not hashed whatever --hash-bits said, and such a model has columns by number."""
    model = ranktron.Rater(hash_bits=4)
    model.partial_fit(np.eye(9)[:5], [1, 2, 3, 1, 2])
    model.save(tmp_path / "m")
    for words in ([], ["--hash-bits", 4]):
        more = run(capsys, "learn", file(tmp_path, SOME), "--json", "--resume", tmp_path / "m", *words).result
        assert more["features"] == 9


def test_a_checkpoint_goes_on_with_another_limit(tmp_path: Path, capsys: Any) -> None:
    name, saved = file(tmp_path, SOME * 50), tmp_path / "c"
    first = run(capsys, "learn", name, "--json", "--checkpoint", saved, "--checkpoint-rows", 40)
    assert first.status == 0
    words = ["--resume", saved, "--checkpoint", saved, "--checkpoint-rows", 40]
    again = run(capsys, "learn", name, "--json", *words, "--max-features", 5)
    assert again.status == 0, again.err


def test_rows_wider_than_the_model_are_cut_without_memory(tmp_path: Path, capsys: Any) -> None:
    model = tmp_path / "m"
    run(capsys, "learn", file(tmp_path, SOME), "-m", model)
    found = ended("predict", model, file(tmp_path, "1 1:1\n1 1:1 2147483647:5\n", "wide.svm"))
    assert (found.status, found.err) == (0, "")
    assert found.memory < 200 * MB
    answer = run(capsys, "predict", model, tmp_path / "wide.svm", "--scores")
    assert len(set(answer.out.split())) == 1


def test_zeros_are_refused_at_the_limit_of_a_line(tmp_path: Path) -> None:
    found = ended("learn", "/dev/zero", "--format", "csv", "-t", "y")
    assert found.err == "ranktron: /dev/zero, line 1: the header has more than 64 MB; is this text?\n"
    assert found.memory < 500 * MB


LARGE: dict[str, tuple[Callable[[], Iterator[bytes]], str]] = {
    "quote.csv": (lambda: iter([b'y,a\n1,"', *[b"x" * 1021 + b'""\n'] * (80 << 10)]), "line 2: it has more than 64 MB"),
    "quote_lines.csv": (lambda: iter([b'y,a\n1,"', *[b"x" * 1023 + b"\n"] * (80 << 10)]), "line 2: the quotes do not match"),
    "line.csv": (lambda: iter([b"y,a\n1,", *[b"x" * MB] * 100]), "line 2: it has more than 64 MB"),
    "line.svm": (lambda: iter([b"1 1:1\n2 1:", *[b"1" * MB] * 100]), "line 2: it has more than 64 MB"),
    "line.jsonl": (lambda: iter([b'{"y":1,"a":"', *[b"x" * MB] * 100]), "line 1: it has more than 64 MB"),
    "header.csv": (lambda: iter([b"y", *[b"," * MB] * 100]), "line 1: the header has more than 64 MB"),
    "columns.csv": (lambda: iter([b"y", *[b"," * MB] * 50, b"\n"]), "a table may have 262,144"),
    "zeros.svm.gz": (lambda: iter([bytes(MB)] * 1000), "line 1: it has more than 64 MB"),
    "zeros.jsonl.gz": (lambda: iter([bytes(MB)] * 1000), "line 1: it has more than 64 MB"),
    "lines.csv.gz": (lambda: iter([b"y,a\n", *[b"\n" * MB] * 1000]), "has no row in its first 64 MB"),
}


@pytest.mark.full
@pytest.mark.parametrize("name", LARGE)
def test_large_input_that_is_no_data_takes_little_memory(name: str, tmp_path: Path) -> None:
    parts, message = LARGE[name]
    path = tmp_path / name
    with gzip.open(path, "wb", 1) if name.endswith(".gz") else path.open("wb") as out:
        out.writelines(parts())
    found = ended("learn", path, *([] if ".svm" in name else ["-t", "y"]))
    assert message in found.err
    assert (found.status, len(found.err) < 500 + len(str(path))) == (1, True)
    assert found.memory < 700 * MB


@pytest.mark.full
@pytest.mark.parametrize("format", ["svmlight", "tsv", "jsonl", None])
def test_zeros_are_refused_in_every_format(format: str | None) -> None:
    found = ended("learn", "/dev/zero", "-t", "y", *([] if format is None else ["--format", format]), limit=8 << 30)
    assert "line 1: " in found.err
    assert "has more than 64 MB; is this text?" in found.err
    assert found.memory < 500 * MB


@pytest.mark.full
def test_two_million_blank_lines_before_the_first_row(tmp_path: Path) -> None:
    found = ended("learn", file(tmp_path, "y,a\n" + "\n" * 2_000_000 + "1,2\n2,3\n", "a.csv"), "-t", "y")
    assert found.status == 0
    assert found.memory < 500 * MB
