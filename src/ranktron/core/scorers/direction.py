"""One direction without thresholds: the hypothesis of rankers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...steps import add_rows, descend
from ..budget import multiply, shrink
from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import Scorer, check_learned, move, score, score_mean
from ..rows import AnyRows, dot, dot_mean
from .protocol import Hypothesis, Roles, field_roles, hypothesis, zeros


class Direction(NamedTuple):
    """w·x; the lag as in ``Thresholded``."""

    w: np.ndarray
    lag: np.ndarray


class Adaptive(NamedTuple):
    """w·x, where each weight moves by its own step; ``gradient`` is a buffer for that of a list, and empty otherwise."""

    w: np.ndarray
    lag: np.ndarray
    squares: np.ndarray
    gradient: np.ndarray
    rate: float


def direction(n_features: int, average: bool, rate: float | None = None) -> Direction | Adaptive:
    """All zeros; with a ``rate``, one that adapts its steps."""
    w, lag = zeros(n_features), zeros(n_features if average else 0)
    return Direction(w, lag) if rate is None else Adaptive(w, lag, zeros(n_features), zeros(n_features), rate)


@score.on(Adaptive)
@score.on(Direction)
def score_direction(line: Scorer, X: AnyRows, i: int, scores: np.ndarray) -> float:
    scores[0] = dot(X, i, line.w)
    return scores[0]


@score_mean.on(Adaptive)
@score_mean.on(Direction)
def score_mean_direction(line: Scorer, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    scores[0] = dot_mean(X, i, line.w, line.lag, age) if line.lag.shape[0] and age > 0 else dot(X, i, line.w)
    return scores[0]


@move.on(Direction)
def move_direction(line: Direction, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    add_rows(X, rows, pushes, age, line)


@move.on(Adaptive)
def move_adaptive(line: Adaptive, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    descend(X, rows, pushes, age, line)


@check_learned.on(Adaptive)
def check_adaptive(line: Adaptive, prefix: str, n_features: int) -> None:
    check_between(f"{prefix}squares", line.squares, 0.0, LARGEST_DOUBLE)


@field_roles.on(Adaptive)
def field_roles_adaptive(line: Adaptive) -> Roles:
    return Roles(columns=("w", "lag", "squares", "gradient"), buffers=("gradient",))


@hypothesis.on(Adaptive)
@hypothesis.on(Direction)
def hypothesis_direction(line: Scorer, n_ranks: int, age: float) -> Hypothesis:
    w = line.w.copy() if len(line.lag) == 0 or age == 0 else (age * line.w - line.lag) / age
    return Hypothesis(w, 0.0, np.empty(0))


@shrink.on(Direction)
def shrink_direction(line: Direction, factor: float, age: float) -> None:
    multiply(line.w, line.lag, factor, age)
