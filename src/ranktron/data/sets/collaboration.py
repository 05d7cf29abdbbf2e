"""Collaborative filtering as in the papers: the features of one person's rating are other people's ratings of the item."""

from __future__ import annotations

import operator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .ratings import Ratings, pair_keys

MIDDLE, MEAN = "middle", "mean"


class Rows(NamedTuple):
    """One row for every item that a person rated, with the rank of the rating and the number of the item."""

    X: Any
    y: np.ndarray
    items: np.ndarray


def people_with(ratings: Ratings, least: int) -> np.ndarray:
    """The numbers of the people with at least ``least`` ratings.

    >>> ratings = Ratings(np.array([0, 0, 1]), np.array([0, 1, 1]), np.ones(3), np.array([7, 9]), np.array([1, 2]))
    >>> people_with(ratings, 2)
    array([0])
    """
    return np.flatnonzero(np.bincount(ratings.people, minlength=len(ratings.names_people)) >= least)


def collaborative_rows(
    ratings: Ratings,
    person: int,
    others: Any = None,
    *,
    min_ratings: int = 100,
    fill: float = 0.0,
    centre: float | str = MIDDLE,
    scale: float = 1.0,
    sparse: bool = False,
) -> Rows:
    """One person's ratings as ranks to learn, with other people's ratings of the same items as features.

    For many people make a ``Collaboration`` once; its ``rows`` are the same.

    Parameters
    ----------
    ratings : Ratings
        The ratings of all people, with each pair of a person and an item once.
    person : int
        The number of the person whose ratings are to be learned.
    others : array of int, optional
        The numbers of the people whose ratings are the features, in this order. By default everybody with at least
        ``min_ratings``. The person is left out.
    min_ratings : int
        Has an effect only without ``others``.
    fill : float
        The feature for a missing rating; it is not centred or scaled.
    centre : {"middle", "mean"} or float
        The value to subtract from ratings: the middle of the lowest and the highest of all, each person's mean, or this number.
    scale : float
        The divisor of the centred ratings.
    sparse : bool
        Return X as a CSR matrix; ``fill`` has to be 0.

    Returns
    -------
    X : array of float64, or scipy.sparse.csr_matrix
        One row per item, one column per other person.
    y : array of int64
        The ranks of the ratings, from 1 for the lowest rating that anybody gave.
    items : array of int
        The numbers of the items. Rows are ordered by time, or as the ratings if there are no times.

    Notes
    -----
    Crammer & Singer (2005, section 6) take a person with at least 100 (or 200) ratings of EachMovie, and the others with as many.
    They subtract 0.5, the middle, and 0 stands for films that were not rated: ``min_ratings=100``, with defaults otherwise.
    Harrington (2003, section 4.2) does the same with those who rated more than 300 films, and uses the person's first 300:
    ``min_ratings=301`` and the first 300 rows. For OHSUMED he subtracts nothing and has 0 for a missing grade: ``centre=0``. To
    get features as large from another scale, set ``scale`` to its length, such as 4 for 1 to 5 stars.

    Examples
    --------
    >>> people, items = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1])  # three people, two items
    >>> ratings = Ratings(people, items, np.array([5.0, 2.0, 4.0, 1.0, 3.0]), np.array([11, 12, 13]), np.array([7, 8]))
    >>> X, y, items = collaborative_rows(ratings, 0, min_ratings=1)
    >>> X
    array([[ 1.,  0.],
           [-2.,  0.]])
    >>> y, items
    (array([5, 2]), array([0, 1]))
    """
    index = Collaboration(ratings)
    return index.rows(person, others, min_ratings=min_ratings, fill=fill, centre=centre, scale=scale, sparse=sparse)


