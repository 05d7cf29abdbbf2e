"""Scaling within lists: every feature is scaled among the documents of its list, and may be followed by its rank among them.

A document is then compared with the others of its list, so lists of any scale look alike. The bodies here are the definition
and run where nothing is compiled; their compiled twins, the same arithmetic as loops, are in ``native.list_scaling``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..compile.generic import compiled_as, generic
from ..compile.policy import Loop
from .lists import Lists
from .rows import CSR, AnyRows, Rows

METHODS = ("minmax", "standard")

# A feature whose largest number is beyond these is first multiplied by a power of two: its squares might overflow or vanish.
LARGE, SMALL = 1e100, 1e-100

SMALLER, LARGER = 2.0**-600, 2.0**600

# The numbers that are scaled at a time, unless a list has more: they are still in the cache when they are learned from.
ENOUGH = 1 << 18

# Up to this number of documents, counting pair by pair is faster in numpy than sorting.
PAIRS = 64


class How(NamedTuple):
    """Whether to scale to mean 0 and deviation 1 or from 0 to 1, and whether the rank follows each feature in its own column.

    Sparse rows may be ``anchored``: the scaled value of 0 is subtracted, so that a document without the feature stores nothing.
    """

    standard: bool
    ranked: bool
    anchored: bool


class ListBuffers(NamedTuple):
    """Buffers for one list: a row per document and a column per feature."""

    numbers: np.ndarray
    scaled: np.ndarray
    ranks: np.ndarray
    found: np.ndarray  # which features the list has
    column: np.ndarray  # of each feature, -1 where there is none
    lines: np.ndarray  # five numbers per feature
    sorting: np.ndarray  # the numbers of a feature twice, for sorting by merging
    order: np.ndarray  # the documents that they belong to


class Block(NamedTuple):
    """Some lists, scaled: row i of ``rows`` is row ``origin[i]`` of the table, which is at ``places[i]`` in the order of lists.

    ``part`` holds the numbers of the lists; ``bad`` is a row of the table with a number that is not finite, or -1.
    """

    part: np.ndarray
    rows: Rows
    origin: np.ndarray
    places: np.ndarray
    bad: int


@generic
def load_list(X: Rows, lists: Lists, start: int, size: int, buffers: ListBuffers) -> int:
    """Write the features of a list, one per column; returns their number."""
    raise NotImplementedError


@generic
def write_list(out: Rows, row: int, count: int, size: int, how: How, buffers: ListBuffers) -> None:
    """Write the documents of a list into rows from ``row`` on."""
    raise NotImplementedError


@Loop
def scale_lists(
    X: AnyRows, lists: Lists, part: np.ndarray, out: np.ndarray, how: How, buffers: ListBuffers, start: int, stop: int
) -> int:
    """Write the rows of the lists ``part[start:stop]``, scaled, behind those of ``part[:start]``.

    Returns the first list that is not finite, or -1.
    """
    row = 0
    for t in range(stop):
        first, size = lists.bounds[part[t]], lists.bounds[part[t] + 1] - lists.bounds[part[t]]
        if t >= start:
            count = load_list(X, lists, first, size, buffers)
            if not scale_and_rank(buffers.numbers, count, size, how, buffers):
                return part[t]
            write_list(out, row, count, size, how, buffers)
        row += size
    return -1


# The definitions, which run where nothing is compiled


def _rows_of(lists: Lists, start: int, size: int) -> np.ndarray:
    return lists.rows[start : start + size] if len(lists.rows) else np.arange(start, start + size)


@load_list.on(np.ndarray, compiled="ranktron.core.native.list_scaling:dense_load_list")
def load_list_dense(X: np.ndarray, lists: Lists, start: int, size: int, buffers: ListBuffers) -> int:
    buffers.numbers[:size, : X.shape[1]] = X[_rows_of(lists, start, size)] + 0.0  # -0 becomes 0
    return X.shape[1]


@load_list.on(CSR, compiled="ranktron.core.native.list_scaling:sparse_load_list")
def load_list_csr(X: CSR, lists: Lists, start: int, size: int, buffers: ListBuffers) -> int:
    parts = [slice(X.indptr[row], X.indptr[row + 1]) for row in _rows_of(lists, start, size)]
    indices = np.concatenate([X.indices[part] for part in parts])
    documents = np.repeat(np.arange(size), [part.stop - part.start for part in parts])
    features, first, column = np.unique(indices, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in the order of first appearance
    buffers.found[: len(order)] = features[order]
    buffers.numbers[:size, : len(order)] = 0.0
    values = np.concatenate([X.values[part] for part in parts]).astype(np.float64)
    np.add.at(buffers.numbers, (documents, np.argsort(order)[column]), values)
    return len(order)


@compiled_as("ranktron.core.native.list_scaling:scale_and_rank")
def scale_and_rank(numbers: np.ndarray, count: int, size: int, how: How, buffers: ListBuffers) -> bool:
    """Scale each column and rank its documents; returns whether all numbers are finite."""
    x = numbers[:size, :count]
    if not np.isfinite(x).all():
        return False
    low, high = x.min(axis=0), x.max(axis=0)
    top = np.maximum(np.abs(low), np.abs(high))
    unit = np.where(top > LARGE, SMALLER, np.where(top < SMALL, LARGER, 1.0))
    scaled = _standard(x * unit) if how.standard else (x * unit - low * unit) / (high * unit - low * unit)
    buffers.scaled[:size, :count] = np.where(low == high, 0.0, scaled)
    if how.ranked:
        buffers.ranks[:size, :count] = np.where(low == high, 0.0, _ranked(x, how))
    return True


def _standard(x: np.ndarray) -> np.ndarray:
    away = x - np.cumsum(x, axis=0)[-1] / len(x)  # one after the other, as the compiled loop adds
    return away / np.sqrt(np.cumsum(away * away, axis=0)[-1] / len(x))


def _ranked(x: np.ndarray, how: How) -> np.ndarray:
    ahead = _ahead(x)
    if how.standard:
        return ahead / np.sqrt(np.cumsum(ahead * ahead, axis=0)[-1] / len(x))
    last, first = ahead.min(axis=0), ahead.max(axis=0)
    return (ahead - last) / (first - last)


def _ahead(x: np.ndarray) -> np.ndarray:
    """For each document, how many others it is above minus how many it is below."""
    if len(x) <= PAIRS:
        is_above = x[:, None] > x[None]
        return (is_above.sum(axis=1) - is_above.sum(axis=0)).astype(np.float64)
    ahead = np.empty(x.shape)
    for c, ordered in enumerate(np.sort(x, axis=0).T):
        ahead[:, c] = np.searchsorted(ordered, x[:, c], "left") + np.searchsorted(ordered, x[:, c], "right") - len(x)
    return ahead


@write_list.on(np.ndarray, compiled="ranktron.core.native.list_scaling:dense_write_list")
def write_list_dense(out: np.ndarray, row: int, count: int, size: int, how: How, buffers: ListBuffers) -> None:
    step = 1 + how.ranked
    out[row : row + size, ::step] = buffers.scaled[:size, :count]
    if how.ranked:
        out[row : row + size, 1::step] = buffers.ranks[:size, :count]


@write_list.on(CSR, compiled="ranktron.core.native.list_scaling:sparse_write_list")
def write_list_csr(out: CSR, row: int, count: int, size: int, how: How, buffers: ListBuffers) -> None:
    views = [view[:size, :count] for view in (buffers.scaled, buffers.ranks)[: 1 + how.ranked]]
    if how.anchored:
        views = [_anchored(view, buffers.numbers[:size, :count]) for view in views]
    numbers = np.stack(views, axis=2).reshape(size, -1)
    features = (len(views) * buffers.found[:count, None] + np.arange(len(views))).ravel()
    for i, line in enumerate(numbers):
        start, kept = out.indptr[row + i], np.flatnonzero(line)
        stop = out.indptr[row + i + 1] = start + len(kept)
        out.indices[start:stop], out.values[start:stop] = features[kept], line[kept]


def _anchored(view: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Subtract from each column its scaled value of 0, which stands at the first 0 of the column."""
    is_zero = numbers == 0.0
    first = view[is_zero.argmax(axis=0), np.arange(view.shape[1])]
    return view - np.where(is_zero.any(axis=0), first, 0.0)


