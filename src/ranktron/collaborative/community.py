"""People, items and their ratings: what the loops work on, with buffers for those to come."""

from __future__ import annotations

import copy
import itertools
import numbers
import sys
import threading
from typing import Any, NamedTuple

import numpy as np

from ..core.hashed_random import mixed
from ..models.labels import Labels
from ..models.learners.concurrency import NoLock
from .ids import Ids
from .raters import Raters
from .tastes import (
    DOUBT,
    FEATURES,
    ITEM,
    ITEMS_LAST,
    LAST,
    MEAN,
    NOISE,
    PERSONS_LAST,
    RANK,
    Plan,
    Side,
    describe_pairs,
    learn_ratings,
)

# How far apart tastes are that nothing is known of: their standard deviation is a tenth.
SPREAD = 0.1 * 12.0**0.5
# The variance of what people, and items, add to the mean.
AT_FIRST = 0.3
_ROOM = 64
# The width of the scale that labels are put on, like one to five stars.
WIDTH = 4.0


class Scale(NamedTuple):
    """From labels to what they are worth on a scale of that width, and back."""

    low: float
    unit: float
    values: np.ndarray

    @classmethod
    def of(cls, labels: Labels) -> Scale:
        """Numbers that ascend are worth what they are, other labels their rank from 1.

        >>> Scale.of(Labels(np.array([1, 2, 3]))).values, Scale.of(Labels(np.array(["bad", "good"]))).values
        (array([0., 2., 4.]), array([0., 4.]))
        """
        places = np.array(labels.names if _ascend(labels.names) else range(1, len(labels) + 1), np.float64)
        unit = float(places[-1] - places[0]) / WIDTH or 1.0
        return cls(float(places[0]), unit, (places - places[0]) / unit)

    def in_labels(self, scores: np.ndarray) -> np.ndarray:
        """Scores as ratings, none of them outside of the scale."""
        return self.low + self.unit * np.clip(scores, 0.0, self.values[-1])

    def told_one(self, score: float) -> float:
        """The same for one score."""
        return self.low + self.unit * min(max(score, 0.0), float(self.values[-1]))


def _ascend(names: list[Any]) -> bool:
    return all(isinstance(name, numbers.Real) for name in names) and all(low < high for low, high in itertools.pairwise(names))


