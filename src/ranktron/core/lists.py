"""Lists: which rows belong together, by the ids that they come with."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np

from .checks import refuse_masked

_NOTHING = np.empty(0, np.int64)


class Lists(NamedTuple):
    """List q is ``rows[bounds[q]]`` to ``rows[bounds[q + 1] - 1]``; no ``rows`` at all means that they stand in that order."""

    rows: np.ndarray
    bounds: np.ndarray

    @property
    def order(self) -> np.ndarray:
        """The rows, list after list."""
        return self.rows if len(self.rows) else np.arange(self.bounds[-1])

    @property
    def longest(self) -> int:
        """How many rows the longest list has."""
        return int(np.diff(self.bounds).max())


def lists_of(qid: Any, n_rows: int) -> Lists:
    """The lists of rows with equal ids, in the order of first appearance; without ids all rows are one list.

    >>> lists_of(["b", "b", "a"], 3)
    Lists(rows=array([], dtype=int64), bounds=array([0, 2, 3]))
    >>> lists_of(["b", "a", "b"], 3)
    Lists(rows=array([0, 2, 1]), bounds=array([0, 2, 3]))
    """
    if qid is None:
        return Lists(_NOTHING, np.array([0, n_rows]))
    ids = _as_ids(qid, n_rows)
    starts = np.concatenate([[0], np.flatnonzero(ids[1:] != ids[:-1]) + 1])
    heads = ids[starts]
    if (heads[1:] > heads[:-1]).all() or len(np.unique(heads)) == len(heads):
        return Lists(_NOTHING, np.append(starts, n_rows))
    _, first, place = np.unique(ids, return_index=True, return_inverse=True)
    appearance = np.empty(len(first), np.int64)
    appearance[np.argsort(first)] = np.arange(len(first))
    lists = appearance[place]
    return Lists(np.argsort(lists, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(lists))]))


def read_twice(qid: Any) -> Any:
    """Ids that are still there after they were read, as those of an iterator are not."""
    return qid if qid is None or hasattr(qid, "__len__") or not hasattr(qid, "__iter__") else list(qid)


def _as_ids(qid: Any, n_rows: int) -> np.ndarray:
    """One id a row, as an array that can be compared and sorted: what cannot be gets numbers in the order of appearance."""
    refuse_masked(qid, "qid")
    ids = np.asarray(qid) if hasattr(qid, "__array__") else _listed(qid)
    if ids.shape != (n_rows,):
        raise ValueError(f"qid should hold one id a row, {n_rows}; its shape is {ids.shape}")
    if ids.dtype.kind in "fcmM" and (ids != ids).any():
        _refuse(int(np.argmax(ids != ids)))
    return ids if ids.dtype.kind in "iubfSUmM" else _numbered(ids)


def _listed(qid: Any) -> np.ndarray:
    """A sequence as an array of objects, of one axis even where the ids are tuples."""
    try:
        members = list(qid)
    except TypeError:
        raise ValueError(f"qid should hold one id a row, not {qid!r:.60}") from None
    ids = np.empty(len(members), object)
    ids[:] = members
    return ids


def _numbered(ids: np.ndarray) -> np.ndarray:
    known: dict[Any, int] = {}
    try:
        numbers = np.fromiter((known.setdefault(one, len(known)) for one in ids.tolist()), np.int64, len(ids))
    except TypeError:
        raise ValueError("qid should hold ids that can be hashed: numbers, strings or tuples") from None
    for one, number in known.items():
        if _is_missing(one):
            _refuse(int(np.argmax(numbers == number)))
    return numbers


def _is_missing(one: Any) -> bool:
    try:
        return one is None or not bool(one == one)
    except (TypeError, ValueError):  # pandas' NA is neither equal to itself nor not
        return True


def _refuse(row: int) -> NoReturn:
    raise ValueError(f"qid is missing in row {row}; give every row the id of its list")
