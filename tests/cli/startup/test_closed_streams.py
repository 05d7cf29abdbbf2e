"""Standard streams that are closed, or full, before anything is read or told."""

from __future__ import annotations

import json
import os
import shlex
import subprocess

import pytest

from tests.cli.program import command, environment, process, ratings
from tests.waiting import LIMIT

closable = pytest.mark.skipif(os.name != "posix", reason="only POSIX shells close streams")


def in_shell(words, redirected):
    """Run a command with streams redirected as shells say it."""
    line = f"{shlex.join(command(*words))} {redirected}"
    return subprocess.run(line, shell=True, env=environment(), capture_output=True, text=True, timeout=LIMIT)


@pytest.mark.gate(1)
@closable
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_model_is_learned_with_nobody_to_tell(tmp_path, closed):
    ratings(tmp_path / "a.svm", 60)
    answer = in_shell(["learn", tmp_path / "a.svm", "-a", "prank", "-m", tmp_path / "m"], closed)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert json.loads(process("inspect", tmp_path / "m", "--json").stdout)["examples"] == 60


@closable
def test_a_closed_standard_input_holds_no_rows():
    answer = in_shell(["learn", "-", "--format", "svmlight"], "<&-")
    assert (answer.returncode, answer.stdout, answer.stderr) == (1, "", "ranktron: standard input holds no rows\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["learn", "--help"]])
def test_help_that_cannot_be_written_is_a_sentence(words):
    answer = in_shell(words, ">/dev/full")
    assert (answer.returncode, answer.stderr) == (1, "ranktron: no space left on device\n")
