"""Steps down a gradient that adapt to each feature."""

from __future__ import annotations

import dataclasses
import math
import numbers

import numpy as np

from ._verbs import verb
from .rows import CSR


@dataclasses.dataclass(frozen=True)
class AdaGrad:
    """Each weight moves by rate · g / √Σg², over all its gradients g so far (Duchi, Hazan & Singer 2011).

    So a rare feature moves as far as a frequent one, and the length of a gradient does not matter. The scale of a feature does:
    its weight moves by the same amount in whatever unit it is measured.

    >>> AdaGrad(0.1)
    AdaGrad(rate=0.1)
    """

    rate: float = 0.1

    def __post_init__(self) -> None:
        rate = self.rate
        if isinstance(rate, bool) or not isinstance(rate, numbers.Real) or not 0 < float(rate) < math.inf:
            raise ValueError(f"AdaGrad: rate={rate!r} should be a positive number")


@verb
def descend(X, rows, start, stop, correction, gradient, squares, w, lag, rate, age):
    """Move w by the ``gradient``, against all that came before, and clear it; ``correction`` says which rows are in it."""


@descend.on(np.ndarray, compiled="ranktron._compiled_steps:dense_descend")
def _(X, rows, start, stop, correction, gradient, squares, w, lag, rate, age):
    _move(slice(X.shape[1]), gradient, squares, w, lag, rate, age)


@descend.on(CSR, compiled="ranktron._compiled_steps:sparse_descend")
def _(X, rows, start, stop, correction, gradient, squares, w, lag, rate, age):
    moved = (np.flatnonzero(correction[: stop - start]) + start).tolist()
    lines = [int(rows[p]) if len(rows) else p for p in moved]
    touched = [X.indices[X.indptr[i] : X.indptr[i + 1]] for i in lines]
    if touched:
        _move(np.unique(np.concatenate(touched)), gradient, squares, w, lag, rate, age)


def _move(columns, gradient, squares, w, lag, rate, age):
    g = gradient[columns]
    squares[columns] += g * g
    seen = squares[columns]
    move = np.divide(rate * g, np.sqrt(seen), out=np.zeros_like(g), where=seen > 0.0)
    w[columns] += move
    if len(lag):
        lag[columns] += age * move
    gradient[columns] = 0.0
