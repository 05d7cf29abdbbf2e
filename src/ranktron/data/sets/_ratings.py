"""Columns of a file of ratings made into ``Ratings``, and looked at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile
from ._finding import Source
from ._kinds import Ratings

_ROOM = 10_000_000  # ids up to here may be places in a table
_ROWS = 1_000_000  # looked at together


class Size(NamedTuple):
    """How many ratings a data set has, and by how many people of how many items, where that is known."""

    ratings: int
    people: int
    items: int | None = None

    @classmethod
    def of(cls, ratings: Ratings) -> Size:
        """That of these ratings."""
        return cls(len(ratings.ratings), len(ratings.names_people), len(ratings.names_items))

    def __str__(self) -> str:
        told = f"{self.ratings:,} ratings by {self.people:,} people"
        return told if self.items is None else f"{told} of {self.items:,} items"


def numbered(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers from 0 in the order in which ids first appear, and the id of every number; ids are whole and not negative.

    >>> numbered(np.array([7, 3, 7, 5]))
    (array([0, 1, 0, 2], dtype=int32), array([7, 3, 5]))
    """
    if not len(ids):
        return ids.astype(np.int32), ids
    if ids.max() >= _ROOM:
        known, ids = np.unique(ids, return_inverse=True)
        numbers, order = numbered(ids)
        return numbers, known[order]
    first = np.full(int(ids.max()) + 1, len(ids))
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # the last one written stays: the first one of the file
    names = np.flatnonzero(first < len(ids))
    names = names[np.argsort(first[names])]
    place = np.zeros(len(first), np.int32)
    place[names] = np.arange(len(names))
    return place[ids], names.astype(ids.dtype)


def ratings_of(people: np.ndarray, items: np.ndarray, ratings: np.ndarray, times: np.ndarray | None = None) -> Ratings:
    """Ratings out of columns of ids."""
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
    """Refuse a rating that is not on the scale, which may have steps."""
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
    """Refuse a pair that is rated twice."""
    keys = pair_keys(ratings)
    keys.sort()
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        person, item = divmod(int(keys[twice[0]]), len(ratings.names_items))
        raise BadDataFile(
            f"{file}: person {ratings.names_people[person]} rates item {ratings.names_items[item]} more than once, one of"
            f" {len(twice):,} such rows; the data set has every pair once, so get it anew"
        )


def check_size(source: Source, file: object, name: str, whole: Size | None, ratings: Ratings, partial: bool) -> None:
    """Refuse a copy that is not as large as the data set, unless a part will do."""
    size = Size.of(ratings)
    if not size.ratings:
        raise BadDataFile(f"{file} holds no ratings; get it anew")
    if whole is not None and whole.items is None:
        size = size._replace(items=None)
    if whole is not None and size != whole and not partial:
        source.refuse_part(file, f"{name} has {whole}", str(size))
