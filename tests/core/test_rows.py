"""The arithmetic on one row, against plain references; its order of summation is part of what the library promises."""

from __future__ import annotations

import math
from functools import reduce
from operator import add as plus

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from ranktron.compile.generic import load_numba
from ranktron.core.rows import CSR, add, add_both, dot, dot_both, dot_mean, lane_sum, largest, squared_norm
from tests.covering import examples

finite = st.floats(-1e6, 1e6, allow_subnormal=False)
sizes = [0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 31, 40]


def dense_sum(terms):
    """Eight lanes take every eighth term, as far as whole fours go; lane l and l + 4, then 0 + 1 and 2 + 3, then the rest."""
    whole = len(terms) - len(terms) % 4
    lane = [reduce(plus, terms[start:whole:8], 0.0) for start in range(8)]
    pairs = [lane[0] + lane[4], lane[1] + lane[5], lane[2] + lane[6], lane[3] + lane[7]]
    return reduce(plus, terms[whole:], (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]))


def sparse_sum(terms):
    """The same with four lanes."""
    whole = len(terms) - len(terms) % 4
    lane = [reduce(plus, terms[start:whole:4], 0.0) for start in range(4)]
    return reduce(plus, terms[whole:], (lane[0] + lane[1]) + (lane[2] + lane[3]))


def matrices(d, seed=0, dtype=np.float64):
    """Three dense rows of d numbers, and the same rows as CSR with every column stored."""
    random = np.random.default_rng(seed)
    X = (random.standard_normal((3, d)) * 10.0 ** random.integers(-6, 7, (3, d))).astype(dtype)
    indptr = np.arange(0, 3 * d + 1, d) if d else np.zeros(4, np.int64)
    return X, CSR(indptr, np.tile(np.arange(d), 3), X.ravel())


def vectors(d, count, seed=1):
    return np.random.default_rng(seed).standard_normal((count, d))


@settings(max_examples=examples(200))
@given(terms=st.lists(finite, max_size=40))
def test_a_sum_runs_in_eight_lanes_or_four(terms):
    assert lane_sum(np.array(terms)) == dense_sum(terms)
    assert lane_sum(np.array(terms), 4) == sparse_sum(terms)


def test_the_order_of_the_sum_shows():
    # 2^54 + 1 is 2^54, so a term of 1 is lost where it meets 2^54.
    assert lane_sum(np.array([2.0**54, 1.0, -(2.0**54), 1.0])) == 0.0  # (2^54 + 1) + (-2^54 + 1)
    assert lane_sum(np.array([2.0**54, 0, 0, 0, -(2.0**54), 1.0, 0, 0])) == 1.0  # lanes 0 and 4 first
    assert lane_sum(np.array([2.0**54, 0, 0, 0, 1.0, 0, 0, 0, -(2.0**54), 0, 0, 0])) == 1.0  # the ninth joins the first


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("d", sizes)
def test_inner_products_are_sums_of_products_in_that_order(d, dtype):
    w, lag = vectors(d, 2)
    for rows, total in zip(matrices(d, dtype=dtype), (dense_sum, sparse_sum)):
        row = matrices(d, dtype=dtype)[0][1].astype(float).tolist()
        assert dot(rows, 1, w) == total([x * v for x, v in zip(row, w.tolist())])
        late = [x * (7 * v - u) for x, v, u in zip(row, w.tolist(), lag.tolist())]
        assert dot_mean(rows, 1, w, lag, 7) == total(late)
        assert dot_both(rows, 1, w, lag, 7) == (dot(rows, 1, w), dot_mean(rows, 1, w, lag, 7))
        assert squared_norm(rows, 1) == total([x * x for x in row])


@pytest.mark.parametrize("d", [size for size in sizes if size < 12])
def test_up_to_eleven_stored_columns_eight_lanes_and_four_are_the_same(d):
    X, stored = matrices(d)
    w, lag = vectors(d, 2)
    for i in range(3):
        assert dot(stored, i, w) == dot(X, i, w)
        assert dot_mean(stored, i, w, lag, 5) == dot_mean(X, i, w, lag, 5)
        assert squared_norm(stored, i) == squared_norm(X, i)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("d", sizes)
