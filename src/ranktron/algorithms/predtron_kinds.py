"""The classes of a Predtron by the kind of its task: a model of labels, of targets that are not labels, or of lists."""

from __future__ import annotations

import dataclasses
import functools
import numbers
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import tasks
from ..core.decisions import Unrated
from ..core.grades import Graded
from ..core.lists import Lists
from ..core.protocol import calibration_state
from ..core.reject import threshold_of
from ..models.features import Features
from ..models.inputs import check_lengths
from ..models.kinds.list import ListModel, mean_value
from ..models.kinds.ranking import measure_of
from ..models.kinds.row import RowModel, class_scores
from ..models.kinds.target import TargetModel, check_all
from ..models.labels import Labels, as_labels, short
from ..models.learners.concurrency import reads
from ..models.learners.list import ListLearner
from ..models.learners.parts import Parts
from ..models.learners.row import CostLearner, RowLearner
from ..tasks.own import Own
from .predtron import Predtron

# The prediction for a row that is rejected, where labels are numbers; elsewhere it is None.
NO_ANSWER = -1


class OfRows(Predtron):
    """A Predtron of rows."""

    def learn_one(self, x: Any, y: Any) -> None:
        """Learn one example: a 1-D array or a mapping, and its target."""
        self._check_task()
        super().learn_one(x, y)  # type: ignore[misc]

    def predict_one(self, x: Any) -> Any:
        """What is predicted of one example; with all labels given it answers before any learning."""
        self._check_task()
        return super().predict_one(x)  # type: ignore[misc]

    @property
    @reads
    def intercept_(self) -> np.ndarray:
        """One constant per score; zeros without ``fit_intercept``."""
        learner = self._learned
        intercept = np.atleast_1d(learner.hypothesis().intercept)
        return intercept if len(intercept) == learner.n_scores else np.zeros(learner.n_scores)


@dataclasses.dataclass(eq=False, repr=False)
class ClassPredtron(OfRows, RowModel):
    """A Predtron with one label per row."""

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        task = self._task
        scorer = self._scorer(n_columns, task.scores_for(n_ranks))
        return Parts(scorer, self._rule(task.core(n_ranks), task.smallest_loss), task.decision(n_ranks))

    def _new_learner(self, n_features: int, features: Features, labels: Labels) -> CostLearner:
        return CostLearner(self._assembled(n_features, len(labels)), features, labels, self._plan())

    @property
    @reads
    def cumulative_loss_(self) -> float:
        """The total loss of the learning hypothesis, before each update; it does not reject."""
        return float(self._learned.losses[0])

    @property
    @reads
    def threshold_(self) -> float:
        """The lead that the best prediction needs not to be rejected, for a task that may reject."""
        learner = self._learned
        if not calibration_state(learner.decision):
            raise AttributeError("this Predtron never rejects, so it has no threshold_; give its task reject=")
        return float(threshold_of(learner.decision.state))

    # Labels

    def _given_classes(self) -> Sequence[Any] | None:
        if self.classes is not None or isinstance(self.task, tasks.Binary):
            return self.classes
        n_labels = self._task.n_labels
        return None if n_labels is None else range(n_labels)

    def _first_labels(self, targets: np.ndarray, classes: Any, own_classes: Any) -> Labels:
        return self._fitting(super()._first_labels(targets, classes, own_classes))

    def _labels_in(self, header: dict[str, Any]) -> Labels:
        return self._fitting(super()._labels_in(header))

    def _labels_for_one(self, y: Any) -> Labels:
        if isinstance(self.task, tasks.Binary) and self._given_classes() is None:
            if not isinstance(y, bool | np.bool_):
                raise ValueError("Predtron: one example does not show both labels of Binary(); pass classes= with them")
            return self._fitting(Labels(np.array([False, True])))
        return self._fitting(super()._labels_for_one(y))

    def _fitting(self, labels: Labels) -> Labels:
        n_labels = self._task.n_labels
        if n_labels is not None and n_labels != len(labels):
            only = "Only binary classification is supported. " if isinstance(self.task, tasks.Binary) else ""
            raise ValueError(f"{only}{self._task!r:.80} has {n_labels} labels, not {len(labels)}: {short(labels.names)}")
        self._check_not_silence(labels.names)
        return labels

    def _check_not_silence(self, names: list[Any]) -> None:
        if self._rejects and NO_ANSWER in names:
            raise ValueError("Predtron: -1 is predicted for rejected rows, so it cannot be a label; rename the labels")

    def _learn_new(self, learner: RowLearner, x: Any, y: Any) -> None:
        self._check_not_silence([y])
        super()._learn_new(learner, x, y)

    # Predictions

    @property
    def _rejects(self) -> bool:
        return self._task.reject is not None or isinstance(self.task, tasks.RejectAsPublished)

    @property
    def _has_own_predictions(self) -> bool:
        """Whether predictions are not labels, but have numbers of their own."""
        return isinstance(self.task, tasks.Finite) and len(self.task.losses) != self.task.n_labels

    def _decode(self, answers: np.ndarray) -> np.ndarray:
        labels = self._labels
        if self._has_own_predictions:
            return answers
        if not self._rejects:
            return labels.decode(answers)
        silent = (answers < 0) | (answers >= len(labels))
        decoded = labels.decode(np.where(silent, 0, answers))
        decoded = decoded.astype(
            np.int64 if decoded.dtype.kind in "iub" else decoded.dtype if decoded.dtype.kind == "f" else object
        )
        decoded[silent] = NO_ANSWER if decoded.dtype.kind in "if" else None
        return decoded

    def _decode_one(self, rank: int, labels: Labels) -> Any:
        if self._has_own_predictions:
            return rank
        if 0 <= rank < len(labels):
            return labels.names[rank]
        return NO_ANSWER if labels.values.dtype.kind in "iubf" else None

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """The scores t of every row; for one score per row, or two classes (the second's lead), in one dimension."""
        sums, held = self._sums(X)
        scores: np.ndarray = sums[:, 0] / held if sums.shape[1] == 1 else class_scores(sums, held)
        return scores


