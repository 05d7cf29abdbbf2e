"""Verdicts follow the numbers: they flip when these do, and a quick run is never surer than a full one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ranktron_papers import Printed, Results
from ranktron_papers.judging import (
    CONSISTENT,
    DEPENDS,
    FAILS,
    HOLDS,
    UNDECIDED,
    Verdict,
    always,
    at_most_consistent,
    below,
    less,
    matches,
)

OPPOSITE = {HOLDS: FAILS, FAILS: HOLDS}


def results(quick=False, **numbers):
    """Numbers in trials."""
    return Results([dict(zip(numbers, values)) for values in zip(*numbers.values())], quick)


def test_a_difference_that_every_trial_has():
    found = results(a=[1.0, 2.0, 3.0], b=[2.0, 3.1, 4.2])
    assert less(found, "a", "b").word == HOLDS
    assert less(found, "b", "a").word == FAILS
    assert less(found, "a", "b").reason == "a 2 ± 2.5 against b 3.1 ± 2.7"


def test_trials_are_compared_one_by_one():
    """The intervals overlap by far, and the differences are all the same but for little."""
    found = results(a=[0.0, 10.0, 20.0, 30.0], b=[1.0, 11.1, 21.0, 30.9])
    assert found.mean("a").half > 15
    assert less(found, "a", "b").word == HOLDS


def test_less_by_so_much():
    found = results(a=[1.0, 1.1, 0.9], b=[2.0, 2.0, 2.0])
    assert less(found, "a", "b", by=0.5).word == HOLDS
    assert less(found, "a", "b", by=1.5).word == FAILS


def test_nothing_beyond_chance():
    numbers = {"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 3.1]}
    assert less(results(**numbers), "a", "b").word == less(results(**numbers), "b", "a").word == UNDECIDED
    assert "no difference beyond chance in 3 trials" in less(results(**numbers), "a", "b").reason
    assert less(results(True, **numbers), "a", "b").word == UNDECIDED
    assert "too few trials to tell" in less(results(True, **numbers), "a", "b").reason


def test_numbers_that_are_equal_in_every_trial_are_no_matter_of_chance():
    numbers = {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}
    assert less(results(**numbers), "a", "b").word == FAILS
    assert "no difference in any of 3 trials" in less(results(**numbers), "a", "b").reason


def test_a_quick_run_of_one_trial_tells_nothing_and_a_full_one_all():
    assert less(results(True, a=[1.0], b=[2.0]), "a", "b").word == UNDECIDED
    assert less(results(False, a=[1.0], b=[2.0]), "a", "b").word == HOLDS
    assert less(results(False, a=[2.0], b=[1.0]), "a", "b").word == FAILS


@given(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=8))
def test_the_rule_is_students_test(differences):
    found = results(a=[0.0] * len(differences), b=differences)
    with np.errstate(all="ignore"):
        low = (
            stats.ttest_1samp(differences, 0.0).confidence_interval(0.95).low
            if np.ptp(differences) > 1e-9
            else np.mean(differences)
        )
    if abs(low) > 1e-6:
        assert (less(found, "a", "b").word == HOLDS) == (low > 0)


def test_below_a_limit():
    found = results(a=[1.0, 1.1, 0.9])
    assert below(found, "a", 1.5).word == HOLDS
    assert below(found, "a", 0.5).word == FAILS
    assert below(found, "a", 1.5).reason.endswith("against 1.5")


@pytest.mark.parametrize(
    ("values", "half", "digits", "word"),
    [
        ([0.374, 0.374, 0.374], None, 2, HOLDS),  # rounds to 0.37
        ([0.376, 0.376, 0.376], None, 2, FAILS),  # rounds to 0.38
        ([0.376, 0.376, 0.376], 0.01, 2, HOLDS),  # inside the printed interval
        ([0.3, 0.4, 0.5], None, 2, HOLDS),  # 0.4 ± 0.25
        ([0.44, 0.45, 0.46], None, 2, FAILS),  # 0.45 ± 0.025
        ([0.376, 0.376, 0.376], None, 1, HOLDS),  # as printed to one digit
    ],
)
def test_a_printed_number_comes_out(values, half, digits, word):
    assert matches(results(a=values), Printed("a", 0.37, "Table 1", half), digits).word == word


def test_what_is_said_of_a_printed_number():
    verdict = matches(results(a=[0.44, 0.45, 0.46]), Printed("a", 0.37, "Table 1", 0.02))
    assert verdict == Verdict(FAILS, "a 0.45 ± 0.025, printed 0.37 ± 0.02")


def test_a_quick_run_does_not_tell_at_the_edge_or_from_one_trial():
    assert matches(results(True, a=[0.36, 0.37, 0.38]), Printed("a", 0.37, "")).word == UNDECIDED
    assert matches(results(True, a=[0.9]), Printed("a", 0.37, "")).word == UNDECIDED
    assert matches(results(True, a=[0.9, 0.9, 0.9001]), Printed("a", 0.37, "")).word == FAILS


YES, NO, OPEN = Verdict(HOLDS, "so"), Verdict(FAILS, "not so"), Verdict(UNDECIDED, "who knows")
PROMISE = Verdict(CONSISTENT, "so")


def test_always():
    assert always({"a": YES, "b": YES}) == Verdict(HOLDS, "a: so; b: so")
    assert always({"a": NO, "b": NO}).word == FAILS
    assert always({"a": YES, "b": NO}) == Verdict(DEPENDS, "does not hold for b, holds for a (a: so; b: not so)")
    assert always({"a": YES, "b": OPEN}) == Verdict(UNDECIDED, "a: holds; b: undecided")
    assert always({"a": NO, "b": OPEN}).word == UNDECIDED
    assert always({"a": YES, "b": NO, "c": OPEN}).word == DEPENDS  # whatever c turns out to be


def test_what_no_run_can_prove_is_consistent_at_most():
    assert at_most_consistent(YES) == PROMISE
    assert [at_most_consistent(one) for one in (NO, OPEN)] == [NO, OPEN]
    assert always({"a": PROMISE, "b": PROMISE}).word == always({"a": YES, "b": PROMISE}).word == CONSISTENT
    assert always({"a": PROMISE, "b": NO}).word == DEPENDS
    assert always({"a": PROMISE, "b": OPEN}).word == UNDECIDED


@given(st.integers(0, 10_000), st.floats(-1.0, 1.0), st.integers(2, 8))
def test_a_quick_run_is_never_surer(seed, effect, first):
    """It asks for 99.9 % where the full run asks for 95 %: on the same numbers it says the same, or nothing."""
    noise = np.random.default_rng(seed).normal(effect, 1.0, first).tolist()
    numbers = {"a": [0.0] * first, "b": noise}
    quick, full = less(results(True, **numbers), "a", "b").word, less(results(False, **numbers), "a", "b").word
    assert quick in (full, UNDECIDED)
    assert quick != OPPOSITE.get(full)
