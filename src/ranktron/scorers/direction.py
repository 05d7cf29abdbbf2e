"""One direction, and nothing beside it: for what is ranked and not rated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..forgetting import multiply, shrink
from ..protocol import score, score_mean, settle, update
from ..rows import add, add_both, dot, dot_mean
from ..steps import descend
from .sizes import Hypothesis, columnwise, hypothesis, zeros
from .state import room


class Direction(NamedTuple):
    """w·x; the lag as in ``Cut``."""

    w: np.ndarray
    lag: np.ndarray


class Adaptive(NamedTuple):
    """w·x, where a list's corrections are put together into a ``gradient`` and each weight then moves by its own step."""

    w: np.ndarray
    lag: np.ndarray
    squares: np.ndarray
    gradient: np.ndarray
    rate: float


def direction(n_features: int, average: bool, rate: float | None = None) -> Direction | Adaptive:
    """All zeros; with a ``rate``, one that adapts its steps."""
    w, lag = zeros(n_features), zeros(n_features if average else 0)
    return Direction(w, lag) if rate is None else Adaptive(w, lag, zeros(n_features), zeros(n_features), rate)


def _both(verb: Any) -> Any:
    """Give the two of them one body."""
    return lambda body: verb.on(Adaptive)(verb.on(Direction)(body))


@_both(score)
def _(line, X, i, scores):
    scores[0] = dot(X, i, line.w)
    return scores[0]


@_both(score_mean)
def _(line, X, i, age, scores):
    scores[0] = dot_mean(X, i, line.w, line.lag, age) if line.lag.shape[0] and age > 0 else dot(X, i, line.w)
    return scores[0]


@update.on(Direction)
def _(line, X, i, correction, age):
    if line.lag.shape[0]:
        add_both(X, i, correction[0], line.w, age * correction[0], line.lag)
    else:
        add(X, i, correction[0], line.w)


@update.on(Adaptive)
def _(line, X, i, correction, age):
    add(X, i, correction[0], line.gradient)


@settle.on(Adaptive)
def _(line, X, rows, start, stop, correction, age):
    descend(X, rows, start, stop, correction, line.gradient, line.squares, line.w, line.lag, line.rate, age)


@columnwise.on(Adaptive)
def _(line):
    return ("w", "lag", "squares", "gradient")


@room.on(Adaptive)
def _(line):
    return ("gradient",)


@_both(hypothesis)
def _(line, n_ranks, age):
    w = line.w.copy() if len(line.lag) == 0 or age == 0 else (age * line.w - line.lag) / age
    return Hypothesis(w, 0.0, np.empty(0))


@shrink.on(Direction)
def _(line, factor, age):
    multiply(line.w, line.lag, factor, age)
