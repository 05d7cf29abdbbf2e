"""Ratings as three columns, however they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Columns = tuple[Sequence[Any], Sequence[Any], Any]


def columns_of(people: Any, items: Any, ratings: Any) -> Columns:
    """People, items and ratings: three columns as they are, triples, or the ``Ratings`` of a data set.

    >>> columns_of([("ann", "Up", 2), ("bob", "Up", 5)], None, None)
    (['ann', 'bob'], ['Up', 'Up'], [2, 5])
    """
    if items is None and ratings is None:
        return _of_data_set(people) if hasattr(people, "names_people") else _of_triples(people)
    if items is None or ratings is None:
        raise ValueError("pass people, items and ratings, or all of them in one as triples")
    return _listed(people), _listed(items), ratings


def _of_data_set(data: Any) -> Columns:
    return data.names_people[data.people].tolist(), data.names_items[data.items].tolist(), data.ratings


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


def _listed(names: Any) -> Sequence[Any]:
    """Numpy's values, and those of data frames, as Python's."""
    return names.tolist() if hasattr(names, "tolist") else list(names)
