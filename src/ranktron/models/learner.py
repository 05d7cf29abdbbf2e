"""A learner: what a model has become by learning, and the only place that calls the kernels to change it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from .._verbs import Kernel
from ..passes import answer_rows, learn_rows
from ..protocol import look
from ..rows import Rows
from ..scorers.sizes import Hypothesis, divisor, grows, hypothesis, laid_out, resize, with_own_room, with_rank, with_room
from ..scorers.state import arrays_of, trimmed, with_numbers
from ..support import EVICTED, HELD, Seen, Support, cut_back, enlarged, rounded
from .features import Features
from .inputs import Table
from .labels import Labels
from .undo import Before, row_of_largest

NO_INTEGERS = np.empty(0, np.int64)
NO_NUMBERS = np.empty(0)
NO_TABLE = np.empty((0, 1))

SHORTEST = 256
"""Rows that are learned at a time, at least, where what is learned grows with them."""


class Lens(NamedTuple):
    """How a kernel sees rows."""

    kernel: Any
    support: Support
    budget: int
    policy: int

    def seen(self, rows: Rows) -> Seen:
        """The rows, with room for their kernel values."""
        room = np.zeros((2, self.support.points.shape[1]))
        kernel = self.kernel._replace(born=self.support.born) if isinstance(self.kernel, kernels.Given) else self.kernel
        return Seen(rows, self.support, kernel, room, np.zeros(1), self.budget, self.policy)


class Parts(NamedTuple):
    """What an algorithm is put together from."""

    scorer: Any
    rule: Any
    decision: Any
    lens: Lens | None = None


class Learner:
    """The parts of an algorithm with the features, labels and counts they have come to know."""

    def __init__(self, parts: Parts, features: Features, labels: Labels, plan: dict[str, Any]) -> None:
        self.scorer, self.rule, self.decision, self.lens = parts
        self.features, self.labels, self.plan = features, labels, plan
        self.counts = np.zeros(3, np.int64)  # rows seen, updates, loss
        self._prepare()
        self.lock = threading.RLock()  # held while learning, so that a snapshot is whole

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "lock" and not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.scorer = laid_out(self.scorer)
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
    def divisor(self) -> float:
        """Over how many hypotheses scores are summed up."""
        return self.divisor_of(self.scorer)

    def divisor_of(self, scorer: Any) -> float:
        """The same for another scorer."""
        return float(divisor(scorer, self.age))

    @property
    def has_evicted(self) -> bool:
        """Whether a row of the support had to go."""
        return self.lens is not None and bool(self.lens.support.counts[EVICTED])

    @property
    def last_projection(self) -> float:
        """w·x of the last row learned, before its update."""
        return float(self._scores[-1])

    def arrays(self) -> dict[str, np.ndarray]:
        """What has been learned, by name, without room to spare where rows are kept."""
        if self.lens is None:
            return {one.name: one.array for one in arrays_of(trimmed(self.scorer, None))}
        columns = rounded(self.lens.budget + 1 if self.lens.budget else max(int(self.lens.support.counts[HELD]), 1))
        learned = {one.name: one.array for one in arrays_of(trimmed(self.scorer, columns))}
        kept = cut_back(self.lens.support, self.features.count, columns)
        return learned | {f"support.{name}": array for name, array in kept._asdict().items()}

    # Learning

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
            before = Before(self, table.rows)
            try:
                refused = self._run(table.rows, ranks, order, scales, predictions)
            except BaseException:
                before.restore()
                raise
            if refused < 0 and before.has_overflowed():
                refused = row_of_largest(table.rows)
            if refused >= 0:
                before.restore()
            return refused

    def _run(self, rows: Rows, ranks: np.ndarray, order: np.ndarray, scales: np.ndarray, predictions: np.ndarray) -> int:
        for part in self._portions(order, len(ranks)):
            args = self._args(rows, ranks, part, scales, predictions)
            refused: int = self._loop(learn_rows, len(part) or len(ranks), args)(*args)
            if refused >= 0:
                return refused
        return -1

    def _portions(self, order: np.ndarray, n_rows: int) -> Iterator[np.ndarray]:
        """The order of the rows, in portions that there is room for where every row may be kept."""
        done, rows = 0, len(order) or n_rows
        while done < rows:
            portion = min(rows - done, max(SHORTEST, self.age)) if self._grows else rows
            self.reserve(portion)
            if portion == rows:
                yield order
            else:
                yield order[done : done + portion] if len(order) else np.arange(done, done + portion)
            done += portion

    @property
    def _grows(self) -> bool:
        return bool(grows(self.scorer)) or (self.lens is not None and not self.lens.budget)

    def reserve(self, rows: int) -> None:
        """Make room for what so many rows may leave behind."""
        scorer, lens = with_room(self.scorer, rows), self.lens
        if lens is not None and not lens.budget:
            support = enlarged(lens.support, self.features.count, rows)
            if support is not lens.support:
                lens, scorer = lens._replace(support=support), resize(scorer, support.points.shape[1])
        if scorer is not self.scorer or lens is not self.lens:
            self.scorer, self.lens, self._usual = scorer, lens, None

    def learn_row(self, table: Table, rank: int) -> int:
        """The same for one row, which is refused, if it is, before anything has changed."""
        if not self.is_plain:
            return self.learn(table, np.array([rank]))  # a user's function may raise at any time
        with self.lock:
            self._label[0] = rank
            self.reserve(1)
            if table is not self._usual:
                self._usual, self._usual_loop = table, None
                self._usual_args = self._args(table.rows, self._label, NO_INTEGERS, NO_NUMBERS, NO_INTEGERS)
            if self._usual_loop is None:
                self._usual_loop = self._bound(learn_rows, self._usual_args)
            refused: int = (self._usual_loop or learn_rows.interpreted)(*self._usual_args)
            return refused

    def _args(self, rows: Any, ranks: Any, order: Any, scales: Any, predictions: Any) -> tuple[Any, ...]:
        given = (self._seen(rows), ranks, order, scales, self._scores, self._correction, self.counts, predictions)
        return (self.scorer, self.rule, self.decision, *given)

    def _seen(self, rows: Rows) -> Any:
        return rows if self.lens is None else self.lens.seen(rows)

    # Running loops

    @property
    def work(self) -> int:
        """How many rows' work one row is."""
        return 1

    @property
    def is_plain(self) -> bool:
        """Whether all of it is numbers, and no function of the user's: so it can be compiled, and saved."""
        return self.lens is None or not isinstance(self.lens.kernel, kernels.Given)

    def _loop(self, kernel: Kernel, rows: int, args: tuple[Any, ...]) -> Callable[..., Any]:
        compiled = kernel.settled(rows * self.work, *args) if self.is_plain else None
        return compiled or kernel.interpreted

    def _bound(self, kernel: Kernel, args: tuple[Any, ...]) -> Callable[..., Any] | None:
        return kernel.bound(self.work, *args) if self.is_plain else None

    # Answers

    def answer(self, table: Table, predictions: np.ndarray = NO_INTEGERS, scores: np.ndarray = NO_TABLE) -> int:
        """Fill whichever is given; returns as ``learn`` does."""
        return self.answer_by(self.scorer, table, predictions, scores)

    def answer_by(self, scorer: Any, table: Table, predictions: np.ndarray = NO_INTEGERS, scores: np.ndarray = NO_TABLE) -> int:
        """The same by another scorer."""
        room = np.empty(len(self.labels))  # of its own, as the scorer's: several threads may ask at once
        args = (with_own_room(scorer), self.decision, self._seen(table.rows), self.age, room, predictions, scores)
        refused: int = self._loop(answer_rows, table.n_rows, args)(*args)
        return refused

    def answer_row(self, table: Table) -> int:
        """The rank of one row, or -1 if it is refused."""
        rank, room = np.empty(1, np.int64), np.empty(len(self.labels))
        args = (with_own_room(self.scorer), self.decision, self._seen(table.rows), self.age, room, rank, NO_TABLE)
        asked, loop = self._usual_answer  # one reading: another thread may be changing it
        if table is not asked or loop is None:
            loop = self._bound(answer_rows, args)
            self._usual_answer = table, loop
        refused = (loop or answer_rows.interpreted)(*args)
        return -1 if refused >= 0 else int(rank[0])

    # Growing

    def add_features(self, names: list[Any]) -> None:
        """Give new names columns of their own."""
        self.features.add(names)
        if self.lens is None:
            self.scorer = resize(self.scorer, self.features.count)
        else:
            self.lens = self.lens._replace(support=enlarged(self.lens.support, self.features.count, 0))
        self._usual = None

    def bookmark(self) -> Callable[[], None]:
        """How to undo ``add_features`` and ``insert``."""
        scorer, lens, labels, count = self.scorer, self.lens, self.labels, self.features.count

        def restore() -> None:
            self.scorer, self.lens, self.labels = scorer, lens, labels
            self.features.truncate(count)
            self._prepare()

        return restore

    def insert(self, label: Any, table: Table) -> int:
        """Make a rank for a label not seen yet, where the row it came with projects to; returns the row if it is refused."""
        refused = self.answer(table, scores=np.empty((1, len(self.labels))))
        if refused < 0:
            rows = self._seen(table.rows)
            look(rows, 0)
            self.scorer = with_rank(self.scorer, self.labels.place_of(label), rows, self.age, len(self.labels))
            self.labels = self.labels.with_label(label)
            self._prepare()
        return refused

    def adopt(self, parts: Parts) -> None:
        """Take over what follows from the number of ranks: numbers, not arrays."""
        self.scorer = resize(with_numbers(self.scorer, parts.scorer), self._width())

    def _width(self) -> int:
        return self.features.count if self.lens is None else self.lens.support.points.shape[1]

    def hypothesis(self) -> Hypothesis:
        """What predictions go by; with a kernel, one coefficient a row of the support."""
        return self.in_order(hypothesis(self.scorer, len(self.labels), self.age))

    def in_order(self, rule: Hypothesis) -> Hypothesis:
        """The columns of a hypothesis: the features, or the support, the oldest first."""
        columns: Any = slice(self.features.count) if self.lens is None else self.oldest_first()
        return rule._replace(coef=rule.coef[..., columns])

    def oldest_first(self) -> np.ndarray:
        """The places of the support."""
        assert self.lens is not None
        born = self.lens.support.born
        places = np.flatnonzero(born >= 0)
        ordered: np.ndarray = places[np.argsort(born[places])]
        return ordered
