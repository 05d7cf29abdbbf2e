"""A learner: what a model has become by learning, and the only place that calls the kernels to change it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..passes import answer_rows, learn_rows
from ..protocol import score
from ..rows import CSR, Rows
from ..scorers.sizes import Hypothesis, hypothesis, insert_rank, local, resize
from .features import Features
from .inputs import Table
from .labels import Labels

NO_INTEGERS = np.empty(0, np.int64)
NO_NUMBERS = np.empty(0)
NO_TABLE = np.empty((0, 1))


class Parts(NamedTuple):
    """What an algorithm is put together from."""

    scorer: Any
    rule: Any
    decision: Any


class Learner:
    """The parts of an algorithm with the features, labels and counts they have come to know."""

    def __init__(self, parts: Parts, features: Features, labels: Labels, plan: dict[str, Any]) -> None:
        self.scorer, self.rule, self.decision = parts
        self.features, self.labels, self.plan = features, labels, plan
        self.counts = np.zeros(3, np.int64)  # rows seen, updates, loss
        self._prepare()
        self.lock = threading.RLock()  # held while learning, so that a snapshot is whole

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "lock" and not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()
        self.lock = threading.RLock()

    def _prepare(self) -> None:
        """Make room for scores, one row's label, and what to run on it."""
        self._scores, self._correction = np.zeros(len(self.labels)), np.zeros(len(self.labels))
        self._label = np.zeros(1, np.int64)
        self._usual: Table | None = None  # the table in which single rows usually come, and what to run on it
        self._usual_args: tuple[Any, ...] = ()
        self._usual_loop: Callable[..., Any] | None = None
        self._usual_answer: tuple[Table | None, Callable[..., Any] | None] = (None, None)

    @property
    def age(self) -> int:
        """How many rows were learned."""
        return int(self.counts[0])

    @property
    def is_averaged(self) -> bool:
        """Whether scores are sums over all hypotheses so far."""
        return len(self.scorer.lag) > 0 and self.age > 0

    @property
    def last_projection(self) -> float:
        """w·x of the last row learned, before its update."""
        return float(self._scores[-1])

    def arrays(self) -> dict[str, np.ndarray]:
        """What has been learned, by name."""
        return {name: part for name, part in self.scorer._asdict().items() if isinstance(part, np.ndarray)}

    def learn(
        self,
        table: Table,
        ranks: np.ndarray,
        order: np.ndarray = NO_INTEGERS,
        scales: np.ndarray = NO_NUMBERS,
        predictions: np.ndarray = NO_INTEGERS,
    ) -> int:
        """Learn the rows; if one cannot be, forget the others and return which it was, otherwise -1."""
        with self.lock:
            before, counts = _Before(self.scorer, table.rows), self.counts.copy()
            refused: int = learn_rows(len(order) or len(ranks), *self._args(table.rows, ranks, order, scales, predictions))
            if refused < 0 and before.has_overflowed():
                refused = _row_of_largest(table.rows)
            if refused >= 0:
                before.restore()
                self.counts[:] = counts
            return refused

    def learn_row(self, table: Table, rank: int) -> int:
        """The same for one row, which is refused, if it is, before anything has changed."""
        with self.lock:
            self._label[0] = rank
            if table is not self._usual:
                self._usual, self._usual_loop = table, None
                self._usual_args = self._args(table.rows, self._label, NO_INTEGERS, NO_NUMBERS, NO_INTEGERS)
            if self._usual_loop is None:
                self._usual_loop = learn_rows.bound(*self._usual_args)
            refused: int = (self._usual_loop or learn_rows.interpreted)(*self._usual_args)
            return refused

    def _args(self, rows: Any, ranks: Any, order: Any, scales: Any, predictions: Any) -> tuple[Any, ...]:
        given = (rows, ranks, order, scales, self._scores, self._correction, self.counts, predictions)
        return (self.scorer, self.rule, self.decision, *given)

    def answer(self, table: Table, predictions: np.ndarray = NO_INTEGERS, scores: np.ndarray = NO_TABLE) -> int:
        """Fill whichever is given; returns as ``learn`` does."""
        scratch = np.empty(len(self.labels))  # of its own: several threads may ask at once
        refused: int = answer_rows(table.n_rows, self.scorer, self.decision, table.rows, self.age, scratch, predictions, scores)
        return refused

    def answer_row(self, table: Table) -> int:
        """The rank of one row, or -1 if it is refused."""
        rank, scratch = np.empty(1, np.int64), np.empty(len(self.labels))
        args = (self.scorer, self.decision, table.rows, self.age, scratch, rank, NO_TABLE)
        asked, loop = self._usual_answer  # one reading: another thread may be changing it
        if table is not asked or loop is None:
            loop = answer_rows.bound(*args)
            self._usual_answer = table, loop
        refused = (loop or answer_rows.interpreted)(*args)
        return -1 if refused >= 0 else int(rank[0])

    def add_features(self, names: list[Any]) -> None:
        """Give new names columns of their own."""
        self.features.add(names)
        self.scorer = resize(self.scorer, self.features.count)
        self._usual = None

    def bookmark(self) -> Callable[[], None]:
        """How to undo ``add_features`` and ``insert``."""
        scorer, labels, count = self.scorer, self.labels, self.features.count

        def restore() -> None:
            self.scorer, self.labels = scorer, labels
            self.features.truncate(count)
            self._prepare()

        return restore

    def insert(self, label: Any, table: Table) -> int:
        """Make a rank for a label not seen yet, where the row it came with projects to; returns the row if it is refused."""
        scores = np.empty((2, len(self.labels)))
        refused = self.answer(table, scores=scores[1:])
        if refused < 0:
            score(self.scorer, table.rows, 0, scores[0])
            place = self.labels.place_of(label)
            self.scorer = insert_rank(self.scorer, place, scores[0, -1], scores[1, -1])
            self.labels = self.labels.with_label(label)
            self._prepare()
        return refused

    def adopt(self, parts: Parts) -> None:
        """Take over what follows from the number of ranks: numbers, not arrays."""
        numbers = {name: part for name, part in parts.scorer._asdict().items() if not isinstance(part, np.ndarray)}
        self.scorer = resize(self.scorer._replace(**numbers), self.features.count) if numbers else self.scorer

    def hypothesis(self) -> Hypothesis:
        """What predictions go by."""
        rule: Hypothesis = hypothesis(self.scorer, len(self.labels), self.age)
        return rule._replace(coef=rule.coef[..., : self.features.count])


class _Before:
    """What learning some rows can change, as it was: of a sparse batch only the columns that it touches."""

    def __init__(self, scorer: Any, rows: Rows) -> None:
        touched = rows.indices if isinstance(rows, CSR) else None
        self._kept = []
        for name, part in scorer._asdict().items():
            if isinstance(part, np.ndarray) and part.size:
                sparse = touched is not None and name in local(scorer) and len(touched) < part.shape[-1]
                where = (..., touched) if sparse else ...
                self._kept.append((part, where, part[where] if sparse else part.copy()))

    def restore(self) -> None:
        for part, where, before in self._kept:
            part[where] = before

    def has_overflowed(self) -> bool:
        return not all(np.isfinite(part[where]).all() for part, where, _ in self._kept)


def _row_of_largest(rows: Rows) -> int:
    if isinstance(rows, CSR):
        return int(np.searchsorted(rows.indptr, np.abs(rows.values).argmax(), side="right")) - 1
    return int(np.abs(rows).max(axis=1).argmax())
