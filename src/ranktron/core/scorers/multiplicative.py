"""A direction and thresholds that are exponentials of sums: the hypothesis of multiplicative updates."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import inline
from ..checks import LARGEST_DOUBLE, check_ascending, check_between
from ..protocol import Scorer, accumulate_average, check_learned, score, score_mean, update
from ..rows import AnyRows, add, dot, dot_mean, largest
from .protocol import (
    Hypothesis,
    Roles,
    copy_member,
    copy_member_array,
    field_roles,
    hypothesis,
    insert_rank,
    member,
    resize,
    resize_columns,
    scale_array,
    scale_averages,
    with_threshold,
    zeros,
)
from .thresholded import write_scores

# Exponents are limited to this, so that their differences are finite at any step.
FARTHEST = 1e300


class Multiplicative(NamedTuple):
    """w·x / radius - b_r with w_j = exp(step · g_j / radius) / Z and b_r = exp(step · u_r) / Z, where all of w and b add up to 1.

    Only the exponents are learned: g moves along rows and u by whole numbers, so nothing overflows at any step or length of
    stream, and the thresholds stay in order because u does. If ``signed``, every component has a twin with the opposite exponent,
    which is subtracted. ``lag`` and ``total`` sum w and b over the rows; ``held`` counts the rows since the last update.
    """

    g: np.ndarray
    u: np.ndarray
    w: np.ndarray
    b: np.ndarray
    lag: np.ndarray
    total: np.ndarray
    held: np.ndarray
    size: np.ndarray
    step: float
    radius: float
    signed: bool


def multiplicative(n_features: int, n_ranks: int, average: bool, step: float, radius: float, signed: bool) -> Multiplicative:
    """All exponents zero, so all components are equal."""
    g, w, u, b = zeros(n_features), zeros(n_features), zeros(n_ranks - 1), zeros(n_ranks - 1)
    lag, total = zeros(n_features if average else 0), zeros(n_ranks - 1 if average else 0)
    size = np.array([n_features])
    scorer = Multiplicative(g, u, w, b, lag, total, np.zeros(1), size, step, radius, signed)
    exponentiate(scorer)
    return scorer


@inline
def exponentiate(scorer: Multiplicative) -> None:
    """Compute w and b from their exponents minus the highest one, so that no exponential exceeds 1 and not all are 0."""
    scale = scorer.step / scorer.radius
    n, k = scorer.size[0], scorer.u.shape[0]
    top = max(highest_exponent(scorer.g, n, scale, scorer.signed), highest_exponent(scorer.u, k, scorer.step, scorer.signed))
    Z = write_exponentials(scorer.g, n, scale, scorer.signed, top, scorer.w) + write_exponentials(
        scorer.u, k, scorer.step, scorer.signed, top, scorer.b
    )
    for j in range(n):
        scorer.w[j] /= Z
    for r in range(k):
        scorer.b[r] /= Z


@inline
def highest_exponent(sums: np.ndarray, count: int, scale: float, signed: bool) -> float:
    """The highest exponent of the first ``count``."""
    top = -FARTHEST
    for j in range(count):
        top = max(top, min(FARTHEST, abs(scale * sums[j]) if signed else scale * sums[j]))
    return top


@inline
def write_exponentials(sums: np.ndarray, count: int, scale: float, signed: bool, top: float, powers: np.ndarray) -> float:
    """Write the exponentials, divided by that of ``top``; returns their sum, twins included."""
    total = 0.0
    for j in range(count):
        exponent = max(-FARTHEST, min(FARTHEST, scale * sums[j]))
        plus = math.exp(exponent - top)
        minus = math.exp(-exponent - top) if signed else 0.0
        powers[j] = plus - minus
        total += plus + minus
    return total


@inline
def flush_average(scorer: Multiplicative) -> None:
    """Add w and b to the sums, once for each row since the last update."""
    if scorer.lag.shape[0]:
        for j in range(scorer.size[0]):
            scorer.lag[j] -= scorer.held[0] * scorer.w[j]
        for r in range(scorer.total.shape[0]):
            scorer.total[r] += scorer.held[0] * scorer.b[r]
    scorer.held[0] = 0.0


@score.on(Multiplicative)
def score_multiplicative(scorer: Multiplicative, X: AnyRows, i: int, scores: np.ndarray) -> float:
    projection = write_scores(dot(X, i, scorer.w) / scorer.radius, scorer.b, scores)
    return projection if largest(X, i) <= scorer.radius else math.nan


@score_mean.on(Multiplicative)
def score_mean_multiplicative(scorer: Multiplicative, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if scorer.lag.shape[0] == 0 or age == 0:
        return score(scorer, X, i, scores)
    projection = dot_mean(X, i, scorer.w, scorer.lag, scorer.held[0]) / scorer.radius
    for r in range(scorer.b.shape[0]):
        scores[r] = projection - (scorer.total[r] + scorer.held[0] * scorer.b[r])
    scores[scorer.b.shape[0]] = projection
    return projection if largest(X, i) <= scorer.radius else math.nan


@update.on(Multiplicative)
def update_multiplicative(scorer: Multiplicative, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    flush_average(scorer)  # before w and b change: since the last update they were held unchanged
    for r in range(scorer.u.shape[0]):
        scorer.u[r] -= correction[r]
    add(X, i, correction[scorer.u.shape[0]], scorer.g)
    exponentiate(scorer)


@accumulate_average.on(Multiplicative)
def accumulate_average_multiplicative(scorer: Multiplicative, weight: float) -> None:
    scorer.held[0] += weight


@scale_averages.on(Multiplicative)
def scale_averages_multiplicative(scorer: Multiplicative, factor: float) -> None:
    scale_array(scorer.lag, factor)
    scale_array(scorer.total, factor)
    scorer.held[0] *= factor


@check_learned.on(Multiplicative)
def check_multiplicative(scorer: Multiplicative, prefix: str, n_features: int) -> None:
    check_between(f"{prefix}size", scorer.size, n_features, n_features)
    check_between(f"{prefix}held", scorer.held, 0.0, LARGEST_DOUBLE)
    for name in ("u", "b", "total"):
        check_ascending(f"{prefix}{name}", getattr(scorer, name))


@field_roles.on(Multiplicative)
def field_roles_multiplicative(scorer: Multiplicative) -> Roles:
    return Roles(columns=("g", "w", "lag"), local=())  # the normalisation moves every weight


@member.on(Multiplicative)
def member_multiplicative(scorers: Multiplicative, m: int) -> Scorer:
    one = scorers.g[m], scorers.u[m], scorers.w[m], scorers.b[m], scorers.lag[m], scorers.total[m]
    return Multiplicative(*one, scorers.held[m], scorers.size[m], scorers.step, scorers.radius, scorers.signed)


@hypothesis.on(Multiplicative)
def hypothesis_multiplicative(scorer: Multiplicative, n_ranks: int, age: float) -> Hypothesis:
    if len(scorer.lag) == 0 or age == 0:
        return Hypothesis(scorer.w / scorer.radius, 0.0, scorer.b.copy())
    held = scorer.held[0]
    w, b = held * scorer.w - scorer.lag, scorer.total + held * scorer.b
    return Hypothesis(w / (age * scorer.radius), 0.0, b / age)


@resize.on(Multiplicative)
def resize_multiplicative(scorer: Multiplicative, n_features: int) -> Scorer:
    wider = resize_columns(_flushed_copy(scorer), n_features)
    wider.size[0], wider.w[n_features:] = n_features, 0.0
    exponentiate(wider)
    return wider


@insert_rank.on(Multiplicative)
def insert_rank_multiplicative(scorer: Multiplicative, place: int, projection: float, projection_sum: float) -> Scorer:
    """The new threshold equals its neighbour: thresholds are shares of 1 here, which cannot be set to a projection."""
    scorer = _flushed_copy(scorer)
    u, total = (
        with_threshold(part, place, part[min(place, len(part) - 1)] if len(part) else 0.0) for part in (scorer.u, scorer.total)
    )
    grown = scorer._replace(u=u, b=np.zeros_like(u), total=total if len(scorer.lag) else scorer.total)
    exponentiate(grown)
    return grown


def _flushed_copy(scorer: Multiplicative) -> Multiplicative:
    parts: Any = (part.copy() if isinstance(part, np.ndarray) else part for part in scorer)
    copy = Multiplicative(*parts)
    flush_average(copy)
    return copy


@copy_member.on(Multiplicative)
def copy_member_multiplicative(scorers: Multiplicative, source: int, target: int) -> None:
    copy_member_array(scorers.g, source, target)
    copy_member_array(scorers.u, source, target)
    copy_member_array(scorers.w, source, target)
    copy_member_array(scorers.b, source, target)
    copy_member_array(scorers.size, source, target)
