"""Models of rows whose target is no label: a set of labels, grades of all labels, or what a user's own task calls a label."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from ..measures import HIGHEST_GRADE
from . import files
from .features import Features
from .inputs import Table
from .labels import as_labels, check_label, short
from .list_model import read_grades
from .parameters import check_parameters
from .row_learner import RowLearner
from .row_model import RowModel
from .target_learner import Tags, TargetLearner


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class TargetModel(RowModel, abc.ABC):
    """What these models share; an algorithm adds what it learns by, and how scores are told."""

    @property
    @abc.abstractmethod
    def _aim(self) -> Any:
        """What makes of the targets of a batch the task as the loops know it."""

    @abc.abstractmethod
    def _own_labels(self) -> int | None:
        """How many scores a row has where the targets are a user's own, and None where they are a matrix."""

    def _new_learner(self, n_features: int, features: Features, labels: Tags) -> TargetLearner:
        return TargetLearner(self._assembled(n_features, len(labels)), features, labels, self._plan(), self._aim)

    def _known(self) -> dict[str, Any]:
        tags = self._tags
        names = None if tags.names is None else files.label_record(as_labels(tags.names))
        return {"labels": {"count": tags.count, "names": names}}

    def _labels_in(self, header: dict[str, Any]) -> Tags:
        known = header["labels"]
        return Tags(known["count"], None if known["names"] is None else files.labels_of(known["names"]).tolist())

    @property
    def _tags(self) -> Tags:
        return cast(Tags, self._learned.labels)

    @property
    def classes_(self) -> np.ndarray:
        """The names of the labels, or their numbers."""
        return as_labels(self._tags.names or range(len(self._tags)))

    @property
    def cumulative_loss_(self) -> float:
        """The loss of the learning hypothesis before each update, in all."""
        return float(cast(TargetLearner, self._learned).losses[0])

    # Learning

    def _started(self, table: Table, y: Any, classes: Any, learner: RowLearner | None) -> tuple[RowLearner, Any]:
        targets, names = self._read_targets(y)
        if len(targets) != table.n_rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{table.n_rows}, {len(targets)}]")
        count = self._own_labels() or targets.shape[1]
        if learner is None:
            tags = self._first_tags(count, self.classes if classes is None else classes, names)
            features = Features(table.n_columns, table.names, may_grow=self.hash_bits is None)
            return self._new_learner(table.n_columns, features, tags), targets
        self._check_plan(learner)
        self._check_tags(cast(Tags, learner.labels), count, classes, names)
        return learner, targets

    def _first_tags(self, count: int, classes: Any, names: list[Any] | None) -> Tags:
        names = names if classes is None else _names(classes)
        if names is not None and len(names) != count:
            raise ValueError(f"y has {count} columns, and classes name {len(names)}: {short(names)}")
        return Tags(count, names)

    def _check_tags(self, tags: Tags, count: int, classes: Any, names: list[Any] | None) -> None:
        if count != len(tags):
            raise ValueError(f"y has {count} columns, but {type(self).__name__} has learned {len(tags)} labels")
        told = names if classes is None else _names(classes)
        if told is not None and tags.names is not None and told != tags.names:
            raise ValueError(f"labels {short(told)} differ from {short(tags.names)}, which the model learned with")

    def _read_targets(self, y: Any) -> tuple[Any, list[Any] | None]:
        """The targets of all rows, and the names of the columns where they have any."""
        if y is None:
            raise ValueError("learning requires y to be passed, but the target y is None")
        if self._own_labels() is not None:
            return list(y), None
        names = list(y.columns) if hasattr(y, "columns") else None
        matrix = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
        if matrix.ndim != 2 or matrix.shape[1] == 0:
            raise ValueError(f"y should be a matrix with a column a label; its shape is {matrix.shape}")
        return self._check_matrix(matrix), names

    def _check_matrix(self, matrix: np.ndarray) -> np.ndarray:
        """The matrix as the loops know it: of grades."""
        if matrix.dtype.kind in "fiub":
            fits = (matrix >= 0) & (matrix <= HIGHEST_GRADE)
            if not fits.all():
                row, column = np.argwhere(~fits)[0].tolist()
                raise ValueError(
                    f"y holds {matrix[row, column]} in row {row}, column {column}; grades are numbers from 0 to {HIGHEST_GRADE}"
                )
        return read_grades(matrix.ravel()).reshape(matrix.shape)

    # One example at a time

    def learn_one(self, x: Any, y: Any) -> None:
        """Learn one example: a 1-D array or a mapping, and its target: one number a label, or a mapping from names to numbers."""
        self._check_not_frozen()
        learner = self._learner or self._fresh(x, y)
        target = self._one_target(cast(Tags, learner.labels), y)
        with learner.lock:
            restore = learner.bookmark()
            try:
                learner.add_features(learner.features.unknown(x))
                table, _ = learner.features.row(x, self.missing)
                if learner.learn(table, target) >= 0:
                    self._refuse(table, 0)
            except BaseException:
                restore()
                raise
        self._learner = learner

    def _one_target(self, tags: Tags, y: Any) -> Any:
        if self._own_labels() is not None:
            return [y]
        if isinstance(y, Mapping):
            unknown = [name for name in y if name not in (tags.names or ())]
            if unknown:
                raise ValueError(f"label {short(unknown[0])} is not among {short(tags.names)}; pass classes= with all of them")
            y = [y.get(name, 0) for name in tags.names or ()]
        if np.ndim(y) != 1 or len(y) != len(tags):
            raise ValueError(f"the target of an example should be {len(tags)} numbers in a row, one a label, not {short(y)}")
        return self._read_targets(np.asarray(y).reshape(1, -1))[0]

    def _fresh(self, x: Any, y: Any) -> RowLearner:
        check_parameters(self)
        given = sorted(y) if self.classes is None and isinstance(y, Mapping) else self.classes
        names = None if given is None else _names(given)
        count = self._own_labels() or (np.size(y) if names is None else len(names))
        features = Features.of(x, self.hash_bits)
        learner = self._new_learner(features.count or 8, features, Tags(count, names))
        learner.add_features([])
        return learner

    def predict_one(self, x: Any) -> Any:
        """What is predicted of one example."""
        learner = self._learned
        table, _ = learner.features.row(x, self.missing)
        sums = np.empty((1, learner.n_scores))
        self._answer(learner, table, scores=sums)
        return self._told(sums)[0]

    # Answers

    def _room(self, learner: RowLearner, rows: int) -> np.ndarray:
        return np.empty((rows, learner.n_scores))

    def predict(self, X: Any) -> np.ndarray:
        """What is predicted of every row."""
        return self._told(self._sums(X)[0])

    def decision_function(self, X: Any) -> np.ndarray:
        """The scores t of every row."""
        return self._scores(X)


def _names(classes: Any) -> list[Any]:
    names: list[Any] = as_labels(classes).tolist()
    for name in names:
        check_label(name)
    if len(set(names)) != len(names):
        raise ValueError(f"classes should name every label once: {short(names)}")
    return names
