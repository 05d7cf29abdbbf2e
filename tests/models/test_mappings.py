"""Mappings from names to numbers, one example at a time."""

from __future__ import annotations

import collections
import gc
import types
import weakref
from typing import Any

import numpy as np
import pytest

import ranktron

from ..family import NAMES, make, state, stream
from .contract import as_mappings, every_linear_variant, every_variant, known

every_name = pytest.mark.parametrize("name", NAMES)


def taught(model: Any, examples: Any, labels: Any) -> Any:
    for x, y in zip(examples, labels):
        model.learn_one(x, int(y))
    return model


@every_variant
@pytest.mark.parametrize("columns", [1, 4, 11])
def test_a_full_mapping_is_its_array_bit_for_bit(name: str, parameters: dict[str, Any], columns: int) -> None:
    X, y = stream(50, d=columns)
    mapped, plain = taught(make(name, **parameters), as_mappings(X), y), taught(make(name, **parameters), X, y)
    assert known(mapped) == known(plain)
    assert [mapped.predict_one(x) for x in as_mappings(X)] == [plain.predict_one(x) for x in X] == plain.predict(X).tolist()


@every_variant
def test_the_order_of_keys_is_irrelevant(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(60, d=9)
    random = np.random.default_rng(0)
    straight, mixed = make(name, **parameters), make(name, **parameters)
    for x, label in zip(as_mappings(X), y.tolist()):
        kept = [key for key in x if random.random() < 0.7]
        straight.learn_one({key: x[key] for key in kept}, label)
        mixed.learn_one({key: x[key] for key in random.permutation(kept).tolist()}, label)
    assert state(mixed) == state(straight)
    assert mixed.predict_one(x) == straight.predict_one(dict(reversed(x.items())))


@every_name
def test_new_names_get_their_columns_in_sorted_order(name: str) -> None:
    model = make(name)
    for x, names in (({"c": 1, "a": 2}, "ac"), ({"b": 1}, "acb"), ({"z": 1, "a": 1, "d": 1}, "acbdz"), ({}, "acbdz")):
        model.learn_one(x, 1)
        assert "".join(model.feature_names_in_) == names
        assert model.n_features_in_ == len(names) == model.coef_.shape[-1]


@every_linear_variant
def test_absent_names_are_zero(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(60, d=6)
    X = np.round(2 * X) * (np.random.default_rng(2).random(X.shape) < 0.6)
    X[0] = 1.0
    sparse = [{key: value for key, value in x.items() if value} for x in as_mappings(X)]
    mapped, plain = taught(make(name, **parameters), sparse, y), taught(make(name, **parameters), X, y)
    np.testing.assert_allclose(mapped.coef_, plain.coef_, rtol=1e-9, atol=1e-12)
    assert mapped.n_updates_ == plain.n_updates_
    assert [mapped.predict_one(x) for x in sparse] == plain.predict(X).tolist()


@pytest.mark.parametrize("name", ["PRank", "SiPRank", "MulticlassPerceptron"])
@pytest.mark.parametrize("average", [True, False])
def test_a_name_that_comes_late_was_zero_before(name: str, average: bool) -> None:
    X, y = stream(60, d=6)
    X = np.round(2 * X)
    X[:20, 3:] = 0
    late = [{key: value for key, value in x.items() if value} for x in as_mappings(X)]
    mapped = taught(make(name, average=average), late, y)
    order = [int(key[1:]) for key in mapped.feature_names_in_]
    plain = taught(make(name, average=average), X, y)
    np.testing.assert_array_equal(mapped.coef_, plain.coef_[..., order])
    assert mapped.n_updates_ == plain.n_updates_


@every_linear_variant
def test_many_names_one_after_another(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters, classes=[1, 2, 3])
    for number in range(120):
        model.learn_one({f"n{number:03}": 1.0, "common": 0.5}, 1 + number % 3)
        assert np.isfinite(model.coef_).all()
    assert model.n_features_in_ == 121
    assert model.n_seen_ == 120
    assert model.predict_one({"n000": 1.0}) in (1, 2, 3)


@every_name
def test_a_mapping_is_neither_kept_nor_changed(name: str) -> None:
    class Example(dict[str, float]):
        """A dict that can be watched."""

    model = make(name)
    for values in ({"a": 1.0, "b": 2.0}, {"a": 0.5, "c": -1.0}, {"a": 1.0, "b": 1.0, "c": 3.0}):
        x = Example(values)
        model.learn_one(x, 1)
        model.predict_one(x)
        assert x == values
        before = state(model)
        x["a"] = 1e9
        assert state(model) == before
        watch = weakref.ref(x)
        del x
        gc.collect()
        assert watch() is None


MADE_UP = {"defaultdict": lambda x: collections.defaultdict(float, x), "Counter": collections.Counter, "dict": dict}


@every_name
@pytest.mark.parametrize("kind", MADE_UP)
def test_mappings_that_make_up_values_are_read_as_they_are(name: str, kind: str) -> None:
    values = [{"a": 1, "b": 2}, {"c": 3, "d": 4}, {"a": 1, "e": 2}, {"b": 3, "c": 1, "d": 1, "e": 4}]
    examples = [MADE_UP[kind](x) for x in values]
    model, plain = (taught(make(name, classes=[1, 2]), given, [1, 2, 1, 2]) for given in (examples, values))
    assert state(model) == state(plain)
    given = MADE_UP[kind]({"x": 1, "y": 2, "a": 1, "b": 1, "z": 1})
    assert model.predict_one(given) == plain.predict_one(dict(given))
    assert examples == values
    assert set(given) == {"x", "y", "a", "b", "z"}


def test_any_mapping_will_do() -> None:
    X, y = stream(20)
    views = [types.MappingProxyType(x) for x in as_mappings(X)]
    assert known(taught(ranktron.PRank(), views, y)) == known(taught(ranktron.PRank(), X, y))


@every_name
def test_names_may_be_anything_hashable(name: str) -> None:
    names = [3, 1, ("a", 2), "word", 2.5, None, "flag", frozenset([1]), b"bytes"]
    X, y = stream(30, d=len(names))
    model = taught(make(name), as_mappings(X, names), y)
    again = taught(make(name), [dict(reversed(x.items())) for x in as_mappings(X, names)], y)
    assert set(model.feature_names_in_) == set(names)
    assert state(model) == state(again)
    assert model.feature_names_in_.tolist().index(1) < model.feature_names_in_.tolist().index(3)
    assert model.predict_one({("a", 2): 1.0, 3: -1.0}) in {1, 2, 3, 4, 5}


@every_name
def test_values_may_be_any_kind_of_number(name: str) -> None:
    kinds = [np.float32, np.float64, np.int8, np.int64, np.uint8, int, float, np.longdouble]
    for kind in kinds:
        examples = [{"a": kind(1), "b": kind(2)}, {"a": kind(3), "c": kind(1)}, {"a": kind(2), "b": kind(0), "c": kind(1)}]
        plain = [{key: float(value) for key, value in x.items()} for x in examples]
        assert state(taught(make(name), examples, [1, 2, 1])) == state(taught(make(name), plain, [1, 2, 1]))
    for true in (True, np.True_):
        flags, ones = [{"a": true, "b": not true}] * 3, [{"a": 1.0, "b": 0.0}] * 3
        assert state(taught(make(name), flags, [1, 2, 1])) == state(taught(make(name), ones, [1, 2, 1]))


@every_name
def test_given_classes_a_model_answers_before_learning(name: str) -> None:
    model = make(name, classes=["low", "mid", "high"])
    for x in ({"a": 1.0}, {}, [1.0, 2.0], np.array([0.5])):
        assert model.predict_one(x) in ("low", "mid", "high")
    assert state(model) == {}
    assert model.predict_one({"a": 1.0, "b": 1.0}) == model.predict_one([1.0, 1.0]) or name == "MuPRank"


@every_name
def test_names_never_seen_count_nothing(name: str) -> None:
    X, y = stream(30)
    model = taught(make(name), as_mappings(X), y)
    before = state(model)
    for x in as_mappings(X):
        assert model.predict_one({**x, "never": 5.0, "seen": -3.0}) == model.predict_one(x)
    assert model.predict_one({"never": 5.0}) == model.predict_one({})
    assert state(model) == before


@every_variant
def test_learning_from_mappings_then_answering_for_arrays(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    model = taught(make(name, **parameters), as_mappings(X), y)
    with pytest.warns(UserWarning, match="feature names"):
        told = model.predict(X)
    assert told.tolist() == [model.predict_one(x) for x in as_mappings(X)] == [model.predict_one(x) for x in X]
    with pytest.warns(UserWarning, match="feature names"):
        model.partial_fit(X, y)
    assert model.n_seen_ == 80


@every_variant
def test_learning_one_by_one_is_learning_a_batch(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40, d=9)
    batch = make(name, **parameters, classes=[1, 2, 3, 4, 5]).partial_fit(X, y)
    assert known(taught(make(name, **parameters, classes=[1, 2, 3, 4, 5]), X, y)) == known(batch)
    assert known(taught(make(name, **parameters, classes=[1, 2, 3, 4, 5]), as_mappings(X), y)) == known(batch)


def test_learn_one_returns_none() -> None:
    assert ranktron.PRank().learn_one({"a": 1.0}, 1) is None
    assert ranktron.PRank().learn_one([1.0], 1) is None


@every_name
def test_a_mapping_without_all_names_makes_no_room_for_all_columns(name: str) -> None:
    model = make(name, classes=[1, 2])
    for number in range(50):
        model.learn_one({f"word {number}": 1.0, "common": 1.0}, 1 + number % 2)
    assert model.n_features_in_ == 51
    assert model._learner.features._buffers.dense.size <= 2
