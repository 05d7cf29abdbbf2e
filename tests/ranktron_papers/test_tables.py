"""Rows of numbers and claims: what is measured beside what is printed, and the same from a file."""

from __future__ import annotations

import pytest
from scipy import stats

from ranktron_papers import Printed, Results
from ranktron_papers.judging import CONSISTENT, DEPENDS, FAILS, HOLDS, UNDECIDED
from ranktron_papers.tables import (
    NOT_RUN,
    ClaimRow,
    NumberRow,
    claims_of,
    csv_text,
    numbers_of,
    read_claims,
    read_numbers,
    tally,
    unjudged,
    unmeasured,
)

from .madeup import AT, COIN

FAIR, POOR = [0.5, 0.45, 0.55], [0.25, 0.2, 0.3]
TRIALS = [{"fair": fair, "poor": poor, "curve": [fair / at for at in AT]} for fair, poor in zip(FAIR, POOR)]


@pytest.fixture
def rows():
    return numbers_of(COIN, Results(TRIALS, False))


def test_a_number_has_students_interval_and_what_is_printed(rows):
    fair = next(row for row in rows if row.number == "fair")
    interval = stats.ttest_1samp(FAIR, 0.0).confidence_interval(0.95)
    assert (fair.low, fair.high) == pytest.approx((interval.low, interval.high))
    assert fair.half == pytest.approx((interval.high - interval.low) / 2)
    assert fair._replace(low=None, high=None) == NumberRow(
        "coin", "fair", None, pytest.approx(0.5), None, None, 3, 0.5, 0.05, "Table 1, row 1", HOLDS
    )


def test_a_number_that_is_printed_twice_has_two_rows(rows):
    poor = [(row.printed, row.source, row.verdict) for row in rows if row.number == "poor"]
    assert poor == [(0.75, "Table 1, row 2", FAILS), (0.2, "abstract", HOLDS)]


def test_a_curve_has_a_row_a_point(rows):
    curve = [row for row in rows if row.number == "curve"]
    assert [row.place for row in curve] == AT
    assert [row.mean for row in curve] == pytest.approx([0.5 / at for at in AT])
    assert all(row.printed is None and row.verdict == "" for row in curve)


def test_one_trial_has_no_interval():
    row = numbers_of(COIN, Results(TRIALS[:1], True))[0]
    assert (row.mean, row.low, row.high, row.half, row.verdict) == (0.5, None, None, None, UNDECIDED)


@pytest.mark.parametrize(
    ("trials", "changed", "sentence"),
    [
        ([{"a": 1.0}, {"b": 1.0}], {}, "not every trial measures b"),
        ([{"fair": 1.0, "poor": 1.0, "c": [1.0]}], {}, "the axis of the curve c should have its 1 points"),
        ([{"fair": 1.0, "poor": 1.0, "curve": [1.0] * 3}], {}, "the axis of the curve curve should have its 3 points"),
        (
            TRIALS,
            {"printed": (Printed("good", 1.0, "page 1"),)},
            r"good is printed \(page 1\), but no single number .* has this name",
        ),
        (TRIALS, {"printed": (Printed("curve", 1.0, "page 1"),)}, r"curve is printed \(page 1\), but no single number"),
    ],
)
def test_what_does_not_fit_is_told(trials, changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        numbers_of(COIN._replace(**changed), Results(trials, False))


def test_claims_are_judged_by_their_rules():
    found = claims_of(COIN, Results(TRIALS, False))
    assert [row.verdict for row in found] == [HOLDS, FAILS, DEPENDS]
    assert found[0]._replace(reason="") == ClaimRow(
        "nobody", "coin", "The poor coin shows heads less often.", "section 2, first sentence", HOLDS, "", 3, "full"
    )
    swapped = [{**one, "fair": one["poor"], "poor": one["fair"]} for one in TRIALS]
    assert [row.verdict for row in claims_of(COIN, Results(swapped, False))] == [FAILS, HOLDS, DEPENDS]
    assert {row.run for row in claims_of(COIN, Results(TRIALS, True))} == {"quick"}


def test_what_was_not_run_has_its_rows_too():
    assert [(row.verdict, row.reason, row.trials) for row in unjudged(COIN, "no coin", False)] == [(NOT_RUN, "no coin", 0)] * 3
    assert [(row.number, row.mean, row.printed, row.verdict) for row in unmeasured(COIN)] == [
        ("fair", None, 0.5, NOT_RUN),
        ("poor", None, 0.75, NOT_RUN),
        ("poor", None, 0.2, NOT_RUN),
    ]


def near(value):
    """As files have it."""
    return None if value is None else pytest.approx(value, rel=1e-7)


def test_files_give_back_the_rows(rows, tmp_path):
    rows = [*rows, *unmeasured(COIN)]
    claims = claims_of(COIN._replace(name='a "name", and more'), Results(TRIALS, False))
    (tmp_path / "numbers.csv").write_text(csv_text(NumberRow, rows))
    (tmp_path / "claims.csv").write_text(csv_text(ClaimRow, claims))
    assert read_claims(tmp_path / "claims.csv") == claims
    for found, row in zip(read_numbers(tmp_path / "numbers.csv"), rows, strict=True):
        assert found == row._replace(**{name: near(getattr(row, name)) for name in ("place", "mean", "low", "high")})


def test_a_file_with_other_columns_is_refused(tmp_path):
    (tmp_path / "claims.csv").write_text("paper,claim\na,b\n")
    with pytest.raises(ValueError, match=r"claims.csv should have the columns paper, experiment, .*; another version wrote it"):
        read_claims(tmp_path / "claims.csv")


def test_verdicts_are_counted_in_their_order():
    words = (HOLDS, CONSISTENT, FAILS, DEPENDS, UNDECIDED, NOT_RUN)
    assert list(tally([FAILS, NOT_RUN, FAILS]).items()) == [(word, {FAILS: 2, NOT_RUN: 1}.get(word, 0)) for word in words]
