"""The learner of lists: every list is ranked, then learned by the grades of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..decisions import Unrated
from ..grades import Graded, room_for
from ..lists import Lists
from ..measures import NDCG, discounts
from ..passes import learn_lists
from ..rows import Rows
from .features import Features
from .inputs import Table
from .learner import NO_INTEGERS, NO_NUMBERS, Learner
from .parts import Parts

HAS_IDS = 2
"""Place in ``counts``, beside the lists seen and the updates: whether lists have come with ids."""


class ListLearner(Learner):
    """The decision of its parts is the measure that the order of a list is judged by."""

    def __init__(self, parts: Parts, features: Features, plan: dict[str, Any]) -> None:
        self.measure, self.losses = parts.decision, np.zeros(1)
        super().__init__(parts._replace(decision=Unrated()), features, plan)

    @property
    def tallies(self) -> dict[str, np.ndarray]:
        """What was counted on the way, by name."""
        return super().tallies | {"losses": self.losses}

    def learn(
        self, table: Table, lists: Lists, given: Graded, order: np.ndarray = NO_INTEGERS, predictions: np.ndarray = NO_NUMBERS
    ) -> int:
        """Learn the lists; if a row cannot be, forget them all and return which it was, otherwise -1."""
        self._reach(lists.longest)
        return self.guarded(table, lambda: self._run(table.rows, lists, given, order, predictions))

    def _reach(self, longest: int) -> None:
        """Know the discounts of as many places as a list may have."""
        if isinstance(self.measure, NDCG):
            places = min(longest, self.measure.cutoff or longest)
            if places > len(self.measure.discounts):
                self.measure = self.measure._replace(discounts=discounts(max(places, 2 * len(self.measure.discounts))))

    def _run(self, rows: Rows, lists: Lists, given: Graded, order: np.ndarray, predictions: np.ndarray) -> int:
        room = room_for(lists, given)
        for part in self._portions(lists, order):
            known = (lists, given, part, self.counts, self.losses, room, predictions)
            args = (self.scorer, self.rule, self.measure, self._taught(rows, lists.longest), *known)
            share = len(part) / (len(lists.bounds) - 1) if len(part) else 1.0
            refused: int = self._loop(learn_lists, int(share * lists.bounds[-1]), args)(*args)
            if refused >= 0:
                return refused
            self.pause()
        return -1

    def _portions(self, lists: Lists, order: np.ndarray) -> Iterator[np.ndarray]:
        """The order of the lists in portions that end at milestones, one at a time where there has to be room for its rows."""
        done, count = 0, len(order) or len(lists.bounds) - 1
        while done < count:
            left = count - done
            portion = min(left, self._to_milestone(left), 1 if self._grows else left)
            part = order[done : done + portion] if len(order) else np.arange(done, done + portion)
            if self._grows:
                self.reserve(int(lists.bounds[part[0] + 1] - lists.bounds[part[0]]))
            yield part if portion < count else order
            done += portion
