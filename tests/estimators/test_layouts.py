"""Rows as they lie in memory: sparse formats, types, orders, views, files; none is ever written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron

from ..family import NAMES, UNSCALED_LINEAR, ids_of, make, state, stream
from ..models.contract import every_linear_variant, every_variant

every_name = pytest.mark.parametrize("name", NAMES)
FORMATS = ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"]


def exact(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers, many of them 0, so that all sums are exact."""
    X, y = stream(n)
    return np.round(2 * X) * (np.abs(X) > 0.4), y


def strided(X: np.ndarray) -> np.ndarray:
    wide = np.zeros((2 * len(X), 3 * X.shape[1]))
    wide[::2, ::3] = X
    return wide[::2, ::3]


def read_only(X: np.ndarray) -> np.ndarray:
    frozen = X.copy()
    frozen.flags.writeable = False
    return frozen


LAYOUTS = {
    "fortran": np.asfortranarray,
    "strided": strided,
    "reversed": lambda X: np.ascontiguousarray(X[::-1])[::-1],
    "read-only": read_only,
    "lists": lambda X: X.tolist(),
    "big-endian": lambda X: X.astype(">f8"),
    "object": lambda X: X.astype(object),
}
TYPES = ["float32", "float16", "int64", "int8", "longdouble"]


@every_variant
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_rows_makes_no_difference(name: str, parameters: dict[str, Any], layout: str) -> None:
    X, y = stream(30)
    model = make(name, **parameters).fit(LAYOUTS[layout](X), y)
    plain = make(name, **parameters).fit(X, y)
    assert state(model) == state(plain)
    np.testing.assert_array_equal(model.predict(LAYOUTS[layout](X)), plain.predict(X))
    np.testing.assert_array_equal(model.decision_function(LAYOUTS[layout](X)), plain.decision_function(X))


@every_name
@pytest.mark.parametrize("dtype", TYPES)
def test_the_type_of_exact_numbers_makes_no_difference_and_state_is_float64(name: str, dtype: str) -> None:
    X, y = exact()
    model = make(name).fit(X.astype(dtype), y)
    assert state(model) == state(make(name).fit(X, y))
    assert model.coef_.dtype == np.float64
    sparse = make(name).fit(sp.csr_array(X.astype(np.float64)), y)
    assert sparse.coef_.dtype == np.float64


@every_name
def test_a_memory_map_is_read_in_place(name: str, tmp_path: Path) -> None:
    X, y = stream(30)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    model = make(name).fit(mapped, y)
    assert state(model) == state(make(name).fit(X, y))
    np.testing.assert_array_equal(model.predict(mapped), model.predict(X))


@every_variant
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_sparse_formats_are_one(name: str, parameters: dict[str, Any], kind: str) -> None:
    X, y = stream(25)
    X *= np.abs(X) > 0.4
    rows = getattr(sp, f"csr_{kind}")(X)
    plain = make(name, **parameters).fit(rows, y)
    for form in FORMATS:
        other = getattr(sp, f"{form}_{kind}")(rows)
        model = make(name, **parameters).fit(other, y)
        assert state(model) == state(plain), form
        np.testing.assert_array_equal(model.predict(other), plain.predict(rows))


@every_name
def test_sparse_indices_of_either_width(name: str) -> None:
    X, y = stream(25)
    rows = sp.csr_array(X)
    wide = sp.csr_array((rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)), shape=rows.shape)
    assert wide.indices.dtype == np.int64
    assert state(make(name).fit(wide, y)) == state(make(name).fit(rows, y))


@pytest.mark.parametrize("name", ["PRank", "SiPRank", "MulticlassPerceptron"])
@pytest.mark.parametrize("average", [True, False])
def test_sparse_is_dense_exactly_where_sums_are_exact(name: str, average: bool) -> None:
    X, y = exact()
    assert state(make(name, average=average).fit(sp.csr_array(X), y)) == state(make(name, average=average).fit(X, y))


@pytest.mark.parametrize(("name", "parameters"), UNSCALED_LINEAR, ids=ids_of(UNSCALED_LINEAR))
def test_sparse_is_dense_to_rounding(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40, d=12)
    X *= np.abs(X) > 0.3
    dense, sparse = (make(name, **parameters).fit(rows, y) for rows in (X, sp.csr_array(X)))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sparse.project(sp.csr_array(X)), dense.project(X), rtol=1e-9, atol=1e-9)


@every_linear_variant
def test_values_stored_twice_add_up(name: str, parameters: dict[str, Any]) -> None:
    X, y = exact(30)
    once, parts = sp.csr_array(X), sp.csr_array(X)
    indices, data = np.repeat(parts.indices, 2), np.column_stack([3 * parts.data, -2 * parts.data]).ravel()
    twice = sp.csr_array((data, indices, 2 * parts.indptr), shape=X.shape)
    np.testing.assert_array_equal(twice.toarray(), X)
    model, plain = (make(name, **parameters).fit(rows, y) for rows in (twice, once))
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(model.predict(twice), plain.predict(once))


@every_name
@pytest.mark.parametrize("missing", ["error", "zero"])
def test_input_is_never_changed(name: str, missing: str) -> None:
    X, y = stream(30)
    if missing == "zero":
        X[3, 1] = np.nan
    inputs = [X.copy(), np.asfortranarray(X), X.astype(np.float32), sp.csr_array(X), sp.csc_matrix(X)]
    weights = np.ones(30)
    for given in inputs:
        kept, labels = given.copy(), y.copy()
        model = make(name, missing=missing, epochs=2).fit(given, labels)
        model.partial_fit(given, labels, sample_weight=weights)
        model.predict_then_learn(given, labels)
        model.predict(given), model.project(given), model.decision_function(given)
        same = (lambda part: part.toarray()) if sp.issparse(given) else np.asarray
        np.testing.assert_array_equal(same(given), same(kept))
        np.testing.assert_array_equal(labels, y)
    np.testing.assert_array_equal(weights, np.ones(30))


@every_name
def test_what_a_model_hands_out_is_not_its_memory(name: str) -> None:
    X, y = stream(30)
    model = make(name).fit(X, y)
    before = state(model)
    handed_out = [model.coef_, model.project(X), model.decision_function(X), model.predict(X), getattr(model, "thresholds_", y)]
    for part in handed_out:
        part[...] = 0
    assert state(model) == before


def test_learning_in_place_does_not_keep_the_rows() -> None:
    X, y = stream(30)
    model = ranktron.PRank().fit(X, y)
    before = state(model)
    X[:], y[:] = 0, 1
    assert state(model) == before
