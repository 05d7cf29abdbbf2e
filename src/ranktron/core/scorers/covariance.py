"""The vector arithmetic of beliefs: the same for every element, in the same order, compiled or not."""

from __future__ import annotations

import math

import numpy as np

from ...compile.generic import generic
from ..rows import CSR


@generic
def weighted_sum_of_lines(X, i, lines, out):
    """Σ x_j · line j over the columns j of row ``i``, one after another."""


@generic
def subtract_into(a, b, out):
    """out = a - b"""


@generic
def subtract_scaled(a, factor, b):
    """a -= factor * b"""


@generic
def scale_vector(a, factor):
    """a *= factor"""


@generic
def sum_of_steps(out, steps, paces):
    """out = Σ pace · step"""


@generic
def move_with_lag(w, lag, move, age):
    """w += move and lag += age * move"""


@generic
def subtract_outer_products(covariance, steps):
    """covariance -= Σ step · stepᵀ, exactly symmetric."""


@generic
def forget_toward_prior(covariance, factors, prior, keep):
    """Divide the covariance by ``keep``, but no variance beyond ``prior``: what is never asked fades to the prior belief."""


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


@subtract_into.on(np.ndarray, compiled="ranktron.core.native.gaussian:subtract_into")
def subtract_into_dense(a, b, out):
    np.subtract(a, b, out=out)


@subtract_scaled.on(np.ndarray, compiled="ranktron.core.native.gaussian:subtract_scaled")
def subtract_scaled_dense(a, factor, b):
    a -= factor * b


@scale_vector.on(np.ndarray, compiled="ranktron.core.native.gaussian:scale_vector")
def scale_vector_dense(a, factor):
    a *= factor


@sum_of_steps.on(np.ndarray, compiled="ranktron.core.native.gaussian:sum_of_steps")
def sum_of_steps_dense(out, steps, paces):
    out[:] = 0.0
    for pace, step in zip(paces, steps):
        out += pace * step


@move_with_lag.on(np.ndarray, compiled="ranktron.core.native.gaussian:move_with_lag")
def move_with_lag_dense(w, lag, move, age):
    w += move[: len(w)]
    if len(lag):
        lag += age * move[: len(w)]


@subtract_outer_products.on(np.ndarray, compiled="ranktron.core.native.gaussian:subtract_outer_products")
def subtract_outer_products_dense(covariance, steps):
    for step in steps:
        covariance -= step[:, None] * step


@forget_toward_prior.on(np.ndarray, compiled="ranktron.core.native.gaussian:forget_toward_prior")
def forget_toward_prior_dense(covariance, factors, prior, keep):
    most = math.sqrt(1.0 / keep)
    variances = covariance.diagonal()
    np.sqrt(prior / np.maximum(variances, prior * keep), out=factors)
    np.clip(factors, 1.0, most, out=factors)
    covariance *= factors[:, None] * factors
