"""The vector arithmetic of beliefs: the same for every element, in the same order, compiled or not."""

from __future__ import annotations

import math

import numpy as np

from ...compile.generic import verb
from ..rows import CSR


@verb
def lead(X, i, lines, out):
    """Σ x_j · line j over the columns j of row ``i``, one after another."""


@verb
def between(a, b, out):
    """out = a - b"""


@verb
def take_off(a, factor, b):
    """a -= factor * b"""


@verb
def multiply(a, factor):
    """a *= factor"""


@verb
def shift(out, steps, paces):
    """out = Σ pace · step"""


@verb
def follow(w, lag, move, age):
    """w += move and lag += age * move"""


@verb
def narrow(covariance, steps):
    """covariance -= Σ step · stepᵀ, exactly symmetric."""


@verb
def widen(covariance, factors, prior, keep):
    """Divide the covariance by ``keep``, but no variance beyond ``prior``: what is never asked fades to the prior belief."""


@lead.on(np.ndarray, compiled="ranktron.core.native.gaussian:dense_lead")
def _(X, i, lines, out):
    out[:] = 0.0
    for x, line in zip(X[i].astype(np.float64), lines):
        out += x * line


@lead.on(CSR, compiled="ranktron.core.native.gaussian:sparse_lead")
def _(X, i, lines, out):
    out[:] = 0.0
    stored = slice(X.indptr[i], X.indptr[i + 1])
    for x, column in zip(X.values[stored].astype(np.float64), X.indices[stored]):
        out += x * lines[column]


@between.on(np.ndarray, compiled="ranktron.core.native.gaussian:between")
def _(a, b, out):
    np.subtract(a, b, out=out)


@take_off.on(np.ndarray, compiled="ranktron.core.native.gaussian:take_off")
def _(a, factor, b):
    a -= factor * b


@multiply.on(np.ndarray, compiled="ranktron.core.native.gaussian:multiply")
def _(a, factor):
    a *= factor


@shift.on(np.ndarray, compiled="ranktron.core.native.gaussian:shift")
def _(out, steps, paces):
    out[:] = 0.0
    for pace, step in zip(paces, steps):
        out += pace * step


@follow.on(np.ndarray, compiled="ranktron.core.native.gaussian:follow")
def _(w, lag, move, age):
    w += move[: len(w)]
    if len(lag):
        lag += age * move[: len(w)]


@narrow.on(np.ndarray, compiled="ranktron.core.native.gaussian:narrow")
def _(covariance, steps):
    for step in steps:
        covariance -= step[:, None] * step


@widen.on(np.ndarray, compiled="ranktron.core.native.gaussian:widen")
def _(covariance, factors, prior, keep):
    most = math.sqrt(1.0 / keep)
    variances = covariance.diagonal()
    np.sqrt(prior / np.maximum(variances, prior * keep), out=factors)
    np.clip(factors, 1.0, most, out=factors)
    covariance *= factors[:, None] * factors
