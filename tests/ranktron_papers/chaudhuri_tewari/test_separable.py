"""Figure 1, and the totals around it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ranktron_papers import Results
from ranktron_papers.chaudhuri_tewari import constant, separable
from ranktron_papers.chaudhuri_tewari.lists import READINGS
from ranktron_papers.judging import CONSISTENT, DEPENDS, FAILS, HOLDS, UNDECIDED

# Figure 1


@pytest.fixture(scope="module")
def figure_1():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(separable, "STEPS", (0.01, 1.0))
        return separable.trial(1, n_lists=30), separable.trial(1, n_lists=30)


def test_a_trial_is_a_function_of_its_seed(figure_1):
    first, again = figure_1
    assert first == again


def test_curves_have_the_places_of_their_axes(figure_1):
    curves = {name: value for name, value in figure_1[0].items() if isinstance(value, list)}
    assert curves.keys() == separable.FIGURE_1.axes.keys()
    assert {len(value) for value in curves.values()} == {len(separable.marks(30))}
    assert separable.marks(10_000)[-1] == 10_000
    assert len(separable.marks(10_000)) <= 200


def test_the_best_step_is_what_is_shown(figure_1):
    for reading in READINGS:
        for name in ("SLAM", "ListNet"):
            by_step = {step: figure_1[0][f"{reading}: {name}, step {step:g}"] for step in (0.01, 1.0)}
            assert figure_1[0][f"{reading}: {name}"] == max(by_step.values())
            assert by_step[round(10 ** figure_1[0][f"{reading}: log10 of the step of {name}"], 9)] == max(by_step.values())


def test_the_step_does_not_matter_to_minimax_rank(figure_1):
    """Section 6.2 proves it; scaled by powers of two not even rounding differs."""
    assert all(figure_1[0][f"{reading}: MinimaxRank, moved by the step"] == 0.0 for reading in READINGS)
    assert any(figure_1[0][f"{reading}: SLAM, moved by the step"] > 0.0 for reading in READINGS)


def told(quick=False, **changes):
    """Figure 1's numbers, the same in two trials but for a little."""
    numbers = {
        "SLAM": 0.998, "MinimaxRank": 0.997, "ListNet": 0.99, "SLAM, after a tenth": 0.98, "MinimaxRank, after a tenth": 0.97,
        "ListNet, after a tenth": 0.95, "SLAM and MinimaxRank apart, from 1 % on": 0.005, "SLAM, step 0.001": 0.9,
        "SLAM, step 1": 0.99,
        "SLAM and MinimaxRank apart, from 10 % on": 0.001, "SLAM, moved by the step": 0.1, "MinimaxRank, moved by the step": 0.0,
    }  # fmt: skip
    numbers |= {name: value for name, value in changes.items() if ":" not in name}
    whole = {f"{reading}: {name}": value for reading in READINGS for name, value in numbers.items()}
    whole |= {name: value for name, value in changes.items() if ":" in name}
    return Results([{name: value * (1 + shift) for name, value in whole.items()} for shift in (0.0, 1e-9)], quick)


@pytest.mark.parametrize(
    ("judge", "changes"),
    [
        (separable.near_one, {"MinimaxRank": 0.98}),
        (separable.slower, {"ListNet": 0.9975, "ListNet, after a tenth": 0.975}),
        (separable.together, {f"SLAM and MinimaxRank apart, from {share} % on": 0.02 for share in separable.SHARES}),
        (separable.step_matters, {"SLAM, step 0.001": 0.9995, "SLAM, step 1": 0.99}),
        (separable.step_does_not_matter, {"MinimaxRank, moved by the step": 0.01}),
    ],
)
def test_verdicts_of_figure_1_follow_the_numbers(judge, changes):
    assert judge(told()).word == HOLDS
    assert judge(told(**changes)).word == FAILS


def test_figure_1_depends_on_how_documents_lie():
    other = told(**{"wide Gaussians: ListNet": 0.9999})
    assert separable.slower(other).word == DEPENDS
    assert "does not hold for wide Gaussians after 10,000 lists (ListNet 0.9999, SLAM 0.9980" in separable.slower(other).reason


def test_one_quick_trial_does_not_decide_figure_1():
    quick = Results(told().trials[:1], True)
    assert {judge(quick).word for judge in (separable.near_one, separable.slower, separable.together)} == {UNDECIDED}


# Totals


def test_the_weights_of_the_worst_list():
    """One document of grade 4 on top, 2^4 - 1 = 15, and a grade 1 at the last place that counts, 1 / log2(1 + place)."""
    assert constant.v_max("ndcg@10") == pytest.approx(15 * math.log2(11))
    assert constant.v_max("ndcg") == pytest.approx(15 * math.log2(21))
    assert constant.v_max("ap") == 1.0


def test_what_the_theorems_promise():
    promised = constant.guarantees(5.0)
    per_pair = 4 * 25 / 0.1**2
    assert promised["bound, MinimaxRank for NDCG@10"] == pytest.approx(per_pair)
    assert promised["bound, SLAM for AP"] == pytest.approx(20 * per_pair)
    assert promised["bound, SLAM for NDCG@10"] == pytest.approx(10 * 15 * math.log2(11) * per_pair)
    assert promised["bound, SLAM for NDCG"] == pytest.approx(20 * 15 * math.log2(21) * per_pair)
    assert constant.theory_step(5.0) == pytest.approx(1 / (4 * 10 * 25 * 15 * math.log2(11)))


