"""Weights that are the image of a sum of gradients under a link: mirror descent for margins in other norms than the Euclidean.

θ moves along rows as the weights of ``Weights`` do, and W = (∇ψ)⁻¹(θ) with ψ = ½‖·‖_r² and 1/r + 1/q = 1. At q = 2 that is θ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..checks import LARGEST_DOUBLE, check_between
from ..protocol import accumulate_average, check_learned, move, score, score_mean, update
from ..rows import add, dot, dot_mean
from .fading import accumulate_weighted, scale_array, scale_averages
from .links import (
    BASE,
    FACTOR,
    HELD,
    SCALE,
    SUM,
    Q,
    dual_power,
    link_anew,
    move_theta_and_image,
    shift_gradient,
    shift_row,
    update_factor,
)
from .protocol import (
    Hypothesis,
    column_fields,
    hypothesis,
    insert_rank,
    local_fields,
    resize,
    resize_columns,
    work_per_row,
    zeros,
)
from .state import buffer_fields, clear_buffers

# How many times the unit an entry of θ may be: long before that all is computed anew.
FARTHEST = 100.0


class Mirror(NamedTuple):
    """W = c·u: the link of the entrywise r-norm, or of the r-norm of the columns' Euclidean norms where ``is_group``.

    u_ij = sign(v_ij)|v_ij|^(q-1), or v_j‖v_j‖^(q-2) for a column, where v = θ / scale and scale is about the largest entry of θ;
    S = Σ|v_ij|^q = ⟨u, v⟩, and c = scale · S^(-(q-2)/q) is all by which the entries of θ act on each other. The sum of the W held
    after each row is held · u - lag, where ``held`` adds up c, and a change of u is lagged by what ``held`` was before it.

    An update costs a power for each entry of θ that it moves, or for each column, and so is quick on sparse rows. When the norm
    of θ has changed by √2, or a step is twice as long as θ, all is computed anew in the unit of the new θ: a power for each entry
    that is not 0. Without that u would grow as θ^(q-1) while c falls as fast, and sums over time would lose all their digits.
    """

    theta: np.ndarray
    u: np.ndarray
    lag: np.ndarray
    clock: np.ndarray
    gradient: np.ndarray  # of a list, put together in room that is empty otherwise
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
def score_mirror(model, X, i, scores):
    finite = 0.0  # times a score is 0, or NaN if the score is not finite
    for r in range(model.u.shape[0]):
        scores[r] = model.clock[FACTOR] * dot(X, i, model.u[r])
        finite += 0.0 * scores[r]
    return finite


@score_mean.on(Mirror)
def score_mean_mirror(model, X, i, age, scores):
    if model.lag.shape[0] == 0:
        return score(model, X, i, scores)
    finite = 0.0
    for r in range(model.u.shape[0]):
        scores[r] = dot_mean(X, i, model.u[r], model.lag[r], model.clock[HELD])
        finite += 0.0 * scores[r]
    return finite


@accumulate_average.on(Mirror)
def accumulate_average_mirror(model):
    model.clock[HELD] += model.clock[FACTOR]


@accumulate_weighted.on(Mirror)
def accumulate_weighted_mirror(model, weight):
    model.clock[HELD] += weight * model.clock[FACTOR]


@scale_averages.on(Mirror)
def scale_averages_mirror(model, factor):
    for r in range(model.lag.shape[0]):
        scale_array(model.lag[r], factor)
    model.clock[HELD] *= factor


@update.on(Mirror)
def update_mirror(model, X, i, correction, age):
    if model.clock[Q] == 2.0:
        for r in range(correction.shape[0]):
            move_theta_and_image(X, i, r, correction[r], model.theta, model.u, model.lag, model.clock[HELD])
    else:
        update_factor(model, shift_row(X, i, model, correction))


@move.on(Mirror)
def move_mirror(model, X, rows, pushes, age):
    if model.clock[Q] == 2.0:
        for t in range(rows.shape[0]):
            move_theta_and_image(X, rows[t], 0, pushes[t], model.theta, model.u, model.lag, model.clock[HELD])
    else:
        for t in range(rows.shape[0]):
            add(X, rows[t], pushes[t], model.gradient)
        update_factor(model, shift_gradient(X, rows, model))


@check_learned.on(Mirror)
def check_mirror(model, prefix, n_features):
    check_between(f"{prefix}clock", model.clock[Q], 2.0, dual_power(model.theta.shape[1]))
    check_between(f"{prefix}clock", model.clock[[SCALE, SUM, BASE, FACTOR, HELD]], 0.0, LARGEST_DOUBLE)
    if model.clock[Q] > 2.0:
        check_between(f"{prefix}theta", np.abs(model.theta), 0.0, FARTHEST * model.clock[SCALE])  # powers do not overflow


@work_per_row.on(Mirror)
def work_per_row_mirror(model):
    return 1 + model.theta.size // 10  # a power for each entry, and no library to take them all at once


@column_fields.on(Mirror)
def column_fields_mirror(model):
    return ("theta", "u", "lag", "gradient")


@local_fields.on(Mirror)
def local_fields_mirror(model):
    return ("theta",)  # a new unit changes all of the others


@buffer_fields.on(Mirror)
def buffer_fields_mirror(model):
    return ("gradient",)


@clear_buffers.on(Mirror)
def clear_buffers_mirror(model):
    model.gradient[:] = 0.0


@hypothesis.on(Mirror)
def hypothesis_mirror(model, n_ranks, age):
    now = len(model.lag) == 0 or age == 0
    W = model.clock[FACTOR] * model.u if now else (model.clock[HELD] * model.u - model.lag) / age
    return Hypothesis(W[0] if model.is_line else W, 0.0, np.empty(0))


@insert_rank.on(Mirror)
def insert_rank_mirror(model, place, projection, projection_sum):
    parts = (np.insert(part, place, 0.0, axis=0) if len(part) else part for part in model[:3])
    return Mirror(*parts, model.clock.copy(), *model[4:])


@resize.on(Mirror)
def resize_mirror(model, n_features):
    """q follows the number of features, and W with it; the mean keeps what was held, where a new feature had no weight."""
    q = dual_power(n_features)
    if q == model.clock[Q]:
        return resize_columns(model, n_features)
    copies = (part.copy() if isinstance(part, np.ndarray) else part for part in model)
    wider = resize_columns(Mirror(*copies), n_features)
    wider.clock[Q] = q
    link_anew(wider.theta.size // 20, wider.theta, wider.u, wider.lag, wider.clock, wider.is_group)
    return wider
