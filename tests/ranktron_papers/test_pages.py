"""Pages with marks: what was measured is put into them, and what is stale or unknown is told."""

from __future__ import annotations

import runpy
import sys

import pytest

import ranktron_papers
from ranktron_papers import Results, pages
from ranktron_papers.pages import Measured, fill
from ranktron_papers.tables import ClaimRow, NumberRow, claims_of, csv_text, numbers_of, unjudged

from . import madeup

PAGE = """# Coins

The fair coin shows <!--= coin | fair -->nothing<!--/--> heads, or <!--= coin | fair | %.1f --><!--/-->, in
<!--=coin|trials--><!--/--> trials; the curve <!--= coin | curve | at 10 --><!--/--> there.

<!--= coin | printed --><!--/-->

<!--= coin | claims --><!--/-->

![](figures/coin.png)
"""


def write(folder, is_quick=False):
    """Results of all made-up experiments, of which one was not run."""
    trials = {
        "coin": [madeup.coin(seed, None) for seed in range(12)],
        "constant": [madeup.constant(0, None)],
        "long": [madeup.coin(seed, None) for seed in range(5)],
    }
    numbers, claims = [], unjudged(madeup.DATA_SET, "there | are no data", False)
    for paper in madeup.PAPERS.values():
        for one in paper.experiments:
            if one.name in trials:
                results = Results(trials[one.name], is_quick)
                numbers += numbers_of(one, results)
                claims += claims_of(one, results)
    folder.mkdir(exist_ok=True)
    (folder / "numbers.csv").write_text(csv_text(NumberRow, numbers))
    (folder / "claims.csv").write_text(csv_text(ClaimRow, claims))
    return numbers


@pytest.fixture
def out(tmp_path):
    """What a run has written."""
    write(tmp_path / "out")
    (tmp_path / "out" / "figures").mkdir()
    (tmp_path / "out" / "figures" / "coin.png").write_bytes(b"picture")
    return tmp_path / "out"


