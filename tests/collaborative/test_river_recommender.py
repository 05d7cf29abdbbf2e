"""The River face of the recommender."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from river import checks, reco

import ranktron.river

from .made import STARS, learned, triples


def model() -> Any:
    return ranktron.river.Recommender(classes=STARS)


@pytest.mark.parametrize("check", list(checks.yield_checks(ranktron.river.Recommender())))
def test_rivers_own_checks(check: Any) -> None:
    check(ranktron.river.Recommender())


def test_it_ranks_as_rivers_recommenders_do() -> None:
    one, plain = model(), learned(60)
    assert isinstance(one, reco.base.Ranker)
    assert one.predict_one(user="ann", item="Up") == 0.0
    for person, item, stars in zip(*triples(60)):
        one.learn_one(user=person, item=item, y=stars)
    person, items = plain.people_[0], set(plain.items_)
    assert one.predict_one(user=person, item=3) == plain.predict_mean_one(person, 3)
    expected = {item: plain.predict_mean_one(person, item) for item in items}
    assert [expected[item] for item in one.rank(user=person, items=items)] == sorted(expected.values(), reverse=True)


def test_its_files_are_the_same(tmp_path: Path) -> None:
    plain = learned(40)
    plain.save(tmp_path / "model")
    again = ranktron.river.load(tmp_path / "model")
    assert type(again) is ranktron.river.Recommender
    assert again.predict_one(plain.people_[0], 3) == plain.predict_mean_one(plain.people_[0], 3)
