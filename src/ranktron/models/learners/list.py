"""The learner of lists: every list is ranked, then learned by the grades of its rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.decisions import Unrated
from ...core.grades import Graded, workspace_for
from ...core.lists import Lists
from ...core.loops import learn_lists
from ...core.measures import NDCG, discounts
from ...core.rows import Rows
from ..features import Features
from ..inputs import Table
from .chunks import Run, learn_in_chunks
from .learner import NO_INTEGERS, NO_NUMBERS, Learner
from .parts import Parts
from .rollback import atomically

# Place in ``counts``, beside the lists seen and the updates: whether lists have come with ids.
HAS_IDS = 2


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

        def bind(count: int) -> Run:
            more = (lists, given, order, self.counts, self.losses, buffers, predictions)
            args = (self.scorer, self.rule, self.measure, self._rows_to_learn(rows, lists.longest), *more)
            return self.bind_loop(learn_lists, int(lists.bounds[-1] * (count / n_lists)), args)

        return learn_in_chunks(self, len(order) or n_lists, reserve, bind)
