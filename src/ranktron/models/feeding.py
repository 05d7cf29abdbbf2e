"""Blocks of a stream for models: new columns and new labels are made room for on the way.

A block has ``rows``, ``n_columns`` and ``names``, and ``y`` and ``qid`` where it has any; ``ranktron.data.streams`` makes them. A block
that is refused leaves the model as it was.
"""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import numpy as np

from ..measures import HIGHEST_GRADE
from ..rows import CSR
from .features import Features
from .inputs import BadRow, Table, read_only
from .labelled import LabelModel
from .labels import Labels, as_labels, distinct, given_labels, short
from .list_model import ListModel
from .model import Model
from .parameters import check_parameters
from .row_learner import RowLearner

__all__ = ["BadRow", "answer", "feed", "project"]


def feed(model: Model, block: Any) -> np.ndarray:
    """What ``predict`` would have said of every row, or of every list's rows, after learning those before; learns them all."""
    table = _as_table(block)
    if isinstance(model, ListModel):
        return _feed_lists(model, table, _checked_grades(block.y), block.qid)
    if isinstance(model, LabelModel):
        return _feed_rows(model, table, _checked_labels(model, block.y))
    raise ValueError(f"a stream of rows with one label each cannot teach {type(model).__name__} this task; use the library")


def answer(model: Any, block: Any) -> np.ndarray:
    """The label of every row, or its score where lists are ranked; columns that the model does not know are left out."""
    told: np.ndarray = model.predict(_known_part(model, _as_table(block)))
    return told


def project(model: Any, block: Any) -> np.ndarray:
    """The number that rows are sorted by."""
    if isinstance(model, ListModel):
        return answer(model, block)
    if not hasattr(model, "project"):
        raise ValueError(f"{type(model).__name__} has no projection to sort rows by")
    projection: np.ndarray = model.project(_known_part(model, _as_table(block)))
    return projection


def _as_table(block: Any) -> Table:
    rows = block.rows
    kept = CSR(*(read_only(part) for part in rows)) if isinstance(rows, CSR) else read_only(rows)
    n_rows = len(rows.indptr) - 1 if isinstance(rows, CSR) else len(rows)
    return Table(kept, n_rows, block.n_columns, block.names)


# Learning


def _feed_lists(model: ListModel, table: Table, grades: np.ndarray, qid: Any) -> np.ndarray:
    learner = model._learner
    if learner is None:
        return model.predict_then_learn(table, grades, qid=qid)
    restore = learner.bookmark()
    try:
        _fit_columns(learner, table)
        return model.predict_then_learn(_as_wide(table, learner.features), grades, qid=qid)
    except BaseException:
        restore()
        raise


def _feed_rows(model: LabelModel, table: Table, y: np.ndarray) -> np.ndarray:
    check_parameters(model)
    before = model._learner
    learner = _begun(model, table, y) if before is None else before
    unknown = _unknown(learner, y)
    if len(unknown) and before is not None:
        learner = copy.deepcopy(before)  # new labels are rare, and a refused block leaves no trace
    restore = learner.bookmark()
    try:
        model._learner = learner
        _fit_columns(learner, table)
        return _learn_between(model, _as_wide(table, learner.features), y, unknown)
    except BaseException:
        restore()
        model._learner = before
        raise


def _learn_between(model: LabelModel, table: Table, y: np.ndarray, unknown: list[int]) -> np.ndarray:
    """Learn the rows, giving a rank to each label that is ``unknown`` before its row is learned."""
    if not unknown:
        return model.predict_then_learn(table, y)
    told: list[Any] = []
    for start, stop in pairwise([0, *unknown, table.n_rows]):
        try:
            if start in unknown:
                row = table.part(start, start + 1)
                told += model.predict(row).tolist()
                model._insert(model._learned, row, y[start].item())
                model.partial_fit(row, y[start : start + 1])
                start += 1
            if start < stop:
                told += model.predict_then_learn(table.part(start, stop), y[start:stop]).tolist()
        except BadRow as error:
            raise BadRow(str(error), start + error.row, error.reason) from None
    return as_labels(told)


def _begun(model: LabelModel, table: Table, y: np.ndarray) -> RowLearner:
    """A learner that knows the labels given, or else those of the first rows, which others may join."""
    classes = model._given_classes()
    labels = Labels(distinct(y), closed=False) if classes is None else given_labels(classes)
    hashed = model.hash_bits is not None and table.names is None and table.n_columns == 1 << model.hash_bits
    features = Features(hash_bits=model.hash_bits) if hashed else Features(table.n_columns, table.names)
    return model._new_learner(table.n_columns, features, labels)


def _unknown(learner: RowLearner, y: np.ndarray) -> list[int]:
    """The first row of every label that there is no rank for yet, in order."""
    labels, first = np.unique(y, return_index=True)
    rows = sorted(row for label, row in zip(labels.tolist(), first.tolist()) if label not in learner.labels.rank_of)
    if rows and learner.labels.closed:
        _refuse(rows[0], f"label {short(y[rows[0]].item())} is not among classes {short(learner.labels.names)}")
    return rows


def _fit_columns(learner: Any, table: Table) -> None:
    known = learner.features
    if known.count and (known.names is None) != (table.names is None):
        has, other = ("names", "none") if known.names is not None else ("no names", "some")
        raise ValueError(f"the model learned from columns with {has}, and the columns of this data have {other}")
    if known.names is not None and table.names is not None:
        common = min(known.count, table.n_columns)
        if known.names[:common] != table.names[:common]:
            raise ValueError("the columns of this data are not in the order of those that the model learned from")
    learner.widen(table)


# Columns


def _known_part(model: Any, table: Table) -> Table:
    features = model._learned.features
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


def _checked_labels(model: LabelModel, y: Any) -> np.ndarray:
    """Labels as the model takes them: whole numbers as such, where no classes say otherwise."""
    if y is None:
        raise ValueError("there is no label to learn from")
    if y.dtype.kind != "f":
        return as_labels(y.tolist()) if y.dtype.kind == "O" else y
    if not np.isfinite(y).all():
        _refuse(int(np.argmin(np.isfinite(y))), "the label is no finite number")
    whole = y == np.round(y)
    if whole.all() and (np.abs(y) < 2**53).all():
        return y.astype(np.int64)
    if model._given_classes() is None:
        row = int(np.argmin(whole))
        _refuse(row, f"label {y[row]:g} is no whole number; name the classes if it is a grade")
    return np.asarray(y)


def _checked_grades(y: Any) -> np.ndarray:
    if y is None:
        raise ValueError("there is no grade to learn from")
    if y.dtype.kind not in "fiub":
        raise ValueError(f"grade {short(y.tolist()[0])} is no number; grades of lists are numbers from 0 on")
    good = (y >= 0) & (y <= HIGHEST_GRADE)
    if not good.all():
        row = int(np.argmin(good))
        _refuse(row, f"grade {y[row]:g} is not from 0 to {HIGHEST_GRADE:g}; 0 is for what is irrelevant")
    return np.asarray(y)


def _refuse(row: int, reason: str) -> None:
    raise BadRow(f"row {row}: {reason}", row, reason)
