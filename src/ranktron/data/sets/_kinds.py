"""What the loaders give."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Ratings(NamedTuple):
    """One entry a rating; people and items are numbered from 0 in the order in which they first appear."""

    people: np.ndarray
    items: np.ndarray
    ratings: np.ndarray
    # What the data set calls person 0, 1 and so on.
    names_people: np.ndarray
    # What the data set calls item 0, 1 and so on.
    names_items: np.ndarray
    # Seconds since 1970, where the data set has them.
    times: np.ndarray | None = None


class Judgements(NamedTuple):
    """One row a judged pair of a query and a document, with a grade by each judge."""

    queries: np.ndarray
    documents: np.ndarray
    # A column a judge.
    grades: np.ndarray
    # Who they are, in the order of the columns.
    judges: tuple[str, ...]


class Lists(NamedTuple):
    """Rows of features, their grades and the queries that they belong to."""

    X: Any
    y: np.ndarray
    qid: np.ndarray


class Fold(NamedTuple):
    """What to learn from, to choose by and to judge on."""

    train: Lists
    valid: Lists
    test: Lists
