"""``ranktron reproduce`` on made-up papers: what it writes, what it tells, and how it ends."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

import pytest

import ranktron_papers
from ranktron.cli.reproduce import cores
from ranktron_papers import DataSet, Printed, Results
from ranktron_papers.report import figures, listing
from tests.cli import asking
from tests.cli.program import run
from tests.ranktron_papers import madeup


@pytest.fixture(autouse=True)
def _made_up(monkeypatch, tmp_path):
    """The made-up papers are all there are, and a file that one of them reads is there."""
    monkeypatch.setattr(ranktron_papers, "all_papers", madeup.all_papers)
    (tmp_path / "number.txt").write_text("7.5")
    monkeypatch.setenv(madeup.DATA, str(tmp_path / "number.txt"))
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))


def rows(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_run_writes_everything_and_tells_it(capsys, tmp_path):
    answer = run(capsys, "reproduce", "--out", tmp_path / "out")
    result = answer.result
    assert result["claims"] == {"holds": 2, "consistent": 0, "does not hold": 2, "depends": 1, "undecided": 0, "not run": 0}
    assert result["printed"] == {"holds": 2, "does not hold": 2, "undecided": 0, "not comparable": 0, "not run": 0}
    assert [(one["name"], one["status"], one["trials"]) for one in result["experiments"]] == [
        ("coin", "run", 12), ("data-set", "run", 4), ("constant", "run", 1), ("long", "run", 5),
    ]  # fmt: skip
    coin = result["experiments"][0]
    assert (coin["settings"], coin["trial"]) == ({"bias": "0.5", "tosses": "40"}, "tests.ranktron_papers.madeup.coin")
    assert [row["number"] for row in coin["numbers"]] == ["fair", "poor", "poor", "tails"]  # curves are in numbers.csv
    claims, numbers = rows(tmp_path / "out" / "claims.csv"), rows(tmp_path / "out" / "numbers.csv")
    assert [one["verdict"] for one in claims] == ["holds", "does not hold", "depends", "holds", "does not hold"]
    curve = [row for row in numbers if (row["experiment"], row["number"]) == ("coin", "curve")]
    mean, half = Results([madeup.coin(seed, None) for seed in range(12)], False).curve("curve")
    assert [float(row["place"]) for row in curve] == madeup.AT
    assert [float(row["mean"]) for row in curve] == pytest.approx(mean.tolist(), rel=1e-7)
    assert [float(row["high"]) for row in curve] == pytest.approx((mean + half).tolist(), rel=1e-7)
    assert (tmp_path / "out" / "report.html").read_text().endswith("</html>\n")
    lines = answer.err.splitlines()
    assert sorted(lines[:4])[0].startswith("✓ coin  12 trials, ")
    assert lines[4:] == [f"The report is in {tmp_path}/out/report.html."]


def test_results_on_other_data_say_so_everywhere(capsys, tmp_path, monkeypatch):
    """A run on a stand-in compares no printed number, and every verdict names the data set that it was given on."""
    stand_in = madeup.DATA_SET._replace(
        data_set=DataSet("the numbers of Nobody", "a file"), printed=(Printed("value", 9.0, "Table 2"),)
    )
    paper = madeup.PAPER._replace(experiments=(madeup.COIN, stand_in))
    monkeypatch.setattr(ranktron_papers, "all_papers", lambda: {"nobody": paper})
    out, told = tmp_path / "out", "a file, standing in for the numbers of Nobody"
    result = run(capsys, "reproduce", "data-set", "--out", out).result
    assert (result["printed"]["not comparable"], result["on_other_data"]) == (1, 1)
    [claim], numbers = rows(out / "claims.csv"), rows(out / "numbers.csv")
    assert (claim["verdict"], claim["data"]) == ("holds", told)
    assert [(one["mean"], one["verdict"], one["data"]) for one in numbers] == [("9", "not comparable", told)]
    report = (out / "report.html").read_text()
    assert report.count(f"on {told}:") == 2  # the claim, and the printed number
    assert "1 printed number 1 is not comparable, being of other data" in report
    assert f"on {told}: The number is read." in asking.drawn("reproduce", "data-set", "--out", out, "--quiet", width=200).out


def test_names_are_experiments_or_papers(capsys, tmp_path):
    told = {
        names: [one["name"] for one in run(capsys, "reproduce", "--quick", "--out", tmp_path, *names).result["experiments"]]
        for names in (("constant",), ("somebody",), ("constant", "nobody"))
    }
    assert list(told.values()) == [["constant"], ["constant", "long"], ["coin", "data-set", "constant"]]
    assert asking.fails("reproduce", "dice", "--out", tmp_path) == "there is no experiment 'dice': --list shows them all"


def test_a_quick_run_may_be_undecided_and_leaves_long_ones_out(capsys, tmp_path):
    result = run(capsys, "reproduce", "--quick", "--out", tmp_path).result
    assert result["run"] == "quick"
    assert result["claims"]["undecided"] > 0
    assert {one["name"]: (one["status"], one["why"]) for one in result["experiments"]}["long"] == (
        "not run",
        "a quick run leaves it out",
    )
    assert "This was a quick run" in (tmp_path / "report.html").read_text()


def test_missing_data_are_told_and_are_no_failure(capsys, tmp_path, monkeypatch):
    monkeypatch.delenv(madeup.DATA)
    answer = run(capsys, "reproduce", "data-set", "constant", "--out", tmp_path)
    assert answer.status == 0
    assert answer.result["claims"]["not run"] == 1
    assert "– data-set  the numbers of Nobody are not there: get them from nowhere" in answer.err.splitlines()
    assert "Not run: the numbers of Nobody are not there: get them from nowhere.</p>" in (tmp_path / "report.html").read_text()


def test_a_trial_that_fails_is_told_in_a_sentence_and_the_rest_is_written(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv(madeup.FAILING, "1")
    answer = run(capsys, "reproduce", "coin", "constant", "--out", tmp_path)
    sentence = "coin: the trial of seed 1 failed: ValueError: the coin fell on its edge"
    assert answer.status == 1
    assert answer.err.splitlines()[-1] == f"ranktron: {sentence}"
    assert "Traceback" not in answer.err
    assert [one["verdict"] for one in rows(tmp_path / "claims.csv")] == ["not run"] * 3 + ["does not hold"]
    assert "Failed: the trial of seed 1 failed" in (tmp_path / "report.html").read_text()
    monkeypatch.setenv("RANKTRON_TRACEBACK", "1")
    assert "Traceback" in run(capsys, "reproduce", "coin", "--out", tmp_path, "--quiet").err


def test_quiet_says_nothing_but_the_result(capsys, tmp_path):
    answer = run(capsys, "reproduce", "constant", "--out", tmp_path, "--quiet")
    assert answer.err == ""
    assert answer.result["command"] == "reproduce"


def test_csv_has_a_line_a_claim(capsys, tmp_path):
    answer = run(capsys, "reproduce", "coin", "--out", tmp_path, "--csv")
    lines = list(csv.DictReader(answer.out.splitlines()))
    assert lines == rows(tmp_path / "claims.csv")
    assert len(lines) == 3


# Figures


def test_figures_are_drawn_and_the_same_every_time(capsys, tmp_path):
    pictures = []
    for name in ("one", "two"):
        run(capsys, "reproduce", "coin", "constant", "--out", tmp_path / name)
        folder = tmp_path / name / "figures"
        assert sorted(path.name for path in folder.iterdir()) == ["coin.png", "coin.svg"]
        pictures.append([(folder / kind).read_bytes() for kind in ("coin.png", "coin.svg")])
    assert pictures[0] == pictures[1]
    assert pictures[0][0].startswith(b"\x89PNG")
    assert b"<svg" in pictures[0][1]


def test_without_matplotlib_there_is_a_report_without_figures(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(figures.importlib.util, "find_spec", lambda name: None)
    answer = run(capsys, "reproduce", "coin", "--out", tmp_path)
    assert answer.status == 0
    assert answer.err.splitlines()[0] == "There are no figures because matplotlib is not installed: pip install 'ranktron[plot]'."
    assert not (tmp_path / "figures").exists()
    page = (tmp_path / "report.html").read_text()
    assert "<img" not in page
    assert "There are no figures because matplotlib is not installed: pip install &#x27;ranktron[plot]&#x27;.</p>" in page


def broken(results, figure):
    """Draws nothing."""
    raise KeyError("colour")


def test_a_figure_that_cannot_be_drawn_is_told(capsys, tmp_path, monkeypatch):
    paper = madeup.OTHER._replace(experiments=(madeup.CONSTANT._replace(draw=broken),))
    monkeypatch.setattr(ranktron_papers, "all_papers", lambda: {"somebody": paper})
    answer = run(capsys, "reproduce", "--out", tmp_path)
    assert answer.status == 1
    assert "ranktron: constant: its figure cannot be drawn: KeyError: 'colour'" in answer.err.splitlines()
    assert [one["verdict"] for one in rows(tmp_path / "claims.csv")] == ["does not hold"]


# The list


def test_the_list_tells_times_and_data(capsys, monkeypatch):
    result = run(capsys, "reproduce", "--list", "--jobs", 4).result
    coin, data_set, *_ = result["experiments"]
    assert (coin["quick_seconds"], coin["full_seconds"]) == (0.05, 0.15)
    assert (coin["quick_trials"], coin["trials"], coin["data"]) == (3, 12, "none needed")
    assert (data_set["data"], data_set["why"]) == ("there", "")
    Path(os.environ[madeup.DATA]).write_text("seven")
    assert run(capsys, "reproduce", "--list", "data-set").result["experiments"][0]["data"] == "faulty"
    monkeypatch.delenv(madeup.DATA)
    missing = run(capsys, "reproduce", "--list", "data-set").result["experiments"][0]
    assert (missing["data"], missing["why"]) == ("missing", "the numbers of Nobody are not there: get them from nowhere")


def test_the_list_runs_nothing(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    lines = run(capsys, "reproduce", "--list", "--csv").out.splitlines()
    assert lines[0].startswith("name,paper,paper_title,title,heading,quick_trials,trials,quick_seconds,full_seconds,data,why")
    assert len(lines) == 5
    assert sorted(tmp_path.iterdir()) == before


def test_each_loader_is_asked_once():
    asked = []

    def load():
        asked.append(1)

    wanted = [one._replace(load=load) for one in (madeup.CONSTANT, madeup.LONG)]
    found = listing.listed(wanted, 1)["experiments"]
    assert [one["data"] for one in found] == ["there", "there"]
    assert asked == [1]


def test_the_list_in_a_terminal(monkeypatch):
    monkeypatch.delenv(madeup.DATA)
    told = asking.drawn("reproduce", "--list", "--jobs", 1, width=100)
    assert told.lines[1].split() == ["nobody", "On", "coins"]
    assert told.lines[2].split() == ["coin", "Figure", "1:", "two", "coins", "3", "/", "12", "1", "s", "1", "s"]
    assert told.lines[-1] == "! the numbers of Nobody are not there: get them from nowhere"
    assert "On 1 process about 1 s with --quick, 1 s without." in told.lines


def test_the_verdicts_in_a_narrow_terminal(tmp_path):
    told = asking.drawn("reproduce", "coin", "--out", tmp_path, "--quiet", width=50)
    [line] = [line for line in told.lines if line.startswith("depends")]
    assert re.fullmatch(r"depends +coin +One shows heads less .*…", line)  # versions of rich share out the width differently
    assert len(line) <= 50
    assert "Of 3 claims 1 holds, 1 does not hold, 1 depends." in " ".join(told.lines)


# What is refused


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_run(tmp_path):
    (tmp_path / "file").write_text("")
    assert (
        asking.fails("reproduce", "--out", tmp_path / "file")
        == f"--out {tmp_path}/file: no results can be written there: not a directory"
    )
    assert asking.fails("reproduce", "--data", tmp_path / "none") == f"--data {tmp_path}/none: no such folder"


def test_a_folder_of_somebody_else_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    sentence = asking.fails("reproduce", "--out", tmp_path)
    assert sentence == f"--out {tmp_path}: no results can be written there: permission denied"


def test_the_folder_of_data_is_named_to_the_loaders(capsys, tmp_path, monkeypatch):
    (tmp_path / "sets").mkdir()
    monkeypatch.chdir(tmp_path)
    run(capsys, "reproduce", "constant", "--data", "sets", "--out", "out")
    assert os.environ["RANKTRON_DATA"] == str(tmp_path / "sets")


def test_jobs_are_at_least_one():
    assert "0 is not in the range x>=1" in asking.run("reproduce", "--jobs", 0).err
    assert 1 <= cores() <= (os.cpu_count() or 1)
