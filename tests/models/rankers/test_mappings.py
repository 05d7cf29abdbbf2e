"""Lists of mappings from names to numbers: new names any time, absent ones zero, in any order of keys, hashed or not."""

from __future__ import annotations

import collections
import math
import pickle
import types
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

import ranktron

from ..contract import as_mappings
from .family import each, every_linear_variant, every_name, every_variant, learned, make, refused, state, stream, told


def some(X: np.ndarray, seed: int = 0) -> list[dict[str, float]]:
    """Mappings in which every name is absent now and then."""
    random = np.random.default_rng(seed)
    return [{key: value for key, value in x.items() if random.random() < 0.7} for x in as_mappings(X)]


def parts(examples: list[Any], y: Any, qid: Any) -> list[tuple[list[Any], Any]]:
    return [([examples[row] for row in rows], grades) for rows, grades in each(np.arange(len(y)), y, qid)]


@every_variant
def test_full_mappings_are_their_sparse_matrix_bit_for_bit(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(12, d=11)
    mapped, sparse, dense = (make(name, **parameters).fit(rows, y, qid) for rows in (as_mappings(X), sp.csr_array(X), X))
    assert told(mapped) == told(sparse)
    assert mapped.predict(as_mappings(X)).tobytes() == sparse.predict(sp.csr_array(X)).tobytes()
    np.testing.assert_allclose(mapped.predict(as_mappings(X)), dense.predict(X), rtol=1e-9, atol=1e-9)
    assert mapped.rank(as_mappings(X), qid).tolist() == sparse.rank(sp.csr_array(X), qid).tolist()
    assert mapped.score(as_mappings(X), y, qid) == sparse.score(sp.csr_array(X), y, qid)


@every_variant
def test_mappings_list_by_list_are_mappings_all_at_once(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(15, d=7)
    examples = [{**x, f"n{row // 4}": 1.0} for row, x in enumerate(some(X))]
    whole, single = make(name, **parameters).partial_fit(examples, y, qid), make(name, **parameters)
    for rows, grades in parts(examples, y, qid):
        single.learn_list(rows, grades)
    assert single.feature_names_in_.tolist() == whole.feature_names_in_.tolist()
    assert told(single) == told(whole)
    assert single.predict(examples).tobytes() == whole.predict(examples).tobytes()


@every_variant
def test_predict_then_learn_of_mappings(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10, d=7)
    examples, before = some(X), []
    model, twin = make(name, **parameters), make(name, **parameters)
    scores = model.predict_then_learn(examples, y, qid)
    for rows, grades in parts(examples, y, qid):
        before.append(twin.predict(rows) if before else np.zeros(len(rows)))
        twin.learn_list(rows, grades)
    assert scores.tobytes() == np.concatenate(before).tobytes()
    assert told(model) == told(twin)


@every_variant
def test_the_order_of_keys_is_irrelevant(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10, d=9)
    random = np.random.default_rng(0)
    straight, mixed = make(name, **parameters), make(name, **parameters)
    for rows, grades in parts(some(X), y, qid):
        straight.learn_list(rows, grades)
        mixed.learn_list([{key: x[key] for key in random.permutation([*x]).tolist()} for x in rows], grades)
    assert state(mixed) == state(straight)


@every_variant
def test_absent_names_are_zero(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(12, d=6)
    X = np.round(2 * X) * (np.random.default_rng(2).random(X.shape) < 0.6) + 0.0
    X[0] = 1.0
    examples = [{key: value for key, value in x.items() if value} for x in as_mappings(X)]
    mapped, sparse = (make(name, **parameters).fit(rows, y, qid) for rows in (examples, sp.csr_array(X)))
    assert told(mapped) == told(sparse)
    assert mapped.predict(examples).tobytes() == sparse.predict(sp.csr_array(X)).tobytes()


@every_linear_variant
def test_a_name_that_comes_late_was_zero_before(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(20, d=6)
    X[qid < 108, 3:] = 0
    examples = [{key: value for key, value in x.items() if value} for x in as_mappings(X)]
    mapped = make(name, **parameters)
    for rows, grades in parts(examples, y, qid):
        mapped.learn_list(rows, grades)
    plain = make(name, **parameters).fit(X, y, qid)
    assert mapped.feature_names_in_.tolist() == [f"f0{column}" for column in range(6)]
    np.testing.assert_allclose(mapped.coef_, plain.coef_, rtol=1e-9, atol=1e-12)
    assert (mapped.n_seen_, mapped.n_updates_) == (plain.n_seen_, plain.n_updates_)


@every_variant
def test_new_names_of_a_list_get_their_columns_in_sorted_order(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    learned_by = [([{"c": 1}, {"a": 2}], "ac"), ([{"b": 1, "a": 1}], "acb"), ([{"z": 1}, {}, {"d": 1}], "acbdz"), ([{}], "acbdz")]
    for rows, names in learned_by:
        model.learn_list(rows, range(len(rows)))
        assert "".join(model.feature_names_in_) == names
        assert model.n_features_in_ == len(names)


@every_linear_variant
def test_many_names_one_after_another(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    for number in range(60):
        model.learn_list([{f"n{number:03}": 1.0, "common": 0.5}, {f"m{number:03}": 2.0}], [number % 2, 1])
        assert np.isfinite(model.coef_).all()
    assert model.n_features_in_ == 121 == len(model.coef_)
    assert model.n_seen_ == 60


@every_variant
def test_names_never_seen_count_nothing_in_answers(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(8)
    model = make(name, **parameters).fit(as_mappings(X), y, qid)
    before = state(model)
    more = [{**x, "never": 5.0} for x in as_mappings(X)]
    assert model.predict(more).tobytes() == model.predict(as_mappings(X)).tobytes()
    assert model.rank([{"never": 1.0}, {}]).tolist() == [0, 1]
    assert state(model) == before


@every_name
def test_any_mapping_will_do_and_none_is_changed(name: str) -> None:
    X, y, qid = stream(6)
    plain = make(name).fit(as_mappings(X), y, qid)
    kinds = (types.MappingProxyType, collections.OrderedDict, lambda x: collections.defaultdict(float, x), collections.Counter)
    for kind in kinds:
        examples = tuple(kind(x) for x in as_mappings(X))
        assert state(make(name).fit(examples, y, qid)) == state(plain)
        assert [dict(x) for x in examples] == as_mappings(X)


@every_name
def test_names_may_be_anything_hashable(name: str) -> None:
    names = [3, 1, ("a", 2), "word", 2.5, None, "flag", frozenset([1]), b"bytes"]
    X, y, qid = stream(8, d=len(names))
    model = make(name).fit(as_mappings(X, names), y, qid)
    again = make(name).fit([dict(reversed(x.items())) for x in as_mappings(X, names)], y, qid)
    assert set(model.feature_names_in_) == set(names)
    assert state(model) == state(again)


@every_variant
def test_the_names_of_a_frame_are_those_of_mappings(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10)
    columns = ["age", "size", "weight", "price"]
    model = make(name, **parameters).fit(pd.DataFrame(X, columns=columns), y, qid)
    twin = make(name, **parameters).fit(X, y, qid)
    model.learn_list([dict(zip(columns[::-1], row[::-1])) for row in X[:5]], [0, 1, 2, 1, 0])
    twin.learn_list(sp.csr_array(X[:5]), [0, 1, 2, 1, 0])
    assert told(model) == told(twin)
    model.learn_list([{"colour": 1.0}, {"age": 1.0}], [1, 0])
    assert model.feature_names_in_.tolist() == [*columns, "colour"]


@every_name
def test_missing_values_of_mappings(name: str) -> None:
    X, y, qid = stream(6)
    holes = [{**x, "f01": math.nan} if row % 3 == 0 else x for row, x in enumerate(as_mappings(X))]
    filled = [{**x, "f01": 0.0} if row % 3 == 0 else x for row, x in enumerate(as_mappings(X))]
    assert learned(make(name, missing="zero").fit(holes, y, qid)) == learned(make(name).fit(filled, y, qid))
    model = make(name)
    with refused(model, "NaN", "row 0", "f01", 'missing="zero"'):
        model.fit(holes, y, qid)


@every_linear_variant
def test_hashed_names_take_bounded_room(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters, hash_bits=4)
    model.learn_list([{"first": 1.0}, {"second": 1.0}], [0, 1])
    size = len(pickle.dumps(model))
    for number in range(100):
        model.learn_list([{f"n{number}": 1.0, f"m{number}": 0.5}, {f"o{number}": 1.0}], [0, 1])
    assert model.n_features_in_ == 16 == len(model.coef_)
    assert len(pickle.dumps(model)) <= size + 16
    assert not hasattr(model, "feature_names_in_")


@every_variant
def test_hashed_names_in_any_order_of_keys(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10, d=12)
    straight, turned = make(name, **parameters, hash_bits=2), make(name, **parameters, hash_bits=2)
    straight.partial_fit(some(X), y, qid)
    for rows, grades in parts([dict(reversed(x.items())) for x in some(X)], y, qid):
        turned.learn_list(rows, grades)
    assert learned(turned) == learned(straight)
    assert straight.predict(some(X)).tobytes() == turned.predict(some(X)).tobytes()


@every_linear_variant
def test_without_collisions_hashing_is_a_renaming(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(12, d=5)
    hashed, named = make(name, **parameters, hash_bits=16), make(name, **parameters)
    for model in (hashed, named):
        model.fit(as_mappings(X), y, qid)
    np.testing.assert_allclose(np.sort(hashed.coef_[hashed.coef_ != 0]), np.sort(named.coef_), rtol=1e-9)


def test_mappings_for_columns_without_names_are_refused() -> None:
    X, y, qid = stream(5)
    model = ranktron.SLAM().fit(X, y, qid)
    for examples in ([{"a": 1.0}, {"b": 2.0}], [{}, {}]):
        with refused(model, "names", "array"):
            model.learn_list(examples, [0, 1])
        with refused(model, "names", "array"):
            model.predict(examples)