class Community:
    """Everything that is learned."""

    # What would answer while a long batch is learned: here answers wait for it.
    view = None

    # Whether this is a copy that only answers, and so needs no lock.
    is_still = False

    def __init__(self, plan: Plan, factors: int, memory: int | None, seed: int, labels: Labels, raters: Raters) -> None:
        self.raters = raters
        self.plan, self.factors, self.memory, self.labels = plan, factors, memory, labels
        self.seed = np.array([seed], np.uint64)
        self.scale = Scale.of(labels)
        self.names = Ids("person"), Ids("item")
        self.sides = self._room(0, _ROOM), self._room(1, _ROOM)
        self.past = np.zeros((min(_ROOM, memory or _ROOM), PERSONS_LAST + 2), np.int64)
        self.level, self.counts = np.array([0.0, 1.0]), np.zeros(1, np.int64)
        self._prepare()

    def _prepare(self) -> None:
        self.lock: Any = NoLock() if self.is_still else threading.RLock()
        self._one = tuple(np.zeros(1, np.int64) for _ in range(3)), np.zeros((1, len(FEATURES)))
        self._asked = tuple(np.zeros(1, np.int64) for _ in range(2)), np.zeros((1, len(FEATURES)))
        self._forget_loops()

    def _forget_loops(self) -> None:
        """Forget the loops that are bound to single ratings, since an array was replaced."""
        self._learn_one: Any = None
        self._describe_one: Any = None

    def __getstate__(self) -> dict[str, Any]:
        with self.lock:
            return copy.deepcopy({name: part for name, part in vars(self).items() if name != "lock" and name[0] != "_"})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def takes_long(self, people: Any) -> bool:
        """Whether a copy should answer: never, because people and items are many."""
        return False

    @property
    def age(self) -> int:
        """How many ratings were learned."""
        return int(self.counts[0])

    # Learning

    def learn(self, who: np.ndarray, what: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        """Learn ratings in their order; returns what each was to be predicted from."""
        self.make_room(len(who))
        rows = np.zeros((len(who), len(FEATURES)))
        learn_ratings.bind(self._args(who, what, ranks, rows), 2, "Recommender")(0, len(who))
        return rows

    def learn_one(self, person: int, item: int, rank: int) -> np.ndarray:
        """The same for one rating; the row is overwritten by the next."""
        self.make_room(1)
        (who, what, ranks), row = self._one
        who[0], what[0], ranks[0] = person, item, rank
        if self._learn_one is None:
            self._learn_one = learn_ratings.bind(self._args(who, what, ranks, row), 2, "Recommender")
        self._learn_one(0, 1)
        return row

    def _args(self, who: np.ndarray, what: np.ndarray, ranks: np.ndarray, rows: np.ndarray) -> tuple[Any, ...]:
        given = (who, what, ranks, self.scale.values)
        return (*self.sides, self.past, self.plan, self.seed, *given, self.level, self.counts, rows)

    def rows(self, who: np.ndarray, what: np.ndarray) -> np.ndarray:
        """The rows from which the ratings of pairs are predicted."""
        rows = np.zeros((len(who), len(FEATURES)))
        describe_pairs.bind((*self.sides, who, what, self.level, rows), 2, "Recommender's predictions")(0, len(who))
        return rows

    def row(self, person: int, item: int) -> np.ndarray:
        """The same for one pair, as one row."""
        (who, what), row = self._asked
        who[0], what[0] = person, item
        if self._describe_one is None:
            args = (*self.sides, who, what, self.level, row)
            self._describe_one = describe_pairs.bind(args, 2, "Recommender's predictions")
        self._describe_one(0, 1)
        return row.copy()

    # Growing

    def numbers(self, people: Any, items: Any) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of people and items, new ones among them; if a name is refused, all are as they were."""
        count = len(self.names[0])
        who = self.names[0].numbers(people)
        try:
            return who, self.names[1].numbers(items)
        except ValueError:
            self.names[0].truncate(count)
            raise

    def numbers_of_one(self, person: Any, item: Any) -> tuple[int, int]:
        """The same for one of each."""
        people, items = self.names
        who, what = people.place(person), items.place(item)
        if who < 0 or what < 0:
            who, what = (int(numbers[0]) for numbers in self.numbers([person], [item]))
        return who, what

    def make_room(self, ratings: int) -> None:
        """Reserve for all names, and for ``count`` ratings more."""
        for which, names in enumerate(self.names):
            if len(names) > len(self.sides[which].marks):
                self._widen(which, len(names))
        most = self.memory or sys.maxsize
        wanted = min(self.age + ratings, most)
        if wanted > len(self.past):
            more = np.zeros((min(max(wanted, 2 * len(self.past)), most), self.past.shape[1]), np.int64)
            more[: len(self.past)] = self.past
            self.past = more
            self._forget_loops()

    def _widen(self, which: int, count: int) -> None:
        side = self.sides[which]
        wider = self._room(which, max(count, 2 * len(side.marks)))
        for old, new in zip(side, wider):
            new[: len(old)] = old
        self.sides = (wider, self.sides[1]) if which == 0 else (self.sides[0], wider)
        self._forget_loops()

    def _room(self, which: int, count: int) -> Side:
        """People, or items, that nothing is known of: tastes are a matter of the seed and the number."""
        offsets, marks = np.zeros((count, 2)), np.zeros((count, 2), np.int64)
        offsets[:, DOUBT], marks[:, LAST] = AT_FIRST, -1
        places = np.arange(count * self.factors, dtype=np.uint64) * np.uint64(2) + np.uint64(which)
        with np.errstate(over="ignore"):
            shares = (mixed(~self.seed, places) >> np.uint64(11)) * 2.0**-53
        return Side(offsets, marks, (shares.reshape(count, self.factors) - 0.5) * SPREAD)

    def add_label(self, label: Any) -> int:
        """Insert a rank for a new label; what was learned is converted to the new scale."""
        place, before = self.labels.place_of(label), self.scale
        self.labels = self.labels.with_label(label)
        self.scale = Scale.of(self.labels)
        self._forget_loops()
        self.past[:, RANK] += self.past[:, RANK] >= place
        ratio = before.unit / self.scale.unit
        self.level[MEAN] = ratio * self.level[MEAN] + (before.low - self.scale.low) / self.scale.unit
        self.level[NOISE] *= ratio**2
        for names, side in zip(self.names, self.sides):
            side.offsets[: len(names)] *= (ratio, ratio**2)
            side.tastes[: len(names)] *= ratio**0.5
        return place

    def others(self, person: int, item: int, when: int | None = None) -> dict[str, float]:
        """What others have said of an item, before the rating of age ``when`` or so far, each from the middle of the scale."""
        if item < 0:
            return {}
        place = when if when is None else when % len(self.past)
        chain = int(self.sides[1].marks[item, LAST] if place is None else self.past[place, ITEMS_LAST])
        said: dict[str, float] = {}
        while chain >= 0:
            who, _, rank, _, chain = self.past[chain].tolist()
            if who != person:
                said.setdefault(f"person {who}", float(self.scale.values[rank]) - WIDTH / 2.0)
        return said

    def rated_by(self, person: int) -> set[int]:
        """The items that a person rated, as far as ratings are kept."""
        when, items = int(self.sides[0].marks[person, LAST]), set()
        while when >= 0 and when >= self.age - len(self.past):
            place = when % len(self.past)
            items.add(int(self.past[place, ITEM]))
            when = int(self.past[place, PERSONS_LAST])
        return items