class Collaboration:
    """Ratings sorted by item and by person, from which it is fast to get the rows of any person.

    It takes 9 bytes per rating beside the ratings, which it refers to, and twice as much while it is made: 0.2 and 0.5 GB for 25
    million. ``levels`` are all different ratings in ascending order, so ``levels[y - 1]`` are the ratings of the ranks y.

    >>> people, items = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> ratings = Ratings(people, items, np.array([0.5, 4.0, 3.0]), np.array([11, 12]), np.array([7, 8]))
    >>> index = Collaboration(ratings)
    >>> index.levels, index.rows(0, [1], fill=np.nan, centre="mean").X
    (array([0.5, 3. , 4. ]), array([[ 0.],
           [nan]]))
    """

    def __init__(self, ratings: Ratings) -> None:
        from scipy.sparse import csr_matrix

        _check(ratings)
        self.ratings = ratings
        self.levels, ranks = _levels(ratings.ratings)
        shape = len(ratings.names_items), len(ratings.names_people)
        # It adds up the ranks of equal pairs, which leaves fewer entries than ranks.
        self._by_item = csr_matrix((ranks, (ratings.items, ratings.people)), shape=shape)
        if self._by_item.nnz < len(ranks):
            keys = np.sort(pair_keys(ratings))
            person, item = divmod(int(keys[1:][keys[1:] == keys[:-1]][0]), shape[0])
            raise ValueError(f"person {person} rates item {item} more than once; keep one rating of each pair")
        places = np.arange(len(ranks), dtype=np.int32)
        by_person = csr_matrix((places, (ratings.people, places)), shape=(shape[1], len(places)))
        self._places, self._ends = by_person.indices, by_person.indptr
        self.counts = np.diff(self._ends)

    def rows(
        self,
        person: int,
        others: Any = None,
        *,
        min_ratings: int = 100,
        fill: float = 0.0,
        centre: float | str = MIDDLE,
        scale: float = 1.0,
        sparse: bool = False,
    ) -> Rows:
        """The rows of one person; ``collaborative_rows`` documents the parameters."""
        if not 0 <= operator.index(person) < len(self.counts):
            raise ValueError(f"person={person} should be a number from 0 to {len(self.counts) - 1}")
        if not scale > 0.0:
            raise ValueError(f"scale={scale} should be above 0")
        if sparse and fill != 0.0:
            raise ValueError(f"fill={fill} should be 0 for a sparse matrix, which has 0 where nothing is stored")
        chosen = self._others(person, others, min_ratings)
        own = self._own(person)
        items = self.ratings.items[own]
        X = self._by_item[items][:, chosen]
        X.data = (self.levels[X.data - 1] - self._centres(centre)[chosen][X.indices]) / scale
        y = np.searchsorted(self.levels, self.ratings.ratings[own]) + 1
        return Rows(X if sparse else _dense(X, fill), y, items)

    def _own(self, person: int) -> np.ndarray:
        """The places of a person's ratings, ordered by time."""
        places: np.ndarray = self._places[self._ends[person] : self._ends[person + 1]]
        times = self.ratings.times
        return places if times is None else places[np.argsort(times[places], kind="stable")]

    def _others(self, person: int, others: Any, min_ratings: int) -> np.ndarray:
        if others is None:
            others = np.flatnonzero(self.counts >= min_ratings)
        chosen: np.ndarray = np.asarray(others)
        most = len(self.counts) - 1
        if chosen.ndim != 1 or (chosen.dtype.kind not in "iu" and len(chosen)):
            raise ValueError("others should be the numbers of people, in one dimension")
        if len(chosen) and not (chosen.min() >= 0 and chosen.max() <= most):
            raise ValueError(f"others should be numbers from 0 to {most}, but are from {chosen.min()} to {chosen.max()}")
        if len(np.unique(chosen)) != len(chosen):
            raise ValueError("others should have no number twice")
        left: np.ndarray = chosen[chosen != person].astype(np.int64)
        return left

    @cached_property
    def _means(self) -> np.ndarray:
        sums = np.bincount(self.ratings.people, self.ratings.ratings, len(self.counts))
        means: np.ndarray = sums / np.maximum(self.counts, 1)
        return means

    def _centres(self, centre: float | str) -> np.ndarray:
        """The value to subtract from the ratings of each person."""
        if centre == MEAN:
            return self._means
        if isinstance(centre, str) and centre != MIDDLE:
            raise ValueError(f'centre={centre!r} should be "{MIDDLE}", "{MEAN}" or a number')
        value = (self.levels[0] + self.levels[-1]) / 2.0 if isinstance(centre, str) else centre
        return np.full(len(self.counts), float(value))


def _dense(matrix: Any, fill: float) -> np.ndarray:
    """The matrix as an array, with ``fill`` where nothing is stored."""
    X = np.full(matrix.shape, fill, np.float64)
    X[np.repeat(np.arange(len(X)), np.diff(matrix.indptr)), matrix.indices] = matrix.data
    return X


def _levels(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All different ratings, and the rank of each, from 1, in the smallest sufficient type."""
    levels = np.unique(ratings.astype(np.float64))
    return levels, (np.searchsorted(levels, ratings) + 1).astype(np.min_scalar_type(len(levels)))


def _check(ratings: Ratings) -> None:
    people, items, values, names_people, names_items, times = ratings
    lengths = {len(column) for column in (people, items, values, *(() if times is None else (times,)))}
    if len(lengths) > 1 or not len(values):
        raise ValueError("ratings should have a person, an item and a rating in every entry, and at least one entry")
    for what, numbers, names in (("people", people, names_people), ("items", items, names_items)):
        if numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= len(names):
            raise ValueError(f"{what} should be whole numbers from 0 to {len(names) - 1}, one for each of the names")
    if not np.isfinite(values).all():
        raise ValueError("a rating is NaN or infinite; leave out pairs without a rating")
