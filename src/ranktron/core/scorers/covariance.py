"""The vector arithmetic of beliefs: the same for every element, in the same order, compiled or not."""

from __future__ import annotations

import math

import numpy as np

from ...compile.generic import compiled_as, generic
from ..rows import CSR


@generic
def weighted_sum_of_lines(X, i, lines, out):
    """Σ x_j · line j over the columns j of row ``i``, one after another."""
    raise NotImplementedError


@weighted_sum_of_lines.on(np.ndarray, compiled="ranktron.core.native.gaussian:dense_weighted_sum_of_lines")
def weighted_sum_of_lines_dense(X, i, lines, out):
    out[:] = 0.0
    for x, line in zip(X[i].astype(np.float64), lines):
        out += x * line


@weighted_sum_of_lines.on(CSR, compiled="ranktron.core.native.gaussian:sparse_weighted_sum_of_lines")
def weighted_sum_of_lines_csr(X, i, lines, out):
    out[:] = 0.0
    stored = slice(X.indptr[i], X.indptr[i + 1])
    for x, column in zip(X.values[stored].astype(np.float64), X.indices[stored]):
        out += x * lines[column]


@compiled_as("ranktron.core.native.gaussian:subtract_into")
def subtract_into(a, b, out):
    """out = a - b"""
    np.subtract(a, b, out=out)


@compiled_as("ranktron.core.native.gaussian:subtract_scaled")
def subtract_scaled(a, factor, b):
    """a -= factor * b"""
    a -= factor * b


@compiled_as("ranktron.core.native.gaussian:scale_vector")
def scale_vector(a, factor):
    """a *= factor"""
    a *= factor


@compiled_as("ranktron.core.native.gaussian:sum_of_steps")
def sum_of_steps(out, steps, paces):
    """out = Σ pace · step"""
    out[:] = 0.0
    for pace, step in zip(paces, steps):
        out += pace * step


@compiled_as("ranktron.core.native.gaussian:move_with_lag")
def move_with_lag(w, lag, move, age):
    """w += move and lag += age * move"""
    w += move[: len(w)]
    if len(lag):
        lag += age * move[: len(w)]


@compiled_as("ranktron.core.native.gaussian:subtract_outer_products")
def subtract_outer_products(covariance, steps):
    """covariance -= Σ step · stepᵀ, exactly symmetric."""
    for step in steps:
        covariance -= step[:, None] * step


@compiled_as("ranktron.core.native.gaussian:forget_toward_prior")
def forget_toward_prior(covariance, factors, prior, keep):
    """Divide the covariance by ``keep``, but no variance beyond ``prior``: what is never asked fades to the prior belief."""
    most = math.sqrt(1.0 / keep)
    variances = covariance.diagonal()
    np.sqrt(prior / np.maximum(variances, prior * keep), out=factors)
    np.clip(factors, 1.0, most, out=factors)
    covariance *= factors[:, None] * factors
