"""Crammer & Singer, Figure 7: one person's ratings are learned online, with other people's ratings as features."""

from __future__ import annotations

import operator
import warnings
from typing import Any, NamedTuple

import numpy as np

from ranktron.data.sets import Collaboration, MissingData, Ratings, load_eachmovie, load_movielens, people_with

from ..experiment import DataSet, Numbers
from .synthetic import MCP, NO_PRANK, Method, time_averaged

# The paper does not state WH's step: these are multiples of 1/R², R being the largest length of a row. Larger ones diverge.
SHARES = (0.3, 1.0, 3.0)
STEPS = (0.5, 1, 4, 16)
MEDIAN, AVERAGED = "running median", "averaged No-PRank"
# Nor does it state whether WH has a constant or learns centred ranks. Without either, w = 0 is far from most ranks.
WH = {f"WH{kind}, step {share:g}/R²": share for kind in ("", " with a constant", " on centred ranks") for share in SHARES}
MU_PRANK = {f"Mu-PRank, η {step:g}": Method("MuPRank", {"step": float(step)}) for step in STEPS}
METHODS = {
    "PRank": Method("PRank"),
    "Si-PRank": Method("SiPRank"),
    **MCP,
    **MU_PRANK,
    **{f"{name}, signed": Method(kind, {**more, "signed": True}) for name, (kind, more) in MU_PRANK.items()},
    **NO_PRANK,
    "averaged PRank": Method("PRank", {"average": True}),
    AVERAGED: Method("NoPRank", {"average": True, "trigger": "margin"}),
}


class Viewers(NamedTuple):
    """The people who rated enough films, among all people in the data set."""

    table: Collaboration
    people: np.ndarray
    # R², the largest squared length of a row of their ratings.
    longest: float
    n_people: int
    n_films: int
    # The name of the data set.
    name: str


DATA_SET = DataSet("EachMovie", operator.attrgetter("name"))


def load(least: int) -> Viewers:
    """The user's EachMovie, or MovieLens if that is missing."""
    try:
        return viewers_of(load_eachmovie(), least, "EachMovie")
    except MissingData:
        try:
            return viewers_of(load_movielens(), least, "MovieLens")
        except MissingData as missing:
            raise MissingData(f"{missing}; EachMovie, which the paper used, is not there either") from None


def viewers_of(ratings: Ratings, least: int, name: str) -> Viewers:
    """The people with at least ``least`` ratings."""
    table, people = Collaboration(ratings), people_with(ratings, least)
    low, high = table.levels[0], table.levels[-1]
    values = (ratings.ratings - (low + high) / 2) / (high - low)
    lengths = np.bincount(ratings.items, np.where(np.isin(ratings.people, people), values**2, 0.0))
    return Viewers(table, people, float(lengths.max()), len(ratings.names_people), len(ratings.names_items), name)


def rows_of(viewers: Viewers, seed: int) -> tuple[Any, np.ndarray, list[int]]:
    """A random person's ratings in random order: the others' ratings from -½ to ½ (0 for none), the ranks, all possible ranks."""
    random = np.random.default_rng(seed)
    levels = viewers.table.levels
    X, y, _ = viewers.table.rows(int(random.choice(viewers.people)), viewers.people, scale=levels[-1] - levels[0], sparse=True)
    order = random.permutation(len(y))
    return X[order], y[order], list(range(1, len(levels) + 1))


def trial(seed: int, viewers: Viewers, n_rounds: int) -> Numbers:
    """The time-averaged loss of every method on the first ratings of a random person."""
    X, y, ranks = rows_of(viewers, seed)
    X, y = X[:n_rounds], y[:n_rounds]
    rounds = range(1, len(y) + 1)
    numbers = time_averaged(MEDIAN, running_median(y, len(ranks)), y, rounds)
    for name, method in METHODS.items():
        numbers |= time_averaged(name, method.estimator(ranks).predict_then_learn(X, y), y, rounds)
    for name, share in WH.items():
        numbers |= time_averaged(name, widrow_hoff(name, X, y, ranks, share / viewers.longest), y, rounds)
    sizes = {"people": viewers.n_people, "films": viewers.n_films, "viewers with so many ratings": len(viewers.people)}
    return {**numbers, **{name: float(size) for name, size in sizes.items()}}


def widrow_hoff(name: str, X: Any, y: np.ndarray, ranks: list[int], step: float) -> np.ndarray:
    """The predictions of WH for each row before it learns the row."""
    if "centred" in name:
        return centred_widrow_hoff(X, y, len(ranks), step)
    method = Method("WidrowHoff", {"step": step, "fit_intercept": "constant" in name})
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # it may diverge
        predicted: np.ndarray = method.estimator(ranks).predict_then_learn(X, y)
    return predicted


def centred_widrow_hoff(X: Any, y: np.ndarray, n_ranks: int, step: float) -> np.ndarray:
    """The same for centred ranks, so that w = 0 predicts the middle one."""
    middle, weights, predicted = (n_ranks + 1) / 2, np.zeros(X.shape[1]), np.empty(len(y))
    for i, rank in enumerate(y):
        row = slice(X.indptr[i], X.indptr[i + 1])
        columns, values = X.indices[row], X.data[row]
        predicted[i] = middle + weights[columns] @ values
        weights[columns] += step * (rank - predicted[i]) * values
    return np.clip(np.floor(predicted + 0.5), 1, n_ranks)


def running_median(y: np.ndarray, n_ranks: int) -> np.ndarray:
    """Predictions by the median of the person's own ratings so far, the lower of two; the first is the middle rank.

    >>> running_median(np.array([5, 1, 4, 4]), 5)
    array([3, 5, 1, 4])
    """
    predicted = [(n_ranks + 1) // 2, *(sorted(y[:t])[(t - 1) // 2] for t in range(1, len(y)))]
    return np.array(predicted[: len(y)])
