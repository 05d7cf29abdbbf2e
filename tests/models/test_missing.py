"""missing="zero": NaN is 0 in every way in which rows come, and infinity is still refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from ..family import NAMES, make, state, stream
from .contract import as_mappings, every_linear_variant, every_variant, every_way_to_learn, model_for, refused

every_name = pytest.mark.parametrize("name", NAMES)


def holes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows with NaN, the same with 0, and labels."""
    X, y = stream(40)
    gaps = np.random.default_rng(1).random(X.shape) < 0.3
    return np.where(gaps, np.nan, X), np.where(gaps, 0.0, X), y


@every_variant
@every_way_to_learn
def test_dense_rows(name: str, parameters: dict[str, Any], method: str) -> None:
    X, filled, y = holes()
    model, plain = make(name, **parameters, missing="zero"), make(name, **parameters)
    told, expected = getattr(model, method)(X, y), getattr(plain, method)(filled, y)
    assert state(model) == state(plain)
    if method == "predict_then_learn":
        np.testing.assert_array_equal(told, expected)
    for answer in ("predict", "project", "decision_function"):
        np.testing.assert_array_equal(getattr(model, answer)(X), getattr(plain, answer)(filled))


@every_variant
def test_sparse_rows(name: str, parameters: dict[str, Any]) -> None:
    X, filled, y = holes()
    stored = sp.csr_array(np.where(filled == 0, np.nan, X))
    zeros = stored.copy()
    zeros.data = np.nan_to_num(zeros.data)
    model = make(name, **parameters, missing="zero").partial_fit(stored, y)
    plain = make(name, **parameters).partial_fit(zeros, y)
    assert state(model) == state(plain)
    np.testing.assert_array_equal(model.predict(stored), plain.predict(zeros))
    assert np.isnan(stored.data).any()


@every_variant
def test_single_arrays(name: str, parameters: dict[str, Any]) -> None:
    X, filled, y = holes()
    model, plain = make(name, **parameters, missing="zero"), make(name, **parameters)
    for row, zeros, label in zip(X, filled, y.tolist()):
        model.learn_one(row, label)
        plain.learn_one(zeros, label)
        assert model.predict_one(row) == plain.predict_one(zeros)
    assert state(model) == state(plain)
    assert np.isnan(X).any()


@every_variant
@pytest.mark.parametrize("hash_bits", [None, 3])
def test_single_mappings(name: str, parameters: dict[str, Any], hash_bits: int | None) -> None:
    X, filled, y = holes()
    model, plain = make(name, **parameters, missing="zero", hash_bits=hash_bits), make(name, **parameters, hash_bits=hash_bits)
    for number, (row, zeros, label) in enumerate(zip(as_mappings(X), as_mappings(filled), y.tolist())):
        for mapping in (row, zeros):
            if number % 3 == 1:
                del mapping["f02"]
            mapping[f"n{number}"] = 0.5
        model.learn_one(row, label)
        plain.learn_one(zeros, label)
        assert model.predict_one(row) == plain.predict_one(zeros)
    assert state(model) == state(plain)


@every_name
def test_a_name_that_is_missing_at_first_gets_its_column(name: str) -> None:
    model = make(name, missing="zero")
    model.learn_one({"a": math.nan, "b": 1.0}, 1)
    assert model.feature_names_in_.tolist() == ["a", "b"]


@every_name
def test_frames(name: str) -> None:
    X, filled, y = holes()
    columns = list("abcd")
    model = make(name, missing="zero").fit(pd.DataFrame(X, columns=columns), y)
    assert state(model) == state(make(name).fit(pd.DataFrame(filled, columns=columns), y))


@every_variant
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_refused_all_the_same(name: str, parameters: dict[str, Any], value: float) -> None:
    X, _, y = holes()
    X[39, 2] = value
    for trained in (False, True):
        model = model_for(name, parameters, trained, missing="zero")
        for rows in (X, sp.csr_array(X)):
            with refused(model, "infinity", "row 39, column 2"):
                model.partial_fit(rows, y)
        with refused(model, "infinity", "column 2"):
            model.learn_one(X[39], 1)
    for rows in (X, sp.csr_array(X)):
        with refused(model, "infinity", "row 39, column 2"):
            model.predict(rows)
    mapped = make(name, **parameters, missing="zero")
    with refused(mapped, "infinity", "'a'"):
        mapped.learn_one({"a": value, "b": math.nan}, 1)


@every_name
def test_labels_are_never_missing(name: str) -> None:
    X, y = stream(20)
    model = make(name, missing="zero")
    with refused(model, "NaN", "row 19"):
        model.partial_fit(X, np.where(np.arange(20) == 19, np.nan, y))
    with refused(model, "label"):
        model.learn_one(X[0], math.nan)


@every_linear_variant
def test_nan_stored_beside_a_value_of_the_same_place_is_zero(name: str, parameters: dict[str, Any]) -> None:
    indices, indptr, y = np.array([0, 0, 1, 1]), np.array([0, 2, 4]), [1, 2]
    parts = (np.array([1.0, np.nan, np.nan, 2.0]), np.array([1.0, 0.0, 0.0, 2.0]))
    model, plain = (
        make(name, **parameters, missing="zero").partial_fit(sp.csr_array((data, indices, indptr), shape=(2, 2)), y)
        for data in parts
    )
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9)
