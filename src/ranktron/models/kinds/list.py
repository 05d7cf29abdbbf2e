"""Models that learn lists: parameters around a learner, in plain Python."""

from __future__ import annotations

import abc
import dataclasses
import itertools
import math
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, Self, cast

import numpy as np

from ... import metrics
from ...core.checks import refuse_masked
from ...core.grades import Graded, graded
from ...core.lists import Lists, lists_of, read_twice
from ...core.measures import HIGHEST_GRADE, PrecisionAt
from ...metrics.list_values import values_of
from ..features import Features
from ..inputs import Table, check_lengths
from ..learners.concurrency import reads
from ..learners.learner import NO_INTEGERS, NO_NUMBERS
from ..learners.list import HAS_IDS, ListLearner
from ..order import generator
from ..parameters import check_parameters
from .model import Model


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class ListModel(Model, abc.ABC):
    """What all models of lists share; an algorithm adds its own parameters and ``_parts``."""

    @property
    def looks_within_lists(self) -> bool:
        """Whether the score of a row depends on the other rows of its list, so that lists must come whole."""
        return False

    _unit: ClassVar[str] = "list"

    @property
    @abc.abstractmethod
    def measure(self) -> str:
        """What the order of a list is judged by."""

    def _new_learner(self, n_features: int, features: Features, labels: Any = None) -> ListLearner:
        return ListLearner(self._assembled(n_features, 1), features, self._plan())

    @property
    @reads
    def cumulative_loss_(self) -> float:
        """Σ 1 - measure of the lists as the learning hypothesis ranked them before each update."""
        return float(self._learned.losses[0])

    @property
    def _learned(self) -> ListLearner:
        return cast(ListLearner, super()._learned)

    # Learning

    def fit(self, X: Any, y: Any, qid: Any = None) -> Self:
        """Forget everything, then learn the lists in order of first appearance, ``epochs`` times.

        ``qid`` holds the id of each row's list; without it all rows are one list.
        """
        self._check_not_frozen()
        check_parameters(self)
        learner = self._begun(X)
        table, lists, given = self._lists(learner, X, y, qid)
        random = generator(self.random_state)
        for _ in range(self.epochs):
            order = random.permutation(len(lists.bounds) - 1) if self.shuffle else NO_INTEGERS
            self._learn(learner, table, lists, given, order)
        self._keep(learner, qid)
        return self

    def partial_fit(self, X: Any, y: Any, qid: Any = None) -> Self:
        """Go on learning, the lists in order of first appearance; an id of an earlier call is a new list."""
        self._learn_more(X, y, qid, predict=False)
        return self

    def predict_then_learn(self, X: Any, y: Any, qid: Any = None) -> np.ndarray:
        """What ``predict`` would have said of every row after learning the lists before its own; learns them all."""
        return self._learn_more(X, y, qid, predict=True)

    def learn_list(self, X: Any, y: Any) -> None:
        """Learn one list: rows, or mappings from feature names to numbers, where new names may appear, and their grades."""
        self._learn_more(X, y, None, predict=False)

    def learn_pair(self, better: Any, worse: Any) -> None:
        """Learn that one example, a 1-D array or a mapping, ranks above another: a click, or a preference.

        It is the list of the worse one and the better one, so that equal scores are a mistake.
        """
        self.learn_list([worse, better], [0, 1])

    def _learn_more(self, X: Any, y: Any, qid: Any, predict: bool) -> np.ndarray:
        self._check_not_frozen()
        check_parameters(self)
        learner = self._learner or self._begun(X)
        self._check_plan(learner)
        with learner.undoing():
            table, lists, given = self._lists(learner, X, y, qid)
            scores = np.empty(table.n_rows) if predict else NO_NUMBERS
            self._learn(learner, table, lists, given, wanted=scores)
        self._keep(learner, qid)
        return scores

    def _begun(self, X: Any) -> ListLearner:
        """A learner for rows like these that knows nothing yet."""
        if _are_mappings(X):
            features = Features.of(X[0], self.hash_bits)
        else:
            table = self._read(X, None)
            features = Features(table.n_columns, table.names, may_grow=self.hash_bits is None)
        learner = self._new_learner(features.count or 8, features)
        learner.add_features([])
        return learner

    def _lists(self, learner: ListLearner, X: Any, y: Any, qid: Any) -> tuple[Table, Lists, Graded]:
        if _are_mappings(X):
            # List by list, so that columns do not depend on how a stream is cut into calls.
            self._add_names(learner, X, lists_of(qid, len(X)))
            table = learner.features.table(X, self.missing)
        else:
            table = self._read(X, learner if learner is self._learner else None)
        grades = self._read_grades(y)
        check_lengths(table.n_rows, len(grades))
        lists = lists_of(qid, table.n_rows)
        return table, lists, self._graded(grades, lists)

    def _graded(self, grades: np.ndarray, lists: Lists) -> Graded:
        return graded(grades, lists, self.measure == "ap")

    def _add_names(self, learner: ListLearner, examples: Any, lists: Lists) -> None:
        """Give the new names of each list their columns, in sorted order."""
        rows = lists.order.tolist()
        for start, stop in itertools.pairwise(lists.bounds.tolist()):
            learner.add_features(learner.features.unknown({name: None for row in rows[start:stop] for name in examples[row]}))

    def _learn(
        self,
        learner: ListLearner,
        table: Table,
        lists: Lists,
        given: Graded,
        order: Any = NO_INTEGERS,
        wanted: Any = NO_NUMBERS,
    ) -> None:
        refused = learner.learn(table, lists, given, order, wanted)
        if refused >= 0:
            self._refuse(table, refused)

    def _keep(self, learner: ListLearner, qid: Any) -> None:
        learner.counts[HAS_IDS] |= qid is not None
        self._learner = learner

    def _read(self, X: Any, learner: Any) -> Table:
        """The rows of ``X``, which may be mappings when there is a learner that knows their names."""
        return learner.features.table(X, self.missing) if _are_mappings(X) else super()._read(X, learner)

    def _read_grades(self, y: Any) -> np.ndarray:
        if y is None:
            raise ValueError("learning requires y to be passed, but the target y is None")
        return read_grades(y)

    # Answers

    @reads
    def predict(self, X: Any) -> np.ndarray:
        """The score of every row: the higher, the nearer to the top of its list."""
        learner, table = self._rows_for_prediction(X)
        return self._sums_of(learner, table)[:, 0] / learner.divisor

    def _scores(self, X: Any, qid: Any) -> np.ndarray:
        """The score of every row, where lists may have a say in it."""
        return self.predict(X)

    @reads
    def rank(self, X: Any, qid: Any = None) -> np.ndarray:
        """The rows, best first, the earlier of equals; with ``qid`` one list after the other, in order of first appearance."""
        qid = read_twice(qid)
        scores = self._scores(X, qid)
        lists = lists_of(qid, len(scores))
        rows, place = lists.order, np.repeat(np.arange(len(lists.bounds) - 1), np.diff(lists.bounds))
        return rows[np.lexsort((-scores[rows], place))]

    @reads
    def score(self, X: Any, y: Any, qid: Any = None) -> float:
        """The mean of ``measure`` over the lists that have a relevant document."""
        check_parameters(self)
        if qid is None and self._learned.counts[HAS_IDS]:
            raise ValueError(f"this {type(self).__name__} has learned lists by their qid: pass qid= to score too")
        qid = read_twice(qid)
        return mean_value(self.measure, self._read_grades(y), self._scores(X, qid), qid)


