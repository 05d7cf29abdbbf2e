"""NaN and infinity anywhere in a batch: an error that says where, and a model that has not changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron

from ..family import make, state, stream
from .contract import ANSWERING, LEARNING, every_variant, every_way_to_learn, fresh_and_trained, model_for, refused

STORAGE = {"dense": np.asarray, "csr": sp.csr_array, "float32": lambda X: X.astype(np.float32)}
every_storage = pytest.mark.parametrize("storage", STORAGE)
VALUES = (np.nan, np.inf, -np.inf)
every_bad_value = pytest.mark.parametrize("value", VALUES)
PLACES = [(0, 0), (25, 2), (49, 3)]


def everywhere(storage: str, method: str) -> list[tuple[float, tuple[int, int]]]:
    """Every bad value at another place, which is another one for every storage: together they are all values at all places."""
    turn = list(STORAGE).index(storage) + [*LEARNING, *ANSWERING].index(method)
    return [(value, PLACES[(turn + number) % 3]) for number, value in enumerate(VALUES)]


def spoiled(value: float, row: int, column: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = stream(50)
    X[row, column] = value
    return X, y


def words(value: float, row: int, column: int) -> tuple[str, str]:
    return "NaN" if np.isnan(value) else "infinity", f"row {row}, column {column}"


@every_variant
@fresh_and_trained
@every_way_to_learn
@every_storage
def test_learning_refuses_it(name: str, parameters: Any, trained: bool, method: str, storage: str) -> None:
    model = model_for(name, parameters, trained)
    for value, place in everywhere(storage, method):
        X, y = spoiled(value, *place)
        with refused(model, *words(value, *place)):
            getattr(model, method)(STORAGE[storage](X), y)


@every_variant
@every_storage
def test_answering_refuses_it(name: str, parameters: Any, storage: str) -> None:
    model = model_for(name, parameters, trained=True)
    for method in ANSWERING:
        for value, place in everywhere(storage, method):
            X, _ = spoiled(value, *place)
            with refused(model, *words(value, *place)):
                getattr(model, method)(STORAGE[storage](X))
    for value in VALUES:
        with refused(model, *words(value, 0, 1)):
            model.predict_one(np.array([0.0, value, 0.0, 0.0]))


@every_variant
@every_bad_value
def test_weights_that_are_still_zero_hide_nothing(name: str, parameters: Any, value: float) -> None:
    model = make(name, **parameters, classes=[1, 2])
    for rows in (np.array([[0.0, value]]), sp.csr_array([[0.0, value]])):
        with refused(model, *words(value, 0, 1)):
            model.partial_fit(rows, [1])
    with refused(model, *words(value, 0, 1)):
        model.predict_one(np.array([0.0, value]))


@every_variant
def test_two_infinities_do_not_cancel(name: str, parameters: Any) -> None:
    model = model_for(name, parameters, trained=True)
    for pair in ([np.inf, -np.inf], [-np.inf, np.inf], [np.inf, np.inf], [np.inf, np.nan]):
        X, y = stream(5)
        X[4, 1:3] = pair
        with refused(model, "infinity", "row 4, column 1"):
            model.partial_fit(X, y)
        with refused(model, "infinity", "row 4, column 1"):
            model.predict(X)


@every_variant
def test_the_first_bad_row_is_named(name: str, parameters: Any) -> None:
    X, y = stream(50)
    X[[40, 20, 30], [1, 3, 0]] = np.nan
    model = model_for(name, parameters, trained=True)
    with refused(model, "row 20, column 3"):
        model.partial_fit(X, y)


@every_variant
def test_a_bad_epoch_or_order_changes_nothing(name: str, parameters: Any) -> None:
    X, y = spoiled(np.nan, 49, 1)
    model = model_for(name, parameters, trained=True, epochs=3, shuffle=True, random_state=0)
    with refused(model, "row 49, column 1"):
        model.fit(X, y)
    weights = np.arange(50) % 2 if make(name).sample_weights == "flags" else np.arange(50) % 3
    with refused(model, "row 49, column 1"):
        model.partial_fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("storage", ["dense", "csr"])
@fresh_and_trained
@every_way_to_learn
@pytest.mark.parametrize("signed", [False, True])
def test_muprank_refuses_what_is_beyond_its_radius(storage: str, trained: bool, method: str, signed: bool) -> None:
    model = model_for("MuPRank", {"radius": 10.0, "signed": signed}, trained)
    for value, (row, column) in zip((10.5, -11.0, 1e300), PLACES):
        X, y = spoiled(value, row, column)
        with refused(model, f"row {row}, column {column}", str(value), "radius=10.0"):
            getattr(model, method)(STORAGE[storage](X), y)
    if trained:
        for method_name in ANSWERING:
            with refused(model, "row 49, column 3", "radius=10.0"):
                getattr(model, method_name)(STORAGE[storage](X))
        with refused(model, "column 1", "radius=10.0"):
            model.learn_one(np.array([0.0, 10.5, 0.0, 0.0]), 1)


def test_muprank_takes_what_is_at_its_radius() -> None:
    X, y = spoiled(-10.0, 49, 3)
    assert ranktron.MuPRank(radius=10.0).partial_fit(X, y).n_seen_ == 50


@pytest.mark.parametrize("name", ["PRank", "SiPRank", "NoPRank", "MulticlassPerceptron", "WidrowHoff"])
def test_numbers_too_large_to_learn_from_are_refused_and_change_nothing(name: str) -> None:
    model = make(name).partial_fit(*stream(30))
    before = state(model)
    X = np.full((2, 4), 1.7e308)
    for rows in (X, sp.csr_array(X)):
        with pytest.raises(ValueError, match=r"row [01] overflows"):
            model.partial_fit(rows, [1, 5])
        assert state(model) == before
    with pytest.raises(ValueError, match="row 0 overflows"):
        model.predict(X)


@every_variant
def test_no_finite_row_leaves_weights_that_are_not(name: str, parameters: Any) -> None:
    for learn in (lambda model, row: model.partial_fit([row], [1]), lambda model, row: model.learn_one(row, 1)):
        model = make(name, **parameters, classes=[1, 2, 3, 4, 5])
        try:
            learn(model, np.full(4, 1.7e308))
        except ValueError:
            assert state(model) == {}
        else:
            assert np.isfinite(model.coef_).all()
            assert model.predict_one(np.zeros(4)) in [1, 2, 3, 4, 5]
