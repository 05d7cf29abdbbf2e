"""The data that several sections learn from, and the quality of predictions."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from ranktron.data import synthetic

CLASSES = [1, 2, 3, 4, 5]
NOISE = 0.27  # PRank is wrong on about 37 % of the rows
SEED = 2005


class Problem(NamedTuple):
    """Rows to learn in one pass, and fresh rows of the same rule to predict."""

    X: np.ndarray
    y: np.ndarray
    fresh: np.ndarray
    truth: np.ndarray

    @property
    def grades(self) -> np.ndarray:
        """The labels as numbers for a regression."""
        return self.y.astype(np.float64)

    def as_type(self, kind: type) -> Self:
        """The same rows in another precision."""
        return self._replace(X=self.X.astype(kind), fresh=self.fresh.astype(kind))


def linear(rows: int, features: int, n_ranks: int = 5, fresh: int = 50_000) -> Problem:
    """Ranks along one direction, with noise."""
    X, y = synthetic.linear(rows + fresh, features, n_ranks=n_ranks, noise=NOISE, seed=SEED)
    return Problem(X[:rows], y[:rows], X[rows:], y[rows:])


def nearest(values: np.ndarray, n_ranks: int = 5) -> np.ndarray:
    """A regression's predictions rounded to ranks."""
    return np.clip(np.floor(np.asarray(values) + 0.5), 1, n_ranks).astype(np.int64)


def error(answers: np.ndarray, truth: np.ndarray) -> float:
    """Mean absolute error, in ranks."""
    return float(np.abs(np.asarray(answers) - truth).mean())


def quality(answers: np.ndarray, truth: np.ndarray) -> str:
    """Mean absolute error and accuracy as text."""
    return f"MAE {error(answers, truth):.4f}, accuracy {np.mean(np.asarray(answers) == truth):.1%}"
