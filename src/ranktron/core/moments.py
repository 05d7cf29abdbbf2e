"""What is known of every column of a stream, and a row that is scaled by it.

A column is known by its mean and the sum of squares around it, kept by Welford's rule, so that a billion rows, or numbers around
1e9 that hardly differ, lose nothing. Where the first rows are dense, columns are centred. Where they are sparse they are not, for
then zeros would not stay zeros: there the mean and the squares are those of the stored values, and the zeros are counted.
Buffers for rows are dense in the one case and sparse in the other, whatever the rows are.

With forgetting a row weighs ``growth`` times as much as the row before it, which equals a past that fades.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic, inline
from .checks import LARGEST_DOUBLE, check_between, check_numbers, require
from .rows import CSR, AnyRows

# Weights beyond this are all divided by it: a power of two, so nothing is rounded.
HEAVY = 2.0**300

# A variance below this multiple of the squared mean comes from rounding: the column is constant.
NOISE = 2.0**-102

# Places in ``Moments.tally``: what the rows weigh, what the next one will, and whether columns are centred (-1: not settled).
WEIGHT, NEXT, CENTRED = range(3)


class Moments(NamedTuple):
    """The scaling in use is x ↦ (x - centre) · inverse; a column is ``settled`` (1) where it does not follow the others.

    Of sparse rows only settled columns are scaled by it: the others change with every row, whether or not it stores them.
    """

    mean: np.ndarray
    squares: np.ndarray
    stored: np.ndarray  # what the rows weigh in which the column is stored: all of them so far, where columns are centred
    centre: np.ndarray
    inverse: np.ndarray
    settled: np.ndarray
    tally: np.ndarray
    growth: float


def moments(n_columns: int, forget: float | None = None) -> Moments:
    """The moments before any row."""
    mean, squares, stored, centre, inverse, settled = (np.zeros(n_columns) for _ in range(6))
    growth = 1.0 if forget is None else 1.0 / (1.0 - forget)
    return Moments(mean, squares, stored, centre, inverse, settled, np.array([0.0, 1.0, -1.0]), growth)


def check_moments(one: Moments) -> None:
    """Raise ValueError if no rows can have the moments of a model file."""
    for name in ("mean", "centre"):
        check_numbers(f"moments.{name}", getattr(one, name))
    for name in ("squares", "stored", "inverse"):
        check_between(f"moments.{name}", getattr(one, name), 0.0, LARGEST_DOUBLE)
    require(bool(np.isin(one.settled, (0.0, 1.0)).all()), "moments.settled should hold 0 and 1")
    check_between("moments.tally", one.tally[WEIGHT], 0.0, LARGEST_DOUBLE)
    check_between("moments.tally", one.tally[NEXT], 1.0 / HEAVY, HEAVY)
    kinds = (0.0, 1.0) if one.tally[WEIGHT] > 0.0 else (-1.0, 0.0, 1.0)
    require(one.tally[CENTRED] in kinds, f"moments.tally should end in one of {kinds}")


def widened(one: Moments, n_columns: int) -> Moments:
    """The moments with capacity for ``n_columns``; new columns were 0 so far."""
    known = len(one.mean)
    if n_columns <= known:
        return one
    more = np.zeros(max(n_columns, 2 * known) - known)
    return one._replace(**{name: np.concatenate([getattr(one, name), more]) for name in one._fields[:6]})  # type: ignore[arg-type]


def named_parts(one: Moments, n_columns: int) -> dict[str, np.ndarray]:
    """The moments of the columns by name, without spare capacity."""
    return {f"moments.{name}": part[:n_columns] for name, part in zip(one._fields[:6], one[:6])}


def scaling_now(one: Moments) -> tuple[np.ndarray, np.ndarray]:
    """The centre of every column, and one over its deviation, 0 where it is constant."""
    settled = one.settled == 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        live = inverse_spreads(one, slice(None))
    return np.where(settled, one.centre, one.mean * max(one.tally[CENTRED], 0.0)), np.where(settled, one.inverse, live)


def adopt_current_scaling(one: Moments) -> tuple[np.ndarray, np.ndarray]:
    """Fix the scaling at the present moments; returns the ratio and the shift of the columns whose scaling was fixed before.

    With z = (x - m) / s before and z' = (x - m') / s' now these are s' / s and (m' - m) / s, as in ``rescale_hypothesis``.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        live = inverse_spreads(one, slice(None))
    varies, before = live > 0.0, one.settled == 1.0
    centre = one.mean * max(one.tally[CENTRED], 0.0)
    moves = varies & before
    ratio = np.divide(one.inverse, live, out=np.ones_like(live), where=moves)
    shift = np.where(moves, (centre - one.centre) * one.inverse, 0.0)
    one.centre[varies], one.inverse[varies], one.settled[varies] = centre[varies], live[varies], 1.0
    return ratio, shift


def inverse_spreads(one: Moments, columns: slice) -> np.ndarray:
    """``inverse_spread`` of some columns, bit for bit."""
    weight, stored, mean, squares = one.tally[WEIGHT], one.stored[columns], one.mean[columns], one.squares[columns]
    squares = np.where(stored < weight, squares + mean * mean * (stored * (1.0 - stored / weight)), squares)
    variance = squares / weight if weight > 0.0 else np.zeros_like(mean)
    varies = variance > NOISE * (mean * mean)
    inverses: np.ndarray = np.divide(1.0, np.sqrt(variance), out=np.zeros_like(mean), where=varies)
    return inverses


@generic
def copy_row(source: AnyRows, i: int, raw: AnyRows, t: int) -> None:
    """Write row ``i`` of the source into place ``t`` of a buffer, which may be dense or sparse."""
    raise NotImplementedError


@generic
def copy_dense_row(raw: AnyRows, t: int, source: AnyRows, i: int) -> None:
    """The same for a dense source; a sparse buffer gets no zeros, so a row is stored alike whether it came dense or sparse."""
    raise NotImplementedError


@generic
def copy_sparse_row(raw: AnyRows, t: int, source: AnyRows, i: int) -> None:
    """The same for a sparse source."""
    raise NotImplementedError


@generic
def standardise(raw: AnyRows, t: int, moments: Moments, target: AnyRows) -> None:
    """Scale the row in place ``t`` into that place of the target."""
    raise NotImplementedError


@generic
def update_moments(raw: Any, t: int, moments: Moments, old: np.ndarray) -> None:
    """Count the row in place ``t``, and keep the former moments in ``old``."""
    raise NotImplementedError


@generic
def restore_moments(raw: Any, moments: Moments, old: np.ndarray) -> None:
    """Undo the last ``update_moments``, of the row in place 0."""
    raise NotImplementedError


@inline
def rescale_weights(moments: Moments) -> None:
    """Divide all weights by ``HEAVY`` if they exceed it: with forgetting they grow without limit."""
    if moments.tally[WEIGHT] > HEAVY:
        for j in range(moments.squares.shape[0]):
            moments.squares[j] /= HEAVY
            moments.stored[j] /= HEAVY
        moments.tally[WEIGHT] /= HEAVY
        moments.tally[NEXT] /= HEAVY


@inline
def count_row(moments: Moments, old: np.ndarray) -> None:
    """Count one row more, and keep the former counts in ``old``."""
    tally = moments.tally
    old[5, 0], old[5, 1] = tally[WEIGHT], tally[NEXT]
    tally[WEIGHT], tally[NEXT] = tally[WEIGHT] + tally[NEXT], tally[NEXT] * moments.growth


@inline
def inverse_spread(moments: Moments, j: int) -> float:
    """One over the deviation of a column, 0 if it is constant."""
    weight, stored, mean = moments.tally[WEIGHT], moments.stored[j], moments.mean[j]
    squares = moments.squares[j]
    if stored < weight:
        squares += mean * mean * (stored * (1.0 - stored / weight))
    variance = squares / weight if weight > 0.0 else 0.0
    return 1.0 / math.sqrt(variance) if variance > NOISE * (mean * mean) else 0.0


@copy_row.on(np.ndarray)
def copy_row_dense(source: np.ndarray, i: int, raw: AnyRows, t: int) -> None:
    copy_dense_row(raw, t, source, i)


@copy_row.on(CSR)
def copy_row_csr(source: CSR, i: int, raw: AnyRows, t: int) -> None:
    copy_sparse_row(raw, t, source, i)


@copy_dense_row.on(np.ndarray)
def copy_dense_row_dense(raw: np.ndarray, t: int, source: AnyRows, i: int) -> None:
    for j in range(source.shape[1]):
        raw[t, j] = source[i, j]


@copy_dense_row.on(CSR)
def copy_dense_row_csr(raw: CSR, t: int, source: AnyRows, i: int) -> None:
    end = raw.indptr[t]
    for j in range(source.shape[1]):
        if source[i, j] != 0.0:
            raw.indices[end], raw.values[end] = j, source[i, j]
            end += 1
    raw.indptr[t + 1] = end


@copy_sparse_row.on(np.ndarray)
def copy_sparse_row_dense(raw: np.ndarray, t: int, source: AnyRows, i: int) -> None:
    for j in range(raw.shape[1]):
        raw[t, j] = 0.0
    for p in range(source.indptr[i], source.indptr[i + 1]):
        raw[t, source.indices[p]] += source.values[p]


@copy_sparse_row.on(CSR)
def copy_sparse_row_csr(raw: CSR, t: int, source: AnyRows, i: int) -> None:
    end = raw.indptr[t]
    for p in range(source.indptr[i], source.indptr[i + 1]):
        if source.values[p] != 0.0:
            raw.indices[end], raw.values[end] = source.indices[p], source.values[p]
            end += 1
    raw.indptr[t + 1] = end


@standardise.on(np.ndarray, compiled="ranktron.core.native.row_scaling:dense_standardise")
def standardise_dense(raw: AnyRows, t: int, moments: Moments, target: AnyRows) -> None:
    columns = slice(raw.shape[1])
    target[t] = (raw[t] - moments.centre[columns]) * moments.inverse[columns]


@update_moments.on(np.ndarray, compiled="ranktron.core.native.row_scaling:dense_update_moments")
def update_moments_dense(raw: np.ndarray, t: int, moments: Moments, old: np.ndarray) -> None:
    rescale_weights(moments)
    columns, step, x = slice(raw.shape[1]), moments.tally[NEXT], raw[t]
    mean, squares, stored, centre, inverse, settled = (part[columns] for part in moments[:6])
    for place, part in enumerate((mean, squares, stored, centre, inverse)):
        old[place, columns] = part
    count_row(moments, old)
    stored[:] = moments.tally[WEIGHT]
    away = x - mean
    mean += away * (step / stored)
    squares += step * away * (x - mean)
    live = inverse_spreads(moments, columns)
    inverse[:] = np.where(settled == 1.0, inverse, live)
    centre[:] = np.where(settled == 1.0, centre, mean)


@restore_moments.on(np.ndarray)
def restore_moments_dense(raw: np.ndarray, moments: Moments, old: np.ndarray) -> None:
    for j in range(raw.shape[1]):
        moments.mean[j], moments.squares[j], moments.stored[j] = old[0, j], old[1, j], old[2, j]
        moments.centre[j], moments.inverse[j] = old[3, j], old[4, j]
    moments.tally[WEIGHT], moments.tally[NEXT] = old[5, 0], old[5, 1]


@standardise.on(CSR)
def standardise_csr(raw: AnyRows, t: int, moments: Moments, target: AnyRows) -> None:
    for p in range(raw.indptr[t], raw.indptr[t + 1]):
        j = raw.indices[p]
        inverse = moments.inverse[j] if moments.settled[j] == 1.0 else inverse_spread(moments, j)
        target.indices[p], target.values[p] = j, raw.values[p] * inverse
    target.indptr[t + 1] = raw.indptr[t + 1]


@update_moments.on(CSR)
def update_moments_csr(raw: CSR, t: int, moments: Moments, old: np.ndarray) -> None:
    rescale_weights(moments)
    step = moments.tally[NEXT]
    count_row(moments, old)
    for p in range(raw.indptr[t], raw.indptr[t + 1]):
        j, place = raw.indices[p], p - raw.indptr[t]
        old[0, place], old[1, place], old[2, place] = moments.mean[j], moments.squares[j], moments.stored[j]
        moments.stored[j] += step
        away = raw.values[p] - moments.mean[j]
        moments.mean[j] += away * (step / moments.stored[j])
        moments.squares[j] += step * away * (raw.values[p] - moments.mean[j])


@restore_moments.on(CSR)
def restore_moments_csr(raw: CSR, moments: Moments, old: np.ndarray) -> None:
    for p in range(raw.indptr[0], raw.indptr[1]):
        j, place = raw.indices[p], p - raw.indptr[0]
        moments.mean[j], moments.squares[j], moments.stored[j] = old[0, place], old[1, place], old[2, place]
    moments.tally[WEIGHT], moments.tally[NEXT] = old[5, 0], old[5, 1]
