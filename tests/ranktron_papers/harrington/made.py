"""Small trials of Harrington's experiments, and results of full ones with numbers that are made up."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ranktron.data.sets import Ratings
from ranktron_papers import harrington
from ranktron_papers.experiment import Experiment, Numbers
from ranktron_papers.harrington.ratings import CurvePoints
from ranktron_papers.results import Results

POINTS = CurvePoints((2, 5, 10), early=5)


def grades(n: int, judges: int, seed: int = 0) -> np.ndarray:
    """Grades 0 to 2 of judges who mostly agree."""
    random = np.random.default_rng(seed)
    true = random.integers(3, size=(n, 1))
    return np.clip(true + random.integers(-1, 2, size=(n, judges)), 0, 2)


def scores(people: int = 4, films: int = 20) -> Ratings:
    """Everybody scored every film, in six steps."""
    random = np.random.default_rng(0)
    true = random.integers(6, size=films)
    table = np.clip(true + random.integers(-1, 2, size=(people, films)), 0, 5) / 5
    whom, what = np.divmod(np.arange(people * films), films)
    return Ratings(whom, what, table.ravel(), np.arange(people), np.arange(films), None)


def cystic_fibrosis(seed: int) -> Numbers:
    return harrington.cystic_fibrosis.trial(seed, grades(16, 4), learned=10, points=POINTS, members=3)


def ohsumed(seed: int) -> Numbers:
    return harrington.ohsumed.trial(seed, grades(20, 3), learned=10, tested=5, points=POINTS, members=3)


def eachmovie(seed: int) -> Numbers:
    viewers = harrington.eachmovie.viewers_of(scores(), over=15)
    return harrington.eachmovie.trial(seed, viewers, films=18, learned=10, points=POINTS, members=3)


def table_1(seed: int) -> Numbers:
    """Under the names of the full experiment."""
    found = harrington.table_1.trial(seed, sizes=(20, 30), fresh=10, members=3)
    return {name.replace("20 rows", "5,000 rows").replace("30 rows", "50,000 rows"): value for name, value in found.items()}


def margins(seed: int) -> Numbers:
    return harrington.margin.trial(seed, n_rows=10, gap=0.3, times=(1, 2), members=2)


TRIALS: dict[str, Callable[[int], Numbers]] = {
    "harrington-figure-1": lambda seed: harrington.figure_1.trial(seed, repeats=20, members=3),
    "harrington-figure-2": lambda seed: harrington.figure_2.trial(seed, rounds=[5, 20], members=3),
    "harrington-table-1": table_1,
    "harrington-tau": lambda seed: harrington.tau.trial(seed, moments=(10, 20), look_at=20, fresh=10, members=3),
    "harrington-margin": margins,
    "harrington-ohsumed": ohsumed,
    "harrington-cystic-fibrosis": cystic_fibrosis,
    "harrington-eachmovie": eachmovie,
}


@functools.cache
def first(name: str) -> Numbers:
    """The first small trial of an experiment."""
    return TRIALS[name](0)


def made_up(experiment: Experiment, how: Callable[[str], float], trials: int = 5, quick: bool = False) -> Results:
    """Results with a number for every name, a little different in every trial; a curve has the same all along."""
    random = np.random.default_rng(0)

    def value(name: str) -> Any:
        one = how(name) + 0.001 * random.random()
        return [one] * len(experiment.axes[name]) if name in experiment.axes else one

    return Results([{name: value(name) for name in first(experiment.name)} for _ in range(trials)], quick)
