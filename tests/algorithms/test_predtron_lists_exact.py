"""Predtron's rankings against the paper's pseudocode, which tries every order.

Rows are drawn from the normal distribution. Where grades are equal several orders may be the best of line 8, from the first round
on; there each update is compared with those of all of them, from the weights that the library holds.
"""

from __future__ import annotations

import itertools
import random
from functools import partial

import numpy as np
import pytest

import ranktron
from ranktron import tasks
from ranktron.kernels import Polynomial

from ..papers import jain_natarajan_tewari as paper
from .test_kernels import mapped
from .test_predtron_exact import assert_same_run, hypotheses, normal_stream

POWERS = (1.1, 2, -1)
TIES = ("score", "index")
CASES = [dict(zip(("measure", "power", "ties"), case)) for case in itertools.product(("ndcg", "precision@2"), POWERS, TIES)]
near = partial(pytest.approx, rel=1e-10, abs=1e-12)
every_case = pytest.mark.parametrize("case", CASES, ids=["-".join(map(str, case.values())) for case in CASES])
ndcg_cases = pytest.mark.parametrize(
    "case", CASES[: len(CASES) // 2], ids=["-".join(map(str, case.values())) for case in CASES[:6]]
)
DISTINCT = list(itertools.permutations(range(4)))
LEVEL = [(0, 2, 1, 1), (1, 0, 0, 1), (3, 3, 3, 0), (2, 2, 2, 2), (0, 0, 0, 0), (0, 0, 1, 0)]


def distinct_lists(seed, lists=12, features=3):
    """Lists of 1 to 5 items, no two of one grade, so that line 8 has a single answer."""
    draw = random.Random(seed)
    lengths = [draw.randint(1, 5) for _ in range(lists)]
    return [([[draw.gauss(0, 1) for _ in range(features)] for _ in range(m)], draw.sample(range(5), m)) for m in lengths]


def level_lists(seed, lists=12, features=3):
    """Lists of 1 to 5 items with equal grades, some without a relevant one."""
    draw = random.Random(seed)
    lengths = [draw.randint(1, 5) for _ in range(lists)]
    return [([[draw.gauss(0, 1) for _ in range(features)] for _ in range(m)], draw.choices((0, 0, 1, 2), k=m)) for m in lengths]


def assert_same_lists(model, lists, rounds, rows=None, near=near):
    """``rows`` are what the oracle has for each list, if not the same."""
    rounds, rows = list(rounds), rows or [X for X, _ in lists]
    held, loss, updates = [[0] * len(rows[0][0])], 0, 0
    for i, ((X, y), now, after) in enumerate(zip(lists, rounds, hypotheses(model, rounds), strict=True)):
        t = [float(v) for v in paper.scores_of_list(held, rows[i])]
        if i % 2:
            assert model.predict(X) == near(t), f"list {i}"
            assert model.rank(X).tolist() == list(paper.pred(paper.ranking(len(X)), t)), f"list {i}"
            model.learn_list(X, y)
        else:
            assert model.predict_then_learn(X, y) == near(t), f"list {i}"
        held, loss, updates = after, loss + now.loss, updates + now.updated
        assert (model.n_seen_, model.n_updates_) == (i + 1, updates), f"list {i}"
        assert model.cumulative_loss_ == near(float(loss)), f"list {i}"
        if model.kernel is None:
            assert model.coef_ == near([float(v) for v in held[0]]), f"list {i}"
    assert 0 < updates < len(lists)


@ndcg_cases
def test_label_rankings_are_the_papers(case):
    X, y = normal_stream(DISTINCT, 14, 3, seed=5)
    oracle = paper.ranking(4, **case)
    rounds = list(paper.predtron(X, y, oracle, step=0.6))
    for average in (False, True):
        model = ranktron.Predtron(tasks.MultilabelRanking(**case), step=0.6, average=average)
        assert_same_run(model, oracle, X, X, y, rounds, near)


@every_case
def test_loss_driven_label_rankings_are_the_papers(case):
    X, y = normal_stream(LEVEL, 14, 3, seed=6)
    oracle = paper.ranking(4, **case)
    rounds = list(paper.predtron(X, y, oracle, step=0.6, loss_driven=True))
    for average in (False, True):
        model = ranktron.Predtron(tasks.MultilabelRanking(**case), step=0.6, loss_driven=True, average=average)
        assert_same_run(model, oracle, X, X, y, rounds, near)


def possible(task, W, x, y, t, step, added):
    """The weights after a round, one for each order that line 8 may take; the same if nothing was lost."""
    if task.loss(paper.pred(task, t), y) == 0:
        return [W]
    best, right = paper.all_augmented(task, t, y, within=1e-12), task.correct(y, t)
    return [added(W, step, paper.direction(task, right, order), x) for order in best]


def assert_one_of(held, answers, where):
    assert min(np.abs(np.subtract(held, W)).max() for W in answers) < 1e-12, where


@every_case
def test_every_update_of_a_label_ranking_is_one_of_the_papers(case):
    X, y = normal_stream(LEVEL, 16, 3, seed=7)
    oracle, model, W = (
        paper.ranking(4, **case),
        ranktron.Predtron(tasks.MultilabelRanking(**case), average=False),
        np.zeros((4, 3)),
    )
    for i, (x, label) in enumerate(zip(X, y, strict=True)):
        answers = possible(oracle, W.tolist(), x, label, paper.scores(W.tolist(), x), 1, paper.added)
        model.learn_one(x, label)
        W = model.coef_.copy()
        assert_one_of(W, answers, f"row {i}")
    assert 0 < model.n_updates_ < len(y)


@every_case
def test_every_update_of_a_subset_ranking_is_one_of_the_papers(case):
    model, w = ranktron.Predtron(tasks.SubsetRanking(**case), average=False, step=0.5), np.zeros(3)
    for i, (X, y) in enumerate(level_lists(8, lists=16)):
        t = paper.scores_of_list([w.tolist()], X)
        answers = possible(paper.ranking(len(X), **case), [w.tolist()], X, y, t, 0.5, paper.added_by_list)
        model.learn_list(X, y)
        w = model.coef_.copy()
        assert_one_of([w], answers, f"list {i}")
    assert 0 < model.n_updates_ < 16


@ndcg_cases
def test_subset_rankings_are_the_papers(case):
    lists = distinct_lists(9)
    for average in (False, True):
        model = ranktron.Predtron(tasks.SubsetRanking(**case), step=0.6, average=average)
        assert_same_lists(model, lists, paper.subset_predtron(lists, step=0.6, **case))


@every_case
def test_loss_driven_subset_rankings_are_the_papers(case):
    lists = level_lists(10)
    for average in (False, True):
        model = ranktron.Predtron(tasks.SubsetRanking(**case), step=0.6, loss_driven=True, average=average)
        assert_same_lists(model, lists, paper.subset_predtron(lists, step=0.6, loss_driven=True, **case))


@pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])
def test_links_of_rankings_are_the_papers(average):
    about = partial(pytest.approx, rel=1e-8, abs=1e-10)
    lists = distinct_lists(11, features=20)
    model = ranktron.Predtron(tasks.SubsetRanking(), link="l1", average=average)
    assert_same_lists(model, lists, paper.subset_predtron(lists, link=paper.l1), near=about)
    X, y = normal_stream(DISTINCT, 12, 20, seed=12)
    for link in ("l1", "group"):
        rounds = paper.predtron(X, y, paper.ranking(4), link=getattr(paper, link))
        model = ranktron.Predtron(tasks.MultilabelRanking(), link=link, average=average)
        assert_same_run(model, paper.ranking(4), X, X, y, rounds, about)


@pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])
@pytest.mark.parametrize("loss_driven", [False, True], ids=["", "loss-driven"])
def test_a_kernel_is_its_features(loss_driven, average):
    given = {"kernel": Polynomial(2), "loss_driven": loss_driven, "average": average}
    lists = distinct_lists(13, features=2)
    rows = [mapped(X, 2).tolist() for X, _ in lists]
    rounds = paper.subset_predtron([(R, y) for R, (_, y) in zip(rows, lists)], loss_driven=loss_driven)
    assert_same_lists(ranktron.Predtron(tasks.SubsetRanking(), **given), lists, rounds, rows)
    X, y = normal_stream(DISTINCT, 12, 2, seed=14)
    rows, oracle = mapped(X, 2).tolist(), paper.ranking(4)
    rounds = paper.predtron(rows, y, oracle, loss_driven=loss_driven)
    assert_same_run(ranktron.Predtron(tasks.MultilabelRanking(), **given), oracle, rows, X, y, rounds, near, weights=None)


def test_a_pair_is_a_list_of_two_with_the_worse_one_first():
    draw = random.Random(15)
    pairs = [[[draw.gauss(0, 1) for _ in range(3)] for _ in range(2)] for _ in range(10)]
    model = ranktron.Predtron(tasks.SubsetRanking(), average=False)
    for (worse, better), now in zip(pairs, paper.subset_predtron([(pair, [0, 1]) for pair in pairs]), strict=True):
        model.learn_pair(better, worse)
        assert model.coef_ == near(now.W[0])


