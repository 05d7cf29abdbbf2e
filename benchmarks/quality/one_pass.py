"""Quality and cost of one pass, compared with batch ordinal regression and its usual substitutes."""

from __future__ import annotations

from functools import partial
from typing import Any

import mord
import numpy as np
from sklearn.linear_model import SGDClassifier, SGDRegressor

import ranktron

from ..peers import VowpalWabbit, mappings, river_classifier, river_regression, texts
from ..problems import CLASSES, Problem, error, linear, nearest, quality
from ..report import Line, Section, at_least, at_most
from ..timing import Prepare, Race

ROUNDS = 3
BATCH = "`mord.LogisticAT`"
OURS = "`PRank()`"
NOTES = (
    "200,000 rows to learn, in one pass except for mord, which runs until it converges; 50,000 fresh rows of the same "
    "rule to predict. Ratios are times against that of `PRank()` unless stated otherwise; River's mappings and Vowpal "
    "Wabbit's text are made beforehand."
)


def sections() -> list[Section]:
    """Error and speed relative to the batch method."""
    problem = linear(200_000, 20)
    race = Race(ROUNDS)
    for name, prepare in {**ours(problem), **batch_and_sgd(problem), **streaming(problem)}.items():
        race.add(name, prepare)
    race.run()
    answers = {name: answer(model, problem) for name, model in race.results.items()}
    lines = [*bars(race, answers, problem), *(line(race, name, answers[name], problem) for name in answers)]
    return [Section("Quality of one pass, 200,000 × 20", NOTES, lines)]


def bars(race: Race, answers: dict[str, np.ndarray], problem: Problem) -> list[Line]:
    """The bars: as good as batch ordinal regression, and much faster."""
    relative = error(answers[OURS], problem.truth) / error(answers[BATCH], problem.truth)
    return [
        Line(f"{OURS} against {BATCH}: MAE", relative, at_most(1.01)),
        Line(f"{OURS} against {BATCH}: times as fast", race.speed(OURS, BATCH), at_least(100)),
    ]


def line(race: Race, name: str, answers: np.ndarray, problem: Problem) -> Line:
    """The speed and quality of one method."""
    return Line(name, race.cost(name, OURS), None, quality(answers, problem.truth))


def ours(problem: Problem) -> dict[str, Prepare]:
    """Ranktron's usual choices."""
    models = {
        OURS: partial(ranktron.PRank, classes=CLASSES),
        "`PRank(average=False)`": partial(ranktron.PRank, classes=CLASSES, average=False),
        '`NoPRank(trigger="margin")`': partial(ranktron.NoPRank, classes=CLASSES, trigger="margin"),
    }
    return {name: lambda make=make: partial(make().partial_fit, problem.X, problem.y) for name, make in models.items()}


def batch_and_sgd(problem: Problem) -> dict[str, Prepare]:
    """Batch ordinal regression, and scikit-learn's online learners."""
    return {
        BATCH: lambda: partial(mord.LogisticAT().fit, problem.X, problem.y - 1),
        "`SGDRegressor`, rounded": lambda: partial(SGDRegressor(random_state=0).partial_fit, problem.X, problem.grades),
        "`SGDClassifier`": lambda: partial(SGDClassifier(random_state=0).partial_fit, problem.X, problem.y, CLASSES),
    }


def streaming(problem: Problem) -> dict[str, Prepare]:
    """River and Vowpal Wabbit."""
    examples, labels, lines = mappings(problem.X), problem.y.tolist(), texts(problem.X, problem.y)
    return {
        "River's `LinearRegression`, rounded": lambda: partial(river_regression().learn, examples, labels),
        "River's `OneVsRestClassifier(Perceptron())`": lambda: partial(river_classifier().learn, examples, labels),
        "Vowpal Wabbit's regression, rounded": lambda: partial(VowpalWabbit().learn, lines),
        "Vowpal Wabbit's `--oaa 5`": lambda: partial(VowpalWabbit("--oaa 5").learn, lines),
    }


def answer(model: Any, problem: Problem) -> np.ndarray:
    """Ranks for the fresh rows."""
    answers = model.predict(problem.fresh)
    if isinstance(model, mord.LogisticAT):
        return answers + 1
    return nearest(answers) if isinstance(model, SGDRegressor) else answers
