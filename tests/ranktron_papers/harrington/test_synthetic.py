"""Harrington's Figures 1 and 2, Table 1, and what he says of τ: the parts against known answers."""

from __future__ import annotations

import numpy as np
import pytest

import ranktron
from ranktron.bounds import margin
from ranktron_papers.harrington import figure_1 as bayes_point
from ranktron_papers.harrington import figure_2 as rounds
from ranktron_papers.harrington import margin as margins
from ranktron_papers.harrington import table_1 as table
from ranktron_papers.harrington import tau
from ranktron_papers.harrington.methods import BAGG, BPM, PRANK, VP, WH
from ranktron_papers.judging import DEPENDS, FAILS, HOLDS
from tests.ranktron_papers.harrington.made import first, made_up

# Figure 1


@pytest.mark.parametrize("n_features", [1, 2])
def test_rules_that_agree_do_and_so_does_their_centre(n_features):
    rows, agreeing = bayes_point.problem(np.random.default_rng(5), n_features)
    assert rows.shape == (5, n_features + 1)
    assert set(np.abs(rows[:, -1])) == {1.0}
    assert (agreeing @ rows.T > 0).all()
    assert np.allclose(np.linalg.norm(agreeing, axis=1), 1.0)
    assert (rows @ agreeing.mean(axis=0) > 0).all()


def test_the_centre_of_a_plane_halves_the_angle_between_the_outermost_rules():
    _, agreeing = bayes_point.problem(np.random.default_rng(2), 1)
    centre = agreeing.mean(axis=0)
    turns = np.degrees(np.arctan2(agreeing @ [-centre[1], centre[0]], agreeing @ centre))
    assert turns.max() == pytest.approx(-turns.min(), abs=0.5)


def test_the_centre_errs_least_and_is_where_it_is():
    random = np.random.default_rng(1)
    rows, agreeing = bayes_point.problem(random, 2)
    rules = {bayes_point.CENTRE: agreeing.mean(axis=0, keepdims=True), "border": agreeing[:30]}
    numbers = bayes_point.measured(random, rules, rows, agreeing)
    assert numbers["centre, degrees from the centre"] == pytest.approx(0.0, abs=1e-5)
    assert numbers["centre, share that agrees"] == numbers["border, share that agrees"] == 1.0
    assert numbers["centre, error on unseen rows"] < numbers["border, error on unseen rows"]


def test_learned_rules_agree_with_the_rows_if_these_come_often_enough():
    rows, _ = bayes_point.problem(np.random.default_rng(0), 2)
    rules = bayes_point.learned(rows, seed=0, repeats=60, members=3)
    assert all((some @ rows.T > 0).all() for some in rules.values())
    assert rules[bayes_point.BPM][0] == pytest.approx(rules[bayes_point.MEMBER].mean(axis=0))


def test_a_point_of_the_drawn_plane_is_on_the_side_of_every_line_that_its_rule_is_on():
    rows, agreeing = bayes_point.problem(np.random.default_rng(4), 2)
    rules = {name: agreeing[i : i + 1] for i, name in enumerate(bayes_point.PLACED)}
    seen = bayes_point.plane(rows, rules | {bayes_point.CENTRE: agreeing.mean(axis=0, keepdims=True)})
    a, b, c = (np.array(seen[f"lines, {axis}"]) for axis in "abc")
    for name, rule in rules.items():
        ahead = rule[0] @ agreeing.mean(axis=0) > 0
        side = a + b * seen[f"{name}, u"][0] + c * seen[f"{name}, v"][0]
        assert ((side > 0) == (rows @ rule[0] > 0)).all() or not ahead


@pytest.mark.parametrize(("near", "word"), [({"OAP-BPM": 1.0}, HOLDS), ({"PRank": 1.0}, FAILS)])
def test_the_mean_has_to_be_nearer_to_the_centre_than_prank(near, word):
    experiment = bayes_point.FIGURE_1
    results = made_up(experiment, lambda number: near.get(number.split(": ")[-1].split(",")[0], 2.0))
    assert experiment.claims[0].judge(results).word == word


# Figure 2


def rounds_with(**lows):
    """Results in which some methods have a low average, and all others 1."""
    low = {BPM.format(0.3): 0.5, **lows}
    how = lambda number: low.get(number.removesuffix(", by round"), 1.0)  # noqa: E731
    return made_up(rounds.FIGURE_2, how)


def test_oap_bpm_is_lowest_unless_voting_is_in_some_reading():
    assert rounds.lowest_at_the_end(rounds_with()).word == HOLDS
    assert rounds.lowest_at_the_end(rounds_with(**{VP.format("survival", 0.3): 0.4})).word == DEPENDS
    assert rounds.lowest_at_the_end(rounds_with(PRank=0.4)).word == FAILS


