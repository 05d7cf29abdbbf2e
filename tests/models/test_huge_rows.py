"""Rows so large that products of them overflow: refused, or learned without leaving anything infinite behind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ranktron import PRank, Predtron
from ranktron.kernels import Polynomial
from ranktron.models import streaming
from ranktron.tasks import Multiclass

from ..family import PLAIN, VARIANTS, ids_of, make, state
from .contract import refused
from .test_streaming import block

POWERS = [-5, 0, 0, 1, 100, 140, 150, 153, 154, 160, 200, 300, 307, 308]
ROWS, STREAMS = 12, 4

MORE = [
    *((name, {**own, "average": False}) for name, own in VARIANTS if name not in ("OAP", "Voted")),
    *((name, {**own, "scale": "standard"}) for name, own in VARIANTS if "scale" not in own),
    ("NoPRank", {"scale": "settled", "average": False}),
    ("PRank", {"scale": "settled"}),
    ("SiPRank", {"kernel": Polynomial(3)}),
]
every_way = pytest.mark.parametrize(("name", "parameters"), [*VARIANTS, *MORE], ids=ids_of([*VARIANTS, *MORE]))
# Models and the seeds of streams after which they once held infinity.
LEFT_INFINITY = [("PRank", {}, 25), ("OrdinalLogit", {"order": 1}, 23), ("ROMMAPRank", {}, 6)]


def huge_stream(seed: int) -> list[tuple[np.ndarray, int]]:
    """Rows of any size, with labels that come one after another, in any order."""
    random = np.random.default_rng(seed)
    sizes = 10.0 ** random.choice(POWERS, ROWS)
    rows = [(random.uniform(-1.7, 1.7, 3) * size, int(random.integers(0, 6))) for size in sizes]
    return [(np.clip(x, -1.79e308, 1.79e308), y) for x, y in rows]


def learn_or_be_refused(model: Any, x: Any, y: int) -> None:
    """Check that a model that learns, or refuses, one example holds finite numbers only, and if it refuses, those before."""
    before, reason = state(model), None
    try:
        model.learn_one(x, y)
    except ValueError as error:
        reason = str(error)
    if reason is not None:
        assert "row 0 overflows" in reason or "radius" in reason
        assert state(model) == before
    learner = model._learner
    arrays = {} if learner is None else {**learner.arrays(), **learner.tallies}
    assert [name for name, array in arrays.items() if not np.isfinite(array).all()] == []


@every_way
def test_nothing_infinite_is_left_behind(name: str, parameters: dict[str, Any]) -> None:
    for seed in range(STREAMS):
        model, named = make(name, **parameters), make(name, **parameters)
        for x, y in huge_stream(seed):
            learn_or_be_refused(model, x, y)
            learn_or_be_refused(named, dict(zip("abc", x.tolist())), y)


@pytest.mark.parametrize("average", [True, False])
def test_a_predtron_is_left_finite_too(average: bool) -> None:
    for seed in range(STREAMS):
        model = Predtron(Multiclass(), average=average, fit_intercept=True)
        for x, y in huge_stream(seed):
            learn_or_be_refused(model, x, y)


@pytest.mark.parametrize(("name", "parameters", "seed"), LEFT_INFINITY)
def test_streams_that_left_infinity_behind(name: str, parameters: dict[str, Any], seed: int) -> None:
    model = make(name, **parameters)
    for x, y in huge_stream(seed):
        learn_or_be_refused(model, x, y)


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["top", "bottom"])
@pytest.mark.parametrize("average", [True, False])
def test_a_label_that_a_huge_row_brings_is_not_there_afterwards(average: bool, sign: float) -> None:
    """Its threshold is where the row projects to: at ±1.6e308, which is finite, and twice as much is not."""
    model = PRank(average=average)
    for x, y in [([1.0], 1), ([2.0], 2), ([-1.0], 1), ([1.0], 2)]:
        model.learn_one(np.array(x), y)
    assert model.coef_[0] > 0.0
    huge = np.array([sign * 1.6e308 / max(model.coef_[0], 1.0)])
    with refused(model, "row 0 overflows"):
        model.learn_one(huge, 9 if sign > 0.0 else 0)
    model.learn_one(np.array([3.0]), 9)
    assert np.isfinite(model.thresholds_).all()


def test_a_block_of_a_stream_is_refused_too() -> None:
    """Where its threshold is a sum that does not overflow yet, but would after more rows."""
    model = PLAIN.PRank()
    streaming.feed(model, block(np.array([[1.0], [2.0], [-1.0], [1.0]]), np.array([1, 2, 1, 2])))
    with refused(model, "overflows"):
        streaming.feed(model, block(np.array([[1.0], [1.6e307 / model.coef_[0]]]), np.array([1, 9])))


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_a_batch_whose_sums_overflow_is_refused_whole(storage: Any) -> None:
    """Every row has a column of its own, so that it is scored as 0: the mean over time overflows, and no row by itself."""
    model = PRank(classes=[1, 2]).partial_fit(np.ones((3, 12)), [1, 2, 1])
    X, y = storage(1e308 * np.eye(12)), [1, 2] * 6
    with refused(model, "overflows"):
        model.partial_fit(X, y)
