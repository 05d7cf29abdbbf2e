"""On small integers every sum is exact, so these learners equal the papers' pseudocode to the last bit, ties included."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.covering import examples

from ..papers import crammer_singer as paper
from .runs import flat, fresh, integer_streams, rule, steps

# A dyadic step: for a few rows of small integers the weights of Widrow-Hoff are exact too.
EIGHTH = {"step": Fraction(1, 8)}

ADDITIVE = [
    ("PRank", paper.prank, {}),
    ("PRank", paper.prank, {"ties": "strict"}),
    ("SiPRank", paper.siprank, {}),
    ("MulticlassPerceptron", paper.mcp, {}),
]
IDS = ["PRank", "PRank-strict", "SiPRank", "MulticlassPerceptron"]


def uniform(intercept):
    return {"update": "uniform", "intercept": intercept}


def named(parameters):
    """The estimator's names for an oracle's parameters."""
    parameters = {"fit_intercept" if name == "intercept" else name: value for name, value in parameters.items()}
    return {name: float(value) if isinstance(value, Fraction) else value for name, value in parameters.items()}


def assert_same_run(name, oracle, parameters, stream):
    X, y, k = stream
    run = steps(fresh(name, k, **named(parameters)), X, y)
    for t, (got, expected) in enumerate(zip(run, oracle(X, y, k, **parameters), strict=True)):
        assert got == expected, f"round {t}"


@pytest.mark.parametrize(("name", "oracle", "parameters"), ADDITIVE, ids=IDS)
@settings(max_examples=examples(80))
@given(stream=integer_streams())
def test_every_round_is_the_papers(name, oracle, parameters, stream):
    assert_same_run(name, oracle, parameters, stream)


@pytest.mark.parametrize("intercept", [False, True])
@settings(max_examples=examples(80))
@given(stream=integer_streams(ranks=(2, 3)))
def test_uniform_shares_of_one_and_of_a_half_are_exact(intercept, stream):
    assert_same_run("MulticlassPerceptron", paper.mcp, uniform(intercept), stream)


@settings(max_examples=examples(80))
@given(stream=integer_streams())
def test_multiclass_intercepts_are_the_weights_of_a_constant(stream):
    assert_same_run("MulticlassPerceptron", paper.mcp, {"intercept": True}, stream)


@pytest.mark.parametrize("intercept", [False, True])
@settings(max_examples=examples(80))
@given(stream=integer_streams(rows=6, features=3))
def test_widrow_hoff_rounds_are_the_papers(intercept, stream):
    assert_same_run("WidrowHoff", paper.widrow_hoff, {**EIGHTH, "intercept": intercept}, stream)


def test_three_rounds_by_hand():
    # f = 0 = b1 = b2 counts as above both, and both are errors for y = 2; f = 0 is between -1 and 1; f = 0 = b1 is above it.
    X, y = [[1], [0], [1]], [2, 1, 2]
    assert list(steps(fresh("PRank", 3), X, y)) == [
        (3, (0.0,), (-1.0, 1.0)),
        (2, (0.0,), (0.0, 1.0)),
        (2, (0.0,), (0.0, 1.0)),
    ]


AVERAGED = [
    ("PRank", paper.prank, {}, {}),
    ("PRank", paper.prank, {"ties": "strict"}, {}),
    ("SiPRank", paper.siprank, {}, {}),
    ("MulticlassPerceptron", paper.mcp, {"intercept": True}, {}),
    ("MulticlassPerceptron", paper.mcp, uniform(False), {"ranks": (2, 3)}),
    ("WidrowHoff", paper.widrow_hoff, {**EIGHTH, "intercept": True}, {"rows": 6, "features": 3}),
]
AVERAGED_IDS = ["PRank", "PRank-strict", "SiPRank", "MCP", "MCP-uniform", "WidrowHoff"]


@pytest.mark.parametrize(("name", "oracle", "parameters", "kind"), AVERAGED, ids=AVERAGED_IDS)
@settings(max_examples=examples(50))
@given(data=st.data())
def test_the_average_is_the_mean_of_the_rules_held_after_each_row(name, oracle, parameters, kind, data):
    X, y, k = data.draw(integer_streams(**kind))
    model = fresh(name, k, average=True, **named(parameters))
    for row, label, mean in zip(X, y, paper.averages(oracle(X, y, k, **parameters)), strict=True):
        model.learn_one(row, label)
        assert flat(rule(model)) == pytest.approx(flat(mean), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("name", "oracle", "parameters", "kind"), AVERAGED, ids=AVERAGED_IDS)
@settings(max_examples=examples(50))
@given(data=st.data())
def test_the_average_predicts_as_exact_fractions_do(name, oracle, parameters, kind, data):
    X, y, k = data.draw(integer_streams(**kind))
    model = fresh(name, k, average=True, **named(parameters))
    assert model.predict_then_learn(X, y).tolist() == list(paper.predict_averaged(oracle, X, y, k, **parameters))
