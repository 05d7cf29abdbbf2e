"""Feed blocks of a stream to models; new columns and new labels are added on the way.

A block, as ``ranktron.data.streams`` makes them, has ``rows``, ``n_columns`` and ``names``, and where it has any ``y`` and
``qid``. One that is refused leaves the model as it was.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ..core.measures import HIGHEST_GRADE
from ..core.protocol import pause_calibration
from ..core.rows import CSR
from .features import Features
from .inputs import Table, read_only, read_table
from .kinds.list import ListModel
from .kinds.model import Model
from .kinds.row import RowModel
from .kinds.target import TargetModel
from .labels import Labels, as_labels, distinct, given_labels, short
from .learners.learner import NO_INTEGERS, NO_NUMBERS
from .learners.row import RowLearner
from .parameters import check_parameters

NUMBER = (int, float, np.number)


class BadRow(ValueError):
    """A row of a block that cannot be learned or answered: which one, and why."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(f"row {row}: {reason}")
        self.row, self.reason = row, reason


@contextlib.contextmanager
def naming_the_row(before: int = 0) -> Iterator[None]:
    """Turn an error that has a ``row``, counted from ``before``, into a ``BadRow``."""
    try:
        yield
    except ValueError as error:
        if not hasattr(error, "row"):
            raise
        raise BadRow(before + error.row, getattr(error, "reason", "")) from None


def feed(model: Model, block: Any, known: bool = False) -> np.ndarray:
    """What ``predict`` would have said of each row or list after learning those before; learns all, ``known`` already or new."""
    table = as_table(block)
    with naming_the_row():
        if isinstance(model, ListModel):
            return _feed_lists(model, table, checked_grades(block.y), _runs(block.qid)) if table.n_rows else NO_NUMBERS
        if isinstance(model, RowModel) and not isinstance(model, TargetModel):
            return _feed_rows(model, table, checked_labels(model, block.y), known) if table.n_rows else NO_INTEGERS
    raise ValueError(f"a stream of rows with one label each has no targets for {type(model).__name__} this task; use the library")


def answer(model: Any, block: Any) -> np.ndarray:
    """The label of every row, or its score where lists are ranked; columns that the model does not know are left out."""
    with naming_the_row():
        rows = known_part(model, as_table(block))
        given: np.ndarray = model._scores(rows, _runs(block.qid)) if isinstance(model, ListModel) else model.predict(rows)
    return given


def project(model: Any, block: Any) -> np.ndarray:
    """The number that rows are sorted by."""
    if isinstance(model, ListModel):
        return answer(model, block)
    if not hasattr(model, "project"):
        raise ValueError(f"{type(model).__name__} has no projection to sort rows by")
    with naming_the_row():
        projection: np.ndarray = model.project(known_part(model, as_table(block)))
    return projection


def interval(model: Any, block: Any, coverage: float) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest label of every row."""
    if not hasattr(model, "predict_interval"):
        raise ValueError(f"{type(model).__name__} has no intervals; models that rate do")
    with naming_the_row():
        low, high = model.predict_interval(known_part(model, as_table(block)), coverage)
    return low, high


def as_table(block: Any) -> Table:
    """The rows of a block, with their own names only."""
    rows = block.rows
    kept = CSR(*(read_only(part) for part in rows)) if isinstance(rows, CSR) else read_only(rows)
    n_rows = len(rows.indptr) - 1 if isinstance(rows, CSR) else len(rows)
    return Table(kept, n_rows, block.n_columns, block.names and block.names[: block.n_columns])


# Learning


def _feed_lists(model: ListModel, table: Table, grades: np.ndarray, qid: Any) -> np.ndarray:
    check_parameters(model)
    learner = model._learner or model._new_learner(table.n_columns, _first_features(model, table))
    with _feeding(model, learner):
        _fit_columns(learner, table)
        predicted = model.predict_then_learn(_as_wide(table, learner.features), grades, qid=qid)
    return predicted


@contextlib.contextmanager
def _feeding(model: Model, learner: Any) -> Iterator[None]:
    """Let ``learner`` be the model's; if the block is refused, both are as they were."""
    before = model._learner
    with learner.undoing():
        try:
            model._learner = learner
            yield
        except BaseException:
            model._learner = before
            raise


def _runs(qid: np.ndarray | None) -> np.ndarray | None:
    """A number for every run of equal ids: in a stream that is a list."""
    return None if qid is None else np.cumsum(np.append(False, qid[1:] != qid[:-1]))


def _feed_rows(model: RowModel, table: Table, y: np.ndarray, known: bool) -> np.ndarray:
    check_parameters(model)
    before = model._learner
    learner = begun(model, table, y) if before is None else before
    unknown = _unknown(learner, y)
    if len(unknown) and before is not None:
        learner = copy.deepcopy(before)  # new labels are rare, and a refused block leaves no trace
    with _feeding(model, learner):
        learner.decision = pause_calibration(learner.decision, known)
        _fit_columns(learner, table)
        predicted = _learn_between(model, _as_wide(table, learner.features), y, unknown)
        learner.decision = pause_calibration(learner.decision, False)
    return predicted


def _learn_between(model: RowModel, table: Table, y: np.ndarray, unknown: list[int]) -> np.ndarray:
    """Learn the rows, and insert a rank for each ``unknown`` label before its row is learned."""
    if not unknown:
        return model.predict_then_learn(table, y)
    table = read_table(table, model.missing)
    predicted: list[Any] = []
    for start, stop in pairwise(sorted({0, *unknown, table.n_rows})):
        if start in unknown:
            with naming_the_row(start):
                row = table.part(start, start + 1)
                predicted += model.predict(row).tolist()
                model._insert(model._learned, row, y[start].item())
                model.partial_fit(row, y[start : start + 1])
            start += 1
        if start < stop:
            with naming_the_row(start):
                predicted += model.predict_then_learn(table.part(start, stop), y[start:stop]).tolist()
    return as_labels(predicted)


