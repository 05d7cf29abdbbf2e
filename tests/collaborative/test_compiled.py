"""Compiled and interpreted code give the same model, bit for bit."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ranktron.algorithms import PRank
from ranktron.collaborative import Recommender
from ranktron.compile import policy

from .made import STARS, answers, same, triples

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    "way",
    [{"rater": PRank()}, {"rater": PRank(), "factors": 7, "draws": 3, "latest": 2, "memory": 50}],
    ids=["default", "bounded"],
)
def test_compiled_code_learns_and_answers_as_interpreted_code_does(way: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    columns = triples(200)
    models = {}
    for patience in (math.inf, 0):
        monkeypatch.setattr(policy, "PATIENCE", patience)
        models[patience] = model = Recommender(classes=STARS, **way).partial_fit(*(column[:120] for column in columns))
        for person, item, stars in zip(*(column[120:] for column in columns)):
            model.learn_one(person, item, stars)
    interpreted, compiled = models[math.inf], models[0]
    assert same(interpreted, compiled)
    asked = answers(compiled), [compiled.predict_mean_one(person, 3) for person in compiled.people_]
    monkeypatch.setattr(policy, "PATIENCE", math.inf)
    assert (answers(interpreted) == asked[0]).all()
    assert [interpreted.predict_mean_one(person, 3) for person in interpreted.people_] == asked[1]
