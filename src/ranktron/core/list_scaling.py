"""Where each row stands within its list: every feature scaled among the documents of the list, and its rank among them.

What a feature says of a document is how it compares with the others of its list, so lists of any scale look alike. The bodies
here are the definition and run where nothing is compiled; ``native.list_scaling`` holds the same arithmetic as loops.
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

# A feature whose largest number is beyond is multiplied by a power of two first, or squares might overflow or vanish.
LARGE, SMALL = 1e100, 1e-100

SMALLER, LARGER = 2.0**-600, 2.0**600

# Numbers that are scaled at a time, unless a list has more: they are still in the cache when they are learned from.
ENOUGH = 1 << 18

# Documents up to which ranks are counted pair by pair where nothing is compiled.
PAIRS = 64


class How(NamedTuple):
    """Mean 0 and deviation 1, or from 0 to 1; and whether the rank follows each feature, in a column of its own.

    Sparse rows may be ``anchored``: what a document without the feature has is taken off, so that it stores nothing.
    """

    standard: bool
    ranked: bool
    anchored: bool


class ListBuffers(NamedTuple):
    """Room for one list: a row a document and a column a feature."""

    numbers: np.ndarray
    scaled: np.ndarray
    ranks: np.ndarray
    found: np.ndarray  # which features the list has
    column: np.ndarray  # of each feature, -1 where there is none
    lines: np.ndarray  # some numbers a feature
    sorting: np.ndarray  # twice the numbers of a feature
    order: np.ndarray  # and whose they are


class Block(NamedTuple):
    """Some lists, scaled: row i of ``rows`` is row ``origin[i]`` of the table, at ``places[i]`` of all lists in their order.

    ``part`` says which lists they are; ``bad`` is a row of the table that has a number which is not finite, or -1.
    """

    part: np.ndarray
    rows: Rows
    origin: np.ndarray
    places: np.ndarray
    bad: int


@generic
def load_list(X: Rows, lists: Lists, start: int, size: int, desk: ListBuffers) -> int:
    """Write the features that a list has, one a column; returns how many they are."""
    raise NotImplementedError


@generic
def write_list(out: Rows, row: int, count: int, size: int, how: How, desk: ListBuffers) -> None:
    """Write the documents of a list into rows from ``row`` on."""
    raise NotImplementedError


@Loop
def scale_lists(X: AnyRows, lists: Lists, part: np.ndarray, out: np.ndarray, how: How, desk: ListBuffers) -> int:
    """Write the rows of some lists, scaled, one after the other; returns the first list that is not finite, or -1."""
    row = 0
    for t in range(part.shape[0]):
        start, size = lists.bounds[part[t]], lists.bounds[part[t] + 1] - lists.bounds[part[t]]
        count = load_list(X, lists, start, size, desk)
        if not scale_and_rank(desk.numbers, count, size, how, desk):
            return part[t]
        write_list(out, row, count, size, how, desk)
        row += size
    return -1


# What runs where nothing is compiled


def _rows_of(lists: Lists, start: int, size: int) -> np.ndarray:
    return lists.rows[start : start + size] if len(lists.rows) else np.arange(start, start + size)


@load_list.on(np.ndarray, compiled="ranktron.core.native.list_scaling:dense_load_list")
def load_list_dense(X: np.ndarray, lists: Lists, start: int, size: int, desk: ListBuffers) -> int:
    desk.numbers[:size, : X.shape[1]] = X[_rows_of(lists, start, size)] + 0.0  # -0 becomes 0
    return X.shape[1]


@load_list.on(CSR, compiled="ranktron.core.native.list_scaling:sparse_load_list")
def load_list_csr(X: CSR, lists: Lists, start: int, size: int, desk: ListBuffers) -> int:
    parts = [slice(X.indptr[row], X.indptr[row + 1]) for row in _rows_of(lists, start, size)]
    indices = np.concatenate([X.indices[part] for part in parts])
    documents = np.repeat(np.arange(size), [part.stop - part.start for part in parts])
    features, first, column = np.unique(indices, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in the order of first appearance
    desk.found[: len(order)] = features[order]
    desk.numbers[:size, : len(order)] = 0.0
    values = np.concatenate([X.values[part] for part in parts]).astype(np.float64)
    np.add.at(desk.numbers, (documents, np.argsort(order)[column]), values)
    return len(order)


@compiled_as("ranktron.core.native.list_scaling:scale_and_rank")
def scale_and_rank(numbers: np.ndarray, count: int, size: int, how: How, desk: ListBuffers) -> bool:
    """Scale each column and rank its documents; returns whether all numbers are finite."""
    x = numbers[:size, :count]
    if not np.isfinite(x).all():
        return False
    low, high = x.min(axis=0), x.max(axis=0)
    top = np.maximum(np.abs(low), np.abs(high))
    unit = np.where(top > LARGE, SMALLER, np.where(top < SMALL, LARGER, 1.0))
    scaled = _standard(x * unit) if how.standard else (x * unit - low * unit) / (high * unit - low * unit)
    desk.scaled[:size, :count] = np.where(low == high, 0.0, scaled)
    if how.ranked:
        desk.ranks[:size, :count] = np.where(low == high, 0.0, _ranked(x, how))
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
    """How many documents of the list each one is above, less how many it is below."""
    if len(x) <= PAIRS:
        is_above = x[:, None] > x[None]
        return (is_above.sum(axis=1) - is_above.sum(axis=0)).astype(np.float64)
    ahead = np.empty(x.shape)
    for c, ordered in enumerate(np.sort(x, axis=0).T):
        ahead[:, c] = np.searchsorted(ordered, x[:, c], "left") + np.searchsorted(ordered, x[:, c], "right") - len(x)
    return ahead


@write_list.on(np.ndarray, compiled="ranktron.core.native.list_scaling:dense_write_list")
def write_list_dense(out: np.ndarray, row: int, count: int, size: int, how: How, desk: ListBuffers) -> None:
    step = 1 + how.ranked
    out[row : row + size, ::step] = desk.scaled[:size, :count]
    if how.ranked:
        out[row : row + size, 1::step] = desk.ranks[:size, :count]


@write_list.on(CSR, compiled="ranktron.core.native.list_scaling:sparse_write_list")
def write_list_csr(out: CSR, row: int, count: int, size: int, how: How, desk: ListBuffers) -> None:
    views = [view[:size, :count] for view in (desk.scaled, desk.ranks)[: 1 + how.ranked]]
    if how.anchored:
        views = [_anchored(view, desk.numbers[:size, :count]) for view in views]
    numbers = np.stack(views, axis=2).reshape(size, -1)
    features = (len(views) * desk.found[:count, None] + np.arange(len(views))).ravel()
    for i, line in enumerate(numbers):
        start, kept = out.indptr[row + i], np.flatnonzero(line)
        stop = out.indptr[row + i + 1] = start + len(kept)
        out.indices[start:stop], out.values[start:stop] = features[kept], line[kept]


def _anchored(view: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """What stands at the first 0 of each column is taken off the column."""
    is_zero = numbers == 0.0
    first = view[is_zero.argmax(axis=0), np.arange(view.shape[1])]
    return view - np.where(is_zero.any(axis=0), first, 0.0)


# Blocks


def scaled_blocks(rows: Rows, n_features: int, lists: Lists, part: np.ndarray, how: How) -> Iterator[Block]:
    """The lists in ``part``, some at a time."""
    order, sizes, views = lists.order, np.diff(lists.bounds), 1 + how.ranked
    features = np.minimum(_stored(rows, lists), n_features) if isinstance(rows, CSR) else np.full(len(sizes), n_features)
    desk = _desk(0, 0, n_features if isinstance(rows, CSR) else 0)
    for some in _portions(part, views * features * sizes):
        places = _places(lists.bounds[some], sizes[some])
        desk = _at_least(desk, int(features[some].max()), int(sizes[some].max()))
        out = _room(rows, len(places), views * n_features, int((views * features * sizes)[some].sum()))
        refused = scale_lists(len(places), rows, lists, some, out, how, desk)
        bad = -1 if refused < 0 else _bad_row(rows, order[lists.bounds[refused] : lists.bounds[refused + 1]])
        yield Block(some, out, order[places], places, bad)


def _places(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """``starts`` and those after it, so many each."""
    return np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())


def _stored(rows: CSR, lists: Lists) -> np.ndarray:
    """How many numbers each list stores."""
    stored = np.diff(rows.indptr)[lists.order]
    return np.add.reduceat(stored, lists.bounds[:-1])


def _portions(part: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Some lists at a time, with ``ENOUGH`` numbers or one list."""
    steps = np.cumsum(sizes[part]) // ENOUGH
    yield from np.split(part, np.flatnonzero(np.diff(steps)) + 1)


def _desk(features: int, documents: int, n_features: int) -> ListBuffers:
    numbers, scaled, ranks = (np.empty((documents, features)) for _ in range(3))
    found, column = np.zeros(features, np.int64), np.full(n_features, -1)
    sorting, order = np.empty((2, documents)), np.empty((2, documents), np.int64)
    return ListBuffers(numbers, scaled, ranks, found, column, np.empty((5, features)), sorting, order)


def _at_least(desk: ListBuffers, features: int, documents: int) -> ListBuffers:
    """The desk, or a larger one."""
    has_documents, has_features = desk.numbers.shape
    if features <= has_features and documents <= has_documents:
        return desk
    return _desk(max(features, has_features), max(documents, has_documents), len(desk.column))


def _room(rows: Rows, n_rows: int, n_columns: int, capacity: int) -> Rows:
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
