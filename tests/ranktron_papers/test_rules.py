"""Rules for claims about curves, and names at their ends."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron_papers.judging import CONSISTENT, DEPENDS, FAILS, HOLDS, UNDECIDED, Verdict
from ranktron_papers.plots import spread
from ranktron_papers.results import Results
from ranktron_papers.rules import (
    BY_ROUND,
    BY_ROWS,
    after,
    beat,
    beaten,
    by_case,
    constantly,
    every,
    exactly,
    means_text,
)

ROUNDS = [10, 20, 30]


def results(is_quick=False, form=BY_ROUND, trials=4, **curves):
    """Trials that differ by a common shift, so that every difference is sure."""
    shifts = [0.01 * trial for trial in range(trials)]
    return Results(
        [
            {key: number for name, curve in curves.items() for key, number in _numbers(name, [v + shift for v in curve], form)}
            for shift in shifts
        ],
        is_quick,
    )


def _numbers(name, curve, form):
    return [(name, curve[-1]), (form.format(name), curve)]


def test_exact_numbers_hold_only_if_all_are_so():
    found = Results([{"a": 3.0, "b": 1.0}], is_quick=True)
    assert exactly(found, {"a": 3.0, "b": 1.0}) == Verdict(HOLDS, "a is 3, b is 1")
    assert exactly(found, {"a": 3.0, "b": 2.0}).word == FAILS


def test_a_number_that_changes_with_the_trial_is_not_exact():
    assert exactly(Results([{"a": 3.0}, {"a": 3.1}], False), {"a": 3.0}).word == FAILS


def test_curves_are_read_at_a_round():
    found = after(results(a=[1.0, 2.0, 3.0], b=[4.0, 5.0, 6.0]), ROUNDS, 20)
    assert found.names == ["a", "b"]
    assert found.mean("a").value == pytest.approx(2.015)
    assert means_text(found, ["b"]) == "b 5.015"


def test_a_quick_run_stays_quick_at_a_round():
    assert after(results(is_quick=True, a=[1.0, 2.0, 3.0]), ROUNDS, 10).is_quick


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, UNDECIDED], UNDECIDED),
        ([HOLDS, CONSISTENT], CONSISTENT),
        ([HOLDS, FAILS, UNDECIDED], FAILS),
    ],
)
def test_a_part_that_fails_decides(words, whole):
    assert every([Verdict(word, "") for word in words], "why") == Verdict(whole, "why")


def test_one_beats_many_and_many_beat_one():
    found = results(a=[1.0], b=[2.0], c=[3.0])
    assert beat(found, ["a", "b"], "c") == Verdict(HOLDS, "3.015")
    assert beat(found, ["a", "c"], "b").word == FAILS
    assert beaten(found, "a", ["b", "c"]) == Verdict(HOLDS, "1.015")
    assert beaten(found, "b", ["a", "c"]).word == FAILS


def test_cases_are_sorted_by_what_became_of_them():
    cases = {"x": Verdict(FAILS, "1"), "y": Verdict(HOLDS, "2"), "z": Verdict(FAILS, "3")}
    assert by_case(cases, "lead", "against") == Verdict(DEPENDS, "lead: holds against y (2); does not hold against x (1), z (3)")


def test_cases_of_one_kind_are_just_listed():
    assert by_case({"x": Verdict(FAILS, "1"), "y": Verdict(FAILS, "2")}) == Verdict(FAILS, "x (1), y (2)")


def test_a_curve_is_below_another_everywhere_or_it_is_said_where_not():
    found = results(low=[1.0, 1.0, 1.0], high=[2.0, 2.0, 2.0], crossing=[0.5, 2.0, 2.0])
    assert constantly(found, ROUNDS, ROUNDS, "low", "high") == Verdict(HOLDS, "everywhere")
    assert constantly(found, ROUNDS, ROUNDS, "high", "low") == Verdict(FAILS, "nowhere")
    assert constantly(found, ROUNDS, ROUNDS, "low", "crossing") == Verdict(FAILS, "not after 10 rounds")
    assert constantly(found, ROUNDS, [20, 30], "low", "crossing").word == HOLDS


def test_rows_are_called_rows():
    found = results(form=BY_ROWS, a=[1.0, 2.0], b=[2.0, 1.0])
    assert constantly(found, [10, 20], [10, 20], "a", "b", BY_ROWS).reason == "not after 20 rows"


def test_one_quick_trial_is_not_sure_of_a_curve():
    found = results(is_quick=True, trials=1, a=[1.0, 1.0, 1.0], b=[2.0, 2.0, 2.0])
    assert constantly(found, ROUNDS, ROUNDS, "a", "b") == Verdict(UNDECIDED, "not surely everywhere")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.01, 0.2))
def test_names_are_apart_and_in_order(places, apart):
    moved = spread(sorted(places), apart)
    assert len(moved) == len(places)
    assert all(high - low >= apart - 1e-9 for low, high in itertools.pairwise(moved))
    assert sum(moved) == pytest.approx(sum(places), abs=1e-6)


def test_names_that_are_apart_stay():
    assert spread([0.1, 0.5, 0.9], 0.2) == [0.1, 0.5, 0.9]
