"""Rules for claims of several parts and readings."""

from __future__ import annotations

import pytest

from ranktron_papers import Results, Verdict
from ranktron_papers.chaudhuri_tewari.judging import behind, exact, in_each
from ranktron_papers.judging import CONSISTENT, DEPENDS, FAILS, HOLDS, UNDECIDED, less
from ranktron_papers.rules import by_case, every, part


def results(quick=False, **numbers):
    """Numbers in trials."""
    return Results([dict(zip(numbers, values)) for values in zip(*numbers.values())], quick)


def test_what_is_named_after_a_case():
    found = part(Results([{"wide: a": 1.0, "narrow: a": 2.0, "a": 3.0}], True), "wide")
    assert found.trials == [{"a": 1.0}]
    assert found.is_quick


@pytest.mark.parametrize(
    ("words", "word"),
    [((HOLDS, HOLDS), HOLDS), ((HOLDS, UNDECIDED), UNDECIDED), ((UNDECIDED, FAILS), FAILS), ((FAILS, HOLDS), FAILS)],
)
def test_a_part_that_does_not_hold_decides(words, word):
    assert every(Verdict(one, f"{number}") for number, one in enumerate(words)) == Verdict(word, "0; 1")


def test_behind_all_of_them():
    found = results(low=[1.0, 1.1, 1.2], high=[2.0, 2.1, 2.2], top=[3.0, 3.1, 3.2])
    assert behind(found, "low", ["high", "top"]) == Verdict(HOLDS, "low 1.1000, high 2.1000, top 3.1000")
    assert behind(found, "high", ["low", "top"]).word == FAILS
    ended = Results([{"low, end": 0.0, "high, end": 1.0}], False)
    assert behind(ended, "low", ["high"], ", end") == Verdict(HOLDS, "low 0.0000, high 1.0000")


def test_cases_are_sorted_by_their_verdicts():
    cases = {"a": Verdict(FAILS, "1"), "b": Verdict(HOLDS, "2"), "c": Verdict(FAILS, "3")}
    assert by_case(cases) == Verdict(DEPENDS, "holds for b (2); does not hold for a (1), c (3)")
    with_open = by_case(cases | {"d": Verdict(UNDECIDED, "4"), "e": Verdict(CONSISTENT, "5")})
    told = "holds for b (2); consistent for e (5); does not hold for a (1), c (3); undecided for d (4)"
    assert with_open == Verdict(DEPENDS, told)
    assert by_case({"b": cases["b"]}) == Verdict(HOLDS, "b (2)")


def test_a_rule_for_every_case():
    found = Results([{"x: a": 1.0, "x: b": 2.0, "y: a": 2.0, "y: b": 1.0}], False)
    verdict = in_each(found, ["x", "y"], lambda one: less(one, "a", "b"))
    assert verdict == Verdict(DEPENDS, "holds for x (a 1 against b 2); does not hold for y (a 2 against b 1)")


def test_what_is_no_matter_of_chance():
    assert exact(True, "so") == Verdict(HOLDS, "so")
    assert exact(False, "so") == Verdict(FAILS, "so")
