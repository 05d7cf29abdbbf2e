"""Rows that cannot be learned: one line of error that says where, and a model that has not changed."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ranktron.tasks import SubsetRanking

from .family import CASES, LISTS, Case, Stream, every, every_case, fresh_and_trained, learn, refused, state

STORAGE: dict[str, Any] = {"dense": np.asarray, "csr": sp.csr_array, "float32": lambda rows: rows.astype(np.float32)}
LEARNING = ("fit", "partial_fit", "predict_then_learn")


def spoiled(stream: Stream, value: float, row: int, column: int) -> Stream:
    rows = stream.X.copy()
    rows[row, column] = value
    return stream.of(rows)


@every_case
@fresh_and_trained
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_learning_refuses_what_is_no_number(case: Case, trained: bool, value: float) -> None:
    stream, model = case.stream(12), case.trained() if trained else case.make()
    n = len(stream.X)
    places = [(0, 0), (n // 2, 4), (n - 1, 8)]
    for place, method, stored in zip(places, LEARNING, STORAGE.values()):
        bad = spoiled(stream, value, *place)
        with refused(model, "NaN" if np.isnan(value) else "infinity", f"row {place[0]}, column {place[1]}"):
            getattr(model, method)(stored(bad.X), *bad.given()[1:])


@every_case
def test_one_example_that_is_no_number_is_refused(case: Case) -> None:
    model, bad = case.trained(), np.array([1.0, np.nan, 2.0, 0, 0, 0, 0, 0, 0])
    label = case.stream(1).y[0]
    for x in (bad, np.where(np.isnan(bad), -np.inf, bad), bad[:5], np.append(bad, 1.0), [["1"] * 9], "high", None):
        with refused(model):
            if isinstance(case.task, SubsetRanking):
                model.learn_list([x, x], [0, 1])
            else:
                model.learn_one(x, label)


@every_case
def test_a_mapping_that_is_refused_leaves_no_name_behind(case: Case) -> None:
    model, label = case.make(), case.stream(1).y[0]

    def one(x: Any) -> None:
        if isinstance(case.task, SubsetRanking):
            model.learn_list([{"a": 1.0}, x], [0, 1])
        else:
            model.learn_one(x, label)

    one({"a": 1.0, "b": -2.0})
    for x in ({"new": np.nan}, {"a": 1.0, "new": "high"}, {"new": 1.0, "newer": None}, {"a": np.inf, "b": 1.0}):
        with refused(model):
            one(x)
    assert model.feature_names_in_.tolist() == ["a", "b"]


@every_case
def test_answering_refuses_what_is_no_number(case: Case) -> None:
    model, stream = case.trained(), case.stream(12)
    for stored in STORAGE.values():
        bad = stored(spoiled(stream, np.nan, 5, 2).X)
        ways = [model.predict, model.decision_function, lambda X: model.score(X, *stream.given()[1:])]
        for way in ways:
            with refused(model, "NaN", "row 5, column 2"):
                way(bad)


@every_case
def test_another_number_of_features_is_refused(case: Case) -> None:
    model, stream = case.trained(), case.stream(12)
    for X in (stream.X[:, :3], np.hstack([stream.X, stream.X]), sp.csr_array(stream.X[:, :3])):
        ways = [lambda X: learn(model, stream.of(X)), model.predict, model.decision_function]
        for way in ways:
            with refused(model, f"{X.shape[1]} features", "9 features"):
                way(X)


@every(["binary-l1", "classes-reject", "finite-budget", "hamming", "hamming-trace", "labels-precision", "lists-driven", "own"])
@fresh_and_trained
def test_rows_that_are_none_are_refused(case: Case, trained: bool) -> None:
    stream, model = case.stream(12), case.trained() if trained else case.make()
    n = len(stream.X)
    words: dict[str, Any] = {
        "none": None,
        "a number": 3.0,
        "flat": stream.X[:, 0],
        "no rows": np.empty((0, 9)),
        "no columns": np.empty((n, 0)),
        "three dimensions": np.zeros((n, 9, 2)),
        "words": np.full((n, 9), "high"),
        "complex": stream.X + 0j,
        "too few": stream.X[:-1],
    }
    for X in words.values():
        for method in LEARNING:
            with refused(model):
                getattr(model, method)(X, *stream.given()[1:])


@every_case
@pytest.mark.parametrize("size", [1e150, 1e300, 1.7e308])
def test_no_finite_row_leaves_weights_that_are_not(case: Case, size: float) -> None:
    stream = case.stream(12)
    huge = stream.X.copy()
    huge[5] = np.clip(huge[5], -1, 1) * size
    for model in (case.make(), case.trained()):
        before = state(model)
        with contextlib.suppress(ValueError):  # to refuse it is one of two ways
            learn(model, stream.of(huge))
        if state(model) != before:
            arrays = {name: array for name, array in model._learner.arrays().items() if not name.startswith("support.")}
            assert all(np.isfinite(array).all() for array in arrays.values())
            assert np.isfinite(model.cumulative_loss_)


@every_case
def test_an_overflow_is_said_to_be_one(case: Case) -> None:
    if "kernel" in case.more and type(case.more["kernel"]).__name__ == "Gaussian":
        return  # which no distance overflows: see the test above
    stream = case.stream(12)
    model = case.trained()
    huge = np.where(np.arange(len(stream.X))[:, None] % 2, 1.7e308, -1.7e308) * np.ones(9)
    with refused(model, "overflow"):
        for _ in range(3):
            learn(model, stream.of(huge))


@every(["classes", "classes-reject", "hamming-l1", "error-set", "labels-precision", "lists-precision", "own-driven"])
def test_a_refused_batch_of_few_columns_among_many_is_forgotten(case: Case) -> None:
    stream, random = case.stream(30), np.random.default_rng(6)
    n = len(stream.X)
    indices, data = random.integers(0, 2000, 3 * n), random.standard_normal(3 * n)
    good = sp.csr_array((data, indices, np.arange(0, 3 * n + 1, 3)), shape=(n, 2000))
    model = learn(case.make(), stream.of(good))
    others, far = random.integers(0, 2000, 3 * n), 50 * data  # far enough for a link to be computed anew
    far[-2] = np.inf
    bad = sp.csr_array((far, others, good.indptr), shape=(n, 2000))
    with refused(model, "infinity", f"row {n - 1}"):
        learn(model, stream.of(bad))


@every_case
def test_a_refused_first_batch_leaves_a_model_that_can_start_anew(case: Case) -> None:
    model, stream = case.make(), case.stream(12)
    with refused(model):
        learn(model, spoiled(stream, np.nan, len(stream.X) - 1, 8))
    assert not hasattr(model, "n_features_in_")
    assert learn(model, stream.of(stream.X[:, :2])).n_features_in_ == 2


@every(CASES.keys() - LISTS)
def test_weights_that_are_no_counts_are_refused(case: Case) -> None:
    model, stream = case.trained(), case.stream(12)
    for weights in (np.full(12, 0.5), np.full(12, -1), np.full(12, np.nan), np.ones(11), ["1"] * 12, np.ones((12, 1))):
        with refused(model, "sample_weight"):
            model.partial_fit(*stream.given(), sample_weight=weights)
    with refused(model, "sample_weight", "nothing to learn"):
        model.fit(*stream.given(), sample_weight=np.zeros(12))


@every(LISTS)
def test_ids_that_fit_no_rows_are_refused(case: Case) -> None:
    model, (X, y, qid) = case.trained(), case.stream(12).given()
    floats = qid.astype(float)
    for ids in (qid[:-1], np.r_[qid, 3], 7, np.where(qid == 3, np.nan, floats), np.column_stack([qid, qid]), []):
        for method in LEARNING:
            with refused(model):
                getattr(model, method)(X, y, ids)
        with refused(model):
            model.rank(X, ids)
    with refused(model, "qid"):
        model.score(X, y)
