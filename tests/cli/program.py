"""The program as users meet it: as a process of its own, or in this one where that is the quicker way to the same end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ranktron.data import synthetic

from ..waiting import LIMIT

SOURCES = Path(__file__).parents[2] / "src"


def environment(**more: str) -> dict[str, str]:
    """What the program finds around it: nothing is compiled, so that it starts at once."""
    return {**os.environ, "PYTHONPATH": str(SOURCES), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "80", **more}


def command(*words: Any) -> list[str]:
    """The words of a command."""
    return [sys.executable, "-m", "ranktron", *map(str, words)]


def process(*words: Any, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    settings = {"text": True, "env": environment(), "timeout": LIMIT, **settings}
    return subprocess.run(command(*words), capture_output=True, check=False, **settings)


class Answer(NamedTuple):
    """How a command ended and what it said."""

    status: int
    out: str
    err: str

    @property
    def result(self) -> Any:
        """The JSON object of the last line."""
        assert self.status == 0, self.err
        return json.loads(self.out.splitlines()[-1])

    @property
    def points(self) -> list[Any]:
        """The JSON objects before it."""
        return [json.loads(line) for line in self.out.splitlines()[:-1]]


def run(capsys: Any, *words: Any) -> Answer:
    """Run a command in this process."""
    from ranktron.cli import app

    capsys.readouterr()
    try:
        app([str(word) for word in words], prog_name="ranktron")
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    return Answer(status, *capsys.readouterr())


def ratings(path: Path, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Write rows with labels from 1 to 5 to a file; what reading it gives."""
    X, y = synthetic.crammer_singer(n, seed=seed)
    X = X.round(4)
    lines = [f"{label} {' '.join(f'{j + 1}:{value}' for j, value in enumerate(x))}\n" for x, label in zip(X.tolist(), y.tolist())]
    path.write_text("".join(lines))
    return X, y


def lists(path: Path, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Write lists of one to eight rows of four features, with grades from 0 to 2; some have no relevant row."""
    random = np.random.default_rng(seed)
    qid = np.repeat(np.arange(n), random.integers(1, 9, n))
    X = random.normal(size=(len(qid), 4)).round(3)
    y = np.digitize(X @ [1.0, -1.0, 0.5, 0.0] + random.normal(size=len(qid)) / 2, [0.5, 1.5])
    rows = zip(X.tolist(), y.tolist(), qid.tolist())
    lines = [f"{grade} qid:{q} {' '.join(f'{j + 1}:{value}' for j, value in enumerate(x))}\n" for x, grade, q in rows]
    path.write_text("".join(lines))
    return X, y, qid
