"""The learner of rows: every row has one label, whose rank it learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.loops import AS_A_BATCH, learn_rows, predict_rows
from ...core.protocol import calibration_state, check_learned
from ...core.row_scaling import prepare_row, rows_to_learn
from ...core.rows import Rows
from ...core.scorers.protocol import arrays_of, resize, with_numbers, with_own_buffers, with_rank
from ..features import Features
from ..history import is_milestone
from ..inputs import Table
from ..labels import Labels
from .chunks import Run, learn_in_chunks
from .learner import NO_INTEGERS, NO_NUMBERS, NO_TABLE, UNSAID, Learner
from .parts import Parts

# Rows that are learned at a time, at least, where what is learned grows with them.
SHORTEST = 256

ONE = np.ones(1)

# A new threshold has to be smaller, so that the sum of it over 2⁵³ rows is finite.
LARGEST = 2.0**970


class RowLearner(Learner):
    """``counts`` holds the rows seen, the updates and the loss."""

    def __init__(self, parts: Parts, features: Features, labels: Labels, plan: dict[str, Any]) -> None:
        self.labels = labels
        super().__init__(parts, features, plan)

    @property
    def n_scores(self) -> int:  # type: ignore[override]
        """One a rank."""
        return len(self.labels)

    def _prepare(self) -> None:
        """Make room for scores, one row's label, and what to run on it."""
        self._means, self._scores, self._correction = (np.zeros(self.n_scores) for _ in range(3))
        self._losses: np.ndarray = self.counts[2:]
        self._label = np.zeros(1, np.int64)
        self._usual: Table | None = None  # the table in which single rows usually come, and what to run on it
        self._usual_args: tuple[Any, ...] = ()
        self._usual_loop: Callable[..., Any] | None = None
        self._noted: list[tuple[np.ndarray, np.ndarray]] = []  # what the decision learns too, with room to keep it in
        self._may_grow = True
        self._answer = self._own_answer()
        self._usual_answer: tuple[Table | None, Callable[..., Any] | None] = (None, None)

    @property
    def tallies(self) -> dict[str, np.ndarray]:
        """What was counted on the way, by name."""
        learned: dict[str, np.ndarray] = calibration_state(self.decision)
        return super().tallies | learned

    def check(self) -> None:
        """Raise ValueError if what a model file says of the learner is out of range; no loop has run on it before."""
        super().check()
        check_learned(self.decision, "", self.features.count)

    def forget_rows(self) -> None:
        """Forget what was kept ready for rows to come, since the scorer or the columns have changed."""
        self._usual, self._may_grow = None, True
        self._usual_answer = None, None

    @property
    def last_projection(self) -> float:
        """w·x of the last row learned, before its update."""
        return float(self._scores[-1])

    def learn(
        self,
        table: Table,
        ranks: np.ndarray,
        order: np.ndarray = NO_INTEGERS,
        scales: np.ndarray = NO_NUMBERS,
        predictions: np.ndarray = NO_INTEGERS,
    ) -> int:
        """Learn the rows; if one cannot be, forget the others and return which it was, otherwise -1."""
        if len(ranks) == 1 and len(scales) == 0:
            scales = ONE  # this can be undone, unlike ``learn_row``
        return self.atomically(table, lambda: self._run(table.rows, ranks, order, scales, predictions))

    def _run(self, rows: Rows, ranks: np.ndarray, order: np.ndarray, scales: np.ndarray, predictions: np.ndarray) -> int:
        def ready(count: int) -> Run:
            return self._pass(self._args(rows, ranks, order, scales, predictions), count)

        return learn_in_chunks(self, len(order) or len(ranks), self._with_room, ready)

    def _pass(self, args: tuple[Any, ...], count: int) -> Run:
        """What learns some rows of a batch; there are so many to learn."""
        return self._ready(learn_rows, count, args)

    def _with_room(self, start: int, portion: int) -> int:
        """Make room for a portion of rows, or for so many of them that room is doubled and no more."""
        portion = min(portion, max(SHORTEST, self.age)) if self.grows else portion
        self.reserve(portion)
        return portion

    def learn_row(self, table: Table, rank: int) -> int:
        """The same for one row, which is refused, if it is, before anything has changed."""
        if self.kernel_view is not None and not self.is_plain:
            return self.learn(table, np.array([rank]))  # a user's function may raise at any time
        with self.lock:
            self._label[0] = rank
            if self._may_grow:
                self.reserve(1)
            if table is not self._usual:
                self._get_ready(table)
            if self._usual_loop is None:
                self._usual_loop = self._bound(learn_rows, self._usual_args)
            for state, kept in self._noted:
                kept[:] = state
            refused: int = (self._usual_loop or learn_rows.interpreted)(*self._usual_args)
            if refused != -1:
                for state, kept in self._noted:
                    state[:] = kept
            elif is_milestone(self.age):
                with np.errstate(**UNSAID):
                    self.look_back(self.age)
            return self.learn(table, np.array([rank])) if refused == AS_A_BATCH else refused

    def _get_ready(self, table: Table) -> None:
        """Keep ready what single rows, which come in this table, are learned by."""
        self._usual, self._usual_loop, self._may_grow = table, None, self.grows
        self._usual_args = (*self._args(table.rows, self._label, NO_INTEGERS, NO_NUMBERS, NO_INTEGERS), 0, 1)
        self._noted = [(state, state.copy()) for state in calibration_state(self.decision).values()]

    def _args(self, rows: Any, ranks: Any, order: Any, scales: Any, predictions: Any) -> tuple[Any, ...]:
        room = (self._means, self._scores, self._correction, self.counts, self._losses, predictions)
        return (self.scorer, self.rule, self.decision, self._rows_to_learn(rows), ranks, order, scales, *room)

    def answer_row(self, table: Table) -> int | None:
        """The rank of one row, or None if it is refused."""
        rank, room = self._own_answer() if self.is_still else self._answer
        args = (with_own_buffers(self.scorer), self.decision, self.rows_to_answer(table.rows), self.age, room, rank, NO_TABLE)
        asked, loop = self._usual_answer  # one reading: another thread may be changing it
        if table is not asked or loop is None:
            loop = self._bound(predict_rows, args)
            self._usual_answer = table, loop
        refused = (loop or predict_rows.interpreted)(*args)
        return None if refused >= 0 else int(rank[0])

    def _own_answer(self) -> tuple[np.ndarray, np.ndarray]:
        """Arrays for the rank and the scores of one row, which threads share only where they lock the learner."""
        return np.empty(1, np.int64), np.empty(self.n_scores)

    # Growing

    def savepoint(self) -> Callable[[], None]:
        """How to undo ``add_features`` and ``insert``."""
        restore_columns, labels = super().savepoint(), self.labels

        def restore() -> None:
            self.labels = labels
            restore_columns()

        return restore

    def insert(self, label: Any, table: Table) -> int:
        """Make a rank for a label not seen yet, where the row it came with projects to; returns the row if it is refused."""
        refused = self.answer(table, scores=np.empty((1, len(self.labels))))
        if refused < 0:
            asked = self.rows_to_answer(table.rows)
            prepare_row(asked, 0)
            (rows,) = rows_to_learn(asked)
            with np.errstate(**UNSAID):
                scorer = with_rank(self.scorer, self.labels.place_of(label), rows, self.age, len(self.labels))
            if not all((abs(one.array) < LARGEST).all() for one in arrays_of(scorer)):
                return 0
            self.scorer = scorer
            self.labels = self.labels.with_label(label)
            self._prepare()
        return refused

    def adopt(self, parts: Parts) -> None:
        """Take over what follows from the number of ranks: numbers, not arrays."""
        self.scorer = resize(with_numbers(self.scorer, parts.scorer), self._width())

    def _width(self) -> int:
        return self.features.count if self.kernel_view is None else self.kernel_view.support.points.shape[1]
