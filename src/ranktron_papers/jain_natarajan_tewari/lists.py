"""The lists of Jain, Natarajan & Tewari's Figure 1 (a) and (b), in all readings of the paper, and how they are learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ranktron import bounds, metrics
from ranktron.tasks import SubsetRanking

from ..experiment import Numbers
from .models import predtron

# f₁, f₂ and f₃, the representations of place i, and the parameter ``power`` of our tasks for them.
POWERS = {"1/i": -1.0, "-i^1.1": 1.1, "-i^2": 2.0}

# Which correct order σ_y is aimed at: documents of one grade in their given order, or by their current scores.
TIES = ("index", "score")

COUNTS, MARKS = tuple(range(10, 101, 10)), (60, 100)
LENGTHS = (5, 10, 20, 30, 40)
LENGTHS_LISTS, DOCUMENTS, FEATURES, TESTS = 30, 20, 20, 100
# A loss that is 0.00 with two decimals, and twice that.
ALMOST_ZERO, LARGE = 0.005, 0.01


def _heights(documents: int) -> np.ndarray:
    """The middles of the grades' intervals, from 1 down to 0 and the thresholds ½, ⅓, … between."""
    ends = 1.0 / np.arange(1.0, documents + 2)
    ends[-1] = 0.0
    return (ends[:-1] + ends[1:]) / 2


def _at_0(random: np.random.Generator, w: np.ndarray, documents: int) -> np.ndarray:
    return np.zeros((documents, len(w)))


def _random(random: np.random.Generator, w: np.ndarray, documents: int) -> np.ndarray:
    return random.standard_normal((documents, len(w)))


def _in_a_row(random: np.random.Generator, w: np.ndarray, documents: int) -> np.ndarray:
    return np.outer(np.linspace(1.0, 0.0, documents), w)


def _one_a_grade(random: np.random.Generator, w: np.ndarray, documents: int) -> np.ndarray:
    return np.outer(_heights(documents), w)


# The centres μ_i, which the paper does not state, and the standard deviation of documents around them.
CENTRES: dict[str, tuple[Callable[..., np.ndarray], float]] = {
    "centres at 0": (_at_0, 1.0),
    "centres at random": (_random, 1.0),
    "centres in a row": (_in_a_row, 0.3),
    "a centre a grade": (_one_a_grade, 0.3),
}

READINGS = [f"{centres}, ties by {ties}" for centres in CENTRES for ties in TIES]


