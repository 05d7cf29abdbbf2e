"""Real grades: mean absolute error by cross-validation, if the data are there."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import mord
import numpy as np
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.model_selection import RepeatedStratifiedKFold

import ranktron

from .peers import mappings, river_regression
from .problems import SEED, error, nearest
from .report import Section

FOLDER = Path(os.environ.get("RANKTRON_ORDINAL_DATA", "../shared/data/ordinal"))
FOLDS, REPEATS = 5, 3
NICKNAMES = {"balance_scale": "balance", "winequality-red": "red", "winequality-white": "white"}
BATCH = "`mord.LogisticAT`"
# Rows and their ranks from 1, rows to answer for, and how many ranks there are.
Fold = tuple[np.ndarray, np.ndarray, np.ndarray, int]
NOTES = (
    f"Mean absolute error in ranks, {REPEATS} × {FOLDS}-fold stratified cross-validation, rows in random order, features "
    "standardised by the training rows, one pass unless epochs are given. The last column is the error against that of "
    f"{BATCH}, the mean over the sets: five of the ORCA framework (BSD-3) and the wine quality of Cortez et al. 2009 (CC BY 4.0)."
)


def sections() -> list[Section]:
    """One table; none without the data."""
    if not FOLDER.is_dir():
        print("Real grades: skipped, for there is no folder of data; RANKTRON_ORDINAL_DATA may name one.")
        return []
    warnings.filterwarnings("ignore", "The least populated class")  # some grades are rarer than there are folds
    errors = {NICKNAMES.get(path.stem, path.stem): errors_on(*read(path)) for path in sorted(FOLDER.glob("*.csv"))}
    cells = [[name, *(f"{one[name]:.3f}" for one in errors.values()), f"{relative(errors, name):.2f}"] for name in METHODS]
    return [Section("Real grades", NOTES, headings=["what", *errors, "against mord"], cells=cells)]


def relative(errors: dict[str, dict[str, float]], name: str) -> float:
    """The mean over the sets of the error relative to the batch method's."""
    return float(np.mean([one[name] / one[BATCH] for one in errors.values()]))


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Features, and ranks from 1; some files begin with a line of names."""
    is_wine = path.stem.startswith("wine")
    table = np.loadtxt(path, delimiter=",", skiprows=0 if is_wine else 1)
    return table[:, :-1], np.unique(table[:, -1], return_inverse=True)[1] + 1


def errors_on(X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Every method's mean error over the folds."""
    errors: dict[str, list[float]] = {name: [] for name in METHODS}
    for fold, truth in folds(X, y):
        for name, method in METHODS.items():
            errors[name].append(error(method(*fold), truth))
    return {name: float(np.mean(each)) for name, each in errors.items()}


def folds(X: np.ndarray, y: np.ndarray) -> Iterator[tuple[Fold, np.ndarray]]:
    """Shuffled and standardised folds."""
    random = np.random.default_rng(SEED)
    splitter = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=SEED)
    for learn, test in splitter.split(X, y):
        order = random.permutation(learn)
        centre, scale = X[learn].mean(axis=0), X[learn].std(axis=0)
        rows = (X - centre) / np.where(scale > 0, scale, 1.0)
        yield (rows[order], y[order], rows[test], int(y.max())), y[test]


def ordinal(name: str, **parameters: object) -> Callable[..., np.ndarray]:
    """A Ranktron estimator as a method."""

    def method(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int) -> np.ndarray:
        model = getattr(ranktron, name)(classes=list(range(1, n_ranks + 1)), **parameters)
        return model.fit(X, y).predict(fresh)

    return method


def batch(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int) -> np.ndarray:
    return mord.LogisticAT().fit(X, y - 1).predict(fresh) + 1


def sgd_regression(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int) -> np.ndarray:
    return nearest(SGDRegressor(random_state=0).partial_fit(X, y.astype(float)).predict(fresh), n_ranks)


def sgd_classification(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int) -> np.ndarray:
    return SGDClassifier(random_state=0).partial_fit(X, y, np.unique(y)).predict(fresh)


def river(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int) -> np.ndarray:
    return river_regression(n_ranks).learn(mappings(X), y.tolist()).predict(fresh)


def median(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int) -> np.ndarray:
    return np.full(len(fresh), np.floor(np.median(y)))


METHODS: dict[str, Callable[..., np.ndarray]] = {
    "`PRank()`": ordinal("PRank"),
    "`PRank(average=False)`": ordinal("PRank", average=False),
    '`NoPRank(trigger="margin")`': ordinal("NoPRank", trigger="margin"),
    '`NoPRank(trigger="margin", epochs=10)`': ordinal("NoPRank", trigger="margin", epochs=10),
    BATCH: batch,
    "`SGDRegressor`, rounded": sgd_regression,
    "`SGDClassifier`": sgd_classification,
    "River's `LinearRegression`, rounded": river,
    "always the median": median,
}
