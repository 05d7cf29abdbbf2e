"""Models of rows that each have a target: a label, unless a subclass says otherwise."""

from __future__ import annotations

import abc
import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np

from ...core.checks import refuse_masked
from ...core.protocol import pause_calibration
from .. import files
from ..features import Features
from ..inputs import Table, check_lengths
from ..labels import Labels, as_labels, check_label, check_targets, distinct, given_labels, own_order, refuse_label, short
from ..learners.concurrency import reads, waited
from ..learners.learner import NO_INTEGERS, NO_NUMBERS
from ..learners.row import RowLearner
from ..order import generator, presentations, shuffled
from ..parameters import check_parameters, labels_in_order
from .model import Model

FADING = (
    "the budget is spent: rows that are dropped leave the mean over time too, so its direction fades and its thresholds do not; "
    "with a budget use average=False"
)


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class RowModel(Model, abc.ABC):
    """A model of rows, which learns in batches and one at a time; new labels may appear on the way."""

    classes: Sequence[Any] | None = labels_in_order(
        help="""
        All labels in ascending order. Give them if their order is not the sorted order, as in ``["low", "mid", "high"]``, or if
        the first rows lack some of them. None takes the labels of the first batch in sorted order, and ``learn_one`` then inserts
        new labels when they appear.
        """
    )

    # What a weight means: "counts" of presentations, "flags" that leave a row out, or "steps" to scale.
    sample_weights: ClassVar[str] = "counts"

    # Batches

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, then learn the rows in order, ``epochs`` times."""
        self._check_not_frozen()
        check_parameters(self)
        table = self._read(X, None)
        learner, targets = self._learner_and_targets(table, y, None, None)
        order, scales = presentations(sample_weight, table.n_rows, self.sample_weights)
        if order is None or (len(scales) and not scales.any()):
            raise ValueError("every sample_weight is zero: there is nothing to learn")
        random = generator(self.random_state)
        for epoch in range(self.epochs):
            # A row that was learned before says little about how far off the predictions of new rows will be.
            learner.decision = pause_calibration(learner.decision, epoch > 0)
            rows = shuffled(order, table.n_rows, random) if self.shuffle else order
            self._learn(learner, table, targets, rows, scales)
        learner.decision = pause_calibration(learner.decision, False)
        self._learner = learner
        return self

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Go on learning, the rows in order; the first call settles the labels, by ``classes`` or by what ``y`` holds."""
        self._learn_batch(X, y, classes, sample_weight)
        return self

    def predict_then_learn(self, X: Any, y: Any) -> np.ndarray:
        """What ``predict`` would have said of every row after learning those before it; learns them all."""
        return self._decode(self._learn_batch(X, y, predict=True))

    def _learn_batch(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, predict: bool = False) -> np.ndarray:
        """Learn the rows once; with ``predict`` returns what was predicted of them before, as the loops write it."""
        self._check_not_frozen()
        check_parameters(self)
        table = self._read(X, self._learner)
        learner, targets = self._learner_and_targets(table, y, classes, self._learner)
        order: np.ndarray | None = NO_INTEGERS
        scales: np.ndarray = NO_NUMBERS
        if sample_weight is not None:
            order, scales = presentations(sample_weight, table.n_rows, self.sample_weights)
        predictions = self._empty_predictions(learner, table.n_rows) if predict else NO_INTEGERS
        self._learn(learner, table, targets, order, scales, predictions)
        self._learner = learner  # not earlier: a first batch that is refused leaves no learner
        return predictions

    def _learn(
        self, learner: RowLearner, table: Table, targets: Any, order: Any, scales: Any, predictions: np.ndarray = NO_INTEGERS
    ) -> None:
        if order is None:
            return  # every weight is 0
        may_fade = learner.kernel_view is not None and self._averages and not learner.has_evicted
        refused = learner.learn(table, targets, order, scales, predictions)
        if refused >= 0:
            self._refuse(table, refused)
        if may_fade and learner.has_evicted:
            warnings.warn(FADING, UserWarning, stacklevel=4)

    @property
    def _learned(self) -> RowLearner:
        return cast(RowLearner, super()._learned)

    # Labels

    def _new_learner(self, n_features: int, features: Features, labels: Any) -> RowLearner:
        return RowLearner(self._assembled(n_features, len(labels)), features, labels, self._plan())

    def _known(self) -> dict[str, Any]:
        return {"classes": files.label_record(self._labels.values), "closed": self._labels.closed}

    def _labels_in(self, header: dict[str, Any]) -> Any:
        if self.classes is not None:
            given_labels(self.classes)
        labels = Labels(files.labels_of(header["classes"]), files.said(header, "closed", bool))
        if not len(labels) or not (labels.closed or labels.names == sorted(labels.names)):
            raise ValueError(f"labels {short(labels.names)} are not in ascending order")
        return labels

    @property
    def _labels(self) -> Labels:
        return self._learned.labels

    @property
    @reads
    def classes_(self) -> np.ndarray:
        """The labels in ascending order."""
        return self._labels.values

    def _given_classes(self) -> Sequence[Any] | None:
        """All labels in order, if the parameters say so."""
        return self.classes

    def _empty_predictions(self, learner: RowLearner, rows: int) -> np.ndarray:
        return np.empty(rows, np.int64)

    def _decode(self, predictions: np.ndarray) -> np.ndarray:
        """The labels of what the loops predicted."""
        return self._labels.decode(predictions)

    def _decode_one(self, rank: int, labels: Labels) -> Any:
        return labels.names[rank]

    def _learner_and_targets(self, table: Table, y: Any, classes: Any, learner: RowLearner | None) -> tuple[RowLearner, Any]:
        """The learner for these rows, a new one if there is none, and the ranks of their labels."""
        targets, own_classes = self._read_targets(y)
        check_lengths(table.n_rows, len(targets))
        if learner is None:
            labels = self._first_labels(targets, self._given_classes() if classes is None else classes, own_classes)
            ranks = labels.encode(targets)
            features = Features(table.n_columns, table.names, may_grow=self.hash_bits is None)
            return self._new_learner(table.n_columns, features, labels), ranks
        self._check_plan(learner)
        self._check_labels(learner.labels, targets, classes, own_classes)
        return learner, learner.labels.encode(targets)

    def _check_labels(self, labels: Any, targets: Any, classes: Any, own_classes: Any) -> None:
        """Raise ValueError unless the model has learned with these ``classes``, if they are given."""
        if classes is not None:
            labels.check_given(classes)

    def _first_labels(self, targets: Any, classes: Any, own_classes: Any) -> Any:
        if classes is None and own_classes is None:
            check_targets(targets)
            labels = Labels(distinct(targets))
            if len(labels) < 2:
                raise ValueError(
                    f"the first rows hold one class only, {short(labels.names)}; pass classes= with all of them in order"
                )
            return labels
        return given_labels(own_classes if classes is None else classes)

    def _labels_for_one(self, y: Any) -> Any:
        """The labels that are known when the first example comes alone."""
        classes = self._given_classes()
        if classes is not None:
            return given_labels(classes)
        check_label(y)
        return Labels(as_labels([y]), closed=False)

    def _read_targets(self, y: Any) -> tuple[np.ndarray, Any]:
        """The labels as an array, and their order if they come with one."""
        if y is None:
            raise ValueError("learning requires y to be passed, but the target y is None")
        if type(y) is np.ndarray:  # which has no mask, and its labels no order of their own
            return as_labels(y), None
        refuse_masked(y, "y")
        return as_labels(np.asarray(y) if hasattr(y, "__array__") else y), own_order(y)

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
        if not complete or rank is None:  # only new names and labels have to be undone
            self._learn_new(learner, x, y)
        elif learner.learn_row(table, rank) >= 0:
            self._refuse(table, 0)
        self._learner = learner

    def _learn_new(self, learner: RowLearner, x: Any, y: Any) -> None:
        """Learn an example that brings new features or a new label; if it is refused, they are not there."""
        with learner.undoing():
            learner.add_features(learner.features.unknown(x))
            table, _ = learner.features.row(x, self.missing)
            if y not in learner.labels.rank_of:
                self._insert(learner, table, y)
            if learner.learn_row(table, learner.labels.rank_of[y]) >= 0:
                self._refuse(table, 0)

    def _insert(self, learner: RowLearner, table: Table, label: Any) -> None:
        """Insert a rank for a new label, which came with the one row of ``table``."""
        if learner.labels.closed:
            learner.labels.refuse(label)
        check_label(label)
        if learner.insert(label, table) >= 0:
            self._refuse(table, 0)
        learner.adopt(self._assembled(1, len(learner.labels)))

    def predict_one(self, x: Any) -> Any:
        """The label of one example; with ``classes`` given it answers before any learning."""
        learner = self._known_learner(x)
        if not learner.lock.acquire(False):  # as in ``reads``, which takes longer
            learner = waited(learner)
        try:
            table, _ = learner.features.row(x, self.missing)
            rank = learner.predict_row(table)
            if rank is None:
                self._refuse(table, 0)
            return self._decode_one(rank, learner.labels)
        finally:
            learner.lock.release()

    def _known_learner(self, x: Any) -> RowLearner:
        """The learner, or with ``classes`` given a new one for ``x`` if there is none yet."""
        if self._learner is None and self._given_classes() is not None:
            return self._fresh(x, None)
        return self._learned

    def _fresh(self, x: Any, y: Any) -> RowLearner:
        check_parameters(self)
        labels = self._labels_for_one(y)
        features = Features.of(x, self.hash_bits)
        learner = self._new_learner(features.count or 8, features, labels)
        learner.add_features([])
        return learner

    # Answers

    @reads
    def predict(self, X: Any) -> np.ndarray:
        """The label of every row."""
        learner, table = self._rows_for_prediction(X)
        ranks = self._empty_predictions(learner, table.n_rows)
        self._predict_into(learner, table, predictions=ranks)
        return self._decode(ranks)

    def _sums(self, X: Any) -> tuple[np.ndarray, float]:
        """The scores that decide, which are sums where there are many hypotheses, and over how many."""
        learner, table = self._rows_for_prediction(X)
        return self._sums_of(learner, table), learner.divisor

    def _scores(self, X: Any) -> np.ndarray:
        sums, held = self._sums(X)
        return sums / held


def class_scores(sums: np.ndarray, held: float) -> np.ndarray:
    """The score of every class, the winner's the highest still; for two classes, the second's lead."""
    scores: np.ndarray = np.divide(sums[:, 1] - sums[:, 0] if sums.shape[1] == 2 else sums, held)
    if scores.ndim == 1:
        return scores
    rows, winners = np.arange(len(sums)), sums.argmax(axis=1)
    lost = scores.argmax(axis=1) != winners  # different sums, the same quotient
    scores[rows[lost], winners[lost]] = np.nextafter(scores[rows[lost], winners[lost]], np.inf)
    return scores