def test_the_last_mark_is_the_end_of_the_second_half():
    assert constant.MARKS[-1] == 2 * constant.MARKS[-2]


def test_totals_add_up(monkeypatch):
    monkeypatch.setattr(constant, "PIECE", 3)
    numbers = constant.trial(2, marks=(4, 8, 16))
    curves = {name: value for name, value in numbers.items() if isinstance(value, list)}
    assert curves.keys() == constant.CONSTANT.axes.keys()
    for name, total in curves.items():
        lead = name.removesuffix(", by round")
        assert total == sorted(total)
        assert (numbers[f"{lead}, half-way"], numbers[f"{lead}, total"]) == tuple(total[1:])
    for reading in READINGS:
        for name in constant.FINITE:
            misranked, half = (numbers[f"{reading}: {name}, misranked{ending}"] for ending in ("", " half-way"))
            assert 0 <= half <= misranked <= 16
            assert numbers[f"{reading}: {name}, total"] <= misranked  # a list costs 1 at most


def test_pieces_are_the_whole():
    class Counting:
        def draw(self, n_lists):
            return n_lists

    assert list(constant.batches(Counting(), 12_000)) == [5_000, 5_000, 2_000]


def totals(quick=False, **changes):
    """Numbers of long streams, the same in two trials but for a little."""
    numbers = {f"{name}, total": 10.0 for name in (*constant.FINITE, constant.SLOW)}
    numbers |= {f"{name}, half-way": 9.0 for name in (*constant.FINITE, constant.SLOW)}
    numbers |= {f"{name}, misranked": 110.0 for name in constant.FINITE}
    numbers |= {f"{name}, misranked half-way": 100.0 for name in constant.FINITE}
    numbers |= {f"{name}, total": 40.0 + n for n, name in enumerate(constant.LISTNETS)}
    numbers |= {f"{name}, half-way": 20.0 for name in constant.LISTNETS}
    numbers |= {f"bound, {name}": 1000.0 if "SLAM" in name else 500.0 for name in constant.FINITE}
    numbers |= {"longest document": 9.0, **changes}
    whole = {f"{reading}: {name}": value for reading in READINGS for name, value in numbers.items()}
    return Results([{name: value * (1 + shift) for name, value in whole.items()} for shift in (0.0, 1e-9)], quick)


@pytest.mark.parametrize(
    ("judge", "changes"),
    [
        (constant.outlasted, {f"{constant.LISTNETS[0]}, half-way": 39.9}),
        (constant.has_the_better_bound, {f"bound, {constant.MINIMAX}": 2000.0}),
    ],
)
def test_verdicts_on_totals_follow_the_numbers(judge, changes):
    assert judge(totals()).word == HOLDS
    assert judge(totals(**changes)).word == FAILS


def test_a_loss_below_its_bound_is_consistent_and_one_above_contradicts():
    assert constant.is_bounded(totals()).word == CONSISTENT
    for changes in ({f"{constant.SLAM}, total": 1001.0}, {f"{constant.SLOW}, total": 1001.0}, {"longest document": 11.0}):
        assert constant.is_bounded(totals(**changes)).word == FAILS


def test_errors_in_the_second_half_leave_a_finite_number_undecided():
    """Ten of 110 errors, or 62 of 481, in the second half of a stream do not show that their number is finite."""
    stopped = {f"{name}, misranked": 100.5 for name in constant.FINITE}
    assert constant.stops(totals(**stopped)).word == CONSISTENT
    assert constant.stops(totals()).word == UNDECIDED
    measured = {f"{constant.SLAM}, misranked": 481.0, f"{constant.SLAM}, misranked half-way": 419.0}
    assert constant.stops(totals(**stopped | measured)).word == UNDECIDED


def test_the_better_bound_is_the_one_that_long_lists_leave_alone():
    assert "1,800,000 with 20 documents and 3,600,000 with twice as many" in constant.has_the_better_bound(totals()).reason


def test_reasons_say_what_was_measured():
    assert "SLAM for NDCG@10 10 of 110" in constant.stops(totals()).reason
    assert "SLAM for NDCG@10 1 of 10 against ListNet, step 0.00316 20 of 40" in constant.outlasted(totals()).reason
    assert "bounds 500 and 1,000, measured 10 and 10" in constant.has_the_better_bound(totals()).reason
    assert "longer than 10" in constant.is_bounded(totals(**{"longest document": 11.0})).reason


@pytest.mark.compiled
def test_the_perceptrons_learn_what_a_ranker_orders():
    """Corollaries 7 and 11: after a while next to nothing is lost."""
    numbers = separable.trial(0, n_lists=3_000)
    for reading in READINGS:
        for name in ("SLAM", "MinimaxRank"):
            curve = np.array(numbers[f"{reading}: {name}, by round"])
            assert curve[-1] > 0.99
            assert curve[-1] > curve[0]
