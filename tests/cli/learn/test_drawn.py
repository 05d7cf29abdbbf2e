"""Tables and the live line, drawn without a terminal; signals and full disks, met without a process."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys

import pytest

from ranktron.cli.learn import checkpoint as _checkpoint
from ranktron.cli.learn import progress as _progress
from ranktron.cli.learn.progress import Progress
from ranktron.cli.shared import output as _output
from ranktron.cli.shared.stopping import Stopped, Stopper
from tests.cli.program import lists, ratings, run


@pytest.fixture
def looked_at(monkeypatch):
    """As if stdout were a terminal."""
    monkeypatch.setattr(_output, "in_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.usefixtures("looked_at")
def test_the_table_holds_what_json_says(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 200)
    words = ["learn", tmp_path / "a.svm", "--epochs", 2, "--every", 40]
    told = run(capsys, *words, "--json").result
    lines = [line.split() for line in run(capsys, *words, "--test", tmp_path / "a.svm", "-m", tmp_path / "m").out.splitlines()]
    [accuracy] = [line[1:] for line in lines if line[:1] == ["accuracy"]]
    assert accuracy[:2] == [f"{told['accuracy']:.4f}", f"{told['last_pass']['accuracy']:.4f}"]
    assert len(accuracy) == 3
    [own] = [line[4:] for line in lines if line[:4] == ["the", "learner's", "own", "loss"]]
    assert own == [f"{told['learners_loss']:.4f}", f"{told['last_pass']['learners_loss']:.4f}"]
    assert any("⠤" in "".join(line) for line in lines)  # the curve


@pytest.mark.usefixtures("looked_at")
def test_the_table_of_lists(tmp_path, capsys):
    lists(tmp_path / "a.svm", 30)
    told = run(capsys, "learn", tmp_path / "a.svm", "--json").result
    out = run(capsys, "learn", tmp_path / "a.svm").out
    assert f"30 lists ({told['lists_without_relevant']} without a relevant document)" in out
    assert re.search(rf"MAP +{told['map']:.4f}", out)


@pytest.mark.usefixtures("looked_at")
def test_bad_lines_are_told_in_the_table_too(tmp_path, capsys):
    (tmp_path / "a.svm").write_text("1 1:2\noops\n2 1:3\n")
    answer = run(capsys, "learn", tmp_path / "a.svm", "--on-error", "skip")
    assert ", 1 bad lines\n" in answer.out
    assert answer.err.startswith("1 line was skipped:\n")


@pytest.fixture
def line(monkeypatch, capsys):
    """Draws the live line as if stderr were a terminal."""
    monkeypatch.setattr(_progress, "in_terminal", lambda: True)
    monkeypatch.setattr(_progress, "DELAY", 0.0)
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda self: True)
    monkeypatch.setenv("COLUMNS", "110")

    def drawn(share, quiet=False):
        with Progress(quiet) as progress:
            if progress.is_due:
                progress.update(share, 123_456, 0.25)
        return capsys.readouterr().err

    return drawn


def test_the_live_line(line):
    text = line(0.25)
    assert re.search(r"━+╸?─+\x1b\[0m  25%  123,456 rows  [0-9,]+ rows/s  loss 0.2500  0:00 left\r", text)
    assert text.endswith("\r\x1b[2K\x1b[?25h")
    assert re.search(r"⠙ 123,456 rows  [0-9,]+ rows/s  loss 0.2500  0:00\r", line(None))
    assert line(0.5, quiet=True) == ""


def test_a_signal_waits_for_a_good_moment():
    before = signal.getsignal(signal.SIGTERM)
    with Stopper() as stopper:
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(Stopped):
            stopper.check()
        with pytest.raises(KeyboardInterrupt):  # a second one does not wait
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_breaks_off_waiting():
    with Stopper() as stopper:
        stopper.waiting(True)
        with pytest.raises(Stopped):
            os.kill(os.getpid(), signal.SIGINT)


def test_a_run_that_is_stopped(tmp_path, capsys, monkeypatch):
    ratings(tmp_path / "a.svm", 100)
    monkeypatch.setattr(sys, "argv", ["ranktron", "learn", "a.svm", "--resume", "old", "--resume=older", "--epochs", "2"])
    save_if_due = _checkpoint.Checkpoint.save_if_due
    ask = lambda self, run: (save_if_due(self, run), os.kill(os.getpid(), signal.SIGINT))  # noqa: E731
    monkeypatch.setattr(_checkpoint.Checkpoint, "save_if_due", ask)
    answer = run(capsys, "learn", tmp_path / "a.svm", "--checkpoint", tmp_path / "c", "--checkpoint-rows", 40)
    assert (answer.status, answer.out) == (130, "")
    again = f"ranktron learn a.svm --epochs 2 --resume {tmp_path}/c"
    assert answer.err == f"ranktron: stopped after 40 rows, saved in {tmp_path}/c; to continue: {again}\n"


def test_a_disk_without_room(tmp_path, capsys, monkeypatch):
    ratings(tmp_path / "a.svm", 100)

    def no_room(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_room)
    answer = run(capsys, "learn", tmp_path / "a.svm", "-m", tmp_path / "m")
    assert (answer.status, answer.out) == (1, "")
    assert answer.err == f"ranktron: {tmp_path}/m could not be written: no space left on device\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.svm"]


def test_warnings_are_notes(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 200)
    answer = run(capsys, "learn", tmp_path / "a.svm", "-a", "noprank", "--kernel", "Gaussian(1)", "--budget", 10)
    assert answer.status == 0
    assert answer.err.startswith("the budget is spent: ")
    assert len(answer.err.splitlines()) == 1


def test_the_version(capsys):
    import ranktron

    assert run(capsys, "--version").out == f"ranktron {ranktron.__version__}\n"
