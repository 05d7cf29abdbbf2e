"""One direction cut by thresholds: the hypothesis of PRank and most others."""

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

    The mean of the w held after each row is w - lag / age: every move adds itself times the age to the lag. So a sparse row costs
    its stored columns only. Thresholds are summed as they are, because a sum of ordered numbers is ordered, and a difference need
    not be. ``lag`` and ``total`` are empty where no mean is kept.
    """

    w: np.ndarray
    lag: np.ndarray
    b: np.ndarray
    total: np.ndarray


def thresholded(n_features: int, n_ranks: int, average: bool) -> Thresholded:
    """All zeros, as the papers start."""
    w, b = zeros(n_features), np.zeros(n_ranks - 1)
    return Thresholded(w, zeros(n_features if average else 0), b, np.zeros(n_ranks - 1 if average else 0))


def thresholds_apart(n_features: int, n_ranks: int, average: bool, gap: float) -> Thresholded:
    """No direction, and thresholds a ``gap`` apart around 0."""
    b = gap * (np.arange(n_ranks - 1) - (n_ranks - 2) / 2)
    return thresholded(n_features, n_ranks, average)._replace(b=b)


@inline
def write_scores(projection: float, thresholds: np.ndarray, scores: np.ndarray) -> float:
    """w·x - b_r for every threshold, and w·x, which is returned."""
    for r in range(thresholds.shape[0]):
        scores[r] = projection - thresholds[r]
    scores[thresholds.shape[0]] = projection
    return projection


@inline
def lower_thresholds(b: np.ndarray, correction: np.ndarray) -> None:
    """Subtract the correction from the thresholds, and keep them in order where rounding, or a shrunken past, breaks it."""
    lowest = -math.inf
    for r in range(b.shape[0]):
        lowest = max(lowest, b[r] - correction[r])
        b[r] = lowest  # in exact arithmetic every rule keeps the order; subtracting multipliers may break it by an ulp


@inline
def put_in_order(b: np.ndarray) -> None:
    """Move the thresholds to the nearest ones in order: neighbours that are out of order are pooled at their mean."""
    for r in range(1, b.shape[0]):
        start, total, mean = r, b[r], b[r]
        while start > 0 and b[start - 1] > mean:
            start -= 1
            total += b[start]
            mean = total / (r + 1 - start)
        for s in range(start, r + 1):
            b[s] = mean


def check_thresholds(scorer: Scorer, prefix: str, n_features: int) -> None:
    """Raise ValueError unless thresholds ascend, now and in the sum over time."""
    check_ascending(f"{prefix}b", scorer.b)
    check_ascending(f"{prefix}total", scorer.total)


def score_thresholded(scorer: Scorer, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return write_scores(dot(X, i, scorer.w), scorer.b, scores)


def score_mean_thresholded(scorer: Scorer, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if scorer.lag.shape[0] == 0:
        return score(scorer, X, i, scores)
    return write_scores(dot_mean(X, i, scorer.w, scorer.lag, age), scorer.total, scores)


def score_mean_and_current_thresholded(
    scorer: Scorer, X: AnyRows, i: int, age: float, means: np.ndarray, scores: np.ndarray
) -> float:
    if scorer.lag.shape[0] == 0:
        write_scores(score(scorer, X, i, scores), scorer.b, means)
        return scores[scorer.b.shape[0]]
    # The sums are not divided by the age: predicting and learning then agree on every tie.
    now, mean = dot_both(X, i, scorer.w, scorer.lag, age)
    write_scores(mean, scorer.total, means)
    return write_scores(now, scorer.b, scores)


@update.on(Thresholded)
def update_thresholded(scorer: Thresholded, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    lower_thresholds(scorer.b, correction)
    push = correction[scorer.b.shape[0]]
    if scorer.lag.shape[0]:  # w and its lag in one reading of the row: a wrapper that averages would read it twice
        add_both(X, i, push, scorer.w, age * push, scorer.lag)
    else:
        add(X, i, push, scorer.w)


def accumulate_average_thresholded(scorer: Scorer, weight: float) -> None:
    for r in range(scorer.total.shape[0]):
        scorer.total[r] += weight * scorer.b[r]


def scale_averages_thresholded(scorer: Scorer, factor: float) -> None:
    scale_array(scorer.lag, factor)
    scale_array(scorer.total, factor)


def hypothesis_thresholded(scorer: Scorer, n_ranks: int, age: float) -> Hypothesis:
    if len(scorer.lag) == 0 or age == 0:
        return Hypothesis(scorer.w.copy(), 0.0, scorer.b.copy())
    mean = age * scorer.w  # then in place, for there may be millions of features
    mean -= scorer.lag
    mean /= age
    return Hypothesis(mean, 0.0, scorer.total / age)


@insert_rank.on(Thresholded)
def insert_threshold(scorer: Scorer, place: int, projection: float, projection_sum: float) -> Scorer:
    """The scorer with one more threshold, which has its place in the sum over time too if there is one."""
    total = with_threshold(scorer.total, place, projection_sum) if len(scorer.lag) else scorer.total
    return scorer._replace(b=with_threshold(scorer.b, place, projection), total=total)


@member.on(Thresholded)
def member_thresholded(scorers: Thresholded, m: int) -> Scorer:
    return Thresholded(scorers.w[m], scorers.lag[m], scorers.b[m], scorers.total[m])


@shrink.on(Thresholded)
def shrink_thresholded(scorer: Thresholded, factor: float, age: float) -> None:
    multiply(scorer.w, scorer.lag, factor, age)
    scale_array(scorer.b, factor)


@copy_member.on(Thresholded)
def copy_member_thresholded(scorers: Thresholded, source: int, target: int) -> None:
    copy_member_array(scorers.w, source, target)
    copy_member_array(scorers.b, source, target)


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
    scale_averages.on(cls)(scale_averages_thresholded)
    hypothesis.on(cls)(hypothesis_thresholded)
    check_learned.on(cls)(check_thresholds)
    rescale_hypothesis.on(cls)(rescale_direction)


share_thresholded(Thresholded)
