"""What a recommender predicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import numpy as np

from ..models.kinds.model import NotFitted
from ..models.labels import short
from ..models.learners.concurrency import reads
from .community import Community
from .raters import Cases
from .tastes import BY_ITEM, BY_PERSON, BY_TASTE, COUNT, FEW, MEAN, SCORE


class Share(NamedTuple):
    """The terms of a prediction: ``mean + person + item + taste`` is ``score``, in units of the ratings."""

    mean: float
    person: float
    item: float
    taste: float
    score: float
    person_ratings: int
    item_ratings: int


class Answers:
    """The reading side of a recommender."""

    _learner = cast(Any, None)  # a community; not annotated: a dataclass would take it for a parameter
    _frozen = False
    others = False

    @property
    def _learned(self) -> Community:
        if self._learner is None:
            raise NotFitted(f"this {type(self).__name__} has not learned anything yet")
        return self._learner

    @property
    @reads
    def classes_(self) -> np.ndarray:
        """The ratings there are, in ascending order."""
        return self._learned.labels.values

    @property
    @reads
    def people_(self) -> list[Any]:
        """The people, in the order in which they came."""
        return list(self._learned.names[0].names)

    @property
    @reads
    def items_(self) -> list[Any]:
        """The items, in the order in which they came."""
        return list(self._learned.names[1].names)

    @property
    @reads
    def n_seen_(self) -> int:
        """How many ratings were learned."""
        return self._learned.age

    # Predictions

    @reads
    def predict(self, people: Iterable[Any], items: Iterable[Any]) -> np.ndarray:
        """The label of each pair; people and items that are not known count as average ones."""
        return self._learned.raters.predict(self._cases(people, items))

    @reads
    def predict_proba(self, people: Iterable[Any], items: Iterable[Any]) -> np.ndarray:
        """The probability of each label for each pair, if the rater knows any."""
        return self._learned.raters.predict_proba(self._cases(people, items))

    @reads
    def predict_interval(
        self, people: Iterable[Any], items: Iterable[Any], coverage: float = 0.9
    ) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest label of each pair between which so large a share of the ratings is, by the shared rater."""
        lowest: np.ndarray
        lowest, highest = self._learned.raters.shared.predict_interval(self._cases(people, items).rows, coverage)
        return lowest, highest

    @reads
    def predict_mean(self, people: Iterable[Any], items: Iterable[Any]) -> np.ndarray:
        """The expected rating of each pair; of labels that are not numbers, their rank from 1."""
        return self._learned.scale.in_labels(self._cases(people, items).rows[:, SCORE])

    @reads
    def predict_one(self, person: Any, item: Any) -> Any:
        """The label of one pair."""
        community = self._learned
        who, what = community.names[0].place(person), community.names[1].place(item)
        others = [community.others(who, what)] if self.others else None
        return community.raters.predict_one(Cases(np.array([who]), community.row(who, what), others))

    @reads
    def predict_mean_one(self, person: Any, item: Any) -> float:
        """The expected rating of one pair."""
        community = self._learned
        row = community.row(community.names[0].place(person), community.names[1].place(item))
        return community.scale.told_one(float(row[0, SCORE]))

    def _cases(self, people: Iterable[Any], items: Iterable[Any]) -> Cases:
        community = self._learned
        who, what = community.names[0].places(people), community.names[1].places(items)
        if len(who) != len(what):
            raise ValueError(f"there are {len(who)} people and {len(what)} items; they should come in pairs")
        others = [community.others(*pair) for pair in zip(who.tolist(), what.tolist())] if self.others else None
        return Cases(who, community.rows(who, what), others)

    # Recommendations

    @reads
    def recommend(
        self, person: Any, n: int = 10, *, among: Iterable[Any] | None = None, seen: bool = False
    ) -> list[tuple[Any, float]]:
        """The ``n`` items with the highest expected ratings, the best first, each with that rating.

        They are all items that are known, or those of ``among``; what the person has rated is left out unless ``seen``. Somebody
        who is not known gets what an average person likes.
        """
        community = self._learned
        who = community.names[0].place(person)
        chosen = list(community.names[1].names if among is None else dict.fromkeys(among))
        what = community.names[1].places(chosen)
        if not seen and who >= 0:
            rated = community.rated_by(who)
            kept = [place for place, number in enumerate(what.tolist()) if number not in rated]
            chosen, what = [chosen[place] for place in kept], what[kept]
        scores = community.rows(np.full(len(what), who), what)[:, SCORE]
        best = np.argsort(-scores, kind="stable")[:n].tolist()
        return list(zip((chosen[place] for place in best), community.scale.in_labels(scores[best]).tolist()))

    @reads
    def similar(self, item: Any, n: int = 10) -> list[tuple[Any, float]]:
        """The ``n`` items that the same people like, each with the cosine of the two tastes, shrunken where ratings are few."""
        community = self._learned
        names, side = community.names[1], community.sides[1]
        number = names.place(item)
        if number < 0:
            raise ValueError(f"item {short(item)} has no rating yet")
        tastes, counts = side.tastes[: len(names)], side.marks[: len(names), COUNT]
        lengths = np.sqrt(np.square(tastes).sum(axis=1))
        known = counts / (counts + FEW)
        alike = known[number] * known * (tastes @ tastes[number]) / np.maximum(lengths * lengths[number], 1e-300)
        alike[number] = -np.inf
        best = np.argsort(-alike, kind="stable")[: min(n, len(names) - 1)].tolist()
        return [(names.names[place], float(alike[place])) for place in best]

    @reads
    def explain(self, person: Any, item: Any) -> Share:
        """The terms of the expected rating of a pair."""
        community = self._learned
        places = community.names[0].place(person), community.names[1].place(item)
        row, unit = community.row(*places)[0], community.scale.unit
        ratings = [int(side.marks[place, COUNT]) if place >= 0 else 0 for side, place in zip(community.sides, places)]
        person_adds, item_adds, taste_adds = (float(unit * row[place]) for place in (BY_PERSON, BY_ITEM, BY_TASTE))
        mean, score = (float(community.scale.low + unit * value) for value in (community.level[MEAN], row[SCORE]))
        return Share(mean, person_adds, item_adds, taste_adds, score, *ratings)
