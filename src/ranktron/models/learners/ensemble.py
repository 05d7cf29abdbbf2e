"""Learners of many members, on one thread or on several, with the same result."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.conformal import bare
from ...core.loops import learn_rows
from ...core.rows import Rows
from ...core.scorers.ensemble import with_stack
from ...core.scorers.protocol import without_layout
from ...core.scorers.stack import BLOCK, Stack, part, with_reports
from ..inputs import Table
from .chunks import Run
from .learner import NO_INTEGERS
from .row import RowLearner

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Rows that threads learn before what they reported is combined.
CHUNK = 4096

# Rows times members below which threads cost more than they bring.
WORTH_THREADS = 20_000


class EnsembleLearner(RowLearner):
    """The members learn the rows, then the combined rule processes what they reported, as it would have row by row."""

    n_jobs: int | None = 1

    @property
    def members(self) -> Stack:
        """All members."""
        return without_layout(self.scorer.members)

    @property
    def work(self) -> int:
        """The number of members, each of which works on a row."""
        return len(self.members.shown)

    def learn_row(self, table: Table, rank: int) -> int:
        """One row is a batch here: some members may have learned it before another one refuses."""
        return self.learn(table, np.array([rank]))

    def _bind(self, args: tuple[Any, ...], rows: Rows) -> Run:
        bind = super()._bind

        def run(start: int, stop: int) -> int:
            self.scorer.clock[:] = self.age, 0
            is_small = self._threads == 1 or (stop - start) * self.work < WORTH_THREADS
            if is_small or self.kernel_view is not None or self.moments is not None:
                return bind(args, rows)(start, stop)
            return self._learn_on_threads(args, start, stop)

        return run

    def _learn_on_threads(self, args: tuple[Any, ...], start: int, stop: int) -> int:
        from concurrent.futures import ThreadPoolExecutor

        stack = with_reports(self.members, min(stop - start, CHUNK), len(self.labels))
        with ThreadPoolExecutor(self._threads) as threads:
            for first in range(start, stop, CHUNK):
                refused = self._learn_chunk(threads, stack, args, first, min(first + CHUNK, stop))
                if refused >= 0:
                    return refused
        return -1

    @property
    def _threads(self) -> int:
        wanted = 1 if self.n_jobs is None else self.n_jobs
        return min(wanted if wanted > 0 else max(1, (os.cpu_count() or 1) + 1 + wanted), -(-self.work // BLOCK))

    def _learn_chunk(self, threads: ThreadPoolExecutor, stack: Stack, args: tuple[Any, ...], start: int, stop: int) -> int:
        _, rule, decision, rows, ranks, order, scales = args[:7]
        n_ranks, before = len(self.labels), int(self.counts[1])
        # Random decisions depend on the number of a row, so a member has to know where the chunk starts.
        stack.start[0] = self.age

        def train_members(members: slice) -> tuple[int, int]:
            some = with_stack(self.scorer.members, part(stack, members))
            # Threads share the rows, and nothing that they write.
            counts = np.array([self.age, 0, 0])
            buffers = [np.zeros(n_ranks) for _ in range(3)]
            own = (some, rule, bare(decision), rows, ranks, order, scales, *buffers, counts, counts[2:], NO_INTEGERS)
            return self.bind_loop(learn_rows, own, rows)(start, stop), int(counts[1])

        results = list(threads.map(train_members, self._shares()))
        refused = [row for row, _ in results if row >= 0]
        if refused:
            return min(refused, key=order.tolist().index if len(order) else None)
        combined = self.scorer._replace(
            members=with_stack(self.scorer.members, stack), taught=True, clock=np.array([self.age, 0])
        )
        # One thread combines what was reported, in the order of the rows: the result does not depend on the number of threads.
        result = self.bind_loop(learn_rows, (combined, *args[1:]), rows)(start, stop)
        self.counts[1] = before + sum(updates for _, updates in results)
        return result

    def _shares(self) -> list[slice]:
        """The members of each thread: whole blocks, as evenly as they go."""
        blocks = -(-self.work // BLOCK)
        edges = np.linspace(0, blocks, self._threads + 1).round().astype(int) * BLOCK
        return [slice(start, min(stop, self.work)) for start, stop in zip(edges.tolist(), edges.tolist()[1:])]
