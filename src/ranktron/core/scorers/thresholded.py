"""One direction cut by thresholds that move with it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...compile.generic import inline
from ..budget import multiply, shrink
from ..checks import check_ascending
from ..protocol import Scorer, accumulate_average, check_learned, score, score_mean, score_mean_and_current, update
from ..rows import AnyRows, add, add_both, dot, dot_both, dot_mean, lane_sum
from .protocol import (
    Hypothesis,
    accumulate_weighted,
    copy_member,
    copy_member_array,
    hypothesis,
    insert_rank,
    member,
    rescale_hypothesis,
    scale_array,
    scale_averages,
    with_threshold,
    zeros,
)


class Thresholded(NamedTuple):
    """w·x - b_r for every threshold b_r, and w·x itself.

    The mean of the w held after each row is w - lag / age, where a move made after ``age`` rows is lagged ``age`` times; the
    thresholds are summed as they are, for a sum of ordered numbers is ordered and a difference need not be. Both are empty
    where no mean is wanted.
    """

    w: np.ndarray
    lag: np.ndarray
    b: np.ndarray
    total: np.ndarray


def thresholded(n_features: int, n_ranks: int, average: bool) -> Thresholded:
    """All zeros, as the papers start."""
    w, b = zeros(n_features), np.zeros(n_ranks - 1)
    return Thresholded(w, zeros(n_features if average else 0), b, np.zeros(n_ranks - 1 if average else 0))


@inline
def write_scores(projection: float, thresholds: np.ndarray, scores: np.ndarray) -> float:
    """w·x - b_r for every threshold, and w·x, which is returned."""
    for r in range(thresholds.shape[0]):
        scores[r] = projection - thresholds[r]
    scores[thresholds.shape[0]] = projection
    return projection


@inline
def lower_thresholds(b: np.ndarray, correction: np.ndarray) -> None:
    """Take the correction off the thresholds, in order also where rounding, or a shrunken past, would put them out of it."""
    lowest = -math.inf
    for r in range(b.shape[0]):
        lowest = max(lowest, b[r] - correction[r])
        b[r] = lowest


@inline
def put_in_order(b: np.ndarray) -> None:
    """Move the thresholds to the nearest ones that are in order: neighbours that are not are pooled at their mean."""
    for r in range(1, b.shape[0]):
        start, total, mean = r, b[r], b[r]
        while start > 0 and b[start - 1] > mean:
            start -= 1
            total += b[start]
            mean = total / (r + 1 - start)
        for s in range(start, r + 1):
            b[s] = mean


def check_thresholds(cut: Scorer, prefix: str, n_features: int) -> None:
    """Raise ValueError unless thresholds ascend, now and in the sum over time."""
    check_ascending(f"{prefix}b", cut.b)
    check_ascending(f"{prefix}total", cut.total)


def score_thresholded(cut: Scorer, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return write_scores(dot(X, i, cut.w), cut.b, scores)


def score_mean_thresholded(cut: Scorer, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if cut.lag.shape[0] == 0:
        return score(cut, X, i, scores)
    return write_scores(dot_mean(X, i, cut.w, cut.lag, age), cut.total, scores)


def score_mean_and_current_thresholded(
    cut: Scorer, X: AnyRows, i: int, age: float, means: np.ndarray, scores: np.ndarray
) -> float:
    if cut.lag.shape[0] == 0:
        write_scores(score(cut, X, i, scores), cut.b, means)
        return scores[cut.b.shape[0]]
    now, mean = dot_both(X, i, cut.w, cut.lag, age)
    write_scores(mean, cut.total, means)
    return write_scores(now, cut.b, scores)


@update.on(Thresholded)
def update_thresholded(cut: Thresholded, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    lower_thresholds(cut.b, correction)
    push = correction[cut.b.shape[0]]
    if cut.lag.shape[0]:
        add_both(X, i, push, cut.w, age * push, cut.lag)
    else:
        add(X, i, push, cut.w)


def accumulate_average_thresholded(cut: Scorer) -> None:
    for r in range(cut.total.shape[0]):
        cut.total[r] += cut.b[r]


def accumulate_weighted_thresholded(cut: Scorer, weight: float) -> None:
    for r in range(cut.total.shape[0]):
        cut.total[r] += weight * cut.b[r]


def scale_averages_thresholded(cut: Scorer, factor: float) -> None:
    scale_array(cut.lag, factor)
    scale_array(cut.total, factor)


def hypothesis_thresholded(cut: Scorer, n_ranks: int, age: float) -> Hypothesis:
    if len(cut.lag) == 0 or age == 0:
        return Hypothesis(cut.w.copy(), 0.0, cut.b.copy())
    mean = age * cut.w
    mean -= cut.lag
    mean /= age
    return Hypothesis(mean, 0.0, cut.total / age)


@insert_rank.on(Thresholded)
def insert_rank_thresholded(cut: Thresholded, place: int, projection: float, projection_sum: float) -> Scorer:
    total = with_threshold(cut.total, place, projection_sum) if len(cut.lag) else cut.total
    return cut._replace(b=with_threshold(cut.b, place, projection), total=total)


@member.on(Thresholded)
def member_thresholded(cuts: Thresholded, m: int) -> Scorer:
    return Thresholded(cuts.w[m], cuts.lag[m], cuts.b[m], cuts.total[m])


@shrink.on(Thresholded)
def shrink_thresholded(cut: Thresholded, factor: float, age: float) -> None:
    multiply(cut.w, cut.lag, factor, age)
    for r in range(cut.b.shape[0]):
        cut.b[r] *= factor


@copy_member.on(Thresholded)
def copy_member_thresholded(cuts: Thresholded, source: int, target: int) -> None:
    copy_member_array(cuts.w, source, target)
    copy_member_array(cuts.b, source, target)


def rescale_direction(line: Scorer, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    """``rescale_hypothesis`` for ``w``, ``lag``, ``b`` and ``total``."""
    n = len(ratio)
    w, lag = line.w[:n], line.lag[:n]
    if len(lag):
        line.total[:] -= lane_sum(shift * (age * w - lag))
        lag *= ratio
    line.b[:] -= lane_sum(shift * w)
    w *= ratio


def share_thresholded(cls: type) -> None:
    """Let a class score, and average, as ``Thresholded`` does, by its fields ``w``, ``lag``, ``b`` and ``total``."""
    score.on(cls)(score_thresholded)
    score_mean.on(cls)(score_mean_thresholded)
    score_mean_and_current.on(cls)(score_mean_and_current_thresholded)
    accumulate_average.on(cls)(accumulate_average_thresholded)
    accumulate_weighted.on(cls)(accumulate_weighted_thresholded)
    scale_averages.on(cls)(scale_averages_thresholded)
    hypothesis.on(cls)(hypothesis_thresholded)
    check_learned.on(cls)(check_thresholds)
    rescale_hypothesis.on(cls)(rescale_direction)


share_thresholded(Thresholded)
