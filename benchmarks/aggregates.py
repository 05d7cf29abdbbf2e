"""A hundred PRanks at once: the cost of OAP compared with one PRank and with other libraries' bagging."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from river import ensemble, linear_model, multiclass
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import Perceptron

import ranktron
import ranktron.river
from ranktron.data import synthetic

from .peers import River, mappings
from .problems import CLASSES, SEED, Problem, nearest, quality
from .report import Bar, Line, Section, at_most
from .timing import Race, Run

ROUNDS, SLOW_ROUNDS, SUBSET = 15, 3, 500
ROWS, FRESH = (5_000, 50_000, 200_000), 20_000
LAST, AVERAGED = "PRank(average=False)", "PRank()"
OURS, BAGGING, POISSON = "OAP()", 'OAP(combine="bagging")', 'OAP(sampling="poisson")'
VARIANTS: dict[str, dict[str, Any]] = {
    OURS: {},
    "OAP(n_jobs=2)": {"n_jobs": 2},
    "OAP(tau=0.1)": {"tau": 0.1},
    "OAP(tau=0.05)": {"tau": 0.05},
    BAGGING: {"combine": "bagging"},
    'OAP(combine="voting")': {"combine": "voting"},
    POISSON: {"sampling": "poisson"},
}


def sections() -> list[Section]:
    """OAP against one pass of PRank, against other libraries, and the equality of results over threads and batches."""
    problems = {rows: crammer_singer(rows) for rows in ROWS}
    few, usual, many = problems.values()
    return [
        passes(usual, VARIANTS, at_most(20)),
        *(passes(problem, {OURS: {}}, None) for problem in (few, many)),
        peers(usual),
        identity(usual),
    ]


def crammer_singer(rows: int) -> Problem:
    """The papers' synthetic problem, six features."""
    X, y = synthetic.crammer_singer(rows + FRESH, seed=SEED)
    return Problem(X[:rows], y[:rows], X[rows:], y[rows:])


def learning(make: Callable[[], Any], problem: Problem, times: int = 1) -> Run:
    """Run ``passes`` passes, each with a new model; returns the last model."""

    def learn() -> Any:
        for _ in range(times):
            model = make().partial_fit(problem.X, problem.y)
        return model

    return learn


def oap(**parameters: Any) -> ranktron.OAP:
    """An OAP of a hundred members with its classes given."""
    return ranktron.OAP(n_members=100, classes=CLASSES, **parameters)


# One PRank


def passes(problem: Problem, variants: dict[str, dict[str, Any]], bar: Bar | None) -> Section:
    """The time of a pass relative to one PRank."""
    race, times = Race(ROUNDS), ROWS[-1] // len(problem.y)
    singles = {LAST: partial(ranktron.PRank, classes=CLASSES, average=False), AVERAGED: partial(ranktron.PRank, classes=CLASSES)}
    for name, make in (singles | {name: partial(oap, **parameters) for name, parameters in variants.items()}).items():
        race.add(name, lambda make=make: learning(make, problem, times), times)
    race.run()
    worth = {name: quality(model.predict(problem.fresh), problem.truth) for name, model in race.results.items()}
    lines = [
        *(
            Line(f"`{OURS}` against one `{single}`: time", race.cost(OURS, single), bar, worth[OURS])
            for single in (LAST, AVERAGED)
        ),
        *(Line(f"`{name}`: time", race.cost(name, LAST), None, worth[name]) for name in race.contenders if name != OURS),
        *predicting(race, problem, variants),
    ]
    notes = (
        f"Time of one pass, N = 100, τ = 0.3, against that of `{LAST}` unless stated otherwise. A run is as many passes of "
        f"fresh models as make {ROWS[-1]:,} rows, so that a single PRank has not finished before the machine is warm. Quality on "
        "fresh rows is that of this one stream; Harrington's experiment has it over many. `n_jobs=2` has two threads."
    )
    return Section(f"OAP, {len(problem.y):,} × {problem.X.shape[1]}", notes, lines)


def predicting(learned: Race, problem: Problem, variants: dict[str, Any]) -> list[Line]:
    """The time of predicting: the Bayes point is one hypothesis, votes need a hundred."""
    if len(variants) == 1:
        return []
    race, names = Race(ROUNDS), [LAST, OURS, BAGGING]
    for name in names:
        race.add(name, lambda model=learned.results[name]: lambda: model.predict(problem.fresh))
    race.run()
    return [Line(f"`{name}.predict` against `{LAST}.predict`: time", race.cost(name, LAST)) for name in names[1:]]


