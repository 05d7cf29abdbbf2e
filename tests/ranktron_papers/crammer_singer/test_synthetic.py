"""Figure 6 of Crammer & Singer: trials, the verdicts on them, and the picture."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import ranktron
from ranktron.data import synthetic
from ranktron_papers.crammer_singer.figure_6 import FIGURE_6, crossing
from ranktron_papers.crammer_singer.synthetic import CLASSES, MCP, METHODS, POINTS, ROUNDS, WH, time_averaged, trial
from ranktron_papers.judging import DEPENDS, FAILS, HOLDS, UNDECIDED
from ranktron_papers.results import Results
from ranktron_papers.rules import BY_ROUND
from tests.papers import crammer_singer as oracle

SHORT = 60


@pytest.fixture(scope="module")
def numbers():
    return trial(3, None, SHORT)


def test_a_trial_is_a_function_of_its_seed(numbers):
    assert trial(3, None, SHORT) == numbers
    assert trial(4, None, SHORT) != numbers


def test_every_method_has_its_loss_and_its_curve(numbers):
    points = [count for count in POINTS if count <= SHORT]
    for name in METHODS:
        assert len(numbers[BY_ROUND.format(name)]) == len(points)
    assert set(FIGURE_6.axes) == {BY_ROUND.format(name) for name in METHODS}
    assert POINTS[-1] == ROUNDS
    assert len(POINTS) < 200


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("PRank", oracle.prank),
        ("Si-PRank", oracle.siprank),
        ("MCP, max", oracle.mcp),
        ("MCP, uniform", lambda X, y, k: oracle.mcp(X, y, k, update="uniform")),
        ("No-PRank, fixed", oracle.noprank),
    ],
)
def test_losses_are_those_of_the_pseudocode(name, run):
    X, y = synthetic.crammer_singer(20, seed=3)
    told = [prediction for prediction, *_ in run(X.tolist(), y.tolist(), 5)]
    assert trial(3, None, 20)[name] == np.abs(np.array(told) - y).mean()


def test_the_map_is_the_papers_kernel():
    points, y = synthetic.crammer_singer(200, explicit=False, seed=1)
    X, _ = synthetic.crammer_singer(200, seed=1)
    kernel = ranktron.PRank(average=False, classes=CLASSES, kernel=ranktron.kernels.Polynomial(2))
    mapped = ranktron.PRank(average=False, classes=CLASSES)
    assert kernel.predict_then_learn(points, y).tolist() == mapped.predict_then_learn(X, y).tolist()


def test_time_averages_are_of_all_rounds_so_far():
    found = time_averaged("it", np.array([1, 2, 5]), np.array([1, 4, 4]))
    assert found["it"] == 1.0
    assert found[BY_ROUND.format("it")] == [{1: 0.0, 2: 1.0, 3: 1.0}[count] for count in POINTS if count <= 3]


def test_what_is_printed_comes_out(numbers):
    assert {one.number: numbers[one.number] for one in FIGURE_6.printed} == {one.number: one.value for one in FIGURE_6.printed}


def test_nobody_beats_the_rule_that_made_the_ranks_for_long():
    X, y = synthetic.crammer_singer(3_000, seed=0)
    rule = synthetic.crammer_singer(3_000, noise=0.0, seed=0)[1]
    model = ranktron.PRank(classes=CLASSES)
    assert np.abs(rule - y).mean() < np.abs(model.predict_then_learn(X, y) - y).mean()


# Verdicts


def estimator(is_quick=False, trials=3, **others):
    """Results as the paper tells them: WH is ahead at first, PRank overtakes it in round 500, and MCP is behind."""
    told = {name: lambda t: 2.0 - 0.1 * (t > 500) for name in METHODS}
    told |= {name: lambda t: 1.0 if t < 500 else 0.4 for name in ("PRank", "Si-PRank")}
    told |= {name: lambda t: 0.8 for name in WH} | {name: lambda t: 1.5 for name in MCP}
    told |= {"Si-PRank": lambda t: 0.99 if t < 500 else 0.39, "No-PRank, fixed": lambda t: 3.0} | others
    one = {BY_ROUND.format(name): [curve(t) for t in POINTS] for name, curve in told.items()}
    one |= {name: curve(ROUNDS) for name, curve in told.items()} | {one.number: float(one.value) for one in FIGURE_6.printed}
    return Results([one] * trials, is_quick)


def words(results):
    """The verdicts by the names of their rules, and by the rival where a rule is used for two."""
    found = {}
    for claim in FIGURE_6.claims:
        rule = getattr(claim.judge, "func", claim.judge)
        rival = getattr(claim.judge, "keywords", {}).get("than", ("",))[0].partition(",")[0]
        found[f"{rule.__name__} {rival}".strip()] = claim.judge(results).word
    return found


def test_a_run_as_the_paper_tells_it_bears_it_out():
    assert set(words(estimator(trials=100)).values()) == {HOLDS}


@pytest.mark.parametrize(
    ("rule", "others"),
    [
        ("worse_constantly PRank", {name: lambda t: 0.9 for name in MCP}),
        ("worse_constantly WH", {name: lambda t: 0.1 for name in MCP}),
        ("smallest_initially", {name: lambda t: 0.9 if t > 300 else 9.0 for name in WH}),
        ("overtaken", {name: lambda t: 0.1 for name in (*WH, *MCP)}),
        ("lower_eventually", {"PRank": lambda t: 9.0}),
        ("with_one_step", {"PRank": lambda t: 9.0}),
        ("better_single", {"PRank": lambda t: 0.1}),
        ("improved_margins", {"No-PRank, fixed": lambda t: 0.1}),
    ],
)
def test_a_run_that_tells_the_opposite_does_not(rule, others):
    assert words(estimator(**others))[rule] == FAILS


def test_a_claim_that_hangs_on_the_step_depends():
    found = words(estimator(**{"WH, step 0.2": lambda t: 0.1}))
    assert found["lower_eventually"] == found["overtaken"] == DEPENDS
    assert found["with_one_step"] == HOLDS


def test_overtaking_much_earlier_is_not_about_then():
    assert words(estimator(**{name: lambda t: 0.8 if t < 100 else 1.2 for name in WH}))["overtaken"] == DEPENDS


def test_few_trials_decide_nothing_but_what_is_no_matter_of_chance():
    found = words(estimator(is_quick=True, trials=1))
    assert found.pop("exactly") == HOLDS
    assert set(found.values()) == {UNDECIDED}


def test_wide_intervals_are_wider_than_symbols():
    narrow, wide = estimator().trials[0], estimator(**{"PRank": lambda t: 1.9}).trials[0]
    assert words(Results([narrow, wide] * 50, False))["narrower_than_symbols"] == FAILS


def test_where_curves_cross():
    assert crossing(estimator(), "PRank", "WH, step 0.1") == "ahead from round 500"
    assert crossing(estimator(), "PRank", "MCP, max") == "ahead from round 1"
    assert crossing(estimator(), "WH, step 0.1", "PRank") == "not ahead in the end"


def test_the_picture_names_its_curves():
    figure = Figure(layout="constrained")
    FIGURE_6.draw(estimator(), figure)
    whole, start = figure.axes
    assert {text.get_text() for text in whole.texts} >= {"PRank", "Si-PRank", "MCP", *WH}
    assert whole.get_xlabel() == start.get_xlabel() == "rounds"
    assert whole.get_xlim() == (0, ROUNDS)


@pytest.mark.full
@pytest.mark.compiled
def test_a_whole_trial():
    numbers = trial(0, None)
    best = numbers["the rule that made the ranks"]
    assert all(best < numbers[name] for name in METHODS)
    assert numbers["averaged PRank"] < numbers["PRank"] < numbers["MCP, max"]
