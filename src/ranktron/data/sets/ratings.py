"""Makes ``Ratings`` from the columns of a file, and checks them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet
from .types import Ratings

# Ids below this are numbered by a table with one place per id, others by sorting.
_LARGEST_TABLE = 10_000_000
# Ratings are checked in parts of this size, to limit memory.
_ROWS = 1_000_000


class RatingsSize(NamedTuple):
    """The numbers of ratings, people and, if it is known, items of a data set."""

    ratings: int
    people: int
    items: int | None = None

    @classmethod
    def of(cls, ratings: Ratings) -> RatingsSize:
        """The size of these ratings."""
        return cls(len(ratings.ratings), len(ratings.names_people), len(ratings.names_items))

    def __str__(self) -> str:
        size = f"{self.ratings:,} ratings by {self.people:,} people"
        return size if self.items is None else f"{size} of {self.items:,} items"


def numbered(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number ids from 0 in the order in which they first appear; returns the numbers, and the id of every number.

    Ids are whole and not negative.

    >>> numbered(np.array([7, 3, 7, 5]))
    (array([0, 1, 0, 2], dtype=int32), array([7, 3, 5]))
    """
    if not len(ids):
        return ids.astype(np.int32), ids
    if ids.max() >= _LARGEST_TABLE:
        known, ids = np.unique(ids, return_inverse=True)
        numbers, order = numbered(ids)
        return numbers, known[order]
    first = np.full(int(ids.max()) + 1, len(ids))
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # the last assignment counts: the first place in the file
    names = np.flatnonzero(first < len(ids))
    names = names[np.argsort(first[names])]
    place = np.zeros(len(first), np.int32)
    place[names] = np.arange(len(names))
    return place[ids], names.astype(ids.dtype)


def ratings_of(people: np.ndarray, items: np.ndarray, ratings: np.ndarray, times: np.ndarray | None = None) -> Ratings:
    """Ratings from columns of ids."""
    people, names_people = numbered(people)
    items, names_items = numbered(items)
    return Ratings(people, items, ratings, names_people, names_items, times)


def pair_keys(ratings: Ratings) -> np.ndarray:
    """One number for every pair of a person and an item."""
    keys: np.ndarray = ratings.people.astype(np.int64)
    keys *= max(1, len(ratings.names_items))
    keys += ratings.items
    return keys


def check_levels(file: object, ratings: np.ndarray, low: float, high: float, step: float) -> None:
    """Refuse a rating outside the scale, or between its steps if ``step`` is not 0."""
    for start in range(0, len(ratings), _ROWS):
        some = ratings[start : start + _ROWS]
        is_on = (some >= low) & (some <= high)
        if step:
            steps = np.where(is_on, (some - low) / step, 0.0)
            is_on &= abs(steps - np.rint(steps)) < 1e-6
        if not is_on.all():
            row = start + int(np.flatnonzero(~is_on)[0])
            scale = f"{low:g} to {high:g}" + (f" in steps of {step:g}" if step else "")
            raise BadDataFile(f"{file}: the rating in row {row + 1} is {ratings[row]:g}; ratings are {scale}")


def check_pairs(file: object, ratings: Ratings) -> None:
    """Refuse a pair of a person and an item with two ratings."""
    keys = pair_keys(ratings)
    keys.sort()
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        person, item = divmod(int(keys[twice[0]]), len(ratings.names_items))
        raise BadDataFile(
            f"{file}: person {ratings.names_people[person]} rates item {ratings.names_items[item]} more than once, one of"
            f" {len(twice):,} such rows; the data set has every pair once; get it again"
        )


def check_size(data_set: DataSet, file: object, name: str, whole: RatingsSize | None, ratings: Ratings, partial: bool) -> None:
    """Refuse an empty copy, and an incomplete one unless ``partial`` allows it."""
    size = RatingsSize.of(ratings)
    if not size.ratings:
        raise BadDataFile(f"{file} holds no ratings; get it again")
    if whole is not None and whole.items is None:
        size = size._replace(items=None)
    if whole is not None and size != whole and not partial:
        data_set.refuse_part(file, f"{name} has {whole}", str(size))