class DrawnLists(NamedTuple):
    """Rows, grades and list ids, and ⟨x, w*⟩ as an array with one row per list."""

    X: np.ndarray
    y: np.ndarray
    qid: np.ndarray
    heights: np.ndarray

    @property
    def documents(self) -> int:
        """How many documents a list has."""
        return int(self.heights.shape[1])

    def part(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, grades and ids of some of the lists."""
        rows = slice(start * self.documents, stop * self.documents)
        return self.X[rows], self.y[rows], self.qid[rows]


def drawn(seed: int, centres: str, documents: int, features: int, counts: Sequence[int]) -> list[DrawnLists]:
    """Sets of ``counts`` lists, all by one w* of norm 1: the grade is m - j if ⟨x, w*⟩ is between 1/(j + 1) and 1/j."""
    place, spread = CENTRES[centres]
    random = np.random.default_rng([seed, list(CENTRES).index(centres), documents])
    w = random.standard_normal(features)
    w /= np.linalg.norm(w)
    middles, thresholds = place(random, w, documents), 1.0 / np.arange(documents, 1, -1)
    sets = []
    for count in counts:
        X = middles + spread * random.standard_normal((count, documents, features))
        heights, qid = X @ w, np.repeat(np.arange(count), documents)
        sets.append(DrawnLists(X.reshape(-1, features), np.digitize(heights, thresholds).ravel(), qid, heights))
    return sets


def learner(power: float, ties: str, **parameters: Any) -> Any:
    """Predtron with the paper's η = 1."""
    return predtron(SubsetRanking(power=power, ties=ties), step=1.0, **parameters)


def loss(model: Any, X: np.ndarray, y: np.ndarray, qid: np.ndarray) -> float:
    """The mean of 1 - NDCG."""
    return 1.0 - float(metrics.ndcg(y, model.predict(X), qid))


# Figure 1(a)


def learning(
    seed: int,
    data: Any = None,
    documents: int = DOCUMENTS,
    features: int = FEATURES,
    counts: Sequence[int] = COUNTS,
    marks: Sequence[int] = MARKS,
    tests: int = TESTS,
) -> Numbers:
    """Figure 1(a): the loss of test lists by the number of lists that were learned, in every reading."""
    numbers: Numbers = {}
    for centres in CENTRES:
        train, test = drawn(seed, centres, documents, features, (counts[-1], tests))
        numbers |= {f"margin, {name}, {centres}": gap_margin(train, power) for name, power in POWERS.items()}
        numbers[f"lists that w* is compatible with, {centres}"] = compatible(train)
        for ties in TIES:
            numbers |= _learned(train, test, ties, counts, marks, f"{centres}, ties by {ties}")
    return numbers


def _learned(
    train: DrawnLists, test: DrawnLists, ties: str, counts: Sequence[int], marks: Sequence[int], reading: str
) -> Iterator[tuple[str, Any]]:
    for name, power in POWERS.items():
        model = learner(power, ties)
        curve = list(_curve(model, train, test, counts))
        yield f"{name}, {reading}", curve
        yield from ((f"{name}, {reading}, {mark} lists", curve[counts.index(mark)]) for mark in marks)
        if name == "-i^1.1":
            yield f"total loss over the bound, {reading}", model.cumulative_loss_ / corollary_5(train, power)
            high, low = wrong_neighbours(model, test)
            yield f"high grades in wrong order, {reading}", high
            yield f"low grades in wrong order, {reading}", low


def _curve(model: Any, train: DrawnLists, test: DrawnLists, counts: Sequence[int]) -> Iterator[float]:
    """The loss of the test lists after each of ``counts`` lists."""
    for start, stop in zip((0, *counts), counts):
        yield loss(model.partial_fit(*train.part(start, stop)), *test.part(0, len(test.heights)))


def wrong_neighbours(model: Any, lists: DrawnLists) -> tuple[float, float]:
    """How often neighbours by ⟨x, w*⟩ with different grades are in wrong order, in the upper half of the grades and below."""
    order = np.argsort(-lists.heights, axis=1)
    scores, grades = (np.take_along_axis(one.reshape(order.shape), order, 1) for one in (model.predict(lists.X), lists.y))
    differ, wrong = grades[:, :-1] > grades[:, 1:], scores[:, :-1] < scores[:, 1:]
    high = grades[:, :-1] >= lists.documents / 2
    upper, lower = (float((wrong & differ & half).sum() / max(1, (differ & half).sum())) for half in (high, ~high))
    return upper, lower


def compatible(lists: DrawnLists) -> float:
    """The share of lists whose scores by w* are equal within each grade: those without two documents of one grade."""
    grades = np.sort(lists.y.reshape(lists.heights.shape), axis=1)
    return float((np.diff(grades, axis=1) > 0).all(axis=1).mean())


def gap_margin(lists: DrawnLists, power: float) -> float:
    """The γ of Lemma 4's inequality under w*, ignoring that w* should be compatible."""
    order = np.argsort(-lists.heights, axis=1)
    heights, grades = (np.take_along_axis(one.reshape(order.shape), order, 1) for one in (lists.heights, lists.y))
    f = np.arange(1.0, lists.documents + 1) ** power * (-1.0 if power > 0 else 1.0)
    gaps = -np.diff(heights, axis=1) * -np.diff(f) / np.linalg.norm(f)
    return float(gaps[grades[:, :-1] > grades[:, 1:]].min())


def corollary_5(lists: DrawnLists, power: float) -> float:
    """The bound of Corollary 5 with that margin."""
    R = float(np.linalg.norm(lists.X.reshape(*lists.heights.shape, -1), 2, axis=(1, 2)).max())
    return bounds.predtron_ndcg_loss(lists.documents, lists.documents - 1, R, gap_margin(lists, power))


# Figure 1(b)


def lengthening(
    seed: int,
    data: Any = None,
    lengths: Sequence[int] = LENGTHS,
    features: int = FEATURES,
    lists: int = LENGTHS_LISTS,
    tests: int = TESTS,
) -> Numbers:
    """Figure 1(b): the loss of test lists by their length, after 30 lists of that length, in every reading."""
    numbers: Numbers = {}
    for centres in CENTRES:
        pairs = [drawn(seed, centres, documents, features, (lists, tests)) for documents in lengths]
        for name, power in POWERS.items():
            numbers[f"margin, {name}, {centres}"] = [gap_margin(train, power) for train, _ in pairs]
            for ties in TIES:
                curve = [value for train, test in pairs for value in _curve(learner(power, ties), train, test, (lists,))]
                numbers[f"{name}, {centres}, ties by {ties}"] = curve
                numbers[f"longest lists without loss, {name}, {centres}, ties by {ties}"] = longest(lengths, curve)
    return numbers


def longest(lengths: Sequence[int], curve: Sequence[float]) -> float:
    """The most documents with which the loss is almost 0, or 0."""
    return float(max((length for length, value in zip(lengths, curve) if value < ALMOST_ZERO), default=0))
