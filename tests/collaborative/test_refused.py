"""One bad rating leaves all as it was, and is told in one sentence."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ranktron.collaborative import Recommender

from .made import STARS, learned, state, triples

BAD: list[tuple[Any, Any, Any, str]] = [
    ("ann", "Up", 6, r"label 6 .*is not among classes \[1, 2, 3, 4, 5\]"),
    ("ann", "Up", None, "label None is not a grade|label None in row 0 is not among classes"),
    ("ann", "Up", math.nan, "label nan is not a grade|label nan in row 0 is not among classes"),
    (None, "Up", 3, "person None is not an id: ids should be strings or whole numbers"),
    ("ann", math.nan, 3, "item nan is not an id: ids should be strings or whole numbers"),
    ("ann", ["Up"], 3, r"item \['Up'\] is not an id: ids should be strings or whole numbers"),
    ({}, "Up", 3, "person {} is not an id: ids should be strings or whole numbers"),
    (2.5, "Up", 3, "person 2.5 is not an id: ids should be strings or whole numbers"),
]
every_bad_one = pytest.mark.parametrize(("person", "item", "rating", "sentence"), BAD)


@every_bad_one
def test_a_bad_rating_changes_nothing(person: Any, item: Any, rating: Any, sentence: str) -> None:
    model = learned(30)
    before = state(model)
    with pytest.raises(ValueError, match=sentence):
        model.learn_one(person, item, rating)
    assert state(model) == before


@every_bad_one
def test_a_batch_with_a_bad_rating_changes_nothing(person: Any, item: Any, rating: Any, sentence: str) -> None:
    model = learned(30)
    before = state(model)
    for learn in (model.partial_fit, model.fit, model.predict_then_learn):
        with pytest.raises(ValueError, match=sentence.replace("row 0", "row 1")):
            learn(["eve", person], ["Heat", item], [3, rating])
        assert state(model) == before


def test_a_first_bad_rating_leaves_the_model_empty() -> None:
    model = Recommender()
    for rating in (None, math.inf, [3], 2j):
        with pytest.raises(ValueError, match="is not a grade"):
            model.learn_one("ann", "Up", rating)
    with pytest.raises(ValueError, match="all ratings are 3; pass classes= with all there may be"):
        model.fit(["ann"], ["Up"], [3])
    with pytest.raises(ValueError, match="has not learned anything yet"):
        model.predict_one("ann", "Up")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ((["ann"], ["Up", "Heat"], [3]), "there are 1 people, 2 items and 1 ratings; they should be triples"),
        (([], [], []), "there are 0 people, 0 items and 0 ratings; they should be triples"),
        ((["ann"], ["Up"]), "pass people, items and ratings, or all of them in one as triples"),
        (([("ann", "Up", 3), ("bob", "Up")],), "entry 1 is not a triple of a person, an item and a rating"),
        (([7],), "entry 0 is not a triple of a person, an item and a rating"),
    ],
)
def test_what_is_no_triple_is_refused(given: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Recommender(classes=STARS).partial_fit(*given)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"factors": 0}, "factors=0 should be a whole number from 1 to 10000"),
        ({"rate": -1.0}, "rate=-1.0 should be a positive number"),
        ({"memory": 0}, "memory=0 should be a whole number from 1 on or None"),
        ({"rater": "PRank"}, "rater='PRank' should be None or an ordinal estimator"),
        ({"others": True}, "others=True needs per_person=True and memory=None"),
        ({"others": True, "per_person": True, "memory": 9}, "others=True needs per_person=True and memory=None"),
        ({"classes": [1]}, "classes should be at least two labels"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Recommender(**{"classes": STARS, **parameters}).learn_one("ann", "Up", 3)


def test_other_classes_later_are_refused() -> None:
    model = learned(30)
    with pytest.raises(ValueError, match=r"classes=\[1, 2\] differ from \[1, 2, 3, 4, 5\], which the model learned with"):
        model.partial_fit(*triples(20), classes=[1, 2])
    assert model.partial_fit(*triples(20), classes=STARS).n_seen_ > 30


def test_questions_that_make_no_sense_are_refused() -> None:
    model = learned(30)
    with pytest.raises(ValueError, match="there are 2 people and 1 items; they should come in pairs"):
        model.predict(["ann", "bob"], [1])
    with pytest.raises(ValueError, match="item 'Heat' has no rating yet"):
        model.similar("Heat")
    with pytest.raises(ValueError, match="an id of the person column cannot be looked up"):
        model.predict([["ann"]], [1])
    with pytest.raises(ValueError, match=r"person \['ann'\] is not an id"):
        model.recommend(["ann"])
