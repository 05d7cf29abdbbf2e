"""Scorers behind a link when names and classes are new, rows are not finite, and numbers overflow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ranktron.core.protocol import score, score_mean, update
from ranktron.core.scorers.mirror import dual_power, mirror
from ranktron.core.scorers.protocol import arrays_of, hypothesis, insert_rank, resize
from ranktron.core.scorers.trace_mirror import trace_mirror
from tests.core.scorers.mirror_oracle import LINKS, Oracle, close, csr, stream, taught


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("link", [*LINKS, "trace"])
def test_new_features_change_the_link_and_leave_the_past_as_it_was(link, average):
    """From 5 features to 9, then 11 and 40: the room is doubled, q goes by the features there are."""
    scorer = trace_mirror(5, 10, average) if link == "trace" else mirror(5, 10, average, link == "group")
    oracle, age = Oracle(10, 40, link), 0
    for p in (5, 9, 11, 40):
        before = [np.copy(part) for part in scorer]
        wider = resize(scorer, p)
        if p > 5:
            assert all((part == kept).all() for part, kept in zip(scorer, before))  # learning may be refused, and undone
        scorer, oracle.q = wider, dual_power(min(10, p) if link == "trace" else p)
        close(hypothesis(scorer, 10, age if average else 0).coef[:, :p], (oracle.mean() if age and average else oracle.W)[:, :p])
        X, labels = stream(30, 10, 40, seed=p)
        X[:, p:] = 0.0
        taught(scorer, X[:, :p], labels, age=age)
        oracle.learn(X, labels)
        age += 30
        close(hypothesis(scorer, 10, age).coef[:, :p], (oracle.mean() if average else oracle.W)[:, :p])


def test_growing_without_a_change_of_the_power_copies_nothing():
    scorer = mirror(2, 3, True, False)
    assert resize(resize(scorer, 3), 4) is not scorer  # from 2 columns to 4
    grown = resize(scorer, 3)
    assert resize(grown, 4) is grown


@pytest.mark.parametrize("link", [*LINKS, "trace"])
def test_a_new_class_starts_at_zero_and_counts_from_then_on(link):
    """For the trace norm it may change q: 8 classes have log 8, 9 have log 9."""
    X, labels = stream(60, 9, 12)
    early = labels[:30] % 8
    scorer = trace_mirror(12, 8, True) if link == "trace" else mirror(12, 8, True, link == "group")
    taught(scorer, X[:30], early)
    oracle = Oracle(8, 12, link).learn(X[:30], early)
    grown = insert_rank(scorer, 2, 0.0, 0.0)
    oracle.held = [np.insert(W, 2, 0.0, axis=0) for W in oracle.held]
    oracle.theta = np.insert(oracle.theta, 2, 0.0, axis=0)
    oracle.q = dual_power(9 if link == "trace" else 12)
    close(hypothesis(grown, 9, 30).coef, oracle.mean())
    clock = scorer.clock.copy()
    taught(grown, X[30:], labels[30:], age=30)
    close(hypothesis(grown, 9, 60).coef, oracle.learn(X[30:], labels[30:]).mean())
    assert (scorer.clock == clock).all()


MAKES = [lambda: mirror(12, 9, True, False), lambda: mirror(12, 9, True, True), lambda: trace_mirror(12, 9, True)]


@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
def test_a_row_that_is_not_finite_shows_in_what_score_returns(make, bad, storage):
    X, labels = stream(20, 9, 12)
    for scorer in (make(), taught(make(), X, labels)):
        for column in range(12):
            row = np.ones((1, 12))
            assert math.isfinite(score(scorer, storage(row), 0, np.zeros(9)))
            row[0, column] = bad
            with np.errstate(all="ignore"):
                assert not math.isfinite(score(scorer, storage(row), 0, np.zeros(9)))
                assert not math.isfinite(score_mean(scorer, storage(row), 0, 20, np.zeros(9)))


@pytest.mark.parametrize("make", MAKES)
def test_an_overflow_shows_in_the_arrays(make):
    scorer, X = make(), np.full((1, 12), 3e307)
    taught(scorer, X, np.array([1]))
    assert all(np.isfinite(one.array).all() for one in arrays_of(scorer))
    with np.errstate(all="ignore"):
        update(scorer, X, 0, np.array([0.0, 9.0, *[0.0] * 7]), 1)
    assert not all(np.isfinite(one.array).all() for one in arrays_of(scorer))


@pytest.mark.parametrize("link", [*LINKS, "trace"])
def test_what_is_called_local_changes_in_the_columns_of_the_row_only(link):
    """Undoing a sparse batch relies on it."""
    X, labels = stream(50, 9, 15)
    scorer = taught(trace_mirror(15, 9, True) if link == "trace" else mirror(15, 9, True, link == "group"), X, labels)
    row = np.zeros((1, 15))
    row[0, [2, 7]] = 1e3, -1e3  # a step long enough to change the unit
    before = [(one, one.array.copy()) for one in arrays_of(scorer)]
    update(scorer, csr(row), 0, np.array([1.0, -1.0, *[0.0] * 7]), 50)
    for one, kept in before:
        changed = (one.array != kept).any(axis=0).nonzero()[0] if one.has_columns else []
        assert not one.is_local or changed.tolist() == [2, 7]
    assert [one.name for one, _ in before if one.is_local] == ["theta"]
