"""Models of rows whose target is not one label: a set of labels, grades of all labels, or the target of a user's own task."""

from __future__ import annotations

import abc
import dataclasses
import numbers
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from ...core.checks import refuse_masked
from ...core.measures import HIGHEST_GRADE
from .. import files
from ..features import Features
from ..labels import as_labels, check_label, short
from ..learners.concurrency import reads
from ..learners.row import RowLearner, Tags, TargetLearner
from .row import RowModel


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class TargetModel(RowModel, abc.ABC):
    """What these models share; an algorithm adds the rule, and how scores are decoded."""

    @property
    @abc.abstractmethod
    def _aim(self) -> Any:
        """A function from the targets of a batch to the task in the form that the loops use."""

    @abc.abstractmethod
    def _own_labels(self) -> int | None:
        """The number of scores per row for a user's own targets; None for a matrix of targets."""

    def _new_learner(self, n_features: int, features: Features, labels: Tags) -> TargetLearner:
        return TargetLearner(self._assembled(n_features, len(labels)), features, labels, self._plan(), self._aim)

    def _known(self) -> dict[str, Any]:
        tags = self._known_tags
        names = None if tags.names is None else files.label_record(as_labels(tags.names))
        return {"labels": {"count": tags.count, "names": names}}

    def _labels_in(self, header: dict[str, Any]) -> Tags:
        if self.classes is not None:
            _names(self.classes)
        known = files.said(header, "labels", dict)
        names = None if known["names"] is None else _names(files.labels_of(known["names"]))
        return Tags(files.said(known, "count", int), names)

    @property
    def _known_tags(self) -> Tags:
        return cast(Tags, self._learned.labels)

    @property
    @reads
    def classes_(self) -> np.ndarray:
        """The names of the labels, or their numbers."""
        return as_labels(self._known_tags.names or range(len(self._known_tags)))

    @property
    @reads
    def cumulative_loss_(self) -> float:
        """The loss of the learning hypothesis before each update, in all."""
        return float(cast(TargetLearner, self._learned).losses[0])

    # Learning

    def _first_labels(self, targets: Any, classes: Any, own_names: list[Any] | None) -> Tags:
        return Tags(self._own_labels() or targets.shape[1], own_names if classes is None else _names(classes))

    def _check_labels(self, labels: Any, targets: Any, classes: Any, own_names: list[Any] | None) -> None:
        count = self._own_labels() or targets.shape[1]
        if count != len(labels):
            raise ValueError(f"y has {count} columns, but {type(self).__name__} has learned {len(labels)} labels")
        given = own_names if classes is None else _names(classes)
        if given is not None and labels.names is not None and given != labels.names:
            raise ValueError(f"labels {short(given)} differ from {short(labels.names)}, which the model learned with")

    def _read_targets(self, y: Any) -> tuple[Any, list[Any] | None]:
        """The targets of all rows, and the names of the columns where they have any."""
        if y is None:
            raise ValueError("learning requires y to be passed, but the target y is None")
        refuse_masked(y, "y")
        if self._own_labels() is not None:
            return list(y), None
        names = _names(list(y.columns)) if hasattr(y, "columns") else None
        matrix = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
        if matrix.ndim != 2 or matrix.shape[1] == 0:
            raise ValueError(f"y should be a matrix with a column per label; its shape is {matrix.shape}")
        return self._checked(_numbers(matrix)), names

    def _checked(self, matrix: np.ndarray) -> np.ndarray:
        """The matrix as the loops know it: of grades."""
        check_all(matrix, (matrix >= 0) & (matrix <= HIGHEST_GRADE), f"grades are numbers from 0 to {HIGHEST_GRADE}")
        return matrix

    # One example at a time

    def learn_one(self, x: Any, y: Any) -> None:
        """Learn one example: a 1-D array or a mapping, and its target: one number a label, or a mapping from names to numbers."""
        self._check_not_frozen()
        learner = self._learner or self._fresh(x, y)
        target = self._one_target(cast(Tags, learner.labels), y)
        with learner.undoing():
            learner.add_features(learner.features.unknown(x))
            table, _ = learner.features.row(x, self.missing)
            if learner.learn(table, target) >= 0:
                self._refuse(table, 0)
        self._learner = learner

    def _one_target(self, tags: Tags, y: Any) -> Any:
        if self._own_labels() is not None:
            return [y]
        if isinstance(y, Mapping):
            if tags.names is None:
                raise ValueError(f"the labels have no names: give {len(tags)} numbers, one per label, not {short(y)}")
            unknown = [name for name in y if name not in tags.names]
            if unknown:
                raise ValueError(f"label {short(unknown[0])} is not among {short(tags.names)}; pass classes= with all of them")
            y = [y.get(name, 0) for name in tags.names]
        if np.ndim(y) != 1 or len(y) != len(tags):
            raise ValueError(f"the target of an example should be {len(tags)} numbers in a row, one per label, not {short(y)}")
        refuse_masked(y, "y")
        return self._read_targets(np.asarray(y).reshape(1, -1))[0]

    def _labels_for_one(self, y: Any) -> Tags:
        names = None if self.classes is None else _names(self.classes)
        if names is None and isinstance(y, Mapping) and self._own_labels() is None:
            names = _sorted_names(y)
        return Tags(self._own_labels() or (np.size(y) if names is None else len(names)), names)

    @reads
    def predict_one(self, x: Any) -> Any:
        """The prediction for one example."""
        learner = self._learned
        table, _ = learner.features.row(x, self.missing)
        return self._decode(self._sums_of(learner, table))[0]

    # Answers

    def _targets_to_score(self, y: Any) -> Any:
        targets, names = self._read_targets(y)
        self._check_labels(self._known_tags, targets, None, names)
        return targets

    def _empty_predictions(self, learner: RowLearner, rows: int) -> np.ndarray:
        return np.empty((rows, learner.n_scores))

    @reads
    def predict(self, X: Any) -> np.ndarray:
        """The prediction for every row."""
        return self._decode(self._sums(X)[0])

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """The scores t of every row."""
        return self._scores(X)


def check_all(matrix: np.ndarray, fits: np.ndarray, should: str) -> None:
    """Refuse the first number of a matrix that does not fit."""
    if not fits.all():
        row, column = np.argwhere(~fits)[0].tolist()
        raise ValueError(f"y holds {matrix[row, column].item()} in row {row}, column {column}; {should}")


def _numbers(matrix: np.ndarray) -> np.ndarray:
    """A matrix of numbers, if all that it holds are."""
    if matrix.dtype.kind == "O":
        for (row, column), value in np.ndenumerate(matrix):
            if not isinstance(value, numbers.Real | np.bool_):
                raise ValueError(f"y holds {short(value)} in row {row}, column {column}; it should hold numbers")
        return matrix.astype(np.float64)
    if matrix.dtype.kind not in "fiub":
        raise ValueError(f"y holds {matrix.dtype} values; it should hold numbers")
    return matrix


def _names(classes: Any) -> list[Any]:
    try:
        names: list[Any] = as_labels(classes).tolist()
        for name in names:
            check_label(name)
        if len(set(names)) != len(names):
            raise ValueError("one is there twice")
    except (TypeError, ValueError) as error:
        raise ValueError(f"classes should be names of labels that differ, not {short(classes)}: {error}") from None
    return names


def _sorted_names(y: Mapping[Any, Any]) -> list[Any]:
    try:
        return _names(sorted(y))
    except TypeError:
        raise ValueError(f"labels {short(list(y))} have no order of their own: pass classes= with all of them") from None
