"""Lists as other rankers take them: pairs, ranks, ids, lists of one or of equals, and long ones after short ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ranktron import Predtron, metrics
from ranktron.tasks import SubsetRanking

from .family import CASES, LISTS, Case, every, learn, learned, state


@every(LISTS)
def test_a_pair_is_a_list_of_the_worse_and_the_better(case: Case) -> None:
    X, pairs, lists = case.stream(10).X, case.make(), case.make()
    for better, worse in zip(X[:10], X[10:20]):
        pairs.learn_pair(better, worse)
        lists.learn_list([worse, better], [0, 1])
    assert state(pairs) == state(lists)
    assert (pairs.n_updates_ > 0) == (case.make().measure == "ndcg")  # two places hold both


@every(LISTS)
def test_ranks_are_by_score_within_each_list(case: Case) -> None:
    X, y, qid = case.stream(10).given()
    model = case.trained()
    scores, order = model.predict(X), model.rank(X, qid)
    assert qid[order].tolist() == qid.tolist()
    for one in np.unique(qid):
        rows = order[qid[order] == one]
        assert (np.diff(scores[rows]) <= 0).all()
    assert sorted(model.rank(X).tolist()) == list(range(len(y)))


@every(LISTS)
def test_lists_that_nothing_can_be_learned_from(case: Case) -> None:
    model = case.trained()
    before = model.n_updates_, model.cumulative_loss_
    for y in ([0, 0, 0], [2, 2, 2], [1]):
        model.learn_list(np.eye(9)[: len(y)], y)
    assert (model.n_updates_, model.cumulative_loss_) == before
    assert model.n_seen_ == 23


@every(LISTS)
def test_lists_may_grow_longer_and_grades_higher(case: Case) -> None:
    random = np.random.default_rng(0)
    sizes = [2, 40, 3, 90]
    qid, X = np.repeat(np.arange(4), sizes), random.standard_normal((sum(sizes), 9))
    y = random.integers(0, 5, len(qid)) * random.choice([0, 0, 0, 1, 7], len(qid))
    whole = case.make().fit(X, y, qid)
    singly = case.make()
    for one in range(4):
        singly.learn_list(X[qid == one], y[qid == one])
    assert learned(singly) == learned(whole)
    assert whole.n_updates_ > 0


@pytest.mark.parametrize("measure", ["ndcg", "precision@2"])
def test_the_score_is_the_mean_of_the_measure(measure: str) -> None:
    X, y, qid = CASES["lists-ndcg"].stream(20).given()
    model = Predtron(SubsetRanking(measure=measure)).fit(X, y, qid)
    scores, values = model.predict(X), []
    for one in np.unique(qid):
        grades, t = y[qid == one], scores[qid == one]
        if not (grades > 0).any():
            continue
        if measure == "ndcg":
            values.append(metrics.ndcg(grades, t))
        else:
            top = np.argsort(-t, kind="stable")[:2]
            values.append((grades[top] > 0).sum() / min(2, (grades > 0).sum()))
    assert model.score(X, y, qid) == pytest.approx(np.mean(values))
    assert model.measure == measure


@every(LISTS)
def test_predict_then_learn_scores_lists_before_they_are_learned(case: Case) -> None:
    X, y, qid = case.stream(12).given()
    model, twin = case.trained(), case.trained()
    told, expected = model.predict_then_learn(X, y, qid), []
    for one in np.unique(qid):
        rows = qid == one
        expected += twin.predict(X[rows]).tolist()
        twin.partial_fit(X[rows], y[rows], qid[rows])
    assert told.tolist() == expected
    assert state(model) == state(twin)


def test_ids_of_a_later_call_are_new_lists() -> None:
    case = CASES["lists-ndcg"]
    stream = case.stream(10)
    model = learn(learn(case.make(), stream), stream)
    assert model.n_seen_ == 20


@pytest.mark.parametrize("ties", ["score", "index"])
def test_which_order_of_equals_is_aimed_at(ties: str) -> None:
    """Three documents, of which the last is relevant and the others tie: by index the first of them is to be second."""
    X, y = np.eye(3), [0, 0, 1]
    model: Any = Predtron(SubsetRanking(ties=ties), average=False, loss_driven=True)
    model.learn_list(X[[1, 0, 2]], [0, 1, 2])  # the second column is now below the first
    before = model.coef_.copy()
    assert before[1] < before[0] < before[2]
    model.learn_list(X[[1, 0, 2]] * [1, 1, -1], y)
    moved = model.coef_ - before
    assert moved[2] < 0
    assert (moved[1] > moved[0]) == (ties == "index")
