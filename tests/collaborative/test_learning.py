"""Learning, against the oracle, and in whatever portions it comes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ranktron.algorithms import NoPRank, PRank
from ranktron.collaborative import Recommender

from .made import STARS, answers, learned, same, state, triples
from .oracle import Oracle

WAYS: list[dict[str, Any]] = [
    {},
    {"factors": 3, "draws": 2, "latest": 3, "memory": 40},
    {"draws": 0, "latest": 0, "rater": PRank()},
    {"per_person": True, "rater": NoPRank(), "draws": 1},
    {"per_person": True, "others": True, "draws": 1},
]
every_way = pytest.mark.parametrize("way", WAYS, ids=["default", "bounded", "not again", "own raters", "others"])


@pytest.mark.parametrize("way", WAYS[:3], ids=["default", "bounded", "not again"])
def test_it_learns_as_the_oracle_does(way: dict[str, Any]) -> None:
    people, items, stars = triples(200)
    model = Recommender(classes=STARS, **way)
    start = model._begun(lambda: model._labels_for_one(1))
    start.numbers(people, items)
    start.make_room(0)
    tastes = [side.tastes[: len(names)].copy() for names, side in zip(start.names, start.sides)]
    oracle = Oracle(*tastes, model.rate, model.damping, model.draws, model.latest, model.memory or 10**9)
    for person, item, rating in zip(people, items, stars):
        u, i = start.names[0].place(person), start.names[1].place(item)
        expected = oracle.learn(u, i, float(rating - 1))
        before = model.explain(person, item).score if model._learner is not None else 1.0
        assert before == 1.0 + expected
        model.learn_one(person, item, rating)
    assert model._learner.level.tolist() == [oracle.mean, oracle.noise]


@every_way
def test_one_batch_is_many_small_ones_and_single_ratings(way: dict[str, Any]) -> None:
    columns = triples(150)
    whole = Recommender(classes=STARS, **way).partial_fit(*columns)
    parts, single = Recommender(classes=STARS, **way), Recommender(classes=STARS, **way)
    for start, stop in ((0, 1), (1, 60), (60, 61), (61, 150)):
        parts.partial_fit(*(column[start:stop] for column in columns))
    for person, item, rating in zip(*columns):
        single.learn_one(person, item, rating)
    assert same(whole, parts)
    assert same(whole, single)


@every_way
def test_predict_then_learn_is_predict_before_each(way: dict[str, Any]) -> None:
    people, items, stars = triples(80)
    told = Recommender(classes=STARS, **way).partial_fit(people[:20], items[:20], stars[:20])
    one = Recommender(classes=STARS, **way).partial_fit(people[:20], items[:20], stars[:20])
    said = told.predict_then_learn(people[20:], items[20:], stars[20:])
    for place in range(20, len(people)):
        assert one.predict_one(people[place], items[place]) == said[place - 20]
        one.learn_one(people[place], items[place], stars[place])
    assert same(told, one)


@pytest.mark.parametrize("per_person", [False, True])
def test_single_answers_are_those_of_many(per_person: bool) -> None:
    model = learned(per_person=per_person)
    people, items = [*model.people_[:5], "somebody"], [*model.items_[:5], "something"]
    labels, means = model.predict(people, items), model.predict_mean(people, items)
    assert [model.predict_one(*pair) for pair in zip(people, items)] == labels.tolist()
    assert [model.predict_mean_one(*pair) for pair in zip(people, items)] == means.tolist()
    assert model.predict_proba(people, items).sum(axis=1) == pytest.approx(1.0)


def test_fit_forgets() -> None:
    model, columns = learned(60), triples(60, seed=5)
    assert same(model.fit(*columns), Recommender(classes=STARS).fit(*columns))


def test_triples_and_data_sets_are_taken_as_columns_are() -> None:
    from ranktron.data import synthetic

    made = synthetic.ratings(200, people=10, items=20, seed=1)
    people, items = made.names_people[made.people], made.names_items[made.items]
    columns = Recommender().fit(people, items, made.ratings)
    assert same(columns, Recommender().fit(made))
    assert same(columns, Recommender().fit(list(zip(people, items, made.ratings))))


def test_what_is_kept_is_bounded() -> None:
    model = learned(100, memory=25)
    assert model._learner.past.shape[0] == 25 < model.n_seen_


def test_a_seed_decides_what_is_drawn() -> None:
    one, again, other = learned(60), learned(60, random_state=0), learned(60, random_state=1)
    assert same(one, again)
    assert (answers(one) != answers(other)).any()


def test_labels_grow_where_they_are_not_given() -> None:
    """What was expected in between stays what it was, in units of the ratings."""
    model = Recommender(draws=2)
    for person, item, rating in zip(*triples(100)):
        model.learn_one(person, item, min(max(rating, 2), 4))
    before = [model.explain(person, item).score for person in model.people_ for item in model.items_]
    community = model._learner
    community.add_label(10)
    community.add_label(-3)
    assert community.labels.names == [-3, 2, 3, 4, 10]
    after = [model.explain(person, item).score for person in model.people_ for item in model.items_]
    assert after == pytest.approx(before, abs=1e-12)
    values = community.scale.low + community.scale.unit * community.scale.values[community.past[: community.age, 2]]
    assert values == pytest.approx([min(max(rating, 2), 4) for rating in triples(100)[2]])


def test_a_rating_not_seen_yet_is_learned() -> None:
    model = Recommender()
    for rating in (3, 5, 1, 4, 3):
        model.learn_one("ann", rating, rating)
    assert model.classes_.tolist() == [1, 3, 4, 5]
    assert model.predict_one("ann", 3) in [1, 3, 4, 5]


def test_words_count_by_their_rank() -> None:
    people, items, stars = triples(120)
    words = ["awful", "bad", "fair", "good", "great"]
    by_word = Recommender(classes=words).fit(people, items, [words[rating - 1] for rating in stars])
    by_star = Recommender(classes=STARS).fit(people, items, stars)
    assert (answers(by_word) == answers(by_star)).all()
    assert [words.index(word) + 1 for word in by_word.predict(people, items)] == by_star.predict(people, items).tolist()


def test_the_width_of_a_scale_does_not_matter() -> None:
    people, items, stars = triples(120)
    wide = Recommender(classes=[10, 20, 30, 40, 50]).fit(people, items, [10 * rating for rating in stars])
    assert answers(wide) == pytest.approx(10 * answers(Recommender(classes=STARS).fit(people, items, stars)))


def test_taste_is_learned() -> None:
    """Two camps, of which each likes what the other does not: means tell nothing, so without taste the error would be 2."""
    random = np.random.default_rng(0)
    who, what = random.integers(0, 12, 700), random.integers(0, 12, 700)
    stars = np.where(who % 2 == what % 2, 5, 1)
    model = Recommender(classes=STARS).fit(who, what, stars)
    assert np.abs(model.predict_mean(who, what) - stars).mean() < 0.5
    assert (model.predict(who, what) == stars).mean() > 0.95
    assert all(item % 2 == 0 for item, _ in model.recommend(0, 5, seen=True))
    assert all(item % 2 == 1 for item, _ in model.similar(3, 4))


def test_state_tells_of_everything() -> None:
    assert not same(learned(40), learned(50))
    assert state(learned(40, per_person=True)).keys() > state(learned(40)).keys()
