"""One learner on one stream: predict, then learn, block by block; a run can stop and continue at the end of any block."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...models.streaming import BadRow, feed
from ..shared.algorithms import ranks_lists
from ..shared.figures import figures_of, list_bounds
from ..shared.output import plain
from ..shared.stopping import Stopper
from .curve import Point

if TYPE_CHECKING:
    from ...data.streams import Block, Stream


@dataclasses.dataclass
class RunPlan:
    """How the data are read."""

    epochs: int = 1
    # The seed of the shuffles; None keeps the order of the data.
    seed: int | None = None
    # The number of rows between two points of the curve.
    every: int | None = None
    # Whether rows that cannot be learned are skipped.
    skip: bool = False


class Run:
    """The state of a run: the model, the counts so far, and the place in the data."""

    def __init__(self, model: Any, stream: Stream, plan: RunPlan, taught: bool = False) -> None:
        self.model, self.stream, self.plan = model, stream, plan
        self.taught = taught  # whether the model had learned before
        self.epoch = self.rows = 0
        self.place: Any = None
        self.curve: list[Point] = []
        self.passes: list[dict[str, float]] = []  # the figures of every pass that is over
        self.bad: tuple[int, list[str]] | None = None  # skipped lines, once a pass has seen all of them
        self.start = self.pass_start = counts_of(model)
        self.figures = figures_of(model)
        self._seconds, self._began = 0.0, time.perf_counter()
        self._ended: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether all passes are done."""
        return self.epoch >= self.plan.epochs

    @property
    def share(self) -> float | None:
        """The share of all rows that has been learned; None if it is not known."""
        behind = 0.0 if self.place is None else self.stream.progress(self.place)
        return None if behind is None else min((self.epoch + behind) / self.plan.epochs, 1.0)

    @property
    def seconds(self) -> float:
        """The seconds so far, with those before a resumed checkpoint."""
        return self._seconds + (self._ended or time.perf_counter()) - self._began

    def go(self, stopper: Stopper, point: Callable[[Point], None], after_block: Callable[[], None]) -> None:
        """Learn until the end, or until ``stopper`` says so; ``point`` is called for every point of the curve."""
        while not self.is_over:
            seed = None if self.plan.seed is None else (self.plan.seed, self.epoch)
            blocks = iter(self.stream.blocks(self.place, shuffle=seed))
            while (block := stopper.next(blocks)) is not None:
                for found in self._learn(block):
                    self.curve.append(found)
                    point(found)
                self.place = block.place
                after_block()
            self._end_pass()
        self._ended = time.perf_counter()

    def _end_pass(self) -> None:
        if not self.rows:
            raise ValueError("there are no rows to learn from")
        self.stream.check_unchanged()
        now, start = counts_of(self.model), self.pass_start
        own = (now["loss"] - start["loss"]) / max(now["seen"] - start["seen"], 1)
        self.passes.append({**self.figures.values(), "learners_loss": own})
        self.bad = self.bad or (self.stream.bad.count, list(self.stream.bad.first))
        self.epoch, self.place = self.epoch + 1, None
        if not self.is_over:
            self.figures, self.pass_start = figures_of(self.model), now

    def _learn(self, block: Block) -> Iterator[Point]:
        """Learn a block; the points of the curve that lie in it."""
        for part, predicted in self._fed(block):
            cuts = self._cuts(part)
            for start, stop in pairwise(dict.fromkeys([0, *cuts, len(part)])):
                qid = None if part.qid is None else part.qid[start:stop]
                self.figures.update(part.y[start:stop], predicted[start:stop], qid)  # type: ignore[index]
                self.rows += stop - start
                if stop in cuts:
                    yield {"epoch": self.epoch + 1, "rows": self.rows, **self.figures.values()}

    def _cuts(self, part: Block) -> list[int]:
        """The rows of a block after which a point lies: at multiples of ``every``, or at the end of the list there."""
        if not self.plan.every:
            return []
        ends = list_bounds(part.qid)[1:] if ranks_lists(self.model) else np.arange(1, len(part) + 1)
        passed = np.diff((self.rows + ends) // self.plan.every, prepend=self.rows // self.plan.every)
        cuts: list[int] = ends[passed > 0].tolist()
        return cuts

    def _fed(self, block: Block) -> Iterator[tuple[Block, np.ndarray]]:
        """Feed a block to the model, in parts around refused rows if these are skipped."""
        parts = [block]
        while parts:
            part = parts.pop()
            try:
                if len(part):
                    yield part, feed(self.model, part, known=self.epoch > 0)
            except BadRow as error:
                reason = f"{part.where(error.row)}: {error.reason}"
                if not self.plan.skip:
                    raise ValueError(reason) from None
                self.stream.bad.add(reason)
                parts += reversed(self._around(part, error.row))

    def _around(self, part: Block, row: int) -> list[Block]:
        """A block without one of its rows: the rows before its list, its list without it, and the rows after."""
        if not ranks_lists(self.model):
            return [part.part(0, row), part.part(row + 1, len(part))]
        bounds = list_bounds(part.qid)
        after = int(np.searchsorted(bounds, row, side="right"))
        start, stop = bounds[after - 1 : after + 1].tolist()
        return [part.part(0, start), part.part(start, stop).without(row - start), part.part(stop, len(part))]

    # Plain data

    def state(self) -> dict[str, Any]:
        """The state of the run as plain data."""
        bad = self.bad or (self.stream.bad.count, self.stream.bad.first)
        return {
            "taught": self.taught,
            "epoch": self.epoch,
            "place": None if self.place is None else list(self.place),
            "rows": self.rows,
            "figures": self.figures.state(),
            "passes": plain(self.passes),  # JSON has no NaN
            "curve": plain(self.curve),
            "bad": [bad[0], list(bad[1])],
            "start": self.start,
            "pass_start": self.pass_start,
            "seconds": round(self.seconds, 3),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a ``state``."""
        from ...data.streams import Place

        self.epoch, self.rows = state["epoch"], state["rows"]
        self.start, self.pass_start = state["start"], state["pass_start"]
        self.place = None if state["place"] is None else Place(*state["place"])
        self.figures.restore(state["figures"])
        self.passes, self.curve = [_with_nan(one) for one in state["passes"]], [_with_nan(one) for one in state["curve"]]
        self.stream.bad.count, self.stream.bad.first = state["bad"][0], list(state["bad"][1])
        self.bad = (state["bad"][0], list(state["bad"][1])) if self.epoch else None
        self._seconds = state["seconds"]


def _with_nan(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: math.nan if value is None else value for name, value in figures.items()}


def counts_of(model: Any) -> dict[str, Any]:
    """The counts that the model keeps itself."""
    if model._learner is None:
        return {"seen": 0, "updates": 0, "loss": 0.0}
    return {"seen": model.n_seen_, "updates": model.n_updates_, "loss": float(model.cumulative_loss_)}
