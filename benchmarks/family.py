"""The cost and quality of each algorithm, relative to PRank."""

from __future__ import annotations

from functools import partial
from typing import Any

import ranktron

from .problems import CLASSES, Problem, linear, quality
from .report import Line, Section
from .timing import Race

ROUNDS = 7
REFERENCE = "PRank()"
NOTES = (
    "Time of one pass against that of `PRank()`, all averaged unless stated otherwise; quality on fresh rows. "
    "`WidrowHoff` has a smaller step than its default, which is too large for rows of this length; Mu-PRank's radius is the "
    "largest value."
)


def sections() -> list[Section]:
    """One pass of each algorithm."""
    problem = linear(1_000_000, 20)
    race = Race(ROUNDS)
    for name, make in members(problem).items():
        race.add(name, lambda make=make: partial(make().partial_fit, problem.X, problem.y))
    race.run()
    lines = [line(race, name, problem) for name in race.contenders]
    return [Section("The family, 1,000,000 × 20", NOTES, lines)]


def members(problem: Problem) -> dict[str, Any]:
    """The algorithms with their parameters for this problem."""
    radius = float(max(abs(problem.X).max(), abs(problem.fresh).max()))
    return {
        REFERENCE: partial(ranktron.PRank, classes=CLASSES),
        "PRank(average=False)": partial(ranktron.PRank, classes=CLASSES, average=False),
        "SiPRank()": partial(ranktron.SiPRank, classes=CLASSES),
        "NoPRank()": partial(ranktron.NoPRank, classes=CLASSES),
        'NoPRank(trigger="margin")': partial(ranktron.NoPRank, classes=CLASSES, trigger="margin"),
        "MuPRank(signed=True, radius=…)": partial(ranktron.MuPRank, classes=CLASSES, signed=True, radius=radius),
        "MulticlassPerceptron()": partial(ranktron.MulticlassPerceptron, classes=CLASSES),
        "WidrowHoff(step=0.01, fit_intercept=True)": partial(ranktron.WidrowHoff, classes=CLASSES, step=0.01, fit_intercept=True),
    }


def line(race: Race, name: str, problem: Problem) -> Line:
    """One member."""
    model = race.results[name]
    worth = quality(model.predict(problem.fresh), problem.truth)
    return Line(f"`{name}`", race.cost(name, REFERENCE), None, f"{worth}, {model.n_updates_ / model.n_seen_:.0%} updates")
