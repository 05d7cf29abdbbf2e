"""The learners of lists: every list is ranked, then learned by the grades of its rows, which may be scaled within it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.decisions import Unrated
from ...core.grades import Graded, workspace_for
from ...core.list_scaling import Block, How, scaled_blocks
from ...core.lists import Lists
from ...core.loops import learn_lists
from ...core.measures import NDCG, discounts
from ...core.rows import CSR, Rows
from ...core.scorers.protocol import resize
from ..features import Features
from ..inputs import Table
from .chunks import Run, learn_in_chunks
from .learner import NO_INTEGERS, NO_NUMBERS, Learner
from .parts import Parts
from .rollback import atomically

# Place in ``counts``, beside the lists seen and the updates: whether lists have come with ids.
HAS_IDS = 2

# Columns that a feature has where rows are scaled within lists: its value, scaled, and its rank there.
VIEWS = 2


class ListLearner(Learner):
    """The decision of its parts is the measure that the order of a list is judged by."""

    def __init__(self, parts: Parts, features: Features, plan: dict[str, Any]) -> None:
        self.measure, self.losses = parts.decision, np.zeros(1)
        super().__init__(parts._replace(decision=Unrated()), features, plan)

    def learn(
        self, table: Table, lists: Lists, given: Graded, order: np.ndarray = NO_INTEGERS, predictions: np.ndarray = NO_NUMBERS
    ) -> int:
        """Learn the lists; if a row cannot be, forget them all and return which it was, otherwise -1."""
        self._reach(lists.longest)
        return atomically(self, table, lambda: self._learn_chunks(table.rows, lists, given, order, predictions))

    def _reach(self, longest: int) -> None:
        """Know the discounts of as many places as a list may have."""
        if isinstance(self.measure, NDCG):
            places = min(longest, self.measure.cutoff or longest)
            if places > len(self.measure.discounts):
                self.measure = self.measure._replace(discounts=discounts(max(places, 2 * len(self.measure.discounts))))

    def _learn_chunks(self, rows: Rows, lists: Lists, given: Graded, order: np.ndarray, predictions: np.ndarray) -> int:
        n_lists, buffers = len(lists.bounds) - 1, workspace_for(lists, given)

        def reserve(start: int, count: int) -> int:
            if not self.facts.grows:
                return count
            q = order[start] if len(order) else start
            self.reserve(int(lists.bounds[q + 1] - lists.bounds[q]))
            return 1

        def bind() -> Run:
            more = (lists, given, order, self.counts, self.losses, buffers, predictions)
            args = (self.scorer, self.rule, self.measure, self._rows_to_learn(rows, lists.longest), *more)
            return self.bind_loop(learn_lists, args, rows)

        return learn_in_chunks(self, len(order) or n_lists, reserve, bind)


class ScaledListLearner(ListLearner):
    """Scales every row within its list; the hypothesis weighs the value and the rank of each feature, in columns side by side."""

    def __init__(self, parts: Parts, features: Features, plan: dict[str, Any]) -> None:
        super().__init__(parts, features, plan)
        self.scorer = resize(self.scorer, self.n_columns)

    @property
    def n_columns(self) -> int:
        """Two a feature."""
        return VIEWS * self.features.count

    def touched(self, rows: CSR) -> np.ndarray:
        """Both columns of every feature that a row has."""
        first = VIEWS * rows.indices.astype(np.int64)
        return np.concatenate([first, first + 1])

    def blocks(self, table: Table, lists: Lists, part: np.ndarray) -> Iterator[Block]:
        """The rows of some lists, scaled."""
        how = How(standard=self.plan["query_scale"] == "standard", ranked=True, anchored=True)
        return scaled_blocks(table.rows, table.n_columns, lists, part, how)

    def predict_lists(self, table: Table, lists: Lists) -> tuple[np.ndarray, int]:
        """The score of every row, and which one is refused, or -1."""
        sums = np.empty(table.n_rows)
        for block in self.blocks(table, lists, np.arange(len(lists.bounds) - 1)):
            if block.bad >= 0:
                return sums, block.bad
            scores = np.empty((len(block.origin), 1))
            refused = self.predict(Table(block.rows, len(block.origin), self.n_columns, None), scores=scores)
            if refused >= 0:
                return sums, int(block.origin[refused])
            sums[block.origin] = scores[:, 0]
        return above_the_mean(sums / self.divisor, lists), -1

    def _learn_chunks(self, rows: Rows, lists: Lists, given: Graded, order: np.ndarray, predictions: np.ndarray) -> int:
        buffers, rows_at = workspace_for(lists, given), np.empty(int(lists.bounds[-1]), np.int64)
        table = Table(rows, len(rows_at), self.features.count, None)
        every = order if len(order) else np.arange(len(lists.bounds) - 1)

        def run(start: int, stop: int) -> int:
            for block in self.blocks(table, lists, every[start:stop]):
                rows_at[block.places] = np.arange(len(block.places))
                refused = self._learn_block(block, Lists(rows_at, lists.bounds), given, buffers, predictions)
                if refused >= 0:
                    return refused
            return -1

        refused = learn_in_chunks(self, len(every), lambda start, count: count, lambda: run)
        if refused < 0 and len(predictions):
            predictions[:] = above_the_mean(predictions, lists)
        return refused

    def _learn_block(self, block: Block, lists: Lists, given: Graded, buffers: Any, predictions: np.ndarray) -> int:
        """Learn the lists of a block; returns as ``learn`` does."""
        if block.bad >= 0:
            return block.bad
        predicted = np.empty(len(block.origin)) if len(predictions) else NO_NUMBERS
        more = (lists, given, block.part, self.counts, self.losses, buffers, predicted)
        args = (self.scorer, self.rule, self.measure, block.rows, *more)
        refused = self.bind_loop(learn_lists, args, block.rows)(0, len(block.part))
        if refused >= 0:
            return int(block.origin[refused])
        if len(predictions):
            predictions[block.origin] = predicted
        return -1


def above_the_mean(numbers: np.ndarray, lists: Lists) -> np.ndarray:
    """Numbers per row, less their mean over the list: what is the same for the whole list does not change its order."""
    means = np.add.reduceat(numbers[lists.order], lists.bounds[:-1], axis=0)
    sizes = np.diff(lists.bounds)
    away = np.empty_like(numbers)
    away[lists.order] = numbers[lists.order] - np.repeat((means.T / sizes).T, sizes, axis=0)
    return away
