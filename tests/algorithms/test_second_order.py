"""AROW-PRank and OrdinalLogit against textbook formulas with whole matrices, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron.steps import AdaGrad

from ..papers import second_order
from .runs import fresh, rule

KINDS = {
    "OrdinalLogit": lambda t, *question: second_order.laplace(*question),
    "AROWPRank": lambda t, *question: second_order.arow(*question),
}


def streams(seed, n=60):
    """Rows that are noisy, or whole numbers so that rows come again, some of them all zeros; and two to six ranks."""
    random = np.random.default_rng(seed)
    k, d = 2 + seed % 5, 1 + seed % 4
    X = random.integers(-2, 3, (n, d)).astype(float) if seed % 2 else random.standard_normal((n, d)) * 3
    X[:: 1 + 7 * (seed % 3)] *= 1.0 if seed % 3 else 0.0
    return X, random.integers(1, k + 1, n), k


def held(model):
    """The covariance in the order of theta: features, then thresholds."""
    scorer = model._learner.scorer
    m, d = len(scorer.b), model.n_features_in_
    order = [*range(m, m + d), *range(m)]
    return scorer.covariance[np.ix_(order, order)]


def is_tie(model, row):
    """Whether a projection lies on a threshold but for rounding, which is another one where matrices are whole."""
    return model._learner is not None and (np.abs(row @ model.coef_ - model.thresholds_) < 1e-9).any()


@pytest.mark.parametrize("prior", [0.1, 10.0])
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", KINDS)
def test_every_step_is_the_textbooks(name, seed, prior):
    X, y, k = streams(seed)
    model = fresh(name, k, prior=prior)
    for t, expected in enumerate(second_order.run(KINDS[name], X, y, k, prior)):
        prediction, w, b, P = expected
        if not is_tie(model, X[t]):
            assert model.predict_one(X[t]) == prediction
        model.learn_one(X[t], int(y[t]))
        np.testing.assert_allclose(model.coef_, w, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(model.thresholds_, b, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(held(model), P, rtol=1e-8, atol=1e-10 * prior)


@pytest.mark.parametrize("r", [0.1, 10.0])
def test_r_shortens_the_steps_of_arow_as_its_paper_says(r):
    X, y, k = streams(7)
    run = second_order.run(lambda t, *question: second_order.arow(*question, r), X, y, k, 10.0)
    (_, w, b, _) = list(run)[-1]
    model = fresh("AROWPRank", k, r=r).partial_fit(X, y)
    np.testing.assert_allclose(np.concatenate([model.coef_, model.thresholds_]), np.concatenate([w, b]), rtol=1e-8, atol=1e-9)


def test_a_weight_multiplies_a_rows_likelihood():
    X, y, k = streams(4)
    weights = np.random.default_rng(1).exponential(size=len(y)) * (np.arange(len(y)) % 5 > 0)
    run = second_order.run(lambda t, *question: second_order.laplace(*question, weights[t]), X, y, k, 10.0)
    (_, w, b, P) = list(run)[-1]
    model = fresh("OrdinalLogit", k).partial_fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(np.concatenate([model.coef_, model.thresholds_]), np.concatenate([w, b]), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(held(model), P, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_first_order_steps_are_adagrads(seed):
    X, y, k = streams(seed)
    model = fresh("OrdinalLogit", k, order=1, step=AdaGrad(0.7))
    for t, (prediction, w, b) in enumerate(second_order.gradient_steps(X, y, k, 0.7)):
        assert model.predict_one(X[t]) == prediction
        model.learn_one(X[t], int(y[t]))
        np.testing.assert_allclose(model.coef_, w, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(model.thresholds_, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("name", "parameters"), [("OrdinalLogit", {}), ("OrdinalLogit", {"order": 1}), ("AROWPRank", {})])
def test_the_average_is_the_mean_of_the_rules_held(name, parameters):
    X, y, k = streams(2)
    last, mean = (fresh(name, k, average=average, **parameters) for average in (False, True))
    rules = []
    for row, label in zip(X, y.tolist()):
        last.learn_one(row, label)
        rules.append(np.concatenate(rule(last)))
    mean.partial_fit(X, y)
    np.testing.assert_allclose(np.concatenate(rule(mean)), np.mean(rules, axis=0), rtol=1e-9, atol=1e-12)
