"""One direction, and nothing beside it: for what is ranked and not rated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...steps import add_rows, descend
from ..budget import multiply, shrink
from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import check_learned, move, score, score_mean
from ..rows import dot, dot_mean
from .protocol import Hypothesis, buffer_fields, clear_buffers, column_fields, hypothesis, zeros


class Direction(NamedTuple):
    """w·x; the lag as in ``Cut``."""

    w: np.ndarray
    lag: np.ndarray


class Adaptive(NamedTuple):
    """w·x, where each weight moves by its own step; the ``gradient`` of a list is put together in room, empty otherwise."""

    w: np.ndarray
    lag: np.ndarray
    squares: np.ndarray
    gradient: np.ndarray
    rate: float


def direction(n_features: int, average: bool, rate: float | None = None) -> Direction | Adaptive:
    """All zeros; with a ``rate``, one that adapts its steps."""
    w, lag = zeros(n_features), zeros(n_features if average else 0)
    return Direction(w, lag) if rate is None else Adaptive(w, lag, zeros(n_features), zeros(n_features), rate)


def _both(function: Any) -> Any:
    """Give the two of them one body."""
    return lambda body: function.on(Adaptive)(function.on(Direction)(body))


@_both(score)
def score_direction(line, X, i, scores):
    scores[0] = dot(X, i, line.w)
    return scores[0]


@_both(score_mean)
def score_mean_direction(line, X, i, age, scores):
    scores[0] = dot_mean(X, i, line.w, line.lag, age) if line.lag.shape[0] and age > 0 else dot(X, i, line.w)
    return scores[0]


@move.on(Direction)
def move_direction(line, X, rows, pushes, age):
    add_rows(X, rows, pushes, age, line)


@move.on(Adaptive)
def move_adaptive(line, X, rows, pushes, age):
    descend(X, rows, pushes, age, line)


@check_learned.on(Adaptive)
def check_adaptive(line, prefix, n_features):
    check_between(f"{prefix}squares", line.squares, 0.0, LARGEST_DOUBLE)


@column_fields.on(Adaptive)
def column_fields_adaptive(line):
    return ("w", "lag", "squares", "gradient")


@buffer_fields.on(Adaptive)
def buffer_fields_adaptive(line):
    return ("gradient",)


@clear_buffers.on(Adaptive)
def clear_buffers_adaptive(line):
    line.gradient[:] = 0.0


@_both(hypothesis)
def hypothesis_direction(line, n_ranks, age):
    w = line.w.copy() if len(line.lag) == 0 or age == 0 else (age * line.w - line.lag) / age
    return Hypothesis(w, 0.0, np.empty(0))


@shrink.on(Direction)
def shrink_direction(line, factor, age):
    multiply(line.w, line.lag, factor, age)
