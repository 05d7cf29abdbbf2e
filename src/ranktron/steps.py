"""Gradient steps that adapt to each feature."""

from __future__ import annotations

import dataclasses
import math
import numbers
from typing import Any

import numpy as np

from .compile.generic import generic
from .core.protocol import Scorer, store_in_support
from .core.rows import CSR, AnyRows, add, add_both


@dataclasses.dataclass(frozen=True)
class AdaGrad:
    """Each weight moves by rate · g / √Σg², over all its gradients g so far (Duchi, Hazan & Singer 2011).

    So the weight of a rare feature moves as far as that of a frequent one, and the length of a gradient does not matter. The
    scale of a feature does: its weight moves by the same amount, whatever unit the feature is measured in.

    >>> AdaGrad(0.1)
    AdaGrad(rate=0.1)
    """

    rate: float = 0.1

    def __post_init__(self) -> None:
        rate = self.rate
        if isinstance(rate, bool) or not isinstance(rate, numbers.Real) or not 0 < float(rate) < math.inf:
            raise ValueError(f"AdaGrad: rate={rate!r} should be a positive number")


@generic
def add_rows(X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    """w += Σ push · row and lag += Σ age · push · row, one row after the other."""
    for t in range(rows.shape[0]):
        if line.lag.shape[0]:
            add_both(X, rows[t], pushes[t], line.w, age * pushes[t], line.lag)
        else:
            add(X, rows[t], pushes[t], line.w)
        store_in_support(X, rows[t], line, age)


@add_rows.on(np.ndarray, compiled="ranktron.core.native.steps:dense_add_rows")
def add_rows_dense(X: np.ndarray, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    for row, push in zip(rows.tolist(), pushes.tolist()):
        add(X, row, push, line.w)
        if len(line.lag):
            add(X, row, age * push, line.lag)


@generic
def descend(X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    """Move w by the gradient Σ push · row, each weight by the step that its gradients so far allow."""
    raise NotImplementedError


@descend.on(np.ndarray, compiled="ranktron.core.native.steps:dense_descend")
def descend_dense(X: np.ndarray, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    for row, push in zip(rows.tolist(), pushes.tolist()):
        add(X, row, push, line.gradient)
    _step(slice(X.shape[1]), line, age)


@descend.on(CSR, compiled="ranktron.core.native.steps:sparse_descend")
def descend_csr(X: CSR, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    for row, push in zip(rows.tolist(), pushes.tolist()):
        add(X, row, push, line.gradient)
    touched = [X.indices[X.indptr[row] : X.indptr[row + 1]] for row in rows.tolist()]
    _step(np.unique(np.concatenate([np.empty(0, np.int64), *touched]).astype(np.int64)), line, age)


def _step(columns: Any, line: Scorer, age: float) -> None:
    g = line.gradient[columns]
    line.squares[columns] += g * g
    seen = line.squares[columns]
    move = np.divide(line.rate * g, np.sqrt(seen), out=np.zeros_like(g), where=seen > 0.0)
    line.w[columns] += move
    if len(line.lag):
        line.lag[columns] += age * move
    line.gradient[columns] = 0.0
