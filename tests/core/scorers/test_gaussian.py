"""Beliefs: thresholds in order, growth, forgetting, and covariances that stay covariances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ranktron
from ranktron.compile import policy
from ranktron.core.scorers import gaussian as belief_module
from ranktron.core.scorers.gaussian import gaussian_belief
from ranktron.core.scorers.protocol import insert_rank, resize
from ranktron.core.scorers.thresholded import put_in_order

from ...family import stream
from ...papers import second_order

SECOND_ORDER = ("AROWPRank", "OrdinalLogit")
every_name = pytest.mark.parametrize("name", SECOND_ORDER)


def learned(name="OrdinalLogit", k=4, **parameters):
    X, y = stream(40, d=3, k=k, seed=2)
    return getattr(ranktron, name)(classes=range(1, k + 1), **parameters).partial_fit(X, y)


def scorer_of(model):
    return model._learner.scorer


@given(b=st.lists(st.floats(-1e6, 1e6), max_size=8))
def test_thresholds_move_to_the_nearest_ones_in_order(b):
    ordered = np.array(b)
    put_in_order(ordered)
    assert (np.diff(ordered) >= 0).all()
    np.testing.assert_allclose(ordered, second_order.in_order(b), rtol=1e-9, atol=1e-9)


def test_thresholds_that_are_in_order_stay_where_they_are():
    b = np.array([-math.pi, 0.1, 0.1, 0.7, 0.7 + 1e-16, 3e300])
    ordered = b.copy()
    put_in_order(ordered)
    assert ordered.tobytes() == b.tobytes()


def test_a_row_can_put_thresholds_out_of_order_and_they_are_pooled():
    """Each is asked in turn, and what an answer says of one is believed of the others too."""
    X, y = stream(60, d=2, k=6, seed=1)
    theta, P = second_order.start(2, 6, 100.0)
    crossed = False
    for x, label in zip(X, y.tolist()):
        for r in range(5):
            theta, P = second_order.laplace(theta, P, second_order.question(x, r, 6), label > r + 1)
        crossed = crossed or (np.diff(theta[2:]) < 0).any()
        theta = np.concatenate([theta[:2], second_order.in_order(theta[2:])])
    model = ranktron.OrdinalLogit(prior=100.0, classes=range(1, 7))
    for x, label in zip(X, y.tolist()):
        model.learn_one(x, label)
        assert (np.diff(model.thresholds_) >= 0).all()
    assert crossed
    np.testing.assert_allclose(model.thresholds_, theta[2:], rtol=1e-8)


# Growth


@every_name
def test_new_features_are_believed_as_at_first_and_change_nothing(name):
    model = learned(name, prior=3.0)
    before, wider = scorer_of(model), resize(scorer_of(model), 5)
    m, n = len(before.b), len(before.covariance)
    assert wider.covariance[:n, :n].tobytes() == before.covariance.tobytes()
    assert (wider.covariance[n:, n:] == 3.0 * np.eye(2)).all()
    assert not wider.covariance[n:, :n].any()
    assert (wider.w[:3] == before.w).all()
    assert not wider.w[3:].any()
    assert wider.steps.shape == (m, n + 2)
    assert resize(wider, 4) is wider


@every_name
def test_features_that_come_late_are_as_if_they_had_been_zero(name):
    X, y = stream(60, d=4, k=4, seed=3)
    X[:30, 2:] = 0.0
    rows = [dict(zip("abcd" if t >= 30 else "ab", row)) for t, row in enumerate(X.tolist())]
    late, whole = (getattr(ranktron, name)(classes=[1, 2, 3, 4]) for _ in range(2))
    for row, label in zip(rows, y.tolist()):
        late.learn_one(row, label)
    whole.partial_fit(X, y)
    np.testing.assert_allclose(late.coef_, whole.coef_, rtol=1e-9)
    np.testing.assert_allclose(late.thresholds_, whole.thresholds_, rtol=1e-9)


@pytest.mark.parametrize(("place", "new", "neighbour"), [(0, 0, 0), (1, 1, 0), (2, 2, 1), (3, 3, 2), (4, 3, 2)])
def test_a_new_threshold_goes_with_its_neighbour_and_has_the_prior_of_its_own(place, new, neighbour):
    before = scorer_of(learned(prior=2.0))
    grown = insert_rank(before, place, 0.3, 0.0)
    P = grown.covariance
    others = [t for t in range(len(P)) if t != new]
    assert P[np.ix_(others, others)].tobytes() == before.covariance.tobytes()
    twin = neighbour + (neighbour >= new)
    assert P[new, others].tolist() == P[others, new].tolist() == P[twin, others].tolist()
    assert P[new, new] == P[twin, twin] + 2.0
    assert np.linalg.eigvalsh(P).min() > 0
    assert (np.diff(grown.b) >= 0).all()
    assert len(grown.b) == grown.steps.shape[0] == 4


def test_the_first_threshold_of_all_is_believed_as_at_first():
    grown = insert_rank(gaussian_belief(2, 1, False, 5.0, 2.0), 1, 0.7, 0.0)
    assert grown.b.tolist() == [0.7]
    assert (grown.covariance == 5.0 * np.eye(3)).all()


def test_labels_that_come_one_by_one_are_learned_nearly_as_well():
    X, y = stream(400, d=3, k=5, seed=5)
    late = ranktron.OrdinalLogit()
    for row, label in zip(X, y.tolist()):
        late.learn_one(row, label)
    known = ranktron.OrdinalLogit(classes=range(1, 6)).partial_fit(X, y)
    assert late.classes_.tolist() == [1, 2, 3, 4, 5]
    off = [np.abs(model.predict(X) - y).mean() for model in (late, known)]
    assert off[0] < 1.05 * off[1]


def test_too_many_features_are_refused_and_the_model_is_as_it_was(monkeypatch):
    monkeypatch.setattr(belief_module, "MOST_FEATURES", 12)
    model = learned()
    before = scorer_of(model)
    with pytest.raises(
        ValueError, match=r"covariance of all features and thresholds, here 13; at most 12 are allowed: use OrdinalLogit"
    ):
        ranktron.AROWPRank().fit(*stream(20, d=9, k=5))
    named = ranktron.OrdinalLogit(classes=[1, 2, 3])
    named.learn_one({"a": 1.0}, 1)
    with pytest.raises(ValueError, match="order=1"):
        named.learn_one({f"n{number}": 1.0 for number in range(20)}, 1)
    assert (named.n_features_in_, named.n_seen_) == (1, 1)
    assert scorer_of(model) is before


# Forgetting


@every_name
def test_forgetting_divides_the_covariance_up_to_the_prior(name):
    X, y = stream(50, d=3, k=4, seed=4)
    X[:, 2] *= np.arange(50) < 10
    model, P = getattr(ranktron, name)(classes=range(1, 5), forget=0.1, prior=2.0), None
    for t, (row, label) in enumerate(zip(X, y.tolist())):
        model.learn_one(row, label)
        narrowed = scorer_of(model).covariance
        assert (narrowed == narrowed.T).all()
        assert narrowed.diagonal().max() <= 2.0 * (1 + 1e-12)
        assert np.linalg.eigvalsh(narrowed).min() > 0
        if t == 9:
            P = narrowed[-1, -1]
    assert P < narrowed[-1, -1] == pytest.approx(2.0)  # a feature that is not there any more is as uncertain as at first


def test_forgetting_is_the_formula_after_every_row():
    X, y = stream(30, d=2, k=3, seed=6)
    theta, P = second_order.start(2, 3, 10.0)
    model = ranktron.OrdinalLogit(classes=[1, 2, 3], forget=0.05)
    for x, label in zip(X, y.tolist()):
        for r in range(2):
            theta, P = second_order.laplace(theta, P, second_order.question(x, r, 3), label > r + 1)
        F = np.diag(np.clip(np.sqrt(10.0 / P.diagonal()), 1.0, np.sqrt(1 / 0.95)))
        P = F @ P @ F
        model.learn_one(x, label)
    np.testing.assert_allclose(np.concatenate([model.coef_, model.thresholds_]), theta, rtol=1e-8)


@every_name
def test_a_model_that_forgets_follows_thresholds_that_moved(name):
    random = np.random.default_rng(0)
    X = random.standard_normal((3000, 3))
    moved = np.where(np.arange(3000) < 1500, 0.0, 2.0)
    y = 1 + ((X.sum(axis=1) + random.logistic(size=3000) - moved)[:, None] >= [-2.0, 0.0, 2.0]).sum(axis=1)
    kinds = [getattr(ranktron, name)(classes=[1, 2, 3, 4], forget=forget) for forget in (None, 0.01)]
    late = [np.abs(kind.predict_then_learn(X, y) - y)[1700:].mean() for kind in kinds]
    assert late[1] < 0.9 * late[0]


# Staying sound


@pytest.mark.gate(1)
@pytest.mark.compiled
@every_name
@pytest.mark.parametrize("forget", [pytest.param(None, marks=pytest.mark.full), 0.01])
def test_covariances_stay_sound_over_many_rows_of_features_that_hang_together(name, forget, monkeypatch):
    monkeypatch.setattr(policy, "PATIENCE", 0)
    random = np.random.default_rng(1)
    X, noise = random.standard_normal((200_000, 6)), random.logistic(size=200_000)
    X[:, 3], X[:, 4], X[:, 5] = X[:, 0] + X[:, 1], 1.0, 1e3 * X[:, 2]
    y, told = (1 + (value[:, None] >= [-2.0, -0.7, 0.7, 2.0]).sum(axis=1) for value in (X[:, 0] + noise, X[:, 0]))
    model = getattr(ranktron, name)(forget=forget).partial_fit(X, y)
    P = scorer_of(model).covariance
    assert (P == P.T).all()
    assert np.linalg.eigvalsh(P).min() > -1e-13 * 10.0
    assert np.abs(model.predict(X) - y).mean() < (1.01 if forget is None else 1.1) * np.abs(told - y).mean()  # by the true rule


@every_name
@pytest.mark.parametrize("size", [1e-100, 1e-9, 1e7])
def test_rows_of_any_size_leave_numbers(name, size):
    X, y = stream(50, d=3, k=4, seed=7)
    model = getattr(ranktron, name)(classes=range(1, 5)).partial_fit(size * X, y)
    assert np.isfinite(scorer_of(model).covariance).all()
    assert np.isfinite(model.coef_).all()
    assert (np.diff(model.thresholds_) >= 0).all()


@every_name
def test_a_row_whose_variance_overflows_is_refused_before_anything_moves(name):
    model = learned(name)
    before = [part.tobytes() for part in scorer_of(model) if isinstance(part, np.ndarray)][:5]
    with pytest.raises(ValueError, match="too large"):
        model.learn_one([1e200, 1.0, 1.0], 2)
    assert [part.tobytes() for part in scorer_of(model) if isinstance(part, np.ndarray)][:5] == before
