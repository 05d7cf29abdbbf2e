"""Thresholds never get out of order, by rounding neither, and the order of the features does not matter."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktron.algorithms.noprank import MARGINS
from tests.covering import examples

from ..family import LINEAR_IDS, LINEAR_VARIANTS, make, stream
from .runs import THRESHOLD_IDS, THRESHOLD_VARIANTS, fresh, near

KINDS = list(itertools.product(MARGINS, ("mistake", "margin")))
MOVING = [(variant, name) for variant, name in zip(THRESHOLD_VARIANTS, THRESHOLD_IDS) if variant[0] != "WidrowHoff"]
scales = st.lists(st.sampled_from([1e-8, 1e-5, 1e-3, 0.1, 1.0, 1.0, 1.0, 7.0, 1e3, 1e8]), min_size=1, max_size=6)
seeds = st.integers(0, 2**32 - 1)


def rows(seed, scales, n, d=3, k=6):
    """Random rows, each of one of the scales, with random ranks: every rule is wrong about most of them."""
    random = np.random.default_rng(seed)
    return random.standard_normal((n, d)) * random.choice(scales, n)[:, None], random.integers(1, k + 1, n)


def ordered(model, X, y):
    """Whether the thresholds are in order after every row."""
    for row, label in zip(X, y):
        model.learn_one(row, label)
        if not (np.diff(model.thresholds_) >= 0).all():
            return False
    return True


@pytest.mark.gate(2)
@pytest.mark.parametrize(("margin", "trigger"), KINDS)
@pytest.mark.parametrize("average", [False, True])
def test_noprank_keeps_the_order_over_thousands_of_updates(margin, trigger, average):
    X, y = rows(0, [0.1, 1.0, 10.0], n=3000, k=8)
    model = fresh("NoPRank", 8, margin=margin, trigger=trigger, average=average)
    assert ordered(model, X, y)
    assert model.n_updates_ > 2000


@pytest.mark.gate(2)
@pytest.mark.parametrize(("margin", "trigger"), KINDS)
@settings(max_examples=examples(40))
@given(seed=seeds, scales=scales, beta=st.sampled_from([1e-8, 0.3, 1.0, 1e8]), average=st.booleans())
def test_noprank_keeps_the_order_at_any_scale(margin, trigger, seed, scales, beta, average):
    X, y = rows(seed, scales, n=60)
    assert ordered(fresh("NoPRank", 6, margin=margin, trigger=trigger, beta=beta, average=average), X, y)


@pytest.mark.gate(8)
@pytest.mark.parametrize("variant", [variant for variant, _ in MOVING], ids=[name for _, name in MOVING])
@settings(max_examples=examples(25))
@given(seed=seeds, scales=scales, average=st.booleans())
def test_every_learner_keeps_the_order_at_any_scale(variant, seed, scales, average):
    name, parameters = variant
    X, y = rows(seed, scales, n=60)
    room = {"radius": float(np.abs(X).max())} if name == "MuPRank" else {}
    assert ordered(make(name, **parameters, **room, average=average, classes=range(1, 7)), X, y)


@pytest.mark.parametrize("average", [False, True])
def test_widrow_hoffs_thresholds_are_the_halves(average):
    X, y = stream(30, k=5)
    assert make("WidrowHoff", average=average).fit(X, y).thresholds_.tolist() == [1.5, 2.5, 3.5, 4.5]


def integer_rows(n=40, d=9, k=3):
    random = np.random.default_rng(6)
    return random.integers(-2, 3, (n, d)).astype(float), random.integers(1, k + 1, n)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(("name", "parameters"), LINEAR_VARIANTS, ids=LINEAR_IDS)
def test_permuting_the_features_permutes_the_weights(name, parameters, average):
    X, y = integer_rows()
    permutation = np.random.default_rng(7).permutation(X.shape[1])
    plain, permuted = (near(name, **parameters, average=average, classes=[1, 2, 3]) for _ in range(2))
    predictions = plain.predict_then_learn(X, y)
    assert (permuted.predict_then_learn(X[:, permutation], y) == predictions).all()
    sums_are_exact = name in ("PRank", "SiPRank", "MulticlassPerceptron")
    slack = 0.0 if sums_are_exact else 1e-9
    np.testing.assert_allclose(permuted.coef_, plain.coef_[..., permutation], rtol=slack, atol=slack)
    if name != "MulticlassPerceptron":
        np.testing.assert_allclose(permuted.thresholds_, plain.thresholds_, rtol=slack, atol=slack)
