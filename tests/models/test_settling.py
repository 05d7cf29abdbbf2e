"""scale="settled": the scaling stands still between milestones, and what was learned goes over to a new one unchanged."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron
from ranktron.kernels import Gaussian
from ranktron.models.history import FIRST_MILESTONE as FIRST
from ranktron.models.history import is_milestone
from ranktron.models.learners.learner import Learner

from ..family import make, state, stream
from .contract import refused
from .standardising import scaled_by

SETTLING: list[tuple[str, dict[str, Any]]] = [
    ("PRank", {}),
    ("PRank", {"forget": 0.01}),
    ("NoPRank", {"trigger": "margin", "average": False}),
    ("OrdinalLogit", {"average": True}),
    ("OrdinalLogit", {"order": 1}),
    ("AROWPRank", {}),
    ("Rater", {}),
]
every_settling = pytest.mark.parametrize(("name", "parameters"), SETTLING)


def drifting(n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose scale and place change, so that every milestone has something to carry over."""
    X, y = stream(n, d=4)
    time = np.linspace(1.0, 3.0, n)[:, None]
    return X * [1.0, 50.0, 1e-3, 7.0] * time + [0.0, 90.0, 1.0, -7.0] * time, y


def settled(name: str, **parameters: Any) -> Any:
    return make(name, scale="settled", classes=range(1, 6), **parameters)


class LiteralPRank:
    """PRank by its pseudocode, on rows that are scaled by the rows up to the last milestone."""

    def __init__(self, d: int, k: int) -> None:
        self.w, self.b, self.mean, self.spread = np.zeros(d), np.zeros(k - 1), np.zeros(d), np.ones(d)

    def scaled(self, seen: np.ndarray, x: np.ndarray) -> np.ndarray:
        return scaled_by(seen, x) if len(seen) <= FIRST else (x - self.mean) / self.spread

    def learn(self, z: np.ndarray, rank: int) -> None:
        if rank == 1 + (z @ self.w >= self.b).sum():
            return
        sides = np.where(rank > np.arange(1, len(self.b) + 1), 1.0, -1.0)
        pushes = np.where((z @ self.w - self.b) * sides <= 0.0, sides, 0.0)
        self.w, self.b = self.w + pushes.sum() * z, self.b - pushes

    def look_back(self, seen: np.ndarray) -> None:
        """From w·(x - m) / s - b to the same with another mean and deviation."""
        mean, spread = seen.mean(axis=0), seen.std(axis=0)
        if len(seen) > FIRST:
            raw = self.w / self.spread
            self.w, self.b = raw * spread, self.b - raw @ (mean - self.mean)
        self.mean, self.spread = mean, spread


def test_it_is_what_the_definition_says() -> None:
    X, y = drifting()
    model, literal = settled("PRank", average=False), LiteralPRank(4, 5)
    for t in range(len(X)):
        told = 1 + (literal.scaled(X[:t], X[t]) @ literal.w >= literal.b).sum()
        assert model.predict_one(X[t]) == told
        literal.learn(literal.scaled(X[: t + 1], X[t]), int(y[t]))
        model.learn_one(X[t], y[t])
        if is_milestone(t + 1):
            literal.look_back(X[: t + 1])
    np.testing.assert_allclose(model.coef_, literal.w / literal.spread, rtol=1e-9)
    shift = (literal.w / literal.spread) @ literal.mean
    np.testing.assert_allclose(model.thresholds_, literal.b + shift, rtol=1e-9)


