"""Ctrl-C while the program starts: no traceback, whatever is being imported."""

from __future__ import annotations

import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ranktron import PRank
from tests.cli.program import SOURCES, command, environment, ratings

PLANTED = """
import importlib.abc, os, signal, sys, threading

class Planted(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {where!r} and threading.current_thread() is threading.main_thread():
            sys.meta_path.remove(self)
            {what}

sys.meta_path.insert(0, Planted())
"""
RAISED = "raise KeyboardInterrupt"
SENT = "os.kill(os.getpid(), signal.SIGINT)"
SWALLOWED = "try: os.kill(os.getpid(), signal.SIGINT)\n            except BaseException: pass"


def script() -> list[str]:
    """What the command ``ranktron`` runs when it is installed."""
    entry = tomllib.loads((SOURCES.parent / "pyproject.toml").read_text())["project"]["scripts"]["ranktron"]
    module, _, name = entry.partition(":")
    return [sys.executable, "-c", f"import sys; from {module} import {name}; sys.exit({name}())"]


STARTS = {"module": command(), "script": script()}


def started(folder: Path, start: str, where: str, what: str, words: list[str], **more: Any) -> Any:
    """How the program ends if this happens when it comes to import that module."""
    (folder / "planted").mkdir()
    (folder / "planted" / "sitecustomize.py").write_text(PLANTED.format(where=where, what=what))
    around = environment(PYTHONPATH=f"{folder / 'planted'}:{SOURCES}")
    return subprocess.run([*STARTS[start], *words], cwd=folder, env=around, capture_output=True, text=True, **more)


LEARN = ["learn", "a.svm", "-m", "m"]
EARLY, LATE = (
    ("ranktron.cli", "click"),
    ("ranktron.cli.learn.command", "numpy", "ranktron.models.learners.learner", "ranktron.algorithms.prank"),
)


@pytest.mark.parametrize("what", [RAISED, SENT, SWALLOWED], ids=["raised", "sent", "swallowed"])
@pytest.mark.parametrize(
    ("start", "where"), [*(("script", where) for where in EARLY), *(("module", where) for where in EARLY + LATE)]
)
def test_an_interrupted_import_leaves_no_traceback(tmp_path: Path, start: str, what: str, where: str) -> None:
    ratings(tmp_path / "a.svm", 60)
    told = started(tmp_path, start, where, what, [*LEARN, "-a", "prank"])
    assert (told.returncode, told.stdout) == (130, ""), told.stderr
    assert told.stderr in ("", "ranktron: interrupted\n", "ranktron: stopped before a row was learned\n")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("what", [RAISED, SENT], ids=["raised", "sent"])
@pytest.mark.parametrize("where", ["ranktron.cli.predict.command", "ranktron.algorithms.prank"])
def test_commands_that_read_a_model_are_interrupted_as_quietly(tmp_path: Path, what: str, where: str) -> None:
    X, y = ratings(tmp_path / "a.svm", 60)
    PRank().fit(X, y).save(tmp_path / "m")
    told = started(tmp_path, "module", where, what, ["predict", "m", "a.svm"])
    assert (told.returncode, told.stdout) == (130, "")
    assert told.stderr in ("", "ranktron: interrupted\n")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["learn", "--help"], ["no-such-command"]])
def test_help_is_interrupted_as_quietly(tmp_path: Path, words: list[str]) -> None:
    told = started(tmp_path, "module", "click.core", SENT, words)
    assert (told.returncode, told.stdout, told.stderr) == (130, "", "")


def test_who_started_the_program_may_have_it_ignore_interrupts(tmp_path: Path) -> None:
    ratings(tmp_path / "a.svm", 60)
    ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731  # as nohup and shell scripts do
    told = started(tmp_path, "module", "click", SENT, [*LEARN, "--quiet"], preexec_fn=ignore)
    assert (told.returncode, told.stderr) == (0, "")
    assert (tmp_path / "m").exists()
