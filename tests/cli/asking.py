"""What tests of commands that use a model share: models, data, and the program, here, in pipes or in a terminal."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from ranktron import algorithms
from ranktron.cli import app
from ranktron.models import streaming

from ..waiting import LIMIT, rest_of, terminal
from .program import command, environment


class Told(NamedTuple):
    """How the program ended and what it said."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What it said, line by line."""
        return self.out.splitlines()


def run(*args: Any) -> Told:
    """Run the program in this process, its output captured; a bug in it is raised."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)
    return Told(result.exit_code, result.stdout, result.stderr)


def drawn(*args: Any, width: int = 80) -> Told:
    """The same, told as to a terminal so wide, but without its colours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ranktron.cli.shared.output.in_terminal", lambda: True)
        patch.setenv("COLUMNS", str(width))
        return run(*args)


def fails(*args: Any) -> str:
    """What the program says when it fails, which is one sentence and nothing else."""
    told = run(*args)
    assert told.status == 1
    assert told.out == ""
    sentence, *more = told.err.splitlines()
    assert more == []
    assert sentence.startswith("ranktron: ")
    return sentence.removeprefix("ranktron: ")


def piped(*args: Any, given: bytes = b"", after: str = "") -> Told:
    """Run the program with pipes at both ends, in a shell if it is piped on to what comes ``after``."""
    words = command(*args)
    if after:
        words = ["bash", "-c", f"{shlex.join(words)} {after}"]
    done = subprocess.run(words, input=given, capture_output=True, timeout=LIMIT, env=environment())
    return Told(done.returncode, done.stdout.decode(), done.stderr.decode())


def in_terminal(*args: Any, width: int = 80) -> Told:
    """Run the program in a terminal so wide; what it said comes without colours."""
    child = terminal(command(*args), environment(COLUMNS=str(width), TERM="xterm-256color"), width)
    text = rest_of(child)
    return Told(child.exitstatus, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n"), "")


def ratings(n: int = 60, d: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows and noisy labels from 1 to 4."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d)).round(3)
    return X, 1 + np.digitize(X @ np.arange(1.0, d + 1) + random.standard_normal(n), [-2.0, 0.0, 2.5])


def lists(n_lists: int = 8, d: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, grades from 0 to 3 and ids; the second list has no relevant document, the third two equal rows."""
    random = np.random.default_rng(seed)
    qid = np.repeat(np.arange(10, 10 + n_lists), random.integers(3, 9, n_lists))
    X = random.standard_normal((len(qid), d)).round(3)
    y = np.digitize(X @ np.arange(1.0, d + 1) + random.standard_normal(len(qid)), [0.0, 2.0, 4.0])
    y[qid == 11] = 0
    first, second = np.flatnonzero(qid == 12)[:2]
    X[first] = X[second]
    return X, y, qid


def svmlight(path: Path, X: np.ndarray, y: Any, qid: Any = None) -> Path:
    """Write rows as lines of svmlight, or of LETOR."""
    ids = [""] * len(X) if qid is None else [f" qid:{one}" for one in qid]
    lines = [f"{label}{one} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(x, 1)) for label, one, x in zip(y, ids, X.tolist())]
    path.write_text("\n".join(lines) + "\n")
    return path


class Rows(NamedTuple):
    """A block as a model takes it."""

    rows: Any
    n_columns: int
    names: list[str] | None
    y: Any
    qid: Any = None


def saved(path: Path, name: str, X: np.ndarray, y: Any, qid: Any = None, **parameters: Any) -> Any:
    """A model of that name that has learned the rows, and is kept in a file."""
    model = getattr(algorithms, name)(**parameters)
    streaming.feed(model, Rows(X, X.shape[1], None, np.asarray(y), qid))
    model.save(path)
    return model
