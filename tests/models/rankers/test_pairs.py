"""Preferences and clicks: lists of two, from which the hidden direction is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ..contract import as_mappings
from .family import both_averages, every_direction, every_linear_variant, every_name, every_variant, learned, make, state, told

HIDDEN = np.array([1.0, -2.0, 0.5, 0.0])


def preferences(count: int, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """The better and the worse of two, by the hidden direction."""
    pairs = np.random.default_rng(seed).standard_normal((count, 2, 4))
    return [(a, b) if a @ HIDDEN > b @ HIDDEN else (b, a) for a, b in pairs]


@every_variant
@both_averages
def test_a_pair_is_a_list_of_two(name: str, parameters: dict[str, Any], average: bool) -> None:
    pairs, lists = (make(name, **parameters, average=average) for _ in range(2))
    for better, worse in preferences(30):
        assert pairs.learn_pair(better, worse) is None
        lists.learn_list([worse, better], [0, 1])
    assert state(pairs) == state(lists)
    assert pairs.n_seen_ == 30


@every_variant
def test_pairs_of_mappings(name: str, parameters: dict[str, Any]) -> None:
    pairs, lists = make(name, **parameters), make(name, **parameters)
    for better, worse in preferences(20):
        better, worse = as_mappings(np.array([better, worse]))
        pairs.learn_pair(better, {**worse, "only the worse": 1.0})
        lists.learn_list([{**worse, "only the worse": 1.0}, better], [0, 1])
    assert state(pairs) == state(lists)
    assert pairs.n_features_in_ == 5


@every_name
def test_any_sequence_will_do(name: str) -> None:
    plain = make(name)
    for better, worse in preferences(10):
        plain.learn_pair(better, worse)
    for kind in (list, tuple, pd.Series, lambda row: row.astype(object)):
        model = make(name)
        for better, worse in preferences(10):
            model.learn_pair(kind(better), kind(worse))
        assert learned(model) == learned(plain)


@every_linear_variant
def test_the_first_preference_is_learned(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    model.learn_pair([1.0, 0.0], [0.0, 1.0])
    assert model.n_updates_ == 1
    assert model.coef_[0] > 0 > model.coef_[1]
    assert model.rank([[0.0, 1.0], [1.0, 0.0]]).tolist() == [1, 0]


@every_direction
@both_averages
def test_the_hidden_direction_is_found(name: str, parameters: dict[str, Any], average: bool) -> None:
    model = make(name, **parameters, average=average)
    for better, worse in preferences(600):
        model.learn_pair(better, worse)
    better, worse = (np.array(part) for part in zip(*preferences(500, seed=1)))
    assert (model.predict(better) > model.predict(worse)).mean() > (0.9 if average else 0.85)


@every_name
def test_clicks_on_a_list_are_pairs(name: str) -> None:
    random = np.random.default_rng(2)
    model = make(name)
    for _ in range(300):
        shown = random.standard_normal((5, 4))
        clicked = int(np.argmax(shown @ HIDDEN))
        for other in range(clicked):  # what was shown above it and passed over
            model.learn_pair(shown[clicked], shown[other])
    assert model.coef_ @ HIDDEN / np.linalg.norm(model.coef_) / np.linalg.norm(HIDDEN) > 0.9


@every_variant
def test_two_that_are_alike_cannot_be_told_apart(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    for better, worse in preferences(10):
        model.learn_pair(better, worse)
    model.learn_pair([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0])
    assert model.n_seen_ == 11
    scores = model.predict([[1.0, 2.0, 3.0, 4.0]] * 2)
    assert scores[0] == scores[1]
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("name", ["SLAM", "MinimaxRank"])
def test_a_preference_that_is_met_is_not_learned_again(name: str) -> None:
    model = make(name, average=False)
    model.learn_pair([1.0, 0.0], [0.0, 1.0])
    before = told(model)["weights"]
    model.learn_pair([2.0, 0.0], [0.0, 1.0])
    assert told(model)["weights"] == before
    assert (model.n_seen_, model.n_updates_) == (2, 1)
