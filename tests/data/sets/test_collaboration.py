"""Other people's ratings as features: beside the papers' words taken literally, one cell at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.data.sets import Collaboration, Ratings, collaborative_rows, people_with


def ratings_of(
    rows: list[tuple[int, int, float]], times: list[int] | None = None, n_people: int = 0, n_items: int = 0
) -> Ratings:
    people, items, values = (np.array(column) for column in zip(*rows, strict=True))
    names = np.arange(max(n_people, people.max() + 1)), np.arange(max(n_items, items.max() + 1))
    return Ratings(people, items, values.astype(float), *names, None if times is None else np.array(times))


@st.composite
def drawn(draw: Any) -> Ratings:
    pairs = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7)), min_size=1, max_size=30, unique=True))
    values = [draw(st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])) for _ in pairs]
    times = draw(st.one_of(st.none(), st.lists(st.integers(0, 5), min_size=len(pairs), max_size=len(pairs))))
    return ratings_of([(*pair, value) for pair, value in zip(pairs, values, strict=True)], times, 6, 8)


def literally(ratings: Ratings, person: int, others: list[int], centre: Any, scale: float, fill: float) -> tuple[Any, Any, Any]:
    given = {
        (p, i): value
        for p, i, value in zip(ratings.people.tolist(), ratings.items.tolist(), ratings.ratings.tolist(), strict=True)
    }
    own = [row for row in range(len(ratings.people)) if ratings.people[row] == person]
    if ratings.times is not None:
        own.sort(key=lambda row: ratings.times[row])  # type: ignore[index]
    items = [int(ratings.items[row]) for row in own]
    levels = sorted(set(given.values()))
    X = np.empty((len(items), len(others)))
    for row, item in enumerate(items):
        for column, other in enumerate(others):
            mean = np.mean([value for (p, _), value in given.items() if p == other] or [0.0])
            middle = {"middle": (levels[0] + levels[-1]) / 2, "mean": mean}.get(centre, centre)
            X[row, column] = (given[other, item] - middle) / scale if (other, item) in given else fill
    return X, [1 + levels.index(given[person, item]) for item in items], items


@given(
    ratings=drawn(),
    person=st.integers(0, 5),
    others=st.one_of(st.none(), st.permutations(range(6)).map(lambda some: some[:4])),
    centre=st.sampled_from(["middle", "mean", 0.5, 0]),
    scale=st.sampled_from([1.0, 4.0]),
    fill=st.sampled_from([0.0, -1.0, np.nan]),
)
def test_rows_are_what_the_papers_say(
    ratings: Ratings, person: int, others: list[int] | None, centre: Any, scale: float, fill: float
) -> None:
    index = Collaboration(ratings)
    X, y, items = index.rows(person, others, min_ratings=2, centre=centre, scale=scale, fill=fill)
    chosen = [p for p in range(6) if (ratings.people == p).sum() >= 2] if others is None else others
    expected = literally(ratings, person, [other for other in chosen if other != person], centre, scale, fill)
    np.testing.assert_allclose(X, expected[0], atol=1e-15)
    assert (y.tolist(), items.tolist()) == (expected[1], expected[2])
    if fill == 0.0:
        sparse = index.rows(person, others, min_ratings=2, centre=centre, scale=scale, sparse=True)
        assert (sparse.X.toarray() == X).all()


@given(ratings=drawn(), person=st.integers(0, 5))
def test_the_function_is_the_index_used_once(ratings: Ratings, person: int) -> None:
    ours, theirs = collaborative_rows(ratings, person, min_ratings=1), Collaboration(ratings).rows(person, min_ratings=1)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)


@given(ratings=drawn(), least=st.integers(0, 8))
def test_people_with_enough_ratings(ratings: Ratings, least: int) -> None:
    assert people_with(ratings, least).tolist() == [p for p in range(6) if ratings.people.tolist().count(p) >= least]


def test_two_or_three_hundred_levels_keep_their_ranks() -> None:
    """Ranks are kept in one byte where that will do."""
    for n_levels in (255, 256, 300):
        rows = [(0, item, float(item)) for item in range(n_levels)] + [(1, item, float(item)) for item in range(n_levels)]
        X, y, _ = collaborative_rows(ratings_of(rows), 0, min_ratings=1, centre=0)
        assert y.tolist() == list(range(1, n_levels + 1))
        assert X[:, 0].tolist() == [float(item) for item in range(n_levels)]


def test_levels_are_the_ratings_behind_ranks() -> None:
    ratings = ratings_of([(0, 0, 4.5), (0, 1, 0.5), (1, 0, 3.0)])
    index = Collaboration(ratings)
    assert index.levels[index.rows(0, [1]).y - 1].tolist() == [4.5, 0.5]


RATINGS = ratings_of([(0, 0, 1.0), (0, 1, 2.0), (1, 0, 3.0)])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"person": 2}, "person=2 should be a number from 0 to 1"),
        ({"person": -1}, "person=-1 should be a number from 0 to 1"),
        ({"others": [0, 2]}, "others should be numbers from 0 to 1, but are from 0 to 2"),
        ({"others": [1, 1]}, "others should have no number twice"),
        ({"others": [[1]]}, "others should be the numbers of people"),
        ({"others": [0.5]}, "others should be the numbers of people"),
        ({"centre": "median"}, 'centre=\'median\' should be "middle", "mean" or a number'),
        ({"scale": 0.0}, "scale=0.0 should be above 0"),
        ({"sparse": True, "fill": 1.0}, "fill=1.0 should be 0 for a sparse matrix"),
    ],
)
def test_bad_wishes_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        collaborative_rows(RATINGS, **{"person": 0, **given})


@pytest.mark.parametrize(
    ("ratings", "told"),
    [
        (ratings_of([(0, 0, 1.0), (3, 2, 5.0), (3, 2, 4.0)]), "person 3 rates item 2 more than once"),
        (RATINGS._replace(ratings=np.ones(2)), "a person, an item and a rating in every entry"),
        (RATINGS._replace(times=np.ones(4)), "a person, an item and a rating in every entry"),
        (RATINGS._replace(people=np.array([], int), items=np.array([], int), ratings=np.array([])), "at least one entry"),
        (RATINGS._replace(people=np.array([0, 0, 2])), "people should be whole numbers from 0 to 1"),
        (RATINGS._replace(items=np.array([0, -1, 0])), "items should be whole numbers from 0 to 1"),
        (RATINGS._replace(items=np.array([0.0, 1.0, 0.0])), "items should be whole numbers from 0 to 1"),
        (RATINGS._replace(ratings=np.array([1.0, np.nan, 2.0])), "a rating is NaN or infinite"),
    ],
)
def test_bad_ratings_are_refused(ratings: Ratings, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Collaboration(ratings)
