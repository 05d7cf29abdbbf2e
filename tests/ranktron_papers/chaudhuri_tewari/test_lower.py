"""The adversary of Theorem 9."""

from __future__ import annotations

import math

import pytest

from ranktron_papers import Results
from ranktron_papers.chaudhuri_tewari import lower
from ranktron_papers.judging import CONSISTENT, FAILS, HOLDS
from ranktron_papers.tables import numbers_of

# The only relevant document in the second place of two.
COST = 1 - 1 / math.log2(3)


@pytest.fixture(scope="module")
def small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lower, "SIZES", (3, 6))
        patch.setattr(lower, "LENGTHS", (2, 4))
        yield lower.trial(0, sizes=(3, 6), lengths=(2, 4))


def changed(numbers, quick=False, **changes):
    return Results([{**numbers, **changes}], quick)


def test_every_round_costs_everybody_the_same(small):
    """What the proof calls Ω(1): .3691 in NDCG and ½ in AP, with two documents exactly, whoever plays."""
    for name in lower.RANKERS:
        assert small[f"1 - NDCG in all, {name}, 2 documents"] == pytest.approx([2 * COST, 5 * COST])
        assert small[f"1 - AP in all, {name}, 2 documents"] == pytest.approx([1.0, 2.5])
    assert small["NDCG of a round, 2 documents"] == pytest.approx(1 / math.log2(3))
    assert small["AP of a round, 2 documents"] == pytest.approx(0.5)


def test_the_margin_is_twice_what_the_proof_needs(small):
    """w* has R²/γ² components of γ/2R, so its norm is ½; and the sizes are half above a whole number."""
    assert small["least margin over γ"] == pytest.approx(2 * math.sqrt(6.5 / 6))


def test_a_duel_does_not_depend_on_its_seed(small):
    assert lower.trial(1, sizes=(3, 6), lengths=(2, 4)) == small


def test_printed_numbers_are_measured(small):
    rows = numbers_of(lower.LOWER._replace(axes={name: [3.0, 6.0] for name in lower.LOWER.axes} | {
        name: [3.0, 6.0] for name, value in small.items() if isinstance(value, list)
    }), changed(small))  # fmt: skip
    assert [(row.number, row.verdict) for row in rows if row.printed is not None] == [
        ("NDCG of a round, 2 documents", HOLDS),
        ("AP of a round, 2 documents", HOLDS),
    ]


@pytest.mark.parametrize(
    ("judge", "changes", "word"),
    [
        (lower.costs_each, {"least 1 - NDCG of a round": 0.36}, CONSISTENT),  # of any algorithm: six do not prove it
        (lower.costs_each, {"least 1 - AP of a round": 0.49}, CONSISTENT),
        (lower.is_separable, {"least margin over γ": 0.99}, HOLDS),
        (lower.has_no_length, {"1 - NDCG in all, ListNet, 4 documents": [0.7, 1.8]}, HOLDS),
        (lower.is_reached, {"1 - NDCG in all, MinimaxRank, 4 documents": [12.1, 20.0]}, CONSISTENT),
    ],
)
@pytest.mark.parametrize("quick", [False, True])
def test_verdicts_follow_the_numbers_of_even_one_trial(small, judge, changes, word, quick):
    assert judge(changed(small, quick)).word == word
    assert judge(changed(small, quick, **changes)).word == FAILS


def test_axes_are_those_of_the_trial():
    names = {f"1 - {m} in all, {name}, {n} documents" for m in ("NDCG", "AP") for name in lower.RANKERS for n in (2, 5, 20)}
    assert lower.LOWER.axes.keys() == names
    assert set(map(tuple, lower.LOWER.axes.values())) == {(10.0, 30.0, 100.0, 300.0)}
