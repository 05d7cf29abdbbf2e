"""Streams that bring labels and names nobody announced."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktron import MuPRank, PRank
from tests.covering import examples

from ...algorithms.runs import THRESHOLD_IDS, THRESHOLD_VARIANTS, near
from ...family import LINEAR_IDS, LINEAR_VARIANTS, VARIANT_IDS, VARIANTS, state

both_hypotheses = pytest.mark.parametrize("average", [False, True])
with_thresholds = pytest.mark.parametrize(("name", "parameters"), THRESHOLD_VARIANTS, ids=THRESHOLD_IDS)


@both_hypotheses
@with_thresholds
@settings(max_examples=examples(15))
@given(labels=st.lists(st.integers(-4, 4), min_size=2, max_size=30), seed=st.integers(0, 999))
def test_labels_that_come_in_any_order_leave_the_thresholds_in_order(name, parameters, average, labels, seed):
    model = near(name, **parameters, average=average)
    rows = np.random.default_rng(seed).uniform(-2, 2, (len(labels), 3))
    for t, (row, label) in enumerate(zip(rows, labels), start=1):
        model.learn_one(row, label)
        assert model.classes_.tolist() == sorted(set(labels[:t]))
        assert len(model.thresholds_) == len(model.classes_) - 1
        assert (np.diff(model.thresholds_) >= 0).all()
    assert set(model.predict(rows).tolist()) <= set(labels)


@pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)
@both_hypotheses
def test_a_model_that_found_its_labels_goes_on_in_batches_as_one_by_one(name, parameters, average):
    batch, single = (near(name, **parameters, average=average) for _ in range(2))
    for row, label in zip(np.eye(3), (2, 1, 3)):
        batch.learn_one(row, label)
        single.learn_one(row, label)
    X, y = np.random.default_rng(0).uniform(-2, 2, (20, 3)), np.random.default_rng(1).integers(1, 4, 20)
    batch.partial_fit(X, y)
    for row, label in zip(X, y):
        single.learn_one(row, label)
    assert state(batch) == state(single)


def two_labels():
    """PRank after label 1, label 3 at f = 0, where b starts, and label 1 again, a mistake: w = -1, b = 1."""
    model = PRank(average=False)
    for row, label in (([1.0], 1), ([-1.0], 3), ([1.0], 1)):
        model.learn_one(row, label)
    assert (model.coef_.tolist(), model.thresholds_.tolist()) == ([-1.0], [1.0])
    return model


@pytest.mark.parametrize(
    ("row", "label", "coef", "thresholds"),
    [
        (-1.0, 2, -1.0, [0.0, 2.0]),  # between: b = (1, 1) and f = 1 is rank 3; for rank 2 both are errors
        (0.0, 2, -1.0, [0.0, 1.0]),  # between: f = 0 is rank 1, so b1 falls
        (-5.0, 4, -1.0, [1.0, 5.0]),  # above: b = (1, f), where f is rank 4: right at once
        (5.0, 4, 9.0, [0.0, 0.0]),  # above: b = (1, 1), f = -5: both fall and w gains 2 x
        (-2.0, 0, 3.0, [2.0, 2.0]),  # below: b = (1, 1), f = 2: both rise and w loses 2 x
        (5.0, 0, -6.0, [-4.0, 1.0]),  # below: b = (f, 1), where f is rank 1, a mistake by the tie
    ],
)
def test_new_labels_by_hand(row, label, coef, thresholds):
    model = two_labels()
    model.learn_one([row], label)
    assert (model.coef_.tolist(), model.thresholds_.tolist()) == ([coef], thresholds)


def names(n, seed):
    """Rows over the names a to d of which c and d appear in the second half, whole and as the names there are."""
    random = np.random.default_rng(seed)
    for t in range(n):
        values = random.uniform(-1, 1, 4)
        if t < n // 2:
            values[2:] = 0
        value = values @ [1.0, -0.5, 0.8, 0.3] + random.normal(scale=0.3)
        row = dict(zip("abcd", values.tolist()))
        yield row, dict(list(row.items())[: 2 if t < n // 2 else 4]), int(1 + np.digitize(value, [-0.5, 0.0, 0.5]))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_mupranks_late_features_weigh_what_they_would_have_weighed_from_the_start(signed, seed):
    early, late = (MuPRank(step=0.5, signed=signed, average=False, classes=range(1, 5)) for _ in range(2))
    for t, (whole, known, label) in enumerate(names(60, seed)):
        if t != 30:  # names that late has no column for cannot count in its prediction yet
            assert early.predict_one(whole) == late.predict_one(known)
        early.learn_one(whole, label)
        late.learn_one(known, label)
    np.testing.assert_allclose(late.coef_, early.coef_, rtol=1e-9)
    np.testing.assert_allclose(late.thresholds_, early.thresholds_, rtol=1e-9)
    assert early.n_updates_ == late.n_updates_


@both_hypotheses
@pytest.mark.parametrize(
    ("name", "parameters"),
    [variant for variant in LINEAR_VARIANTS if variant[0] != "MuPRank"],
    ids=[name for name in LINEAR_IDS if not name.startswith("MuPRank")],
)
def test_late_features_are_those_that_were_zero_before(name, parameters, average):
    early, late = (near(name, **parameters, average=average, classes=range(1, 5)) for _ in range(2))
    for whole, known, label in names(60, 0):
        early.learn_one(whole, label)
        late.learn_one(known, label)
        assert early.predict_one(whole) == late.predict_one(known)
    assert late.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_allclose(late.coef_, early.coef_, rtol=1e-12, atol=1e-12)


def test_mupranks_mean_over_growing_features_is_still_a_distribution():
    model = MuPRank(step=0.5, classes=range(1, 5))
    for _, known, label in names(60, 1):
        model.learn_one(known, label)
        assert model.coef_.sum() + model.thresholds_.sum() == pytest.approx(1, rel=1e-12)
