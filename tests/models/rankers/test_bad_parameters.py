"""Parameters out of range: refused by name when learning starts, and nothing is learned; learned ones do not change."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron import AdaGrad
from ranktron.kernels import Gaussian, Polynomial

from ..contract import assert_readable, learned_once
from .family import LEARNING, NAMES, every_name, make, refused, state, stream

FLAGS: list[Any] = ["yes", 2, None, math.nan]
POSITIVE: list[Any] = [0, 0.0, -1.0, math.nan, math.inf, "big", True, [1.0], 1j]
BAD: dict[str, list[Any]] = {
    "scale": ["min-max", True, 1, "Standard"],
    "forget": [0, 0.0, 1, 1.0, -0.1, math.nan, True, "some"],
    "average": FLAGS,
    "epochs": [0, -1, 1.5, True, None, "3", math.inf],
    "shuffle": FLAGS,
    "random_state": ["today", -1, 1.5],
    "missing": ["drop", None, 0],
    "hash_bits": [0, 31, -1, 2.5, True, "4"],
    "kernel": ["gaussian", 2.0, Gaussian, False],
    "budget": [0, -1, 2.5, True, "many"],
    "policy": ["newest", None, 1],
    "measure": [
        "map",
        "",
        "ndcg@",
        "ndcg@0",
        "ndcg@-3",
        "ndcg@1.5",
        "ndcg@ten",
        "NDCG@10",
        "ndcg @10",
        "ndcg@10\n",
        "ap@5",
        None,
        10,
        b"ap",
    ],
    "margin": [*POSITIVE, None],
    "ties": ["loose", None, 1, "paper"],
    "soften": [-0.1, math.nan, math.inf, "little", True, None, [1.0], 1j],
    "step": [*POSITIVE, AdaGrad, "adagrad"],
    "query_scale": ["max", "", 1, True, b"minmax", ["minmax"]],
}
CASES = [
    pytest.param(name, parameter, value, id=f"{name}-{parameter}-{value!r}")
    for name in NAMES
    for parameter in make(name).get_params()
    for value in BAD.get(parameter, ["no case"])
]


@every_name
def test_every_parameter_has_a_case_here(name: str) -> None:
    assert set(make(name).get_params()) <= set(BAD)


@pytest.mark.parametrize(("name", "parameter", "value"), CASES)
def test_a_fresh_model_refuses_it(name: str, parameter: str, value: Any) -> None:
    X, y, qid = stream(5)
    model = make(name, **{parameter: value})
    ways = [(method, (X, y, qid)) for method in LEARNING]
    ways += [("learn_list", (X, y)), ("learn_list", ([{"a": 1.0}, {"b": 1.0}], [0, 1]))]
    ways += [("learn_pair", ([1.0], [2.0])), ("learn_pair", ({"a": 1.0}, {"b": 1.0}))]
    for method, given in ways:
        with refused(model, parameter, name):
            getattr(model, method)(*given)


@learned_once
def trained(name: str) -> Any:
    return make(name).fit(*stream(5))


@pytest.mark.parametrize(("name", "parameter", "value"), CASES)
def test_a_trained_model_refuses_it(name: str, parameter: str, value: Any) -> None:
    (X, y, qid), model = stream(5), trained(name)
    good, before = model.get_params()[parameter], state(model)
    for method in LEARNING:
        model.set_params(**{parameter: value})
        with pytest.raises((ValueError, TypeError)) as caught:
            getattr(model, method)(X, y, qid)
        assert_readable(str(caught.value), parameter)
        model.set_params(**{parameter: good})
        assert state(model) == before


OTHERS: dict[str, Any] = {
    "average": False,
    "kernel": Gaussian(1.0),
    "budget": 3,
    "policy": "random",
    "hash_bits": 5,
    "measure": "ndcg@9",
    "margin": 2.0,
    "ties": "average",
    "soften": 0.5,
    "step": AdaGrad(0.2),
    "query_scale": "minmax",
    "scale": "standard",
    "forget": 0.1,
}
FREE = {"epochs": 2, "shuffle": True, "random_state": 4, "missing": "zero"}


@every_name
def test_parameters_that_shape_learning_are_not_changed_halfway(name: str) -> None:
    X, y, qid = stream(5)
    assert set(make(name).get_params()) <= {*OTHERS, *FREE}
    for parameter in OTHERS.keys() & make(name).get_params().keys():
        model = make(name).fit(X, y, qid)
        before = state(model)
        for method, given in (("partial_fit", (X, y, qid)), ("learn_list", (X, y)), ("learn_pair", (X[0], X[1]))):
            model.set_params(**{parameter: OTHERS[parameter]})
            with pytest.raises(ValueError, match=f"{parameter} was changed after learning began"):
                getattr(model, method)(*given)
            assert state(model) == before
            model.set_params(**{parameter: make(name).get_params()[parameter]})
        assert model.partial_fit(X, y, qid).n_seen_ == 10


@every_name
def test_parameters_that_say_how_to_present_lists_may_change(name: str) -> None:
    X, y, qid = stream(5)
    model = make(name).fit(X, y, qid).set_params(**FREE).partial_fit(X, y, qid)
    assert state(model) == state(make(name).fit(X, y, qid).partial_fit(X, y, qid))


def test_an_equal_step_is_no_change() -> None:
    X, y, qid = stream(5)
    model = ranktron.SLAM(step=AdaGrad(0.5)).fit(X, y, qid).set_params(step=AdaGrad(0.5)).partial_fit(X, y, qid)
    assert model.n_seen_ == 10
    assert ranktron.SLAM(step=1).fit(X, y, qid).set_params(step=1.0).partial_fit(X, y, qid).n_seen_ == 10


@pytest.mark.parametrize("rate", POSITIVE)
def test_adagrad_refuses_a_rate_that_is_none(rate: Any) -> None:
    with pytest.raises(ValueError, match="rate") as caught:
        AdaGrad(rate)
    assert_readable(str(caught.value), "positive number")


def test_adagrad_is_a_value() -> None:
    assert AdaGrad(0.1) == AdaGrad(rate=0.1) == AdaGrad()
    assert AdaGrad(0.1) != AdaGrad(0.2)
    assert {AdaGrad(0.1): 1}[AdaGrad(0.1)] == 1
    assert repr(AdaGrad(0.5)) == "AdaGrad(rate=0.5)"


@pytest.mark.parametrize("name", ["SLAM", "ListNet"])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Polynomial(2), lambda A, B: A @ B.T])
def test_steps_that_adapt_to_features_go_with_no_kernel(name: str, kernel: Any) -> None:
    X, y, qid = stream(5)
    model = make(name, kernel=kernel, step=AdaGrad(0.1))
    for way in (lambda: model.fit(X, y, qid), lambda: model.learn_pair([1.0], [2.0])):
        with refused(model, "kernel", "step", "AdaGrad"):
            way()


@every_name
def test_numbers_of_numpys_will_do(name: str) -> None:
    X, y, qid = stream(5)
    given = {
        "epochs": np.int64(2),
        "average": np.True_,
        "margin": np.float32(0.5),
        "soften": np.float64(1.0),
        "step": np.float32(0.25),
    }
    own = {key: value for key, value in given.items() if key in make(name).get_params()}
    plain = {key: value.item() for key, value in own.items()}
    assert state(make(name, **own).fit(X, y, qid)) == state(make(name, **plain).fit(X, y, qid))


def test_the_message_says_what_a_parameter_may_be() -> None:
    with pytest.raises(ValueError, match="SLAM: ties='loose' should be one of 'index', 'average'"):
        ranktron.SLAM(ties="loose").fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ValueError, match=r"ListNet: step=-1 should be a positive number or AdaGrad\(rate\), or None"):
        ranktron.ListNet(step=-1).fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ValueError, match="MinimaxRank: measure='map' should be 'ndcg', 'ndcg@' and a whole number from 1 on"):
        ranktron.MinimaxRank(measure="map").fit([[1.0], [2.0]], [1, 2])
