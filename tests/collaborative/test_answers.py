"""What a recommender can be asked."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron.collaborative import Recommender
from ranktron.models import NotFitted

from .made import STARS, learned, triples


@pytest.fixture(scope="module")
def model() -> Recommender:
    return learned()


def test_before_any_rating_there_is_no_answer() -> None:
    for question in (lambda one: one.predict(["ann"], [1]), lambda one: one.recommend("ann"), lambda one: one.classes_):
        with pytest.raises(NotFitted, match="this Recommender has not learned anything yet"):
            question(Recommender(classes=STARS))


def test_it_knows_who_rated_what(model: Recommender) -> None:
    people, items, stars = triples()
    assert model.people_ == list(dict.fromkeys(people))
    assert model.items_ == list(dict.fromkeys(items))
    assert model.n_seen_ == len(stars)
    assert model.classes_.tolist() == STARS


def test_shares_add_up_to_the_expected_rating(model: Recommender) -> None:
    people, items, stars = triples()
    for person, item in [(people[0], items[3]), ("somebody", items[3]), (people[0], "something"), ("somebody", "something")]:
        share = model.explain(person, item)
        assert share.mean == pytest.approx(np.mean(stars))
        assert share.mean + share.person + share.item + share.taste == pytest.approx(share.score)
        assert min(max(share.score, 1.0), 5.0) == pytest.approx(model.predict_mean_one(person, item))
        assert (share.person_ratings, share.item_ratings) == (people.count(person), items.count(item))


def test_nothing_is_added_for_those_who_are_not_known(model: Recommender) -> None:
    share = model.explain("somebody", "something")
    assert (share.person, share.item, share.taste) == (0.0, 0.0, 0.0)


def test_recommended_are_those_with_the_highest_expected_ratings(model: Recommender) -> None:
    people, items, _ = triples()
    best = model.recommend(people[0], 4)
    rated = {item for person, item in zip(people, items) if person == people[0]}
    scores = {item: model.explain(people[0], item).score for item in model.items_ if item not in rated}
    assert [item for item, _ in best] == sorted(scores, key=lambda item: -scores[item])[:4]
    assert [rating for _, rating in best] == model.predict_mean([people[0]] * 4, [item for item, _ in best]).tolist()


def test_what_was_rated_is_left_out_unless_it_is_wanted(model: Recommender) -> None:
    person = model.people_[0]
    rated = {item for one, item in zip(*triples()[:2]) if one == person}
    assert rated.isdisjoint(item for item, _ in model.recommend(person, 1000))
    assert {item for item, _ in model.recommend(person, 1000, seen=True)} == set(model.items_)


def test_recommended_are_only_those_among(model: Recommender) -> None:
    among = [model.items_[4], "something", model.items_[4], model.items_[7]]
    assert {item for item, _ in model.recommend("somebody", among=among)} == set(among)
    assert model.recommend("somebody", among=[]) == []
    assert len(model.recommend("somebody", 1, among=among)) == 1


def test_whoever_is_not_known_gets_what_is_liked_on_average(model: Recommender) -> None:
    by_item = {item: model.explain("somebody", item).item for item in model.items_}
    assert [item for item, _ in model.recommend("somebody", 5)] == sorted(by_item, key=lambda item: -by_item[item])[:5]


def test_few_ratings_count_for_little() -> None:
    """One rating of five is not as good as ten."""
    model = Recommender(classes=STARS)
    for place in range(10):
        model.learn_one(place, "known", 5)
        model.learn_one(place, f"other {place}", 2)
    model.learn_one(11, "new", 5)
    assert model.explain("somebody", "known").item > model.explain("somebody", "new").item > 0


def test_own_raters_lean_on_the_shared_one_while_ratings_are_few() -> None:
    """Somebody has a word of their own for what all others call 2: the more they count, the more it is heard."""
    model = Recommender(classes=STARS, per_person=True, draws=0, latest=0)
    for place in range(120):
        model.learn_one(f"other {place % 6}", place % 10, 2)
        model.learn_one("ann", place % 10, 4)
    raters = model._learner.raters
    probabilities = {}
    for shrink in (1e-9, 100.0, 1e9):
        raters.shrink = shrink
        probabilities[shrink] = model.predict_proba(["ann"], [3])[0]
    rows = model._cases(["ann"], [3]).rows
    own = raters.own[model._learner.names[0].place("ann")]
    assert probabilities[1e-9] == pytest.approx(own.predict_proba(rows)[0])
    assert probabilities[1e9] == pytest.approx(raters.shared.predict_proba(rows)[0], abs=1e-6)
    weight = 120 / 220
    assert probabilities[100.0] == pytest.approx(weight * probabilities[1e-9] + (1 - weight) * probabilities[1e9], abs=1e-6)


def test_others_are_seen_as_the_papers_have_it() -> None:
    """What others said of the item, from the middle of the scale, and never what the person says."""
    model = Recommender(classes=STARS, per_person=True, others=True, draws=0)
    for person, item, stars in [("ann", "Up", 5), ("bob", "Up", 2), ("ann", "Heat", 1), ("eve", "Up", 3)]:
        model.learn_one(person, item, stars)
    community = model._learner
    assert community.others(0, 0) == {"person 1": -1.0, "person 2": 0.0}
    assert community.others(1, 0, 1) == {"person 0": 2.0}
    assert community.others(2, 0, 3) == {"person 0": 2.0, "person 1": -1.0}
    assert community.others(0, -1) == {}
    assert {"person 0", "person 1"} < set(model._learner.raters.own[2].feature_names_in_)


def test_intervals_are_the_shared_raters(model: Recommender) -> None:
    people, items, stars = (np.array(column) for column in triples())
    low, high = model.predict_interval(people, items, coverage=0.9)
    assert (low <= high).all()
    assert ((low <= stars) & (stars <= high)).mean() > 0.8


def test_similar_items_are_cosines_of_tastes(model: Recommender) -> None:
    item = model.items_[0]
    found = model.similar(item, 3)
    side = model._learner.sides[1]
    tastes, counts = side.tastes[: len(model.items_)], side.marks[: len(model.items_), 0]
    for name, alike in found:
        other = model.items_.index(name)
        cosine = tastes[0] @ tastes[other] / np.linalg.norm(tastes[0]) / np.linalg.norm(tastes[other])
        assert alike == pytest.approx(cosine * np.prod(counts[[0, other]] / (counts[[0, other]] + 10)))
    assert item not in [name for name, _ in model.similar(item, 1000)]
    assert [alike for _, alike in found] == sorted((alike for _, alike in model.similar(item, 1000)), reverse=True)[:3]
