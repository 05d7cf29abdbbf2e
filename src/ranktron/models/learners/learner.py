"""A learner: what a model has become by learning, and the only place that calls the kernels to change it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import kernels
from ...compile.policy import Loop
from ...core.checks import MOST_ROWS, check_between
from ...core.kernel_rows import EVICTED, HELD, check_support, cut_back, enlarged, rounded
from ...core.loops import predict_rows
from ...core.moments import CENTRED, adopt_current_scaling, check_moments, moments, named_parts
from ...core.protocol import compiles
from ...core.rows import CSR, Rows
from ...core.scorers.protocol import (
    Hypothesis,
    arrays_of,
    check_scorer,
    divisor,
    grows,
    hypothesis,
    in_native_layout,
    rescale_hypothesis,
    reserve,
    resize,
    trimmed,
    with_own_buffers,
    work_per_row,
)
from ..features import Features
from ..history import EARLIEST, NOTHING, WIDEST, with_milestone
from ..inputs import Table
from .chunks import Run
from .concurrency import NoLock, copy_of, still, takes_long
from .parts import Parts
from .rollback import Rollback, row_of_largest
from .row_scaler import check_settles, folded, grown, running_rows, scaled_rows, settle_kind, shift_of

NO_INTEGERS = np.empty(0, np.int64)
NO_NUMBERS = np.empty(0)
NO_TABLE = np.empty((0, 1))

# What numpy need not warn of: what is not finite is refused in the end.
UNSAID: dict[str, Any] = {"over": "ignore", "invalid": "ignore"}


class Learner:
    """The parts of an algorithm with the features and counts they have come to know."""

    # How many scores a row has.
    n_scores = 1

    # What predicted at the last milestones.
    trail = NOTHING

    # What answers while a long batch is learned: this learner as it was before the batch.
    view: Any = None

    takes_long = takes_long
    # Whether this is a copy that only answers, and so needs no lock.
    is_still = False

    def __init__(self, parts: Parts, features: Features, plan: dict[str, Any]) -> None:
        self.scorer, self.rule, self.decision, self.kernel_view = parts
        self.features, self.plan = features, plan
        self.counts = np.zeros(3, np.int64)
        if plan["scale"] == "settled":
            check_settles(self.scorer, self.kernel_view is not None)
        self.moments = None if plan["scale"] is None else moments(features.count, plan["forget"])
        self._prepare()
        self.lock: Any = threading.RLock()  # held while learning and while answering, so that an answer is of one state

    def __getstate__(self) -> dict[str, Any]:
        with self.lock:
            done: dict[int, Any] = {}
            kept = [name for name in vars(self) if name not in ("lock", "view") and not name.startswith("_")]
            return {name: copy_of(vars(self)[name], done) for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.scorer = in_native_layout(self.scorer)
        self._prepare()
        self.lock = NoLock() if self.is_still else threading.RLock()

    def _prepare(self) -> None:
        """Make room to work in, which is no part of what was learned."""

    def forget_rows(self) -> None:
        """Forget what was kept ready for rows to come, since the scorer or the columns have changed."""

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
        return self.kernel_view is not None and bool(self.kernel_view.support.counts[EVICTED])

    @property
    def tallies(self) -> dict[str, np.ndarray]:
        """What was counted on the way, by name."""
        return {"counts": self.counts} | ({} if self.moments is None else {"moments.tally": self.moments.tally})

    def arrays(self) -> dict[str, np.ndarray]:
        """What has been learned, by name, without room to spare where rows are kept."""
        return self._arrays() | ({} if self.moments is None else named_parts(self.moments, self.features.count))

    def _arrays(self) -> dict[str, np.ndarray]:
        if self.kernel_view is None:
            return {one.name: one.array for one in arrays_of(trimmed(self.scorer, None))}
        columns = rounded(
            self.kernel_view.budget + 1 if self.kernel_view.budget else max(int(self.kernel_view.support.counts[HELD]), 1)
        )
        learned = {one.name: one.array for one in arrays_of(trimmed(self.scorer, columns))}
        kept = cut_back(self.kernel_view.support, self.features.count, columns)
        return learned | {f"support.{name}": array for name, array in kept._asdict().items()}

    def check(self) -> None:
        """Raise ValueError if what a model file says of the learner is out of range; no loop has run on it before."""
        check_between("counts", self.counts, 0, MOST_ROWS)
        check_scorer(self.scorer, self.features.count)
        if self.kernel_view is not None:
            check_support(self.kernel_view.support, self.kernel_view.budget)
        if self.moments is not None:
            check_moments(self.moments)

    # Learning

    def atomically(self, table: Table, run: Callable[[], int]) -> int:
        """Let ``run`` learn the rows; if one cannot be learned, forget the others and return which it was, otherwise -1."""
        with self.lock, np.errstate(**UNSAID):
            self.view = still(self) if self.takes_long(table.rows) else None
            before = Rollback(self, table.rows)
            try:
                refused = run()
                if refused < 0 and before.has_overflowed():
                    refused = row_of_largest(table.rows)
            except BaseException:
                before.restore()
                raise
            finally:
                self.view = None
            if refused >= 0:
                before.restore()
            return refused

    @property
    def grows(self) -> bool:
        """Whether there has to be room for what rows leave behind."""
        return bool(grows(self.scorer)) or (self.kernel_view is not None and not self.kernel_view.budget)

    def reserve(self, rows: int) -> None:
        """Make room for what so many rows may leave behind."""
        scorer, kernel_view = reserve(self.scorer, rows), self.kernel_view
        if kernel_view is not None and not kernel_view.budget:
            support = enlarged(kernel_view.support, self.features.count, rows)
            if support is not kernel_view.support:
                kernel_view, scorer = kernel_view._replace(support=support), resize(scorer, support.points.shape[1])
        if scorer is not self.scorer or kernel_view is not self.kernel_view:
            self.scorer, self.kernel_view = scorer, kernel_view
            self.forget_rows()

    @property
    def leaves_a_trail(self) -> bool:
        """Whether what predicts at milestones is remembered."""
        return self.kernel_view is None and self.features.count <= WIDEST

    def look_back(self, age: int) -> None:
        """What is done at a milestone, where no row is under way."""
        if self.plan["scale"] == "settled":
            self._settle()
        if self.leaves_a_trail and age >= EARLIEST:
            self.trail = with_milestone(self.trail, age, self.hypothesis())

    def _settle(self) -> None:
        """Go over to a scaling by all rows so far, and carry over what was learned, so that nothing it says changes."""
        assert self.moments is not None
        ratio, shift = adopt_current_scaling(self.moments)
        if (ratio != 1.0).any() or (shift != 0.0).any():
            rescale_hypothesis(self.scorer, ratio[: self.features.count], shift[: self.features.count], self.age)

    def _seen(self, rows: Rows) -> Any:
        return rows if self.kernel_view is None else self.kernel_view.seen(rows)

    def _rows_to_learn(self, rows: Rows, longest: int = 1) -> Any:
        """Rows to learn, at most so many at a time, as a loop reads them."""
        if self.moments is None:
            return self._seen(rows)
        if self.moments.tally[CENTRED] < 0.0:
            settle_kind(self.moments, rows, self.features)
            self.forget_rows()  # loops for single rows are bound to the kind
        return running_rows(self.moments, rows, self.features.count, longest, self._seen)

    def rows_to_answer(self, rows: Rows) -> Any:
        """Rows to answer for, as a loop reads them."""
        return self._seen(rows) if self.moments is None else scaled_rows(self.moments, rows, self.features.count, self._seen)

    # Running loops

    @property
    def work(self) -> int:
        """How many rows' work one row is."""
        work: int = work_per_row(self.scorer)
        return work

    @property
    def is_plain(self) -> bool:
        """Whether all of it is numbers, and no function of the user's: so it can be saved."""
        return self.kernel_view is None or not isinstance(self.kernel_view.kernel, kernels.Given)

    @property
    def compiles(self) -> bool:
        """Whether loops over it can be compiled."""
        return self.is_plain and compiles(self.scorer) and compiles(self.rule)

    def _loop(self, kernel: Loop, rows: int, args: tuple[Any, ...]) -> Callable[..., Any]:
        compiled = kernel.compiled_if_worth(rows * self.work, *args) if self.compiles else None
        return compiled or kernel.interpreted

    def _ready(self, kernel: Loop, rows: int, args: tuple[Any, ...]) -> Run:
        """The loop over some rows or lists of a batch, with all else found out once."""
        compiled = kernel.compiled_if_worth(rows * self.work, *args, 0, 0) if self.compiles else None
        return functools.partial(kernel.interpreted, *args) if compiled is None else compiled.bind(args)

    def _bound(self, kernel: Loop, args: tuple[Any, ...]) -> Callable[..., Any] | None:
        return kernel.entry_point_for(self.work, *args) if self.compiles else None

    # Answers

    def answer(self, table: Table, predictions: np.ndarray = NO_INTEGERS, scores: np.ndarray = NO_TABLE) -> int:
        """Fill whichever is given; returns as ``learn`` does."""
        return self.answer_by(self.scorer, table, predictions, scores)

    def answer_by(self, scorer: Any, table: Table, predictions: np.ndarray = NO_INTEGERS, scores: np.ndarray = NO_TABLE) -> int:
        """The same by another scorer."""
        room = np.empty(self.n_scores)  # of its own, as the scorer's: several threads may ask at once
        args = (with_own_buffers(scorer), self.decision, self.rows_to_answer(table.rows), self.age, room, predictions, scores)
        refused: int = self._loop(predict_rows, table.n_rows, args)(*args)
        return refused

    # Growing

    def add_features(self, names: list[Any]) -> None:
        """Give new names columns of their own."""
        self.features.add(names)
        self._make_columns()

    def widen(self, table: Table) -> None:
        """Have as many columns as ``table`` has, and their names."""
        if table.n_columns > self.features.count:
            self.features.widen(table.n_columns, table.names)
            self._make_columns()

    @property
    def n_columns(self) -> int:
        """How many columns the hypothesis has of the features."""
        return self.features.count

    def touched(self, rows: CSR) -> np.ndarray | None:
        """The columns that some rows can change, of the hypothesis and of the scaling; None if they are not so few."""
        is_local = self.moments is None or (self.moments.tally[CENTRED] == 0.0 and self.plan["scale"] == "standard")
        return rows.indices if is_local and self.kernel_view is None else None

    def _make_columns(self) -> None:
        if self.kernel_view is None:
            self.scorer = resize(self.scorer, self.n_columns)
        else:
            self.kernel_view = self.kernel_view._replace(support=enlarged(self.kernel_view.support, self.features.count, 0))
        if self.moments is not None:
            self.moments, self.scorer = grown(self.moments, self.scorer, self.features, self.age, self.kernel_view is None)
        self.forget_rows()

    def savepoint(self) -> Callable[[], None]:
        """How to undo ``add_features``."""
        scorer, kernel_view, known, count = self.scorer, self.kernel_view, self.moments, self.features.count

        def restore() -> None:
            self.scorer, self.kernel_view, self.moments = scorer, kernel_view, known
            self.features.truncate(count)
            self._prepare()

        return restore

    def hypothesis(self) -> Hypothesis:
        """What predictions go by; with a kernel, one coefficient a row of the support."""
        return self.in_order(hypothesis(self.scorer, self.n_scores, self.age))

    def in_order(self, rule: Hypothesis) -> Hypothesis:
        """The columns of a hypothesis: the features, as they come, or the support, the oldest first."""
        if self.kernel_view is not None or rule.coef.shape[-1] != self.n_columns:
            columns: Any = slice(self.n_columns) if self.kernel_view is None else self.oldest_first()
            rule = rule._replace(coef=rule.coef[..., columns])
        return rule if self.moments is None or self.kernel_view is not None else folded(self.moments, rule)

    @property
    def off_centre(self) -> float:
        """What centring takes off the projection of every row: thresholds are for rows as they come."""
        if self.moments is None or self.kernel_view is not None:
            return 0.0
        return float(shift_of(self.moments, hypothesis(self.scorer, self.n_scores, self.age).coef))

    def oldest_first(self) -> np.ndarray:
        """The places of the support."""
        assert self.kernel_view is not None
        born = self.kernel_view.support.born
        places = np.flatnonzero(born >= 0)
        ordered: np.ndarray = places[np.argsort(born[places])]
        return ordered
