"""Single lists and pairs that cannot be learned: an error, and their new names do not stay."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import ranktron

from ..contract import as_mappings, learned_once
from .family import each, every_name, every_variant, make, refused, state, stream

X, Y, QID = stream(8)
NO_NUMBERS: dict[str, Any] = {
    "word": "high",
    "digits": "1.5",
    "bytes": b"1",
    "none": None,
    "list": [1.0],
    "complex": 1j,
    "array": np.ones(2),
    "mapping": {"a": 1.0},
    "too large": 10**400,
}


@learned_once
def trained(name: str, kind: str = "named", **parameters: Any) -> Any:
    """A model that has learned lists of arrays, of named mappings or of hashed ones."""
    model = make(name, **parameters, **({"hash_bits": 3} if kind == "hashed" else {}))
    for rows, grades in each(X, Y, QID):
        model.learn_list(rows if kind == "arrays" else as_mappings(rows), grades)
    return model


@every_variant
@pytest.mark.parametrize("kind", ["named", "hashed"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_mappings_that_are_not_finite(name: str, parameters: dict[str, Any], kind: str, value: float) -> None:
    what = "NaN" if math.isnan(value) else "infinity"
    good, full = {"f00": 1.0, "f01": 1.0}, {"f00": 1.0, "f01": value, "f02": 1.0, "f03": 2.0}
    fresh, model = make(name, **parameters, hash_bits=3 if kind == "hashed" else None), trained(name, kind, **parameters)
    for rows in ([good, full], [{"f01": value}, good], [good, {**full, "new": 1.0}, {"newer": 2.0}], [{"new": value}, good]):
        row = next(row for row, x in enumerate(rows) if value in x.values() or not all(map(math.isfinite, x.values())))
        for one in (fresh, model):
            with refused(one, what, f"row {row}"):
                one.learn_list(rows, range(len(rows)))
            with refused(one, what, f"row {row}"):
                one.partial_fit(rows, [0] * len(rows), qid=range(len(rows)))
    with refused(model, what, "row 1"):
        model.predict([good, full])


@every_variant
def test_new_names_of_a_refused_list_do_not_stay(name: str, parameters: dict[str, Any]) -> None:
    model = trained(name, **parameters)
    names, new = model.feature_names_in_.tolist(), {"aa": 1.0, "zz": 2.0}
    many = {f"n{column}": 1.0 for column in range(100)}
    bad: list[tuple[Any, Any, str]] = [
        ([new, {"zz": math.nan}], [0, 1], "zz"),
        ([{**many, "n50": math.inf}, new], [0, 1], "n50"),
        ([new, {"bb": "high"}], [0, 1], "bb"),
        ([new, new], [0, 1, 2], "inconsistent"),
        ([new, new], [0], "inconsistent"),
        ([new, new], [0, -1], "negative"),
        ([new, new], None, "y"),
        ([new, [1.0, 2.0]], [0, 1], "mapping"),
        ([new, None], [0, 1], "mapping"),
    ]
    for rows, grades, word in bad:
        with refused(model, word):
            model.learn_list(rows, grades)
        with refused(model, word):
            model.partial_fit(rows, grades, qid=[1, 2])
    with refused(model, "qid"):
        model.partial_fit([new, new], [0, 1], qid=[1])
    assert model.feature_names_in_.tolist() == names
    model.learn_list([{"bb": 1.0}, {"aa": 2.0}], [0, 1])
    assert model.feature_names_in_.tolist() == [*names, "aa", "bb"]


@every_name
@pytest.mark.parametrize("case", NO_NUMBERS)
def test_a_value_that_is_no_number_is_refused_by_its_name(name: str, case: str) -> None:
    for kind in ("named", "hashed"):
        for model in (trained(name, kind), make(name, hash_bits=3 if kind == "hashed" else None)):
            for x in ({"f00": 1.0, "f01": NO_NUMBERS[case], "f02": 1.0, "f03": 2.0}, {"f01": NO_NUMBERS[case], "new": 1.0}):
                with refused(model, "'f01'", "number"):
                    model.learn_list([{"f00": 1.0}, x], [0, 1])
                with refused(model, "'f01'", "number"):
                    model.learn_pair(x, {"f00": 1.0})


BAD_PAIRS: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "numbers": (1.0, 2.0, ("1D",)),
    "nothing": (None, None, ()),
    "other lengths": (np.ones(4), np.ones(3), ()),
    "matrices": (np.ones((1, 4)), np.ones((1, 4)), ("3D",)),
    "too wide": (np.ones(5), np.ones(5), ("5 features", "4 features")),
    "words": (["a"] * 4, ["b"] * 4, ("number",)),
    "NaN in the better": ([1.0, np.nan, 1.0, 1.0], [1.0] * 4, ("NaN", "column 1")),
    "NaN in the worse": ([1.0] * 4, [1.0, 1.0, np.nan, 1.0], ("NaN", "column 2")),
    "infinity": ([1.0] * 4, [1.0, 1.0, 1.0, -np.inf], ("infinity", "column 3")),
    "a mapping and an array": ({"a": 1.0}, np.ones(4), ()),
    "an array and a mapping": (np.ones(4), {"a": 1.0}, ()),
    "mappings where columns have no names": ({"a": 1.0}, {"b": 1.0}, ("names",)),
}


@every_name
@pytest.mark.parametrize("case", BAD_PAIRS)
def test_pairs_that_cannot_be_learned(name: str, case: str) -> None:
    better, worse, words = BAD_PAIRS[case]
    model = trained(name, "arrays")
    with refused(model, *words):
        model.learn_pair(better, worse)
    if "features" not in "".join(words) and "names" not in words:
        fresh = make(name)
        with refused(fresh, *words):
            fresh.learn_pair(better, worse)


@every_name
def test_new_names_of_a_refused_pair_do_not_stay(name: str) -> None:
    model = trained(name)
    for better, worse in (
        ({"new": 1.0}, {"f00": math.nan}),
        ({"new": math.inf}, {"newer": 1.0}),
        ({"new": "high"}, {"newer": 1.0}),
    ):
        with refused(model):
            model.learn_pair(better, worse)
    assert model.n_features_in_ == 4


@every_variant
def test_a_snapshot_refuses_to_learn(name: str, parameters: dict[str, Any]) -> None:
    snapshot = make(name, **parameters).fit(X, Y, QID).snapshot()
    for method in ("fit", "partial_fit", "predict_then_learn", "learn_list"):
        with refused(snapshot, "snapshot"):
            getattr(snapshot, method)(X, Y)
    with refused(snapshot, "snapshot"):
        snapshot.learn_pair(X[0], X[1])


@every_name
def test_after_refusals_of_every_kind_learning_goes_on_as_if_they_had_not_been(name: str) -> None:
    model, twin = make(name), make(name)
    for part, grades in each(X, Y, QID):
        rows = as_mappings(part)
        bad = [
            ([{**rows[0], "f01": math.nan}, *rows[1:]], grades),
            ([*rows, {"new": math.inf}], [*grades, 1]),
            (rows, [-1] * len(rows)),
        ]
        for wrong, marks in [*bad, ([{"f00": "x"}], [1]), ([], []), (rows, [*grades, 1])]:
            with pytest.raises((ValueError, TypeError)):
                model.learn_list(wrong, marks)
        model.learn_list(rows, grades)
        twin.learn_list(rows, grades)
    assert state(model) == state(twin)


def test_an_error_within_a_mapping_changes_nothing() -> None:
    class Broken(dict[str, float]):
        def items(self) -> Any:
            raise ValueError("this mapping is broken")

    model = trained("SLAM")
    with refused(model, "this mapping is broken"):
        model.learn_list([{"new": 1.0}, Broken(newer=1.0)], [0, 1])


def test_an_error_within_a_kernel_function_changes_nothing() -> None:
    calls = iter(range(60))

    def kernel(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        if next(calls, None) is None:
            raise ValueError("this kernel is broken")
        return A @ B.T

    model = ranktron.SLAM(kernel=kernel)
    model.learn_list(X[:5], [0, 1, 2, 1, 0])
    before = state(model)
    with pytest.raises(ValueError, match="this kernel is broken"):
        model.partial_fit(np.vstack([X] * 4), np.tile(Y, 4), np.arange(4 * len(Y)) // 5)
    assert state(model) == before


@every_name
def test_arrays_after_a_frame_are_taken_with_a_warning(name: str) -> None:
    model = make(name).fit(pd.DataFrame(X, columns=list("abcd")), Y, QID)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        scores = model.predict(X)
    assert scores.tobytes() == model.predict(pd.DataFrame(X, columns=list("abcd"))).tobytes()
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.learn_list(sp.csr_array(X[:4]), [0, 1, 2, 0])
    assert model.n_seen_ == 9
