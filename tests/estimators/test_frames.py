"""Data frames: pandas and polars, names of columns, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ranktron

from ..family import NAMES, make, state, stream
from ..models.contract import every_variant, refused

COLUMNS = ["age", "size", "weight", "price"]
every_name = pytest.mark.parametrize("name", NAMES)
every_library = pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])


def table(frame: Any, X: np.ndarray, columns: list[Any] = COLUMNS) -> Any:
    return frame(dict(zip(columns, X.T)))


def unnamed(model: Any) -> dict[str, Any]:
    return {key: value for key, value in state(model).items() if key != "names"}


@every_library
@every_variant
def test_a_frame_learns_as_its_array_does(name: str, parameters: dict[str, Any], frame: Any) -> None:
    X, y = stream(40)
    model = make(name, **parameters).partial_fit(table(frame, X), y)
    assert unnamed(model) == unnamed(make(name, **parameters).partial_fit(X, y))
    assert model.feature_names_in_.tolist() == COLUMNS
    assert model.feature_names_in_.dtype == object
    np.testing.assert_array_equal(model.predict(table(frame, X)), make(name, **parameters).partial_fit(X, y).predict(X))


@every_library
@every_name
@pytest.mark.parametrize("method", ["partial_fit", "predict_then_learn", "predict", "decision_function", "project"])
def test_reordered_and_wrong_names_are_refused(name: str, frame: Any, method: str) -> None:
    X, y = stream(20)
    model = make(name).fit(table(frame, X), y)
    before = state(model)
    labels = [y] if method in ("partial_fit", "predict_then_learn") else []
    for columns in (COLUMNS[::-1], ["age", "size", "weight", "cost"]):
        with pytest.raises(ValueError, match="feature names should match"):
            getattr(model, method)(table(frame, X, columns), *labels)
    assert state(model) == before


@every_library
@every_name
def test_fit_takes_new_names(name: str, frame: Any) -> None:
    X, y = stream(20)
    model = make(name).fit(table(frame, X), y).fit(table(frame, X[:, :2], ["b", "a"]), y)
    assert model.feature_names_in_.tolist() == ["b", "a"]
    assert not hasattr(model.fit(X, y), "feature_names_in_")


@every_library
@every_name
def test_an_array_after_a_frame_is_taken_with_a_warning(name: str, frame: Any) -> None:
    X, y = stream(20)
    model = make(name).fit(table(frame, X), y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        told = model.predict(X)
    np.testing.assert_array_equal(told, model.predict(table(frame, X)))


@every_library
@every_name
def test_a_frame_of_whole_numbers_and_flags(name: str, frame: Any) -> None:
    X, y = stream(30)
    mixed = {"a": np.round(5 * X[:, 0]).astype(np.int32), "b": X[:, 1] > 0, "c": X[:, 2].astype(np.float32)}
    model = make(name).fit(frame(mixed), y)
    assert unnamed(model) == unnamed(make(name).fit(np.column_stack([part.astype(float) for part in mixed.values()]), y))


@every_library
@every_name
def test_nan_is_refused_by_the_name_of_its_column(name: str, frame: Any) -> None:
    X, y = stream(30)
    X[17, 2] = np.nan
    model = make(name)
    with refused(model, "NaN", "row 17", "column 2", "weight", 'missing="zero"'):
        model.fit(table(frame, X), y)


def test_a_value_beyond_the_radius_is_refused_by_the_name_of_its_column() -> None:
    X, y = stream(30)
    model = ranktron.MuPRank(radius=10.0)
    X[29, 3] = -11.0
    with refused(model, "row 29", "column 3", "-11.0", "radius=10.0", "price"):
        model.partial_fit(table(pd.DataFrame, X), y)


@every_library
def test_a_column_of_text_is_refused(frame: Any) -> None:
    model = ranktron.PRank()
    with refused(model, "number"):
        model.partial_fit(frame({"a": [1.0, 2.0], "b": ["x", "y"]}), [1, 2])


@every_library
def test_labels_in_a_series(frame: Any) -> None:
    X, y = stream(30)
    series = pd.Series if frame is pd.DataFrame else pl.Series
    assert state(ranktron.PRank().fit(X, series(y))) == state(ranktron.PRank().fit(X, y))
    words = np.array(["a", "b", "c", "d", "e"])[y - 1]
    assert ranktron.PRank().fit(X, series(words)).classes_.tolist() == ["a", "b", "c", "d", "e"]


def test_columns_without_string_names_count_as_unnamed() -> None:
    X, y = stream(20)
    model = ranktron.PRank().fit(pd.DataFrame(X), y)
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.predict(X), model.predict(pd.DataFrame(X)))


NULLS = {
    "pandas-nullable": lambda X: pd.DataFrame({"a": pd.array([None, *X[1:, 0]], "Float64"), "b": X[:, 1]}),
    "pandas-object": lambda X: pd.DataFrame({"a": np.array([None, *X[1:, 0]], object), "b": X[:, 1]}),
    "polars": lambda X: pl.DataFrame({"a": [None, *X[1:, 0]], "b": X[:, 1]}),
}


@pytest.mark.parametrize("library", NULLS)
def test_null_is_nan(library: str) -> None:
    X, y = stream(20)
    holes, filled = NULLS[library](X), np.column_stack([[0.0, *X[1:, 0]], X[:, 1]])
    model = ranktron.PRank()
    with refused(model, "row 0", "column 0", "NaN"):
        model.fit(holes, y)
    assert unnamed(ranktron.PRank(missing="zero").fit(holes, y)) == unnamed(ranktron.PRank().fit(filled, y))


@every_library
def test_the_names_of_a_frame_are_those_of_mappings(frame: Any) -> None:
    X, y = stream(30)
    model = ranktron.PRank().partial_fit(table(frame, X[:20]), y[:20])
    twin = ranktron.PRank().partial_fit(X[:20], y[:20])
    for row, label in zip(X[20:], y[20:]):
        model.learn_one(dict(zip(COLUMNS[::-1], row[::-1])), label)
        twin.learn_one(row, label)
    assert unnamed(model) == unnamed(twin)
    model.learn_one({"colour": 1.0}, 5)
    assert model.feature_names_in_.tolist() == [*COLUMNS, "colour"]
