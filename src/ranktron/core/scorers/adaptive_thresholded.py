"""One direction cut by thresholds, each of which, as each weight, moves by a step of its own."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...compile.generic import verb
from ...steps import descend
from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import check_learned, fits, hold, update
from .fading import hold_weighted, scale_line, scale_sums
from .protocol import Hypothesis, columnwise, copy_line, copy_within, hypothesis, insert_rank, member, with_threshold, zeros
from .state import clear, room
from .threshold_order import put_in_order
from .thresholded import check_thresholds, score_as_cut


class Descent(NamedTuple):
    """w·x - b_r and w·x, means over time as in ``Cut``; ``squares`` and ``falls`` add up the squared gradients of w and of b."""

    w: np.ndarray
    lag: np.ndarray
    b: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    falls: np.ndarray
    gradient: np.ndarray
    row: np.ndarray
    push: np.ndarray
    rate: float


def descent(n_features: int, n_ranks: int, average: bool, rate: float, gap: float) -> Descent:
    """No direction, and thresholds so far apart around 0."""
    m = n_ranks - 1
    b = gap * (np.arange(m) - (m - 1) / 2)
    lag, total = zeros(n_features if average else 0), np.zeros(m if average else 0)
    columns = zeros(n_features), lag, b, total, zeros(n_features), np.zeros(m), zeros(n_features)
    return Descent(*columns, np.zeros(1, np.int64), np.zeros(1), rate)


score_as_cut(Descent)


@check_learned.on(Descent)
def check_descent(descent, prefix, n_features):
    check_thresholds(descent, prefix, n_features)
    check_between(f"{prefix}squares", descent.squares, 0.0, LARGEST_DOUBLE)
    check_between(f"{prefix}falls", descent.falls, 0.0, LARGEST_DOUBLE)


@update.on(Descent)
def _(descent, X, i, correction, age):
    fall(descent.b, descent.falls, descent.rate, correction)
    put_in_order(descent.b)
    descent.row[0], descent.push[0] = i, correction[descent.b.shape[0]]
    descend(X, descent.row, descent.push, age, descent)


@verb
def fall(b, falls, rate, correction):
    """Take off each threshold its correction, against all those so far."""
    for r in range(b.shape[0]):
        falls[r] += correction[r] * correction[r]
        if falls[r] > 0.0:
            b[r] -= rate * correction[r] / math.sqrt(falls[r])


@fits.on(Descent)
def _(descent, norm):
    """Squares of gradients are added up: so many of them as there may be rows have to be finite."""
    return math.isfinite(norm * 2.0**80)


@hold.on(Descent)
def _(descent):
    for r in range(descent.total.shape[0]):
        descent.total[r] += descent.b[r]


@hold_weighted.on(Descent)
def _(descent, weight):
    for r in range(descent.total.shape[0]):
        descent.total[r] += weight * descent.b[r]


@scale_sums.on(Descent)
def _(descent, factor):
    scale_line(descent.lag, factor)
    scale_line(descent.total, factor)


@columnwise.on(Descent)
def _(descent):
    return ("w", "lag", "squares", "gradient")


@room.on(Descent)
def _(descent):
    return ("gradient", "row", "push")


@clear.on(Descent)
def _(descent):
    descent.gradient[:] = 0.0


@hypothesis.on(Descent)
def _(descent, n_ranks, age):
    if len(descent.lag) == 0 or age == 0:
        return Hypothesis(descent.w.copy(), 0.0, descent.b.copy())
    return Hypothesis((age * descent.w - descent.lag) / age, 0.0, descent.total / age)


@insert_rank.on(Descent)
def _(descent, place, projection, projection_sum):
    total = with_threshold(descent.total, place, projection_sum) if len(descent.lag) else descent.total
    b, falls = with_threshold(descent.b, place, projection), np.insert(descent.falls, min(place, len(descent.b)), 0.0)
    return descent._replace(b=b, total=total, falls=falls)


@member.on(Descent)
def _(descents, m):
    return Descent(
        *(descents.w[m], descents.lag[m], descents.b[m], descents.total[m], descents.squares[m], descents.falls[m]),
        *(descents.gradient[m], descents.row[m], descents.push[m], descents.rate),
    )


@copy_within.on(Descent)
def _(descents, source, target):
    copy_line(descents.w, source, target)
    copy_line(descents.b, source, target)
    copy_line(descents.squares, source, target)
    copy_line(descents.falls, source, target)
