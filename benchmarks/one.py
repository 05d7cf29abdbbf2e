"""One example at a time: ``learn_one`` and ``predict_one`` compared with River's, and with one-row batches of others."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
from sklearn.linear_model import SGDRegressor

import ranktron
import ranktron.river

from .peers import VowpalWabbit, learn_all, mappings, river_classifier, river_regression, texts
from .problems import CLASSES, Problem, linear
from .report import Bar, Line, Section, at_most
from .timing import Race, Run

ROUNDS, EXAMPLES, FEW = 15, 5_000, 300
RIVER = "River's `LinearRegression`, mapping"
BARS = {"`PRank`, array": at_most(1), "`PRank`, mapping": at_most(2)}
NOTES = (
    f"{EXAMPLES:,} examples of 20 features, one call each ({FEW} where a call is slow), to models that are not reset between "
    "rounds; times against that of "
)


def sections() -> list[Section]:
    """Learning, then predicting."""
    problem = linear(EXAMPLES, 20, fresh=1_000)
    return [section("learn_one", learners(problem), BARS), section("predict_one", answerers(problem), {})]


def section(verb: str, runs: dict[str, Run], bars: dict[str, Bar]) -> Section:
    """Time per call relative to River's."""
    race = Race(ROUNDS)
    for name, run in runs.items():
        race.add(name, lambda run=run: run, FEW if name.endswith("row") else EXAMPLES)
    race.run()
    lines = [Line(name, race.cost(name, RIVER), bars.get(name)) for name in runs if name != RIVER]
    return Section(f"One example at a time: `{verb}`", f"{NOTES}{RIVER}.", lines)


def learners(problem: Problem) -> dict[str, Run]:
    """Loops of learning; models are not reset, because the cost of a call does not depend on the number of calls before."""
    dicts, labels, arrays = mappings(problem.X), problem.y.tolist(), list(problem.X)
    learn = partial(partial, learn_all)
    return {
        RIVER: learn(river_regression().model.learn_one, dicts, labels),
        "`PRank`, array": learn(prank().learn_one, arrays, labels),
        "`PRank`, mapping": learn(prank().learn_one, dicts, labels),
        "`PRank`, array, in its first 50,000 rows: not compiled yet": interpreted(learn(prank().learn_one, arrays, labels)),
        "`PRank`, mapping, in its first 50,000 rows: not compiled yet": interpreted(learn(prank().learn_one, dicts, labels)),
        "`ranktron.river.PRank`, mapping": learn(ranktron.river.PRank(classes=CLASSES).learn_one, dicts, labels),
        "`PRank.partial_fit`, one row": learn(row_learner(prank()), arrays[:FEW], labels[:FEW]),
        "River's `OneVsRestClassifier(Perceptron())`, mapping": learn(river_classifier().model.learn_one, dicts, labels),
        "Vowpal Wabbit's regression, text": partial(VowpalWabbit().learn, texts(problem.X, problem.y)),
        "`SGDRegressor.partial_fit`, one row": learn(row_learner(SGDRegressor(random_state=0)), arrays[:FEW], labels[:FEW]),
    }


def answerers(problem: Problem) -> dict[str, Run]:
    """Loops of predicting, by models that have learned the same examples."""
    dicts, labels, arrays = mappings(problem.X), problem.y.tolist(), list(problem.X)
    river = river_regression().learn(dicts, labels).model
    by_name, by_place = prank(), prank()
    learn_all(by_name.learn_one, dicts, labels)
    learn_all(by_place.learn_one, arrays, labels)
    sgd = SGDRegressor(random_state=0).partial_fit(problem.X, problem.grades)
    return {
        RIVER: partial(call_all, river.predict_one, dicts),
        "`PRank`, array": partial(call_all, by_place.predict_one, arrays),
        "`PRank`, mapping": partial(call_all, by_name.predict_one, dicts),
        "`PRank.predict`, one row": partial(call_all, by_place.predict, as_rows(arrays[:FEW])),
        "`SGDRegressor.predict`, one row": partial(call_all, sgd.predict, as_rows(arrays[:FEW])),
    }


def prank() -> ranktron.PRank:
    """A PRank with its classes given."""
    return ranktron.PRank(classes=CLASSES)


def row_learner(model: Any) -> Callable[[np.ndarray, int], Any]:
    """A function with ``learn_one``'s arguments that calls ``partial_fit``."""
    return lambda x, y: model.partial_fit(x[None], np.array([y]))


def as_rows(arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Each array as a matrix of one row."""
    return [x[None] for x in arrays]


def call_all(answer: Callable[[Any], Any], examples: list[Any]) -> None:
    """Predict every example."""
    for x in examples:
        answer(x)


def interpreted(run: Run) -> Run:
    """The same loop without compiling."""
    return mock.patch("ranktron.compile.policy.PATIENCE", math.inf)(run)
