"""Scaling within lists against its definition, document by document."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from ranktron import QueryScaler
from tests.covering import examples

from ..contract import assert_readable
from .family import stream

METHODS = ("minmax", "standard")
every_method = pytest.mark.parametrize("method", METHODS)
CONTAINERS = {
    "dense": np.asarray,
    "csr array": sp.csr_array,
    "csr matrix": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_matrix,
}
every_container = pytest.mark.parametrize("container", CONTAINERS)


def scaled(values: list[float], method: str) -> list[float]:
    """One feature of one list, by the definition."""
    if min(values) == max(values):
        return [0.0] * len(values)
    if method == "minmax":
        return [(value - min(values)) / (max(values) - min(values)) for value in values]
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / deviation for value in values]


def by_definition(X: np.ndarray, qid: Any, method: str) -> np.ndarray:
    expected = np.empty_like(X)
    for one in set(qid):
        rows = [row for row, other in enumerate(qid) if other == one]
        for column in range(X.shape[1]):
            expected[rows, column] = scaled(X[rows, column].tolist(), method)
    return expected


def dense(rows: Any) -> np.ndarray:
    return rows.toarray() if sp.issparse(rows) else np.asarray(rows)


@every_method
@every_container
@settings(max_examples=examples(60))
@given(data=st.data())
def test_every_number_is_as_defined(method: str, container: str, data: st.DataObject) -> None:
    shape = data.draw(st.tuples(st.integers(1, 12), st.integers(1, 4)))
    X = data.draw(hnp.arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.0, 1.0, -2.5, 3.0, 1e-3, 1e4])))
    qid = data.draw(st.lists(st.integers(0, 3), min_size=len(X), max_size=len(X)))
    told = QueryScaler(method).fit_transform(CONTAINERS[container](X), qid=qid)
    np.testing.assert_allclose(dense(told), by_definition(X, qid, method), rtol=1e-9, atol=1e-12)


@every_method
@every_container
def test_constant_features_become_zero_exactly(method: str, container: str) -> None:
    random = np.random.default_rng(0)
    values = random.standard_normal(200) * 10.0 ** random.integers(-8, 9, 200)
    X, qid = np.column_stack([np.repeat(values, 7), np.tile(values[:7], 200)]), np.repeat(np.arange(200), 7)
    told = dense(QueryScaler(method).fit_transform(CONTAINERS[container](X), qid=qid))
    assert not told[:, 0].any()
    assert told[:, 1].any()
    single = dense(QueryScaler(method).fit_transform(CONTAINERS[container](X), qid=range(len(X))))
    assert not single.any()


@every_method
@every_container
def test_any_order_of_rows(method: str, container: str) -> None:
    X, _, qid = stream(12)
    X *= np.abs(X) > 0.5
    mixed = np.random.default_rng(2).permutation(len(qid))
    told = dense(QueryScaler(method).fit_transform(CONTAINERS[container](X), qid=qid))
    again = dense(QueryScaler(method).fit_transform(CONTAINERS[container](X[mixed]), qid=[f"q{one}" for one in qid[mixed]]))
    np.testing.assert_allclose(again, told[mixed], rtol=1e-9, atol=1e-12)
    back = np.argsort(mixed)
    np.testing.assert_allclose(again[back], told, rtol=1e-9, atol=1e-12)
    backwards = dense(QueryScaler(method).fit_transform(CONTAINERS[container](X[::-1]), qid=qid[::-1]))
    np.testing.assert_allclose(backwards[::-1], told, rtol=1e-9, atol=1e-12)


@every_method
def test_sparse_is_dense_and_stays_sparse(method: str) -> None:
    X, _, qid = stream(12)
    X *= np.abs(X) > 0.7
    X[:, 0] = 0
    for container in (sp.csr_array, sp.csr_matrix):
        told = QueryScaler(method).fit_transform(container(X), qid=qid)
        assert isinstance(told, container)
        assert told.format == "csr"
        np.testing.assert_allclose(told.toarray(), QueryScaler(method).fit_transform(X, qid=qid), rtol=1e-9, atol=1e-12)
        assert not np.isin(0, told.indices)
        assert told.shape == X.shape


def test_a_feature_that_a_list_does_not_have_is_not_stored() -> None:
    X = sp.csr_array((np.ones(6), ([0, 1, 2, 3, 4, 5], [7, 7, 9, 9, 500, 600])), shape=(6, 1000))
    told = QueryScaler().fit_transform(X, qid=[0, 0, 1, 2, 3, 3])
    assert told.toarray()[4:, [500, 600]].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert told.nnz == 2


@every_method
def test_values_stored_twice_add_up(method: str) -> None:
    once = sp.csr_array(np.array([[1.0, 2.0], [3.0, 0.0], [0.0, 5.0]]))
    twice = sp.csr_array((np.array([3.0, -2.0, 2.0, 3.0, 5.0]), np.array([0, 0, 1, 0, 1]), np.array([0, 3, 4, 5])), shape=(3, 2))
    np.testing.assert_array_equal(once.toarray(), twice.toarray())
    told = QueryScaler(method).fit_transform(twice, qid=[0, 0, 0]).toarray()
    np.testing.assert_allclose(told, QueryScaler(method).fit_transform(once, qid=[0, 0, 0]).toarray())


def test_one_list_is_scikit_learns_scaling() -> None:
    X, _, _ = stream(12)
    np.testing.assert_allclose(QueryScaler().fit_transform(X), MinMaxScaler().fit_transform(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(QueryScaler("standard").fit_transform(X), StandardScaler().fit_transform(X), rtol=1e-9, atol=1e-12)


@every_method
def test_numbers_up_to_the_largest_there_are(method: str) -> None:
    for size in (1e308, 1e200, 1e-200, 5e-324):
        told = QueryScaler(method).fit_transform(np.array([[-size], [size], [0.0]]))
        np.testing.assert_allclose(told[:, 0], scaled([-1.0, 1.0, 0.0], method), rtol=0.3 if size < 1e-300 else 1e-9)


@every_method
def test_nothing_is_kept_and_nothing_changed(method: str) -> None:
    X, _, qid = stream(8)
    scaler = QueryScaler(method).fit(X, qid=qid)
    for rows in (X.copy(), sp.csr_array(X), np.asfortranarray(X), X.astype(np.float32)):
        before, ids = dense(rows).copy(), qid.copy()
        first, second = scaler.transform(rows, qid=ids), QueryScaler(method).fit_transform(rows, qid=ids)
        np.testing.assert_array_equal(dense(first), dense(second))
        np.testing.assert_array_equal(dense(rows), before)
        assert ids.tolist() == qid.tolist()


def test_frames_and_names() -> None:
    X, _, qid = stream(8)
    frame = pd.DataFrame(X, columns=list("abcd"))
    scaler = QueryScaler().set_output(transform="pandas").fit(frame)
    told = scaler.transform(frame, qid=pd.Series(qid))
    assert told.columns.tolist() == list("abcd") == scaler.get_feature_names_out().tolist()
    np.testing.assert_array_equal(told.to_numpy(), QueryScaler().fit_transform(X, qid=qid))
    with pytest.raises(ValueError, match="feature names should match"):
        scaler.transform(frame[list("dcba")], qid=qid)


BAD: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "NaN": (np.array([[1.0], [np.nan]]), None, ("NaN",)),
    "infinity": (np.array([[1.0], [np.inf]]), None, ("infinity",)),
    "NaN, sparse": (sp.csr_array(np.array([[1.0], [np.nan]])), None, ("NaN",)),
    "ids too few": (np.eye(3), [1, 2], ("qid", "3")),
    "ids that are missing": (np.eye(2), [1, None], ("qid", "row 1")),
    "ids that cannot be hashed": (np.eye(2), [[1], [2]], ("qid", "hash")),
}


@every_method
@pytest.mark.parametrize("case", BAD)
def test_bad_input(method: str, case: str) -> None:
    X, qid, words = BAD[case]
    for call in (QueryScaler(method).fit_transform, QueryScaler(method).fit(np.eye(X.shape[1])).transform):
        with pytest.raises(ValueError, match=words[0]) as caught:
            call(X, qid=qid)
        assert_readable(str(caught.value).splitlines()[0], *words)


@pytest.mark.parametrize("method", ["max", None, 1, ["minmax"]])
def test_a_method_that_is_none(method: Any) -> None:
    for call in (QueryScaler(method).fit, QueryScaler(method).fit_transform):
        with pytest.raises(ValueError, match="method") as caught:
            call(np.eye(2))
        assert_readable(str(caught.value), "minmax", "standard")