@pytest.fixture
def measured(out):
    return Measured(out)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a page; the made-up papers are all there are."""
    monkeypatch.setattr(ranktron_papers, "all_papers", madeup.all_papers)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "coins.md").write_text(PAGE)
    return tmp_path / "papers"


def test_numbers_are_put_in(measured):
    lines = fill(PAGE, measured).splitlines()
    assert lines[2] == (
        "The fair coin shows <!--= coin | fair -->0.494 ± 0.061<!--/--> heads, or "
        "<!--= coin | fair | %.1f -->0.5 ± 0.1<!--/-->, in"
    )
    assert (
        lines[3] == "<!--=coin|trials-->12<!--/--> trials; the curve <!--= coin | curve | at 10 -->0.0494 ± 0.0061<!--/--> there."
    )


def test_printed_numbers_are_a_table(measured):
    lines = fill(PAGE, measured).splitlines()
    start = lines.index("<!--= coin | printed -->")
    assert lines[start + 2 : start + 8] == [
        "| number | printed | measured | does it come out? | where |",
        "| --- | --- | --- | --- | --- |",
        "| fair | 0.5 ± 0.05 | 0.494 ± 0.061 | holds | Table 1, row 1 |",
        "| poor | 0.75 | 0.254 ± 0.057 | does not hold | Table 1, row 2 |",
        "| poor | 0.2 | 0.254 ± 0.057 | holds | abstract |",
        "",
    ]
    assert lines[start + 8] == "<!--/-->"


def test_claims_are_a_table(measured):
    text = fill(PAGE, measured)
    assert (
        "| **holds** | The poor coin shows heads less often. | section 2, first sentence | "
        "poor 0.2542 ± 0.057 against fair 0.4938 ± 0.061 |" in text
    )
    assert text.count("| **") == 3


def test_a_bar_does_not_break_a_table(measured):
    assert "| **not run** | The number is read. | Table 2 | there \\| are no data |" in measured.text("data-set | claims")


def test_papers_have_all_their_claims(measured):
    assert measured.text("nobody | claims").count("| **") == 4
    assert measured.text("nobody | counts") == "1 holds, 1 does not hold, 1 depends, 1 was not run"
    assert "| nobody | 1 | – | 1 | 1 | – | 1 | – |\n| somebody | – | – | 1 | – | – | – | – |" in measured.text("summary")


def test_filling_twice_changes_nothing(measured):
    once = fill(PAGE, measured)
    assert once != PAGE
    assert fill(once, measured) == once


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        ("dice | six", "there is no experiment 'dice'; there are coin, constant, long, data-set"),
        ("coin | six", "coin has no number 'six'; it has fair, poor, tails, curve, other"),
        ("coin | curve", "coin has no 'curve' there; it is a curve at 1, 10, 100, 1000"),
        ("coin | curve | at 11", "coin has no 'curve' there; it is a curve at 1, 10, 100, 1000"),
        ("coin | fair | at 11", "coin has no 'fair' there; it is a single number"),
    ],
)
def test_what_is_unknown_is_told(measured, mark, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        measured.text(mark)


def test_a_mark_without_an_end_is_told(measured):
    with pytest.raises(ValueError, match=r"^a <!--= ... --> has no <!--/-->, or the other way round$"):
        fill("<!--= coin | fair --> and <!--= coin | poor --><!--/-->", measured)


def ended(*words):
    """How the program ends, and what it says."""
    with pytest.raises(SystemExit) as end:
        pages.main([str(word) for word in words])
    return end.value.code


def test_taking_a_run_fills_the_pages_and_then_nothing_is_stale(folder, out, capsys):
    assert ended(folder, "--check") == 1
    assert capsys.readouterr().err.startswith(f"{folder}/results/numbers.csv does not exist; run ranktron reproduce --out OUT")
    pages.main([str(folder), "--take", str(out)])
    assert (folder / "figures" / "coin.png").read_bytes() == b"picture"
    assert (folder / "coins.md").read_text() == fill(PAGE, Measured(out))
    pages.main([str(folder), "--check"])


def test_of_curves_only_those_are_taken_that_pages_show_points_of(folder, out):
    pages.copy_results(out, folder)
    every, taken = (Measured(one).numbers for one in (out, folder / "results"))
    curves = {(row.experiment, row.number) for row in every if row.place is not None}
    assert curves > {("coin", "curve")}
    assert taken == [row for row in every if row.place is None or (row.experiment, row.number) == ("coin", "curve")]


def test_stale_pages_are_named(folder, out, capsys):
    pages.main([str(folder), "--take", str(out)])
    page = folder / "coins.md"
    page.write_text(page.read_text().replace("0.494 ± 0.061<", "0.5<"))
    before = page.read_text()
    assert ended(folder, "--check") == 1
    assert capsys.readouterr().err.splitlines() == [f"{page} is stale", f"To renew them run {pages.MAKE}"]
    assert page.read_text() == before
    pages.main([str(folder)])
    assert "0.494 ± 0.061<" in page.read_text()


def test_a_page_with_an_unknown_mark_is_named(folder, out, capsys):
    pages.copy_results(out, folder)
    (folder / "dice.md").write_text("<!--= dice | six --><!--/-->")
    assert ended(folder) == 1
    assert (
        capsys.readouterr().err == f"{folder}/dice.md: there is no experiment 'dice'; there are coin, constant, long, data-set\n"
    )
    assert (folder / "coins.md").read_text() == PAGE


def test_a_quick_run_is_not_taken(folder, out, capsys):
    write(out, is_quick=True)
    assert ended(folder, "--take", out) == 1
    assert capsys.readouterr().err == f"{out} has the results of a quick run; repeat it without --quick\n"
    assert not (folder / "results").exists()


def test_a_figure_that_was_not_drawn_is_told(folder, out):
    (out / "figures" / "coin.png").unlink()
    with pytest.raises(ValueError, match=r"^a page shows figures/coin.png, and .*out has no such figure$"):
        pages.copy_results(out, folder)


def test_results_of_other_experiments_are_told(folder, out, capsys, monkeypatch):
    pages.main([str(folder), "--take", str(out)])
    claim = madeup.CONSTANT.claims[0]._replace(text="It is 3.15.")
    printed = madeup.CONSTANT.printed[0]._replace(value=3.15)
    other = madeup.OTHER._replace(experiments=(madeup.CONSTANT._replace(claims=(claim,), printed=(printed,)), madeup.LONG))
    monkeypatch.setattr(ranktron_papers, "all_papers", lambda: {"nobody": madeup.PAPER, "somebody": other})
    assert ended(folder, "--check") == 1
    assert capsys.readouterr().err.splitlines() == [
        "constant: pi is printed as 3.14 (section 1) in numbers.csv or in the code, not in both",
        "constant: pi is printed as 3.15 (section 1) in numbers.csv or in the code, not in both",
        "constant: the claim 'It is 3.14.' (section 1) is in claims.csv only",
        "constant: the claim 'It is 3.15.' (section 1) is not in claims.csv",
        f"To renew them run {pages.MAKE}",
    ]


def test_it_is_a_program(folder, out, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["pages", str(folder), "--take", str(out)])
    monkeypatch.delitem(sys.modules, "ranktron_papers.pages")
    runpy.run_module("ranktron_papers.pages", run_name="__main__")
    assert "0.494 ± 0.061<" in (folder / "coins.md").read_text()


def test_all_papers_are_counted(measured):
    """Numbers that differ are told as well as those that agree, and claims on other data."""
    assert measured.text("headline") == (
        "Of 5 claims 1 holds, 2 do not hold, 1 depends, 1 was not run. Of 4 printed numbers 2 agree, 2 differ."
    )
    assert "| nobody | 2 | 1 | – | – | – |\n| somebody | – | 1 | – | – | – |" in measured.text("summary of numbers")
