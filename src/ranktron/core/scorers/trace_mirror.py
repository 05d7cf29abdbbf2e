"""Weights whose singular values are the image of those of a sum of gradients: mirror descent for margins in the trace norm."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import Scorer, accumulate_average, check_learned, compiles, move, score, score_mean, update
from ..rows import AnyRows, add, dot, dot_mean
from .mirror import dual_power, move_theta_and_image
from .protocol import Hypothesis, Roles, field_roles, hypothesis, insert_rank, resize, resize_columns, scale_averages, zeros

# Places in a clock: how many rows were learned, and how many of the columns are features.
HELD, FEATURES = range(2)


class TraceMirror(NamedTuple):
    """W has the singular vectors of θ and the singular values s^(q-1) / ‖s‖_q^(q-2), where s are those of θ.

    q = max(2, log min(d, p)) for d scores and p features, so up to seven of either W is θ. Beyond, every update computes a
    singular value decomposition of θ, which compiled loops cannot call: this scorer runs interpreted only. Lags are as in
    ``Thresholded``.
    """

    theta: np.ndarray
    W: np.ndarray
    lag: np.ndarray
    clock: np.ndarray
    is_line: bool


def trace_mirror(n_features: int, n_scores: int, average: bool, as_line: bool = False) -> TraceMirror:
    """All zeros; ``as_line``, one direction that ranks documents."""
    theta, W, lag = (zeros(rows, n_features) for rows in (n_scores, n_scores, n_scores if average else 0))
    return TraceMirror(theta, W, lag, np.array([0.0, n_features]), as_line)


def q_of(model: TraceMirror) -> float:
    """The dual power."""
    return dual_power(min(len(model.theta), int(model.clock[FEATURES])))


@check_learned.on(TraceMirror)
def check_trace_mirror(model: TraceMirror, prefix: str, n_features: int) -> None:
    check_between(f"{prefix}clock", model.clock[HELD], 0.0, LARGEST_DOUBLE)
    check_between(f"{prefix}clock", model.clock[FEATURES], 0.0, model.theta.shape[1])


@compiles.on(TraceMirror)
def compiles_trace_mirror(model: TraceMirror) -> bool:
    return False


@score.on(TraceMirror)
def score_trace_mirror(model: TraceMirror, X: AnyRows, i: int, scores: np.ndarray) -> float:
    for r, w in enumerate(model.W):
        scores[r] = dot(X, i, w)
    return (0.0 * scores[: len(model.W)]).sum()  # 0, or NaN if a score is not finite


@score_mean.on(TraceMirror)
def score_mean_trace_mirror(model: TraceMirror, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if len(model.lag) == 0:
        return score(model, X, i, scores)
    for r, (w, lag) in enumerate(zip(model.W, model.lag)):
        scores[r] = dot_mean(X, i, w, lag, model.clock[HELD])
    return (0.0 * scores[: len(model.W)]).sum()


@accumulate_average.on(TraceMirror)
def accumulate_average_trace_mirror(model: TraceMirror, weight: float) -> None:
    model.clock[HELD] += weight


@scale_averages.on(TraceMirror)
def scale_averages_trace_mirror(model: TraceMirror, factor: float) -> None:
    model.lag[:] *= factor
    model.clock[HELD] *= factor


@update.on(TraceMirror)
def update_trace_mirror(model: TraceMirror, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    _move(model, X, [(i, r, push) for r, push in enumerate(correction)])


@move.on(TraceMirror)
def move_trace_mirror(model: TraceMirror, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    _move(model, X, [(i, 0, push) for i, push in zip(rows, pushes)])


def _move(model: TraceMirror, X: Any, steps: list[tuple[int, int, float]]) -> None:
    """Move rows r of θ by pushes along rows i, and W with it."""
    is_identity = q_of(model) == 2.0
    for i, r, push in steps:
        if is_identity:
            move_theta_and_image(X, i, r, push, model.theta, model.W, model.lag, model.clock[HELD])
        elif push != 0.0:
            add(X, i, push, model.theta[r])
    if not is_identity:
        _link(model)


def _link(model: TraceMirror) -> None:
    """Set W from θ."""
    columns = slice(int(model.clock[FEATURES]))
    W, theta = model.W[:, columns], model.theta[:, columns]
    new = image(theta, q_of(model))
    if len(model.lag):
        model.lag[:, columns] += model.clock[HELD] * (new - W)
    W[:] = new


def image(theta: np.ndarray, q: float) -> np.ndarray:
    """θ with its singular values linked; NaN where θ has overflowed.

    >>> image(np.diag([2.0, 1.0]), 4.0) * np.sqrt(17)  # the singular values are 8/√17 and 1/√17
    array([[8., 0.],
           [0., 1.]])
    """
    if not theta.any():  # NaN counts as something
        return np.zeros_like(theta)
    if not np.isfinite(theta).all():
        return np.full_like(theta, np.nan)
    left, values, right = np.linalg.svd(theta, full_matrices=False)
    ratios = values / values[0]  # so that no power overflows
    powers = ratios ** (q - 1.0) / (ratios**q).sum() ** ((q - 2.0) / q)
    linked: np.ndarray = (left * (values[0] * powers)) @ right
    return linked


@field_roles.on(TraceMirror)
def field_roles_trace_mirror(model: TraceMirror) -> Roles:
    return Roles(columns=("theta", "W", "lag"), local=("theta",))


@hypothesis.on(TraceMirror)
def hypothesis_trace_mirror(model: TraceMirror, n_ranks: int, age: float) -> Hypothesis:
    W = model.W.copy() if len(model.lag) == 0 or age == 0 else (model.clock[HELD] * model.W - model.lag) / age
    return Hypothesis(W[0] if model.is_line else W, 0.0, np.empty(0))


@insert_rank.on(TraceMirror)
def insert_rank_trace_mirror(model: TraceMirror, place: int, projection: float, projection_sum: float) -> Scorer:
    theta, W, lag = (np.insert(part, place, 0.0, axis=0) if len(part) else part for part in model[:3])
    return _relinked(model, TraceMirror(theta, W, lag, model.clock.copy(), model.is_line))


@resize.on(TraceMirror)
def resize_trace_mirror(model: TraceMirror, n_features: int) -> Scorer:
    """q may follow the number of features, and W with it; the mean keeps what was held, where a new feature had no weight."""
    copies: Any = (part.copy() if isinstance(part, np.ndarray) else part for part in model)
    wider = resize_columns(TraceMirror(*copies), n_features)
    wider.clock[FEATURES] = n_features
    return _relinked(model, wider)


def _relinked(before: TraceMirror, after: TraceMirror) -> TraceMirror:
    if q_of(after) != q_of(before):
        _link(after)
    return after
