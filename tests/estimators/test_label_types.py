"""Labels as people have them: words, numbers, flags, categories; answers come in the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ranktron

from ..family import NAMES, make, state, stream
from ..models.contract import every_variant, refused

every_name = pytest.mark.parametrize("name", NAMES)

SPELLINGS: dict[str, list[Any]] = {
    "words": ["a", "b", "c", "d", "e"],
    "long words": ["a", "bb", "ccc", "dddd", "eeeee"],
    "floats": [1.0, 2.0, 3.0, 4.0, 5.0],
    "gaps": [-7, 0, 3, 100, 5_000_000_000],
    "negative floats": [-4.0, -2.0, 0.0, 8.0, 1e9],
}
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def learned(model: Any) -> dict[str, Any]:
    return {key: value for key, value in state(model).items() if key != "classes"}


@every_variant
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spelling_makes_no_difference(name: str, parameters: dict[str, Any], spelling: str) -> None:
    X, y = stream(40)
    names = np.array(SPELLINGS[spelling])
    model, plain = make(name, **parameters).fit(X, names[y - 1]), make(name, **parameters).fit(X, y)
    assert learned(model) == learned(plain)
    assert model.classes_.dtype == names.dtype
    np.testing.assert_array_equal(model.predict(X), names[plain.predict(X) - 1])
    assert model.predict_one(X[0]) == names[plain.predict_one(X[0]) - 1]


@every_name
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_of_any_width(name: str, dtype: str) -> None:
    X, y = stream(30)
    model = make(name).fit(X, y.astype(dtype))
    assert learned(model) == learned(make(name).fit(X, y))
    assert model.classes_.dtype == dtype
    assert model.predict(X).dtype == dtype
    assert learned(make(name, classes=[1, 2, 3, 4, 5]).fit(X, y.astype(dtype))) == learned(model)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_labels_at_the_ends_of_a_type(dtype: str) -> None:
    X, y = stream(30, k=2)
    ends = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)
    model = ranktron.PRank().fit(X, ends[y - 1])
    assert learned(model) == learned(ranktron.PRank().fit(X, y))
    assert model.classes_.tolist() == ends.tolist()


@every_name
def test_flags(name: str) -> None:
    X, y = stream(30, k=2)
    model = make(name).fit(X, y == 2)
    assert learned(model) == learned(make(name).fit(X, y))
    assert model.classes_.tolist() == [False, True]
    assert model.predict(X).dtype == bool


@every_name
def test_objects(name: str) -> None:
    X, y = stream(30)
    words = np.array(["a", "bb", "ccc", "dddd", "eeeee"], object)
    model = make(name).fit(X, words[y - 1])
    assert learned(model) == learned(make(name).fit(X, y))
    assert set(model.predict(X)) <= set(words)
    assert learned(make(name).fit(X, y.astype(object))) == learned(model)


@every_name
def test_objects_without_an_order_of_their_own_need_classes(name: str) -> None:
    X, y = stream(30, k=3)
    mixed = np.array(["none", 1, 2.5], object)
    model = make(name)
    with refused(model, "mixed", "classes="):
        model.fit(X, mixed[y - 1])
    model = make(name, classes=["none", 1, 2.5]).fit(X, mixed[y - 1])
    assert model.classes_.tolist() == ["none", 1, 2.5]
    assert learned(model) == learned(make(name).fit(X, y))


@every_variant
def test_a_given_order_is_kept(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40, k=3)
    words = np.array(["low", "mid", "high"])
    plain = make(name, **parameters).fit(X, y)
    for model in (
        make(name, **parameters, classes=["low", "mid", "high"]).fit(X, words[y - 1]),
        make(name, **parameters).partial_fit(X, words[y - 1], classes=["low", "mid", "high"]),
        make(name, **parameters, classes=words).fit(X, words[y - 1].tolist()),
    ):
        assert learned(model) == learned(plain)
        assert model.classes_.tolist() == ["low", "mid", "high"]
        np.testing.assert_array_equal(model.predict(X), words[plain.predict(X) - 1])


@every_name
def test_a_descending_order_turns_the_ranks_around(name: str) -> None:
    X, y = stream(40)
    model = make(name, classes=[5, 4, 3, 2, 1]).fit(X, y)
    plain = make(name).fit(X, 6 - y)
    assert learned(model) == learned(plain)
    np.testing.assert_array_equal(model.predict(X), 6 - plain.predict(X))


CATEGORIES = {
    "series": lambda words: pd.Series(words).astype(pd.CategoricalDtype(["low", "mid", "high"], ordered=True)),
    "categorical": lambda words: pd.Categorical(words, ["low", "mid", "high"], ordered=True),
    "index": lambda words: pd.CategoricalIndex(words, ["low", "mid", "high"], ordered=True),
    "polars": lambda words: pl.Series(words, dtype=pl.Enum(["low", "mid", "high"])),
}


@pytest.mark.parametrize("kind", CATEGORIES)
def test_ordered_categories_bring_their_order(kind: str) -> None:
    X, y = stream(40, k=3)
    words = np.array(["low", "mid", "high"])[y - 1]
    model = ranktron.PRank().fit(X, CATEGORIES[kind](words))
    assert model.classes_.tolist() == ["low", "mid", "high"]
    assert learned(model) == learned(ranktron.PRank().fit(X, y))
    assert learned(model.partial_fit(X, CATEGORIES[kind](words))) == learned(ranktron.PRank().fit(X, y).partial_fit(X, y))


@every_name
def test_ordered_categories_that_do_not_occur_have_ranks_too(name: str) -> None:
    X, y = stream(40, k=3)
    grades = pd.Series(pd.Categorical(y, [1, 2, 3, 4], ordered=True))
    assert state(make(name).fit(X, grades)) == state(make(name, classes=[1, 2, 3, 4]).fit(X, y))


def test_classes_outrank_the_categories() -> None:
    X, y = stream(40, k=3)
    grades = pd.Series(pd.Categorical(y, [1, 2, 3], ordered=True))
    assert ranktron.PRank(classes=[3, 2, 1]).fit(X, grades).classes_.tolist() == [3, 2, 1]


def test_unordered_categories_are_sorted() -> None:
    X, y = stream(40, k=3)
    words = np.array(["low", "mid", "high"])[y - 1]
    model = ranktron.PRank().fit(X, pd.Series(pd.Categorical(words, ["low", "mid", "high"])))
    assert model.classes_.tolist() == ["high", "low", "mid"]


@every_name
def test_a_column_of_labels_is_taken_with_a_warning(name: str) -> None:
    X, y = stream(30)
    with pytest.warns(UserWarning, match="column-vector"):
        model = make(name).fit(X, y[:, None])
    assert state(model) == state(make(name).fit(X, y))


@every_name
def test_two_labels(name: str) -> None:
    X, y = stream(30, k=2)
    model = make(name).fit(X, y)
    assert model.decision_function(X).shape == (30,)
    np.testing.assert_array_equal(model.predict(X), np.where(model.decision_function(X) > 0, 2, 1))