def test_what_is_wrong_far_below_a_high_grade_is_learned():
    """The loss is above 0, if only by 1e-19."""
    y, rows = [60, 0, 1], np.eye(3).tolist()
    (lists,) = paper.subset_predtron([(rows, y)])
    (labels,) = paper.predtron([[1.0]], [y], paper.ranking(3))
    assert 0 < lists.loss == labels.loss < 1e-18
    one, other = (ranktron.Predtron(task(), average=False) for task in (tasks.SubsetRanking, tasks.MultilabelRanking))
    one.learn_list(rows, y)
    other.learn_one([1.0], y)
    assert one.coef_ == near(lists.W[0])
    assert other.coef_ == near(np.array(labels.W, float))


@pytest.mark.parametrize("make", [tasks.MultilabelRanking, tasks.SubsetRanking])
@every_case
def test_the_parts_of_a_task_are_those_of_the_enumeration(make, case):
    """Line 8 is solved as an assignment problem: Lemma 3."""
    task, normal = make(**case), np.random.default_rng(16)
    for m, scale in ((1, 1.0), (2, 0.3), (3, 0.0), (4, 0.1), (4, 1.0), (5, 0.3)):
        oracle, y = paper.ranking(m, **case), normal.integers(0, 3, m).tolist()
        for t in (scale * normal.standard_normal(m), scale * normal.integers(-1, 2, m)):
            said, found, right = (
                tuple(np.asarray(part).tolist()) for part in (task.decode(t), task.loss_augmented(t, y), task.correct(y, t))
            )
            assert (said, right) == (paper.pred(oracle, t.tolist()), oracle.correct(y, t.tolist()))
            assert task.representation(said) == near(oracle.rep(said))
            assert [task.loss_of(order, y) for order in (said, found, right)] == near(
                [float(oracle.loss(order, y)) for order in (said, found, right)]
            )
            best = paper.augmented(oracle, t.tolist(), y)
            assert float(paper.augmented_loss(oracle, found, t.tolist(), y)) == near(
                float(paper.augmented_loss(oracle, best, t.tolist(), y))
            )


@pytest.mark.parametrize("measure", ["ndcg", "precision@1", "precision@3", "precision@9"])
def test_line_8_of_six_items(measure):
    oracle, normal = paper.ranking(6, measure), np.random.default_rng(17)
    for y in ([0, 1, 3, 0, 2, 1], [1, 0, 0, 1, 1, 1]):
        t = 0.3 * normal.standard_normal(6)
        found = tuple(np.asarray(tasks.SubsetRanking(measure=measure).loss_augmented(t, y)).tolist())
        assert found in paper.all_augmented(oracle, t.tolist(), y, within=1e-12)
