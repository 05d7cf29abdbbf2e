"""The learners of rows: of one label a row, whose rank is learned, with a loss of its own, and of other targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.loops import AS_A_BATCH, learn_rows, predict_rows
from ...core.protocol import calibration_state, check_learned
from ...core.row_scaling import prepare_row, rows_to_learn
from ...core.rows import Rows
from ...core.scorers.protocol import arrays_of, resize, unwrapped, with_numbers, with_own_buffers, with_rank
from ..features import Features
from ..history import is_milestone
from ..inputs import Table
from ..labels import Labels, short
from .chunks import Run, learn_in_chunks
from .learner import NO_INTEGERS, NO_NUMBERS, NO_TABLE, Learner
from .parts import Parts
from .rollback import IGNORED, atomically

# Rows that are learned at a time, at least, where what is learned grows with them.
SHORTEST = 256

ONE = np.ones(1)


def _nothing(*numbers: int) -> int:
    """What learns while no loop is bound."""
    raise AssertionError("no loop is bound")


# The table that single rows to predict came in last, the loop that is bound to it, and where that writes the rank.
NO_PREDICTION: tuple[Table | None, Callable[..., int], np.ndarray] = None, _nothing, NO_INTEGERS

# A new threshold has to be smaller, so that the sum of it over 2⁵³ rows is finite.
LARGEST = 2.0**970


class RowLearner(Learner):
    """``counts`` holds the rows seen, the updates and the loss."""

    growing = (*Learner.growing, "labels")

    def __init__(self, parts: Parts, features: Features, labels: Labels, plan: dict[str, Any]) -> None:
        self.labels = labels
        super().__init__(parts, features, plan)

    @property
    def n_scores(self) -> int:  # type: ignore[override]
        """One per rank."""
        return len(self.labels)

    def _prepare(self) -> None:
        """Allocate the buffers: for the scores of one row, its label, and what is bound to single rows."""
        super()._prepare()
        self._means, self._scores, self._correction = (np.zeros(self.n_scores) for _ in range(3))
        self._losses: np.ndarray = self.counts[2:] if self.losses is None else self.losses
        self._label = np.zeros(1, np.int64)
        # Single rows come in one table as a rule: what it is, and the loop for a row in it.
        self._table: Table | None = None
        self._run: Callable[[], int] = _nothing
        self._calibration: list[tuple[np.ndarray, np.ndarray]] = []  # what the decision learns, and a copy to go back to
        self._may_grow = True
        self._prediction = NO_PREDICTION

    @property
    def tallies(self) -> dict[str, np.ndarray]:
        """The counts, by name."""
        learned: dict[str, np.ndarray] = calibration_state(self.decision)
        return super().tallies | learned

    def check(self) -> None:
        """Raise ValueError if what a model file says of the learner is out of range; no loop has run on it before."""
        super().check()
        check_learned(self.decision, "", self.features.count)

    def unbind(self) -> None:
        """Forget the loops that are bound to single rows, since the scorer or the columns have changed."""
        self._table, self._may_grow = None, True
        self._prediction = NO_PREDICTION

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
        return atomically(self, table, lambda: self._learn_chunks(table.rows, ranks, order, scales, predictions))

    def _learn_chunks(self, rows: Rows, ranks: np.ndarray, order: np.ndarray, scales: np.ndarray, predictions: np.ndarray) -> int:
        def bind() -> Run:
            return self._bind(self._arguments(rows, ranks, order, scales, predictions), rows)

        return learn_in_chunks(self, len(order) or len(ranks), self._reserve_at, bind)

    def _bind(self, args: tuple[Any, ...], rows: Rows) -> Run:
        """Bind ``learn_rows`` to these arguments."""
        return self.bind_loop(learn_rows, args, rows)

    def _reserve_at(self, start: int, count: int) -> int:
        """Reserve for ``count`` rows, or for so few of them that buffers are at most doubled; returns for how many."""
        count = min(count, max(SHORTEST, self.age)) if self.facts.grows else count
        self.reserve(count)
        return count

    def _arguments(self, rows: Any, ranks: Any, order: Any, scales: Any, predictions: Any) -> tuple[Any, ...]:
        """The arguments of ``learn_rows`` but for where to start and stop."""
        buffers = (self._means, self._scores, self._correction, self.counts, self._losses, predictions)
        return (self.scorer, self.rule, self.decision, self._rows_to_learn(rows), ranks, order, scales, *buffers)

    def learn_row(self, table: Table, rank: int) -> int:
        """Learn one row; if it cannot be learned, nothing changes and 0 is returned, otherwise -1."""
        if self.kernel_view is not None and not self.is_plain:
            return self.learn(table, np.array([rank]))  # a user's function may raise at any time
        with self.lock:
            self._label[0] = rank
            if self._may_grow:  # the arguments below hold the buffers
                self.reserve(1)
            if table is not self._table:
                self._bind_to(table)
            # The decision learns from a row before the rule does, and a row that is refused leaves no trace in it either.
            for state, kept in self._calibration:
                kept[:] = state
            refused = self._run()
            if refused != -1:
                for state, kept in self._calibration:
                    state[:] = kept
            elif is_milestone(self.age):
                with np.errstate(**IGNORED):
                    self.at_milestone(self.age)
            return self.learn(table, np.array([rank])) if refused == AS_A_BATCH else refused

    def _bind_to(self, table: Table) -> None:
        """Bind the loop that learns single rows, which come in this table."""
        args = self._arguments(table.rows, self._label, NO_INTEGERS, NO_NUMBERS, NO_INTEGERS)
        self._table, self._may_grow = table, self.facts.grows
        self._run = self.bind_loop(learn_rows, (*args, 0, 1), table.rows, 0)
        self._calibration = [(state, state.copy()) for state in calibration_state(self.decision).values()]

    def predict_row(self, table: Table) -> int | None:
        """The rank of one row, or None if it is refused."""
        bound_to, run, rank = self._prediction  # one reading: another thread may be changing it
        if table is not bound_to or self.is_still:  # a copy answers several threads at once, each from buffers of its own
            rank = np.empty(1, np.int64)
            args = (with_own_buffers(self.scorer), self.decision, self.rows_to_predict(table.rows), np.empty(self.n_scores))
            run = self.bind_loop(predict_rows, (*args, rank, NO_TABLE), table.rows, 3, "'s predictions")
            self._prediction = table, run, rank
        return None if run(self.age, 0, 1) >= 0 else int(rank[0])

    # Growing

    def insert(self, label: Any, table: Table) -> int:
        """Insert a rank for a new label at the projection of its row; returns 0 if the row is refused, otherwise -1."""
        refused = self.predict(table, scores=np.empty((1, len(self.labels))))
        if refused < 0:
            raw = self.rows_to_predict(table.rows)
            prepare_row(raw, 0)
            (rows,) = rows_to_learn(raw)
            with np.errstate(**IGNORED):
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


class CostLearner(RowLearner):
    """``counts`` holds the rows seen and the updates, ``losses`` the loss; a row may have more or fewer scores than labels."""

    def __init__(self, parts: Parts, features: Features, labels: Any, plan: dict[str, Any]) -> None:
        self.losses = np.zeros(1)
        super().__init__(parts, features, labels, plan)

    @property
    def n_scores(self) -> int:  # type: ignore[override]
        """One per place of the representation."""
        return len(unwrapped(self.scorer)[0])


class Tags:
    """The labels of sets: how many there are, and their names if they have any."""

    def __init__(self, count: int, names: list[Any] | None = None) -> None:
        if count < 1 or (names is not None and len(names) != count):
            raise ValueError(f"y has {count} columns, and there are {len(names or ())} names for them: {short(names)}")
        self.count, self.names = count, names

    def __len__(self) -> int:
        return self.count

    def alike(self, count: int) -> Tags:
        """Other labels, of which there are ``count``."""
        return Tags(count)

    def encode(self, targets: Any) -> Any:
        """The targets, which are learned as they are."""
        return targets


class TargetLearner(CostLearner):
    """Its rule is aimed at the targets of a batch, and a row's label is its number among them."""

    labels: Labels | Tags  # type: ignore[assignment]

    def __init__(self, parts: Parts, features: Features, labels: Tags, plan: dict[str, Any], aim: Callable[[Any], Any]) -> None:
        self.aim = aim
        super().__init__(parts, features, labels, plan)

    def _learn_chunks(self, rows: Rows, targets: Any, order: np.ndarray, scales: np.ndarray, predictions: np.ndarray) -> int:
        resting, self.rule = self.rule, self.rule._replace(task=self.aim(targets))
        try:  # where no predictions are wanted, there are none in two dimensions
            return super()._learn_chunks(rows, np.arange(len(targets)), order, scales, predictions.reshape(-1, self.n_scores))
        finally:
            self.rule = resting
