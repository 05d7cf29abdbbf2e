"""The best margin on given data: against the dual problem over all constraints at once, and by hand."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, nnls

from ranktron import bounds
from ranktron.data import separable, synthetic


def all_sides(X, ranks, k):
    """y_r (x, -e_r) for every row and every threshold."""
    return np.array(
        [np.append(x, -np.eye(k - 1)[r]) * (1.0 if rank > r + 1 else -1.0) for x, rank in zip(X, ranks) for r in range(k - 1)]
    )


def all_pairs(X, y, qid):
    pairs = itertools.product(range(len(y)), repeat=2)
    return np.array([X[i] - X[j] for i, j in pairs if qid[i] == qid[j] and y[i] > y[j]])


def distance_to_hull(Z):
    """The dual of the largest margin: how near to 0 a convex combination of the rows of Z comes."""
    heavy = 1e4 * np.abs(Z).max()
    weights, _ = nnls(np.vstack([Z.T, np.full(len(Z), heavy)]), np.append(np.zeros(Z.shape[1]), heavy), maxiter=10_000)
    return np.linalg.norm(weights @ Z) / weights.sum()


def widest_in_1_norm(Z, signed):
    d = Z.shape[1]
    split = np.hstack([Z, -Z]) if signed else Z
    below = np.hstack([-split, np.ones((len(Z), 1))])
    size = np.append(np.ones(split.shape[1]), 0.0)
    ends = [(0, None)] * split.shape[1] + [(None, None)]
    solved = linprog(-np.eye(len(ends))[-1], below, np.zeros(len(Z)), size[None], [1.0], ends)
    assert solved.status == 0
    assert d == Z.shape[1]
    return -solved.fun


@pytest.mark.parametrize(("k", "n", "d"), [(2, 8, 2), (3, 40, 3), (5, 60, 4), (6, 25, 2)])
@pytest.mark.parametrize("seed", range(2))
def test_the_best_rule_meets_its_dual(k, n, d, seed):
    X, y = separable.ordinal(n, d, k, margin=0.1, seed=seed)
    best = bounds.best_margin(X, y + 1, k)
    assert best.margin == pytest.approx(distance_to_hull(all_sides(X, y + 1, k)), rel=1e-5)
    assert best.margin == pytest.approx(bounds.margin(best.coef, best.thresholds, X, y + 1), rel=1e-9)
    assert np.linalg.norm(np.append(best.coef, best.thresholds)) == pytest.approx(1.0)


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("seed", range(2))
def test_the_best_rule_in_the_1_norm_is_that_of_one_programme(k, seed):
    X, y = separable.ordinal(50, 5, k, margin=0.2, seed=seed)
    best = bounds.best_margin(X, y + 1, k, order=1)
    assert best.margin == pytest.approx(widest_in_1_norm(all_sides(X, y + 1, k), True), rel=1e-6)
    assert best.margin == pytest.approx(bounds.margin(best.coef, best.thresholds, X, y + 1, order=1), rel=1e-9)
    upright = X * np.append(np.where(best.coef[:-1] < 0, -1.0, 1.0), 1.0)
    positive = bounds.best_margin(upright, y + 1, k, order=1, signed=False)
    assert positive.margin == pytest.approx(widest_in_1_norm(all_sides(upright, y + 1, k), False), rel=1e-6)
    assert min(positive.coef.min(), positive.thresholds.min()) >= 0


@pytest.mark.parametrize("k", [2, 3, 7])
def test_one_row_has_the_margin_that_is_found_by_hand(k):
    """Its label is the lowest, so all thresholds may be alike: the largest aR + b with a² + (k - 1) b² = 1."""
    row = np.array([[3.0, 4.0]])
    assert bounds.best_margin(row, [1], k).margin == pytest.approx(math.sqrt(25 + 1 / (k - 1)))


def test_ranks_that_never_come_leave_their_thresholds_in_order():
    X = np.array([[2.0], [-2.0]])
    best = bounds.best_margin(X, [6, 1], 6)
    assert (np.diff(best.thresholds) >= -1e-12).all()
    assert best.margin == pytest.approx(distance_to_hull(all_sides(X, [6, 1], 6)), rel=1e-6)


@given(st.integers(0, 10_000))
def test_no_other_rule_has_a_larger_margin(seed):
    random = np.random.default_rng(seed)
    X, y = separable.ordinal(30, 3, 3, margin=0.2, seed=seed % 50)
    w, b = random.standard_normal(3), np.sort(random.standard_normal(2))
    for order in (1, 2):
        best = bounds.best_margin(X, y + 1, 3, order=order)
        assert bounds.margin(w, b, X, y + 1, order=order) <= best.margin
        near = best.coef + 0.01 * w, np.sort(best.thresholds + 0.01 * b)
        assert bounds.margin(*near, X, y + 1, order=order) <= best.margin * (1 + 1e-7)


@pytest.mark.parametrize(("lists", "m"), [(6, 4), (30, 6), (150, 3)])
def test_the_best_direction_for_lists_meets_its_dual(lists, m):
    X, y, qid = synthetic.chaudhuri_tewari(lists, n_documents=m, n_features=4, n_grades=3, seed=lists)
    best = bounds.best_list_margin(X, y, qid)
    pairs = all_pairs(X, y, qid)
    assert best.margin == pytest.approx(distance_to_hull(pairs), rel=1e-5)
    assert best.margin == pytest.approx(bounds.list_margin(best.coef, X, y, qid), rel=1e-9)
    in_1_norm = bounds.best_list_margin(X, y, qid, order=1)
    assert in_1_norm.margin == pytest.approx(widest_in_1_norm(pairs, True), rel=1e-6)


def test_the_best_direction_is_the_adversarys_own():
    """Its lists are orthogonal, and all ask for as much."""
    X, y, qid, direction = bounds.bottom_lists(9, 3, 2.0)
    best = bounds.best_list_margin(X, y, qid)
    assert best.margin == pytest.approx(2 * 2.0 / 3)
    assert best.coef == pytest.approx(direction)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_best_matrix_for_classes_meets_its_dual(k):
    X, y = separable.classes(40, 6, k, margin=0.2, seed=k)
    best = bounds.best_class_margin(X, y, k)
    rows = [np.outer(np.eye(k)[label] - np.eye(k)[j], x).ravel() for x, label in zip(X, y) for j in range(k) if j != label]
    assert best.margin == pytest.approx(distance_to_hull(np.array(rows)), rel=1e-5)
    assert best.margin == pytest.approx(bounds.predtron_class_margin(best.coef, X, y), rel=1e-9)


def test_what_no_rule_is_right_on_is_said_so():
    X = [[1.0], [1.0], [2.0]]
    with pytest.raises(bounds.NotSeparable, match="no rule is right on all the data with a margin; best_inseparable finds"):
        bounds.best_margin(X, [1, 2, 2])
    with pytest.raises(bounds.NotSeparable, match="no rule without negative numbers is right"):
        bounds.best_margin([[1.0], [-1.0]], [1, 2], order=1, signed=False)
    with pytest.raises(bounds.NotSeparable, match=r"no direction is right on all the data .* Theorems 6, 8 and 10"):
        bounds.best_list_margin(X, [0, 1, 1])
    with pytest.raises(bounds.NotSeparable, match="no matrix is right"):
        bounds.best_class_margin(X, [0, 1, 1])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bounds.best_margin([[1.0], [2.0]], [1]), "ranks should hold a whole number from 1 on for each of 2 rows"),
        (lambda: bounds.best_margin([[1.0]], [0]), "ranks should hold a whole number from 1 on"),
        (lambda: bounds.best_margin([[1.0]], [3], 2), "rank 3 in row 0 is above n_ranks=2"),
        (lambda: bounds.best_margin([[math.nan]], [1]), "X should hold rows of finite numbers"),
        (lambda: bounds.best_margin([[1.0], [2.0]], [1, 2], order=3), "order=3 should be 2 for the Euclidean norm or 1"),
        (lambda: bounds.best_list_margin([[1.0], [2.0]], [1, 1]), "no list has documents of different grades"),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_sparse_rows_will_do():
    from scipy.sparse import csr_array

    X, y = separable.ordinal(20, 3, 3, margin=0.2, seed=0)
    assert bounds.best_margin(csr_array(X), y + 1).margin == bounds.best_margin(X, y + 1).margin


def test_the_bounds_need_no_scipy_before_they_solve_anything():
    check = "import sys, ranktron.bounds; sys.exit(any(name in sys.modules for name in ('scipy', 'numba', 'sklearn')))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
