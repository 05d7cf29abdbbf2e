"""Everybody of Harrington's tables: losses and votes against what the members say one by one."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron.data import synthetic
from ranktron_papers.harrington.methods import (
    AVERAGED,
    BAGG,
    BPM,
    DIVERGED,
    PLUS_ONE,
    PRANK,
    PRANK_VP,
    REAL,
    VP,
    WH,
    Methods,
    ensembles,
    loss,
    online_mean,
    so_far,
)

TAU, STEP, RANKS, SEED = 0.5, 0.05, [1, 2, 3, 4, 5], 4


@pytest.fixture(scope="module")
def rows():
    return synthetic.crammer_singer(60, seed=SEED)


@pytest.fixture(scope="module")
def methods(rows):
    methods = Methods(5, (STEP,), (TAU,), seed=7, members=10)
    methods.off = methods.learn(rows[0][:40], rows[1][:40])
    return methods


@pytest.fixture(scope="module")
def members(rows):
    """The ranks that ten members give the fresh rows, a line a member, and their votes by survival."""
    model = ensembles(TAU, n_members=10, random_state=7, classes=RANKS)[VP.format("survival", TAU)].partial_fit(
        rows[0][:40], rows[1][:40]
    )
    projections = model.members_coef_ @ rows[0][40:].T
    return 1 + (projections[:, :, None] >= model.members_thresholds_[:, None]).sum(axis=2), model.members_votes_


def test_losses_while_learning_are_those_the_models_count(methods):
    for name, model in methods._models.items():
        if name != AVERAGED:  # which counts what the learning hypothesis loses
            assert methods.off[name].sum() == model.cumulative_loss_, name


def test_learning_in_two_goes_is_learning_in_one(methods, rows):
    again = Methods(5, (STEP,), (TAU,), seed=7, members=10)
    for part in (slice(0, 15), slice(15, 40)):
        again.learn(rows[0][part], rows[1][part])
    assert again.losses(rows[0][40:], rows[1][40:]) == methods.losses(rows[0][40:], rows[1][40:])


def test_bagging_and_votes_are_means_of_what_members_say(methods, rows, members):
    ranks, votes = members
    assert votes.max() > votes.min()
    losses = methods.losses(rows[0][40:], rows[1][40:])
    for name, weights in (
        (BAGG.format(TAU), np.ones(10)),
        (VP.format("survival", TAU), votes),
        (VP.format(PLUS_ONE, TAU), votes + 1),
    ):
        mean = weights @ ranks / weights.sum()
        assert losses[REAL.format(name)] == pytest.approx(np.abs(mean - rows[1][40:]).mean(), rel=1e-12)
        assert losses[name] == np.abs(np.floor(mean + 0.5) - rows[1][40:]).mean()


def test_a_last_hypothesis_and_the_mean_rule_say_ranks_only(methods, rows):
    losses = methods.losses(rows[0][40:], rows[1][40:])
    assert {PRANK, BPM.format(TAU)} <= set(losses)
    assert not {REAL.format(PRANK), REAL.format(BPM.format(TAU))} & set(losses)
    assert REAL.format(PRANK_VP) in losses
    assert PRANK_VP not in Methods(5, (), (), seed=0, voted=False).learn(rows[0], rows[1])


def test_a_regression_that_diverges_is_said_to_lose_so_much(rows):
    methods = Methods(5, (2.0,), (), seed=0, voted=False)
    methods.learn(np.tile(rows[0], (40, 1)), np.tile(rows[1], 40))
    assert methods.losses(*rows)[REAL.format(WH.format(2.0))] == DIVERGED
    assert loss(np.array([1.0, 2.0]), np.array([2, 2])) == 0.5


def test_the_mean_before_each_row_is_what_predict_mean_says_then(rows):
    X, y = rows[0][:12], rows[1][:12]
    for name, model in ensembles(TAU, n_members=10, random_state=1, classes=RANKS).items():
        told = online_mean(model, X, y)
        again = ensembles(TAU, n_members=10, random_state=1, classes=RANKS)[name]
        for i in range(1, len(y)):
            again.partial_fit(X[i - 1 : i], y[i - 1 : i])
            assert told[i] == pytest.approx(again.predict_mean(X[i : i + 1])[0], rel=1e-12)


def test_averages_so_far():
    assert so_far(np.array([4.0, 0.0, 2.0]), [1, 2, 3]) == [4.0, 2.0, 2.0]
