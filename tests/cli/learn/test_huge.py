"""Two gigabytes through standard input, generated on the fly, in less than 300 MB of memory."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

SIZE, MOST = 2_000_000_000, 300_000_000


@pytest.mark.full
@pytest.mark.parametrize(("kind", "options"), [("svmlight", []), ("lists", []), ("csv", ["--format", "csv", "--target", "y"])])
def test_two_gigabytes_of_a_pipe_in_constant_memory(kind: str, options: list[str], tmp_path) -> None:
    head, piece, rows = text_of(kind)
    command = [sys.executable, "-m", "ranktron", "learn", "-", "--model", str(tmp_path / "m"), "--json", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        program.stdin.write(head)
        for _ in range(SIZE // len(piece)):
            program.stdin.write(piece)
        told = json.loads(program.communicate()[0])
    assert told["examples"] == rows * (SIZE // len(piece))
    assert told["peak_memory_bytes"] < MOST


def text_of(kind: str) -> tuple[bytes, bytes, int]:
    """What comes first, what comes again and again, and how many rows that is."""
    random = np.random.default_rng(0)
    X = random.random((4_000, 40)).round(6)
    labels = np.digitize(X.sum(axis=1), [18, 20, 22])
    if kind == "csv":
        head = ",".join(["y", *(f"x{place}" for place in range(40))]) + "\n"
        lines = [",".join([str(y), *map(str, row)]) for y, row in zip(labels, X.tolist(), strict=True)]
    else:
        head, queries = "", [f" qid:{row // 20}" if kind == "lists" else "" for row in range(len(X))]
        texts = [" ".join(f"{place}:{value}" for place, value in enumerate(row, 1)) for row in X.tolist()]
        lines = [f"{y}{query} {text}" for y, query, text in zip(labels, queries, texts, strict=True)]
    return head.encode(), ("\n".join(lines) + "\n").encode(), len(X)
