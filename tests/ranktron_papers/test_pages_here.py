"""The papers' pages in this repository are what was measured, and the results are of the experiments as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron_papers import pages
from ranktron_papers.tables import FULL, read_claims

PAPERS = Path(__file__).parents[2] / "docs" / "papers"
TO_RENEW = f"to renew them run {pages.MAKE}"


@pytest.fixture(scope="module", autouse=True)
def _results():
    for name in ("numbers.csv", "claims.csv"):
        assert (PAPERS / pages.RESULTS / name).is_file(), f"docs/papers/results/{name} is not there: {TO_RENEW}"


def test_the_pages_are_as_the_results_say():
    stale = [path.name for path in pages.stale_pages(PAPERS)]
    assert stale == [], (
        f"pages are stale; if only they are, run python -m ranktron_papers.pages docs/papers, otherwise {TO_RENEW}"
    )


def test_the_results_are_of_these_experiments():
    wrong = pages.disagreements(PAPERS / pages.RESULTS)
    assert wrong == [], f"the results are of other experiments; {TO_RENEW}"


def test_the_results_are_of_a_full_run():
    assert {row.run for row in read_claims(PAPERS / pages.RESULTS / "claims.csv")} == {FULL}, TO_RENEW


def test_the_figures_that_pages_show_are_there():
    missing = [name for name in pages.figure_names(PAPERS) if not (PAPERS / pages.FIGURES / name).is_file()]
    assert missing == [], TO_RENEW
