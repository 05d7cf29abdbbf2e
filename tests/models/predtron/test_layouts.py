"""Rows in any layout: dense, sparse, single precision, whole numbers, frames, mappings; what is handed in or out stays so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from ..contract import as_mappings
from .family import (
    CASES,
    FEATURES,
    LISTS,
    MATRICES,
    OWN,
    Case,
    answers,
    every,
    every_case,
    learn,
    learned,
    listed,
    refused,
    state,
)

COLUMNS = [f"f{column:02}" for column in range(FEATURES)]
EXACT = ["binary", "binary-weights", "binary-reject", "classes", "classes-polynomial", "ordinal", "costs", "costs-driven"]
EXACT += ["finite", "published-reject", "hamming", "subset", "error-set", "error-set-driven", "own"]
SOME = ["binary-l1", "classes-reject", "costs-driven", "finite-budget", "hamming-l1", "error-set", "labels-ndcg"]
SOME += ["labels-precision", "lists-ndcg", "lists-precision", "lists-budget", "own"]
some_cases = every(SOME)
every_library = pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])


def table(frame: Any, X: np.ndarray, columns: list[str] = COLUMNS) -> Any:
    return frame(dict(zip(columns, X.T)))


@every(EXACT)
@pytest.mark.parametrize("average", [True, False], ids=["average", "last"])
def test_sparse_is_dense_exactly_where_sums_are_exact(case: Case, average: bool) -> None:
    stream, step = case.stream(whole=True), {"step": 0.25, "link": "euclidean"}
    if len(np.shape(stream.y)) == 2:
        stream.y = stream.y[:, :4]  # where 1/√m is exact
    if case.make().step == "theory":
        step = {"link": "euclidean"}
    dense, sparse = (learn(case.make(**step, average=average), stream.of(rows)) for rows in (stream.X, sp.csr_array(stream.X)))
    assert state(sparse) == state(dense)
    assert answers(sparse, sp.csr_array(stream.X)) == answers(dense, stream.X)
    assert dense.n_updates_ > 3


@every_case
def test_sparse_is_dense_to_rounding(case: Case) -> None:
    stream = case.stream()
    stream = stream.of(stream.X * (np.abs(stream.X) > 0.3))
    dense, sparse = (learn(case.make(), stream.of(rows)) for rows in (stream.X, sp.csr_array(stream.X)))
    scores = dense.decision_function(stream.X)
    np.testing.assert_allclose(sparse.decision_function(sp.csr_array(stream.X)), scores, rtol=1e-9, atol=1e-9)
    assert (sparse.n_seen_, sparse.n_updates_) == (dense.n_seen_, dense.n_updates_)
    assert sparse.cumulative_loss_ == pytest.approx(dense.cumulative_loss_)


@every_case
def test_numbers_of_any_kind_are_learned_in_double_precision(case: Case) -> None:
    stream = case.stream(whole=True)
    plain = learn(case.make(), stream)
    for kind in (np.float32, np.int8, np.int64):
        model = learn(case.make(), stream.of(stream.X.astype(kind)))
        assert state(model) == state(plain)
        assert answers(model, stream.X.astype(kind)) == answers(plain, stream.X)
    arrays = {**plain._learner.arrays(), **plain._learner.tallies}
    assert {array.dtype for name, array in arrays.items() if not name.startswith("support.")} <= {
        np.dtype(np.float64),
        np.dtype(np.int64),
    }


@some_cases
def test_single_precision_is_the_double_of_the_same_numbers(case: Case) -> None:
    stream = case.stream()
    narrow = stream.X.astype(np.float32)
    assert state(learn(case.make(), stream.of(narrow))) == state(learn(case.make(), stream.of(narrow.astype(float))))


@some_cases
def test_layouts_of_an_array_and_formats_of_a_sparse_one_are_one(case: Case) -> None:
    stream = case.stream(20)
    plain = state(learn(case.make(), stream))
    for layout in (lambda X: X.tolist(), np.asfortranarray, lambda X: np.repeat(X, 2, axis=0)[::2], lambda X: X.astype(object)):
        assert state(learn(case.make(), stream.of(layout(stream.X)))) == plain
    sparse = state(learn(case.make(), stream.of(sp.csr_array(stream.X))))
    for form in (sp.csc_matrix, sp.coo_array, sp.lil_matrix):
        assert state(learn(case.make(), stream.of(form(stream.X)))) == sparse


@every_library
@some_cases
def test_a_frame_learns_as_its_array_does(case: Case, frame: Any) -> None:
    stream = case.stream(20)
    plain = learn(case.make(), stream)
    model = case.make().partial_fit(table(frame, stream.X), *stream.given()[1:])
    assert learned(model) == learned(plain)
    assert model.feature_names_in_.tolist() == COLUMNS
    assert answers(model, table(frame, stream.X)) == answers(plain, stream.X)
    with pytest.raises(ValueError, match="feature names should match"):
        model.partial_fit(table(frame, stream.X, COLUMNS[::-1]), *stream.given()[1:])
    assert learned(model) == learned(plain)


def mapped(case: Case, model: Any, seed: int = 0, n: int = 30) -> Any:
    """A model that learns mappings in which names come and go, one by one."""
    stream, random = case.stream(n, seed), np.random.default_rng(seed)
    for number, one in enumerate(stream.each()):
        rows = [{key: x[key] for key in x if random.random() < 0.7} | {f"n{number // 6}": 1.0} for x in as_mappings(one.X)]
        if one.qid is None:
            model.learn_one(rows[0], one.y[0])
        else:
            model.learn_list(rows, one.y)
    return model


@every_case
def test_mappings_of_full_rows_are_rows(case: Case) -> None:
    stream, model = case.stream(20), case.make()
    for one in stream.each():
        if one.qid is None:
            model.learn_one(as_mappings(one.X)[0], one.y[0])
        else:
            model.learn_list(as_mappings(one.X), one.y)
    rows = stream.X if stream.qid is None else sp.csr_array(stream.X)
    plain = learn(case.make(), stream.of(rows))
    scores = model.decision_function(table(pd.DataFrame, stream.X))
    np.testing.assert_allclose(scores, plain.decision_function(stream.X), rtol=1e-9, atol=1e-9)
    assert (model.n_updates_, model.n_features_in_) == (plain.n_updates_, FEATURES)
    assert model.feature_names_in_.tolist() == COLUMNS


EUCLIDEAN = {name for name in CASES if CASES[name].more.get("link", "euclidean") == "euclidean"}


@every(EUCLIDEAN)
def test_absent_names_are_zero_and_new_ones_had_no_weight(case: Case) -> None:
    growing, random = mapped(case, case.make()), np.random.default_rng(0)
    names = sorted(growing.feature_names_in_.tolist())
    plain = case.make()
    for number, one in enumerate(case.stream(30).each()):
        rows = [{key: x[key] for key in x if random.random() < 0.7} | {f"n{number // 6}": 1.0} for x in as_mappings(one.X)]
        full = np.array([[row.get(name, 0.0) for name in names] for row in rows])
        if one.qid is None:
            plain.learn_one(full[0], one.y[0])
        else:
            plain.learn_list(full, one.y)
    assert (growing.n_updates_, len(names)) == (plain.n_updates_, 14)
    if "kernel" not in case.more:
        order = [growing.feature_names_in_.tolist().index(name) for name in names]
        np.testing.assert_allclose(growing.coef_[..., order], plain.coef_, rtol=1e-9, atol=1e-9)


@every_case
def test_names_may_come_while_any_link_learns(case: Case) -> None:
    model, again = mapped(case, case.make()), mapped(case, case.make())
    assert state(model) == state(again)
    assert model.n_features_in_ == 14
    assert np.isfinite(model.decision_function(pd.DataFrame(np.eye(14), columns=model.feature_names_in_))).all()


@every_case
def test_hashed_names_keep_to_their_columns(case: Case) -> None:
    model = mapped(case, case.make(hash_bits=3))
    assert model.n_features_in_ == 8
    assert not hasattr(model, "feature_names_in_")
    assert state(model) == state(mapped(case, case.make(hash_bits=3)))
    assert np.isfinite(model.decision_function(np.eye(8))).all()
    wide = np.eye(9)
    with refused(model, "8 features"):
        model.predict(wide)


@every_case
def test_missing_numbers_may_count_as_zero(case: Case) -> None:
    stream = case.stream(20)
    holes = np.where(np.random.default_rng(1).random(stream.X.shape) < 0.2, np.nan, stream.X)
    model = learn(case.make(missing="zero"), stream.of(holes))
    plain = learn(case.make(missing="zero"), stream.of(np.nan_to_num(holes)))
    assert state(model) == state(plain)
    assert answers(model, holes) == answers(plain, np.nan_to_num(holes))
    with refused(case.make(), "NaN", 'missing="zero"'):
        learn(case.make(), stream.of(holes))


@every_case
def test_what_is_handed_in_or_out_is_no_memory_of_the_model(case: Case) -> None:
    stream = case.stream(20)
    kept = stream.X.copy(), np.array(stream.y)
    model = learn(case.make(), stream)
    assert (stream.X.tolist(), np.array(stream.y).tolist()) == (kept[0].tolist(), kept[1].tolist())
    before = state(model)
    weights = [model.support_, model.dual_coef_] if "kernel" in case.more else [model.coef_]
    told = model.predict(stream.X)
    for part in [*weights, model.decision_function(stream.X), told]:
        part[...] = part.flat[0] if part.dtype.kind in "UO" else 0
    stream.X[:] = 7
    assert state(model) == before
    if hasattr(model, "intercept_"):
        model.intercept_[...] = 7
    assert state(model) == before


@every(MATRICES)
def test_label_matrices_of_any_kind(case: Case) -> None:
    X, Y = case.stream(20).given()
    plain = learn(case.make(), case.stream(20))
    names = case.more.get("classes") or [f"label {column}" for column in range(Y.shape[1])]
    for given in (Y.astype(float), Y.astype(np.uint8), Y.tolist(), sp.csr_array(Y), sp.csc_matrix(Y), Y.astype(object)):
        assert state(case.make().fit(X, given)) == state(plain), type(given)
    for frame in (pd.DataFrame, pl.DataFrame):
        model = case.make().fit(X, frame(Y, names) if frame is pl.DataFrame else frame(Y, columns=names))
        assert listed(model.predict(X)) == listed(plain.predict(X))
        assert model.classes_.tolist() == names
    if not case.more.get("classes"):
        assert plain.classes_.tolist() == list(range(Y.shape[1]))


@every({"hamming", "labels-ndcg"})
def test_mappings_of_labels_are_rows_of_a_matrix(case: Case) -> None:
    X, Y = case.stream(20).given()
    names = list("abcde")
    named, plain = case.make(), case.make(classes=names)
    for x, y in zip(X, Y):
        full = dict(zip(names, y.tolist()))
        named.learn_one(x, full if named.__dict__.get("_learner") is None else {key: full[key] for key in full if full[key]})
        plain.learn_one(x, y)
    assert state(named) == state(plain)


@every(LISTS)
def test_ids_need_not_be_adjacent(case: Case) -> None:
    X, y, qid = case.stream(15).given()
    mixed = np.random.default_rng(0).permutation(len(qid))
    order = np.concatenate([mixed[qid[mixed] == one] for one in dict.fromkeys(qid[mixed].tolist())])
    model = case.make().fit(X[mixed], y[mixed], [f"q{one}" for one in qid[mixed]])
    assert state(model) == state(case.make().fit(X[order], y[order], qid[order]))


@every(OWN)
@pytest.mark.parametrize("kind", [list, tuple, lambda y: np.array(y, object), pd.Series, pl.Series])
def test_labels_of_an_own_task_in_any_container(case: Case, kind: Any) -> None:
    X, y = case.stream(20).given()
    assert state(case.make().fit(X, kind(y.tolist()))) == state(case.make().fit(X, y))