@every_settling
@pytest.mark.parametrize("form", ["dense", "sparse", "mappings"])
def test_nothing_that_it_says_changes_at_a_milestone(
    name: str, parameters: dict[str, Any], form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = drifting()
    if form == "sparse":
        X *= np.abs(X) > 1.0
    model = settled(name, **parameters)
    if form == "mappings":
        for x, label in zip(X[:255], y[:255].tolist()):
            model.learn_one(dict(zip("abcd", x.tolist())), label)
    else:
        model.partial_fit(X[:255] if form == "dense" else sp.csr_array(X[:255]), y[:255])
    still = copy.deepcopy(model)
    row = dict(zip("abcd", X[255].tolist())) if form == "mappings" else X[255]
    model.learn_one(row, y[255])
    monkeypatch.setattr(Learner, "at_milestone", lambda learner, age: None)
    still.learn_one(row, y[255])
    assert state(model) != state(still)
    for one, other in ((part(model), part(still)) for part in (said_of(X), lambda one: one.thresholds_, lambda one: one.coef_)):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def said_of(X: np.ndarray) -> Any:
    """The scores of rows given as they are learned with."""
    rows = [dict(zip("abcd", x.tolist())) for x in X]

    def scores(model: Any) -> Any:
        if not hasattr(model, "feature_names_in_"):
            return model.decision_function(X)
        return [model.predict_one(row) for row in rows]

    return scores


def test_a_name_that_is_new_is_scaled_by_all_rows_until_the_next_milestone() -> None:
    X, y = drifting(260)
    X[:150, 3] = 0.0
    model = settled("NoPRank")
    spreads = []
    for t, (x, label) in enumerate(zip(X, y.tolist())):
        model.learn_one({name: value for name, value in zip("abcd", x.tolist()) if value or name != "d"}, label)
        if t >= 150:
            spreads.append(1.0 / model._learned.moments.inverse[:4])
    live, still = [X[: t + 1].std(axis=0) for t in range(150, 260)], [X[:128].std(axis=0)] * 105 + [X[:256].std(axis=0)] * 5
    np.testing.assert_allclose(np.array(spreads)[:, :3], np.array(still)[:, :3], rtol=1e-9)
    np.testing.assert_allclose(np.array(spreads)[1:106, 3], np.array(live)[1:106, 3], rtol=1e-9)
    np.testing.assert_allclose(np.array(spreads)[106:, 3], np.array(still)[106:, 3], rtol=1e-9)


@every_settling
def test_how_rows_come_does_not_matter_across_milestones(name: str, parameters: dict[str, Any]) -> None:
    X, y = drifting()
    whole, pieces, single = (settled(name, **parameters) for _ in range(3))
    told = whole.predict_then_learn(X, y)
    for start, stop in ((0, 100), (100, 128), (128, 257), (257, 300)):
        pieces.partial_fit(X[start:stop], y[start:stop])
    for t in range(len(X)):
        assert t % 16 or single.predict_one(X[t]) == told[t]
        single.learn_one(X[t], y[t])
    assert state(whole)["moments.mean"] == state(pieces)["moments.mean"] == state(single)["moments.mean"]
    assert whole.coef_.tobytes() == pieces.coef_.tobytes() == single.coef_.tobytes()
    assert whole.thresholds_.tobytes() == pieces.thresholds_.tobytes() == single.thresholds_.tobytes()


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_batch_that_is_refused_after_a_milestone_leaves_the_scaling_before_it(form: Any) -> None:
    X, y = drifting()
    model = settled("NoPRank").partial_fit(form(X[:200]), y[:200])
    X[290, 0] = np.nan
    with refused(model, "row 90"):
        model.partial_fit(form(X[200:]), y[200:])


CANNOT = [("MulticlassPerceptron", {}), ("OAP", {}), ("Voted", {}), ("ROMMAPRank", {}), ("PRank", {"kernel": Gaussian(1.0)})]


@pytest.mark.parametrize(("name", "parameters"), CANNOT)
def test_what_cannot_be_carried_over_says_so_before_it_learns(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(10)
    model = make(name, scale="settled", **parameters)
    with refused(model, "settled", "use scale='standard'"):
        model.partial_fit(X, y)
    with refused(model, "settled", "use scale='standard'"):
        model.learn_one(X[0], 1)


def test_lists_say_so_too() -> None:
    model = ranktron.ListNet(scale="settled", kernel=Gaussian(1.0))
    with pytest.raises(ValueError, match="scale='settled' needs a linear model"):
        model.learn_list([[1.0], [2.0]], [0, 1])
