"""Compiled and interpreted code give the same model, bit for bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ranktron.compile import policy
from ranktron.kernels import Gaussian
from tests.family import VARIANT_IDS, VARIANTS, make, state, stream, weights_of

pytestmark = pytest.mark.compiled

STORAGE = {
    "float64": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "csr": lambda X: sp.csr_array(X * (np.abs(X) > 0.5)),
    "csr, long indices": lambda X: _with_long_indices(sp.csr_array(X * (np.abs(X) > 0.5), dtype=np.float32)),
}


# Variants whose scorer, rule, kernel and scaling are compiled for others: the gate leaves them out.
REPEATING: list[tuple[str, dict[str, Any]]] = [
    ("MulticlassPerceptron", {"scale": "standard"}),
    ("MulticlassPerceptron", {"policy": "random"}),
    ("NoPRank", {"scale": "settled"}),
    ("OAP", {"scale": "standard"}),
    ("OAP", {"combine": "bagging"}),
    ("WidrowHoff", {"budget": 12}),
]


def _compiled_alike(name: str, parameters: dict[str, Any]) -> tuple[str, ...]:
    """Variants for which this is the same are mostly loops of the same types, which are compiled once for each storage."""
    return name, *(word for word in ("kernel", "budget", "scale", "forget", "order") if word in parameters)


def _when(name: str, parameters: dict[str, Any], storage: str) -> Any:
    """The gate takes storages in turns: row arithmetic belongs to no scorer or rule, and each storage has that of its own."""
    if any(name == other and parameters.items() >= own.items() for other, own in REPEATING):
        return pytest.mark.full
    turn = [*STORAGE][GROUPS.index(_compiled_alike(name, parameters)) % len(STORAGE)]
    return () if storage == turn else pytest.mark.full


GROUPS = list(dict.fromkeys(_compiled_alike(*variant) for variant in VARIANTS))
CASES = [
    pytest.param(name, parameters, storage, id=f"{variant}-{storage}", marks=_when(name, parameters, storage))
    for (name, parameters), variant in zip(VARIANTS, VARIANT_IDS)
    for storage in STORAGE
]


def _with_long_indices(X: Any) -> Any:
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda rows: monkeypatch.setattr(policy, "PATIENCE", rows)


@pytest.mark.parametrize(("name", "parameters", "storage"), CASES)
def test_compiled_code_learns_and_answers_as_interpreted_code_does(
    name: str, parameters: dict, storage: str, patience: Any, everything: bool
) -> None:
    X, y = stream(150 if everything else 60, 13, seed=5)
    rows = STORAGE[storage](X)
    for average in (True, False):
        models, answers = [], []
        for rows_before_compiling in (math.inf, 0):
            patience(rows_before_compiling)
            model = make(name, average=average, classes=range(1, 6), **parameters)
            told = model.predict_then_learn(rows, y)
            models.append(model)
            answers.append((told.tolist(), model.predict(rows).tolist(), model.decision_function(rows).tobytes()))
        assert state(models[0]) == state(models[1])
        assert answers[0] == answers[1]


# A row's scorer and rule may be any: what differs is how one row is passed, by itself, scaled, or seen by a kernel.
EACH = [pytest.param("PRank", {}), pytest.param("Rater", {}), pytest.param("PRank", {"kernel": Gaussian(0.1), "budget": 12})]
OTHERS = [pytest.param(*variant, marks=pytest.mark.full) for variant in VARIANTS]


@pytest.mark.parametrize(("name", "parameters"), EACH + OTHERS, ids=["single", "scaled", "kernel", *VARIANT_IDS])
def test_learn_one_compiled_is_partial_fit_interpreted(name: str, parameters: dict, patience: Any) -> None:
    X, y = stream(80, 5, seed=6)
    patience(math.inf)
    batch = make(name, classes=range(1, 6), **parameters).partial_fit(X, y)
    patience(0)
    arrays, mappings = (make(name, classes=range(1, 6), **parameters) for _ in range(2))
    for row, label in zip(X, y):
        told = arrays.predict_one(row), mappings.predict_one(dict(zip("abcde", row)))
        assert told[0] == told[1]
        arrays.learn_one(row, label)
        mappings.learn_one(dict(zip("abcde", row)), label)
    assert state(arrays) == state(batch)
    assert weights_of(arrays).tobytes() == weights_of(mappings).tobytes() == weights_of(batch).tobytes()


def test_a_stream_may_change_from_interpreted_to_compiled_unnoticed(patience: Any) -> None:
    X, y = stream(100, 7, seed=7)
    patience(math.inf)
    whole = make("PRank", classes=range(1, 6)).partial_fit(X, y)
    half = make("PRank", classes=range(1, 6)).partial_fit(X[:50], y[:50])
    patience(0)
    assert state(half.partial_fit(X[50:], y[50:])) == state(whole)


def test_a_refused_batch_is_forgotten_by_compiled_code_too(patience: Any) -> None:
    X, y = stream(100, 7, seed=8)
    patience(0)
    for rows in (X, sp.csr_array(X)):
        model = make("PRank", classes=range(1, 6)).partial_fit(rows, y)
        before = state(model)
        bad = X.copy()
        bad[99, 3] = np.inf
        with pytest.raises(ValueError, match="infinity in row 99, column 3"):
            model.partial_fit(bad if rows is X else sp.csr_array(bad), y)
        assert state(model) == before


@pytest.mark.full
def test_a_rater_that_outgrows_its_method_answers_one_example(patience: Any) -> None:
    """Loops for single examples are bound to the types of their arguments, and the scorer is of another type from here on."""
    examples = [{"x1": 1.0, "x2": i % 3, **{f"new {i} {j}": j - 2.0 for j in range(5)}} for i in range(40)]
    told = []
    for rows in (0, math.inf):
        patience(rows)
        model = make("Rater")
        for i, x in enumerate(examples):
            model.learn_one(x, i % 5)
            told.append((model.predict_one({"x1": 2.0, "x2": 1.0}), state(model)))
    assert model.n_features_in_ > 128
    assert told[:40] == told[40:]
