"""What is passed to object code, what is left to numba, and what is told apart."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ranktron.compile import compiled_loop, machine_code, object_cache
from ranktron.compile.compiled_loop import Compiled
from ranktron.core.measures import NDCG
from ranktron.core.rows import CSR

compiled = pytest.mark.compiled


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> object_cache.ObjectCache:
    """Object code is kept in a folder that is empty at first."""
    empty = object_cache.ObjectCache(tmp_path, "0123")
    monkeypatch.setattr(compiled_loop, "_object_cache", lambda: empty)
    return empty


def mixture(rows: Any, measure: Any, table: Any, flag: Any, count: Any, share: Any, out: Any) -> Any:
    """Look at all there is, and at the order of it."""
    for i in range(rows.indptr.shape[0] - 1):
        for p in range(rows.indptr[i], rows.indptr[i + 1]):
            out[0] = out[0] * 1.25 + rows.values[p] * rows.indices[p]
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            out[1] = out[1] * 1.25 + table[i, j]
    out[2] = count * share if flag else count - share
    out[3] = measure.cutoff + measure.discounts[1]
    return count + rows.indices.shape[0]


RANDOM = np.random.default_rng(0)
TABLE = RANDOM.standard_normal((6, 4))
LAYOUTS = {
    "rows": TABLE,
    "columns": np.asfortranarray(TABLE),
    "steps": TABLE[::2, ::-1],
    "float32": TABLE.astype(np.float32),
    "bytes": (TABLE > 0).astype(np.uint8),
    "flags": TABLE > 0,
    "for reading": np.frombuffer(TABLE.tobytes()).reshape(6, 4),
    "nothing": TABLE[:0],
    "not aligned": np.frombuffer(b"." + TABLE.tobytes(), np.uint8)[1:].view(np.float64).reshape(6, 4),
}


@compiled
@pytest.mark.parametrize("layout", LAYOUTS)
def test_everything_that_is_passed_arrives(layout: str, cache: object_cache.ObjectCache) -> None:
    loop = Compiled("ranktron.mixture", lambda: mixture)
    rows = CSR(np.array([0, 2, 5], np.int32), np.array([3, 1, 4, 1, 5]), RANDOM.standard_normal(5).astype(np.float32))
    given = (
        (True, 7, 0.3),
        (np.False_, np.int64(-7), np.float64(1e300)),
        (np.True_, -(2**62), -0.0),
        (False, 2**53 + 1, math.inf),
    )
    results: list[Any] = []
    for run_once in (mixture, loop, loop):
        outs = [np.zeros(4) for _ in given]
        returned = [run_once(rows, NDCG(4, TABLE[0]), LAYOUTS[layout], *one, out) for one, out in zip(given, outs)]
        results.append(([int(one) for one in returned], [out.tobytes() for out in outs]))
    assert results[1] == results[0]
    assert results[2] == results[0]
    assert len(cache) == 1
    assert "dispatcher" not in vars(loop)


class Stranger(NamedTuple):
    """No class of the package, whose source its digest does not cover."""

    number: int


STRANGE = {
    "float32": np.float32(0.5),
    "uint64": np.uint64(3),
    "too large": 2**63,
    "too small": -(2**63) - 1,
    "list": [1.0],
    "text": "a",
    "nothing": None,
    "of another class": Stranger(3),
    "inside": CSR(np.zeros(1), np.zeros(1), [0.0]),  # type: ignore[arg-type]
    "matrix": np.zeros(4).view(np.recarray),
}


@pytest.mark.parametrize("strange", STRANGE)
def test_what_only_numba_can_pass_goes_to_numba(strange: str, cache: object_cache.ObjectCache, tmp_path: Path) -> None:
    loop = Compiled("ranktron.loop", lambda: None)  # type: ignore[arg-type, return-value]
    loop._entry_for = lambda args, what: lambda *args: ("numba", *args)  # type: ignore[method-assign]
    assert loop(1, STRANGE[strange]) == ("numba", 1, STRANGE[strange])
    assert not loop.is_ready((1, STRANGE[strange]))
    assert list(tmp_path.iterdir()) == []


def test_kinds_tell_apart_what_is_compiled_apart() -> None:
    others = [LAYOUTS[name] for name in LAYOUTS if name != "nothing"]
    arrays = [*others, TABLE[0], TABLE.astype(">f8"), TABLE.astype(np.int64), TABLE.astype(np.int32)]
    kinds = [machine_code.flatten((one,))[0] for one in (*arrays, True, 1, 1.0, (), (1,), (1, 1))]
    assert len(set(kinds)) == len(kinds)
    assert machine_code.flatten((np.True_, np.int64(1), np.float64(1)))[0] == machine_code.flatten((True, 1, 1.0))[0]


def fraction(out: Any) -> float:
    """Return what is no whole number."""
    return 0.5 * out[0]


def exponent(out: Any) -> None:
    """Call a function of numba's own."""
    out[0] = math.frexp(out[0])[1]


def divide(number: int, out: Any) -> None:
    """Raise, if the number is 0."""
    out[0] = 12 // number


@compiled
@pytest.mark.parametrize("body", [fraction, exponent], ids=["a result that is no count", "a function of numba's"])
def test_loops_that_need_numba_are_left_to_it(body: Any, cache: object_cache.ObjectCache, tmp_path: Path) -> None:
    loop, outs = Compiled("ranktron.loop", lambda: body), [np.array([6.0]) for _ in range(4)]
    assert [loop(out) for out in outs[:3]] == [body(outs[3])] * 3
    assert [out.tolist() for out in outs[:3]] == [outs[3].tolist()] * 3
    assert list(tmp_path.iterdir()) == []


@compiled
def test_an_exception_is_one_still(cache: object_cache.ObjectCache) -> None:
    loop, out = Compiled("ranktron.divide", lambda: divide), np.zeros(1)
    for number in (3, 4):
        loop(number, out)
        assert out[0] == 12 // number
    with pytest.raises(ArithmeticError):
        loop(0, out)
    loop(6, out)
    assert out[0] == 2
    assert "dispatcher" not in vars(loop)
