"""Grades to learn: real sets if they are there, scikit-learn's diabetes in quintiles, and the papers' synthetic problem."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import RepeatedStratifiedKFold

from ranktron.data import synthetic

from .. import real
from ..problems import SEED, Problem

FOLDS, REPEATS = 5, 3
SPLITS = FOLDS * REPEATS
OVERLAP = 1 / (FOLDS - 1)
ROWS, FRESH = 5_000, 10_000
SYNTHETIC = "synthetic"
Rows = tuple[np.ndarray, np.ndarray]


def sets() -> dict[str, Rows]:
    """All sets by short names; of the synthetic problem the first draw."""
    if not real.FOLDER.is_dir():
        print("Quality: without real grades, for there is no folder of data; RANKTRON_ORDINAL_DATA may name one.")
    files = {real.NICKNAMES.get(path.stem, path.stem): real.read(path) for path in sorted(real.FOLDER.glob("*.csv"))}
    return {**files, "diabetes": diabetes(), SYNTHETIC: synthetic.crammer_singer(ROWS, seed=0)}


def diabetes() -> Rows:
    """The progress of the disease in a year, in fifths of the patients."""
    X, progress = load_diabetes(return_X_y=True, scaled=False)
    return X, 1 + np.searchsorted(np.quantile(progress, [0.2, 0.4, 0.6, 0.8]), progress)


def splits(name: str, rows: Rows) -> Iterator[Problem]:
    """Folds in random order; new draws of the synthetic problem."""
    if name == SYNTHETIC:
        for seed in range(SPLITS):
            X, y = synthetic.crammer_singer(ROWS + FRESH, seed=seed)
            yield Problem(X[:ROWS], y[:ROWS], X[ROWS:], y[ROWS:])
        return
    yield from folds(*rows)


def folds(X: np.ndarray, y: np.ndarray) -> Iterator[Problem]:
    """Folds in which every row is tested once per repeat."""
    warnings.filterwarnings("ignore", "The least populated class")  # some grades are rarer than there are folds
    random = np.random.default_rng(SEED)
    for learn, test in RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=SEED).split(X, y):
        order = random.permutation(learn)
        yield Problem(X[order], y[order], X[test], y[test])


def streams(name: str, rows: Rows, count: int) -> Iterator[Rows]:
    """The rows in random orders; new draws of the synthetic problem."""
    for seed in range(count):
        if name == SYNTHETIC:
            yield synthetic.crammer_singer(ROWS, seed=seed)
        else:
            order = np.random.default_rng(seed).permutation(len(rows[1]))
            yield rows[0][order], rows[1][order]


def standardised(problem: Problem) -> Problem:
    """The same problem with features standardised by the training rows; constant features are unchanged."""
    centre, scale = problem.X.mean(axis=0), problem.X.std(axis=0)
    scale[scale == 0] = 1.0
    return problem._replace(X=(problem.X - centre) / scale, fresh=(problem.fresh - centre) / scale)
