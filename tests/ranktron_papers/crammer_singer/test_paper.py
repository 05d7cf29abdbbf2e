"""The experiments of Crammer & Singer as a whole, and their Figures 1 and 4."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

from ranktron_papers.crammer_singer import PAPER
from ranktron_papers.crammer_singer.illustrated import (
    FIGURE_1,
    FIGURE_4,
    MARGINS,
    RANK,
    RANKS,
    ROW,
    ROWS,
    least_margin,
    margin_trial,
    update_trial,
)
from ranktron_papers.judging import CONSISTENT, DEPENDS, FAILS, HOLDS
from ranktron_papers.results import Results
from tests.papers import crammer_singer as oracle


@pytest.fixture(scope="module")
def update():
    return update_trial(0, None)


@pytest.fixture(scope="module")
def margins():
    return margin_trial(0, None, n_rows=40)


def judged(experiment, numbers):
    return [claim.judge(Results([numbers], is_quick=False)).word for claim in experiment.claims]


def test_every_figure_of_the_paper_with_an_experiment_is_there():
    figures = ("1", "4", "6", "7-100", "7-200")
    assert [experiment.name for experiment in PAPER.experiments] == [f"crammer-singer-figure-{figure}" for figure in figures]
    assert all(experiment.paper == PAPER.name for experiment in PAPER.experiments)


def test_every_claim_says_where_it_stands_and_stands_once():
    for experiment in PAPER.experiments:
        assert all(claim.text and "ection" in claim.source for claim in experiment.claims)
        assert len({claim.text for claim in experiment.claims}) == len(experiment.claims)


def test_the_update_is_that_of_the_pseudocode(update):
    *_, before, after = oracle.prank(ROWS + ROW, [*RANKS, RANK], 5)
    assert after[0] == 1 == update["predicted rank before"]
    for (_, w, b), when in ((before, "before"), (after, "after")):
        assert update[f"w·x {when}"] == np.dot(w, ROW[0])
        assert [update[f"b{r} {when}"] for r in range(1, 5)] == list(b)


def test_the_update_is_as_the_paper_draws_it(update):
    assert {printed.number: update[printed.number] for printed in FIGURE_1.printed} == {
        printed.number: printed.value for printed in FIGURE_1.printed
    }
    assert judged(FIGURE_1, update) == [HOLDS] * 3


@pytest.mark.parametrize(
    ("number", "value", "words"),
    [
        ("fall of b4", 1.0, [FAILS, HOLDS, HOLDS]),
        ("w·x after", 0.0, [HOLDS, FAILS, HOLDS]),
        ("times x added to w", 2.0, [HOLDS, FAILS, HOLDS]),
        ("predicted rank after", 2.0, [HOLDS, HOLDS, FAILS]),
    ],
)
def test_another_update_would_not_be_the_papers(update, number, value, words):
    assert judged(FIGURE_1, update | {number: value}) == words


@pytest.mark.parametrize("margin", MARGINS)
def test_the_margin_is_met_as_the_pseudocode_meets_it(margins, margin):
    *_, before, after = oracle.noprank(ROWS + ROW, [*RANKS, RANK], 5, margin=margin)
    for (_, w, b), when in ((before, "before"), (after, "after")):
        projection = oracle.dot(w, [Fraction(x) for x in ROW[0]])
        assert margins[f"w·x {when}, {margin}"] == pytest.approx(float(projection))
        assert [margins[f"b{r} {when}, {margin}"] for r in range(1, 5)] == pytest.approx([float(each) for each in b])


@pytest.mark.parametrize("margin", MARGINS)
def test_an_update_asks_for_no_more_than_it_has_to(margin):
    assert least_margin(margin, 30) == pytest.approx(1.0)


def test_margins_hold_and_their_size_only_scales(margins):
    assert judged(FIGURE_4, margins) == [CONSISTENT, DEPENDS]


def test_verdicts_on_margins_follow_the_numbers(margins):
    short = margins | {"least margin over the margin asked for, loss": 0.9}
    assert judged(FIGURE_4, short) == [DEPENDS, DEPENDS]
    better = margins | {"width of rank 4 by the length of (w, b), β 2": 2.0}
    assert judged(FIGURE_4, better) == [CONSISTENT, HOLDS]


def test_thresholds_are_drawn_on_lines(update, margins):
    for experiment, numbers in ((FIGURE_1, update), (FIGURE_4, margins)):
        figure = Figure(layout="constrained")
        experiment.draw(Results([numbers], is_quick=False), figure)
        assert len(figure.axes) == 3
        texts = {text.get_text() for axes in figure.axes for text in axes.texts}
        assert {"$b_4$", "rank 4"} <= texts
    assert "$b_2$ $b_3$" in texts  # both as near to the row as the fixed margin lets them be
