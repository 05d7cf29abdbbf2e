"""Ordinal models: parameters around a learner, in plain Python."""

from __future__ import annotations

import abc
import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np

from . import files
from .features import Features
from .inputs import Table
from .labels import Labels, as_labels, check_label, check_targets, distinct, given_labels, own_order, refuse_label, short
from .learner import NO_INTEGERS
from .model import Model
from .order import generator, presentations, shuffled
from .parameters import check_parameters, labels_in_order
from .row_learner import RowLearner

FADING = (
    "the budget is spent: rows that are let go leave the mean over time too, so its direction fades and its thresholds do not; "
    "with a budget use average=False"
)

ABOVE_A_TIE = 5e-324
"""The smallest positive number: a projection on a threshold counts as above it, and ``decision_function`` has to show that."""


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class OrdinalModel(Model, abc.ABC):
    """What all ordinal models share: parameters, and a learner that they are put together into."""

    classes: Sequence[Any] | None = labels_in_order()

    sample_weights: ClassVar[str] = "counts"
    """What a weight means: "counts" of presentations, "flags" that leave a row out, or "steps" to scale."""

    def _new_learner(self, n_features: int, features: Features, labels: Labels) -> RowLearner:
        return RowLearner(self._assembled(n_features, len(labels)), features, labels, self._plan())

    def _known(self) -> dict[str, Any]:
        return {"classes": files.label_record(self._labels.values), "closed": self._labels.closed}

    def _labels_in(self, header: dict[str, Any]) -> Labels:
        return Labels(files.labels_of(header["classes"]), header["closed"])

    # What was learned

    @property
    def _learned(self) -> RowLearner:
        return cast(RowLearner, super()._learned)

    @property
    def _labels(self) -> Labels:
        return self._learned.labels

    @property
    def classes_(self) -> np.ndarray:
        """The labels in ascending order."""
        return self._labels.values

    @property
    def thresholds_(self) -> np.ndarray:
        """The thresholds b that ``predict`` uses."""
        return self._learned.hypothesis().thresholds

    @property
    def cumulative_loss_(self) -> int:
        """How many ranks the learning hypothesis was off before each update, in all."""
        return int(self._learned.counts[2])

    # Learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, then learn the rows in order, ``epochs`` times."""
        self._check_not_frozen()
        check_parameters(self)
        table = self._read(X, None)
        learner, ranks = self._started(table, y, None, None)
        order, scales = presentations(sample_weight, len(ranks), self.sample_weights)
        if order is None or (len(scales) and not scales.any()):
            raise ValueError("every sample_weight is zero: there is nothing to learn")
        random = generator(self.random_state)
        for _ in range(self.epochs):
            rows = shuffled(order, len(ranks), random) if self.shuffle else order
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
        order, scales = presentations(sample_weight, len(ranks), self.sample_weights)
        predictions = np.empty(len(ranks) if predict else 0, np.int64)
        self._learn(learner, table, ranks, order, scales, predictions)
        self._learner = learner
        return predictions

    def _learn(self, learner: RowLearner, table: Table, ranks: Any, order: Any, scales: Any, wanted: Any = NO_INTEGERS) -> None:
        if order is None:
            return  # every weight is 0
        had_room = not learner.has_evicted
        refused = learner.learn(table, ranks, order, scales, wanted)
        if refused >= 0:
            self._refuse(table, refused)
        if had_room and learner.has_evicted and self._averages:
            warnings.warn(FADING, UserWarning, stacklevel=4)

    def _started(self, table: Table, y: Any, classes: Any, learner: RowLearner | None) -> tuple[RowLearner, np.ndarray]:
        """The learner for these rows, a new one if there is none, and the ranks of their labels."""
        targets, own_classes = self._read_targets(y)
        if len(targets) != table.n_rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{table.n_rows}, {len(targets)}]")
        if learner is None:
            labels = self._first_labels(targets, self.classes if classes is None else classes, own_classes)
            ranks = labels.encode(targets)
            features = Features(table.n_columns, table.names, may_grow=self.hash_bits is None)
            return self._new_learner(table.n_columns, features, labels), ranks
        self._check_plan(learner)
        if classes is not None and given_labels(classes).names != learner.labels.names:
            raise ValueError(
                f"classes={short(list(classes))} differ from {short(learner.labels.names)}, which the model learned with"
            )
        return learner, learner.labels.encode(targets)

    def _first_labels(self, targets: np.ndarray, classes: Any, own_classes: Any) -> Labels:
        if classes is None and own_classes is None:
            check_targets(targets)
            labels = Labels(distinct(targets))
            if len(labels) < 2:
                raise ValueError(
                    f"the first rows hold one class only, {short(labels.names)}; pass classes= with all of them in order"
                )
            return labels
        return given_labels(own_classes if classes is None else classes)

    def _read_targets(self, y: Any) -> tuple[np.ndarray, Any]:
        """The labels as an array, and their order if they come with one."""
        if y is None:
            raise ValueError("learning requires y to be passed, but the target y is None")
        own = own_order(y)
        return as_labels(np.asarray(y) if hasattr(y, "__array__") else y), own

    # One example at a time

    def learn_one(self, x: Any, y: Any) -> None:
        """Learn one example: a 1-D array, or a mapping from feature names to numbers, where new names may appear."""
        self._check_not_frozen()
        learner = self._learner or self._fresh(x, y)
        table, complete = learner.features.row(x, self.missing)
        try:
            rank = learner.labels.rank_of.get(y)
        except TypeError:
            refuse_label(y)
        if not complete or rank is None:
            with learner.lock:
                self._learn_new(learner, x, y)
        elif learner.learn_row(table, rank) >= 0:
            self._refuse(table, 0)
        self._learner = learner

    def _learn_new(self, learner: RowLearner, x: Any, y: Any) -> None:
        """Learn an example that brings new features or a new label; if it is refused, they are not there."""
        restore = learner.bookmark()
        try:
            learner.add_features(learner.features.unknown(x))
            table, _ = learner.features.row(x, self.missing)
            if y not in learner.labels.rank_of:
                if learner.labels.closed:
                    learner.labels.refuse(y)
                check_label(y)
                if learner.insert(y, table) >= 0:
                    self._refuse(table, 0)
                learner.adopt(self._assembled(1, len(learner.labels)))
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
        rank = learner.answer_row(table)
        if rank < 0:
            self._refuse(table, 0)
        return learner.labels.names[rank]

    def _fresh(self, x: Any, y: Any) -> RowLearner:
        check_parameters(self)
        if self.classes is None:
            check_label(y)
            labels = Labels(as_labels([y]), closed=False)
        else:
            labels = given_labels(self.classes)
        features = Features.of(x, self.hash_bits)
        learner = self._new_learner(features.count or 8, features, labels)
        learner.add_features([])
        return learner

    # Answers

    def predict(self, X: Any) -> np.ndarray:
        """The label of every row."""
        learner, table = self._asked(X)
        ranks = np.empty(table.n_rows, np.int64)
        self._answer(learner, table, predictions=ranks)
        return self._labels.decode(ranks)

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
        sums, held = self._sums(X)
        scores: np.ndarray = sums / held
        return scores

    def _sums(self, X: Any) -> tuple[np.ndarray, float]:
        """The scores that decide, which are sums where there are many hypotheses, and over how many."""
        learner, table = self._asked(X)
        sums = np.empty((table.n_rows, len(learner.labels)))
        self._answer(learner, table, scores=sums)
        return sums, learner.divisor
