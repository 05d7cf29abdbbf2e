"""How the time of a row grows with features, ranks and the size of the batches it comes in."""

from __future__ import annotations

from functools import partial

import ranktron

from .problems import Problem, linear
from .report import Section
from .timing import Race, figures

ROUNDS = 7
FEATURES, RANKS, BATCHES = (5, 20, 100, 500), (2, 5, 20, 100), (1, 10, 100, 1_000, 10_000)
VALUES = 10_000_000  # in every matrix, so that each is read from memory


def sections() -> list[Section]:
    """Time per row against that of the first number of its kind."""
    cells = [*growth("features", by_features(), FEATURES), *growth("ranks", by_ranks(), RANKS)]
    notes = (
        "Time per row of `PRank.partial_fit` against that of the first number of its kind: 20 features, 5 ranks and one batch of "
        f"{VALUES // 20:,} rows where nothing else is said."
    )
    cells += growth("rows a batch", by_batch(), BATCHES)
    return [Section("How cost grows", notes, headings=["of", "number", "time per row"], cells=cells)]


def growth(what: str, race: Race, numbers: tuple[int, ...]) -> list[list[str]]:
    """One line a number."""
    race.run()
    first = str(numbers[0])
    return [[what, f"{number:,}", figures(race.cost(str(number), first).value)] for number in numbers]


def by_features() -> Race:
    """As many values each time, in wider rows."""
    race = Race(ROUNDS)
    for features in FEATURES:
        add(race, str(features), linear(VALUES // features, features, fresh=1), 5)
    return race


def by_ranks() -> Race:
    """The same rows, cut finer."""
    race = Race(ROUNDS)
    for n_ranks in RANKS:
        add(race, str(n_ranks), linear(VALUES // 20, 20, n_ranks, fresh=1), n_ranks)
    return race


def add(race: Race, name: str, problem: Problem, n_ranks: int) -> None:
    """Enter a fresh model."""
    race.add(name, lambda: partial(prank(n_ranks).partial_fit, problem.X, problem.y), len(problem.y))


def by_batch() -> Race:
    """The same rows, in more and more calls."""
    race, problem = Race(ROUNDS), linear(20_000, 20, fresh=1)
    for size in BATCHES:
        rows = min(2 * size * 100, len(problem.y))
        race.add(str(size), lambda size=size, rows=rows: partial(learn_batches, problem, size, rows), rows)
    return race


def learn_batches(problem: Problem, size: int, rows: int) -> None:
    """The first rows, so many a call."""
    model = prank(5)
    for start in range(0, rows, size):
        model.partial_fit(problem.X[start : start + size], problem.y[start : start + size])


def prank(n_ranks: int) -> ranktron.PRank:
    """A model that knows its classes."""
    return ranktron.PRank(classes=list(range(1, n_ranks + 1)))
