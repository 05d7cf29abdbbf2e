"""Compiled and interpreted code learn the same from lists, bit for bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ranktron.compile import policy
from ranktron.kernels import Polynomial

from ..contract import as_mappings
from .family import NAMES, PAPERS, VARIANTS, each, ids_of, learned, make, state, stream

pytestmark = pytest.mark.compiled

STORAGE: dict[str, Callable[[np.ndarray], Any]] = {
    "float64": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "csr": lambda X: sp.csr_array(X * (np.abs(X) > 0.5)),
    "csr, long indices": lambda X: _with_long_indices(sp.csr_array(X * (np.abs(X) > 0.5), dtype=np.float32)),
    "csr, stored twice": lambda X: _stored_twice(sp.csr_array(X * (np.abs(X) > 0.5))),
}
SCALES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "small": lambda y: y,
    "flags": lambda y: y > 1,
    "fractions": lambda y: y / 3,
    "large": lambda y: np.array([0, 1, 31, 40, 900])[y],
}


# Every scorer, rule and measure once, and every storage: row arithmetic belongs to none of them.
OFTEN = {
    "SLAM": "float64",
    "SLAM-ap-0.5": "csr, stored twice",
    "SLAM-ap-0.3-AdaGrad(rate=0.5)": "csr, long indices",
    "SLAM-Gaussian(gamma=0.1)-12-forgetron-0.5": "float32",
    "ListNet": "csr",
    "MinimaxRank": "float64",
    "Ranker": "float64",
}
CASES = [
    pytest.param(*variant, storage, id=f"{name}-{storage}", marks=() if OFTEN.get(name) == storage else pytest.mark.full)
    for variant, name in zip(VARIANTS, ids_of(VARIANTS))
    for storage in STORAGE
]
VARIANTS_OF_ONE_TYPE = [
    pytest.param(*variant, id=name, marks=() if OFTEN.get(name) == "float64" else pytest.mark.full)
    for variant, name in zip(VARIANTS, ids_of(VARIANTS))
]
every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS_OF_ONE_TYPE)
# Lists that are hard to order are hard for all rules alike.
every_name = pytest.mark.parametrize(
    "name", [name if name == "SLAM" else pytest.param(name, marks=pytest.mark.full) for name in NAMES]
)
every_paper = pytest.mark.parametrize(
    "name", [name if name == "SLAM" else pytest.param(name, marks=pytest.mark.full) for name in PAPERS]
)


def _with_long_indices(X: Any) -> Any:
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def _stored_twice(X: Any) -> Any:
    """Every value in two parts, and columns from right to left."""
    parts = [(X.indices[a:b][::-1], X.data[a:b][::-1]) for a, b in itertools.pairwise(X.indptr)]
    indices, data = (np.concatenate([np.tile(part[place], 2) for part in parts]) for place in (0, 1))
    return sp.csr_array((data / 2, indices, 2 * X.indptr), shape=X.shape)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    return lambda rows: monkeypatch.setattr(policy, "PATIENCE", rows)


def assert_same(patience: Callable[[float], None], run: Callable[..., Any], *given: Any) -> None:
    """What a run gives interpreted is what it gives compiled."""
    patience(math.inf)
    interpreted = run(*given)
    patience(0)
    assert run(*given) == interpreted


@pytest.mark.parametrize(("name", "parameters", "storage"), CASES)
def test_compiled_code_learns_and_answers_as_interpreted_code_does(
    name: str, parameters: dict[str, Any], storage: str, patience: Callable[[float], None], everything: bool
) -> None:
    X, y, qid = stream(25, d=13, longest=30, seed=5)
    # Grades belong to no rule: the gate tries the other kinds with one ranker.
    scales = [*SCALES.values()] if everything or (name == "SLAM" and not parameters) else [SCALES["small"]]
    rows, mixed = STORAGE[storage](X), np.random.default_rng(0).permutation(len(qid))

    def run(average: bool, grades: np.ndarray, order: np.ndarray) -> Any:
        model = make(name, average=average, **parameters)
        told = model.predict_then_learn(rows[order], grades[order], qid[order])
        model.learn_list(rows[:6], grades[:6])
        return state(model), told.tobytes(), model.predict(rows).tobytes(), model.rank(rows, qid).tolist()

    for average in (True, False):
        for scale in scales:
            for order in (np.arange(len(qid)), mixed):
                assert_same(patience, run, average, scale(y), order)


@every_variant
def test_shuffled_epochs_and_one_list(name: str, parameters: dict[str, Any], patience: Callable[[float], None]) -> None:
    X, y, qid = stream(20, d=7, seed=6)

    def run(how: dict[str, Any], ids: Any) -> Any:
        return state(make(name, **parameters, **how).fit(X, y, ids))

    assert_same(patience, run, {"shuffle": True, "epochs": 3, "random_state": 1}, qid)
    assert_same(patience, run, {}, None)


@every_variant
def test_lists_compiled_one_by_one_are_lists_interpreted_at_once(
    name: str, parameters: dict[str, Any], patience: Callable[[float], None]
) -> None:
    X, y, qid = stream(20, d=5, longest=25, seed=6)
    patience(math.inf)
    batch = make(name, **parameters).partial_fit(X, y, qid)
    patience(0)
    single = make(name, **parameters)
    for rows, grades in each(X, y, qid):
        single.learn_list(rows, grades)
    assert learned(single) == learned(batch)


@every_name
def test_a_stream_may_change_from_interpreted_to_compiled_unnoticed(name: str, patience: Callable[[float], None]) -> None:
    X, y, qid = stream(30, d=7, seed=7)
    first = qid < 115
    patience(math.inf)
    whole = make(name).partial_fit(X, y, qid)
    half = make(name).partial_fit(X[first], y[first], qid[first])
    patience(0)
    assert state(half.partial_fit(X[~first], y[~first], qid[~first])) == state(whole)


@every_name
def test_mappings_and_pairs(name: str, patience: Callable[[float], None]) -> None:
    X, y, qid = stream(15, d=5)

    def run() -> Any:
        model = make(name)
        for rows, grades in each(X, y, qid):
            model.learn_list([{**x, f"n{len(rows)}": 1.0} for x in as_mappings(rows)], grades)
            model.learn_pair(as_mappings(rows)[0], {"new": 1.0})
        return state(model)

    assert_same(patience, run)


@pytest.mark.parametrize("measure", ["ndcg", "ndcg@40", "ndcg@10", "ap"])
@every_name
def test_long_lists_in_which_scores_tie(name: str, measure: str, patience: Callable[[float], None]) -> None:
    random = np.random.default_rng(3)
    X, y = random.integers(-1, 2, (1300, 3)).astype(float), random.integers(0, 3, 1300)
    qid = np.repeat([0, 1, 2, 3], [1000, 200, 70, 30])  # where orders are found in different ways
    own = {} if name == "MinimaxRank" else {"step": 0.5}

    def run() -> Any:
        model = make(name, measure=measure, epochs=2, **own).fit(X, y, qid)
        return state(model), model.rank(X, qid).tolist()

    assert_same(patience, run)


PATTERNS: dict[str, Callable[[Any, int], np.ndarray]] = {
    "rising": lambda random, count: np.arange(count) / 7,
    "falling": lambda random, count: -np.arange(count) / 7,
    "equal": lambda random, count: np.full(count, 0.3),
    "two": lambda random, count: random.integers(0, 2, count) / 3,
    "one far ahead": lambda random, count: np.where(np.arange(count) == count // 2, 1e9, random.standard_normal(count)),
    "the last ones best": lambda random, count: random.standard_normal(count) + 9.0 * (np.arange(count) > 0.9 * count),
    "rising and falling": lambda random, count: -np.abs(np.arange(count) - count / 2),
    "tiny and huge": lambda random, count: random.standard_normal(count) * 10.0 ** random.integers(-300, 100, count),
    "zeros of both signs": lambda random, count: random.choice([0.0, -0.0], count),
    "any": lambda random, count: random.standard_normal(count),
}


@pytest.mark.parametrize("measure", ["ndcg", "ndcg@1", "ndcg@10", "ndcg@33", "ndcg@300", "ap"])
@every_name
def test_orders_that_are_hard_to_find(name: str, measure: str, patience: Callable[[float], None]) -> None:
    random = np.random.default_rng(4)
    sizes = [1, 2, 9, 10, 11, 31, 32, 33, 34, 64, 100, 255, 256, 257, 600]
    parts = [make_row(random, count) for make_row in PATTERNS.values() for count in sizes]
    scores, qid = np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    y = random.integers(0, 5, len(scores)) * random.integers(0, 2, len(scores))

    def run(average: bool) -> Any:
        model = make(name, measure=measure, average=average)
        model.learn_pair([1.0, 0.0], [0.0, 0.0])  # so that scores are multiples of the first column
        return model.predict_then_learn(np.column_stack([scores, np.zeros(len(y))]), y, qid).tobytes(), state(model)

    for average in (True, False):
        assert_same(patience, run, average)


@every_name
def test_features_and_grades_at_the_edges(name: str, patience: Callable[[float], None]) -> None:
    X, y, qid = stream(6, d=5)
    grades = np.array([0, 1e-300, 0.1, 999.5, 1000])[y]

    def run(rows: Any) -> Any:
        return state(make(name).fit(rows, grades, qid))

    for size in (0.0, 5e-324, 1e-170, 1e-30, 1e100, 1e150):
        assert_same(patience, run, size * X)
        assert_same(patience, run, sp.csr_array(size * X))


@every_paper
@pytest.mark.parametrize(
    "own",
    [{}, *(pytest.param({"kernel": Polynomial(2), **more}, marks=pytest.mark.full) for more in ({}, {"budget": 5}))],
    ids=["linear", "kernel", "budget"],
)
def test_a_refused_batch_is_forgotten_by_compiled_code_too(
    name: str, own: dict[str, Any], patience: Callable[[float], None]
) -> None:
    X, y, qid = stream(12, d=7, seed=8)
    last = len(y) - 1
    bad = X.copy()
    bad[last, 3] = np.inf
    patience(0)
    for rows, spoiled in ((X, bad), (sp.csr_array(X), sp.csr_array(bad))):
        model = make(name, **own).partial_fit(rows, y, qid)
        before = state(model)
        with pytest.raises(ValueError, match=f"infinity in row {last}, column 3"):
            model.partial_fit(spoiled, y, qid)
        assert state(model) == before
        assert state(model.partial_fit(rows, y, qid)) == state(make(name, **own, epochs=2).fit(rows, y, qid))
