"""Rules for Harrington's claims: they flip when the numbers do."""

from __future__ import annotations

import pytest

from ranktron_papers.harrington.cells import Cell, is_reproduced, oap_cells, printed_of, single
from ranktron_papers.harrington.judging import at_place, count_readings, in_readings, lowest, spreads
from ranktron_papers.judging import DEPENDS, FAILS, HOLDS, UNDECIDED, Verdict
from ranktron_papers.results import Results
from ranktron_papers.rules import rising


def results(quick=False, **columns):
    count = len(next(iter(columns.values())))
    return Results([{name: column[i] for name, column in columns.items()} for i in range(count)], quick)


def around(value, spread=0.01):
    return [value - spread, value, value + spread, value]


def test_the_lowest_is_below_all_others():
    some = results(a=around(1), b=around(2), c=around(3))
    assert lowest(some, "a", ["b", "c"]) == Verdict(HOLDS, "1.000 against 2.000 of b")
    assert lowest(some, "b", ["a", "c"]).word == FAILS
    assert lowest(results(quick=True, a=[1], b=[2]), "a", ["b"]).word == UNDECIDED


def test_numbers_rise_if_the_ends_do_and_no_neighbours_fall():
    columns = {"a": around(1), "b": around(2), "c": [2.03, 1.97, 2.0, 2.01], "d": around(4)}
    assert rising(results(**columns), "abcd").word == HOLDS
    assert rising(results(**columns), "abc").word == HOLDS
    assert rising(results(**columns), "bc").word == UNDECIDED
    assert rising(results(**columns), "abdc").word == FAILS
    assert rising(results(**columns), "dcba").word == FAILS
    assert rising(results(quick=True, **columns), "abcd").word == UNDECIDED
    assert rising(results(quick=True, **columns), "abd").word == HOLDS


def test_readings_are_counted_and_some_are_told():
    cases = {name: Verdict(HOLDS if name in "ab" else FAILS, name.upper()) for name in "abcdefg"}
    found = count_readings(cases)
    assert found.word == DEPENDS
    assert found.reason == (
        "holds in 2 of 7 readings, with a (A); b (B). does not hold in 5 of 7 readings, with c (C); d (D); e (E) and 2 more"
    )
    assert count_readings({"a": cases["a"], "b": cases["b"]}).word == HOLDS


def test_a_cell_comes_out_in_every_reading_in_some_or_in_none():
    some = results(a=around(0.50), b=around(0.70), c=around(0.52))
    found = in_readings(some, 0.50, 0.01, {"first": "a", "second": "b", "third": "c"})
    assert found.word == DEPENDS
    assert found.reason == "comes out in 2 of 3 readings: 0.500 (first), 0.520 (third); all are from 0.500 to 0.700"
    assert in_readings(some, 0.50, 0.01, {"first": "a"}).word == HOLDS
    none = in_readings(some, 0.60, 0.01, {"first": "a", "third": "c"})
    assert none == Verdict(FAILS, "nearest: 0.520 (third), 0.500 (first); all are from 0.500 to 0.520")
    assert in_readings(results(quick=True, a=[0.5]), 0.5, 0.01, {"first": "a"}).word == UNDECIDED


def test_a_cell_is_looked_for_in_all_cases_that_have_it():
    one = Cell("x", 0.5, 0.0, {"ranks": "x", "real numbers": "x, real"})
    some = results(**{"a: x": around(0.5), "a: x, real": around(0.7), "b: x": around(0.7)})
    assert is_reproduced(some, one, ["a", "b"]).reason == (
        "comes out in 1 of 3 readings: 0.500 (a, ranks); all are from 0.500 to 0.700"
    )


def test_printed_numbers_stand_beside_real_numbers_but_where_there_are_ranks_only_or_by_regression():
    cells = [single("PRank", 0.5, 0.1, rounded_only=True), single("WH, step 1", 0.4, 0.1), single("PRank-VP", 0.3, 0.1)]
    cells += oap_cells(bpm={0.3: (0.2, 0.1)}, bagg={0.3: (0.2, 0.1)}, vp={0.3: (0.2, 0.1)})
    assert [one.number for one in printed_of(cells, "case", "Table", "survival")] == [
        "case: PRank",
        "case: WH, step 1",
        "case: PRank-VP, real",
        "case: OAP-BPM, tau 0.3",
        "case: OAP-Bagg, tau 0.3, real",
        "case: OAP-VP by survival, tau 0.3, real",
    ]


def test_spreads_are_distances_from_the_median_and_places_points_of_curves():
    assert spreads(results(a=[1.0, 2.0, 6.0]), ["a"]).values("a").tolist() == [1.0, 0.0, 4.0]
    curves = Results([{"c": [1.0, 2.0]}, {"c": [3.0, 4.0]}], False)
    assert at_place(curves, {"end": "c"}, -1).values("end").tolist() == [2.0, 4.0]


@pytest.mark.parametrize(("low", "word"), [(0.1, HOLDS), (0.4, FAILS)])
def test_numbers_that_differ_less_from_trial_to_trial_have_the_smaller_spread(low, word):
    signs = [-1, 1, -1, 1, -1, 1, -1, 1]
    columns = {"a": [1 + low * sign for sign in signs], "b": [1 + 0.3 * sign for sign in signs]}
    assert rising(spreads(results(**columns), "ab"), "ab").word == word