# Others' bagging


def peers(problem: Problem) -> Section:
    """Time per row and quality of a hundred perceptrons in other libraries."""
    few = Problem(problem.X[:SUBSET], problem.y[:SUBSET], problem.fresh[:SUBSET], problem.truth[:SUBSET])
    examples, labels = mappings(few.X), few.y.tolist()
    race = Race(SLOW_ROUNDS)
    for name, parameters in {OURS: {}, POISSON: {"sampling": "poisson"}}.items():
        for rows, part in (("", problem), (f", {SUBSET} rows", few)):
            prepare = partial(learning, partial(oap, **parameters), part)
            race.add(f"`{name}`{rows}", prepare, len(part.y))
    race.add(BATCH, lambda: partial(batch().fit, problem.X, problem.y), len(problem.y))
    for name, make in RIVER.items():
        race.add(name, lambda make=make: partial(make().learn, examples, labels), SUBSET)
    race.run()
    lines = [Line(name, race.cost(name, f"`{OURS}`"), None, worth(model, problem, few)) for name, model in race.results.items()]
    notes = (
        f"Time per row against that of `{OURS}`, 100 members each. {len(problem.y):,} rows; {SUBSET} where stated and for "
        f"River, whose mappings are made beforehand and whose quality is on {SUBSET} fresh rows. River's bagging shows a row a "
        "Poisson number of times; PRank's predictions are averaged, because River's own vote needs probabilities. "
        "scikit-learn's fits each member to 30 % of the rows."
    )
    return Section("OAP beside others' bagging, per row", notes, lines)


def worth(model: Any, problem: Problem, few: Problem) -> str:
    """Quality on all fresh rows, or on some of them if predicting is slow."""
    asked = few if isinstance(model, River) else problem
    return quality(model.predict(asked.fresh), asked.truth)


def batch() -> BaggingClassifier:
    """scikit-learn's bagging of a hundred perceptrons, each with one pass over its own rows."""
    return BaggingClassifier(Perceptron(max_iter=1, tol=None), n_estimators=100, max_samples=0.3, random_state=0)


class RiverOfRanks(River):
    """River's bagging of ordinal models, which predicts the mean of their ranks."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        said = [[member.predict_one(x) for member in self.model] for x in mappings(X)]
        return nearest(np.mean(said, axis=1))


def river_of_pranks() -> River:
    return RiverOfRanks(ensemble.BaggingClassifier(ranktron.river.PRank(average=False, classes=CLASSES), n_models=100, seed=0))


def river_of_perceptrons() -> River:
    member = multiclass.OneVsRestClassifier(linear_model.Perceptron())
    return River(ensemble.BaggingClassifier(member, n_models=100, seed=0))


BATCH = "scikit-learn's `BaggingClassifier(Perceptron(max_iter=1, tol=None), max_samples=0.3)`, `fit`"
RIVER = {
    "River's `BaggingClassifier` of `ranktron.river.PRank`": river_of_pranks,
    "River's `BaggingClassifier` of `OneVsRestClassifier(Perceptron())`": river_of_perceptrons,
}


# The same whatever the threads and the batches


def identity(problem: Problem) -> Section:
    """Whether the members are equal bit for bit."""
    usual = members(oap().partial_fit(problem.X, problem.y))
    in_parts = oap()
    for part in np.array_split(np.arange(len(problem.y)), 100):
        in_parts.partial_fit(problem.X[part], problem.y[part])
    others = {
        "on one thread and on two": oap(n_jobs=2).partial_fit(problem.X, problem.y),
        "in one call and in a hundred": in_parts,
    }
    cells = []
    for name, model in others.items():
        assert members(model) == usual, f"OAP learned otherwise {name}"
        cells.append([f"learned {name}", "identical: yes"])
    notes = "The bytes of `members_coef_` and `members_thresholds_`."
    return Section(f"OAP's members after {len(problem.y):,} rows", notes, headings=["what", "members"], cells=cells)


def members(model: ranktron.OAP) -> bytes:
    """All members' weights and thresholds."""
    return model.members_coef_.tobytes() + model.members_thresholds_.tobytes()
