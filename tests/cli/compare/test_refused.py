"""What ``compare`` refuses, in one sentence, and what it goes on after."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from tests.cli import program
from tests.waiting import rest_of, terminal

REFUSED = {
    "an unknown algorithm": (["-a", "pranc"], "there is no algorithm 'pranc'; did you mean prank?"),
    "two tasks": (["-a", "prank,slam"], "slam ranks lists and prank rates rows"),
    "a parameter nobody has": (
        ["-a", "oap", "--sweep", "tua=0.1"],
        "none of the algorithms has this parameter; did you mean tau?",
    ),
    "a parameter one has not": (["-a", "prank(tau=1)"], "PRank has no --tau"),
    "a value it cannot have": (["-a", "wh", "--sweep", "step=0.1,-1"], "WidrowHoff: step=-1 should be a positive number"),
    "a value that is taken": (["-a", "wh(step=1)", "--sweep", "step=2,3"], "already have a value for it"),
    "no values": (["--sweep", "step="], "write a parameter and its values, such as step=0.01,0.1,1"),
    "half a call": (["-a", "oap(tau=0.2"], "write a name, or a name with parameters such as oap(tau=0.2)"),
    "a folder that is not there": (["-a", "prank", "--report", "not/there.html"], "not/there.html: no such file or directory"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_one_sentence_says_what_is_wrong(capsys, case, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    words, sentence = REFUSED[case]
    answer = program.run(capsys, "compare", "--limit", 50, *words)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("ranktron: ")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_a_row_that_nobody_can_learn_is_told_by_file_and_line(capsys, tmp_path):
    path = write(tmp_path / "r.csv", ["stars,a,b", "1,0.5,2", "2,0.5,1", "3,,1", "1,3,0"])
    answer = program.run(capsys, "compare", path, "-t", "stars", "-a", "prank")
    assert answer.status == 1
    assert "r.csv, line 4: " in answer.err
    assert "NaN" in answer.err


def test_such_rows_can_be_skipped_or_be_zero(capsys, tmp_path):
    path = write(tmp_path / "r.csv", ["stars,a,b", "1,0.5,2", "2,0.5,1", "3,,1", "1,3,0"])
    skipped = program.run(capsys, "compare", path, "-t", "stars", "-a", "prank", "--on-error", "skip", "--json").result
    assert (skipped["data"]["rows"], skipped["data"]["bad_lines"]) == (3, 1)
    assert any("line 4" in note for note in skipped["notes"])
    filled = program.run(capsys, "compare", path, "-t", "stars", "-a", "prank", "--missing", "zero", "--json").result
    assert filled["data"]["rows"] == 4


def test_many_rows_can_be_skipped_and_the_rest_is_what_is_learned(capsys, tmp_path):
    rows = [f"{1 + row % 3},{row % 7},{row % 5}" for row in range(40)]
    good = write(tmp_path / "good.csv", ["stars,a,b", *rows])
    bad = write(tmp_path / "bad.csv", ["stars,a,b", "1,,2", *rows[:20], "2,inf,1", "2,,1", *rows[20:], "1,,"])
    words = ["-t", "stars", "-a", "prank", "--repeats", 2, "--on-error", "skip", "--json"]
    spoilt, plain = (program.run(capsys, "compare", path, *words).result for path in (bad, good))
    assert spoilt["data"]["bad_lines"] == 4
    assert spoilt["league"][0]["losses"] == plain["league"][0]["losses"]


def test_a_label_that_is_no_class_is_told_by_file_and_line(capsys, tmp_path):
    path = write(tmp_path / "r.csv", ["stars,a", "low,1", "high,2", "hihg,2"])
    answer = program.run(capsys, "compare", path, "-t", "stars", "--classes", "low,high", "-a", "prank")
    assert answer.status == 1
    assert "r.csv, line 4: label hihg is not among --classes low, high" in answer.err


def test_an_algorithm_that_refuses_a_row_is_out_and_the_others_play_on(capsys, tmp_path):
    random = np.random.default_rng(0)
    rows = [f"{1 + int(x > 0)} 1:{x:.3f}" for x in random.normal(size=60)]
    path = write(tmp_path / "r.svm", [*rows, "2 1:99", *rows])
    result = program.run(capsys, "compare", path, "-a", "prank,muprank(radius=9)", "--repeats", 2, "--json").result
    assert [record["name"] for record in result["league"]] == ["PRank"]
    assert list(result["out"]) == ["MuPRank(radius=9)"]
    assert result["notes"][0].startswith("MuPRank(radius=9) was removed: ")
    assert result["data"]["rows"] == 121


def test_a_warning_of_a_model_is_a_note_with_its_name(capsys):
    result = program.run(capsys, "compare", "--limit", 300, "-a", "prank,wh(step=50)", "--repeats", 1, "--json").result
    assert "WidrowHoff(step=50): WidrowHoff diverges: lower step, or scale the features." in result["notes"]


def test_ctrl_c_tells_how_far_it_came(tmp_path):
    report = tmp_path / "r.html"
    words = ["compare", "synthetic", "--limit", "50000", "-a", "oap", "--repeats", "2", "--report", str(report)]
    child = terminal(program.command(*words), program.environment(TERM="xterm"), columns=90, lines=40)
    child.expect("ahead: ")
    os.kill(child.pid, signal.SIGINT)
    child.expect("OAP is best with a loss of")
    child.expect("Stopped after [0-9,]+ rows")
    rest_of(child)
    assert child.exitstatus == 130
    assert "The run was stopped before the end of the data." in report.read_text()
