"""What the loaders return."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Ratings(NamedTuple):
    """One entry per rating; people and items are numbered from 0 in the order in which they first appear."""

    people: np.ndarray
    items: np.ndarray
    ratings: np.ndarray
    # The ids of persons 0, 1, … in the data set.
    names_people: np.ndarray
    # The ids of items 0, 1, … in the data set.
    names_items: np.ndarray
    # Seconds since 1970, if the data set has times.
    times: np.ndarray | None = None


class Judgements(NamedTuple):
    """One row per judged pair of a query and a document, with a grade by each judge."""

    queries: np.ndarray
    documents: np.ndarray
    # One column per judge.
    grades: np.ndarray
    # Their names, in the order of the columns.
    judges: tuple[str, ...]


class Lists(NamedTuple):
    """Rows of features, their grades, and the queries that they belong to."""

    X: Any
    y: np.ndarray
    qid: np.ndarray


class Fold(NamedTuple):
    """Lists for training, for validation and for the test."""

    train: Lists
    valid: Lists
    test: Lists
