"""What ratings say about people and items: how far they are from the mean, and what they like, learned one rating at a time.

A rating is expected to be the mean of all, plus what the person adds, plus what the item adds, plus the inner product of their
tastes. What a person or an item adds is estimated by a Kalman filter of one dimension, which shrinks it where ratings are few.
Tastes go down the gradient of the squared error, for the new rating and for some that were kept: a few drawn from all, and the
last ones of the same person and of the same item. So one pass does what many passes would.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import compiled_as, inline
from ..compile.policy import Loop
from ..core.hashed_random import below
from ..core.rows import dot

OFFSET, DOUBT = range(2)
COUNT, LAST = range(2)
MEAN, NOISE = range(2)
PERSON, ITEM, RANK, PERSONS_LAST, ITEMS_LAST = range(5)
# What a rating is predicted from: all that is expected, its parts, and how far they are to be trusted.
FEATURES = ("score", "person", "item", "taste", "known taste", "known person", "known item")
SCORE, BY_PERSON, BY_ITEM, BY_TASTE, KNOWN_TASTE, KNOWN_PERSON, KNOWN_ITEM = range(7)

# Ratings after which the noise is what they show it to be.
PATIENCE = 100.0
# Ratings that make a person or an item half known.
FEW = 10.0


class Side(NamedTuple):
    """The people, or the items, one per row."""

    # What they add to the mean, and the variance of what is not known of it.
    offsets: np.ndarray
    # How many ratings there are, and the age of the last one, or -1.
    marks: np.ndarray
    tastes: np.ndarray


class Plan(NamedTuple):
    """How tastes are learned."""

    rate: float
    damping: float
    # How many kept ratings are drawn from all of them.
    draws: int
    # How many of the person's and of the item's own last ones come again.
    latest: int


@Loop
def learn_ratings(
    people: Any,
    items: Any,
    past: np.ndarray,
    plan: Any,
    seed: Any,
    who: Any,
    what: Any,
    ranks: np.ndarray,
    values: np.ndarray,
    level: np.ndarray,
    counts: np.ndarray,
    rows: np.ndarray,
    start: int,
    stop: int,
) -> int:
    """Learn the ratings from ``start`` to ``stop`` one by one; ``rows`` gets what each was to be predicted from.

    ``past`` has a row for each rating that is kept, of which number n is in row n modulo its length. ``values`` says what every
    rank is worth, ``level`` holds the mean and the noise of ratings, ``counts`` how many there were.
    """
    age = counts[0]
    for t in range(start, stop):
        person, item = who[t], what[t]
        write_features(people, items, person, item, level, rows, t)
        learn_biases(people, items, person, item, level, values[ranks[t]], rows[t, BY_TASTE], age)
        remember(past, people, items, person, item, ranks[t], age)
        rehearse(past, people, items, values, level, plan, age)
        for draw in range(plan.draws):
            back = below(min(age + 1, past.shape[0]), seed[0], age * plan.draws + draw)
            learn_one_rating(past, people, items, values, level, plan, age - back)
        age += 1
    counts[0] = age
    return -1


@Loop
def describe_pairs(
    people: Any, items: Any, who: np.ndarray, what: np.ndarray, level: np.ndarray, rows: np.ndarray, start: int, stop: int
) -> int:
    """Write what the rating of each pair is predicted from; -1 stands for somebody, or something, that is not known."""
    for t in range(start, stop):
        write_features(people, items, who[t], what[t], level, rows, t)
    return -1


@inline
def write_features(people: Any, items: Any, person: int, item: int, level: np.ndarray, rows: np.ndarray, t: int) -> None:
    """Write what a rating is predicted from; somebody without a rating yet is as one who is not known."""
    by_person = by_item = by_taste = n_person = n_item = 0.0
    if person >= 0:
        by_person, n_person = people.offsets[person, OFFSET], float(people.marks[person, COUNT])
    if item >= 0:
        by_item, n_item = items.offsets[item, OFFSET], float(items.marks[item, COUNT])
    if n_person > 0.0 and n_item > 0.0:
        by_taste = dot(people.tastes, person, items.tastes[item])
    rows[t, SCORE] = level[MEAN] + by_person + by_item + by_taste
    rows[t, BY_PERSON], rows[t, BY_ITEM], rows[t, BY_TASTE] = by_person, by_item, by_taste
    known_person, known_item = n_person / (n_person + FEW), n_item / (n_item + FEW)
    rows[t, KNOWN_TASTE] = by_taste * known_person * known_item
    rows[t, KNOWN_PERSON], rows[t, KNOWN_ITEM] = known_person, known_item


@inline
def learn_biases(
    people: Any, items: Any, person: int, item: int, level: np.ndarray, value: float, by_taste: float, age: int
) -> None:
    """Learn the mean, and what this person and this item add to it."""
    level[MEAN] += (value - level[MEAN]) / (age + 1)
    error = value - (level[MEAN] + people.offsets[person, OFFSET] + items.offsets[item, OFFSET] + by_taste)
    total = level[NOISE] + people.offsets[person, DOUBT] + items.offsets[item, DOUBT]
    learn_offset(people.offsets, person, error, total)
    learn_offset(items.offsets, item, error, total)
    level[NOISE] += (error * error - level[NOISE]) / (age + PATIENCE)


@inline
def learn_offset(offsets: np.ndarray, who: int, error: float, total: float) -> None:
    """A step of the Kalman filter: the share of the error that is as large as the share in its variance."""
    gain = offsets[who, DOUBT] / total
    offsets[who, OFFSET] += gain * error
    offsets[who, DOUBT] -= gain * offsets[who, DOUBT]


@inline
def remember(past: np.ndarray, people: Any, items: Any, person: int, item: int, rank: int, age: int) -> None:
    """Keep a rating, in place of the oldest one if the buffer is full."""
    place = age % past.shape[0]
    past[place, PERSON], past[place, ITEM], past[place, RANK] = person, item, rank
    past[place, PERSONS_LAST], past[place, ITEMS_LAST] = people.marks[person, LAST], items.marks[item, LAST]
    people.marks[person, LAST] = items.marks[item, LAST] = age
    people.marks[person, COUNT] += 1
    items.marks[item, COUNT] += 1


@inline
def rehearse(past: np.ndarray, people: Any, items: Any, values: np.ndarray, level: np.ndarray, plan: Any, age: int) -> None:
    """Learn tastes by the rating of this age, and by those that the same person gave and the same item got before."""
    learn_one_rating(past, people, items, values, level, plan, age)
    for chain in range(PERSONS_LAST, ITEMS_LAST + 1):
        when = past[age % past.shape[0], chain]
        for _ in range(plan.latest):
            if when < 0 or when <= age - past.shape[0]:
                break
            learn_one_rating(past, people, items, values, level, plan, when)
            when = past[when % past.shape[0], chain]


@inline
def learn_one_rating(
    past: np.ndarray, people: Any, items: Any, values: np.ndarray, level: np.ndarray, plan: Any, when: int
) -> None:
    """Go down the gradient of the squared error of one rating."""
    place = when % past.shape[0]
    person, item = past[place, PERSON], past[place, ITEM]
    expected = level[MEAN] + people.offsets[person, OFFSET] + items.offsets[item, OFFSET]
    error = values[past[place, RANK]] - (expected + dot(people.tastes, person, items.tastes[item]))
    move_tastes(people.tastes, person, items.tastes, item, plan.rate * error, 1.0 - plan.rate * plan.damping)


@compiled_as("ranktron.collaborative.compiled_tastes:move_tastes")
def move_tastes(tastes: Any, person: int, others: Any, item: int, push: float, keep: float) -> None:
    """Turn two tastes towards each other."""
    own = tastes[person].copy()
    tastes[person] = keep * own + push * others[item]
    others[item] = keep * others[item] + push * own
