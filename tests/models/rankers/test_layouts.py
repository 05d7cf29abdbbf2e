"""Rows in any layout: dense, sparse, single precision, whole numbers, data frames; and what is handed in or out stays so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from ranktron.kernels import Polynomial

from .family import both_averages, each, every_linear_variant, every_name, every_variant, learned, make, refused, state, stream

COLUMNS = ["age", "size", "weight", "price"]
EXACT: dict[str, tuple[str, dict[str, Any]]] = {
    "MinimaxRank": ("MinimaxRank", {}),
    "MinimaxRank-ap": ("MinimaxRank", {"measure": "ap"}),
    "MinimaxRank-quadratic": ("MinimaxRank", {"kernel": Polynomial(2), "budget": 9}),
    "SLAM-first place": ("SLAM", {"measure": "ndcg@1", "step": 1.0}),  # where all weights are 0 or 1
    "SLAM-first place-cubic": ("SLAM", {"measure": "ndcg@1", "kernel": Polynomial(3)}),
}
LAYOUTS: dict[str, Any] = {
    "nested lists": lambda X: X.tolist(),
    "columns first": np.asfortranarray,
    "every other": lambda X: np.repeat(X, 2, axis=0)[::2],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "big-endian": lambda X: X.astype(">f8"),
    "objects": lambda X: X.astype(object),
    "read only": lambda X: np.broadcast_to(X, X.shape),
}
every_library = pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])


def exact(n_lists: int = 25) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y, qid = stream(n_lists, d=6)
    return np.round(1.5 * X) + 0.0, y, qid  # no -0


def table(frame: Any, X: np.ndarray, columns: list[str] = COLUMNS) -> Any:
    return frame(dict(zip(columns, X.T)))


def unnamed(model: Any) -> dict[str, Any]:
    return {key: value for key, value in state(model).items() if key != "names"}


@pytest.mark.parametrize("case", EXACT)
@both_averages
def test_sparse_is_dense_exactly_where_sums_are_exact(case: str, average: bool) -> None:
    (name, parameters), (X, y, qid) = EXACT[case], exact()
    dense, sparse = (make(name, **parameters, average=average).fit(rows, y, qid) for rows in (X, sp.csr_array(X)))
    assert state(sparse) == state(dense)
    assert sparse.predict(sp.csr_array(X)).tobytes() == dense.predict(X).tobytes()
    assert dense.n_updates_ > 3


@every_variant
def test_sparse_is_dense_to_rounding(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(20, d=12)
    X *= np.abs(X) > 0.3
    dense, sparse = (make(name, **parameters).fit(rows, y, qid) for rows in (X, sp.csr_array(X)))
    np.testing.assert_allclose(sparse.predict(sp.csr_array(X)), dense.predict(X), rtol=1e-9, atol=1e-9)
    assert (sparse.n_seen_, sparse.n_updates_) == (dense.n_seen_, dense.n_updates_)
    assert sparse.rank(sp.csr_array(X), qid).tolist() == dense.rank(X, qid).tolist()


@every_variant
@pytest.mark.parametrize("rows", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_single_precision_is_read_as_what_it_is(name: str, parameters: dict[str, Any], rows: Any) -> None:
    X, y, qid = stream(15, d=9)
    single = X.astype(np.float32)
    model = make(name, **parameters).fit(rows(single), y, qid)
    assert state(model) == state(make(name, **parameters).fit(rows(single.astype(np.float64)), y, qid))
    assert {array.dtype for array in model._learner.arrays().values()} <= {np.dtype(kind) for kind in ("f8", "i8", "u8")}
    assert model.predict(rows(single)).dtype == np.float64


@every_name
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float16", "bool", "longdouble"])
def test_numbers_of_every_type(name: str, dtype: str) -> None:
    X, y, qid = exact()
    X = np.abs(X).astype(dtype)
    assert state(make(name).fit(X, y, qid)) == state(make(name).fit(X.astype(float), y, qid))


@every_name
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_one(name: str, layout: str) -> None:
    X, y, qid = stream(10)
    model, plain = make(name).fit(LAYOUTS[layout](X), y, qid), make(name).fit(X, y, qid)
    assert state(model) == state(plain)
    assert model.predict(LAYOUTS[layout](X)).tobytes() == plain.predict(X).tobytes()


@every_name
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_sparse_formats_are_one(name: str, kind: str) -> None:
    X, y, qid = stream(10)
    rows = getattr(sp, f"csr_{kind}")(X * (np.abs(X) > 0.4))
    plain = make(name).fit(rows, y, qid)
    for form in ("csc", "coo", "lil", "dok", "bsr"):
        assert state(make(name).fit(getattr(sp, f"{form}_{kind}")(rows), y, qid)) == state(plain), form
    wide = sp.csr_array((rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)), shape=rows.shape)
    assert state(make(name).fit(wide, y, qid)) == state(plain)


@every_linear_variant
def test_values_stored_twice_add_up(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = exact()
    once = sp.csr_array(X)
    indices, data = np.repeat(once.indices, 2), np.column_stack([3 * once.data, -2 * once.data]).ravel()
    twice = sp.csr_array((data, indices, 2 * once.indptr), shape=X.shape)
    model, plain = (make(name, **parameters).fit(rows, y, qid) for rows in (twice, once))
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9, atol=1e-12)


@every_variant
def test_columns_that_are_always_zero_change_nothing(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = exact()
    wide = np.insert(X, [2, 2, 6], 0.0, axis=1)
    model, plain = (make(name, **parameters).fit(sp.csr_array(rows), y, qid) for rows in (wide, X))
    assert model.predict(sp.csr_array(wide)).tobytes() == plain.predict(sp.csr_array(X)).tobytes()


@every_name
def test_a_memory_map_is_read_in_place(name: str, tmp_path: Path) -> None:
    X, y, qid = stream(10)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert state(make(name).fit(mapped, y, qid)) == state(make(name).fit(X, y, qid))


@every_library
@every_variant
def test_a_frame_learns_as_its_array_does(name: str, parameters: dict[str, Any], frame: Any) -> None:
    X, y, qid = stream(10)
    model, plain = (make(name, **parameters).partial_fit(rows, y, qid) for rows in (table(frame, X), X))
    assert unnamed(model) == unnamed(plain)
    assert model.feature_names_in_.tolist() == COLUMNS
    assert model.predict(table(frame, X)).tobytes() == plain.predict(X).tobytes()
    assert model.rank(table(frame, X), qid).tolist() == plain.rank(X, qid).tolist()
    for rows, grades in each(X, y, qid):
        model.learn_list(table(frame, rows), grades)
        plain.learn_list(rows, grades)
    assert unnamed(model) == unnamed(plain)


@every_library
@every_name
def test_ids_and_grades_may_be_columns_too(name: str, frame: Any) -> None:
    X, y, qid = stream(10)
    whole = frame({**dict(zip(COLUMNS, X.T)), "grade": y, "query": [f"q{one}" for one in qid]})
    if frame is pd.DataFrame:
        whole = whole.set_index(np.arange(len(y))[::-1] // 2)
    model = make(name).fit(whole[COLUMNS], whole["grade"], qid=whole["query"])
    assert unnamed(model) == unnamed(make(name).fit(X, y, qid))


@every_library
@every_name
@pytest.mark.parametrize("method", ["partial_fit", "predict_then_learn", "learn_list", "predict", "rank"])
def test_reordered_and_wrong_names_are_refused(name: str, frame: Any, method: str) -> None:
    X, y, _ = stream(5)
    model = make(name).fit(table(frame, X), y)
    grades = [] if method in ("predict", "rank") else [y]
    before = state(model)
    for columns in (COLUMNS[::-1], ["age", "size", "weight", "cost"]):
        with pytest.raises(ValueError, match="feature names should match"):
            getattr(model, method)(table(frame, X, columns), *grades)
    assert state(model) == before


@every_library
@every_name
def test_fit_takes_new_names(name: str, frame: Any) -> None:
    X, y, qid = stream(5)
    model = make(name).fit(table(frame, X), y, qid).fit(table(frame, X[:, :2], ["b", "a"]), y, qid)
    assert model.feature_names_in_.tolist() == ["b", "a"]
    assert not hasattr(model.fit(X, y, qid), "feature_names_in_")


@every_library
@every_name
def test_nan_is_refused_by_the_name_of_its_column(name: str, frame: Any) -> None:
    X, y, qid = stream(5)
    X[7, 2] = np.nan
    model = make(name)
    with refused(model, "NaN", "row 7", "column 2", "weight", 'missing="zero"'):
        model.fit(table(frame, X), y, qid)
    filled = make(name, missing="zero").fit(table(frame, X), y, qid)
    assert unnamed(filled) == unnamed(make(name).fit(np.nan_to_num(X), y, qid))


@every_name
@pytest.mark.parametrize("missing", ["error", "zero"])
def test_input_is_never_changed(name: str, missing: str) -> None:
    X, y, qid = stream(6)
    if missing == "zero":
        X[3, 1] = np.nan
    for given in (X.copy(), np.asfortranarray(X), X.astype(np.float32), sp.csr_array(X), sp.csc_matrix(X)):
        kept, grades, ids = given.copy(), y.copy(), qid.copy()
        model = make(name, missing=missing, epochs=2).fit(given, grades, ids).partial_fit(given, grades, ids)
        model.predict_then_learn(given, grades, ids), model.learn_list(given, grades)
        model.predict(given), model.rank(given, ids), model.score(given, grades, ids)
        same = (lambda part: part.toarray()) if sp.issparse(given) else np.asarray
        np.testing.assert_array_equal(same(given), same(kept))
        assert (grades.tolist(), ids.tolist()) == (y.tolist(), qid.tolist())


@every_variant
def test_what_a_model_hands_out_is_not_its_memory(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10)
    model = make(name, **parameters).fit(X, y, qid)
    before = learned(model)
    weights = [model.support_, model.dual_coef_] if "kernel" in parameters else [model.coef_]
    for part in [*weights, model.predict(X), model.rank(X, qid), model.rank(X)]:
        part[...] = 0
    assert learned(model) == before
    X[:], y[:], qid[:] = 0, 1, 2
    assert learned(model) == before
