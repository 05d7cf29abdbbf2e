"""What killed programs leave behind is deleted by the next one that writes there, and what others are writing is not."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import ranktron
from ranktron import files
from ranktron_papers.runs.trials import Trial, TrialFolder

from .cli.program import SOURCES, command, environment, ratings

fcntl = pytest.importorskip("fcntl", reason="Windows refuses to delete a file that is open, and has no locks like these")

KILLED = """
import os, signal
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
"""


def run(folder: Path, words: list[str], killed: bool = False) -> int:
    """The status of the program, which may be killed when it is about to rename a file."""
    (folder / "planted").mkdir(exist_ok=True)
    (folder / "planted" / "sitecustomize.py").write_text(KILLED if killed else "")
    around = environment(PYTHONPATH=f"{folder / 'planted'}:{SOURCES}")
    return subprocess.run(words, cwd=folder, env=around, capture_output=True).returncode


TRIAL = "from ranktron_papers.runs.trials import *; TrialFolder(Path()).write(Trial(7, {'loss': 0.5}, 1.0))"


def left(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".")]


WRITERS = {
    "learn": ["learn", "a.svm", "-m", "target"],
    "checkpoint": ["learn", "a.svm", "--checkpoint", "target", "--checkpoint-rows", "20"],
    "curve": ["learn", "a.svm", "--every", "20", "--curve", "target"],
    "predict": ["predict", "m", "a.svm", "-o", "target"],
    "export": ["export", "m", "--to", "json", "-o", "target"],
    "compare": ["compare", "a.svm", "-a", "prank", "--report", "target"],
}


@pytest.mark.gate(2)
@pytest.mark.parametrize("writer", WRITERS)
def test_the_next_command_deletes_what_a_killed_one_left_behind(writer: str, tmp_path: Path) -> None:
    X, y = ratings(tmp_path / "a.svm", 60)
    ranktron.PRank().fit(X, y).save(tmp_path / "m")
    words = command(*WRITERS[writer])
    assert run(tmp_path, words, killed=True) == -signal.SIGKILL
    assert len(left(tmp_path)) == 1
    assert run(tmp_path, words) == 0
    assert left(tmp_path) == []
    assert (tmp_path / "target").stat().st_size > 0


def test_the_next_run_of_an_experiment_deletes_what_a_killed_trial_left_behind(tmp_path: Path) -> None:
    assert run(tmp_path, [sys.executable, "-c", TRIAL], killed=True) == -signal.SIGKILL
    assert [name[:8] for name in left(tmp_path)] == [".7.json."]
    TrialFolder(tmp_path).write(Trial(7, {"loss": 0.5}, 1.0))
    assert left(tmp_path) == []


def test_a_file_that_somebody_is_writing_stays(tmp_path: Path) -> None:
    path = tmp_path / "target"
    with files.replacing(path) as slow:
        slow.write(b"slow")
        slow.flush()
        [name] = left(tmp_path)
        os.utime(tmp_path / name, (0, 0))
        for _ in range(2):
            files.replace_file(path, b"quick")
            assert left(tmp_path) == [name]
        assert path.read_bytes() == b"quick"
    assert path.read_bytes() == b"slow"
    assert left(tmp_path) == []


def test_files_of_other_names_stay(tmp_path: Path) -> None:
    ours = f"{files.HERE}00000000"
    names = [f".b.{ours}", f".a.b.{ours}", f".a.{ours[1:]}", f".a.{ours}.txt", f".a.{ours[1:]}X"]
    for name in [*names, f".a.{ours}", f".a.{files.HERE}ffffffff"]:
        (tmp_path / name).touch()
    (tmp_path / f".a.{files.HERE}000000ff").mkdir()
    files.replace_file(tmp_path / "a", b"whole")
    assert sorted(left(tmp_path)) == sorted([*names, f".a.{files.HERE}000000ff"])


def test_of_another_machine_only_old_files_go_that_nobody_locks(tmp_path: Path) -> None:
    old, new, locked = (tmp_path / f".target.{'f' * 8}{one * 8}" for one in "012")
    for path in (old, new, locked):
        path.touch()
    for path in (old, locked):
        os.utime(path, (0, 0))
    with open(locked) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        files.replace_file(tmp_path / "target", b"whole")
    assert sorted(left(tmp_path)) == [new.name, locked.name]


def test_a_file_that_is_deleted_before_it_is_locked_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, met = fcntl.flock, []

    def flock(file: Any, how: int) -> None:
        met.append(file.name)
        if len(met) == 1:
            os.unlink(file.name)  # by a program that locked it first, and is done
        if len(met) == 2:
            raise BlockingIOError  # and that is about to
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    files.replace_file(tmp_path / "target", b"whole")
    assert len(set(met)) == 3
    assert (tmp_path / "target").read_bytes() == b"whole"


def test_where_files_cannot_be_locked_only_old_ones_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    old, new = (tmp_path / f".target.{files.HERE}{one * 8}" for one in "01")
    for path in (old, new):
        path.touch()
    os.utime(old, (time.time() - 2 * files.LEFT_BEHIND,) * 2)
    files.replace_file(tmp_path / "target", b"whole")
    assert left(tmp_path) == [new.name]
    assert (tmp_path / "target").read_bytes() == b"whole"


WRITING = """
import sys
from pathlib import Path
from ranktron.files import replace_file
for number in range(300):
    replace_file(Path("target"), f"{sys.argv[1]} {number} whole".encode())
"""


def test_three_writers_at_once(tmp_path: Path) -> None:
    words = [sys.executable, "-c", WRITING]
    writers = [subprocess.Popen([*words, str(one)], cwd=tmp_path, env=environment()) for one in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert os.listdir(tmp_path) == ["target"]
    assert (tmp_path / "target").read_text().endswith(" 299 whole")
