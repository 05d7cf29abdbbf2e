"""One direction and fixed thresholds: the hypothesis of Widrow-Hoff."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..budget import multiply, shrink
from ..protocol import Scorer, score, score_mean, update
from ..rows import AnyRows, add, add_both, dot, dot_mean
from .protocol import (
    Hypothesis,
    copy_member,
    copy_member_array,
    hypothesis,
    insert_rank,
    member,
    scale_array,
    scale_averages,
    zeros,
)


class FixedThresholds(NamedTuple):
    """w·x + c - (r + 1.5) for every threshold between the ranks 1, 2, …, k, and w·x + c itself; lags as in ``Thresholded``."""

    w: np.ndarray
    lag: np.ndarray
    c: np.ndarray
    c_lag: np.ndarray


def fixed_thresholds(n_features: int, average: bool, intercept: bool) -> FixedThresholds:
    """All zeros; ``c`` is empty without an intercept."""
    w, c = zeros(n_features), zeros(int(intercept))
    return FixedThresholds(w, zeros(n_features if average else 0), c, np.zeros_like(c))


@score.on(FixedThresholds)
def score_fixed_thresholds(line: FixedThresholds, X: AnyRows, i: int, scores: np.ndarray) -> float:
    projection = dot(X, i, line.w)
    if line.c.shape[0]:
        projection += line.c[0]
    for r in range(scores.shape[0] - 1):
        scores[r] = projection - (r + 1.5)
    scores[scores.shape[0] - 1] = projection
    return projection


@score_mean.on(FixedThresholds)
def score_mean_fixed_thresholds(line: FixedThresholds, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if line.lag.shape[0] == 0 or age == 0:
        return score(line, X, i, scores)
    projection = dot_mean(X, i, line.w, line.lag, age)
    if line.c.shape[0]:
        projection += age * line.c[0] - line.c_lag[0]
    for r in range(scores.shape[0] - 1):
        scores[r] = projection - age * (r + 1.5)
    scores[scores.shape[0] - 1] = projection
    return projection


@update.on(FixedThresholds)
def update_fixed_thresholds(line: FixedThresholds, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    push = correction[correction.shape[0] - 1]
    if line.lag.shape[0]:
        add_both(X, i, push, line.w, age * push, line.lag)
    else:
        add(X, i, push, line.w)
    if line.c.shape[0]:
        line.c[0] += push
        line.c_lag[0] += age * push


@scale_averages.on(FixedThresholds)
def scale_averages_fixed_thresholds(line: FixedThresholds, factor: float) -> None:
    scale_array(line.lag, factor)
    scale_array(line.c_lag, factor)


@hypothesis.on(FixedThresholds)
def hypothesis_fixed_thresholds(line: FixedThresholds, n_ranks: int, age: float) -> Hypothesis:
    marks = np.arange(1, n_ranks) + 0.5
    c, c_lag = (float(part[0]) if len(part) else 0.0 for part in (line.c, line.c_lag))
    if len(line.lag) == 0 or age == 0:
        return Hypothesis(line.w.copy(), c, marks)
    return Hypothesis((age * line.w - line.lag) / age, (age * c - c_lag) / age, marks)


@insert_rank.on(FixedThresholds)
def insert_rank_fixed_thresholds(line: FixedThresholds, place: int, projection: float, projection_sum: float) -> Scorer:
    return line  # the thresholds follow from the number of ranks


@member.on(FixedThresholds)
def member_fixed_thresholds(lines: FixedThresholds, m: int) -> Scorer:
    return FixedThresholds(lines.w[m], lines.lag[m], lines.c[m], lines.c_lag[m])


@shrink.on(FixedThresholds)
def shrink_fixed_thresholds(line: FixedThresholds, factor: float, age: float) -> None:
    multiply(line.w, line.lag, factor, age)
    multiply(line.c, line.c_lag, factor, age)


@copy_member.on(FixedThresholds)
def copy_member_fixed_thresholds(lines: FixedThresholds, source: int, target: int) -> None:
    copy_member_array(lines.w, source, target)
    copy_member_array(lines.c, source, target)
