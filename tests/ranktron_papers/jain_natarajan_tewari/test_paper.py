"""Predtron's experiments as a whole: what they print and claim, their axes and figures, and the rules of verdicts."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import pytest
from matplotlib.figure import Figure

from ranktron_papers import jain_natarajan_tewari as paper
from ranktron_papers.jain_natarajan_tewari import judging
from ranktron_papers.jain_natarajan_tewari import special_cases as special
from ranktron_papers.results import Results
from ranktron_papers.tables import claims_of, numbers_of

EXPERIMENTS = {experiment.name: experiment for experiment in paper.PAPER.experiments}
SMALL: dict[str, dict[str, Any]] = {
    "predtron-figure-1a": {"documents": 4, "features": 3, "counts": tuple(range(10, 101, 10)), "tests": 4},
    "predtron-figure-1b": {"lengths": (2, 3, 4, 5, 6), "features": 3, "lists": 3, "tests": 4},
    "predtron-figure-1c": {"widths": (5, 6, 7, 8, 9), "sparsities": (1, 2, 3, 4, 5, 6), "wide": 8, "lists": 3, "tests": 3},
    "predtron-framework": {"tried": 2, "n": 40, "levels": 2},
    "predtron-binary": {"n": 80, "n_features": 5, "duel": 8},
    "predtron-weights": {"n": 80, "n_features": 5, "duel": 8},
    "predtron-reject": {"n": 60, "n_features": 5},
    "predtron-multiclass": {"n": 60, "n_features": 6, "k": 3, "duel": 10},
    "predtron-ordinal": {"n": 40, "n_features": 3},
    "predtron-multilabel": {"m": 3, "tried": 3, "n": 60},
    "predtron-rankings": {"lists": 4, "documents": 3, "tried": 3, "idle": 3},
}


@pytest.fixture(scope="module")
def measured() -> dict[str, Results]:
    """Two small trials of each, which have the names and the numbers of points of large ones."""
    return {
        name: Results([EXPERIMENTS[name].trial(seed, None, **sizes) for seed in range(2)], is_quick=False)  # type: ignore[call-arg]
        for name, sizes in SMALL.items()
    }


def test_the_paper_has_its_figures_and_special_cases() -> None:
    assert set(EXPERIMENTS) == set(SMALL)
    assert {experiment.paper for experiment in EXPERIMENTS.values()} == {paper.PAPER.name}
    assert all(0 < experiment.quick <= experiment.trials for experiment in EXPERIMENTS.values())


@pytest.mark.parametrize("name", SMALL)
def test_numbers_and_claims_make_tables(measured: dict[str, Results], name: str) -> None:
    experiment, results = EXPERIMENTS[name], measured[name]
    rows = numbers_of(experiment, results)
    assert {row.number for row in rows} == set(results.names)
    assert {row.number for row in rows if row.printed is not None} == {one.number for one in experiment.printed}
    words = {"holds", "consistent", "does not hold", "depends", "undecided"}
    assert all(row.verdict in words and len(row.reason) > 10 for row in claims_of(experiment, results))
    assert {row.verdict for row in claims_of(experiment, Results(results.trials, is_quick=True))} <= words


@pytest.mark.parametrize("name", SMALL)
def test_processes_can_share_trials(name: str) -> None:
    trial = EXPERIMENTS[name].trial
    assert pickle.loads(pickle.dumps(trial)) is trial
    first, second, *rest = inspect.signature(trial).parameters.values()
    assert (first.name, second.name) == ("seed", "data")
    assert all(parameter.default is not inspect.Parameter.empty for parameter in rest)


@pytest.mark.parametrize("name", [name for name in SMALL if EXPERIMENTS[name].draw is not None])
def test_figures_have_named_axes_and_no_empty_panel(measured: dict[str, Results], name: str) -> None:
    figure = Figure(layout="constrained")
    EXPERIMENTS[name].draw(measured[name], figure)  # type: ignore[misc]
    assert figure.axes
    assert all(axes.lines for axes in figure.axes)
    assert any(axes.get_xlabel() for axes in figure.axes)
    wide = [axes for axes in figure.axes if axes.get_ylabel() or len(axes.get_yticklabels()) > 1]
    assert wide


# Rules


def test_bounds_are_broken_by_one_trial() -> None:
    results = Results([{"a": 0.2, "b": 1.0}, {"a": 0.3, "b": 1.0 + 1e-12}], is_quick=False)
    assert judging.never_above(results, ["a", "b"]).word == "consistent"
    assert "b" in judging.never_above(results, ["a", "b"]).reason
    assert judging.never_above(results, ["a", "b"], 0.25).word == "does not hold"
    assert judging.never_below(results, ["a", "b"], 0.2).word == "consistent"
    assert judging.never_below(results, ["a"], 0.25).word == "does not hold"


def test_nothing_is_nothing() -> None:
    results = Results([{"a": 0.0, "b": -1e-15}, {"a": 0.0, "b": 0.0}], is_quick=False)
    assert judging.nothing(results, ["a"]).word == "holds"
    assert judging.nothing(results, ["a", "b"]).word == "does not hold"
    assert judging.nothing(results, ["a", "b"], close=1e-12).word == "holds"


def test_numbers_between_limits() -> None:
    results = Results([{"a": 1.0}, {"a": 2.0}], is_quick=False)
    assert judging.between(results, [("a", 1.0, 2.0)]).word == "holds"
    assert judging.between(results, [("a", 1.0, 1.5)]).word == "does not hold"
    assert judging.between(results, [("a", 1.5, 2.0)]).word == "does not hold"


def test_points_of_curves_are_picked() -> None:
    results = Results([{"curve": [1.0, 3.0], "one": 5.0}, {"curve": [2.0, 6.0], "one": 7.0}], is_quick=True)
    assert judging.picked(results, {"c": "curve", "o": "one"}, 1).trials == [{"c": 3.0, "o": 5.0}, {"c": 6.0, "o": 7.0}]
    assert judging.picked(results, {"c": "curve"}).trials == [{"c": 2.0}, {"c": 4.0}]
    assert judging.picked(results, {"c": "curve"}).is_quick


@pytest.mark.parametrize(
    ("value", "words"), [(0.0, "0"), (12345.6, "12,346"), (3.2e12, "3.2e+12"), (0.00123456, "0.00123"), (3e-7, "3e-07")]
)
def test_numbers_are_shown_as_people_read_them(value: float, words: str) -> None:
    assert judging.number_text(value) == words


def test_the_factor_is_gone_only_if_the_loss_driven_bound_is_kept() -> None:
    names = {
        "loss-driven loss over its bound, random costs": 0.5,
        "loss of Algorithm 1 over the loss-driven bound, staircase": 3.0,
    }
    for reached, word in ((0.9, "consistent"), (1.1, "does not hold")):
        results = Results([{**names, "loss-driven loss over its bound, staircase": reached}] * 2, is_quick=False)
        assert paper.factor_is_gone(results).word == word


def test_convexity_asks_for_both() -> None:
    bent, least = "how far surrogates are from convex", "lowest surrogate"
    for values, word in (((1e-15, 0.0), "consistent"), ((0.1, 0.0), "does not hold"), ((0.0, -0.1), "does not hold")):
        assert paper.convex(Results([dict(zip((bent, least), values))], is_quick=False)).word == word


def test_rules_of_special_cases_follow_their_numbers() -> None:
    def changed(plain: float, driven: float) -> str:
        names = ("share of answers changed, Algorithm 1", "share of answers changed, loss-driven")
        return special.different_weights(Results([dict(zip(names, (plain, driven)))], is_quick=False)).word

    assert [changed(0.0, 0.2), changed(0.1, 0.2), changed(0.0, 0.0)] == ["depends", "holds", "does not hold"]

    def ratio(few: float, many: float) -> str:
        names = [f"bound of Predtron over that of PRank, {which} ranks" for which in ("fewest", "most")]
        return special.up_to_constants(Results([dict(zip(names, (few, many)))], is_quick=False)).word

    assert [ratio(2.0, 3.0), ratio(2.0, 300.0)] == ["holds", "does not hold"]

    def rejected(share: float) -> str:
        names = [f"rejected{of}, costs {name}" for of in ("", " of noisy rows") for name in special.PRICES]
        return special.ever_rejects(Results([dict.fromkeys(names, 0.0) | {names[-1]: share}], is_quick=False)).word

    assert [rejected(0.0), rejected(0.01)] == ["does not hold", "holds"]


def test_rounds_with_ties_are_needed_for_footnote_2() -> None:
    for ties, word in ((0.0, "does not hold"), (1.0, "holds")):
        results = Results([{"rounds with an error set and no mistake": ties, "mistakes": 9.0}] * 2, is_quick=False)
        assert special.more_rounds(results).word == word


def test_the_printed_subset_loss_would_have_to_be_learned() -> None:
    names = "sets right, subset loss", "sets right, subset loss as printed"
    for values, word in (((0.9, 0.1), "does not hold"), ((0.1, 0.9), "holds")):
        assert paper.inverted(Results([dict(zip(names, values))] * 3, is_quick=False)).word == word


@pytest.mark.full
@pytest.mark.compiled
def test_a_trial_of_full_size() -> None:
    numbers = EXPERIMENTS["predtron-figure-1a"].trial(0, None)
    assert len(numbers["1/i, centres in a row, ties by index"]) == 10  # type: ignore[arg-type]
    assert numbers["-i^2, centres in a row, ties by index, 60 lists"] < numbers["1/i, centres in a row, ties by index, 60 lists"]
