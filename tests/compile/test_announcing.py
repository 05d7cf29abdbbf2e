"""Compiling is announced: in the log, and by the command line."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron.compile import announcing, compiled_loop, object_cache, policy
from ranktron.compile.announcing import sentence
from ranktron.core import loops
from tests import waiting
from tests.waiting import rest_of


def test_the_sentence() -> None:
    assert sentence("Rater for dense rows", 3.2) == "compiling Rater for dense rows, once: about 3 s"
    assert sentence("PRank for sparse rows", 0.1) == "compiling PRank for sparse rows, once: about 1 s"


@pytest.fixture
def nothing_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty cache, and a compiler that only pretends."""
    monkeypatch.setattr(policy, "PATIENCE", 0.0)
    monkeypatch.setattr(compiled_loop, "_object_cache", lambda: object_cache.ObjectCache(tmp_path, "0123"))
    monkeypatch.setattr(announcing, "announce", announcing.log)
    monkeypatch.setattr(compiled_loop.Compiled, "_found", lambda *args: None)
    for loop in (loops.learn_rows, loops.learn_lists, loops.predict_rows):
        for known in ("_code", "_by_numba"):
            monkeypatch.setattr(loop.compiled, known, {})
    monkeypatch.setattr(compiled_loop, "object_code", lambda *args: None)
    monkeypatch.setattr(compiled_loop, "load_numba", lambda: None)
    monkeypatch.setattr(compiled_loop.Compiled, "_entry_for", lambda loop, args, what: loop._loop())


@pytest.mark.usefixtures("nothing_is_compiled")
def test_the_library_logs_what_it_compiles(caplog: Any) -> None:
    from ranktron import Rater
    from ranktron.algorithms import SLAM

    caplog.set_level(logging.INFO, "ranktron")
    X, y = np.ones((4, 2)), np.array([1, 2, 3, 1])
    Rater().fit(X, y).predict(X)
    SLAM().fit(X, y, qid=[0, 0, 1, 1])
    said = [message.rpartition(":")[0] for message in caplog.messages]
    assert said == [
        "compiling Rater for dense rows, once",
        "compiling Rater's predictions for dense rows, once",
        "compiling SLAM for dense rows, once",
    ]
    assert {record.levelname for record in caplog.records} == {"INFO"}


@pytest.mark.usefixtures("nothing_is_compiled")
def test_who_announces_is_told_what_and_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from ranktron.algorithms import PRank

    told: list[Any] = []
    monkeypatch.setattr(
        announcing, "announce", lambda what, seconds: told.append((what, seconds)) or announcing.log(what, seconds)
    )
    PRank().fit(np.ones((3, 1)), [1, 2, 3])
    [(what, seconds)] = told
    assert what == "PRank for dense rows"
    assert seconds > 0.0


@pytest.mark.compiled
def test_a_command_shows_what_it_waits_for(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,b,grade\n" + "1,2,3\n2,1,1\n" * 20)
    words = [sys.executable, "-m", "ranktron", "learn", str(tmp_path / "rows.csv"), "--target", "grade", "-a", "prank"]
    settings = {**os.environ, "RANKTRON_PATIENCE": "0", "NUMBA_DISABLE_JIT": "0", "TERM": "xterm-256color"}
    settings["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")
    program = waiting.terminal(words, settings, 120)
    program.expect("compiling PRank for dense rows, once: about [0-9]+ s; [0-9]+ s so far")
    text = rest_of(program)
    assert program.exitstatus == 0
    assert "accuracy" in text
    again = rest_of(waiting.terminal(words, settings, 120))
    assert "compiling" not in again