def test_rows_are_added_in_double_precision(d, dtype):
    X, stored = matrices(d, dtype=dtype)
    w, lag = vectors(d, 2)
    for i in range(3):
        assert largest(stored, i) == largest(X, i) == np.abs(X[i]).max(initial=0)
        for rows in (X, stored):
            moved, both, late = w.copy(), w.copy(), lag.copy()
            add(rows, i, 0.3, moved)
            add_both(rows, i, 0.3, both, -2.5, late)
            assert moved.tolist() == both.tolist() == (w + 0.3 * X[i].astype(float)).tolist()
            assert late.tolist() == (lag - 2.5 * X[i].astype(float)).tolist()


def test_rows_do_not_see_room_for_more_features():
    X, _ = matrices(5)
    w, lag = vectors(9, 2)
    before = w.copy()
    assert dot(X, 0, w) == dot(X, 0, w[:5].copy())
    assert dot_mean(X, 0, w, lag, 3) == dot_mean(X, 0, w[:5].copy(), lag[:5].copy(), 3)
    add(X, 0, 1.0, w)
    assert (w[5:] == before[5:]).all()


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_touch_only_what_they_store(index):
    dense = np.random.default_rng(2).integers(-3, 4, (6, 11)) * 1.0
    matrix = sparse.csr_array(dense)
    X = CSR(matrix.indptr.astype(index), matrix.indices.astype(index), matrix.data)
    w = np.arange(11.0)
    for i in range(6):  # small integers: every order of summation is exact
        assert dot(X, i, w) == dense[i] @ w
        assert squared_norm(X, i) == dense[i] @ dense[i]
        assert largest(X, i) == np.abs(dense[i]).max()
        moved, late = w.copy(), w.copy()
        add_both(X, i, 2.0, moved, 3.0, late)
        assert (moved == w + 2 * dense[i]).all()
        assert (late == w + 3 * dense[i]).all()


def test_entries_of_the_same_column_add_up():
    X = CSR(np.array([0, 3]), np.array([1, 1, 0]), np.array([2.0, 5.0, 1.0]))
    w = np.array([10.0, 1.0])
    assert dot(X, 0, w) == 10 + 7
    assert dot_mean(X, 0, w, np.array([1.0, 1.0]), 2) == 19 + 7
    moved, late = w.copy(), w.copy()
    add(X, 0, 2.0, moved)
    assert moved.tolist() == [12.0, 15.0]
    add_both(X, 0, 2.0, w, 1.0, late)
    assert (w.tolist(), late.tolist()) == ([12.0, 15.0], [11.0, 8.0])


def test_empty_rows_are_zero():
    X = CSR(np.array([0, 0]), np.empty(0, np.int32), np.empty(0))
    w = np.ones(3)
    add(X, 0, 2.0, w)
    assert (dot(X, 0, w), dot_mean(X, 0, w, w, 2), squared_norm(X, 0), largest(X, 0)) == (0, 0, 0, 0)
    assert w.tolist() == [1, 1, 1]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("place", range(3))
def test_the_largest_value_of_a_row_with_nan_is_nan(place, dtype):
    row = np.array([1.0, -2.0, np.inf], dtype)
    row[place] = np.nan
    for rows in (row[None], CSR(np.array([0, 3]), np.arange(3), row)):
        assert math.isnan(largest(rows, 0))


def everything(X, i, w, lag, moved, late):
    """All verbs on one row, to be run and to be compiled."""
    add(X, i, 0.7, moved)
    add_both(X, i, 0.3, moved, -2.5, late)
    return dot(X, i, w), dot_mean(X, i, w, lag, 5), squared_norm(X, i), largest(X, i), dot_both(X, i, w, lag, 5)


@pytest.mark.compiled
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("storage", [0, 1], ids=["dense", "sparse"])
def test_compiled_arithmetic_is_the_same_bit_for_bit(storage, dtype):
    load_numba()
    compiled = numba.njit(everything)
    for d in sizes:
        rows = matrices(d, dtype=dtype)[storage]
        w, lag = vectors(d, 2)
        results = []
        for run in (everything, compiled):
            moved, late = w.copy(), lag.copy()
            results.append((run(rows, 1, w, lag, moved, late), moved.tolist(), late.tolist()))
        assert results[0] == results[1]


@pytest.mark.compiled
@pytest.mark.parametrize("storage", [0, 1], ids=["dense", "sparse"])
def test_compiled_arithmetic_finds_nan_too(storage):
    load_numba()
    compiled = numba.njit(everything)
    for place in range(3):
        row = np.array([1.0, -2.0, np.inf])
        row[place] = np.nan
        rows = (row[None], CSR(np.array([0, 3]), np.arange(3), row))[storage]
        assert math.isnan(compiled(rows, 0, *np.ones((4, 3)))[3])
