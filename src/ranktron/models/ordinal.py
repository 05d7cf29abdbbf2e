"""Ordinal models: parameters around a learner, in plain Python."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NoReturn, Self, cast

import numpy as np

from . import files
from .features import Features
from .inputs import Table, read_table, refuse_row
from .labels import Labels, as_labels, check_targets, distinct
from .learner import NO_INTEGERS, NO_NUMBERS, Learner, Parts
from .parameters import anything, check_parameters, choice, flag, whole

ABOVE_A_TIE = 5e-324
"""The smallest positive number: a projection on a threshold counts as above it, and ``decision_function`` has to show that."""


class NotFitted(ValueError, AttributeError):
    """The model has not learned anything yet."""


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class OrdinalModel:
    """What all ordinal models share; an algorithm adds its own parameters and ``_parts``."""

    average: bool = flag(True)
    epochs: int = whole(1, at_least=1)
    shuffle: bool = flag(False)
    random_state: Any = anything(None)
    classes: Sequence[Any] | None = anything(None)
    missing: str = choice("error", "zero")
    hash_bits: int | None = whole(None, at_least=1, at_most=30)

    sample_weights: ClassVar[str] = "counts"
    """What a weight means: "counts" of presentations, "flags" that leave a row out, or "steps" to scale."""

    _learner = cast("Learner | None", None)  # no parameters, so without annotations
    _frozen = False
    _not_fitted: ClassVar[type[Exception]] = NotFitted

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        """Put the algorithm together."""
        raise NotImplementedError(type(self).__name__)

    # Learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, then learn the rows in order, ``epochs`` times."""
        self._check_not_frozen()
        check_parameters(self)
        table = self._read(X, None)
        learner, ranks = self._started(table, y, None, None)
        order, scales = self._weighted(sample_weight, len(ranks))
        if order is None or (len(scales) and not scales.any()):
            raise ValueError("every sample_weight is zero: there is nothing to learn")
        random = _generator(self.random_state)
        for _ in range(self.epochs):
            rows = _shuffled(order, len(ranks), random) if self.shuffle else order
            self._learn(learner, table, ranks, rows, scales)
        self._learner = learner
        return self

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Go on learning, the rows in order; the first call settles the labels, by ``classes`` or by what ``y`` holds."""
        self._learn_more(X, y, classes, sample_weight, predict=False)
        return self

    def predict_then_learn(self, X: Any, y: Any) -> np.ndarray:
        """What ``predict`` would have said of every row after learning those before it; learns them all."""
        ranks = self._learn_more(X, y, None, None, predict=True)
        return self._labels.decode(ranks)

    def _learn_more(self, X: Any, y: Any, classes: Any, sample_weight: Any, predict: bool) -> np.ndarray:
        self._check_not_frozen()
        check_parameters(self)
        learner = self._learner
        table = self._read(X, learner)
        learner, ranks = self._started(table, y, classes, learner)
        order, scales = self._weighted(sample_weight, len(ranks))
        predictions = np.empty(len(ranks) if predict else 0, np.int64)
        self._learn(learner, table, ranks, order, scales, predictions)
        self._learner = learner
        return predictions

    def _learn(self, learner: Learner, table: Table, ranks: Any, order: Any, scales: Any, predictions: Any = NO_INTEGERS) -> None:
        if order is None:
            return  # every weight is 0
        refused = learner.learn(table, ranks, order, scales, predictions)
        if refused >= 0:
            self._refuse(table, refused)

    def _started(self, table: Table, y: Any, classes: Any, learner: Learner | None) -> tuple[Learner, np.ndarray]:
        """The learner for these rows, a new one if there is none, and the ranks of their labels."""
        targets, own_classes = self._read_targets(y)
        if len(targets) != table.n_rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{table.n_rows}, {len(targets)}]")
        if learner is None:
            labels = self._first_labels(targets, self.classes if classes is None else classes, own_classes)
            ranks = labels.encode(targets)
            features = Features(table.n_columns, table.names)
            return Learner(self._parts(table.n_columns, len(labels)), features, labels), ranks
        if classes is not None and list(as_labels(classes).tolist()) != learner.labels.names:
            raise ValueError(f"classes={list(classes)} differ from {learner.labels.names}, which the model has learned with")
        return learner, learner.labels.encode(targets)

    def _first_labels(self, targets: np.ndarray, classes: Any, own_classes: Any) -> Labels:
        if classes is None and own_classes is None:
            check_targets(targets)
            labels = Labels(distinct(targets))
            if len(labels) < 2:
                raise ValueError(f"the first rows hold one class only, {labels.names}; pass classes= with all of them in order")
            return labels
        labels = Labels(as_labels(own_classes if classes is None else classes))
        if len(labels) < 2:
            raise ValueError(f"classes={labels.names} should name at least two labels, in ascending order")
        return labels

    def _read(self, X: Any, learner: Learner | None) -> Table:
        """The rows of ``X``, with the columns that ``learner`` knows."""
        table = read_table(X, self.missing)
        if learner is not None:
            self._check_columns(learner, table)
        return table

    def _read_targets(self, y: Any) -> tuple[np.ndarray, Any]:
        """The labels as an array, and their order if they come with one."""
        if y is None:
            raise ValueError("learning requires y to be passed, but the target y is None")
        categories = getattr(y, "cat", None)
        own = list(categories.categories) if categories is not None and categories.ordered else None
        return as_labels(np.asarray(y) if hasattr(y, "__array__") else y), own

    def _check_columns(self, learner: Learner, table: Table) -> None:
        if table.n_columns != learner.features.count:
            raise ValueError(
                f"X has {table.n_columns} features, but {type(self).__name__} is expecting "
                f"{learner.features.count} features as input"
            )
        names = learner.features.names
        if names is not None and table.names is not None and table.names != names:
            raise ValueError(f"The feature names should match those that were passed during fit: {names}, got {table.names}")

    def _weighted(self, sample_weight: Any, n_rows: int) -> tuple[np.ndarray | None, np.ndarray]:
        """The order in which to present the rows (None for nothing to present) and the scale of their steps."""
        if sample_weight is None:
            return NO_INTEGERS, NO_NUMBERS
        weights = np.asarray(sample_weight, np.float64)
        if weights.shape != (n_rows,):
            raise ValueError(f"sample_weight should hold one number a row, {n_rows}; its shape is {weights.shape}")
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("sample_weight should hold numbers from 0 on")
        if self.sample_weights == "steps":
            return NO_INTEGERS, weights
        if self.sample_weights == "flags" and not np.isin(weights, (0, 1)).all():
            raise ValueError(f"{type(self).__name__} takes weights of 0 or 1: learning a row again would not change the model")
        if (weights != np.round(weights)).any():
            raise ValueError(
                f"{type(self).__name__} takes whole weights, so many presentations: others would put thresholds out of order"
            )
        order = np.repeat(np.arange(n_rows), weights.astype(np.int64))
        return order if len(order) else None, NO_NUMBERS

    # One example at a time

    def learn_one(self, x: Any, y: Any) -> None:
        """Learn one example: a 1-D array, or a mapping from feature names to numbers, where new names may appear."""
        self._check_not_frozen()
        learner = self._learner or self._fresh(x, y)
        table, complete = learner.features.row(x, self.missing)
        rank = learner.labels.rank_of.get(y)
        if not complete or rank is None:
            self._learn_new(learner, x, y)
        elif learner.learn_row(table, rank) >= 0:
            self._refuse(table, 0)
        self._learner = learner

    def _learn_new(self, learner: Learner, x: Any, y: Any) -> None:
        """Learn an example that brings new features or a new label; if it is refused, they are not there."""
        restore = learner.bookmark()
        try:
            learner.add_features(learner.features.unknown(x))
            table, _ = learner.features.row(x, self.missing)
            if y not in learner.labels.rank_of:
                if learner.labels.closed:
                    learner.labels.refuse(y)
                if learner.insert(y, table) >= 0:
                    self._refuse(table, 0)
            if learner.learn_row(table, learner.labels.rank_of[y]) >= 0:
                self._refuse(table, 0)
        except Exception:
            restore()
            raise

    def predict_one(self, x: Any) -> Any:
        """The label of one example; with ``classes`` given it answers before any learning."""
        learner = self._learner
        if learner is None and self.classes is not None:
            learner = self._fresh(x, None)
        learner = learner or self._learned
        table, _ = learner.features.row(x, self.missing)
        answer = np.empty(1, np.int64)
        if learner.answer(table, answer) >= 0:
            self._refuse(table, 0)
        return learner.labels.names[answer[0]]

    def _fresh(self, x: Any, y: Any) -> Learner:
        check_parameters(self)
        labels = Labels(as_labels([y]), closed=False) if self.classes is None else Labels(as_labels(self.classes))
        features = Features(names=[], hash_bits=self.hash_bits) if isinstance(x, Mapping) else Features(len(x))
        learner = Learner(self._parts(max(features.count, 8), len(labels)), features, labels)
        learner.add_features([])
        return learner

    # Answers

    def predict(self, X: Any) -> np.ndarray:
        """The label of every row."""
        learner, table = self._asked(X)
        ranks = np.empty(table.n_rows, np.int64)
        self._answer(learner, table, predictions=ranks)
        return learner.labels.decode(ranks)

    def project(self, X: Any) -> np.ndarray:
        """The projection w·x of every row: the higher, the higher its rank, so this is what to sort by."""
        return self._scores(X)[:, -1].copy()

    def decision_function(self, X: Any) -> np.ndarray:
        """How far inside the interval of each label a row is; for two labels, how far above the threshold."""
        above = self._scores(X)[:, :-1]
        if above.shape[1] == 1:
            return np.where(above == 0, ABOVE_A_TIE, above)[:, 0]
        below = np.where(above == 0, -ABOVE_A_TIE, -above)
        end = np.full((len(above), 1), np.inf)
        inside: np.ndarray = np.minimum(np.hstack([end, above]), np.hstack([below, end]))
        return inside

    def _scores(self, X: Any) -> np.ndarray:
        learner, table = self._asked(X)
        scores = np.empty((table.n_rows, len(learner.labels)))
        self._answer(learner, table, scores=scores)
        return np.divide(scores, learner.age if learner.is_averaged else 1)

    def _asked(self, X: Any) -> tuple[Learner, Table]:
        learner = self._learned
        return learner, self._read(X, learner)

    def _answer(self, learner: Learner, table: Table, **wanted: np.ndarray) -> None:
        refused = learner.answer(table, **wanted)
        if refused >= 0:
            self._refuse(table, refused)

    def _refuse(self, table: Table, row: int) -> NoReturn:
        refuse_row(table, row)

    # What has been learned

    @property
    def _learned(self) -> Learner:
        learner: Learner | None = self._learner
        if learner is None:
            raise self._not_fitted(f"this {type(self).__name__} has not learned anything yet")
        return learner

    @property
    def _labels(self) -> Labels:
        return self._learned.labels

    @property
    def classes_(self) -> np.ndarray:
        """The labels in ascending order."""
        return self._labels.values

    @property
    def n_features_in_(self) -> int:
        """How many features there are."""
        return self._learned.features.count

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The names of the features, where they have any."""
        names = self._learned.features.names
        if names is None:
            raise AttributeError(f"this {type(self).__name__} knows no feature names")
        array = np.empty(len(names), object)
        array[:] = names
        return array

    @property
    def coef_(self) -> np.ndarray:
        """The direction w that ``predict`` uses."""
        return self._learned.hypothesis().coef

    @property
    def thresholds_(self) -> np.ndarray:
        """The thresholds b that ``predict`` uses."""
        return self._learned.hypothesis().thresholds

    @property
    def n_seen_(self) -> int:
        """How many rows were learned."""
        return self._learned.age

    @property
    def n_updates_(self) -> int:
        """How many of them changed the hypothesis."""
        return int(self._learned.counts[1])

    @property
    def cumulative_loss_(self) -> int:
        """How many ranks the learning hypothesis was off before each update, in all."""
        return int(self._learned.counts[2])

    def snapshot(self) -> Self:
        """An independent copy that only answers: the way to read a model while another thread lets it learn."""
        frozen = copy.copy(self)
        with self._learned.lock:
            frozen._learner = copy.deepcopy(self._learned)
        frozen.__dict__["_frozen"] = True
        return frozen

    def _check_not_frozen(self) -> None:
        if self._frozen:
            raise ValueError("a snapshot does not learn; let the model it was taken from learn, or save and load it")

    # Model files

    def save(self, path: str | Path) -> None:
        """Write the model to a file, all of it or nothing; ``ranktron.load`` reads it and goes on bit for bit."""
        learner = self._learned
        header = {
            "algorithm": type(self).__name__,
            "parameters": {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)},
            "classes": files.label_record(learner.labels.values),
            "closed": learner.labels.closed,
            "features": {
                "count": learner.features.count,
                "names": learner.features.names,
                "hash_bits": learner.features.hash_bits,
            },
        }
        files.write(path, header, {**learner.arrays(), "counts": learner.counts})


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _generator(random_state: Any) -> Any:
    return random_state if hasattr(random_state, "permutation") else np.random.default_rng(random_state)


def _shuffled(order: np.ndarray | None, n_rows: int, random: Any) -> np.ndarray | None:
    if order is None:
        return None
    rows = random.permutation(n_rows)
    return rows if len(order) == 0 else np.repeat(rows, np.bincount(order, minlength=n_rows)[rows])
