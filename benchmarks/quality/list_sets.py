"""Lists in folds: parts to learn, to choose the number of trees, and to test; features unchanged."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from .. import list_defaults, rankings, real
from ..problems import SEED
from ..rankings import Fold, Part

FOLDS, REPEATS = 5, 2
MQ2008, EXAMPLE, WINES = "MQ2008", "LightGBM's example", "white wines"
FOLDERS: dict[str, Path] = {MQ2008: rankings.FOLDER, EXAMPLE: list_defaults.LIGHTGBM, WINES: real.FOLDER}


def letor() -> list[Fold]:
    """LETOR's own five folds."""
    return rankings.folds(scaled=False)


def example() -> list[Fold]:
    """LightGBM's example, both parts together, because its test part has only 50 lists."""
    return divided(rankings.joined(numbered(place, name) for place, name in enumerate(("train", "test"))))


def numbered(place: int, name: str) -> Part:
    """One part with list numbers of its own."""
    part = list_defaults.sparse_lists(list_defaults.LIGHTGBM / f"rank.{name}")
    return part._replace(qid=part.qid + 1_000 * place)


def wines() -> list[Fold]:
    """Wines in lists of 20, ranked by quality."""
    return divided(rankings.joined(list_defaults.wine(0)), repeats=1)


def divided(lists: Part, repeats: int = REPEATS) -> list[Fold]:
    """Folds in which every list is tested once per repeat; the part before the test part chooses the number of trees."""
    folds = []
    for repeat in range(repeats):
        order = np.random.default_rng([SEED, repeat]).permutation(len(lists.starts))
        parts = np.array_split(order, FOLDS)
        for place in range(FOLDS):
            others = [parts[(place + step) % FOLDS] for step in range(1, FOLDS)]
            chosen = (np.concatenate(others[:-1]), others[-1], parts[place])
            folds.append(Fold(*map(lists.of_lists, chosen)))
    return folds


SETS: dict[str, Callable[[], list[Fold]]] = {MQ2008: cache(letor), EXAMPLE: cache(example), WINES: cache(wines)}


# Scalings over all lists, by those learned from


def unchanged(X: np.ndarray) -> tuple[np.ndarray | float, np.ndarray | float]:
    return 0.0, 1.0


def min_max(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return X.min(axis=0), np.ptp(X, axis=0)


def z_scored(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return X.mean(axis=0), X.std(axis=0)


Scaling = Callable[[np.ndarray], tuple[np.ndarray | float, np.ndarray | float]]
SCALINGS: dict[str, Scaling] = {"raw": unchanged, "min–max": min_max, "z-scored": z_scored}


def scaled(fold: Fold, scaling: Scaling) -> Fold:
    """The same folds with standardised features; constant features are only shifted."""
    centre, width = scaling(fold.train.X)
    width = np.where(np.equal(width, 0), 1.0, width)
    return Fold(*(part._replace(X=(part.X - centre) / width) for part in fold))
