"""The program in a real terminal: a live line, a table, a picture, and help that fits."""

from __future__ import annotations

import re
import sys

import pytest

from tests.cli.program import command, environment, lists, ratings
from tests.waiting import rest_of, terminal

# The program with a live line that does not wait whether there is enough to do.
AT_ONCE = "from ranktron.cli.learn import progress; progress.DELAY = 0.0; from ranktron.__main__ import main; main()"


def screen(*words, columns=80, colour=True, at_once=False, **settings):
    """The program in a terminal."""
    around = environment(TERM="xterm-256color" if colour else "dumb", **({} if colour else {"NO_COLOR": "1"}), **settings)
    del around["COLUMNS"]
    return terminal([sys.executable, "-c", AT_ONCE, *map(str, words)] if at_once else command(*words), around, columns)


def shown(program):
    """All that comes until the end, and what is on the screen then: without codes, the live line overwritten."""
    text = rest_of(program)
    plain = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", text.replace("\r\x1b[2K", "\r"))
    return text, [line.rpartition("\r")[2] for line in plain.replace("\r\n", "\n").split("\n")]


def test_a_table_and_no_progress_for_a_small_file(tmp_path):
    ratings(tmp_path / "a.svm", 100)
    text, lines = shown(screen("learn", tmp_path / "a.svm", "--test", tmp_path / "a.svm", "-m", tmp_path / "m", columns=120))
    assert re.match(r"rater  100 examples, labels 1 < 2 < 3 < 4 < 5, 6 features, [0-9]+ updates$", lines[0])
    for title in ("progressive", "test ", "loss (ranks off)", "accuracy", "kappa, quadratic", "the learner's own loss"):
        assert any(title in line for line in lines)
    assert any(re.search(r"[0-9.]+ s  [0-9,]+ rows/s  model in ", line) for line in lines)
    assert "\x1b[2K" not in text
    assert "{" not in text


def test_lists_have_figures_of_their_own(tmp_path):
    lists(tmp_path / "a.svm", 40)
    _, lines = shown(screen("learn", tmp_path / "a.svm"))
    assert lines[0].startswith("ranker  ")
    assert "40 lists (" in lines[0]
    for title in ("loss (1 - ndcg@10)", "NDCG", "MAP", "MRR", "precision at 10"):
        assert any(line.strip().startswith(title) for line in lines)
    assert any("model not saved (use --model FILE)" in line for line in lines)


@pytest.mark.gate(1)
@pytest.mark.parametrize("columns", [40, 80, pytest.param(120, marks=pytest.mark.full)])
def test_the_live_line_fits_and_goes_away(tmp_path, columns):
    ratings(tmp_path / "a.svm", 3000)
    words = ["--epochs", 5, "--checkpoint", tmp_path / "c", "--checkpoint-rows", 100]
    text, lines = shown(screen("learn", tmp_path / "a.svm", *words, columns=columns, at_once=True))
    drawn = [re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", one) for one in re.findall(r"\r\x1b\[\?25l\x1b\[2K([^\r]*)", text)]
    assert drawn
    assert max(map(len, drawn)) < columns
    assert all(re.search(r"[0-9]+%  [0-9,]+ rows", one) for one in drawn)
    if columns > 40:
        assert all(re.search(r"[━╸─]{5,} .* [0-9,]+ rows/s  loss [0-9.]+  [0-9:]+ left", one) for one in drawn)
    assert text.count("\x1b[?25h") == 1  # the cursor is back
    assert lines[0].startswith("rater  3,000 examples")


def test_the_curve_is_drawn(tmp_path):
    ratings(tmp_path / "a.svm", 600)
    text, lines = shown(screen("learn", tmp_path / "a.svm", "--every", 50, "--epochs", 2))
    assert any(0x2800 < ord(character) < 0x2900 for character in text)
    assert any(line.endswith("loss, pass 1") for line in lines)
    assert any(line.endswith("loss, pass 2") for line in lines)
    assert any("first pass, progressive" in line and "last pass" in line for line in lines)


def test_quiet_and_json_in_a_terminal(tmp_path):
    ratings(tmp_path / "a.svm", 3000)
    words = ["--checkpoint", tmp_path / "c", "--checkpoint-rows", 50, "--quiet", "--json"]
    text, lines = shown(screen("learn", tmp_path / "a.svm", *words, columns=5000))
    assert "\x1b" not in text
    assert lines[0].startswith('{"command": "learn"')
    assert lines[1:] == [""]


def test_ctrl_c(tmp_path):
    ratings(tmp_path / "a.svm", 3000)
    words = ["--epochs", 100, "--checkpoint", tmp_path / "c", "--checkpoint-rows", 100]
    program = screen("learn", tmp_path / "a.svm", *words, columns=400)
    program.expect(" left")
    program.sendintr()
    _, lines = shown(program)
    assert program.exitstatus == 130
    said = [line for line in lines if line.startswith("ranktron: stopped after ")]
    assert len(said) == 1
    assert said[0].endswith(f"--resume {tmp_path}/c")
    again = screen("learn", tmp_path / "a.svm", *words, "--resume", tmp_path / "c")
    again.expect("continuing after [0-9,]+ rows")
    again.sendintr()
    rest_of(again)
    assert again.exitstatus == 130


@pytest.mark.gate(1)
@pytest.mark.parametrize("columns", [80, 120])
def test_help_fits(columns):
    for words in (["--help"], ["learn", "--help"]):
        text, lines = shown(screen(*words, columns=columns))
        assert max(map(len, lines)) <= columns
        assert "\x1b[1mUsage:\x1b[0m" in text
    assert {"Arguments:", "Options:", "Data:", "Checkpoints:", "Output:", "Parameters of algorithms:"} <= set(lines)


def test_help_without_a_terminal_has_no_colours(capsys):
    from tests.cli.program import run

    assert "\x1b" not in run(capsys, "learn", "--help").out
