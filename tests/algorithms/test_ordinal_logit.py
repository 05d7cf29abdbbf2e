"""The probabilities of OrdinalLogit: what they are, and how near they come to the truth on streams of one pass."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

import ranktron
from ranktron.metrics import ranked_probability_score

from ..family import stream

both_orders = pytest.mark.parametrize("order", [1, 2])
W, B = np.array([1.0, -0.5, 0.3, 0.0]), np.array([-2.0, -0.5, 0.5, 2.5])
LABELS = range(1, 6)


def odds(n, seed):
    """Rows with labels drawn from a model of proportional odds, and their true probabilities."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 4))
    above = expit((X @ W)[:, None] - B)
    return X, 1 + (random.random((n, 1)) < above).sum(axis=1), above


@functools.cache
def fitted(order, n=4000):
    X, y, _ = odds(n, seed=1)
    return ranktron.OrdinalLogit(order=order, classes=LABELS).partial_fit(X, y)


@both_orders
def test_probabilities_are_differences_of_logistic_curves(order):
    X, y = stream(60)
    model = ranktron.OrdinalLogit(order=order).fit(X, y)
    shares = model.predict_proba(X)
    above = expit(model.slope_ * ((X @ model.coef_)[:, None] - model.thresholds_))
    np.testing.assert_allclose(1 - shares.cumsum(axis=1)[:, :-1], above, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    assert (shares >= 0).all()
    assert shares.shape == (60, len(model.classes_))


@both_orders
@pytest.mark.parametrize("size", [1e-300, 1e3, 1e100])
def test_probabilities_of_rows_far_away_are_probabilities(order, size):
    X, y = stream(60)
    shares = ranktron.OrdinalLogit(order=order).fit(X, y).predict_proba(size * X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    assert (shares >= 0).all()


@both_orders
def test_what_is_predicted_is_the_median(order):
    X, _, _ = odds(500, seed=2)
    model = fitted(order, 500)
    medians = 1 + (model.predict_proba(X).cumsum(axis=1)[:, :-1] < 0.5).sum(axis=1)
    assert (model.predict(X) == medians).all()


@both_orders
def test_one_example_has_the_probabilities_of_its_row(order):
    X, y = stream(40)
    model = ranktron.OrdinalLogit(order=order, classes=LABELS)
    assert list(model.predict_proba_one(X[0])) == list(LABELS)
    model.partial_fit(X, y)
    for row, shares in zip(X[:5], model.predict_proba(X[:5])):
        told = model.predict_proba_one(row)
        assert list(told) == list(LABELS)
        assert list(told.values()) == pytest.approx(shares.tolist(), rel=1e-12)
    with pytest.raises(ValueError, match="NaN"):
        model.predict_proba_one([np.nan, 0.0, 0.0, 0.0])


def test_before_anything_is_learned_labels_in_the_middle_are_probable():
    told = ranktron.OrdinalLogit(classes=LABELS).predict_proba_one({"a": 1.0})
    assert list(told.values()) == pytest.approx(list(told.values())[::-1])
    assert max(told, key=told.get) == 3
    with pytest.raises(ValueError, match="has not learned anything yet"):
        ranktron.OrdinalLogit().predict_proba_one({"a": 1.0})


@both_orders
def test_probabilities_are_calibrated_after_one_pass(order):
    """In every tenth of the cumulative probabilities, as often above as they say: within four standard errors and 0.03."""
    X, y, truth = odds(20_000, seed=3)
    told = 1 - fitted(order).predict_proba(X).cumsum(axis=1)[:, :-1]
    is_above = y[:, None] > np.arange(1, 5)
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (told >= low) & (told < low + 0.1)
        error = np.sqrt(0.25 / inside.sum())
        assert abs(is_above[inside].mean() - told[inside].mean()) < 0.03 + 4 * error
    assert np.abs(told - truth).mean() < 0.02


@both_orders
def test_the_ranked_probability_score_is_near_that_of_the_truth_and_of_a_batch_fit(order):
    X, y, above = odds(20_000, seed=4)
    ends = np.ones((len(X), 1)), np.zeros((len(X), 1))
    best = ranked_probability_score(y, -np.diff(np.hstack([ends[0], above, ends[1]]), axis=1), LABELS)
    batch = -np.diff(np.hstack([ends[0], batch_fit(X), ends[1]]), axis=1)
    ours = ranked_probability_score(y, fitted(order).predict_proba(X), LABELS)
    assert best < ours < 1.005 * best
    assert ours < 1.003 * ranked_probability_score(y, batch, LABELS)


def batch_fit(X):
    """What the minimum of the all-threshold loss over the rows of ``fitted`` says of ``X``: the probabilities to be above."""
    rows, y, _ = odds(4000, seed=1)
    sides = np.where(y[:, None] > np.arange(1, 5), 1.0, -1.0)

    def loss(theta):
        margins = sides * ((rows @ theta[:4])[:, None] - theta[4:])
        pulls = sides * expit(-margins)
        slope = np.concatenate([-rows.T @ pulls.sum(axis=1), pulls.sum(axis=0)]) + theta / 10
        return np.logaddexp(0, -margins).sum() + theta @ theta / 20, slope

    theta = minimize(loss, np.zeros(8), jac=True).x
    return expit((X @ theta[:4])[:, None] - theta[4:])


def test_the_belief_goes_to_the_batch_fit():
    """One pass of second order comes nearer to the minimum over all rows than that is uncertain itself."""
    model, (X, _, _) = fitted(2), odds(2000, seed=5)
    told = expit((X @ model.coef_)[:, None] - model.thresholds_)
    assert np.abs(told - batch_fit(X)).mean() < 0.005


def test_features_of_the_wrong_scale_do_not_throw_the_belief_off():
    """By one Newton step an answer that contradicts a sure prediction would; its mode does not overshoot."""
    X, y, _ = odds(2000, seed=6)
    scaled, large = (ranktron.OrdinalLogit(classes=LABELS).partial_fit(size * X, y) for size in (1.0, 1000.0))
    assert np.abs(large.predict(1000.0 * X) - y).mean() < 1.05 * np.abs(scaled.predict(X) - y).mean()


def test_a_fixed_step_is_plain_gradient_descent():
    X, y = stream(50, d=3, k=4, seed=8)
    w, b = np.zeros(3), np.zeros(3)
    for x, label in zip(X, y):
        pulls = (label > np.arange(1, 4)) - expit(w @ x - b)
        w, b = w + 0.1 * pulls.sum() * x, np.maximum.accumulate(b - 0.1 * pulls)
    model = ranktron.OrdinalLogit(order=1, step=0.1, average=False, classes=range(1, 5)).partial_fit(X, y)
    np.testing.assert_allclose(np.concatenate([model.coef_, model.thresholds_]), np.concatenate([w, b]), rtol=1e-9)


@pytest.mark.parametrize("name", ["AROWPRank", "OrdinalLogit"])
def test_there_is_no_kernel_version(name):
    with pytest.raises(ValueError, match=f"{name} has no kernel version"):
        getattr(ranktron, name)(kernel=ranktron.kernels.Gaussian(1.0)).fit(*stream(20))
