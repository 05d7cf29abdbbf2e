"""Harrington's experiments with ratings: how rows are made of the data sets, and the rules for what is claimed."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron.data.sets import MissingData
from ranktron_papers.harrington import cystic_fibrosis as fibrosis
from ranktron_papers.harrington import eachmovie, ohsumed
from ranktron_papers.harrington.methods import BAGG, BPM, PRANK, REAL, VP, WH
from ranktron_papers.harrington.ratings import LOWEST, CurvePoints, RatingTask, measure
from ranktron_papers.harrington.ratings_claims import TRAINING
from ranktron_papers.judging import DEPENDS, FAILS, HOLDS, UNDECIDED
from tests.ranktron_papers.harrington.made import first, made_up, scores


def judged(text, low):
    """The verdict of a claim on cystic fibrosis where some numbers are so low, and all others 1."""
    how = lambda number: low.get(number.split(": ")[-1].removesuffix(", by round"), 1.0)  # noqa: E731
    results = made_up(fibrosis.CYSTIC_FIBROSIS, how)
    [claim] = [claim for claim in fibrosis.CLAIMS if claim.text.startswith(text)]
    return claim.judge(results).word


# Rows


def test_the_rank_of_one_judge_and_the_grades_of_the_others():
    table = np.array([[0, 1, 2, 2], [2, 0, 1, 1], [1, 1, 0, 2]])
    y, others = fibrosis.targets_and_others(table, np.array([0, 3, 2]))
    assert y.tolist() == [1, 2, 1]
    assert others.tolist() == [[1, 2, 2], [2, 0, 1], [1, 1, 2]]


def test_every_judge_has_a_turn_and_every_pair_is_learned_or_tested():
    for seed in (1, 2):
        own = np.full((9, 4), 1)
        own[:, seed] = 2  # the judge whose turn it is gives the highest grade always, and the others never
        numbers = fibrosis.trial(seed, own, learned=6, points=CurvePoints((3, 6), early=3), members=2)
        assert numbers[f"one judge, 1 2 3: {LOWEST}"] == 2.0
        assert (numbers["pairs learned"], numbers["pairs tested"]) == (6.0, 3.0)


def test_a_judge_who_gave_no_grade_is_no_target_and_counts_0():
    table = np.array([[2, -1, 0], [-1, 1, 1], [0, 2, -1], [1, 1, 1]] * 20)
    X, y = ohsumed.rows_of(table, np.random.default_rng(0))
    for given, features, rank in zip(table, X, y, strict=True):
        assert sorted([*features, rank]) == sorted(1 + given)
        assert rank >= 1
    assert {tuple(features) for features in X[::4]} == {(0.0, 1.0), (3.0, 0.0)}


def test_pairs_with_one_grade_are_left_out():
    assert ohsumed.judged_twice(np.array([[1, -1, -1], [1, -1, 0], [2, 2, 2]])).tolist() == [[1, -1, 0], [2, 2, 2]]


def test_films_of_one_viewer_are_learned_by_the_scores_of_the_others():
    viewers = eachmovie.viewers_of(scores(people=6, films=40), over=39)
    assert len(viewers.people) == 6
    assert len(eachmovie.viewers_of(scores(people=6, films=40), over=40).people) == 0
    X, y, _ = viewers.scores.rows(0, viewers.people)
    assert X.shape == (40, 5)
    assert np.abs(X).max() <= 0.5
    assert set(y) <= {1, 2, 3, 4, 5, 6}
    numbers = first("harrington-eachmovie")
    assert (numbers["viewers"], numbers["people"], numbers["films"]) == (4.0, 4.0, 20.0)


def test_always_the_lowest_rank_loses_what_it_should():
    task = RatingTask(np.ones((8, 2)), np.array([1, 2, 3, 1, 1, 3, 2, 3]), 4, 3)
    assert measure(task, 0, members=2, voted=False)[LOWEST] == np.mean([0, 2, 1, 2])


# Data


@pytest.mark.parametrize("module", [fibrosis, ohsumed, eachmovie])
def test_data_that_are_missing_are_said_to_be(module, monkeypatch, tmp_path):
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))
    with pytest.raises(MissingData):
        module.load()


def test_made_up_lines_in_the_real_formats_are_read(tmp_path):
    (tmp_path / "cfquery").write_text("QN 00001\nQU What is it?\nNR 00002\nRD  139 1222  151 2211\n")
    assert fibrosis.load(str(tmp_path / "cfquery"), partial=True).tolist() == [[1, 2, 2, 2], [2, 2, 1, 1]]
    (tmp_path / "judged").write_text("1\t87049087\t12\td\tp\t\n1\t87073405\t340\t\t\tn\n2\t87073406\t341\tn\td\tp\n")
    assert ohsumed.load(str(tmp_path / "judged"), partial=True).tolist() == [[2, 1, -1], [0, 2, 1]]
    (tmp_path / "Vote.txt").write_text("1\t18\t0.8\t1\t1/8/97 0:00:00\n1\t22\t0\t0.5\t1/8/97 0:00:00\n")
    assert eachmovie.load(str(tmp_path / "Vote.txt"), partial=True).n_films == 2


def test_a_copy_of_ohsumed_with_one_grade_a_pair_does_not_do(tmp_path):
    (tmp_path / "qrels.ohsu.test").write_text("OHSU1\t87049087\t2\nOHSU1\t87049088\t1\n")
    with pytest.raises(MissingData, match="one grade per pair"):
        ohsumed.load(str(tmp_path), partial=True)


# Claims


def test_oap_bpm_is_lowest_if_nobody_is_below_in_any_reading():
    text = "OAP-BPM has the lowest"
    assert judged(text, {BPM.format(0.2): 0.3}) == HOLDS
    assert judged(text, {BPM.format(0.2): 0.3, BAGG.format(0.1): 0.2}) == DEPENDS
    assert judged(text, {BPM.format(0.2): 0.3, WH.format(0.01): 0.2}) == FAILS


def test_the_order_of_the_table_is_that_of_the_means():
    voted = {REAL.format(VP.format(votes, 0.2)): 0.4 for votes in ("correct", "survival")}
    order = {BPM.format(0.2): 0.3, **voted, REAL.format(BAGG.format(0.2)): 0.5, PRANK: 0.6}
    assert judged("OAP-BPM is ahead", order) == HOLDS
    assert judged("OAP-BPM is ahead", {**order, PRANK: 0.45}) == FAILS


@pytest.mark.parametrize(("regression", "word"), [(0.32, HOLDS), (0.40, FAILS)])
def test_comparable_is_a_tenth_apart(regression, word):
    assert judged("WH's performance", {BPM.format(0.1): 0.3, WH.format(0.001): regression}) == word


def test_wh_is_fastest_if_one_of_its_steps_is():
    assert judged("WH has the fastest", {WH.format(0.05): 0.5}) == HOLDS
    assert judged("WH has the fastest", {WH.format(0.05): 0.5, BPM.format(0.3): 0.4}) == FAILS


def test_oap_vp_is_faster_if_it_is_below_bagging_and_the_mean_rule():
    voted = {VP.format(votes, tau): 0.4 for votes in ("correct", "survival") for tau in (0.1, 0.2, 0.3)}
    voted |= {REAL.format(VP.format(votes, 0.2)): 0.4 for votes in ("correct", "survival")}
    assert judged("OAP-VP converges faster", voted) == HOLDS
    assert judged("OAP-VP converges faster", {**voted, BPM.format(0.1): 0.2}) == DEPENDS
    assert judged("OAP-VP converges faster", {}) == UNDECIDED


def test_better_on_the_test_set_than_in_training():
    assert judged("OAP-BPM is better on the test set", {BPM.format(0.2): 0.3}) == HOLDS
    assert judged("OAP-BPM is better on the test set", {TRAINING.format(BPM.format(0.2)): 0.3}) == FAILS
