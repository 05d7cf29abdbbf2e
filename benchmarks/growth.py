"""How the time per row grows with the numbers of features and ranks, and depends on the batch size."""

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
    """Time per row relative to the first line of its kind."""
    cells = [*growth("features", by_features(), FEATURES), *growth("ranks", by_ranks(), RANKS)]
    notes = (
        "Time per row of `PRank.partial_fit` relative to the first line of its kind: 20 features, 5 ranks and one batch of "
        f"{VALUES // 20:,} rows unless stated otherwise."
    )
    cells += growth("rows a batch", by_batch(), BATCHES)
    return [Section("How cost grows", notes, headings=["of", "number", "time per row"], cells=cells)]


def growth(what: str, race: Race, numbers: tuple[int, ...]) -> list[list[str]]:
    """One line per number."""
    race.run()
    first = str(numbers[0])
    return [[what, f"{number:,}", figures(race.cost(str(number), first).value)] for number in numbers]


def by_features() -> Race:
    """The same number of values in wider rows."""
    race = Race(ROUNDS)
    for features in FEATURES:
        add(race, str(features), linear(VALUES // features, features, fresh=1), 5)
    return race


def by_ranks() -> Race:
    """The same rows with more ranks."""
    race = Race(ROUNDS)
    for n_ranks in RANKS:
        add(race, str(n_ranks), linear(VALUES // 20, 20, n_ranks, fresh=1), n_ranks)
    return race


def add(race: Race, name: str, problem: Problem, n_ranks: int) -> None:
    """Add a new model to the race."""
    race.add(name, lambda: partial(prank(n_ranks).partial_fit, problem.X, problem.y), len(problem.y))


def by_batch() -> Race:
    """The same rows in batches of different sizes."""
    race, problem = Race(ROUNDS), linear(20_000, 20, fresh=1)
    for size in BATCHES:
        rows = min(2 * size * 100, len(problem.y))
        race.add(str(size), lambda size=size, rows=rows: partial(learn_batches, problem, size, rows), rows)
    return race


def learn_batches(problem: Problem, size: int, rows: int) -> None:
    """Learn the first ``rows`` rows in batches of ``size``."""
    model = prank(5)
    for start in range(0, rows, size):
        model.partial_fit(problem.X[start : start + size], problem.y[start : start + size])


def prank(n_ranks: int) -> ranktron.PRank:
    """A PRank with its classes given."""
    return ranktron.PRank(classes=list(range(1, n_ranks + 1)))
