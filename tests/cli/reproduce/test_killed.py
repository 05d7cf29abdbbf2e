"""A reproduction that is killed, or stopped by Ctrl-C, goes on where it was, and ends in the very same files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import waiting
from tests.cli.program import environment
from tests.ranktron_papers import madeup
from tests.waiting import LIMIT, rest_of, until

ROOT = Path(__file__).parents[3]


def words(folder, *more):
    """The program with the made-up papers."""
    return [sys.executable, "-m", "tests.ranktron_papers.madeup", "reproduce", "--out", str(folder), "--jobs", "2", *more]


def around(tmp_path, **more):
    (tmp_path / "number.txt").write_text("7.5")
    return environment(**{madeup.DATA: str(tmp_path / "number.txt"), **more})


def kept(folder):
    """The finished trials."""
    return {path.relative_to(folder): json.loads(path.read_bytes())["numbers"] for path in folder.rglob("trials/**/[0-9]*.json")}


def children(number):
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        if int(text.rpartition(")")[2].split()[1]) == number:
            found.append(int(path.parent.name))
    return found


def is_alive(number):
    """Whether a process runs, or at least waits to be buried."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.full
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked for in /proc")
def test_kills(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    done = subprocess.run(words(whole), env=around(tmp_path), cwd=ROOT, capture_output=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    # Each time some more trials can be done than before, so that there is something to break off.
    for held in ("3", "6", "9"):
        before = len(kept(parts))
        program = subprocess.Popen(words(parts), env=around(tmp_path, **{madeup.HELD: held}), cwd=ROOT, stderr=subprocess.DEVNULL)
        until(lambda before=before: len(kept(parts)) > before)
        workers = children(program.pid)
        program.kill()
        assert program.wait() == -signal.SIGKILL
        assert len(workers) >= 2
        until(lambda workers=workers: not any(map(is_alive, workers)))
        assert len(kept(parts)) > before
    assert not (parts / "report.html").exists()
    last = subprocess.run(words(parts), env=around(tmp_path), cwd=ROOT, capture_output=True, timeout=LIMIT)
    assert last.returncode == 0, last.stderr
    assert b"of them kept before" in last.stderr
    assert kept(parts) == kept(whole)
    for name in ("numbers.csv", "claims.csv"):
        assert (parts / name).read_bytes() == (whole / name).read_bytes()


def terminal(tmp_path, *more, columns=200, **settings):
    """The program in a terminal."""
    settings = around(tmp_path, TERM="xterm-256color", **settings)
    del settings["COLUMNS"]
    return waiting.terminal(words(tmp_path / "out", *more), settings, columns, cwd=ROOT)


def shown(program):
    """All that comes until the end, and what is on the screen then."""
    text = rest_of(program)
    plain = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", text.replace("\r\x1b[2K", "\r"))
    return text, [line.rpartition("\r")[2].rstrip() for line in plain.replace("\r\n", "\n").split("\n")]


def test_ctrl_c_while_processes_begin(tmp_path):
    program = terminal(tmp_path, **{madeup.HELD: "0"})
    program.expect("0 of 22 trials")
    until(lambda: not sys.platform.startswith("linux") or children(program.pid))
    program.sendintr()
    text, lines = shown(program)
    assert program.exitstatus == 130
    assert "Traceback" not in text
    assert any(line.startswith("ranktron: stopped after ") for line in lines)


def test_ctrl_c(tmp_path):
    program = terminal(tmp_path, **{madeup.HELD: "3"})
    program.expect("[1-9] of 22 trials")
    program.sendintr()
    text, lines = shown(program)
    assert program.exitstatus == 130
    [said] = [line for line in lines if line.startswith("ranktron: ")]
    found = re.fullmatch(
        r"ranktron: stopped after ([0-9]+) of 22 trials, which are kept; to continue: ranktron reproduce (.*)", said
    )
    assert found
    assert found[2] == f"--out {tmp_path}/out --jobs 2"
    assert "Traceback" not in text
    assert "\x1b[?25h" in text  # the cursor is back
    assert not (tmp_path / "out" / "report.html").exists()
    before = len(kept(tmp_path))
    assert before >= int(found[1]) >= 1
    _, lines = shown(terminal(tmp_path))
    assert any(re.fullmatch(r"✓ coin  12 trials, [0-9]+ of them kept before, .*", line) for line in lines)


@pytest.mark.full
def test_a_bar_and_then_the_verdicts(tmp_path):
    text, lines = shown(terminal(tmp_path, "--quick", columns=80, **{madeup.PAUSE: "0.4"}))
    assert re.search(r"━.*% +[0-9]+ of [0-9]+ trials  about [0-9:]+ left", text)
    assert "– long  a quick run leaves it out" in lines
    headline = next(line for line in lines if line.startswith("Of 5 claims "))
    assert "undecided" in headline
    first = next(i for i, line in enumerate(lines) if line.split() == ["verdict", "experiment", "claim"])
    assert [line.split("  ")[0] for line in lines[first + 1 : first + 6]][3:] == ["holds", "does not hold"]
    assert max(map(len, lines[first : first + 6])) <= 80
    assert "\x1b[32mholds" in text
    assert "\x1b[31mdoes not hold" in text


def test_a_termination_is_a_stop_too(tmp_path):
    program = subprocess.Popen(
        words(tmp_path / "out"),
        env=around(tmp_path, **{madeup.HELD: "3"}),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until(lambda: kept(tmp_path) and len([*tmp_path.glob("worker *")]) == 2)  # one that starts yet complains by itself
    os.kill(program.pid, signal.SIGTERM)
    out, err = program.communicate(timeout=LIMIT)
    assert program.returncode == 130
    assert out == b""
    assert err.decode().splitlines()[-1].startswith("ranktron: stopped after ")
