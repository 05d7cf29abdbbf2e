"""What a model has learned depends on the rows and their order, not on how they were handed over."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from ..family import LINEAR_IDS, LINEAR_VARIANTS, UNSCALED, UNSCALED_LINEAR, VARIANT_IDS, VARIANTS, ids_of, state, stream
from .runs import near

every_linear_variant = pytest.mark.parametrize(("name", "parameters"), LINEAR_VARIANTS, ids=LINEAR_IDS)
every_unscaled_linear_variant = pytest.mark.parametrize(("name", "parameters"), UNSCALED_LINEAR, ids=ids_of(UNSCALED_LINEAR))
every_unscaled_variant = pytest.mark.parametrize(("name", "parameters"), UNSCALED, ids=ids_of(UNSCALED))
every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)
both_hypotheses = pytest.mark.parametrize("average", [False, True])

# Features enough that single examples and batches get the same room, so that all state can be compared.
D = 9


def integers(n=40, d=D, k=3, seed=0):
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, (n, d)) * (random.random((n, d)) < 0.5)
    return X.astype(float), random.integers(1, k + 1, n)


def models(count, name, parameters, average, k=5):
    return [near(name, **parameters, average=average, classes=range(1, k + 1)) for _ in range(count)]


@both_hypotheses
@every_variant
def test_a_prediction_is_that_of_a_model_that_learned_the_rows_before(name, parameters, average):
    X, y = stream(25)
    (model,) = models(1, name, parameters, average)
    predictions = model.predict_then_learn(X, y)
    assert predictions[0] == models(1, name, parameters, average)[0].predict_one(X[0])
    for i in range(1, len(X)):
        (earlier,) = models(1, name, parameters, average)
        assert predictions[i] == earlier.partial_fit(X[:i], y[:i]).predict(X[i : i + 1])[0]
    assert state(model) == state(earlier.partial_fit(X[-1:], y[-1:]))


@both_hypotheses
@every_variant
def test_rows_learned_in_pieces_are_the_same_bit_for_bit(name, parameters, average):
    X, y = stream(50, d=D)
    whole, halves, single, one, asked = models(5, name, parameters, average)
    whole.partial_fit(X, y)
    halves.partial_fit(X[:23], y[:23]).partial_fit(X[23:], y[23:])
    for i in range(len(X)):
        single.partial_fit(X[i : i + 1], y[i : i + 1])
        one.learn_one(X[i], y[i])
    asked.predict_then_learn(X[:30], y[:30])
    asked.predict_then_learn(X[30:], y[30:])
    assert state(whole) == state(halves) == state(single) == state(one) == state(asked)


@both_hypotheses
@every_linear_variant
def test_mappings_are_learned_as_arrays(name, parameters, average):
    X, y = stream(40, d=D)
    arrays, mappings = models(2, name, parameters, average)
    for row, label in zip(X, y):
        arrays.learn_one(row, label)
        mappings.learn_one(dict(zip("abcdefghi", row.tolist())), label)
    assert arrays.coef_.tobytes() == mappings.coef_.tobytes()
    assert (arrays.n_updates_, arrays.cumulative_loss_) == (mappings.n_updates_, mappings.cumulative_loss_)


@both_hypotheses
@every_unscaled_linear_variant
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
def test_sparse_rows_that_store_up_to_eleven_columns_are_dense_rows(name, parameters, average, kind):
    """So many products are added in the same order."""
    X, y = stream(40, d=D)
    dense, compressed = models(2, name, parameters, average)
    assert (dense.predict_then_learn(X, y) == compressed.predict_then_learn(kind(X), y)).all()
    assert state(dense) == state(compressed)
    assert (dense.predict(X) == compressed.predict(kind(X))).all()


@both_hypotheses
@every_unscaled_linear_variant
def test_sparse_rows_without_zeros_are_dense_rows(name, parameters, average):
    X, y = integers()
    dense, compressed = models(2, name, parameters, average, k=3)
    assert (dense.predict_then_learn(X, y) == compressed.predict_then_learn(sparse.csr_array(X), y)).all()
    if name in ("PRank", "SiPRank", "MulticlassPerceptron"):  # whole numbers and halves: no sum is rounded
        assert state(dense) == state(compressed)
    else:
        np.testing.assert_allclose(dense.coef_, compressed.coef_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(dense.thresholds_, compressed.thresholds_, rtol=1e-9, atol=1e-12)


@both_hypotheses
@every_unscaled_variant
def test_sparse_rows_without_zeros_are_dense_rows_of_up_to_three_features(name, parameters, average):
    """Fewer than four products are added from left to right, where leaving zeros out changes nothing."""
    X, y = integers(d=3)
    dense, compressed = models(2, name, parameters, average, k=3)
    dense.partial_fit(X, y)
    compressed.partial_fit(sparse.csr_array(X), y)
    assert state(dense) == state(compressed)


@both_hypotheses
@every_variant
def test_an_index_of_32_or_64_bits_is_the_same(name, parameters, average):
    X, y = integers()
    wide, narrow = models(2, name, parameters, average, k=3)
    for model, dtype in ((wide, np.int64), (narrow, np.int32)):
        rows = sparse.csr_array(X)
        rows.indices, rows.indptr = rows.indices.astype(dtype), rows.indptr.astype(dtype)
        model.partial_fit(rows, y)
    assert state(wide) == state(narrow)


@both_hypotheses
@every_variant
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_single_precision_is_read_as_the_same_numbers(name, parameters, average, kind):
    X, y = stream(40, d=D)
    X = X.astype(np.float32)
    single, double = models(2, name, parameters, average)
    assert (single.predict_then_learn(kind(X), y) == double.predict_then_learn(kind(X.astype(np.float64)), y)).all()
    assert state(single) == state(double)
    assert single.project(kind(X)).tobytes() == double.project(kind(X.astype(np.float64))).tobytes()


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16, bool])
@every_variant
def test_integers_are_read_as_the_same_numbers(name, parameters, dtype):
    X, y = integers()
    X = np.abs(X).astype(dtype)
    given, double = models(2, name, parameters, True, k=3)
    assert state(given.partial_fit(X, y)) == state(double.partial_fit(X.astype(np.float64), y))


@both_hypotheses
@every_variant
def test_memory_order_is_no_matter(name, parameters, average):
    X, y = stream(30, d=D)
    c, fortran, strided = models(3, name, parameters, average)
    assert state(c.partial_fit(X, y)) == state(fortran.partial_fit(np.asfortranarray(X), y))
    assert state(c) == state(strided.partial_fit(np.repeat(X, 2, axis=1)[:, ::2], y))


@both_hypotheses
@every_variant
def test_fit_forgets_and_learns_like_a_new_model(name, parameters, average):
    X, y = stream(30)
    model = near(name, **parameters, average=average).fit(-X, y[::-1])
    assert state(model.fit(X, y)) == state(clone(model).partial_fit(X, y))


@both_hypotheses
@every_variant
def test_two_epochs_are_two_passes(name, parameters, average):
    X, y = stream(30)
    twice = near(name, **parameters, average=average, epochs=2).fit(X, y)
    passes = near(name, **parameters, average=average).partial_fit(X, y).partial_fit(X, y)
    noted = ("intervals", "slope")  # what was learned before teaches nothing about rows to come, and only fit knows
    told, wanted = ({name: part for name, part in state(model).items() if name not in noted} for model in (twice, passes))
    assert told == wanted
    assert twice.n_seen_ == 60
