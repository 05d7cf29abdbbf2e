"""A learner: the state of a model, and the only place that runs the loops on it."""

from __future__ import annotations

import contextlib
import functools
import operator
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...compile.policy import Loop
from ...core.checks import LARGEST_DOUBLE, MOST_ROWS, check_between
from ...core.kernel_rows import EVICTED, HELD, check_support, cut_back, enlarged, rounded
from ...core.loops import predict_rows
from ...core.moments import CENTRED, adopt_current_scaling, check_moments, moments, named_parts
from ...core.protocol import compiles
from ...core.rows import CSR, Rows
from ...core.scorers.protocol import (
    Hypothesis,
    Learned,
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
from .concurrency import NoLock, copy_of, takes_long
from .parts import Parts
from .row_scaler import are_centred, check_settles, folded, grown, running_rows, scaled_rows, shift_of

NO_INTEGERS = np.empty(0, np.int64)
NO_NUMBERS = np.empty(0)
NO_TABLE = np.empty((0, 1))


class Facts(NamedTuple):
    """Properties that follow from the parts of a learner: computed once, not with every batch."""

    parts: tuple[Any, ...]  # scorer, decision and moments, of which this was found
    arrays: list[Learned]  # of the scorer
    tallies: dict[str, np.ndarray]
    work: int
    grows: bool  # whether rows leave something behind, for which buffers have to be reserved
    compiles: bool  # whether loops over the parts can be compiled


class Learner:
    """The parts of an algorithm, with the features and the counts of what was learned."""

    # How many scores a row has.
    n_scores = 1

    # What is replaced, and not changed in place, when it grows.
    growing: tuple[str, ...] = ("scorer", "rule", "decision", "kernel_view", "moments")
    # An array with the loss, where that is not a number of ranks, which ``counts`` has.
    losses: Any = None

    # What predicted at the last milestones.
    trail = NOTHING

    # While a long batch is learned, this copy of the learner as it was before the batch answers.
    view: Any = None

    # Whether this is such a copy, which only answers and so needs no lock.
    is_still = False

    takes_long = takes_long

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
            # What begins with _ are buffers and bound loops, which ``_prepare`` makes again.
            kept = [name for name in vars(self) if name not in ("lock", "view") and not name.startswith("_")]
            return {name: copy_of(vars(self)[name], done) for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.scorer = in_native_layout(self.scorer)
        self._prepare()
        self.lock = NoLock() if self.is_still else threading.RLock()

    def _prepare(self) -> None:
        """Allocate the buffers, which are no part of what was learned."""
        self._facts: Facts | None = None

    def unbind(self) -> None:
        """Forget the loops that are bound to single rows, since the scorer or the columns have changed."""

    @property
    def facts(self) -> Facts:
        """Properties that follow from the parts, computed again when a part was replaced."""
        parts = (self.scorer, self.decision, self.moments)
        # Identity, not equality: parts are NamedTuples of arrays, and a changed array is still the same one.
        if self._facts is None or any(map(operator.is_not, parts, self._facts.parts)):
            has_support = self.kernel_view is not None and not self.kernel_view.budget
            self._facts = Facts(
                parts,
                list(arrays_of(self.scorer)),
                self.tallies,
                self.work,
                bool(grows(self.scorer)) or has_support,
                self.is_plain and bool(compiles(self.scorer)) and bool(compiles(self.rule)),
            )
        return self._facts

    @property
    def age(self) -> int:
        """How many rows were learned."""
        return int(self.counts[0])

    @property
    def divisor(self) -> float:
        """The number of hypotheses that scores are summed over."""
        return float(divisor(self.scorer, self.age))

    @property
    def has_evicted(self) -> bool:
        """Whether a row of the support was dropped."""
        return self.kernel_view is not None and bool(self.kernel_view.support.counts[EVICTED])

    @property
    def tallies(self) -> dict[str, np.ndarray]:
        """The counts, by name."""
        losses = {} if self.losses is None else {"losses": self.losses}
        return {"counts": self.counts} | losses | ({} if self.moments is None else {"moments.tally": self.moments.tally})

    def arrays(self) -> dict[str, np.ndarray]:
        """What has been learned, by name, without the unused part of the buffers."""
        columns, kept = None, {}
        if self.kernel_view is not None:
            support, budget = self.kernel_view.support, self.kernel_view.budget
            columns = rounded(budget + 1 if budget else max(int(support.counts[HELD]), 1))
            parts = cut_back(support, self.features.count, columns)._asdict()
            kept = {f"support.{name}": array for name, array in parts.items()}
        learned = {one.name: one.array for one in arrays_of(trimmed(self.scorer, columns))}
        return learned | kept | ({} if self.moments is None else named_parts(self.moments, self.features.count))

    def check(self) -> None:
        """Raise ValueError if what a model file says of the learner is out of range; no loop has run on it before."""
        check_between("counts", self.counts, 0, MOST_ROWS)
        if self.losses is not None:
            check_between("losses", self.losses, 0.0, LARGEST_DOUBLE)
        check_scorer(self.scorer, self.features.count)
        if self.kernel_view is not None:
            check_support(self.kernel_view.support, self.kernel_view.budget)
        if self.moments is not None:
            check_moments(self.moments)

    # Learning

    def reserve(self, rows: int) -> None:
        """Allocate for what ``rows`` more may leave behind."""
        scorer, kernel_view = reserve(self.scorer, rows), self.kernel_view
        if kernel_view is not None and not kernel_view.budget:
            support = enlarged(kernel_view.support, self.features.count, rows)
            if support is not kernel_view.support:
                kernel_view, scorer = kernel_view._replace(support=support), resize(scorer, support.points.shape[1])
        if scorer is not self.scorer or kernel_view is not self.kernel_view:
            self.scorer, self.kernel_view = scorer, kernel_view
            self.unbind()

    @property
    def has_history(self) -> bool:
        """Whether the learner remembers the hypothesis of each milestone."""
        return self.kernel_view is None and self.features.count <= WIDEST

    def at_milestone(self, age: int) -> None:
        """Settle the scaling and remember what predicts; called between rows."""
        self._facts = None  # a row of some scorers takes longer the more they have learned
        if self.plan["scale"] == "settled":
            self._settle()
        if self.has_history and age >= EARLIEST:
            self.trail = with_milestone(self.trail, age, self.hypothesis())

    def _settle(self) -> None:
        """Switch to a scaling by all rows so far, and rescale what was learned, so that no prediction changes."""
        assert self.moments is not None
        ratio, shift = adopt_current_scaling(self.moments)
        if (ratio != 1.0).any() or (shift != 0.0).any():
            rescale_hypothesis(self.scorer, ratio[: self.features.count], shift[: self.features.count], self.age)

    def _rows_to_learn(self, rows: Rows, longest: int = 1) -> Any:
        """Rows as a loop learns them, at most ``longest`` at a time."""
        if self.moments is None:
            return rows if self.kernel_view is None else self.kernel_view.seen(rows)
        if self.moments.tally[CENTRED] < 0.0:
            self.moments.tally[CENTRED] = float(are_centred(rows, self.features))
            self.unbind()  # loops for single rows are bound to the kind
        return running_rows(self.moments, rows, self.features.count, longest, self._seen)

    def rows_to_predict(self, rows: Rows) -> Any:
        """Rows as a loop answers for them."""
        return self._seen(rows) if self.moments is None else scaled_rows(self.moments, rows, self.features.count, self._seen)

    def _seen(self, rows: Rows) -> Any:
        """Rows as the kernel sees them, if there is one."""
        return rows if self.kernel_view is None else self.kernel_view.seen(rows)

    # Running loops

    @property
    def work(self) -> int:
        """How many simple rows take as long as one row."""
        return work_per_row(self.scorer)

    @property
    def is_plain(self) -> bool:
        """Whether all of it is numbers, and no function of the user's: so it can be saved."""
        return self.kernel_view is None or not isinstance(self.kernel_view.kernel, kernels.Given)

    def bind_loop(self, loop: Loop, args: tuple[Any, ...], rows: Rows, last: int = 2, what: str = "") -> Callable[..., int]:
        """The loop on these arguments and ``last`` numbers more: in the end, from where to where in ``rows`` it runs."""
        if not self.facts.compiles:
            return functools.partial(loop.interpreted, *args)
        storage = "sparse" if isinstance(rows, CSR) else "dense"
        return loop.bind(args, last, f"{self.plan['algorithm']}{what} for {storage} rows")

    # Answers

    def predict(
        self, table: Table, predictions: np.ndarray = NO_INTEGERS, scores: np.ndarray = NO_TABLE, scorer: Any = None
    ) -> int:
        """Predict into whichever array is given, by ``scorer`` instead of its own; returns the first row refused, or -1."""
        own = with_own_buffers(self.scorer if scorer is None else scorer)
        buffer = np.empty(self.n_scores)  # of its own, as the scorer's: several threads may predict at once
        args = (own, self.decision, self.rows_to_predict(table.rows), buffer, predictions, scores)
        return self.bind_loop(predict_rows, args, table.rows, 3, "'s predictions")(self.age, 0, len(predictions) or len(scores))

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
        self.unbind()

    @contextlib.contextmanager
    def undoing(self) -> Iterator[None]:
        """Lock the learner, and undo new features and labels if an error leaves the block; rows that were learned stay so."""
        with self.lock:
            # Not by ``vars(self)``: a learner whose dictionary was asked for reads its attributes more slowly from then on.
            before, count = [(name, getattr(self, name)) for name in self.growing], self.features.count
            try:
                yield
            except BaseException:
                for name, part in before:
                    setattr(self, name, part)
                self.features.truncate(count)
                self._prepare()
                raise

    def hypothesis(self) -> Hypothesis:
        """The hypothesis that predicts; with a kernel, one coefficient per row of the support."""
        return self.in_order(hypothesis(self.scorer, self.n_scores, self.age))

    def in_order(self, rule: Hypothesis) -> Hypothesis:
        """The columns of a hypothesis: the features, as they come, or the support, the oldest first."""
        if self.kernel_view is not None or rule.coef.shape[-1] != self.n_columns:
            columns: Any = slice(self.n_columns) if self.kernel_view is None else self.oldest_first()
            rule = rule._replace(coef=rule.coef[..., columns])
        return rule if self.moments is None or self.kernel_view is not None else folded(self.moments, rule)

    @property
    def off_centre(self) -> float:
        """What centring subtracts from the projection of every row: thresholds are for raw rows."""
        if self.moments is None or self.kernel_view is not None:
            return 0.0
        return float(shift_of(self.moments, hypothesis(self.scorer, self.n_scores, self.age).coef))

    def oldest_first(self) -> np.ndarray:
        """The places of the support."""
        assert self.kernel_view is not None
        born = self.kernel_view.support.born
        places = np.flatnonzero(born >= 0)
        return places[np.argsort(born[places])]
