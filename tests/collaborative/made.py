"""Ratings to test with, and everything that a recommender has learned."""

from __future__ import annotations

from typing import Any

import numpy as np

from ranktron.collaborative import Recommender
from ranktron.data import synthetic

STARS = [1, 2, 3, 4, 5]


def triples(n: int = 300, *, people: int = 20, items: int = 30, seed: int = 0) -> tuple[list[str], list[int], list[int]]:
    """Columns of people, who have names, items, which have numbers, and stars."""
    made = synthetic.ratings(n, people=people, items=items, seed=seed)
    names = [f"person {number}" for number in made.people.tolist()]
    return names, made.items.tolist(), made.ratings.astype(int).tolist()


def learned(n: int = 300, **parameters: Any) -> Recommender:
    return Recommender(classes=STARS, **parameters).partial_fit(*triples(n))


def state(model: Recommender) -> dict[str, Any]:
    """Everything that was learned, for comparing bit for bit."""
    community = model._learned
    known: dict[str, Any] = {"level": community.level.tolist(), "age": community.age, "classes": model.classes_.tolist()}
    for names, side in zip(community.names, community.sides):
        known[names.what] = list(names.names), [part[: len(names)].tolist() for part in side]
    known["past"] = community.past[: community.age].tolist()
    for name, rater in community.raters.all():
        known[name] = {part: array.tobytes() for part, array in rater._content()[1].items()}
    return known


def same(one: Recommender, other: Recommender) -> bool:
    """Whether both have learned the same, bit for bit."""
    return state(one) == state(other)


def answers(model: Recommender) -> np.ndarray:
    """What is expected of all pairs."""
    pairs = [(person, item) for person in [*model.people_, "somebody"] for item in [*model.items_, -1]]
    return model.predict_mean(*zip(*pairs))
