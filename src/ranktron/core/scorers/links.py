"""The arithmetic of links: what a step of θ changes in its image, and the image computed anew.

A ``model`` has θ, the image u, the lag of u and a clock, as ``linked`` says; powers are taken one by one, by the same function of
the C library in compiled and in interpreted code.
"""

from __future__ import annotations

import math

import numpy as np

from ...compile.generic import generic, inline
from ...compile.policy import Loop
from ..rows import CSR, add, add_both

# Places in a clock: the dual power, the unit of θ, S now and when that unit was taken, c, and the sum of c as often as held.
Q, SCALE, SUM, BASE, FACTOR, HELD = range(6)


def dual_power(size: int) -> float:
    """q = max(2, log size), for which the r-norm is as good as the 1-norm.

    >>> dual_power(7), round(dual_power(1000), 3)
    (2.0, 6.908)
    """
    return max(2.0, math.log(max(size, 1)))


@inline
def move_theta_and_image(X, i, r, push, theta, W, lag, held):
    """Move row ``r`` of θ and of W, which are the same here."""
    if push != 0.0:
        add(X, i, push, theta[r])
        if lag.shape[0]:
            add_both(X, i, push, W[r], held * push, lag[r])
        else:
            add(X, i, push, W[r])


@generic
def shift_row(X, i, model, correction):
    """Move θ along row ``i``; returns what S gains, or infinity where all has to be computed anew."""
    raise NotImplementedError


@shift_row.on(np.ndarray)
def shift_row_dense(X, i, model, correction):
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
def shift_row_csr(X, i, model, correction):
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
def shift_gradient(X, rows, model):
    """Move θ along the gradient of a list, which is then empty again; returns as ``shift_row`` does."""
    raise NotImplementedError


@shift_gradient.on(np.ndarray)
def shift_gradient_dense(X, rows, model):
    gain = 0.0
    for j in range(X.shape[1]):
        gain += shift_entry(model, 0, j, model.gradient[j])
        model.gradient[j] = 0.0
    return gain


@shift_gradient.on(CSR)
def shift_gradient_csr(X, rows, model):
    gain = 0.0
    for t in range(rows.shape[0]):
        for p in range(X.indptr[rows[t]], X.indptr[rows[t] + 1]):
            gain += shift_entry(model, 0, X.indices[p], model.gradient[X.indices[p]])
            model.gradient[X.indices[p]] = 0.0
    return gain


@inline
def shift_entry(model, r, j, step):
    """Move one entry of θ, and u and its lag with it; after a long step u is left behind. Returns what S gains."""
    if step == 0.0:
        return 0.0
    theta, u, scale = model.theta, model.u, model.clock[SCALE]
    before = u[r, j] * theta[r, j]
    theta[r, j] += step
    if not abs(step) <= 2.0 * scale:
        return math.inf
    new = power_of(theta[r, j] / scale, model.clock[Q] - 1.0)
    if model.lag.shape[0]:
        model.lag[r, j] += model.clock[HELD] * (new - u[r, j])
    u[r, j] = new
    return (new * theta[r, j] - before) / scale


@inline
def shift_column(model, j, x, correction):
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
def power_of(v, exponent):
    """sign(v)|v|^exponent"""
    return math.copysign(math.pow(abs(v), exponent), v)


@inline
def group_factor(theta, j, scale, q):
    """‖θ_j / scale‖^(q-2)"""
    squares = 0.0
    for r in range(theta.shape[0]):
        squares += theta[r, j] / scale * (theta[r, j] / scale)
    return math.pow(math.sqrt(squares), q - 2.0)


@inline
def update_factor(model, gain):
    """Take note of what S gained: c follows, or everything if S has come far from where it was."""
    clock = model.clock
    clock[SUM] += gain
    far = math.pow(2.0, 0.5 * clock[Q])
    if clock[BASE] <= far * clock[SUM] and clock[SUM] <= far * clock[BASE]:
        set_factor(clock)
    else:
        link(model.theta, model.u, model.lag, clock, model.is_group)


@inline
def set_factor(clock):
    """c from S."""
    q = clock[Q]
    clock[FACTOR] = clock[SCALE] * math.pow(clock[SUM], -(q - 2.0) / q) if clock[SUM] != 0.0 else 0.0


@inline
def link(theta, u, lag, clock, is_group):
    """Compute u, S and c from θ in its own unit; what u was before goes into the lag as often as it was held."""
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
def largest_entry(theta):
    """The largest absolute value, or NaN if one is there."""
    top = 0.0
    for r in range(theta.shape[0]):
        for j in range(theta.shape[1]):
            size = abs(theta[r, j])
            if size > top or size != size:
                top = size
    return top


@Loop
def link_anew(theta, u, lag, clock, is_group):
    """``link`` by itself."""
    link(theta, u, lag, clock, is_group)
