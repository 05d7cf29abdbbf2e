"""Weights that are the image of a sum of gradients under a link: mirror descent for margins in other norms than the Euclidean.

θ moves along rows as the weights of ``PerClass`` do, and W = (∇ψ)⁻¹(θ) with ψ = ½‖·‖_r² and 1/r + 1/q = 1. At q = 2 that is θ.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import generic, inline
from ...compile.policy import Loop
from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import Scorer, accumulate_average, check_learned, move, score, score_mean, update
from ..rows import CSR, AnyRows, add, add_both, dot, dot_mean
from .protocol import (
    Hypothesis,
    Roles,
    field_roles,
    hypothesis,
    insert_rank,
    resize,
    resize_columns,
    scale_array,
    scale_averages,
    work_per_row,
    zeros,
)

# Places in a clock: the dual power, the unit of θ, S now and when that unit was taken, c, and the sum of c as often as held.
Q, SCALE, SUM, BASE, FACTOR, HELD = range(6)

# The largest entry of θ in its unit; long before it everything is computed again.
FARTHEST = 100.0


class Mirror(NamedTuple):
    """W = c·u: the link of the entrywise r-norm, or of the r-norm of the columns' Euclidean norms where ``is_group``.

    u_ij = sign(v_ij)|v_ij|^(q-1), or v_j‖v_j‖^(q-2) for a column, where v = θ / scale and scale is about the largest entry of θ;
    S = Σ|v_ij|^q = ⟨u, v⟩, and c = scale · S^(-(q-2)/q) is the only coupling between the entries of θ. The sum of the W over time
    is held · u - lag, where ``held`` sums c, and a change of u adds itself times the ``held`` before it to the lag.

    An update costs a power for each entry of θ that it moves, or for each column, and so is quick on sparse rows. When the norm
    of θ has changed by √2, or a step is twice as long as θ, everything is computed again in the unit of the new θ: a power for
    each entry that is not 0. Otherwise u would grow as θ^(q-1) while c falls as fast, and sums over time would lose all digits.
    """

    theta: np.ndarray
    u: np.ndarray
    lag: np.ndarray
    clock: np.ndarray
    gradient: np.ndarray  # a buffer for the gradient of a list, and empty otherwise
    is_group: bool
    is_line: bool


def mirror(n_features: int, n_scores: int, average: bool, group: bool, as_line: bool = False) -> Mirror:
    """All zeros; ``as_line``, one direction that ranks documents, for which both links are the same."""
    lag, gradient = zeros(n_scores if average else 0, n_features), zeros(n_features if as_line else 0)
    clock = np.array([dual_power(n_features), 0.0, 0.0, 0.0, 0.0, 0.0])
    clock[FACTOR] = 1.0 if clock[Q] == 2.0 else 0.0
    theta, u = zeros(n_scores, n_features), zeros(n_scores, n_features)
    return Mirror(theta, u, lag, clock, gradient, group and not as_line, as_line)


@score.on(Mirror)
def score_mirror(model: Mirror, X: AnyRows, i: int, scores: np.ndarray) -> float:
    finite = 0.0  # times a score is 0, or NaN if the score is not finite
    for r in range(model.u.shape[0]):
        scores[r] = model.clock[FACTOR] * dot(X, i, model.u[r])
        finite += 0.0 * scores[r]
    return finite


@score_mean.on(Mirror)
def score_mean_mirror(model: Mirror, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if model.lag.shape[0] == 0:
        return score(model, X, i, scores)
    finite = 0.0
    for r in range(model.u.shape[0]):
        scores[r] = dot_mean(X, i, model.u[r], model.lag[r], model.clock[HELD])
        finite += 0.0 * scores[r]
    return finite


@accumulate_average.on(Mirror)
def accumulate_average_mirror(model: Mirror, weight: float) -> None:
    model.clock[HELD] += weight * model.clock[FACTOR]


@scale_averages.on(Mirror)
def scale_averages_mirror(model: Mirror, factor: float) -> None:
    for r in range(model.lag.shape[0]):
        scale_array(model.lag[r], factor)
    model.clock[HELD] *= factor


@update.on(Mirror)
def update_mirror(model: Mirror, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    if model.clock[Q] == 2.0:
        for r in range(correction.shape[0]):
            move_theta_and_image(X, i, r, correction[r], model.theta, model.u, model.lag, model.clock[HELD])
    else:
        update_factor(model, shift_row(X, i, model, correction))


@move.on(Mirror)
def move_mirror(model: Mirror, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    if model.clock[Q] == 2.0:
        for t in range(rows.shape[0]):
            move_theta_and_image(X, rows[t], 0, pushes[t], model.theta, model.u, model.lag, model.clock[HELD])
    else:
        for t in range(rows.shape[0]):
            add(X, rows[t], pushes[t], model.gradient)
        update_factor(model, shift_gradient(X, rows, model))


@check_learned.on(Mirror)
def check_mirror(model: Mirror, prefix: str, n_features: int) -> None:
    check_between(f"{prefix}clock", model.clock[Q], 2.0, dual_power(model.theta.shape[1]))
    check_between(f"{prefix}clock", model.clock[[SCALE, SUM, BASE, FACTOR, HELD]], 0.0, LARGEST_DOUBLE)
    if model.clock[Q] > 2.0:
        check_between(f"{prefix}theta", np.abs(model.theta), 0.0, FARTHEST * model.clock[SCALE])  # powers do not overflow


@work_per_row.on(Mirror)
def work_per_row_mirror(model: Mirror) -> int:
    return 1 + model.theta.size // 10  # one power per entry, which Python computes one by one


@field_roles.on(Mirror)
def field_roles_mirror(model: Mirror) -> Roles:
    # A new unit changes u and lag in all columns.
    return Roles(columns=("theta", "u", "lag", "gradient"), local=("theta",), buffers=("gradient",))


@hypothesis.on(Mirror)
def hypothesis_mirror(model: Mirror, n_ranks: int, age: float) -> Hypothesis:
    now = len(model.lag) == 0 or age == 0
    W = model.clock[FACTOR] * model.u if now else (model.clock[HELD] * model.u - model.lag) / age
    return Hypothesis(W[0] if model.is_line else W, 0.0, np.empty(0))


@insert_rank.on(Mirror)
def insert_rank_mirror(model: Mirror, place: int, projection: float, projection_sum: float) -> Scorer:
    theta, u, lag = (np.insert(part, place, 0.0, axis=0) if len(part) else part for part in model[:3])
    return model._replace(theta=theta, u=u, lag=lag, clock=model.clock.copy())


@resize.on(Mirror)
def resize_mirror(model: Mirror, n_features: int) -> Scorer:
    """q follows the number of features, and W with it; the mean keeps what was held, where a new feature had no weight."""
    q = dual_power(n_features)
    if q == model.clock[Q]:
        return resize_columns(model, n_features)
    copies: Any = (part.copy() if isinstance(part, np.ndarray) else part for part in model)
    wider = resize_columns(Mirror(*copies), n_features)
    wider.clock[Q] = q
    link_anew.bind((wider.theta, wider.u, wider.lag, wider.clock, wider.is_group), 0)()
    return wider


# The image of θ: what a step changes in it, and the whole of it


def dual_power(size: int) -> float:
    """q = max(2, log size), for which the r-norm is as good as the 1-norm.

    >>> dual_power(7), round(dual_power(1000), 3)
    (2.0, 6.908)
    """
    return max(2.0, math.log(max(size, 1)))


@inline
def move_theta_and_image(
    X: AnyRows, i: int, r: int, push: float, theta: np.ndarray, W: np.ndarray, lag: np.ndarray, held: float
) -> None:
    """Move row ``r`` of θ and of W, which are the same here."""
    if push != 0.0:
        add(X, i, push, theta[r])
        if lag.shape[0]:
            add_both(X, i, push, W[r], held * push, lag[r])
        else:
            add(X, i, push, W[r])


@generic
def shift_row(X: AnyRows, i: int, model: Any, correction: np.ndarray) -> float:
    """Move θ along row ``i``; returns the change of S, or infinity where everything has to be computed again."""
    raise NotImplementedError


@shift_row.on(np.ndarray)
def shift_row_dense(X: np.ndarray, i: int, model: Any, correction: np.ndarray) -> float:
    gain = 0.0
    if model.is_group:
        for j in range(X.shape[1]):
            gain += shift_column(model, j, X[i, j], correction)
        return gain
    for r in range(correction.shape[0]):
        if correction[r] != 0.0:
            for j in range(X.shape[1]):
                gain += shift_entry(model, r, j, correction[r] * X[i, j])
    return gain


@shift_row.on(CSR)
def shift_row_csr(X: CSR, i: int, model: Any, correction: np.ndarray) -> float:
    gain = 0.0
    if model.is_group:
        for p in range(X.indptr[i], X.indptr[i + 1]):
            gain += shift_column(model, X.indices[p], X.values[p], correction)
        return gain
    for r in range(correction.shape[0]):
        if correction[r] != 0.0:
            for p in range(X.indptr[i], X.indptr[i + 1]):
                gain += shift_entry(model, r, X.indices[p], correction[r] * X.values[p])
    return gain


@generic
def shift_gradient(X: AnyRows, rows: np.ndarray, model: Any) -> float:
    """Move θ along the gradient of a list, which is then emptied; returns as ``shift_row`` does."""
    raise NotImplementedError


@shift_gradient.on(np.ndarray)
def shift_gradient_dense(X: np.ndarray, rows: np.ndarray, model: Any) -> float:
    gain = 0.0
    for j in range(X.shape[1]):
        gain += shift_entry(model, 0, j, model.gradient[j])
        model.gradient[j] = 0.0
    return gain


@shift_gradient.on(CSR)
def shift_gradient_csr(X: CSR, rows: np.ndarray, model: Any) -> float:
    gain = 0.0
    for t in range(rows.shape[0]):
        for p in range(X.indptr[rows[t]], X.indptr[rows[t] + 1]):
            gain += shift_entry(model, 0, X.indices[p], model.gradient[X.indices[p]])
            model.gradient[X.indices[p]] = 0.0
    return gain


@inline
def shift_entry(model: Mirror, r: int, j: int, step: float) -> float:
    """Move one entry of θ, and u and its lag with it, or only θ by a long step. Returns the change of S."""
    if step == 0.0:
        return 0.0
    theta, u, scale = model.theta, model.u, model.clock[SCALE]
    before = u[r, j] * theta[r, j]
    theta[r, j] += step
    if not abs(step) <= 2.0 * scale:  # the power might overflow in this unit
        return math.inf
    new = power_of(theta[r, j] / scale, model.clock[Q] - 1.0)
    if model.lag.shape[0]:
        model.lag[r, j] += model.clock[HELD] * (new - u[r, j])
    u[r, j] = new
    return (new * theta[r, j] - before) / scale


@inline
def shift_column(model: Mirror, j: int, x: float, correction: np.ndarray) -> float:
    """The same for a column of θ, which moves by x · correction."""
    if x == 0.0:
        return 0.0
    theta, u, scale = model.theta, model.u, model.clock[SCALE]
    before, longest = 0.0, 0.0
    for r in range(correction.shape[0]):
        before += u[r, j] * theta[r, j]
        step = correction[r] * x
        theta[r, j] += step
        longest = max(longest, abs(step))
    if not longest <= 2.0 * scale:
        return math.inf
    factor, after = group_factor(theta, j, scale, model.clock[Q]), 0.0
    for r in range(correction.shape[0]):
        new = theta[r, j] / scale * factor
        if model.lag.shape[0]:
            model.lag[r, j] += model.clock[HELD] * (new - u[r, j])
        u[r, j] = new
        after += new * theta[r, j]
    return (after - before) / scale


@inline
def power_of(v: float, exponent: float) -> float:
    """sign(v)|v|^exponent"""
    # One power at a time, by the C library, also where numpy could take many: both then round alike.
    return math.copysign(math.pow(abs(v), exponent), v)


@inline
def group_factor(theta: np.ndarray, j: int, scale: float, q: int) -> float:
    """‖θ_j / scale‖^(q-2)"""
    squares = 0.0
    for r in range(theta.shape[0]):
        squares += theta[r, j] / scale * (theta[r, j] / scale)
    return math.pow(math.sqrt(squares), q - 2.0)


@inline
def update_factor(model: Mirror, gain: float) -> None:
    """Update c after a change of S, or compute everything again if S has changed a lot."""
    clock = model.clock
    clock[SUM] += gain
    far = math.pow(2.0, 0.5 * clock[Q])
    if clock[BASE] <= far * clock[SUM] and clock[SUM] <= far * clock[BASE]:
        set_factor(clock)
    else:
        link(model.theta, model.u, model.lag, clock, model.is_group)


@inline
def set_factor(clock: np.ndarray) -> None:
    """Compute c from S."""
    q = clock[Q]
    clock[FACTOR] = clock[SCALE] * math.pow(clock[SUM], -(q - 2.0) / q) if clock[SUM] != 0.0 else 0.0


@inline
def link(theta: np.ndarray, u: np.ndarray, lag: np.ndarray, clock: np.ndarray, is_group: bool) -> None:
    """Compute u, S and c from θ in its own unit; the former u enters the lag by ``held``."""
    for r in range(lag.shape[0]):
        for j in range(lag.shape[1]):
            lag[r, j] -= clock[HELD] * u[r, j]
    clock[HELD] = 0.0
    clock[SCALE] = scale = largest_entry(theta)
    clock[SUM] = 0.0
    for j in range(theta.shape[1]):
        factor = group_factor(theta, j, scale, clock[Q]) if is_group and scale != 0.0 else 1.0
        for r in range(theta.shape[0]):
            u[r, j] = 0.0
            if theta[r, j] != 0.0:
                v = theta[r, j] / scale
                u[r, j] = v * factor if is_group else power_of(v, clock[Q] - 1.0)
                clock[SUM] += u[r, j] * v
    clock[BASE] = clock[SUM]
    set_factor(clock)


@inline
def largest_entry(theta: np.ndarray) -> float:
    """The largest absolute value, or NaN if one is there."""
    top = 0.0
    for r in range(theta.shape[0]):
        for j in range(theta.shape[1]):
            size = abs(theta[r, j])
            if size > top or size != size:
                top = size
    return top


@Loop
def link_anew(theta: np.ndarray, u: np.ndarray, lag: np.ndarray, clock: np.ndarray, is_group: bool) -> None:
    """``link`` by itself."""
    link(theta, u, lag, clock, is_group)
