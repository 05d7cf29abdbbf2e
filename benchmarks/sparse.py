"""``partial_fit`` on CSR matrices, compared with scikit-learn and with reading the stored values once."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import sparse
from sklearn.linear_model import SGDRegressor

from .dense import OURS, READING, SGD, prank, sgd_quality
from .problems import NOISE, SEED, Problem, quality
from .report import Line, Section, at_least
from .timing import Race

ROUNDS = 7
ROWS, FRESH, COLUMNS, STORED = 500_000, 20_000, 100_000, 50


def sections() -> list[Section]:
    """One pass over 25 million values."""
    problem = sparse_problem()
    race = contest(problem).run()
    lines = [line for name in OURS for line in compare(race, name, problem)]
    lines.append(
        Line("`SGDRegressor` against reading data and indices: time", race.cost(SGD, READING), None, sgd_quality(race, problem))
    )
    share = race.results["PRank()"].n_updates_ / ROWS
    notes = (
        f"{STORED} values a row, in columns drawn uniformly; PRank errs on {share:.1%} of the rows. Quality: on {FRESH:,} more."
    )
    return [Section(f"CSR, {ROWS:,} × {COLUMNS:,}", notes, lines)]


def sparse_problem() -> Problem:
    """Rows to learn and fresh rows, cut from one matrix."""
    X = matrix(ROWS + FRESH)
    y = ranks(X)
    return Problem(X[:ROWS], y[:ROWS], X[ROWS:], y[ROWS:])


def matrix(rows: int) -> sparse.csr_array:
    """Rows with one value in each of ``STORED`` equal ranges of columns, so that indices are sorted and distinct."""
    random = np.random.default_rng(SEED)
    width = COLUMNS // STORED
    indices = random.integers(0, width, (rows, STORED), np.int32) + np.arange(0, COLUMNS, width, np.int32)
    values = random.standard_normal(rows * STORED)
    return sparse.csr_array((values, indices.ravel(), np.arange(0, len(values) + 1, STORED, np.int32)), (rows, COLUMNS))


def ranks(X: sparse.csr_array) -> np.ndarray:
    """Five equally frequent ranks along one direction, with noise."""
    random = np.random.default_rng(SEED + 1)
    value = X @ random.standard_normal(COLUMNS) / np.sqrt(STORED) + NOISE * random.standard_normal(X.shape[0])
    return 1 + np.digitize(value, np.quantile(value, [0.2, 0.4, 0.6, 0.8]))


def contest(problem: Problem) -> Race:
    """A race in which each contender learns the same rows with a new model."""
    race, grades = Race(ROUNDS), problem.grades
    for name, average in OURS.items():
        race.add(name, lambda average=average: partial(prank(average).partial_fit, problem.X, problem.y))
    race.add(SGD, lambda: partial(SGDRegressor(random_state=0).partial_fit, problem.X, grades))
    race.add(READING, lambda: lambda: (problem.X.data.sum(), problem.X.indices.sum()))
    return race


def compare(race: Race, name: str, problem: Problem) -> list[Line]:
    """Ranktron's lines of the table."""
    worth = quality(race.results[name].predict(problem.fresh), problem.truth)
    return [
        Line(f"`{name}` against `SGDRegressor`: times as fast", race.speed(name, SGD), at_least(3), worth),
        Line(f"`{name}` against reading data and indices: time", race.cost(name, READING)),
    ]
