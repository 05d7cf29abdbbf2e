"""Time and again `kill -9`, at moments that nobody chooses, and the model is that of the run that nobody disturbed."""

from __future__ import annotations

import random
import signal
import subprocess
import time

import pytest

from tests.cli.program import command, environment, lists, process, ratings
from tests.waiting import until

RUNS = {
    "ratings, shuffled, four passes": (ratings, 1500, ["--epochs", 4, "--shuffle"]),
    "lists": (lists, 1300, []),
    "aggregate": (ratings, 4000, ["-a", "oap", "--n-members", 5]),
}


def kill_once(words, checkpoint, moments):
    """Start the program and kill it some time after it began, or after it saved its run once more."""
    began, seconds = _changed(checkpoint), moments.choice([0.0, 0.3]) * moments.random()
    program = subprocess.Popen(command(*words), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until(lambda: seconds or program.poll() is not None or _changed(checkpoint) != began)
    time.sleep(seconds or moments.uniform(0.0, 0.01))
    program.kill()
    program.communicate()
    return program.returncode


def _changed(path):
    return path.stat().st_mtime_ns if path.exists() else None


@pytest.mark.gate(1)
@pytest.mark.parametrize("name", RUNS)
def test_kills(tmp_path, name, everything):
    write, size, words = RUNS[name]
    write(tmp_path / "a.svm", size)

    def asked(of):
        files = ["-m", tmp_path / f"{of}.model", "--checkpoint", tmp_path / f"{of}.run", "--resume", tmp_path / f"{of}.run"]
        return ["learn", tmp_path / "a.svm", *words, *files, "--checkpoint-rows", 10]

    assert process(*asked("whole")).returncode == 0
    model, run = tmp_path / "parts.model", tmp_path / "parts.run"
    moments, kills = random.Random(name), 0
    while kills < (20 if everything else 5):
        status = kill_once(asked("parts"), run, moments)
        if model.exists():  # the program was quicker than we were: all over again
            assert model.read_bytes() == (tmp_path / "whole.model").read_bytes()
            model.unlink()
            run.unlink()
        else:
            assert status == -signal.SIGKILL
            kills += 1
    goes_on = run.exists()
    last = process(*asked("parts"))
    assert ("continuing after " in last.stderr) == goes_on
    assert model.read_bytes() == (tmp_path / "whole.model").read_bytes()
