"""What a model says of itself: scores, rules and counts agree with what it predicts and has learned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktron import MulticlassPerceptron
from tests.covering import examples

from ..family import UNSCALED_LINEAR, VARIANT_IDS, VARIANTS, stream
from .runs import THRESHOLD_IDS, THRESHOLD_VARIANTS, integer_streams, near, rule

every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)
with_thresholds = pytest.mark.parametrize(("name", "parameters"), THRESHOLD_VARIANTS, ids=THRESHOLD_IDS)
of_one_hypothesis = pytest.mark.parametrize(
    ("name", "parameters"), [one for one in UNSCALED_LINEAR if one[0] not in ("OAP", "Voted")], ids=lambda value: str(value)
)
both_hypotheses = pytest.mark.parametrize("average", [False, True])


def by_decision_function(model, X):
    scores = model.decision_function(X)
    if len(model.classes_) == 2:
        assert scores.shape == (len(X),)
        return model.classes_[(scores > 0).astype(int)]
    assert scores.shape == (len(X), len(model.classes_))
    return model.classes_[scores.argmax(axis=1)]


@both_hypotheses
@every_variant
@settings(max_examples=examples(20))
@given(stream=integer_streams(rows=12), seed=st.integers(0, 99))
def test_the_highest_decision_value_is_the_prediction_ties_included(name, parameters, average, stream, seed):
    X, y, k = stream
    model = near(name, **parameters, average=average, classes=range(1, k + 1)).partial_fit(X, y)
    asked = np.random.default_rng(seed).integers(-3, 4, (40, len(X[0]))) / 2
    assert (by_decision_function(model, asked) == model.predict(asked)).all()
    assert (by_decision_function(model, X) == model.predict(X)).all()


def test_the_highest_decision_value_is_the_prediction_when_sums_differ_by_the_last_bit():
    # After these rows the sums of the weights are (-3, -2), (0, 2), (3, 0); sums next to each other can have equal thirds.
    model = MulticlassPerceptron().partial_fit([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [3, 2, 1])
    sums = np.random.default_rng(0).uniform(1.5, 2, 100)
    X = np.column_stack([np.nextafter(sums, 9) / 3, sums / 2])
    assert (by_decision_function(model, X) == model.predict(X)).all()


@both_hypotheses
@with_thresholds
@pytest.mark.parametrize("k", [3, 5])
def test_a_decision_value_is_the_distance_inside_the_interval(name, parameters, average, k):
    X, y = stream(40, k=k)
    model = near(name, **parameters, average=average).fit(X, y)
    edges = np.concatenate([[-np.inf], model.thresholds_, [np.inf]])
    projection = model.project(X)[:, None]
    inside = np.minimum(projection - edges[:-1], edges[1:] - projection)
    np.testing.assert_allclose(model.decision_function(X), inside, rtol=1e-9, atol=1e-12)


@both_hypotheses
@with_thresholds
def test_the_prediction_counts_the_thresholds_that_the_projection_reaches(name, parameters, average):
    X, y = stream(80)
    model = near(name, **parameters, average=average).fit(X, y)
    projection = X @ model.coef_ + getattr(model, "intercept_", 0.0)
    np.testing.assert_allclose(model.project(X), projection, rtol=1e-9, atol=1e-12)
    assert np.abs(projection[:, None] - model.thresholds_).min() > 1e-9  # so rounding cannot tip a row over
    assert (model.predict(X) == 1 + (projection[:, None] >= model.thresholds_).sum(axis=1)).all()


@pytest.mark.parametrize("name", ["PRank", "SiPRank"])
@settings(max_examples=examples(50))
@given(stream=integer_streams())
def test_a_projection_on_a_threshold_is_above_it(name, stream):
    X, y, k = stream
    model = near(name, average=False, classes=range(1, k + 1)).partial_fit(X, y)
    projection = np.array(X) @ model.coef_
    assert (model.project(X) == projection).all()
    assert (model.predict(X) == 1 + (projection[:, None] >= model.thresholds_).sum(axis=1)).all()


@both_hypotheses
@pytest.mark.parametrize("parameters", [{}, {"update": "uniform", "fit_intercept": True}])
def test_the_multiclass_prediction_is_the_highest_score(parameters, average):
    X, y = stream(80)
    model = MulticlassPerceptron(**parameters, average=average).fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-9, atol=1e-12)
    assert (model.predict(X) == 1 + scores.argmax(axis=1)).all()
    np.testing.assert_allclose(model.project(X), scores @ np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), rtol=1e-9, atol=1e-12)


@every_variant
def test_one_answer_is_the_batchs(name, parameters):
    X, y = stream(40)
    model = near(name, **parameters).fit(X, y)
    assert [model.predict_one(row) for row in X] == model.predict(X).tolist()


@of_one_hypothesis
def test_counts_are_those_of_the_learning_hypothesis(name, parameters):
    X, y = stream(60)
    last, averaged = (near(name, **parameters, average=average, classes=range(1, 6)) for average in (False, True))
    loss = abs(last.predict_one(X[0]) - y[0])
    updates = last.partial_fit(X[:1], y[:1]).n_updates_  # there is no rule to compare with before
    for row, label in zip(X[1:], y[1:]):
        loss, before = loss + abs(last.predict_one(row) - label), rule(last)
        last.learn_one(row, label)
        updates += rule(last) != before
    averaged.partial_fit(X, y)
    for model in (last, averaged):
        assert (model.n_seen_, model.n_updates_, model.cumulative_loss_) == (60, updates, loss)


@pytest.mark.parametrize("name", ["PRank", "SiPRank", "MuPRank", "MulticlassPerceptron", "NoPRank"])
def test_conservative_learners_update_exactly_on_mistakes(name):
    X, y = stream(60)
    model = near(name, average=False, classes=range(1, 6))
    assert (model.predict_then_learn(X, y) != y).sum() == model.n_updates_ > 10


def test_widrow_hoff_updates_on_every_row():
    X, y = stream(60)
    assert near("WidrowHoff").fit(X, y).n_updates_ == 60
