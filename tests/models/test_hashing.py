"""hash_bits: any number of names in a fixed number of columns, the same ones in every process."""

from __future__ import annotations

import contextlib
import pickle
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ranktron
from ranktron.models.history import KEPT

from ..family import NAMES, make, state, stream
from .contract import every_linear_variant, every_variant, run_process

every_name = pytest.mark.parametrize("name", NAMES)


def examples(count: int = 40, names: int = 12) -> list[tuple[dict[Any, float], int]]:
    X, y = stream(count, d=names)
    kept = np.random.default_rng(3).random(X.shape) < 0.6
    rows = [{f"name {j}": float(row[j]) for j in range(names) if keep[j]} for row, keep in zip(X, kept)]
    return list(zip(rows, y.tolist()))


def taught(model: Any, pairs: Any) -> Any:
    for x, y in pairs:
        model.learn_one(x, y)
    return model


@every_linear_variant
def test_memory_is_bounded_whatever_names_come(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters | ({"limit": 1} if name == "Voted" else {}), hash_bits=4, classes=[1, 2, 3])
    model.learn_one({"first": 1.0}, 1)
    sizes, bytes_kept = {key: array.shape for key, array in model._learner.arrays().items()}, len(pickle.dumps(model))
    for number in range(300):
        model.learn_one({f"n{number}": 1.0, f"m{number}": 0.5}, 1 + number % 3)
    assert model.n_features_in_ == 16 == model.coef_.shape[-1]
    assert {key: array.shape for key, array in model._learner.arrays().items()} == sizes
    trail = model._learner.trail  # a few milestones, and never more
    assert len(trail) <= KEPT
    assert len(pickle.dumps(model)) <= bytes_kept + 16 + len(pickle.dumps(trail))
    assert not hasattr(model, "feature_names_in_")


@every_name
@pytest.mark.parametrize("bits", [1, 2, 10])
def test_the_number_of_columns_is_a_power_of_two(name: str, bits: int) -> None:
    model = taught(make(name, hash_bits=bits), examples(20))
    assert model.n_features_in_ == 2**bits
    assert np.isfinite(model.coef_).all()
    assert model.predict_one({"never seen": 1.0}) in {1, 2, 3, 4, 5}


@every_variant
@pytest.mark.parametrize("bits", [2, 8])
def test_the_order_of_keys_is_irrelevant_even_where_names_collide(name: str, parameters: dict[str, Any], bits: int) -> None:
    straight = taught(make(name, **parameters, hash_bits=bits), examples())
    turned = taught(make(name, **parameters, hash_bits=bits), [(dict(reversed(x.items())), y) for x, y in examples()])
    assert state(straight) == state(turned)


def column(name: Any, bits: int) -> int:
    model = ranktron.PRank(hash_bits=bits, average=False, classes=[1, 2])
    model.learn_one({name: 1.0}, 1)
    return int(np.flatnonzero(model.coef_)[0])


@every_linear_variant
def test_names_that_collide_add_up(name: str, parameters: dict[str, Any]) -> None:
    left = "n0"
    right = next(other for other in (f"n{number}" for number in range(1, 100)) if column(other, 2) == column(left, 2))
    both = taught(make(name, **parameters, hash_bits=2), [({left: 2.0, right: 1.0}, 1), ({left: 1.0, right: -3.0}, 2)] * 4)
    one = taught(make(name, **parameters, hash_bits=2), [({left: 3.0}, 1), ({left: -2.0}, 2)] * 4)
    np.testing.assert_allclose(both.coef_, one.coef_, rtol=1e-9)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.float16, np.float32, Fraction, Decimal, int])
def test_values_that_share_a_column_are_added_as_floats(kind: Any) -> None:
    values = [{f"n{number}": kind(100) / kind(3) if kind is np.float32 else kind(100) for number in range(5)} | {"x": 0.5}]
    floats = [{key: float(value) for key, value in x.items()} for x in values]
    model, plain = (taught(ranktron.PRank(hash_bits=1, classes=[1, 2]), [(x[0], 1), (x[0], 2)]) for x in (values, floats))
    assert state(model) == state(plain)


COLUMNS = """
import numpy as np
from ranktron.algorithms import PRank
for name in ("plain", "größer", "", "a b", 1, -7, 2.5, None, ("a", 1), b"x"):
    model = PRank(hash_bits=20, average=False, classes=[1, 2])
    model.learn_one({name: 1.0}, 1)
    print(int(np.flatnonzero(model.coef_)[0]))
"""


def test_columns_are_the_same_in_every_process() -> None:
    first, second = (run_process(COLUMNS, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first == second
    assert len(set(first.split())) == 10


EQUAL_NAMES = """
import sys
import numpy as np
from ranktron.algorithms import PRank
model = PRank(hash_bits=20, average=False, classes=[1, 2])
names = {"int": 1, "float": 1.0, "numpy": np.int64(1), "flag": True}
for kind in sys.argv[1:]:
    model.predict_one({names[kind]: 1.0})
model.learn_one({1: 1.0}, 1)
print(int(np.flatnonzero(model.coef_)[0]))
"""


def test_columns_do_not_depend_on_which_equal_name_came_first() -> None:
    columns = {first: run_process(EQUAL_NAMES, first) for first in ("int", "float", "numpy", "flag")}
    assert len(set(columns.values())) == 1, columns


@every_name
def test_a_loaded_model_hashes_as_before(name: str, tmp_path: Path) -> None:
    model = taught(make(name, hash_bits=5), examples(30))
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert [loaded.predict_one(x) for x, _ in examples(30)] == [model.predict_one(x) for x, _ in examples(30)]
    assert state(taught(loaded, examples(30))) == state(taught(model, examples(30)))


@every_name
def test_hashed_models_take_arrays_of_all_columns(name: str) -> None:
    model = taught(make(name, hash_bits=3), examples(20))
    X = np.eye(8)
    assert model.predict(X).shape == (8,)
    model.partial_fit(X, model.predict(X))
    model.learn_one(X[0], 1)
    assert model.n_features_in_ == 8


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("MuPRank", "Rater")])
def test_without_collisions_hashing_is_a_renaming(name: str) -> None:
    """But for MuPRank, whose columns share one normalisation, and where named columns are centred and hashed ones are not."""
    pairs = [({key: round(value) for key, value in x.items()}, y) for x, y in examples(40, names=5)]
    hashed, named = taught(make(name, hash_bits=8), pairs), taught(make(name), pairs)
    columns = [column(key, 8) for key in named.feature_names_in_]
    assert len(set(columns)) == 5
    np.testing.assert_allclose(hashed.coef_[..., columns], named.coef_, rtol=1e-9, atol=1e-12)


@every_name
def test_names_of_a_frame_do_not_lift_the_bound(name: str) -> None:
    X, y = stream(20)
    model = make(name, hash_bits=3)
    with contextlib.suppress(ValueError):
        model.partial_fit(pd.DataFrame(X, columns=list("abcd")), y)
        for number in range(40):
            model.learn_one({f"n{number}": 1.0}, 1)
    assert state(model) == {} or model.n_features_in_ <= 8
