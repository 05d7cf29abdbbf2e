"""The league as somebody at a terminal sees it: curves while it plays, then the table, in 80 columns."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from ranktron.cli.compare.command import LeagueOptions
from ranktron.cli.compare.terminal import LiveLeague, show
from ranktron.cli.compare.tournament import Tournament
from ranktron.cli.shared.options import DataOptions
from tests.cli import program
from tests.cli.results import hard, played
from tests.waiting import rest_of, terminal

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def seen(*words, columns=80, **environment):
    """What the program writes to a terminal, with and without colours."""
    found = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "COLUMNS": str(columns), **environment}
    child = terminal(program.command("compare", *words), program.environment(**found), columns, lines=45)
    text = rest_of(child)
    assert child.exitstatus == 0, text
    return text, ESCAPES.sub("", text).replace("\r\n", "\n")


@pytest.fixture(scope="module")
def screen():
    return seen("synthetic", "--limit", 1500, "-a", "prank,siprank,wh,oap(n_members=20)", "--repeats", 3)


def test_curves_are_drawn_while_it_plays_and_in_the_end(screen):
    raw, text = screen
    assert re.search(r"[0-9,]+ rows · [0-9]+% · 4 models × 3 · [0-9]+ s · ahead: ", text)
    assert "\x1b[2K" in raw  # a picture is drawn over the one before
    end = text[text.rindex("Time-averaged loss (ranks off)") :]
    assert len(re.findall("[\u2801-\u28ff]", end)) > 100
    assert re.search(r"● PRank\n", end)


def test_the_table_follows_with_the_winner_marked(screen):
    _, text = screen
    table = text[text.rindex("algorithm") :]
    rows = re.findall(r"^● +([★≈]?) +(\S+(?: \S+)*?) +([0-9.]+) ±([0-9.]+) +([0-9.]+)% +(-?[0-9.]+)", table, re.MULTILINE)
    assert len(rows) == 4
    assert rows[0][0] == "★"
    assert [row[2] for row in rows] == sorted(row[2] for row in rows)
    assert f"{rows[0][1]} is best with a loss of {rows[0][2]} ± {rows[0][3]}" in " ".join(table.split())


def test_no_line_is_wider_than_the_terminal(screen):
    _, text = screen
    end = text[text.rindex("Time-averaged") :]
    assert max(map(len, end.split("\n"))) <= 80


def test_a_narrow_terminal_has_a_legend_below():
    _, text = seen("--limit", 120, "-a", "prank,prank(average=False)", "--repeats", 1, columns=44)
    end = text[text.rindex("Time-averaged") :]
    assert max(map(len, end.split("\n"))) <= 44
    assert re.search(r"^● PRank\(average=False\)", end, re.MULTILINE)


def test_colours_can_be_turned_off():
    raw, _ = seen("--limit", 120, "-a", "prank", "--repeats", 1, NO_COLOR="1")
    assert "38;2;" not in raw


def test_quiet_draws_nothing_on_the_way():
    raw, text = seen("--limit", 120, "-a", "prank", "--repeats", 1, "--quiet")
    assert "ahead:" not in text
    assert "\x1b[2K" not in raw
    assert "PRank is best" in text


def drawn(result, width=80, log=False):
    """The end of a league on a terminal of that width."""
    console = Console(file=io.StringIO(), width=width, height=40, force_terminal=True, color_system="truecolor", highlight=False)
    show(console, result, log)
    return ESCAPES.sub("", console.file.getvalue())


@pytest.mark.parametrize("width", [40, 80, 132])
def test_thirty_models_with_long_names_fit(width):
    text = drawn(hard(), width)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("●") + text.count("○") + text.count("◌") >= 30


def test_lists_are_told_by_their_own_figures():
    text = drawn(played("synthetic", "--limit", 200, "-a", "listnet,slam", "--repeats", 2))
    assert re.search(r"algorithm +loss +NDCG@10 +MAP +updates +rows/s", text)
    assert "200 rows in 10 lists, 20 features, 5 grades." in " ".join(text.split())


def test_one_order_has_no_intervals_and_says_why():
    text = drawn(played("--limit", 100, "-a", "prank,siprank", "--repeats", 1))
    assert "±" not in text
    assert "in this one order; --repeats 5 adds intervals." in " ".join(text.split())


def test_a_logarithmic_axis_has_powers_of_ten():
    assert re.search(r"^ +100 +1k(?: rows)?$", drawn(played("--limit", 1100, "-a", "wh", "--repeats", 1), log=True), re.MULTILINE)


def test_grids_and_notes_are_told():
    text = drawn(played("--limit", 200, "-a", "wh", "--sweep", "step=0.01,0.1", "--repeats", 2))
    text = " ".join(text.split())
    assert "WidrowHoff: step=0.1 is best of 2" in text
    assert "! The best step of WidrowHoff, 0.1, is at the edge of the grid; try larger values." in text


def test_the_live_picture_is_redrawn_a_few_times_a_second_at_most(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("ranktron.cli.compare.terminal.time.monotonic", lambda: now[0])
    console = Console(file=io.StringIO(), width=80, height=30, force_terminal=True)
    tournament = Tournament(["synthetic"], LeagueOptions(["prank,siprank"], repeats=2, limit=300), DataOptions())
    calls = 0
    with LiveLeague(console, tournament, False) as live:

        def watch():
            nonlocal calls
            calls += 1
            now[0] += 0.1
            live.watch()

        assert tournament.play(watch) is False
    assert calls == 2 * len(tournament.league.at)
    assert calls / 4 <= console.file.getvalue().count("ahead:") <= calls / 2


def test_before_there_is_a_curve_it_says_who_is_getting_ready(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("ranktron.cli.compare.terminal.time.monotonic", lambda: now[0])
    console = Console(file=io.StringIO(), width=80, height=30, force_terminal=True)
    tournament = Tournament(["synthetic"], LeagueOptions(["prank,siprank"], repeats=2, limit=20), DataOptions())
    with LiveLeague(console, tournament, False) as live:

        def watch():
            now[0] += 1.0
            live.watch()

        tournament.play(watch)
    found = re.findall("Getting ready: ([A-Za-z]+)", console.file.getvalue())
    assert list(dict.fromkeys(found)) == ["PRank", "SiPRank"]
