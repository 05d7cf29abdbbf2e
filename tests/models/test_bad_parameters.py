"""Parameters out of range: refused by name when learning starts, and nothing is learned."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import ranktron
from ranktron.kernels import Gaussian

from ..family import NAMES, make, stream
from .contract import assert_readable, learned_once, refused

FLAGS: list[Any] = ["yes", 2, None, math.nan]
POSITIVE: list[Any] = [0, 0.0, -1.0, math.nan, math.inf, "big", True, [1.0], 1j]
BAD: dict[str, list[Any]] = {
    "epochs": [0, -1, 1.5, True, None, "3", math.inf],
    "random_state": ["today", -1, 1.5],
    "classes": [[1], [], [1, 1], [[1, 2], [3, 4]], 5, [1, math.nan], [1, None, 2]],
    "missing": ["drop", None, 0],
    "hash_bits": [0, 31, -1, 2.5, True, "4"],
    "ties": ["loose", None, 1],
    "margin": ["wide", None, 1],
    "trigger": ["never", None, False],
    "step": [*POSITIVE, None],
    "update": ["min", None],
    "kernel": ["gaussian", 2.0, Gaussian, False],
    "budget": [0, -1, 2.5, True, "many"],
    "policy": ["newest", None, 1],
    "estimator": ["PRank", ranktron.PRank, 5, ranktron.OAP(), ranktron.Voted()],
    "n_members": [0, -1, 2.5, True, None, "all", 10**9],
    "tau": [0.0, -0.1, 1.5, math.nan, True, None, "often"],
    "combine": ["mode", None, 1],
    "votes": ["all", None, 1],
    "sampling": ["coin", None, 1],
    "n_jobs": [0, 1.5, True, "all"],
    "count": ["one", None, 1],
    "limit": [0, -1, 2.5, True, "none"],
    "scale": ["min-max", True, 1, "Standard"],
    "forget": [0, 0.0, 1, 1.0, -0.1, math.nan, True, "some"],
    "order": [0, 3, 1.5, True, None, "second"],
}
# What numbers and flags refuse follows from how they are declared; None where it is not the default.
BY_KIND = {"True or False": FLAGS, "True or False, or None": FLAGS, "a positive number": [*POSITIVE, None]}
MAY_BE_NONE = {("OrdinalLogit", "step")}


def bad_values(name: str) -> dict[str, list[Any]]:
    """What each parameter of an estimator refuses."""
    bad = {}
    for field in dataclasses.fields(getattr(ranktron, name)):
        by_kind = [value for value in BY_KIND.get(field.metadata["may be"], []) if value is not None or field.default is not None]
        bad[field.name] = by_kind or BAD.get(field.name, [])
    return bad


CASES = [
    pytest.param(name, parameter, value, id=f"{name}-{parameter}-{value}")
    for name in NAMES
    for parameter, values in bad_values(name).items()
    for value in values
    if value is not None or (name, parameter) not in MAY_BE_NONE
]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_has_a_case_here(name: str) -> None:
    assert [parameter for parameter, values in bad_values(name).items() if not values] == []


@pytest.mark.parametrize(("name", "parameter", "value"), CASES)
def test_a_fresh_model_refuses_it(name: str, parameter: str, value: Any) -> None:
    X, y = stream(50)
    model = make(name, **{parameter: value})
    with refused(model, parameter):
        model.fit(X, y)
    if parameter != "random_state":
        with refused(model, parameter):
            model.partial_fit(X, y)
        with refused(model, parameter):
            model.predict_then_learn(X, y)
        with refused(model, parameter):
            model.learn_one(X[0], 1)
        with refused(model, parameter):
            model.learn_one({"a": 1.0}, 1)


@learned_once
def trained(name: str) -> Any:
    return make(name).fit(*stream(50))


@pytest.mark.parametrize(("name", "parameter", "value"), CASES)
def test_a_trained_model_refuses_it(name: str, parameter: str, value: Any) -> None:
    (X, y), model = stream(50), trained(name)
    good = model.get_params()[parameter]
    for method in ("fit", "partial_fit", "predict_then_learn"):
        if method != "fit" and parameter in ("classes", "random_state"):
            continue
        model.set_params(**{parameter: value})
        with pytest.raises((ValueError, TypeError)) as caught:
            getattr(model, method)(X, y)
        assert_readable(str(caught.value), parameter)
        model.set_params(**{parameter: good})
        assert model.n_seen_ == 50


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_shape_learning_are_not_changed_halfway(name: str) -> None:
    X, y = stream(50)
    changed = {"OAP": {"tau": 0.5}, "Voted": {"limit": 5}, "AROWPRank": {"r": 2.0}}.get(name, {"average": False})
    model = make(name).partial_fit(X, y).set_params(**changed)
    with pytest.raises(ValueError, match=next(iter(changed))):
        model.partial_fit(X, y)
    assert model.n_seen_ == 50
    assert model.fit(X, y).n_seen_ == 50


@pytest.mark.parametrize("classes", [[1], [], [1, 1], [1, math.nan]])
def test_predict_one_refuses_bad_classes_too(classes: list[Any]) -> None:
    model = ranktron.PRank(classes=classes)
    with refused(model, "classes"):
        model.predict_one([1.0])


def test_classes_of_partial_fit_are_checked_like_the_parameter() -> None:
    X, y = stream(50)
    model = ranktron.PRank()
    for classes in BAD["classes"]:
        with refused(model, "classes"):
            model.partial_fit(X, y, classes=classes)


def test_the_theory_of_muprank_needs_a_margin() -> None:
    X, y = stream(50)
    model = ranktron.MuPRank(step="theory", radius=10.0)
    with refused(model, "gamma", "theory"):
        model.fit(X, y)
    with refused(model, "gamma", "theory"):
        model.learn_one(X[0], 1)


def test_the_margin_of_muprank_is_below_the_number_of_thresholds() -> None:
    X, y = stream(50)
    model = ranktron.MuPRank(step="theory", gamma=4.0, radius=10.0)
    with refused(model, "gamma=4.0", "4"):
        model.fit(X, y)
    with refused(model, "gamma=4.0", "4"):
        model.set_params(classes=[1, 2, 3, 4, 5]).learn_one(X[0], 1)
    assert ranktron.MuPRank(step="theory", gamma=3.9, radius=10.0).fit(X, y).n_seen_ == 50


def test_the_message_says_what_a_parameter_may_be() -> None:
    with pytest.raises(ValueError, match="PRank: ties='loose' should be one of 'paper', 'strict'"):
        ranktron.PRank(ties="loose").fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ValueError, match="WidrowHoff: step=-1 should be a positive number"):
        ranktron.WidrowHoff(step=-1).fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ValueError, match="epochs=0 should be a whole number from 1 on"):
        ranktron.PRank(epochs=0).fit([[1.0], [2.0]], [1, 2])
