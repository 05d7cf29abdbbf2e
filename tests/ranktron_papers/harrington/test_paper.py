"""The experiments of Harrington as a whole: what is printed, what is claimed, and that all of it can be judged and drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from ranktron_papers.harrington import PAPER
from ranktron_papers.judging import CONSISTENT, DEPENDS, FAILS, HOLDS, UNDECIDED
from ranktron_papers.tables import claims_of, numbers_of
from tests.ranktron_papers.harrington.made import TRIALS, first, made_up

EXPERIMENTS = {experiment.name: experiment for experiment in PAPER.experiments}

TAUS_1, TAUS_2 = (0.3, 0.6, 0.9), (0.1, 0.2, 0.3)
TABLE_1 = {
    "OAP-VP": "0.32 ± 0.01, 0.31 ± 0.02, 0.31 ± 0.03",
    "OAP-Bagg": "0.33 ± 0.01, 0.31 ± 0.02, 0.32 ± 0.03",
    "OAP-BPM": "0.23 ± 0.01, 0.24 ± 0.03, 0.26 ± 0.03",
}
TABLE_2 = {  # WH with its four steps, PRank, PRank-VP, then OAP-VP, OAP-BPM and OAP-Bagg with three τ each
    "ohsumed": "0.43 0.38 0.38 0.38 0.53 0.49 0.47 0.46 0.46 0.41 0.41 0.41 0.53 0.50 0.49",
    "cystic-fibrosis": "0.75 0.48 0.43 0.41 0.50 0.52 0.47 0.45 0.45 0.40 0.39 0.40 0.50 0.48 0.47",
    "eachmovie": "2.19 1.92 2.25 2.74 1.06 1.13 0.95 0.95 0.95 0.89 0.89 0.90 0.96 0.95 0.96",
}
HALVES = {
    "ohsumed": "0.01 0.01 0.01 0.01 0.02 0.00 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01",
    "cystic-fibrosis": "0.02 0.02 0.02 0.02 0.02 0.01 0.01 0.01 0.01 0.01 0.01 0.02 0.01 0.01 0.01",
    "eachmovie": "0.06 0.07 0.08 0.10 0.03 0.03 0.03 0.03 0.03 0.03 0.03 0.03 0.03 0.03 0.03",
}
# The paper's Tables 1 and 2.
LABELS_2 = [
    *(f"WH, step {step}" for step in (0.2, 0.05, 0.01, 0.001)),
    "PRank",
    "PRank-VP",
    *(f"{method}, tau {tau}" for method in ("OAP-VP", "OAP-BPM", "OAP-Bagg") for tau in TAUS_2),
]


def claimed(name):
    return {claim.text for claim in EXPERIMENTS[name].claims}


def test_all_figures_and_tables_are_there():
    assert list(EXPERIMENTS) == list(TRIALS)
    assert all(experiment.paper == PAPER.name for experiment in PAPER.experiments)


def test_every_number_of_table_1_and_of_the_text_has_a_row_with_a_verdict():
    cells = [
        f"{method}, tau {tau}: {in_readings}"
        for method, row in TABLE_1.items()
        for tau, in_readings in zip(TAUS_1, row.split(", "), strict=True)
    ]
    text = ["PRank: 0.37 ± 0.07", "PRank-VP: 0.31 ± 0.00", "WH, step 0.1: 0.30 ± 0.20"]
    assert claimed("harrington-table-1") >= {*cells, *text}


@pytest.mark.parametrize("column", TABLE_2)
def test_every_number_of_table_2_has_a_row_with_a_verdict(column):
    cells = zip(LABELS_2, TABLE_2[column].split(), HALVES[column].split(), strict=True)
    assert claimed(f"harrington-{column}") >= {f"{label}: {value} ± {half}" for label, value, half in cells}


def test_printed_numbers_are_those_of_the_claims():
    for experiment in PAPER.experiments:
        cells = {claim.text for claim in experiment.claims if re.search(r"\d ± \d", claim.text)}
        printed = [one for one in experiment.printed if one.half is not None]
        told = {f"{one.source.rpartition(', ')[2]}: {one.value:.2f} ± {one.half:.2f}" for one in printed}
        assert told <= {in_readings if ", " not in in_readings else in_readings.rpartition(", ")[2] for in_readings in cells}
        assert len(printed) in (0, len(cells), 2 * len(cells))


@pytest.mark.gate(3)
@pytest.mark.parametrize("name", TRIALS)
def test_a_trial_is_a_function_of_its_seed_and_has_what_is_printed(name):
    one, again, other = first(name), TRIALS[name](0), TRIALS[name](1)
    assert one == again
    assert one != other
    assert list(one) == list(other)
    single = {key for key, value in one.items() if not isinstance(value, list)}
    assert {one.number for one in EXPERIMENTS[name].printed} <= single
    assert {key for key, value in one.items() if isinstance(value, list)} == set(EXPERIMENTS[name].axes)


@pytest.mark.parametrize("name", TRIALS)
def test_every_claim_is_judged_where_numbers_are_clear_and_undecided_where_a_quick_run_has_one_trial(name):
    experiment = EXPERIMENTS[name]
    full = made_up(experiment, lambda number: 0.01 * (len(number) % 37))
    assert {row.verdict for row in claims_of(experiment, full)} <= {HOLDS, CONSISTENT, FAILS, DEPENDS, UNDECIDED}
    assert all(row.reason for row in claims_of(experiment, full))
    assert len(list(numbers_of(experiment, full))) >= len(first(name))
    quick = made_up(experiment, lambda number: 0.5, trials=1, quick=True)
    exact = {"Mean thresholds keep their order.", "OAP-BPM continues to learn after PRank stops."}
    assert {row.verdict for row in claims_of(experiment, quick) if row.claim not in exact} == {UNDECIDED}


@pytest.mark.parametrize("name", TRIALS)
def test_every_figure_has_words_on_its_axes(name):
    experiment = EXPERIMENTS[name]
    figure = Figure(layout="constrained")
    experiment.draw(made_up(experiment, lambda number: 0.2 + 0.01 * (len(number) % 37)), figure)
    assert figure.axes
    assert all(axes.get_xlabel() for axes in figure.axes)
    labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert all(axes.get_ylabel() for axes in figure.axes if axes.lines and axes.get_yticks().size) or "PRank" in labels


@pytest.mark.compiled
@pytest.mark.full
def test_a_trial_of_full_size_shows_what_tau_does():
    numbers = EXPERIMENTS["harrington-tau"].trial(0, None)
    shares = [numbers[f"tau {tau}, share of rows on which two members differ"] for tau in (0.05, 0.1, 0.3, 0.6, 0.9)]
    assert shares == sorted(shares, reverse=True)
    assert np.isclose(numbers["100 of the members, tau 0.3"], numbers["OAP-BPM, tau 0.3, by rows"][5])
    assert numbers["100 of the members, tau 0.3"] < numbers["1 of the members, tau 0.3"]
