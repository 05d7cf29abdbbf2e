"""Functions that only compiled loops call: they are linked into the loop, and only the loop is made executable."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from ranktron.compile.compiled_loop import Compiled
from ranktron.compile.generic import inline
from ranktron.compile.inner import inner

pytestmark = pytest.mark.compiled


@inline
def doubled(x: float) -> float:
    return 2.0 * x


@inner
def halved_steps(x: float) -> int:
    steps = 0
    while doubled(x) > 1.0:
        x, steps = x / 2.0, steps + 1
    return steps


@inline
def both(x: float) -> float:
    return doubled(x) + halved_steps(x)


def fill(numbers: np.ndarray, out: np.ndarray) -> None:
    for i in range(numbers.shape[0]):
        out[i] = both(numbers[i]) + doubled(numbers[i])


@pytest.fixture
def executables(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions of this file that numba makes executable."""
    made, real = [], JITCodeLibrary._finalize_specific
    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", lambda library: made.append(library.name) or real(library))
    return made


def run(numbers: np.ndarray) -> np.ndarray:
    out = np.zeros_like(numbers)
    Compiled("tests.fill", lambda: fill)(numbers, out)
    return out


def test_only_the_loop_is_made_executable(executables: list[str]) -> None:
    numbers = np.array([0.1, 0.7, 3.0, 1e6])
    expected: Any = np.zeros_like(numbers)
    fill(numbers, expected)
    assert run(numbers).tolist() == expected.tolist()
    names = collections.Counter(
        name for name in executables for part in ("doubled", "halved_steps", "both", "fill") if part in name
    )
    assert list(names.values()) == [1]
    assert "fill" in next(iter(names))


def test_a_function_serves_several_loops() -> None:
    numbers = np.linspace(0.0, 9.0, 7)
    assert run(numbers).tolist() == run(numbers.copy()).tolist() == [4.0 * x + halved_steps(x) for x in numbers.tolist()]
