"""Mu-PRank against its pseudocode, which multiplies where the library adds exponents."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron import MuPRank
from ranktron.algorithms.muprank import theory_step

from ..papers import crammer_singer as paper
from .runs import fresh, steps


def stream(radius, n=40, d=4, k=4, seed=0):
    random = np.random.default_rng(seed)
    X = random.uniform(-radius, radius, (n, d))
    value = X @ random.uniform(0, 1, d) + random.normal(scale=0.2 * radius, size=n)
    return X, 1 + np.digitize(value, np.quantile(value, np.linspace(0, 1, k + 1)[1:-1]))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(("step", "radius", "k"), [(0.1, 1.0, 4), (0.7, 4.0, 4), (2.0, 0.25, 2), (0.05, 1024.0, 6)])
def test_every_round_is_the_papers(signed, step, radius, k):
    X, y = stream(radius, k=k)
    model = fresh("MuPRank", k, step=step, signed=signed, radius=radius)
    oracle = paper.muprank(X.tolist(), y.tolist(), k, step=step, signed=signed, radius=radius)
    for (prediction, coef, thresholds), (said, w, b) in zip(steps(model, X, y), oracle, strict=True):
        assert prediction == said
        assert np.multiply(coef, radius) == pytest.approx(np.array(w), rel=1e-9, abs=1e-12)
        assert thresholds == pytest.approx(b, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("signed", [False, True])
def test_the_average_is_the_mean_of_the_normalised_rules(signed):
    X, y = stream(2.0)
    parameters = {"step": 0.5, "signed": signed, "radius": 2.0}
    model = fresh("MuPRank", 4, average=True, **parameters)
    expected = list(paper.predict_averaged(paper.muprank, X.tolist(), y.tolist(), 4, **parameters))
    assert model.predict_then_learn(X, y).tolist() == expected
    *_, (w, b) = paper.averages(paper.muprank(X.tolist(), y.tolist(), 4, **parameters))
    assert (2.0 * model.coef_).tolist() == pytest.approx([float(w_j) for w_j in w], rel=1e-9, abs=1e-12)
    assert model.thresholds_.tolist() == pytest.approx([float(b_r) for b_r in b], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("step", [0.01, 1.0, 50.0])
def test_weights_and_thresholds_stay_a_distribution(average, step):
    X, y = stream(1.0)
    model = fresh("MuPRank", 4, step=step, average=average)
    for row, label in zip(X, y):
        model.learn_one(row, label)
        everything = np.concatenate([model.coef_, model.thresholds_])
        assert (everything >= 0).all()
        assert everything.sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("signed", [False, True])
def test_no_step_and_no_length_of_stream_overflows(signed):
    X, y = stream(1.0, n=300)
    model = fresh("MuPRank", 4, step=1e6, signed=signed).partial_fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.thresholds_).all()
    assert np.abs(model.coef_).sum() + np.abs(model.thresholds_).sum() == pytest.approx(1)


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("gamma", [1e-3, 0.3, 0.99])
def test_the_theory_step_is_corollary_2s(k, gamma):
    assert theory_step(k, gamma) == pytest.approx(paper.theory_step(k, gamma), rel=1e-15)
    X, y = stream(1.0, k=k)
    by_word = fresh("MuPRank", k, step="theory", gamma=gamma).partial_fit(X, y)
    by_number = fresh("MuPRank", k, step=paper.theory_step(k, gamma)).partial_fit(X, y)
    assert by_word.coef_.tolist() == pytest.approx(by_number.coef_.tolist(), rel=1e-12)


def measured_step(model, row, label):
    """By how much one mistake moves the logarithm of a threshold, relative to a weight whose feature is 0 in the row."""
    before = np.log(model.thresholds_ / model.coef_[-1])
    model.learn_one(row, label)
    return np.abs(np.log(model.thresholds_ / model.coef_[-1]) - before).max()


@pytest.mark.parametrize("classes", [None, (1, 2, 3, 4)])
def test_the_theory_step_is_that_of_the_ranks_there_are(classes):
    model = MuPRank(step="theory", gamma=0.5, average=False, classes=classes)
    for label in (1, 2, 3, 4):
        model.learn_one([0.25, 0.0], label)
    wrong = 1 if model.predict_one([0.5, 0.0]) > 1 else 4
    assert measured_step(model, [0.5, 0.0], wrong) == pytest.approx(paper.theory_step(4, 0.5))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_value_beyond_the_radius_is_refused_in_any_precision(dtype):
    # 0.1 in single precision is 0.10000000149…, which is beyond 0.1.
    row = np.array([[0.1, 0.0]], np.float32).astype(dtype)
    model = fresh("MuPRank", 2, radius=0.1)
    with pytest.raises(ValueError, match="beyond radius"):
        model.partial_fit(row, [1])


def test_a_value_at_the_radius_is_taken():
    model = fresh("MuPRank", 2, radius=0.75).partial_fit([[0.75, -0.75]], [1])
    assert model.n_seen_ == 1


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("step", [16.0, 1e6, 1e300])
@pytest.mark.parametrize(("value", "label"), [(-1.0, 3), (1.0, 3), (-1.0, 1), (1.0, 1)])
def test_no_step_and_no_length_of_stream_makes_numbers_vanish_or_overflow(signed, step, value, label):
    # With x = -1 and the highest label every exponent falls, by up to step a row.
    model = MuPRank(step=step, signed=signed, average=False, classes=[1, 2, 3])
    for _ in range(300):
        model.learn_one([value, value], label)
    if not signed:
        assert model.coef_.sum() + model.thresholds_.sum() == pytest.approx(1)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.thresholds_).all()
    assert (np.diff(model.thresholds_) >= 0).all()