@dataclasses.dataclass(eq=False, repr=False)
class TargetPredtron(OfRows, TargetModel):
    """A Predtron whose predictions are sets of labels, orders of labels, or those of a user's own task."""

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        task = self._task
        smallest = task.smallest_loss_for(n_ranks) if isinstance(task, tasks.MultilabelRanking) else task.smallest_loss
        empty: Any = [] if self._own_labels() else np.zeros((1, n_ranks))
        return Parts(self._scorer(n_columns, n_ranks), self._rule(self._aim(empty), smallest), Unrated())

    @property
    def _aim(self) -> Any:
        return functools.partial(aimed, self._task)

    def _own_labels(self) -> int | None:
        if isinstance(self.task, tasks.Multilabel | tasks.MultilabelRanking):
            return None
        count = getattr(self.task, "n_scores", None)
        if isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 1:
            raise ValueError(f"{type(self.task).__name__}: n_scores={count!r} should be a whole number from 1 on")
        return int(count)

    def _checked(self, matrix: np.ndarray) -> np.ndarray:
        if not isinstance(self.task, tasks.Multilabel):
            return super()._checked(matrix)
        check_all(matrix, (matrix == 0) | (matrix == 1), "it should be 0 or 1")
        return matrix.astype(np.uint8)

    def _decode(self, answers: np.ndarray) -> np.ndarray:
        if self._own_labels() is None:
            decoded: np.ndarray = self.task.decode(answers)
            return decoded
        predictions = [self.task.decode(scores) for scores in answers]
        if all(np.ndim(one) == 0 for one in predictions):
            return as_labels(predictions)
        array = np.empty(len(predictions), object)
        array[:] = predictions
        return array

    def save(self, path: str | Path) -> None:
        """Write the model to a file, all of it or nothing; ``ranktron.load`` reads it and goes on bit for bit."""
        self._check_plan(self._learned)
        if self._own_labels() is not None:
            raise ValueError("a Predtron with a task of your own cannot be saved: a file holds none of your code")
        super().save(path)

    @reads
    def score(self, X: Any, y: Any) -> float:
        """The share of sets that are right, the mean of an order's measure, or minus the mean loss of a user's own task."""
        scores, targets = self.decision_function(X), self._targets_to_score(y)
        check_lengths(len(scores), len(targets))
        if isinstance(self.task, tasks.MultilabelRanking):
            return mean_value(
                self.task.measure, targets.ravel(), scores.ravel(), np.repeat(np.arange(len(scores)), scores.shape[1])
            )
        predictions = self.predict(X)
        if isinstance(self.task, tasks.Multilabel):
            return float((predictions == targets).all(axis=1).mean())
        return -float(np.mean([self.task.loss_of(*pair) for pair in zip(predictions, targets, strict=True)]))


def aimed(task: Any, targets: Any) -> Any:
    """The task as the loops know it, with the targets of a batch."""
    if isinstance(task, tasks.Multilabel):
        return task.core(targets.astype(np.uint8))
    if isinstance(task, tasks.MultilabelRanking):
        return task.label_core(targets)
    return Own(task, targets)


@dataclasses.dataclass(eq=False, repr=False)
class ListPredtron(Predtron, ListModel):
    """Lists of documents with grades."""

    @property
    def measure(self) -> str:
        """The measure of the order of a list."""
        return str(self.task.measure)

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        rule = self._rule(self.task.core(16), self.task.smallest_loss)
        return Parts(self._scorer(n_columns, 1, as_line=True), rule, measure_of(self.measure))

    def _graded(self, grades: np.ndarray, lists: Lists) -> Graded:
        given: Graded = self.task.graded(grades, lists)
        return given

    def _new_learner(self, n_features: int, features: Features, labels: Any = None) -> ListLearner:
        return OrderLearner(self._assembled(n_features, 1), features, self._plan(), self.task)

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of every row, as ``predict``."""
        return self.predict(X)


class OrderLearner(ListLearner):
    """Its rule has a discount for every place that a list may have."""

    def __init__(self, parts: Parts, features: Features, plan: dict[str, Any], task: Any) -> None:
        self.task = task
        super().__init__(parts, features, plan)

    def _reach(self, longest: int) -> None:
        super()._reach(longest)
        if longest > len(self.rule.task.worth):
            self.rule = self.rule._replace(task=self.task.core(2 * longest))


for _kind in (ClassPredtron, TargetPredtron, ListPredtron):
    _kind.__name__ = "Predtron"  # what it is to users, and in files

Predtron.kinds = {"classes": ClassPredtron, "targets": TargetPredtron, "lists": ListPredtron}
