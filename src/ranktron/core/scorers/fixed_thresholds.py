"""One direction against marks that stay where they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..budget import multiply, shrink
from ..protocol import score, score_mean, update
from ..rows import add, add_both, dot, dot_mean
from .fading import scale_line, scale_sums
from .protocol import Hypothesis, copy_line, copy_within, hypothesis, insert_rank, member, zeros


class Marked(NamedTuple):
    """w·x + c - (r + 1.5) for every mark between the ranks 1, 2, …, k, and w·x + c itself; lags as in ``Cut``."""

    w: np.ndarray
    lag: np.ndarray
    c: np.ndarray
    c_lag: np.ndarray


def marked(n_features: int, average: bool, intercept: bool) -> Marked:
    """All zeros; the intercept c is empty where none is wanted."""
    w, c = zeros(n_features), zeros(int(intercept))
    return Marked(w, zeros(n_features if average else 0), c, np.zeros_like(c))


@score.on(Marked)
def _(line, X, i, scores):
    projection = dot(X, i, line.w)
    if line.c.shape[0]:
        projection += line.c[0]
    for r in range(scores.shape[0] - 1):
        scores[r] = projection - (r + 1.5)
    scores[scores.shape[0] - 1] = projection
    return projection


@score_mean.on(Marked)
def _(line, X, i, age, scores):
    if line.lag.shape[0] == 0 or age == 0:
        return score(line, X, i, scores)
    projection = dot_mean(X, i, line.w, line.lag, age)
    if line.c.shape[0]:
        projection += age * line.c[0] - line.c_lag[0]
    for r in range(scores.shape[0] - 1):
        scores[r] = projection - age * (r + 1.5)
    scores[scores.shape[0] - 1] = projection
    return projection


@update.on(Marked)
def _(line, X, i, correction, age):
    push = correction[correction.shape[0] - 1]
    if line.lag.shape[0]:
        add_both(X, i, push, line.w, age * push, line.lag)
    else:
        add(X, i, push, line.w)
    if line.c.shape[0]:
        line.c[0] += push
        line.c_lag[0] += age * push


@scale_sums.on(Marked)
def _(line, factor):
    scale_line(line.lag, factor)
    scale_line(line.c_lag, factor)


@hypothesis.on(Marked)
def _(line, n_ranks, age):
    marks = np.arange(1, n_ranks) + 0.5
    c, c_lag = (float(part[0]) if len(part) else 0.0 for part in (line.c, line.c_lag))
    if len(line.lag) == 0 or age == 0:
        return Hypothesis(line.w.copy(), c, marks)
    return Hypothesis((age * line.w - line.lag) / age, (age * c - c_lag) / age, marks)


@insert_rank.on(Marked)
def _(line, place, projection, projection_sum):
    return line  # the marks follow from the number of ranks


@member.on(Marked)
def _(lines, m):
    return Marked(lines.w[m], lines.lag[m], lines.c[m], lines.c_lag[m])


@shrink.on(Marked)
def _(line, factor, age):
    multiply(line.w, line.lag, factor, age)
    multiply(line.c, line.c_lag, factor, age)


@copy_within.on(Marked)
def _(lines, source, target):
    copy_line(lines.w, source, target)
    copy_line(lines.c, source, target)
