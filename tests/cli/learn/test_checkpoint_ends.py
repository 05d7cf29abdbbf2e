"""Ends that the program sees coming: signals, full disks, pipes that nobody reads any more."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shlex
import signal
import subprocess
import termios

import pytest

from ranktron.cli.shared.algorithms import load_model
from tests.cli.program import command, environment, process, ratings
from tests.waiting import LIMIT, until


def started(*words, **settings):
    """The program, which waits for us where it has said 4 KB that we have not read: it cannot end before we stop it."""
    settings = {"env": environment(), "text": True, "pipesize": 4096, **settings}
    return subprocess.Popen(command(*words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)


def stopped(program, number=signal.SIGINT):
    """Send a signal; the points and the sentences that were still to come, and the exit status. The pipe into it stays open."""
    program.send_signal(number)
    points, err = [json.loads(line) for line in program.stdout.read().splitlines()], program.stderr.read()
    status = program.wait(timeout=LIMIT)
    for pipe in (program.stdin, program.stdout, program.stderr):
        pipe.close()
    return points, err, status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_says_how_to_go_on(tmp_path, number):
    ratings(tmp_path / "a.svm", 4000)
    words = ["learn", tmp_path / "a.svm", "--epochs", 50, "-m", tmp_path / "m", "--checkpoint", tmp_path / "c"]
    program = started(*words, "--checkpoint-rows", 200, "--every", 200)
    program.stdout.readline()  # it learns
    points, err, status = stopped(program, number)
    assert status == 130
    [line] = err.splitlines()
    rows = load_model(tmp_path / "c")._metadata["run"]["rows"]
    assert rows == 200 * (1 + len(points)) < 200_000
    again = shlex.join(map(str, ["ranktron", *words, "--checkpoint-rows", 200, "--every", 200, "--resume", tmp_path / "c"]))
    assert line == f"ranktron: stopped after {rows:,} rows, saved in {tmp_path}/c; to continue: {again}"
    assert not (tmp_path / "m").exists()


def test_the_command_that_it_says_goes_on(tmp_path):
    ratings(tmp_path / "a b.svm", 2000)
    words = ["learn", tmp_path / "a b.svm", "--epochs", 3, "--checkpoint-rows", 100, "--every", 100, "-m", tmp_path / "m"]
    program = started(*words, "--checkpoint", tmp_path / "c")
    program.stdout.readline()
    said = shlex.split(stopped(program)[1].partition("to continue: ")[2])
    assert said[0] == "ranktron"
    last = process(*said[1:])
    assert "continuing after " in last.stderr
    whole = process(*words, "--checkpoint", tmp_path / "d", "-m", tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    assert last.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-1]


def test_nothing_is_saved_without_a_checkpoint(tmp_path):
    ratings(tmp_path / "a.svm", 4000)
    program = started("learn", tmp_path / "a.svm", "--epochs", 100, "--every", 4000, "-m", tmp_path / "m")
    program.stdout.readline()
    _, err, status = stopped(program)
    assert status == 130
    assert err.startswith("ranktron: stopped after ")
    assert err.endswith("; nothing was saved (use --checkpoint FILE)\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svm"]


def test_a_pipe_that_is_left(tmp_path):
    ratings(tmp_path / "a.svm", 4000)
    program = started("learn", "-", "--every", 50, "--checkpoint", tmp_path / "c", "--checkpoint-rows", 50, pipesize=-1)
    program.stdin.write((tmp_path / "a.svm").read_text() * 12)  # more than is read at a time
    program.stdin.flush()
    program.stdout.readline()
    points, err, status = stopped(program)
    assert status == 130
    assert f"saved in {tmp_path}/c; to continue with later data: --resume {tmp_path}/c" in err
    seen = load_model(tmp_path / "c").n_seen_
    assert seen == 50 * (1 + len(points))
    more = process("learn", "-", "--resume", tmp_path / "c", input="1 1:1 6:1\n2 1:3 6:1\n")
    assert json.loads(more.stdout)["examples"] == 2
    assert f"{tmp_path}/c has learned {seen:,} examples" in more.stderr


def test_a_pipe_that_stays_silent_is_left_at_once(tmp_path):
    program = started("learn", "-", "--checkpoint", tmp_path / "c")
    program.stdin.write("1 1:2\n")
    program.stdin.flush()
    until(lambda: not any(fcntl.ioctl(program.stdin.fileno(), termios.FIONREAD, b"\0" * 4)))  # it waits for more
    _, err, status = stopped(program)
    assert (status, len(err.splitlines())) == (130, 1)
    assert err.startswith("ranktron: stopped")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full(tmp_path):
    ratings(tmp_path / "a.svm", 300)
    assert process("learn", tmp_path / "a.svm", "-m", tmp_path / "m").returncode == 0
    before = (tmp_path / "m").read_bytes()

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    for option, name in (("-m", "m"), ("--checkpoint", "c")):
        answer = process("learn", tmp_path / "a.svm", option, tmp_path / name, preexec_fn=no_room)
        kept = "; the previous file is still there" if name == "m" else ""
        assert (answer.returncode, answer.stdout) == (1, "")
        assert answer.stderr == f"ranktron: {tmp_path}/{name} could not be written: file too large{kept}\n"
    assert (tmp_path / "m").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svm", "m"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_result_that_finds_no_room(tmp_path):
    ratings(tmp_path / "a.svm", 60)
    with open("/dev/full", "w") as full:
        answer = subprocess.run(
            command("learn", tmp_path / "a.svm"), stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    assert (answer.returncode, answer.stderr) == (1, "ranktron: no space left on device\n")


def test_a_reader_that_has_seen_enough(tmp_path):
    ratings(tmp_path / "a.svm", 3000)
    program = started("learn", tmp_path / "a.svm", "--every", 1)
    program.stdout.readline()
    program.stdout.close()
    assert program.wait(timeout=LIMIT) == 1
    assert program.stderr.read() == ""
    program.stdin.close()
    program.stderr.close()


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="no such folder here that nobody can write to")
def test_a_folder_that_may_not_be_written_to(tmp_path):
    ratings(tmp_path / "a.svm", 60)
    (tmp_path / "locked").mkdir(mode=0o500)
    is_root = os.geteuid() == 0  # who may write anywhere but there
    path, why = ("/proc/m", "no such file or directory") if is_root else (tmp_path / "locked" / "m", "permission denied")
    answer = process("learn", tmp_path / "a.svm", "-m", path)
    assert answer.stderr == f"ranktron: --model {path} cannot be written: {why}\n"


def test_a_file_that_changes_while_it_is_read(tmp_path):
    ratings(tmp_path / "a.svm", 3000)
    program = started("learn", tmp_path / "a.svm", "--every", 1000, "--epochs", 100, "-m", tmp_path / "m")
    program.stdout.readline()
    with open(tmp_path / "a.svm", "a") as file:
        file.write("1 1:2\n")
    _, err = program.communicate(timeout=LIMIT)
    assert program.returncode == 1
    assert f"{tmp_path}/a.svm changed while it was read" in err
    assert not (tmp_path / "m").exists()