def mean_value(measure: str, grades: np.ndarray, scores: np.ndarray, qid: Any) -> float:
    """The mean of the measure of that name over the lists that have a relevant document."""
    name, _, k = measure.partition("@")
    if name == "ap":
        return float(metrics.average_precision(grades, scores, qid, empty="skip"))
    if name == "ndcg":
        return float(metrics.ndcg(grades, scores, qid, k=int(k) if k else None, empty="skip"))
    values = values_of(PrecisionAt(int(k)), scores, (grades > 0).astype(float), lists_of(qid, len(grades)))
    return float(values[~np.isnan(values)].mean()) if not np.isnan(values).all() else math.nan


def _are_mappings(X: Any) -> bool:
    if not isinstance(X, list | tuple) or not any(isinstance(x, Mapping) for x in X):
        return False
    for x in X:
        if not isinstance(x, Mapping):
            raise TypeError(f"a list of examples should hold mappings or rows, not both: {x!r:.60} is not a mapping")
    return True


def read_grades(y: Any) -> np.ndarray:
    """Grades as an array: finite numbers from 0 on."""
    refuse_masked(y, "y")
    grades = np.asarray(y)
    if grades.ndim != 1:
        raise ValueError(f"y should hold one grade per row; its shape is {grades.shape}")
    if grades.dtype.kind == "O":
        grades = _as_numbers(grades)
    if grades.dtype.kind not in "fiub":
        raise ValueError(f"y holds {grades.dtype} values; grades are numbers from 0 on, 0 for what is irrelevant")
    whole = grades.view(np.uint64) if grades.dtype == np.int64 else grades  # of these a negative one is huge, in one reading
    if len(grades) and not (whole.max() <= HIGHEST_GRADE and (whole is not grades or whole.min() >= 0)):
        _refuse_grade(grades)
    return grades


def _as_numbers(grades: np.ndarray) -> np.ndarray:
    if any(isinstance(grade, str | bytes) for grade in grades.tolist()):
        raise ValueError("y holds strings; grades are numbers from 0 on, 0 for what is irrelevant")
    try:
        return grades.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            "y holds something that is not a number; grades are numbers from 0 on, 0 for what is irrelevant"
        ) from None


def _refuse_grade(grades: np.ndarray) -> NoReturn:
    row = int(np.argmax(~((grades >= 0) & (grades <= HIGHEST_GRADE))))
    grade = grades[row]
    if np.isnan(grade) or np.isinf(grade):
        raise ValueError(f"Input y contains NaN or infinity in row {row}; give every row a grade from 0 on")
    what = "negative" if grade < 0 else f"above {HIGHEST_GRADE:g}"
    raise ValueError(f"grade {grade} in row {row} is {what}; grades are numbers from 0 on, 0 for what is irrelevant")
