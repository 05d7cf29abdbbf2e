"""A direction cut by thresholds, all scaled before they move: the hypothesis of ROMMA, the relaxed maximum margin step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...compile.generic import inline
from ..checks import LARGEST_DOUBLE, SMALLEST_DOUBLE, check_between
from ..protocol import Scorer, accumulate_average, check_learned, score, score_mean, update
from ..rows import AnyRows, add, add_both, dot, dot_mean
from .protocol import (
    Hypothesis,
    Roles,
    copy_member,
    copy_member_array,
    field_roles,
    hypothesis,
    insert_rank,
    member,
    scale_array,
    scale_averages,
    zeros,
)
from .thresholded import check_thresholds, insert_threshold, lower_thresholds, write_scores

# Places in ``ROMMA.size``: the factor of u, the sum of the factor over time, ‖w‖² + ‖b‖², and the margin that counts as 1.
FACTOR, HELD, SQUARE, MARGIN = range(4)

# When the factor leaves this range, u is multiplied by it, before the factor underflows or overflows.
LEAST, MOST = 1e-100, 1e100

# On noise the norm grows exponentially. When its square exceeds LARGEST, everything is multiplied by LESS, a power of two, the
# margin too: the same hypothesis on another scale.
LARGEST, LESS = 1e150, 2.0**-166


class ROMMA(NamedTuple):
    """w·x - b_r and w·x with w = factor · u, so scaling w costs nothing.

    The sum of the w over time is held · u - lag, where ``held`` sums the factors, and a move of u adds itself times ``held`` to
    the lag.
    """

    u: np.ndarray
    lag: np.ndarray
    b: np.ndarray
    total: np.ndarray
    size: np.ndarray


def romma(n_features: int, n_ranks: int, average: bool) -> ROMMA:
    """All zeros."""
    u, b = zeros(n_features), np.zeros(n_ranks - 1)
    mean = zeros(n_features if average else 0), np.zeros(n_ranks - 1 if average else 0)
    return ROMMA(u, mean[0], b, mean[1], np.array([1.0, 0.0, 0.0, 1.0]))


@inline
def scale_down(scorer: ROMMA, factor: float) -> None:
    """Multiply the hypothesis."""
    scale_array(scorer.b, factor)
    scorer.size[FACTOR] *= factor
    if not LEAST < scorer.size[FACTOR] < MOST:
        for j in range(scorer.u.shape[0]):
            if scorer.lag.shape[0]:
                scorer.lag[j] -= scorer.size[HELD] * scorer.u[j]
            scorer.u[j] *= scorer.size[FACTOR]
        scorer.size[FACTOR], scorer.size[HELD] = 1.0, 0.0  # what was held is in the lag now


@inline
def measure_norm(scorer: ROMMA) -> None:
    """Compute the squared norm, and scale everything down before it overflows."""
    square = 0.0
    for j in range(scorer.u.shape[0]):
        square += scorer.u[j] * scorer.u[j]
    square *= scorer.size[FACTOR] * scorer.size[FACTOR]
    for r in range(scorer.b.shape[0]):
        square += scorer.b[r] * scorer.b[r]
    scorer.size[SQUARE] = square
    if square > LARGEST:
        scale_array(scorer.u, LESS)
        scale_array(scorer.lag, LESS)
        scale_array(scorer.b, LESS)
        scale_array(scorer.total, LESS)
        scorer.size[SQUARE] *= LESS * LESS
        scorer.size[MARGIN] *= LESS


@score.on(ROMMA)
def score_romma(scorer: ROMMA, X: AnyRows, i: int, scores: np.ndarray) -> float:
    return write_scores(scorer.size[FACTOR] * dot(X, i, scorer.u), scorer.b, scores)


@score_mean.on(ROMMA)
def score_mean_romma(scorer: ROMMA, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if scorer.lag.shape[0] == 0:
        return score(scorer, X, i, scores)
    return write_scores(dot_mean(X, i, scorer.u, scorer.lag, scorer.size[HELD]), scorer.total, scores)


@update.on(ROMMA)
def update_romma(scorer: ROMMA, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    lower_thresholds(scorer.b, correction)
    push = correction[scorer.b.shape[0]] / scorer.size[FACTOR]
    if scorer.lag.shape[0]:
        add_both(X, i, push, scorer.u, scorer.size[HELD] * push, scorer.lag)
    else:
        add(X, i, push, scorer.u)


@accumulate_average.on(ROMMA)
def accumulate_average_romma(scorer: ROMMA, weight: float) -> None:
    for r in range(scorer.total.shape[0]):
        scorer.total[r] += weight * scorer.b[r]
    scorer.size[HELD] += weight * scorer.size[FACTOR]


@scale_averages.on(ROMMA)
def scale_averages_romma(scorer: ROMMA, factor: float) -> None:
    scale_array(scorer.lag, factor)
    scale_array(scorer.total, factor)
    scorer.size[HELD] *= factor


@check_learned.on(ROMMA)
def check_romma(scorer: ROMMA, prefix: str, n_features: int) -> None:
    check_thresholds(scorer, prefix, n_features)
    check_between(f"{prefix}size", np.abs(scorer.size[..., FACTOR]), LEAST, MOST)
    check_between(f"{prefix}size", scorer.size[..., SQUARE], 0.0, LARGEST_DOUBLE)
    check_between(f"{prefix}size", scorer.size[..., MARGIN], SMALLEST_DOUBLE, 1.0)


@field_roles.on(ROMMA)
def field_roles_romma(scorer: ROMMA) -> Roles:
    return Roles(columns=("u", "lag"), local=())  # multiplying the factor out moves every weight


@hypothesis.on(ROMMA)
def hypothesis_romma(scorer: ROMMA, n_ranks: int, age: float) -> Hypothesis:
    if len(scorer.lag) == 0 or age == 0:
        return Hypothesis(scorer.size[FACTOR] * scorer.u, 0.0, scorer.b.copy())
    return Hypothesis((scorer.size[HELD] * scorer.u - scorer.lag) / age, 0.0, scorer.total / age)


@insert_rank.on(ROMMA)
def insert_rank_romma(scorer: ROMMA, place: int, projection: float, projection_sum: float) -> Scorer:
    grown, size = insert_threshold(scorer, place, projection, projection_sum), scorer.size.copy()
    size[SQUARE] += grown.b @ grown.b - scorer.b @ scorer.b
    return grown._replace(size=size)


@member.on(ROMMA)
def member_romma(scorers: ROMMA, m: int) -> Scorer:
    return ROMMA(scorers.u[m], scorers.lag[m], scorers.b[m], scorers.total[m], scorers.size[m])


@copy_member.on(ROMMA)
def copy_member_romma(scorers: ROMMA, source: int, target: int) -> None:
    copy_member_array(scorers.u, source, target)
    copy_member_array(scorers.b, source, target)
    copy_member_array(scorers.size, source, target)
