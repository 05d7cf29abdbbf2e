"""How many classes of the library stand behind an estimator: few enough to read."""

from __future__ import annotations

import pytest

import ranktron
from ranktron.estimators import ESTIMATORS

# An ensemble, a ranker and a rule that learns each row once have a class more than a plain ordinal model; a Predtron is also one
# of three kinds, with classes of their own.
DEEPEST = {"Rater": 6, "PRank": 6, "Predtron": 9}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_few_classes_stand_behind_an_estimator(name: str) -> None:
    ours = [kind for kind in type(getattr(ranktron, name)()).__mro__ if kind.__module__.split(".")[0] == "ranktron"]
    assert len(ours) <= DEEPEST.get(name, 7), ours
