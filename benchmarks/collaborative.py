"""Ratings of items by people: one online pass against batch methods of Surprise and online ones of River."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import surprise
from river import reco

from ranktron.collaborative import Recommender
from ranktron.data import sets, synthetic

from .report import Section
from .timing import figures, timed

SPLITS, HELD_OUT = 5, 0.2
# The 97.5 % quantile of Student's t of four degrees.
STUDENT = 2.776
MOVIELENS = os.environ.get("RANKTRON_MOVIELENS")
WARM_UP = 2_000


class Data(NamedTuple):
    """Ratings to learn from and ratings held out."""

    people: list[int]
    items: list[int]
    ratings: list[float]
    asked_people: list[int]
    asked_items: list[int]
    truth: np.ndarray

    @property
    def levels(self) -> list[float]:
        """All distinct ratings."""
        return sorted({*self.ratings, *self.truth.tolist()})


class Outcome(NamedTuple):
    """A method's predictions for the held-out ratings, as numbers and as labels, and its learning time in seconds."""

    expected: np.ndarray
    labels: np.ndarray
    seconds: float


Method = Callable[[Data], Outcome]


def sections() -> list[Section]:
    """Generated ratings, and MovieLens if there is a copy."""
    found = [section("Ratings of people and items, made", lambda seed: synthetic.ratings(seed=seed))]
    if MOVIELENS:
        movielens = sets.load_movielens(MOVIELENS)
        found.append(section("Ratings of people and items, MovieLens", lambda seed: movielens))
    else:
        print("MovieLens: skipped, for RANKTRON_MOVIELENS names no copy.")
    return found


def section(title: str, ratings: Callable[[int], sets.Ratings]) -> Section:
    """One table."""
    errors: dict[str, list[list[float]]] = {name: [] for name in METHODS}
    n_ratings = 0
    for seed in range(SPLITS):
        data = split(ratings(seed), seed)
        n_ratings = len(data.ratings)
        for name, method in METHODS.items():
            errors[name].append(judged(method(data), data))
    cells = [[name, *cells_of(np.array(each))] for name, each in errors.items()]
    headings = ["what", "MAE", "RMSE", "MAE of labels", "MAE against SVD", "ratings a second"]
    for row, each in zip(cells, errors.values()):
        row.insert(4, interval([own[0] / svd[0] for own, svd in zip(each, errors[SVD])]))
    notes = (
        f"{n_ratings:,} ratings to learn from, a fifth held out, {SPLITS} splits, each of a new set if they are generated; means "
        "with 95 % intervals. "
        "MAE and RMSE are of expected ratings, as Surprise measures them; labels are ratings that occur: the rater's, or the "
        "nearest one. The online methods make one pass, rating by rating; Surprise's learn from all ratings at once, SVD in "
        "twenty passes, and cannot learn another one. Generated ratings are `ranktron.data.synthetic.ratings`."
    )
    return Section(title, notes, headings=headings, cells=cells)


def split(ratings: sets.Ratings, seed: int) -> Data:
    """The ratings in random order, a fifth of them held out."""
    order = np.random.default_rng(seed).permutation(len(ratings.ratings))
    start = round(len(order) * HELD_OUT)
    learn, held = order[start:], order[:start]
    columns = [part[learn].tolist() for part in (ratings.people, ratings.items, ratings.ratings)]
    return Data(*columns, ratings.people[held].tolist(), ratings.items[held].tolist(), ratings.ratings[held])


def judged(outcome: Outcome, data: Data) -> list[float]:
    error, wrong = outcome.expected - data.truth, outcome.labels - data.truth
    return [np.abs(error).mean(), np.sqrt(np.square(error).mean()), np.abs(wrong).mean(), len(data.ratings) / outcome.seconds]


def cells_of(found: np.ndarray) -> list[str]:
    return [*(interval(column) for column in found.T[:3].tolist()), figures(statistics.median(found[:, 3].tolist()))]


def interval(values: list[float]) -> str:
    """The mean with its 95 % interval."""
    return f"{statistics.mean(values):.4f} ± {STUDENT * statistics.stdev(values) / len(values) ** 0.5:.4f}"


# Methods


def recommender(single: bool = False, **parameters: Any) -> Method:
    """Ranktron's recommender, after another model has caused everything to be compiled."""

    def method(data: Data) -> Outcome:
        learn_all(Recommender(classes=data.levels, **parameters), data._replace(**head(data)), single)
        model = Recommender(classes=data.levels, **parameters)
        seconds, _ = timed(lambda: learn_all(model, data, single))
        asked = data.asked_people, data.asked_items
        return Outcome(model.predict_mean(*asked), model.predict(*asked), seconds)

    return method


def head(data: Data) -> dict[str, Any]:
    return {name: getattr(data, name)[:WARM_UP] for name in ("people", "items", "ratings")}


def learn_all(model: Recommender, data: Data, single: bool) -> None:
    if not single:
        model.partial_fit(data.people, data.items, data.ratings)
        return
    for person, item, rating in zip(data.people, data.items, data.ratings):
        model.learn_one(person, item, rating)


def of_surprise(make: Callable[[], Any]) -> Method:
    """A Surprise algorithm; the ids are numbered in advance, which is not timed."""

    def method(data: Data) -> Outcome:
        reader = surprise.Reader(rating_scale=(data.levels[0], data.levels[-1]))
        rows = [(person, item, rating, None) for person, item, rating in zip(data.people, data.items, data.ratings)]
        known = Given(reader, rows).all()
        seconds, model = timed(lambda: make().fit(known))
        expected = np.array([model.predict(*pair).est for pair in zip(data.asked_people, data.asked_items)])
        return Outcome(expected, nearest(expected, data.levels), seconds)

    return method


class Given(surprise.Dataset):
    """Ratings as Surprise's data set."""

    def __init__(self, reader: Any, rows: list[Any]) -> None:
        super().__init__(reader)
        self.rows = rows

    def all(self) -> Any:
        return self.construct_trainset(self.rows)


def of_river(make: Callable[[], Any]) -> Method:
    """A River model."""

    def method(data: Data) -> Outcome:
        model = make()

        def learn() -> None:
            for person, item, rating in zip(data.people, data.items, data.ratings):
                model.learn_one(person, item, rating)

        seconds, _ = timed(learn)
        answers = [model.predict_one(*pair) for pair in zip(data.asked_people, data.asked_items)]
        expected = np.clip(np.array(answers), data.levels[0], data.levels[-1])
        return Outcome(expected, nearest(expected, data.levels), seconds)

    return method


def nearest(expected: np.ndarray, levels: list[float]) -> np.ndarray:
    """The nearest ratings among those that occur."""
    known = np.array(levels)
    return known[np.abs(expected[:, None] - known).argmin(axis=1)]


SVD = "Surprise's `SVD`"
METHODS: dict[str, Method] = {
    "`Recommender()`": recommender(),
    "`Recommender()`, by `learn_one`": recommender(single=True),
    "`Recommender(per_person=True)`": recommender(per_person=True),
    SVD: of_surprise(lambda: surprise.SVD(random_state=0)),
    "Surprise's `KNNBaseline`": of_surprise(lambda: surprise.KNNBaseline(verbose=False)),
    "Surprise's `BaselineOnly`": of_surprise(lambda: surprise.BaselineOnly(verbose=False)),
    "River's `BiasedMF`": of_river(lambda: reco.BiasedMF(seed=0)),
    "River's `Baseline`": of_river(lambda: reco.Baseline()),
}
