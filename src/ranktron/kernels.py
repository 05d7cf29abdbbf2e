"""Kernels: inner products in a space of features that is not computed.

>>> from ranktron import PRank
>>> from ranktron.kernels import Gaussian
>>> model = PRank(kernel=Gaussian(gamma=2.0), budget=100)  # never more than 100 rows are kept

Any function of two matrices that gives the matrix of kernel values will do as well, such as those of
``sklearn.metrics.pairwise``; it is called once per row, which is slow, and a model that has one cannot be saved.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .compile.generic import generic, inline
from .core.exponential import exponentials
from .core.rows import AnyRows, Rows, distances, products, squared_norm

__all__ = ["Gaussian", "Linear", "Polynomial"]


@dataclass(frozen=True)
class Linear:
    """x·z: the same model as without a kernel, stored as its support."""


@dataclass(frozen=True)
class Polynomial:
    """(x·z + coef0)^degree: all products of up to ``degree`` features; ``degree`` is at most 1,000."""

    degree: int
    coef0: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.degree, numbers.Integral) or isinstance(self.degree, bool) or not 1 <= self.degree <= 1000:
            raise ValueError(f"Polynomial: degree={self.degree!r} should be a whole number from 1 to 1,000")
        _check("Polynomial", "coef0", self.coef0, self.coef0 == 0)


@dataclass(frozen=True)
class Gaussian:
    """exp(-gamma ‖x - z‖²): 1 for equal rows, and about 0 for distant ones."""

    gamma: float

    def __post_init__(self) -> None:
        _check("Gaussian", "gamma", self.gamma)


KINDS = (Linear, Polynomial, Gaussian)


def _check(kernel: str, name: str, value: Any, allowed: bool = False) -> None:
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_number or not (allowed or 0 < float(value) < math.inf):
        raise ValueError(f"{kernel}: {name}={value!r} should be a positive number" + (" or 0" if name == "coef0" else ""))


class Power(NamedTuple):
    """(x·z + shift)^degree as loops see it."""

    degree: int
    shift: float


class Bell(NamedTuple):
    """exp(-gamma ‖x - z‖²) as loops see it."""

    gamma: float


class Given(NamedTuple):
    """A user's function, which is never compiled; it is called for the places of the support where ``born`` is not -1."""

    function: Callable[[np.ndarray, np.ndarray], Any]
    born: np.ndarray = np.empty(0, np.int64)


def core(kernel: Any) -> Power | Bell | Given:
    """The kernel as loops see it."""
    if isinstance(kernel, Linear):
        return Power(1, 0.0)
    if isinstance(kernel, Polynomial):
        return Power(int(kernel.degree), float(kernel.coef0))
    return Bell(float(kernel.gamma)) if isinstance(kernel, Gaussian) else Given(kernel)


@generic
def values_with(kernel: Any, X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray) -> None:
    """Write the values of row ``i`` with the first ``count`` columns of ``points``, whose squared norms are ``squares``."""
    raise NotImplementedError


@generic
def own_value(kernel: Any, X: AnyRows, i: int) -> float:
    """The kernel's value of row ``i`` with itself."""
    raise NotImplementedError


@inline
def integer_power(number: float, degree: int) -> float:
    """number^degree by multiplication, which is exact for small whole numbers."""
    power = number
    for _ in range(degree - 1):
        power *= number
    return power


@values_with.on(Power)
def values_with_power(
    kernel: Power, X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray
) -> None:
    products(X, i, points, count, values)
    for s in range(count):
        values[s] = integer_power(values[s] + kernel.shift, kernel.degree)


@own_value.on(Power)
def own_value_power(kernel: Power, X: AnyRows, i: int) -> float:
    return integer_power(squared_norm(X, i) + kernel.shift, kernel.degree)


@values_with.on(Bell)
def values_with_bell(
    kernel: Bell, X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray
) -> None:
    distances(X, i, points, squares, count, values)
    exponentials(values, count, -kernel.gamma)


@own_value.on(Bell)
def own_value_bell(kernel: Bell, X: AnyRows, i: int) -> float:
    return 1.0 + 0.0 * squared_norm(X, i)  # NaN for a row that is not finite


@values_with.on(Given)
def values_with_given(
    kernel: Given, X: AnyRows, i: int, points: np.ndarray, squares: np.ndarray, count: int, values: np.ndarray
) -> None:
    values[:count], taken = 0.0, np.flatnonzero(kernel.born[:count] >= 0)
    if len(taken):
        values[taken] = _given_values(kernel, dense_row(X, i, len(points)), np.ascontiguousarray(points[:, taken].T))


@own_value.on(Given)
def own_value_given(kernel: Given, X: AnyRows, i: int) -> float:
    row = dense_row(X, i, X.shape[1] if isinstance(X, np.ndarray) else int(X.indices.max(initial=0)) + 1)
    return float(_given_values(kernel, row, row)[0])


def _given_values(kernel: Given, row: np.ndarray, others: np.ndarray) -> np.ndarray:
    with np.errstate(all="warn"):
        given = np.asarray(kernel.function(row, others))
    if given.shape != (1, len(others)) or given.dtype.kind not in "fiub":
        raise ValueError(
            f"the kernel function should return numbers of shape (1, {len(others)}) for a matrix of one row and one of "
            f"{len(others)}, not {given.dtype} of shape {given.shape}"
        )
    return given[0]


def dense_row(X: Rows, i: int, n_features: int) -> np.ndarray:
    """Row ``i`` as a matrix of one row."""
    row = np.zeros((1, n_features))
    if isinstance(X, np.ndarray):
        row[0, : X.shape[1]] = X[i]
    else:
        part = slice(X.indptr[i], X.indptr[i + 1])
        np.add.at(row[0], X.indices[part], X.values[part])
    return row
