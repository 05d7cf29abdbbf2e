"""Ratings of items by people, learned one at a time, and what to recommend."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..algorithms import OrdinalLogit
from ..core.checks import refuse_masked
from ..doors import Rater
from ..models import OrdinalModel, files
from ..models.labels import Labels, as_labels, check_label, distinct, given_labels, own_order, short
from ..models.learners.concurrency import bound, reads, still
from ..models.order import seed_of
from ..models.parameters import check_parameters, estimator_or_none, flag, labels_in_order, not_negative, positive, seed, whole
from .answers import Answers
from .community import Community
from .ids import listed
from .raters import Cases, Raters
from .storing import stored, unstored
from .tastes import Plan


@dataclasses.dataclass(kw_only=True, eq=False)
class Recommender(Answers):
    """Ratings of items by people, one at a time: new people and items may come at any moment.

    A rating is expected to be the mean of all, plus what the person adds, plus what the item adds, plus how well their tastes go
    together. All of that is learned in one pass, in microseconds a rating; a rater on top of it gives labels. It remembers
    ratings, and learns some of them again with each new one.

    Parameters
    ----------
    factors : int
        How many numbers a taste is.
    rate, damping : float
        How fast tastes are learned, and how strongly they are drawn towards none.
    draws, latest : int
        How many ratings are learned again with each new one: this number drawn from all, and as many of the last ones of the same
        person and of the same item.
    memory : int, optional
        How many ratings are kept for that, the last ones; all by default, in 40 bytes each.
    rater : ordinal estimator, optional
        What makes labels of expected ratings and of what else is known of a pair; :class:`Rater` by default.
    per_person : bool
        Give everybody a rater of their own, too. It counts n of n + ``shrink`` once it has learned n ratings, and the shared one
        the rest: the label is the middle one of their probabilities.
    shrink : float
        The number of ratings after which a person's own rater counts as much as the shared one.
    others : bool
        Let everybody's own rater see what others have said of an item, too, as in Crammer & Singer (2005) and Harrington (2003);
        by default it is an :class:`OrdinalLogit` of order 1 then. It needs ``per_person`` and all ratings kept, takes long, and
        labels are worse than without: it is there to compare with.
    classes : sequence, optional
        The ratings there are, in ascending order: numbers, which are worth what they are, or others, which are worth their rank.
        Without it the first batch settles them, and ``learn_one`` takes them as they come.
    random_state : int, optional
        The seed of what is drawn; None is 0.

    People and items are called by strings or whole numbers. A pair that is rated again counts as one rating more.

    Examples
    --------
    >>> from ranktron.collaborative import Recommender
    >>> model = Recommender(classes=[1, 2, 3, 4, 5])
    >>> for person, item, stars in [("ann", "Alien", 5), ("ann", "Up", 2), ("bob", "Alien", 4), ("bob", "Heat", 5)]:
    ...     model.learn_one(person, item, stars)
    >>> model.recommend("ann", 1)[0][0]
    'Heat'
    >>> [name for name, stars in model.recommend("somebody new")]
    ['Heat', 'Alien', 'Up']
    """

    factors: int = whole(20, at_least=1, at_most=10_000, is_size=True)
    rate: float = positive(0.015)
    damping: float = not_negative(0.1)
    draws: int = whole(10, at_least=0, at_most=10_000)
    latest: int = whole(5, at_least=0, at_most=10_000)
    memory: int | None = whole(None, at_least=1)
    rater: Any = estimator_or_none(lambda value: isinstance(value, OrdinalModel), "None or an ordinal estimator, such as PRank()")
    per_person: bool = flag(False)
    shrink: float = positive(100.0)
    others: bool = flag(False)
    classes: Sequence[Any] | None = labels_in_order()
    random_state: Any = seed()

    # Learning

    def learn_one(self, person: Any, item: Any, rating: Any) -> None:
        """Learn one rating."""
        community = self._begun(lambda: self._labels_for_one(rating))
        with community.lock:
            rank = self._rank(community.labels, rating)
            who, what = community.numbers_of_one(person, item)
            if rank is None:
                rank = community.add_label(rating)
            row = community.learn_one(who, what, rank)
            others = [community.others(who, what, community.age - 1)] if self.others else None
            community.raters.learn_one(Cases(np.array([who]), row, others), rating)
        self._learner = community

    def partial_fit(self, people: Any, items: Any = None, ratings: Any = None, classes: Sequence[Any] | None = None) -> Self:
        """Go on learning, the ratings in order: three columns, triples, or what ``ranktron.data.sets`` reads."""
        self._learn(people, items, ratings, classes)
        return self

    def fit(self, people: Any, items: Any = None, ratings: Any = None) -> Self:
        """Forget everything, then learn the ratings in order, as ``partial_fit`` takes them."""
        fresh = dataclasses.replace(self)
        fresh.__dict__["_frozen"] = self._frozen
        fresh._learn(people, items, ratings, None)
        self._learner = fresh._learner
        return self

    def predict_then_learn(self, people: Any, items: Any = None, ratings: Any = None) -> np.ndarray:
        """What ``predict`` would have said of each rating after learning those before it; learns them all."""
        return self._learn(people, items, ratings, None, predict=True)

    def _learn(self, people: Any, items: Any, ratings: Any, classes: Any, predict: bool = False) -> Any:
        people, items, ratings = columns_of(people, items, ratings)
        refuse_masked(ratings, "ratings")
        given = as_labels(np.asarray(ratings) if hasattr(ratings, "__array__") else ratings)
        if not len(people) == len(items) == len(given) > 0:
            raise ValueError(
                f"there are {len(people)} people, {len(items)} items and {len(given)} ratings; they should be triples"
            )
        community = self._begun(lambda: self._first_labels(ratings, given, classes))
        with community.lock:
            if classes is not None:
                community.labels.check_given(classes)
            ranks = community.labels.encode(given)
            who, what = community.numbers(people, items)
            before = community.age
            cases = Cases(who, community.learn(who, what, ranks))
            if self.others:
                pairs = enumerate(zip(who.tolist(), what.tolist()), start=before)
                cases = cases._replace(others=[community.others(*pair, age) for age, pair in pairs])
            predicted = community.raters.learn(cases, community.labels.decode(ranks), predict)
        self._learner = community
        return predicted

    # Beginning

    def _begun(self, labels: Callable[[], Labels]) -> Community:
        """What has been learned, or a new community and new raters."""
        if self._frozen:
            raise ValueError("a snapshot does not learn; let the model it was taken from learn, or save and load it")
        if self._learner is not None:
            return self._learner
        check_parameters(self)
        if self.others and not (self.per_person and self.memory is None):
            raise ValueError("others=True needs per_person=True and memory=None")
        return self._fresh(labels())

    def _fresh(self, labels: Labels) -> Community:
        plan = Plan(float(self.rate), float(self.damping), int(self.draws), int(self.latest))
        classes = labels.names if labels.closed else None
        shared = dataclasses.replace(Rater() if self.rater is None else self.rater, classes=classes)
        own = OrdinalLogit(order=1, classes=classes, calibrate=False) if self.rater is None and self.others else shared
        raters = Raters(shared, dataclasses.replace(own) if self.per_person else None, float(self.shrink))
        return Community(plan, int(self.factors), self.memory, seed_of(self.random_state), labels, raters)

    def _first_labels(self, ratings: Any, given: np.ndarray, classes: Any) -> Labels:
        for order in (classes, self.classes, own_order(ratings)):
            if order is not None:
                return given_labels(order)
        for label in set(given.tolist()):
            check_label(label)
        labels = Labels(distinct(given))
        if len(labels) < 2:
            raise ValueError(f"all ratings are {short(labels.names[0])}; pass classes= with all there may be, in ascending order")
        return labels

    def _labels_for_one(self, rating: Any) -> Labels:
        if self.classes is not None:
            return given_labels(self.classes)
        check_label(rating)
        return Labels(as_labels([rating]), closed=False)

    def _rank(self, labels: Labels, rating: Any) -> int | None:
        """The rank of a rating, or None if there is to be one."""
        check_label(rating)
        rank = labels.rank_of.get(rating)
        if rank is None:
            if labels.closed:
                labels.refuse(rating)
            labels.place_of(rating)
        return rank

    # Keeping

    @reads
    def snapshot(self) -> Self:
        """An independent copy that only answers: as many answers as you like by one state of a model that goes on learning."""
        return bound(self, still(self._learned))

    def save(self, path: str | Path) -> None:
        """Write the model to a file, all of it or nothing; ``ranktron.load`` reads it and goes on bit for bit."""
        files.write(path, *self._content())

    _content, _from_file = reads(stored), staticmethod(unstored)


Columns = tuple[Sequence[Any], Sequence[Any], Any]


def columns_of(people: Any, items: Any, ratings: Any) -> Columns:
    """People, items and ratings: three columns as they are, triples, or the ``Ratings`` of a data set.

    >>> columns_of([("ann", "Up", 2), ("bob", "Up", 5)], None, None)
    (['ann', 'bob'], ['Up', 'Up'], [2, 5])
    """
    if items is None and ratings is None:
        if not hasattr(people, "names_people"):
            return _of_triples(people)
        return people.names_people[people.people].tolist(), people.names_items[people.items].tolist(), people.ratings
    if items is None or ratings is None:
        raise ValueError("pass people, items and ratings, or all of them in one as triples")
    return listed(people), listed(items), ratings


def _of_triples(triples: Iterable[Any]) -> Columns:
    columns: tuple[list[Any], list[Any], list[Any]] = [], [], []
    for place, triple in enumerate(triples):
        try:
            person, item, rating = triple
        except (TypeError, ValueError):
            raise ValueError(f"entry {place} is not a triple of a person, an item and a rating") from None
        for column, value in zip(columns, (person, item, rating)):
            column.append(value)
    return columns