def test_oap_vp_is_lowest_at_first_only_if_it_is_below_everybody():
    voted = {name: 0.4 for _, name in rounds.READINGS.values()}
    assert rounds.lowest_at_first(rounds_with(**voted)).word == HOLDS
    assert rounds.lowest_at_first(rounds_with(**voted, **{BAGG.format(0.3): 0.3})).word == DEPENDS
    assert rounds.lowest_at_first(rounds_with()).word == FAILS


@pytest.mark.parametrize(("step", "word"), [(0.1, HOLDS), (0.2, FAILS)])
def test_the_step_of_the_figure_has_to_be_the_best(step, word):
    assert rounds.best_step(rounds_with(**{WH.format(step): 0.5})).word == word


def test_averages_in_the_end_are_the_last_points_of_curves():
    numbers = first("harrington-figure-2")
    for name in rounds.CURVES:
        assert numbers[name] == pytest.approx(numbers[f"{name}, by round"][-1], rel=1e-12)


# Table 1


def test_oap_bpm_has_to_be_lowest_for_every_tau():
    low = {BPM.format(each): 0.1 for each in table.TAUS}
    how = lambda number: low.get(number.split(": ")[-1], 0.3)  # noqa: E731
    results = made_up(table.TABLE_1, how)
    assert table.bpm_is_lowest(results).word == HOLDS
    low[BAGG.format(0.6)] = 0.05
    assert table.bpm_is_lowest(made_up(table.TABLE_1, how)).word == DEPENDS
    low[PRANK] = 0.05
    assert table.bpm_is_lowest(made_up(table.TABLE_1, how)).word == FAILS


def test_numbers_as_printed_come_out():
    value = {name: one.value for one in (*table.TEXT, *table.TABLE) for name in one.kinds.values()}
    how = lambda number: value.get(number.split(": ")[-1], 0.9)  # noqa: E731
    results = made_up(table.TABLE_1, how)
    assert {claim.judge(results).word for claim in table.CLAIMS if " ± " in claim.text} == {HOLDS}
    only_fewer = lambda number: how(number) if "after 5,000" in number else 0.9  # noqa: E731
    results = made_up(table.TABLE_1, only_fewer)
    assert {claim.judge(results).word for claim in table.CLAIMS if " ± " in claim.text} == {DEPENDS}


# τ, N and margins


def test_what_two_members_differ_on():
    ranks = np.array([[1, 2, 3, 5], [1, 2, 4, 5], [1, 3, 5, 5]])
    pairs = [np.mean(ranks[i] != ranks[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert tau.differing(ranks) == pytest.approx(np.mean(pairs))
    assert tau.turned(np.array([[2.0, 0.0], [0.0, 3.0]])) == pytest.approx(90.0)


def test_ranks_and_places_in_the_interval_are_those_of_the_model():
    X, y = ranktron.data.synthetic.crammer_singer(50, seed=1)
    model = ranktron.PRank(average=False, classes=tau.CLASSES).partial_fit(X, y)
    assert (tau.ranks_by(model.coef_[None], model.thresholds_[None], X)[0] == model.predict(X)).all()

    class Rule:
        thresholds_ = np.array([0.0, 2.0, 4.0, 6.0])

        def project(self, X):
            return X[:, 0]

    rows, ranks = np.array([[1.0], [1.0], [5.0], [100.0]]), np.array([2, 2, 3, 5])  # in the middle twice, 2 off, and not between
    assert tau.off_middle(Rule(), rows, ranks) == 0.0
    assert tau.off_middle(Rule(), rows[2:], ranks[2:]) == 2.0


def test_all_members_together_are_the_mean_rule():
    numbers = tau.trial(0, moments=(5, 10), look_at=10, fresh=10, members=100)
    assert numbers["100 of the members, tau 0.3"] == numbers["OAP-BPM, tau 0.3, by rows"][-1]


def test_rows_without_a_mistake_are_clear_of_thresholds_and_prank_ranks_them_after_so_many_epochs():
    X, y = margins.separable(0, 10, 0.3)
    assert margin(margins.RULE, margins.THRESHOLDS, X, y) > 0
    epochs = margins.epochs_to_stop(X, y)
    model = ranktron.PRank(average=False, classes=margins.CLASSES)
    margins.learn(model, X, y, epochs)
    assert (model.predict(X) == y).all()
    assert model.n_seen_ == epochs * len(y)
    numbers = first("harrington-margin")
    assert numbers["PRank, updates after"] == 0.0
    assert numbers["epochs until PRank stops"] == epochs


def test_a_member_that_stops_with_prank_is_no_learning_on():
    results = made_up(margins.MARGINS, lambda number: 5.0)
    assert margins.goes_on(results).word == HOLDS
    results.trials[2][margins.LATER.format(BPM.format(0.1))] = 0.0
    assert margins.goes_on(results).word == DEPENDS
