"""Scorers that are carried over to features scaled anew: nothing that they say changes, and they learn on as they would have."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import ranktron
from ranktron.core.scorers.protocol import rescale_hypothesis

from ...family import stream

KINDS = [
    ("PRank", {"average": False}),
    ("PRank", {"average": True}),
    ("NoPRank", {"trigger": "margin"}),
    ("AROWPRank", {}),
    ("OrdinalLogit", {}),
    ("OrdinalLogit", {"average": True}),
    ("OrdinalLogit", {"order": 1}),
    ("OrdinalLogit", {"order": 1, "step": 0.1}),
]
every_kind = pytest.mark.parametrize(("name", "parameters"), KINDS, ids=[f"{name}-{given}" for name, given in KINDS])

RATIO, SHIFT = np.array([2.0, 0.3, 1.0, 7.0]), np.array([0.5, -3.0, 0.0, 0.1])


def rescaled(X):
    """z' for z = ratio · z' + shift."""
    return (X - SHIFT) / RATIO


def taught(name, parameters, n=80):
    X, y = stream(n, d=4, k=5, seed=3)
    return getattr(ranktron, name)(**parameters, classes=range(1, 6)).partial_fit(X, y)


def carried(model):
    other = copy.deepcopy(model)
    assert rescale_hypothesis(other._learner.scorer, RATIO, SHIFT, other.n_seen_) is None
    return other


@every_kind
def test_every_score_is_what_it_was(name, parameters):
    model = taught(name, parameters)
    X, _ = stream(50, d=4, seed=9)
    before, after = model._scores(X), carried(model)._scores(rescaled(X))
    np.testing.assert_allclose(after[:, :-1], before[:, :-1], rtol=1e-9, atol=1e-9)
    assert (np.diff(carried(model).thresholds_) >= 0).all()


@pytest.mark.parametrize("name", ["AROWPRank", "OrdinalLogit"])
def test_a_belief_learns_on_as_if_nothing_had_been_scaled(name):
    """A Gaussian belief does not depend on the coordinates that it is written in."""
    model = taught(name, {})
    other = carried(model)
    X, y = stream(60, d=4, k=5, seed=10)
    model.partial_fit(X, y)
    other.partial_fit(rescaled(X), y)
    np.testing.assert_allclose(other._scores(rescaled(X))[:, :-1], model._scores(X)[:, :-1], rtol=1e-7, atol=1e-7)
    P, m = other._learner.scorer.covariance, 4
    T = np.block([[np.eye(m), np.tile(-SHIFT, (m, 1))], [np.zeros((4, m)), np.diag(RATIO)]])
    np.testing.assert_allclose(P, T @ model._learner.scorer.covariance @ T.T, rtol=1e-6, atol=1e-9)
    assert (P == P.T).all()


def test_gradients_are_remembered_in_the_new_units():
    """Where only the unit changes, the next step moves the carried weight as far, in its new unit, as ever."""
    model = taught("OrdinalLogit", {"order": 1, "average": False})
    other = copy.deepcopy(model)
    rescale_hypothesis(other._learner.scorer, RATIO, np.zeros(4), other.n_seen_)
    before = model.coef_, other.coef_
    row = np.array([1.0, 2.0, -1.0, 0.5])
    model.learn_one(row, 1)
    other.learn_one(row / RATIO, 1)
    np.testing.assert_allclose(other.coef_ - before[1], model.coef_ - before[0], rtol=1e-9)


@pytest.mark.parametrize("name", ["MuPRank", "MulticlassPerceptron", "WidrowHoff", "ROMMAPRank"])
def test_others_say_that_they_cannot_be_carried(name):
    model = taught(name, {"radius": 16.0} if name == "MuPRank" else {})
    with pytest.raises(ValueError, match="use scale='standard'"):
        rescale_hypothesis(model._learner.scorer, RATIO, SHIFT, model.n_seen_)
