"""``qid`` in any order of rows and of any type: lists by first appearance, rows within a list in their order."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import ranktron

from .family import NAMES, both_averages, each, every_name, every_variant, learned, make, refused, state, stream

X, Y, QID = stream(12)
MIXED = np.random.default_rng(1).permutation(len(QID))
IDS = QID[MIXED] - QID.min()


class Visit:
    """An id of the user's own: equal by name, and in no order."""

    def __init__(self, name: int) -> None:
        self.name = name

    def __hash__(self) -> int:
        return hash(("visit", self.name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Visit) and self.name == other.name


def in_order() -> np.ndarray:
    """The mixed rows, list after list in the order of first appearance."""
    appeared = [*dict.fromkeys(IDS.tolist())]
    return np.array(sorted(range(len(IDS)), key=lambda row: (appeared.index(IDS[row]), row)))


@every_variant
@both_averages
@pytest.mark.parametrize("rows", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_mixed_rows_are_lists_in_the_order_of_first_appearance(
    name: str, parameters: dict[str, Any], average: bool, rows: Callable[[np.ndarray], Any]
) -> None:
    given, order = rows(X[MIXED]), in_order()
    mixed, ordered, single = (make(name, **parameters, average=average) for _ in range(3))
    scores = mixed.predict_then_learn(given, Y[MIXED], qid=IDS)
    in_turn = ordered.predict_then_learn(given[order], Y[MIXED][order], qid=IDS[order])
    assert state(mixed) == state(ordered)
    assert scores[order].tobytes() == in_turn.tobytes()
    for part, grades in each(given, Y[MIXED], IDS):
        single.learn_list(part, grades)
    assert learned(single) == learned(mixed)


@every_variant
def test_shuffled_epochs_of_mixed_rows(name: str, parameters: dict[str, Any]) -> None:
    order, how = in_order(), {"shuffle": True, "random_state": 3, "epochs": 3}
    mixed = make(name, **parameters, **how).fit(X[MIXED], Y[MIXED], qid=IDS)
    ordered = make(name, **parameters, **how).fit(X[MIXED][order], Y[MIXED][order], qid=IDS[order])
    assert state(mixed) == state(ordered)


TYPES: dict[str, Callable[[list[int]], Any]] = {
    "list": lambda ids: ids,
    "tuple": tuple,
    "int8": lambda ids: np.array(ids, np.int8),
    "uint64": lambda ids: np.array(ids, np.uint64) + np.uint64(2**63),
    "negative": lambda ids: [-one for one in ids],
    "floats": lambda ids: np.array(ids) / 8,
    "a list of floats": lambda ids: [one / 8 for one in ids],
    "complex": lambda ids: np.array(ids) * 1j,
    "neighbours that are equal as floats": lambda ids: [2**60 + one for one in ids],
    "larger than any number of numpy's": lambda ids: [10**40 + one for one in ids],
    "fractions": lambda ids: [Fraction(one, 7) for one in ids],
    "strings": lambda ids: [f"query {one}" for one in ids],
    "an array of strings": lambda ids: np.array([f"query {one}" for one in ids]),
    "strings of any length": lambda ids: ["ä" * one for one in ids],
    "bytes": lambda ids: [str(one).encode() for one in ids],
    "tuples": lambda ids: [(one // 3, one % 3) for one in ids],
    "tuples of any length": lambda ids: [(0,) * one for one in ids],
    "frozen sets": lambda ids: [frozenset([one, "set"]) for one in ids],
    "identifiers": lambda ids: [uuid.UUID(int=one) for one in ids],
    "days": lambda ids: [datetime.date(2020, 1, 1 + one) for one in ids],
    "numpy's days": lambda ids: np.datetime64("2020-01-01") + np.array(ids),
    "spans of time": lambda ids: np.array(ids).astype("m8[s]"),
    "an own class": lambda ids: [Visit(one) for one in ids],
    "mixed types": lambda ids: [(one, str(one - 1), (one,), one / 4, b"x" * one)[one % 5] for one in ids],
    "words and numbers alike": lambda ids: [one // 2 if one % 2 else str(one // 2) for one in ids],
    "objects": lambda ids: np.array([str(one) if one % 2 else one for one in ids], object),
    "pandas": lambda ids: pd.Series(ids, index=ids[::-1]),
    "pandas strings": lambda ids: pd.Series([f"q{one}" for one in ids]),
    "pandas nullable": lambda ids: pd.Series(ids, dtype="Int64"),
    "pandas categories": lambda ids: pd.Series(ids).astype("category"),
    "an index": lambda ids: pd.Index(ids),
    "a level of an index": lambda ids: pd.MultiIndex.from_arrays([ids, range(len(ids))]).get_level_values(0),
    "polars": lambda ids: pl.Series(ids),
    "polars strings": lambda ids: pl.Series([f"q{one}" for one in ids]),
    "polars categories": lambda ids: pl.Series([f"q{one}" for one in ids], dtype=pl.Categorical),
    "read only": lambda ids: np.broadcast_to(np.array(ids), len(ids)),
    "every other": lambda ids: np.repeat(ids, 2)[::2],
    "an iterator": iter,
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_ids_of_any_type(name: str, kind: str) -> None:
    plain = make(name).fit(X[MIXED], Y[MIXED], qid=IDS)
    model = make(name).fit(X[MIXED], Y[MIXED], qid=TYPES[kind](IDS.tolist()))
    assert state(model) == state(plain)
    assert model.n_seen_ == 12
    assert model.rank(X[MIXED], qid=TYPES[kind](IDS.tolist())).tolist() == plain.rank(X[MIXED], qid=IDS).tolist()
    assert model.score(X[MIXED], Y[MIXED], qid=TYPES[kind](IDS.tolist())) == plain.score(X[MIXED], Y[MIXED], qid=IDS)


@every_name
def test_two_lists_by_a_flag(name: str) -> None:
    flags, numbers = np.arange(len(Y)) % 3 == 0, (np.arange(len(Y)) % 3 == 0).astype(int)
    assert state(make(name).fit(X, Y, qid=flags)) == state(make(name).fit(X, Y, qid=numbers))


@every_name
def test_ids_are_not_kept_or_changed(name: str) -> None:
    ids = IDS.copy()
    model = make(name).fit(X[MIXED], Y[MIXED], qid=ids)
    before = state(model)
    assert ids.tolist() == IDS.tolist()
    ids[:] = 0
    assert state(model) == before


@every_name
def test_every_row_a_list_of_its_own_has_nothing_to_learn(name: str) -> None:
    model = make(name).fit(X, Y, qid=range(len(Y)))
    assert (model.n_seen_, model.n_updates_, model.cumulative_loss_) == (len(Y), 0, 0.0)
    assert not model.coef_.any()


@every_variant
def test_hundreds_of_small_lists_in_any_order(name: str, parameters: dict[str, Any]) -> None:
    if "kernel" in parameters and "budget" not in parameters:
        parameters = {**parameters, "budget": 20}
    random = np.random.default_rng(2)
    ids = random.integers(0, 400, 1000)
    rows, grades = random.integers(-2, 3, (1000, 2)).astype(float), random.integers(0, 3, 1000)
    model, single = make(name, **parameters).fit(rows, grades, qid=ids), make(name, **parameters)
    for part, marks in each(rows, grades, ids):
        single.learn_list(part, marks)
    assert learned(model) == learned(single)
    assert sorted(model.rank(rows, qid=ids).tolist()) == list(range(1000))


BAD_IDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "too few": (QID[:-1], (str(len(QID)), "qid")),
    "too many": (np.r_[QID, 1], (str(len(QID)), "qid")),
    "none at all": ([], ("qid",)),
    "one for all": (7, ("qid",)),
    "an array of no dimension": (np.array(7), ("qid",)),
    "two columns": (np.column_stack([QID, QID]), ("qid", "shape")),
    "a column": (QID[:, None], ("qid", "shape")),
    "a frame": (pd.DataFrame({"qid": QID}), ("qid", "shape")),
    "NaN": (np.where(QID == 105, np.nan, QID), ("qid", f"row {np.argmax(QID == 105)}")),
    "NaN in a list": ([float("nan") if one == 105 else one for one in QID], ("qid", f"row {np.argmax(QID == 105)}")),
    "NaN among objects": (np.array([*QID[:-1], np.nan], object), ("qid", f"row {len(QID) - 1}")),
    "None": ([*QID[:-1], None], ("qid", f"row {len(QID) - 1}")),
    "no time": (np.array(["2020-01-01"] * (len(QID) - 1) + ["NaT"], "M8[D]"), ("qid", f"row {len(QID) - 1}")),
    "no span of time": (np.array([1] * (len(QID) - 1) + ["NaT"], "m8[s]"), ("qid", f"row {len(QID) - 1}")),
    "pandas' null": (pd.Series([*QID[:-1], None], dtype="Int64"), ("qid", f"row {len(QID) - 1}")),
    "pandas' null string": (pd.Series([*QID[:-1].astype(str), None], dtype="string"), ("qid", f"row {len(QID) - 1}")),
    "no category": (pd.Categorical([*QID[:-1].astype(str), None]), ("qid", f"row {len(QID) - 1}")),
    "polars' null": (pl.Series([*QID[:-1].tolist(), None]), ("qid", f"row {len(QID) - 1}")),
    "polars' null string": (pl.Series([*QID[:-1].astype(str), None]), ("qid", f"row {len(QID) - 1}")),
    "lists": ([[one] for one in QID], ("qid", "hash")),
    "a mapping among them": ([*QID[:-1], {}], ("qid", "hash")),
}


@every_name
@pytest.mark.parametrize("case", BAD_IDS)
def test_ids_that_are_none_are_refused(name: str, case: str) -> None:
    ids, words = BAD_IDS[case]
    for model in (make(name), make(name).fit(*stream(6, seed=7))):
        for method in ("fit", "partial_fit", "predict_then_learn"):
            with refused(model, *words):
                getattr(model, method)(X, Y, qid=ids)
    with refused(model, *words):
        model.rank(X, qid=ids)
    with refused(model, *words):
        model.score(X, Y, qid=ids)


def test_an_id_whose_comparison_fails_is_an_error_of_its_own() -> None:
    class Broken:
        def __hash__(self) -> int:
            raise RuntimeError("this id is broken")

    model = ranktron.ListNet().fit(X, Y, QID)
    before = state(model)
    with pytest.raises(RuntimeError, match="this id is broken"):
        model.partial_fit(X, Y, qid=[Broken() for _ in Y])
    assert state(model) == before
