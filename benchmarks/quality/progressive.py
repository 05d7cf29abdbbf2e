"""Grades on a stream: every row is predicted before it is learned."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import mord
import numpy as np
from river import linear_model, preprocessing

import ranktron

from ..peers import mappings
from ..problems import Problem, error, nearest
from ..report import Section
from .held_out import sign
from .measures import quotient
from .methods import OURS, classification, one_against_rest
from .sets import Rows, sets, streams

ORDERS, FIRST = 5, 32
# Predicts all rows of a stream with n ranks, each row before its own rank is known.
Stream = Callable[[np.ndarray, np.ndarray, int], np.ndarray]


def ours(X: np.ndarray, y: np.ndarray, n_ranks: int) -> np.ndarray:
    return ranktron.Rater().predict_then_learn(X, y)


def river(make: Callable[[], Any], rounded: bool = False) -> Stream:
    """A pipeline with River's running standardisation; predicts the middle rank before it has learned anything."""

    def stream(X: np.ndarray, y: np.ndarray, n_ranks: int) -> np.ndarray:
        model, said = preprocessing.StandardScaler() | make(), np.full(len(y), (n_ranks + 1) / 2)
        for i, (x, rank) in enumerate(zip(mappings(X), y.tolist(), strict=True)):
            answer = model.predict_one(x)
            said[i] = said[i] if answer is None else answer
            model.learn_one(x, rank)
        return nearest(said, n_ranks) if rounded else said

    return stream


def refitted(X: np.ndarray, y: np.ndarray, n_ranks: int) -> np.ndarray:
    """Batch regression, fitted to all rows so far whenever their number has doubled; the middle rank before that."""
    said = np.full(len(y), (n_ranks + 1) / 2)
    batch = classification(mord.LogisticAT)
    for start, stop in doublings(len(y)):
        said[start:stop] = batch(Problem(X[:start], y[:start], X[start:stop], y[start:stop]), n_ranks).ranks
    return said


def doublings(rows: int) -> Iterator[tuple[int, int]]:
    """From where to where a fit serves.

    >>> list(doublings(100))
    [(32, 64), (64, 100)]
    """
    start = FIRST
    while start < rows:
        yield start, min(2 * start, rows)
        start *= 2


def median(X: np.ndarray, y: np.ndarray, n_ranks: int) -> np.ndarray:
    """Predicts the lower median of the ranks so far and ignores the features."""
    counts, said = np.zeros(n_ranks + 1), np.empty(len(y))
    for i, rank in enumerate(y):
        said[i] = np.argmax(2 * np.cumsum(counts) >= i) if i else (n_ranks + 1) / 2
        counts[rank] += 1
    return said


STREAMS: dict[str, Stream] = {
    OURS: ours,
    "`mord.LogisticAT`, refitted at every doubling": refitted,
    "River's `LinearRegression`, rounded": river(linear_model.LinearRegression, rounded=True),
    "River's `SoftmaxRegression`": river(linear_model.SoftmaxRegression),
    "River's `OneVsRestClassifier(LogisticRegression())`": river(one_against_rest),
    "the median so far": median,
}


def sections() -> list[Section]:
    """One table."""
    warnings.filterwarnings("ignore", module="scipy|sklearn")  # fits to a few rows
    every = sets()
    errors = {name: np.array([progressive(stream, *pair) for pair in every.items()]) for name, stream in STREAMS.items()}
    headings = ["what", *every, f"against {OURS}"]
    return [Section("Grades on a stream: MAE", NOTES, headings=headings, cells=[cells(errors, name) for name in errors])]


def progressive(stream: Stream, name: str, rows: Rows) -> list[float]:
    """The error in each order."""
    n_ranks = int(rows[1].max())
    return [error(stream(X, y, n_ranks), y) for X, y in streams(name, rows, ORDERS)]


def cells(errors: dict[str, np.ndarray], name: str) -> list[str]:
    """One line of the table."""
    own, best = errors[name], errors[OURS]
    if name == OURS:
        return [name, *(f"{one.mean():.3f}" for one in own), "1"]
    signs = [sign(quotient(mine[None], other[None])) for mine, other in zip(own, best, strict=True)]
    return [name, *(f"{one.mean():.3f}{mark}" for one, mark in zip(own, signs, strict=True)), str(quotient(own, best))]


NOTES = f"""\
Mean absolute error in ranks over the whole stream, from the first row on; each row is predicted before it is learned. {ORDERS}
random orders of every set; the intervals are over these, paired. {OURS} and River get the raw features, River's
learners behind its `StandardScaler`. Batch methods cannot learn from a stream; mord is refitted to all rows so far at {FIRST}
rows and whenever their number has doubled. Signs and the last column as in the table before."""
