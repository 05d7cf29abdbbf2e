"""One direction cut by thresholds, where each weight and each threshold has an adaptive step of its own."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...compile.generic import inline
from ...steps import descend
from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import Scorer, check_learned, is_small_enough, update
from ..rows import AnyRows
from .protocol import Roles, copy_member, copy_member_array, field_roles, insert_rank, member, rescale_hypothesis, zeros
from .thresholded import check_thresholds, insert_threshold, put_in_order, rescale_direction, share_thresholded, thresholds_apart


class AdaptiveThresholded(NamedTuple):
    """w·x - b_r and w·x, means as in ``Thresholded``; ``squares`` and ``falls`` sum the squared gradients of w and b."""

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


def adaptive_thresholded(n_features: int, n_ranks: int, average: bool, rate: float, gap: float) -> AdaptiveThresholded:
    """No direction, and thresholds a ``gap`` apart around 0."""
    squares, falls, gradient = zeros(n_features), np.zeros(n_ranks - 1), zeros(n_features)
    start = thresholds_apart(n_features, n_ranks, average, gap)
    return AdaptiveThresholded(*start, squares, falls, gradient, np.zeros(1, np.int64), np.zeros(1), rate)


share_thresholded(AdaptiveThresholded)


@check_learned.on(AdaptiveThresholded)
def check_adaptive_thresholded(scorer: AdaptiveThresholded, prefix: str, n_features: int) -> None:
    check_thresholds(scorer, prefix, n_features)
    check_between(f"{prefix}squares", scorer.squares, 0.0, LARGEST_DOUBLE)
    check_between(f"{prefix}falls", scorer.falls, 0.0, LARGEST_DOUBLE)


@update.on(AdaptiveThresholded)
def update_adaptive_thresholded(scorer: AdaptiveThresholded, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    move_thresholds(scorer.b, scorer.falls, scorer.rate, correction)
    put_in_order(scorer.b)
    scorer.row[0], scorer.push[0] = i, correction[scorer.b.shape[0]]
    descend(X, scorer.row, scorer.push, age, scorer)


@inline
def move_thresholds(b: np.ndarray, falls: np.ndarray, rate: float, correction: np.ndarray) -> None:
    """Subtract from each threshold its correction, divided by the root of the squared ones so far."""
    for r in range(b.shape[0]):
        falls[r] += correction[r] * correction[r]
        if falls[r] > 0.0:
            b[r] -= rate * correction[r] / math.sqrt(falls[r])


@is_small_enough.on(AdaptiveThresholded)
def is_small_enough_adaptive_thresholded(scorer: AdaptiveThresholded, norm: float) -> bool:
    """Squares of gradients are summed, so the sum over the longest stream has to be finite."""
    return math.isfinite(norm * 2.0**80)


@field_roles.on(AdaptiveThresholded)
def field_roles_adaptive_thresholded(scorer: AdaptiveThresholded) -> Roles:
    return Roles(columns=("w", "lag", "squares", "gradient"), buffers=("gradient", "row", "push"))


@insert_rank.on(AdaptiveThresholded)
def insert_rank_adaptive_thresholded(scorer: AdaptiveThresholded, place: int, projection: float, projection_sum: float) -> Scorer:
    falls = np.insert(scorer.falls, min(place, len(scorer.b)), 0.0)
    return insert_threshold(scorer._replace(falls=falls), place, projection, projection_sum)


@member.on(AdaptiveThresholded)
def member_adaptive_thresholded(scorers: AdaptiveThresholded, m: int) -> Scorer:
    return AdaptiveThresholded(
        *(scorers.w[m], scorers.lag[m], scorers.b[m], scorers.total[m], scorers.squares[m], scorers.falls[m]),
        *(scorers.gradient[m], scorers.row[m], scorers.push[m], scorers.rate),
    )


@copy_member.on(AdaptiveThresholded)
def copy_member_adaptive_thresholded(scorers: AdaptiveThresholded, source: int, target: int) -> None:
    copy_member_array(scorers.w, source, target)
    copy_member_array(scorers.b, source, target)
    copy_member_array(scorers.squares, source, target)
    copy_member_array(scorers.falls, source, target)


@rescale_hypothesis.on(AdaptiveThresholded)
def rescale_adaptive_thresholded(scorer: AdaptiveThresholded, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    rescale_direction(scorer, ratio, shift, age)
    scorer.squares[: len(ratio)] /= ratio * ratio  # a gradient is a multiple of the row