# Blocks


def scaled_blocks(rows: Rows, n_features: int, lists: Lists, part: np.ndarray, how: How) -> Iterator[Block]:
    """Scale the lists in ``part``, some at a time."""
    order, sizes, views = lists.order, np.diff(lists.bounds), 1 + how.ranked
    features = np.minimum(_stored(rows, lists), n_features) if isinstance(rows, CSR) else np.full(len(sizes), n_features)
    buffers = _new_buffers(0, 0, n_features if isinstance(rows, CSR) else 0)
    for some in _groups(part, views * features * sizes):
        places = _places(lists.bounds[some], sizes[some])
        buffers = _large_enough(buffers, int(features[some].max()), int(sizes[some].max()))
        out = _empty_rows(rows, len(places), views * n_features, int((views * features * sizes)[some].sum()))
        refused = scale_lists(rows, lists, some, out, how, buffers, 0, len(some))
        bad = -1 if refused < 0 else _bad_row(rows, order[lists.bounds[refused] : lists.bounds[refused + 1]])
        yield Block(some, out, order[places], places, bad)


def _places(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """For each start, the numbers from it on, as many as its size."""
    return np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())


def _stored(rows: CSR, lists: Lists) -> np.ndarray:
    """How many numbers each list stores."""
    stored = np.diff(rows.indptr)[lists.order]
    return np.add.reduceat(stored, lists.bounds[:-1])


def _groups(part: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Split lists into groups of about ``ENOUGH`` numbers, or one list."""
    steps = np.cumsum(sizes[part]) // ENOUGH
    yield from np.split(part, np.flatnonzero(np.diff(steps)) + 1)


def _new_buffers(features: int, documents: int, n_features: int) -> ListBuffers:
    numbers, scaled, ranks = (np.empty((documents, features)) for _ in range(3))
    found, column = np.zeros(features, np.int64), np.full(n_features, -1)
    sorting, order = np.empty((2, documents)), np.empty((2, documents), np.int64)
    return ListBuffers(numbers, scaled, ranks, found, column, np.empty((5, features)), sorting, order)


def _large_enough(buffers: ListBuffers, features: int, documents: int) -> ListBuffers:
    """The buffers, or larger ones."""
    has_documents, has_features = buffers.numbers.shape
    if features <= has_features and documents <= has_documents:
        return buffers
    return _new_buffers(max(features, has_features), max(documents, has_documents), len(buffers.column))


def _empty_rows(rows: Rows, n_rows: int, n_columns: int, capacity: int) -> Rows:
    if not isinstance(rows, CSR):
        return np.empty((n_rows, n_columns))
    return CSR(np.zeros(n_rows + 1, np.int64), np.empty(capacity, np.int64), np.empty(capacity))


def _bad_row(rows: Rows, some: np.ndarray) -> int:
    """The first of some rows that holds a number which is not finite."""
    for row in some.tolist():
        values = rows.values[rows.indptr[row] : rows.indptr[row + 1]] if isinstance(rows, CSR) else rows[row]
        if not np.isfinite(values).all():
            return row
    return int(some[0])
