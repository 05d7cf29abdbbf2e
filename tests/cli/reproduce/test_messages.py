"""What ``ranktron reproduce`` says on the way and in the end."""

from __future__ import annotations

import functools
import io
import json
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

import ranktron_papers
from ranktron.cli.shared.stopping import Stopped
from ranktron_papers import Results
from ranktron_papers.report import figures, progress
from ranktron_papers.report.result import settings_of
from ranktron_papers.runs.run import Outcome, Run
from ranktron_papers.tables import headline
from tests.cli.program import run
from tests.ranktron_papers import madeup


@pytest.fixture(autouse=True)
def _made_up(monkeypatch):
    """The made-up papers are all there are."""
    monkeypatch.setattr(ranktron_papers, "all_papers", madeup.all_papers)


def watched(monkeypatch, console=None, *, seconds):
    """The progress of a run whose clock stands at so many seconds after it began."""
    clock = iter([100.0, *(100.0 + seconds for _ in range(9))])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    return progress.Progress(
        Run([madeup.COIN._replace(seconds=10.0), madeup.CONSTANT._replace(seconds=30.0)], False, 2, Path()), 2, print, console
    )


def test_the_time_left_is_what_was_expected_at_first_and_then_what_is_seen(monkeypatch):
    found = watched(monkeypatch, seconds=0.0)
    assert found.seconds_left == pytest.approx((12 * 10 + 30) / 2)
    slow = watched(monkeypatch, seconds=1e6)
    for _ in range(6):
        slow.trial_done(madeup.COIN._replace(seconds=10.0))
    assert slow.share == pytest.approx(60 / 150)
    assert slow.seconds_left == pytest.approx(1e6 * 90 / 60, rel=0.5)
    slow.begun(madeup.COIN._replace(seconds=10.0), 12, 12)
    assert slow.share == pytest.approx(60 / 90)


def test_a_bar_where_somebody_looks(monkeypatch):
    out = io.StringIO()
    with watched(monkeypatch, Console(file=out, force_terminal=True, width=100), seconds=20.0) as found:
        found.trial_done(madeup.COIN._replace(seconds=10.0))
        found.ended(madeup_outcome())
        found.ended(madeup_outcome(why="there is no coin"))
        found.ended(madeup_outcome(why="the coin is bent", trace="Traceback"))
    text = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", out.getvalue())
    assert "✓ coin  2 trials, 1 of them kept before, 0:03 of work" in text
    assert "– coin  there is no coin" in text
    assert "✗ coin  the coin is bent" in text
    assert re.search(r"━ +25%  0 of 13 trials  about [0-9:]+ left", text)


def madeup_outcome(why="", trace=""):
    """An experiment that has come to its end."""
    results = None if why else Results([madeup.coin(seed, None) for seed in range(2)], True)
    return Outcome(madeup.COIN, results, [], [], why, trace, "", 3.0, 1)


def test_stopping_says_how_to_go_on(capsys, tmp_path, monkeypatch):
    def stop(run, *observers):
        raise Stopped

    monkeypatch.setattr(Run, "do", stop)
    monkeypatch.setattr(sys, "argv", ["/usr/bin/ranktron", "reproduce", "coin", "--out", "a folder"])
    answer = run(capsys, "reproduce", "coin", "--out", tmp_path)
    assert answer.status == 130
    said = "stopped after 0 of 12 trials, which are kept; to continue: ranktron reproduce coin --out 'a folder'"
    assert answer.err == f"ranktron: {said}\n"


def test_code_that_cannot_be_found_is_left_out():
    one = madeup.CONSTANT._replace(trial=functools.partial(dict.get))
    assert settings_of(one) == {"trial": "builtins.dict.get", "settings": {"default": "None"}, "code": ""}


def test_settings_are_those_of_the_function_or_given():
    trial = functools.partial(functools.partial(madeup.coin, tosses=7), 3, bias=0.25)
    assert settings_of(madeup.COIN._replace(trial=trial))["settings"] == {"seed": "3", "bias": "0.25", "tosses": "7"}


# What is said


@pytest.mark.parametrize(
    ("claims", "printed", "said"),
    [
        ({"holds": 0}, {"holds": 0}, "There are no claims to judge."),
        ({"holds": 1}, {"holds": 0}, "Of 1 claim 1 holds."),
        (
            {"holds": 2, "undecided": 2},
            {"holds": 1, "does not hold": 0, "undecided": 1, "not run": 3},
            "Of 4 claims 2 hold, 2 are undecided. Of 5 printed numbers 1 agrees, 1 is undecided, 3 were not measured.",
        ),
        (
            {"holds": 1, "consistent": 2, "does not hold": 1, "depends": 2, "not run": 1},
            {"holds": 110, "does not hold": 19, "not comparable": 6},
            "Of 7 claims 1 holds, 2 are consistent with what was measured, 1 does not hold, 2 depend, 1 was not run. "
            "Of 135 printed numbers 110 agree, 19 differ, 6 are not comparable, being of other data.",
        ),
    ],
)
def test_the_headline(claims, printed, said):
    assert headline(claims, printed) == said


def test_the_headline_tells_claims_on_other_data():
    said = "Of 3 claims 2 hold, 1 does not hold ({} judged on other data than the paper used)."
    assert headline({"holds": 2, "does not hold": 1}, {}, 1) == said.format("1 was")
    assert headline({"holds": 2, "does not hold": 1}, {}, 3) == said.format("3 were")


def test_shells_complete_names():
    from ranktron.cli.reproduce import complete_name

    assert complete_name(None, None, "co") == ["coin", "constant"]
    assert "harrington" in complete_name(None, None, "harr")


def test_figures_take_a_size_that_is_asked_for():
    def wide(results, figure):
        figure.set_size_inches(10.0, 2.0)
        figure.add_subplot()

    png = figures.rendered(wide, None)["png"]
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (10 * figures.DOTS, 2 * figures.DOTS)


def test_json_is_one_line(capsys, tmp_path):
    answer = run(capsys, "reproduce", "constant", "--out", tmp_path, "--json")
    [line] = answer.out.splitlines()
    assert json.loads(line)["machine"].startswith(("Linux", "Darwin", "Windows"))
