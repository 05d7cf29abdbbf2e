"""Kernel rankers: the same as on the features that the kernel stands for, held by documents, never more than the budget."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel

import ranktron
from ranktron.kernels import Gaussian, Linear, Polynomial

from .family import both_averages, each, every_paper, learned, make, state, stream

POLICIES = ("oldest", "random", "forgetron")
every_policy = pytest.mark.parametrize("policy", POLICIES)


def exact(n_lists: int = 15, d: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y, qid = stream(n_lists, d=d, seed=2)
    return np.round(1.5 * X) + 0.0, y, qid


def squares(X: np.ndarray) -> np.ndarray:
    """Features whose inner product is (x·z + 1)²."""
    ones = np.column_stack([np.ones(len(X)), X])
    return np.einsum("ij,ik->ijk", ones, ones).reshape(len(X), -1)


@both_averages
@pytest.mark.parametrize("name", ["MinimaxRank", "SLAM"])
def test_a_kernel_is_its_features_exactly(name: str, average: bool) -> None:
    X, y, qid = exact()
    own = {"average": average, "measure": "ndcg@1", **({"step": 1.0} if name == "SLAM" else {})}
    for kernel, features in ((Linear(), X), (Polynomial(2), squares(X))):
        ours, theirs = make(name, kernel=kernel, **own), make(name, **own)
        assert ours.predict_then_learn(X, y, qid).tolist() == theirs.predict_then_learn(features, y, qid).tolist()
        assert ours.predict(X).tolist() == theirs.predict(features).tolist()
        assert (ours.n_updates_, ours.cumulative_loss_) == (theirs.n_updates_, theirs.cumulative_loss_)


@both_averages
@every_paper
def test_a_kernel_is_its_features_to_rounding(name: str, average: bool) -> None:
    X, y, qid = stream(20, d=3)
    own = {"average": average, **({"step": 0.1} if name != "MinimaxRank" else {})}
    ours = make(name, kernel=Polynomial(2), **own).fit(X / 3, y, qid)
    theirs = make(name, **own).fit(squares(X / 3), y, qid)
    np.testing.assert_allclose(ours.predict(X / 3), theirs.predict(squares(X / 3)), rtol=1e-9, atol=1e-10)


@both_averages
@every_paper
def test_the_score_is_the_expansion(name: str, average: bool) -> None:
    X, y, qid = stream(12)
    model = make(name, kernel=Gaussian(0.3), average=average).fit(X, y, qid)
    assert model.support_.shape == (len(model.dual_coef_), 4)
    expected = rbf_kernel(X, model.support_, gamma=0.3) @ model.dual_coef_
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-9, atol=1e-12)


def test_the_support_is_what_was_moved_along_in_the_order_of_the_list() -> None:
    model = ranktron.MinimaxRank(kernel=Linear(), average=False)
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [5.0, -1.0]])
    model.learn_list(rows, [0, 2, 1, 0])  # all scores tie: the first pair is 1 above 0
    assert model.support_.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert model.dual_coef_.tolist() == [-1.0, 1.0]
    model.learn_list(rows, [0, 2, 1, 0])  # in order but for 2 and 3, whose scores are 0 and -6, and 0 whose is -1
    assert model.support_.tolist() == [[1.0, 0.0], [0.0, 1.0]]


@both_averages
@every_policy
@every_paper
@pytest.mark.parametrize("budget", [1, 2, 7])
def test_the_support_never_exceeds_the_budget(name: str, policy: str, average: bool, budget: int) -> None:
    X, y, qid = stream(20, longest=12)
    model = make(name, kernel=Gaussian(0.3), budget=budget, policy=policy, average=average)
    for rows, grades in each(X, y, qid):
        model.learn_list(rows, grades)
        assert len(model.support_) == len(model.dual_coef_) <= budget
        assert np.isfinite(model.predict(X)).all()
    assert len(model.support_) == budget
    rows = {tuple(row) for row in X.tolist()}
    assert all(tuple(row) in rows for row in model.support_.tolist())


@every_paper
def test_the_oldest_go_first_within_a_list_too(name: str) -> None:
    X, _, _ = stream(12)
    free = make(name, kernel=Linear(), average=False)
    free.learn_list(X[:8], [0, 1, 2, 3, 3, 2, 1, 0])
    joined = len(free.support_)
    assert joined >= 2
    for budget in range(1, joined):
        bound = make(name, kernel=Linear(), average=False, budget=budget)
        bound.learn_list(X[:8], [0, 1, 2, 3, 3, 2, 1, 0])
        assert bound.support_.tolist() == free.support_[-budget:].tolist()
        assert bound.dual_coef_.tolist() == free.dual_coef_[-budget:].tolist()


@every_policy
@both_averages
@every_paper
def test_callables_and_sparse_rows_change_nothing(name: str, policy: str, average: bool) -> None:
    random = np.random.default_rng(4)
    X, y, qid = random.integers(-2, 3, (40, 3)) / 4, random.integers(0, 3, 40), random.integers(0, 9, 40)
    runs = []
    for kernel, rows in ((Polynomial(2), X), (lambda A, B: (A @ B.T + 1) ** 2, X), (Polynomial(2), sp.csr_array(X))):
        model = make(name, kernel=kernel, budget=6, policy=policy, average=average).fit(rows, y, qid)
        runs.append((learned(model), model.predict(rows).tobytes()))
    assert runs[0] == runs[1] == runs[2]


@every_paper
def test_random_evictions_follow_the_random_state(name: str) -> None:
    X, y, qid = stream(20)
    states = [
        state(make(name, kernel=Gaussian(0.3), budget=4, policy="random", random_state=seed).fit(X, y, qid)) for seed in (1, 1, 2)
    ]
    assert states[0] == states[1] != states[2]


@every_policy
@every_paper
def test_a_refused_list_is_forgotten_after_evictions_too(name: str, policy: str) -> None:
    X, y, qid = stream(20)
    model = make(name, kernel=Gaussian(0.3), budget=4, policy=policy).fit(X, y, qid)
    before = state(model)
    bad = X.copy()
    bad[-1, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(bad, y, qid)
    assert state(model) == before


@every_paper
def test_kernels_see_what_no_direction_does(name: str) -> None:
    random = np.random.default_rng(0)
    X = random.uniform(-2, 2, (600, 2))
    y, qid = (np.abs(X[:, 0]) < 0.7).astype(int), np.repeat(np.arange(100), 6)
    linear = make(name, epochs=3).fit(X, y, qid)
    curved = make(name, kernel=Gaussian(1.0), budget=150, epochs=3).fit(X, y, qid)
    assert curved.score(X, y, qid) > linear.score(X, y, qid) + 0.1


@pytest.mark.parametrize("answer", [None, "much", [[1.0, 2.0, 3.0]], [[1j]], [["a"]]])
def test_a_kernel_function_that_gives_no_numbers_changes_nothing(answer: Any) -> None:
    good = [True]
    model = ranktron.SLAM(kernel=lambda A, B: A @ B.T if good else answer)
    model.learn_list([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    before = state(model)
    good.clear()
    with pytest.raises((ValueError, TypeError), match="kernel"):
        model.learn_list([[0.0, 2.0], [2.0, 3.0]], [0, 1])
    assert state(model) == before
