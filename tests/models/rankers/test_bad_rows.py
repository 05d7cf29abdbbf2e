"""Rows and grades that cannot be learned: one line of error that says where, and a model that has not changed."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from .family import (
    LEARNING,
    every_name,
    every_variant,
    every_way_to_learn,
    fresh_and_trained,
    make,
    model_for,
    refused,
    state,
    stream,
)

X, Y, QID = stream(10)
N = len(Y)
STORAGE: dict[str, Any] = {"dense": np.asarray, "csr": sp.csr_array, "float32": lambda rows: rows.astype(np.float32)}
PLACES = [(0, 0), (N // 2, 2), (N - 1, 3)]
every_bad_value = pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
MIXED = np.random.default_rng(4).permutation(QID)


def spoiled(value: float, row: int, column: int) -> np.ndarray:
    rows = X.copy()
    rows[row, column] = value
    return rows


def words(value: float, row: int, column: int) -> tuple[str, str]:
    return "NaN" if np.isnan(value) else "infinity", f"row {row}, column {column}"


@every_variant
@fresh_and_trained
@pytest.mark.parametrize("storage", STORAGE)
@every_bad_value
def test_learning_refuses_it(name: str, parameters: Any, trained: bool, storage: str, value: float) -> None:
    model = model_for(name, parameters, trained)
    for place, method, ids in zip(PLACES, LEARNING, (QID, MIXED, None)):
        with refused(model, *words(value, *place)):
            getattr(model, method)(STORAGE[storage](spoiled(value, *place)), Y, ids)
    with refused(model, *words(value, *PLACES[1])):
        model.learn_list(STORAGE[storage](spoiled(value, *PLACES[1])), Y)


@every_variant
@pytest.mark.parametrize("storage", STORAGE)
@every_bad_value
def test_answering_refuses_it(name: str, parameters: Any, storage: str, value: float) -> None:
    """Each way to ask at another place, and another one for every storage: together they are all ways at all places."""
    model, turn = model_for(name, parameters, trained=True), list(STORAGE).index(storage)
    for number, (method, more) in enumerate((("predict", ()), ("rank", (MIXED,)), ("score", (Y, QID)))):
        place = PLACES[(turn + number) % 3]
        with refused(model, *words(value, *place)):
            getattr(model, method)(STORAGE[storage](spoiled(value, *place)), *more)


@every_variant
@every_bad_value
def test_weights_that_are_still_zero_hide_nothing(name: str, parameters: Any, value: float) -> None:
    model = make(name, **parameters)
    for rows in (np.array([[0.0, value], [0.0, 0.0]]), sp.csr_array([[0.0, value], [0.0, 0.0]])):
        for grades in ([0, 0], [1, 1], [1, 0], [0, 1]):
            with refused(model, *words(value, 0, 1)):
                model.learn_list(rows, grades)


@every_variant
def test_two_infinities_do_not_cancel(name: str, parameters: Any) -> None:
    model = model_for(name, parameters, trained=True)
    for pair in ([np.inf, -np.inf], [-np.inf, np.inf], [np.inf, np.nan]):
        rows = X[:5].copy()
        rows[4, 1:3] = pair
        with refused(model, "infinity", "row 4, column 1"):
            model.partial_fit(rows, Y[:5])
        with refused(model, "infinity", "row 4, column 1"):
            model.predict(rows)


@every_variant
def test_a_bad_last_epoch_or_order_changes_nothing(name: str, parameters: Any) -> None:
    model = model_for(name, parameters, trained=True, epochs=3, shuffle=True, random_state=0)
    with refused(model, f"row {N - 1}, column 1"):
        model.fit(spoiled(np.nan, N - 1, 1), Y, MIXED)


BAD_ROWS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "no rows": (np.empty((0, 4)), ("0 sample",)),
    "no columns": (np.empty((N, 0)), ("0 feature",)),
    "no rows, sparse": (sp.csr_array((0, 4)), ("0 sample",)),
    "an empty list": ([], ("2D", "1D")),
    "one dimension": (X[:, 0], ("2D", "1D", "Reshape")),
    "three dimensions": (X[:, :, None], ("2D", "3D", "Reshape")),
    "a number": (1.0, ("2D", "0D")),
    "nothing": (None, ("2D", "0D")),
    "one mapping": ({"a": 1.0}, ("2D", "0D")),
    "complex": (X + 1j, ("Complex",)),
    "words": (np.full((N, 4), "high"), ("number",)),
    "dates": (np.full((N, 4), np.datetime64("2020-01-01")), ("number",)),
    "a word inside": (np.array([["high", 1.0, 2.0, 3.0]] * N, object), ("number",)),
    "ragged": ([[1.0, 2.0, 3.0, 4.0]] * (N - 1) + [[1.0]], ()),
}


@every_name
@fresh_and_trained
@pytest.mark.parametrize("case", BAD_ROWS)
def test_rows_that_are_none_are_refused(name: str, trained: bool, case: str) -> None:
    rows, told = BAD_ROWS[case]
    model = model_for(name, {}, trained)
    ways: list[tuple[str, Any]] = [*((method, (Y, QID)) for method in LEARNING), ("learn_list", (Y,))]
    for method, more in [*ways, *([("predict", ()), ("rank", ()), ("score", (Y, QID))] if trained else [])]:
        with refused(model, *told):
            getattr(model, method)(rows, *more)


@every_variant
@pytest.mark.parametrize("rows", [X[:, :3], np.hstack([X, X]), sp.csr_array(X[:, :3])], ids=["narrow", "wide", "sparse"])
def test_another_number_of_features_is_refused(name: str, parameters: Any, rows: Any) -> None:
    model = model_for(name, parameters, trained=True)
    for way in (
        lambda: model.partial_fit(rows, Y, QID),
        lambda: model.learn_list(rows, Y),
        lambda: model.predict(rows),
        lambda: model.rank(rows),
    ):
        with refused(model, f"{rows.shape[1]} features", "4 features"):
            way()


def damaged(part: str, place: int, value: int) -> Any:
    rows = sp.csr_matrix(X)
    getattr(rows, part)[place] = value
    return rows


@every_name
@every_way_to_learn
@pytest.mark.parametrize(
    "damage", [("indices", -1, 4), ("indices", 0, -1), ("indptr", -1, 10_000), ("indptr", 3, 0), ("indptr", 0, -4)]
)
def test_a_damaged_sparse_matrix_is_refused(name: str, method: str, damage: tuple[str, int, int]) -> None:
    for model in (make(name), make(name).fit(X, Y, QID)):
        with refused(model, "damaged"):
            getattr(model, method)(damaged(*damage), Y, QID)


def with_grade(grade: Any, dtype: Any) -> np.ndarray:
    grades = Y.astype(dtype)
    grades[N - 1] = grade
    return grades


BAD_GRADES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "too few": (Y[:-1], (str(N - 1), str(N))),
    "too many": (np.r_[Y, 1], (str(N + 1), str(N))),
    "none": (None, ("y",)),
    "no list": (3, ("y",)),
    "nothing": ([], ("0", str(N))),
    "two columns": (np.column_stack([Y, Y]), ("y",)),
    "a nested list": ([[grade] for grade in Y], ("y", "shape")),
    "NaN": (with_grade(np.nan, float), ("NaN", f"row {N - 1}")),
    "infinity": (with_grade(np.inf, float), ("infinity", f"row {N - 1}")),
    "minus infinity": (with_grade(-np.inf, float), ("infinity", f"row {N - 1}")),
    "negative": (with_grade(-1, int), ("-1", "negative", f"row {N - 1}")),
    "hardly negative": (with_grade(-1e-300, float), ("negative", f"row {N - 1}")),
    "too high": (with_grade(1001, int), ("1001", f"row {N - 1}")),
    "a little too high": (with_grade(1000.5, float), ("1000.5", f"row {N - 1}")),
    "much too high": ([10**400] * N, ("y", "grades")),
    "words": (["good"] * N, ("grades", "numbers")),
    "digits": (Y.astype(str), ("grades", "numbers")),
    "digits among objects": (with_grade("1", object), ("grades", "number")),
    "digits of pandas": (pd.Series(Y.astype(str)), ("grades", "number")),
    "bytes": (Y.astype("S"), ("grades", "numbers")),
    "complex": (Y + 0j, ("grades", "numbers")),
    "dates": (np.full(N, np.datetime64("2020-01-01")), ("grades", "numbers")),
    "spans of time": (Y.astype("m8[s]"), ("grades", "numbers")),
    "None among objects": (with_grade(None, object), ("y", f"row {N - 1}")),
    "NaN among objects": (with_grade(np.nan, object), ("NaN", f"row {N - 1}")),
    "pandas' null": (pd.Series([*Y[:-1], None], dtype="Int64"), ("y",)),
    "a mapping among them": (with_grade({"a": 1}, object), ("grades", "number")),
    "a list among them": ([*Y[:-1].tolist(), [1]], ()),
}


@every_name
@fresh_and_trained
@pytest.mark.parametrize("case", BAD_GRADES)
def test_grades_that_are_none_are_refused(name: str, trained: bool, case: str) -> None:
    grades, told = BAD_GRADES[case]
    model = model_for(name, {}, trained)
    for method in LEARNING:
        with refused(model, *told):
            getattr(model, method)(X, grades, QID)
    with refused(model, *told):
        model.learn_list(X, grades)


@every_variant
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_refused_batch_of_few_columns_among_many_is_forgotten(name: str, parameters: Any, value: float) -> None:
    random = np.random.default_rng(6)
    indices, data = random.integers(0, 3000, 3 * N), random.standard_normal(3 * N)
    good = sp.csr_array((data, indices, np.arange(0, 3 * N + 1, 3)), shape=(N, 3000))
    model = make(name, **parameters).fit(good, Y, QID)
    data = data.copy()
    data[-3:] = value, -value, value
    bad = sp.csr_array((data, np.r_[indices[:-3], [5, 5, 5]], good.indptr), shape=(N, 3000))
    with refused(model):
        model.partial_fit(sp.vstack([bad, bad], format="csr"), np.tile(Y, 2), np.r_[QID, QID + 100])


@every_variant
def test_no_finite_list_leaves_weights_that_are_not(name: str, parameters: Any) -> None:
    for size in (1e150, 1e160, 1e300, 1.7e308):
        for trained in (False, True):
            model = model_for(name, parameters, trained)
            before = state(model)
            with contextlib.suppress(ValueError):  # to refuse it is one of two ways
                model.learn_list([[size, -size, 0.0, 1.0], [-size, size, 1.0, 0.0], [1.0, 1.0, size, 1.0]], [0, 1, 2])
            if state(model) != before:
                weights = [array for key, array in model._learner.arrays().items() if not key.startswith("support.")]
                assert all(np.isfinite(array).all() for array in weights)
                assert np.isfinite(model.predict(np.eye(4))).all()


@every_variant
def test_a_refused_first_batch_leaves_a_model_that_can_start_anew(name: str, parameters: Any) -> None:
    model = make(name, **parameters)
    with refused(model):
        model.partial_fit(spoiled(np.nan, N - 1, 3), Y, QID)
    assert not hasattr(model, "n_features_in_")
    assert model.partial_fit(X[:, :2], Y, QID).n_features_in_ == 2
