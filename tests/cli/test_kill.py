"""Twenty times `kill -9`, at moments that nobody chooses, and the model is that of the run that nobody disturbed."""

from __future__ import annotations

import random
import signal
import subprocess
import time

import pytest

from tests.cli.program import command, environment, lists, process, ratings

KILLS = 20

RUNS = {
    "ratings, shuffled, four passes": (ratings, 1500, ["--epochs", 4, "--shuffle"]),
    "lists": (lists, 1300, []),
    "aggregate": (ratings, 4000, ["-a", "oap", "--n-members", 5]),
}


def kill_once(words, checkpoint, moments):
    """Start the program and kill it some time after it began, or after it saved its run once more."""
    began, seconds = _changed(checkpoint), moments.choice([0.0, 0.3]) * moments.random()
    program = subprocess.Popen(command(*words), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not seconds and program.poll() is None and _changed(checkpoint) == began:
        time.sleep(0.002)
    time.sleep(seconds or moments.uniform(0.0, 0.01))
    program.kill()
    program.communicate()
    return program.returncode


def _changed(path):
    return path.stat().st_mtime_ns if path.exists() else None


@pytest.mark.parametrize("name", RUNS)
def test_twenty_kills(tmp_path, name):
    write, size, words = RUNS[name]
    write(tmp_path / "a.svm", size)

    def asked(of):
        files = ["-m", tmp_path / f"{of}.model", "--checkpoint", tmp_path / f"{of}.run", "--resume", tmp_path / f"{of}.run"]
        return ["learn", tmp_path / "a.svm", *words, *files, "--checkpoint-rows", 10]

    assert process(*asked("whole")).returncode == 0
    moments = random.Random(name)
    for _ in range(KILLS):
        assert kill_once(asked("parts"), tmp_path / "parts.run", moments) == -signal.SIGKILL
    assert not (tmp_path / "parts.model").exists()
    last = process(*asked("parts"))
    assert "going on after " in last.stderr
    assert (tmp_path / "parts.model").read_bytes() == (tmp_path / "whole.model").read_bytes()
