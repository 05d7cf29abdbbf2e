"""Compiled and interpreted code learn and answer the same, bit for bit: every task and link once, dense or sparse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ranktron.compile import policy

from .family import CASES, Case, Stream, answers, every, learn, learn_singly, state

pytestmark = pytest.mark.compiled

DENSE = ["binary-reject", "classes", "costs-driven", "finite", "hamming-l1", "labels-precision", "lists-driven"]
SPARSE = ["binary-weights", "classes-reject", "ordinal-l1", "subset", "error-set", "finite-budget"]
# These never compile, and have to be spared it: a decomposition, an assignment problem, a user's own code.
INTERPRETED = ["classes-trace", "labels-ndcg", "lists-ndcg", "own"]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    return lambda rows: monkeypatch.setattr(policy, "PATIENCE", rows)


def assert_same(patience: Callable[[float], None], run: Callable[[], Any]) -> None:
    """What a run gives interpreted is what it gives compiled."""
    patience(math.inf)
    interpreted = run()
    patience(0)
    assert run() == interpreted


def learned(case: Case, stream: Stream) -> Any:
    """All that there is to see of a model that learns a batch, then one by one, then a batch again."""
    model = learn(case.make(), stream.part(0, 25))
    if not sp.issparse(stream.X):
        learn_singly(model, stream.part(25, 30))
    told = model.predict_then_learn(*stream.part(30, 60).given())
    return state(model), str(np.asarray(told, object).tolist()), answers(model, stream.X)


@every(DENSE)
def test_dense_rows(case: Case, patience: Callable[[float], None]) -> None:
    stream = case.stream(60, seed=3)
    assert_same(patience, lambda: learned(case, stream))


@every(SPARSE)
def test_sparse_rows(case: Case, patience: Callable[[float], None]) -> None:
    stream = case.stream(60, seed=3)
    sparse = stream.of(sp.csr_array(stream.X * (np.abs(stream.X) > 0.5)))
    assert_same(patience, lambda: learned(case, sparse))


@every(INTERPRETED)
def test_what_cannot_be_compiled_is_not(case: Case, patience: Callable[[float], None]) -> None:
    stream = case.stream(60, seed=3)
    assert_same(patience, lambda: learned(case, stream))


def test_a_stream_may_change_from_interpreted_to_compiled_unnoticed(patience: Callable[[float], None]) -> None:
    case = CASES["hamming-l1"]
    stream = case.stream(60, seed=3)
    patience(math.inf)
    whole = learn(case.make(), stream)
    half = learn(case.make(), stream.part(0, 30))
    patience(0)
    assert state(learn(half, stream.part(30, 60))) == state(whole)
