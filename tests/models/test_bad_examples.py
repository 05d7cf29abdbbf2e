"""Single examples that cannot be learned: an error, and neither their names nor their labels stay."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ranktron

from ..family import NAMES, make, state, stream
from .contract import as_mappings, every_variant, learned_once, refused

every_name = pytest.mark.parametrize("name", NAMES)
every_bad_value = pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])

BAD_ARRAYS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "NaN": ([1.0, 2.0, np.nan, 4.0], ("NaN", "column 2")),
    "infinity": ([1.0, 2.0, 3.0, np.inf], ("infinity", "column 3")),
    "minus infinity": ([-np.inf, 2.0, 3.0, 4.0], ("infinity", "column 0")),
    "two dimensions": (np.ones((1, 4)), ("1-D", "(1, 4)")),
    "a number": (1.0, ("1-D",)),
    "nothing": (None, ("1-D",)),
    "a word": ("high", ("1-D",)),
    "words": (np.array(["a", "b", "c", "d"]), ("number",)),
    "complex": (np.ones(4) + 1j, ("number",)),
    "objects": (np.array([1.0, 2.0, 3.0, {}], object), ("number",)),
    "no feature": (np.array([]), ("1-D",)),
}
BAD_LABELS: dict[str, Any] = {
    "NaN": math.nan,
    "none": None,
    "infinity": math.inf,
    "list": [1],
    "mapping": {"a": 1},
    "array": np.ones(2),
}


@learned_once
def trained(name: str, parameters: dict[str, Any], kind: str, **more: Any) -> Any:
    """A model that has learned ten arrays, named mappings or hashed ones."""
    X, y = stream(10)
    model = make(name, **parameters, **more, **({"hash_bits": 3} if kind == "hashed" else {}))
    for x, label in zip(X if kind == "arrays" else as_mappings(X), y.tolist()):
        model.learn_one(x, label)
    return model


@every_variant
@pytest.mark.parametrize("case", BAD_ARRAYS)
def test_arrays(name: str, parameters: dict[str, Any], case: str) -> None:
    x, words = BAD_ARRAYS[case]
    fresh = make(name, **parameters)
    with refused(fresh, *words):
        fresh.learn_one(x, 3)
    model = trained(name, parameters, "arrays")
    for label in (3, 99):
        with refused(model, *words):
            model.learn_one(x, label)
    with refused(model, *words):
        model.predict_one(x)


@every_variant
def test_arrays_of_another_length(name: str, parameters: dict[str, Any]) -> None:
    model = trained(name, parameters, "arrays")
    for x in ([1.0, 2.0, 3.0], [1.0] * 5, []):
        with refused(model, "4 features"):
            model.learn_one(x, 3)
        with refused(model, "4 features"):
            model.predict_one(x)


@every_variant
@every_bad_value
@pytest.mark.parametrize("kind", ["named", "hashed"])
def test_mappings(name: str, parameters: dict[str, Any], value: float, kind: str) -> None:
    what = "NaN" if math.isnan(value) else "infinity"
    fresh = make(name, **parameters, hash_bits=3 if kind == "hashed" else None)
    with refused(fresh, what):
        fresh.learn_one({"f00": 1.0, "f01": value}, 3)
    model = trained(name, parameters, kind)
    full = {"f00": 1.0, "f01": value, "f02": 1.0, "f03": 2.0}
    for x in (full, {"f01": value}, {**full, "new": 1.0}):
        for label in (3, 99, -99):
            with refused(model, what, *(["f01"] if kind == "named" else [])):
                model.learn_one(x, label)
        with refused(model, what):
            model.predict_one(x)


@every_variant
def test_new_names_of_a_refused_example_do_not_stay(name: str, parameters: dict[str, Any]) -> None:
    model = trained(name, parameters, "named")
    names = model.feature_names_in_.tolist()
    bad = [({"zz": math.nan}, "zz"), ({"aa": 1.0, "zz": -math.inf, "f00": 1.0}, "zz"), ({"aa": "high", "bb": 1.0}, "aa")]
    for x, word in bad:
        for label in (3, 99):
            with refused(model, word):
                model.learn_one(x, label)
    many = {f"n{column}": 1.0 for column in range(100)}
    with refused(model, "n50"):
        model.learn_one({**many, "n50": math.nan}, 3)
    assert model.feature_names_in_.tolist() == names
    model.learn_one({"bb": 1.0, "aa": 2.0}, 3)
    assert model.feature_names_in_.tolist() == [*names, "aa", "bb"]


@every_variant
def test_names_before_a_refused_label_do_not_stay(name: str, parameters: dict[str, Any]) -> None:
    model = trained(name, parameters, "named", classes=[1, 2, 3, 4, 5])
    with refused(model, "label 6"):
        model.learn_one({"new": 1.0}, 6)
    model = trained(name, parameters, "named")
    with refused(model, "order"):
        model.learn_one({"new": 1.0}, "six")
    assert model.n_features_in_ == 4


@every_name
@pytest.mark.parametrize("case", BAD_LABELS)
def test_labels(name: str, case: str) -> None:
    for classes in (None, [1, 2, 3, 4, 5]):
        for kind in ("arrays", "named"):
            x = [1.0, 2.0, 3.0, 4.0] if kind == "arrays" else {"f00": 1.0, "new": 2.0}
            for model in (make(name, classes=classes), trained(name, {}, kind, classes=classes)):
                with refused(model, "label"):
                    model.learn_one(x, BAD_LABELS[case])


NO_NUMBERS: dict[str, Any] = {
    "word": "high",
    "digits": "1.5",
    "bytes": b"1",
    "none": None,
    "list": [1.0],
    "complex": 1j,
    "numpy complex": np.complex128(1 + 1j),
    "array": np.ones(2),
    "date": np.datetime64("2020-01-01"),
    "mapping": {"a": 1.0},
}


@every_name
@pytest.mark.parametrize("case", NO_NUMBERS)
def test_a_value_that_is_no_number_is_refused_by_its_name(name: str, case: str) -> None:
    for kind in ("named", "hashed"):
        model = trained(name, {}, kind)
        full = {"f00": 1.0, "f01": NO_NUMBERS[case], "f02": 1.0, "f03": 2.0}
        for x in (full, {"f01": NO_NUMBERS[case]}, {"f01": NO_NUMBERS[case], "new": 1.0}):
            with refused(model, "'f01'", "number"):
                model.learn_one(x, 3)
            with refused(model, "'f01'", "number"):
                model.predict_one(x)
    fresh = make(name)
    with refused(fresh, "'f01'", "number"):
        fresh.learn_one({"f01": NO_NUMBERS[case]}, 3)


def test_an_integer_too_large_for_a_float_is_refused_by_its_name() -> None:
    model = trained("PRank", {}, "named")
    for value in (10**400, Fraction(10**400)):
        with refused(model, "'f01'"):
            model.learn_one({"f00": 1.0, "f01": value}, 3)


@pytest.mark.parametrize("kind", ["named", "hashed"])
@pytest.mark.parametrize("signed", [False, True])
def test_mappings_beyond_the_radius(kind: str, signed: bool) -> None:
    model = trained("MuPRank", {"radius": 10.0, "signed": signed}, kind)
    for x in ({"f00": 11.0}, {"f00": 1.0, "new": -10.5}, {"f00": 11.0, "f01": 1.0, "f02": 0.0, "f03": 1.0}):
        for label in (3, 99):
            with refused(model, "radius=10.0"):
                model.learn_one(x, label)
    with refused(model, "radius=10.0"):
        model.predict_one({"f00": 11.0})


@every_name
def test_mappings_for_columns_without_names_are_refused(name: str) -> None:
    model = trained(name, {}, "arrays")
    for x in ({"a": 1.0}, {}, dict.fromkeys(range(4), 1.0)):
        with refused(model, "names", "array"):
            model.learn_one(x, 3)
        with refused(model, "names", "array"):
            model.predict_one(x)


@every_name
def test_after_refusals_of_every_kind_learning_goes_on_as_if_they_had_not_been(name: str) -> None:
    X, y = stream(40)
    model, twin = make(name), make(name)
    for row, label in zip(as_mappings(X), y.tolist()):
        bad = [({**row, "f01": math.nan}, label), ({**row, "new": math.inf}, 77), (row, math.nan), ({"f00": "x"}, label)]
        for x, wrong in bad:
            with pytest.raises((ValueError, TypeError)):
                model.learn_one(x, wrong)
        model.learn_one(row, label)
        twin.learn_one(row, label)
    assert state(model) == state(twin)


def test_an_error_within_a_mapping_changes_nothing() -> None:
    class Broken(dict[str, float]):
        def items(self) -> Any:
            raise ValueError("this mapping is broken")

    model = ranktron.PRank()
    model.learn_one({"a": 1.0, "b": 2.0}, 1)
    with refused(model, "this mapping is broken"):
        model.learn_one(Broken(new=1.0), 2)