def begun(model: RowModel, table: Table, y: np.ndarray) -> RowLearner:
    """A learner that knows the labels given, or else those of the first rows, which others may join."""
    classes = model._given_classes()
    labels = Labels(distinct(y), closed=False) if classes is None else given_labels(classes)
    return model._new_learner(table.n_columns, _first_features(model, table), labels)


def _first_features(model: Model, table: Table) -> Features:
    bits = model.hash_bits
    if bits is not None and table.names is None and table.n_columns == 1 << bits:
        return Features(hash_bits=bits)
    return Features(table.n_columns, table.names, may_grow=bits is None)


def _unknown(learner: RowLearner, y: np.ndarray) -> list[int]:
    """The first row of every label that has no rank yet, in order."""
    if learner.labels.rank_of.keys() >= set(y.tolist()):
        return []
    labels, first = np.unique(y, return_index=True)
    rows = sorted(row for label, row in zip(labels.tolist(), first.tolist()) if label not in learner.labels.rank_of)
    for row in rows[:1]:
        label, names = y[row].item(), learner.labels.names
        if learner.labels.closed:
            raise BadRow(row, f"label {short(label)} is not among classes {short(names)}")
        if isinstance(label, str) != isinstance(names[0], str):
            raise BadRow(row, f"label {short(label)} has no place among {short(names)}; name the classes in their order")
    return rows


def _fit_columns(learner: Any, table: Table) -> None:
    """Give the learner the columns of ``table``."""
    _check_columns(learner.features, table)
    if learner.features.hash_bits is None:
        learner.widen(table)
    elif table.n_columns != learner.features.count:
        raise ValueError(f"the model hashes names into {learner.features.count} columns, and this data has {table.n_columns}")


def _check_columns(known: Features, table: Table) -> None:
    if known.count and (known.names is None) != (table.names is None):
        has, other = ("names", "none") if known.names is not None else ("no names", "some")
        raise ValueError(f"the model learned from columns with {has}, and the columns of this data have {other}")
    if known.names is not None and table.names is not None:
        common = min(known.count, table.n_columns)
        if known.names[:common] != table.names[:common]:
            raise ValueError("the columns of this data are not in the order of those that the model learned from")


# Columns


def known_part(model: Any, table: Table) -> Table:
    """The rows with just the columns that the model has."""
    features = model._learned.features
    _check_columns(features, table)
    wide = _as_wide(table, features)
    if table.n_columns <= features.count:
        return wide
    rows = table.rows
    if not isinstance(rows, CSR):
        return wide._replace(rows=read_only(np.ascontiguousarray(rows[:, : features.count])), n_columns=features.count)
    kept = rows.indices < features.count
    ends = np.concatenate([[0], np.cumsum(kept)])[rows.indptr].astype(rows.indptr.dtype)
    known = CSR(read_only(ends), read_only(rows.indices[kept]), read_only(rows.values[kept]))
    return wide._replace(rows=known, n_columns=features.count)


def _as_wide(table: Table, features: Features) -> Table:
    """The same rows with as many columns as are known, the others being 0."""
    table = table._replace(names=features.names)
    if table.n_columns >= features.count:
        return table
    rows = table.rows
    if not isinstance(rows, CSR):
        rows = read_only(np.pad(rows, ((0, 0), (0, features.count - table.n_columns))))
    return table._replace(rows=rows, n_columns=features.count)


# Targets


def checked_labels(model: RowModel, y: np.ndarray | None) -> np.ndarray:
    """Labels as the model takes them: whole numbers as such, where no classes say otherwise."""
    y = _plain(y, "label")
    if y.dtype.kind != "f":
        return y
    if not np.isfinite(y).all():
        raise BadRow(int(np.argmin(np.isfinite(y))), "the label is not a finite number")
    whole = (y == np.round(y)) & (np.abs(y) < 2**53)
    if not whole.all() and model._given_classes() is None:
        row = int(np.argmin(whole))
        raise BadRow(row, f"label {y[row]:g} is not a whole number below 2^53; name the classes if it is a grade")
    return y.astype(np.int64) if whole.all() else y


def checked_grades(y: np.ndarray | None) -> np.ndarray:
    """The grades of lists, numbers from 0 on."""
    y = _plain(y, "grade")
    if y.dtype.kind not in "fiu":
        raise BadRow(0, f"grade {short(y.tolist()[0])} is not a number; grades of lists are numbers from 0 on")
    good = (y >= 0) & (y <= HIGHEST_GRADE)
    if not good.all():
        row = int(np.argmin(good))
        raise BadRow(row, f"grade {y[row]:g} is not from 0 to {HIGHEST_GRADE:g}; 0 is for what is irrelevant")
    return y


def _plain(y: np.ndarray | None, what: str) -> np.ndarray:
    """All numbers or all strings."""
    if y is None:
        raise ValueError(f"there is no {what} to learn from")
    if y.dtype.kind != "O":
        return y.astype(np.int64) if y.dtype.kind == "b" else y
    are_text = isinstance(next(iter(y.tolist()), ""), str)
    for row, label in enumerate(y.tolist()):
        if not isinstance(label, str if are_text else NUMBER):
            raise BadRow(row, f"{what} {short(label)} is not {'text' if are_text else 'a number'}, as those before it are")
    return as_labels(y.tolist())
