"""``partial_fit`` on dense arrays, everything included, compared with scikit-learn, a hand-written kernel and a sum."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import SGDRegressor

import ranktron

from . import hand_written
from .problems import CLASSES, Problem, linear, nearest, quality
from .report import Bar, Line, Section, at_least, at_most
from .timing import Race, Ratio

OURS = {"PRank()": True, "PRank(average=False)": False}
SGD, READING = "SGDRegressor", "reading X"


def sections() -> list[Section]:
    """Narrow and wide rows, in double and single precision."""
    narrow, wide = linear(1_000_000, 20), linear(100_000, 136)
    return [
        section("Dense rows, 1,000,000 × 20, float64", narrow, at_least(5, goal="7"), at_most(1.4), None),
        section("Dense rows, 100,000 × 136, float64", wide, None, None, at_least(0.6)),
        section("Dense rows, 1,000,000 × 20, float32", narrow.as_type(np.float32), None, None, None),
        section("Dense rows, 100,000 × 136, float32", wide.as_type(np.float32), None, None, None),
    ]


def section(title: str, problem: Problem, sgd: Bar | None, by_hand: Bar | None, reading: Bar | None) -> Section:
    """PRank with and without averaging against the others."""
    race = contest(problem).run()
    lines = []
    for name in OURS:
        worth = quality(race.results[name].predict(problem.fresh), problem.truth)
        lines += [
            Line(f"`{name}` against `SGDRegressor`: times as fast", race.speed(name, SGD), sgd, worth),
            Line(f"`{name}` against the hand-written kernel: time", race.cost(name, by_hand_name(name)), by_hand),
            Line(f"`{name}` against `X.sum()`: share of its speed", race.speed(name, READING), reading),
        ]
    lines += [
        Line("`SGDRegressor` against `X.sum()`: time", race.cost(SGD, READING), None, sgd_quality(race, problem)),
        Line("`PRank().predict` against `SGDRegressor.predict`: times as fast", answering(race, problem)),
    ]
    return Section(title, notes(race, problem), lines)


def notes(race: Race, problem: Problem) -> str:
    """The notes, with the share of rows that PRank learns from."""
    share = race.results["PRank()"].n_updates_ / len(problem.y)
    return f"One pass of `partial_fit`; PRank errs on {share:.1%} of the rows. Quality: on {len(problem.truth):,} fresh rows."


def rounds(problem: Problem) -> int:
    """More rounds for shorter runs."""
    return 11 if len(problem.y) > 500_000 else 31


def contest(problem: Problem) -> Race:
    """A race in which each contender learns the same rows with a new model."""
    race, ranks, grades = Race(rounds(problem)), problem.y - 1, problem.grades
    for name, average in OURS.items():
        race.add(name, lambda average=average: lambda: prank(average).partial_fit(problem.X, problem.y))
        race.add(by_hand_name(name), lambda average=average: lambda: hand_written.learn(problem.X, ranks, 5, average))
    race.add(SGD, lambda: lambda: SGDRegressor(random_state=0).partial_fit(problem.X, grades))
    race.add(READING, lambda: problem.X.sum)
    return race


def prank(average: bool) -> ranktron.PRank:
    """A PRank with its classes given."""
    return ranktron.PRank(classes=CLASSES, average=average)


def by_hand_name(name: str) -> str:
    return f"{name} by hand"


def answering(learned: Race, problem: Problem) -> Ratio:
    """The speed of predicting all rows with the learned models."""
    race = Race(rounds(problem))
    for name in ("PRank()", SGD):
        race.add(name, lambda model=learned.results[name]: lambda: model.predict(problem.X))
    return race.run().speed("PRank()", SGD)


def sgd_quality(race: Race, problem: Problem) -> str:
    """The quality of the regression's rounded predictions."""
    return quality(nearest(race.results[SGD].predict(problem.fresh)), problem.truth)
