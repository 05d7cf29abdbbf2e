"""One direction cut by thresholds, each of which, as each weight, moves by a step of its own."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...compile.generic import inline
from ...steps import descend
from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import Scorer, check_learned, is_small_enough, update
from ..rows import AnyRows
from .protocol import (
    buffer_fields,
    clear_buffers,
    column_fields,
    copy_member,
    copy_member_array,
    insert_rank,
    member,
    rescale_hypothesis,
    with_threshold,
    zeros,
)
from .thresholded import check_thresholds, put_in_order, rescale_direction, share_thresholded


class AdaptiveThresholded(NamedTuple):
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


def adaptive_thresholded(n_features: int, n_ranks: int, average: bool, rate: float, gap: float) -> AdaptiveThresholded:
    """No direction, and thresholds so far apart around 0."""
    m = n_ranks - 1
    b = gap * (np.arange(m) - (m - 1) / 2)
    lag, total = zeros(n_features if average else 0), np.zeros(m if average else 0)
    columns = zeros(n_features), lag, b, total, zeros(n_features), np.zeros(m), zeros(n_features)
    return AdaptiveThresholded(*columns, np.zeros(1, np.int64), np.zeros(1), rate)


share_thresholded(AdaptiveThresholded)


@check_learned.on(AdaptiveThresholded)
def check_adaptive_thresholded(descent: AdaptiveThresholded, prefix: str, n_features: int) -> None:
    check_thresholds(descent, prefix, n_features)
    check_between(f"{prefix}squares", descent.squares, 0.0, LARGEST_DOUBLE)
    check_between(f"{prefix}falls", descent.falls, 0.0, LARGEST_DOUBLE)


@update.on(AdaptiveThresholded)
def update_adaptive_thresholded(descent: AdaptiveThresholded, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    move_thresholds(descent.b, descent.falls, descent.rate, correction)
    put_in_order(descent.b)
    descent.row[0], descent.push[0] = i, correction[descent.b.shape[0]]
    descend(X, descent.row, descent.push, age, descent)


@inline
def move_thresholds(b: np.ndarray, falls: np.ndarray, rate: float, correction: np.ndarray) -> None:
    """Take off each threshold its correction, against all those so far."""
    for r in range(b.shape[0]):
        falls[r] += correction[r] * correction[r]
        if falls[r] > 0.0:
            b[r] -= rate * correction[r] / math.sqrt(falls[r])


@is_small_enough.on(AdaptiveThresholded)
def is_small_enough_adaptive_thresholded(descent: AdaptiveThresholded, norm: float) -> bool:
    """Squares of gradients are added up: so many of them as there may be rows have to be finite."""
    return math.isfinite(norm * 2.0**80)


@column_fields.on(AdaptiveThresholded)
def column_fields_adaptive_thresholded(descent: AdaptiveThresholded) -> tuple[str, ...]:
    return ("w", "lag", "squares", "gradient")


@buffer_fields.on(AdaptiveThresholded)
def buffer_fields_adaptive_thresholded(descent: AdaptiveThresholded) -> tuple[str, ...]:
    return ("gradient", "row", "push")


@clear_buffers.on(AdaptiveThresholded)
def clear_buffers_adaptive_thresholded(descent: AdaptiveThresholded) -> None:
    descent.gradient[:] = 0.0


@insert_rank.on(AdaptiveThresholded)
def insert_rank_adaptive_thresholded(
    descent: AdaptiveThresholded, place: int, projection: float, projection_sum: float
) -> Scorer:
    total = with_threshold(descent.total, place, projection_sum) if len(descent.lag) else descent.total
    b, falls = with_threshold(descent.b, place, projection), np.insert(descent.falls, min(place, len(descent.b)), 0.0)
    return descent._replace(b=b, total=total, falls=falls)


@member.on(AdaptiveThresholded)
def member_adaptive_thresholded(descents: AdaptiveThresholded, m: int) -> Scorer:
    return AdaptiveThresholded(
        *(descents.w[m], descents.lag[m], descents.b[m], descents.total[m], descents.squares[m], descents.falls[m]),
        *(descents.gradient[m], descents.row[m], descents.push[m], descents.rate),
    )


@copy_member.on(AdaptiveThresholded)
def copy_member_adaptive_thresholded(descents: AdaptiveThresholded, source: int, target: int) -> None:
    copy_member_array(descents.w, source, target)
    copy_member_array(descents.b, source, target)
    copy_member_array(descents.squares, source, target)
    copy_member_array(descents.falls, source, target)


@rescale_hypothesis.on(AdaptiveThresholded)
def rescale_adaptive_thresholded(descent: AdaptiveThresholded, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    rescale_direction(descent, ratio, shift, age)
    descent.squares[: len(ratio)] /= ratio * ratio  # a gradient is a multiple of the row
