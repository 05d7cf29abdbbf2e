"""When a loop is compiled, and what is loaded for it."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron.compile import policy
from ranktron.compile.compiled_loop import Compiled
from tests.processes import run

LEARN = (
    "from ranktron.algorithms import PRank; import numpy as np; X = np.random.default_rng(0).random(({rows}, 2));"
    "model = PRank().partial_fit(X, (4 * X[:, 0]).astype(int))"
)
LOADER = "; import sys; print('numba' in sys.modules, 'llvmlite' in sys.modules)"


@pytest.mark.compiled
def test_what_is_compiled_is_used_from_the_first_row_on(tmp_path: Path) -> None:
    place = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(LEARN.format(rows=20) + LOADER, RANKTRON_PATIENCE="", **place) == "False False"
    assert run(LEARN.format(rows=20) + LOADER, RANKTRON_PATIENCE="0", **place) == "True True"
    assert run(LEARN.format(rows=20) + LOADER, RANKTRON_PATIENCE="", **place) == "False True"


class Clock:
    """Time that passes by a second for each row that is interpreted, and by 10 while a loop is compiled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost: float | None) -> None:
        self.now, self.rows, self.compiled = 0.0, [], 0
        monkeypatch.setattr(policy.time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(policy, "PATIENCE", None)
        monkeypatch.setattr(Compiled, "is_ready", lambda *args: self.compiled > 0)
        monkeypatch.setattr(Compiled, "cost", lambda *args: cost)
        monkeypatch.setattr(Compiled, "bind", self.bind)

        def loop(sums: np.ndarray, start: int, stop: int) -> int:
            self.rows += range(start, stop)
            self.now += stop - start
            return -1

        self.loop = policy.Loop(loop)

    def bind(self, args: Any, last: int, what: str) -> Any:
        """Compiled code takes no time."""
        self.now += 0.0 if self.compiled else 10.0
        self.compiled += 1
        return lambda start, stop: self.rows.extend(range(start, stop)) or -1


def test_a_long_batch_is_compiled_as_soon_as_it_is_known_to_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, cost=100.0)
    assert clock.loop(np.zeros(1), 0, 1000) == -1
    assert clock.rows == list(range(1000))
    assert (clock.compiled, clock.now) == (1, 16 + 10)


def test_a_batch_that_does_not_repay_compiling_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, cost=100.0)
    assert clock.loop(np.zeros(1), 0, 99) == -1
    assert (clock.rows, clock.compiled) == (list(range(99)), 0)


@pytest.mark.parametrize(("jobs", "size"), list(itertools.product((1, 7, 10, 11, 25, 200), (1, 3, 20))))
def test_no_job_takes_more_than_twice_the_better_way(jobs: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor by more than the batch that runs when the time is over."""
    clock = Clock(monkeypatch, cost=10.0)
    run_rows = clock.loop.bind((np.zeros(1),))
    for _ in range(jobs):
        assert run_rows(0, size) == -1
    assert len(clock.rows) == jobs * size
    assert clock.now <= 2 * min(10.0, jobs * size) + (size if size < 16 else 16)


def test_what_stops_a_loop_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, cost=math.inf)
    clock.loop._loop = lambda sums, start, stop: 20 if start <= 20 < stop else -1
    assert clock.loop(np.zeros(1), 0, 1000) == 20


@pytest.mark.parametrize(("patience", "compiled"), [(0.0, 1), (math.inf, 0)])
def test_the_patience_that_is_set_counts(patience: float, compiled: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, cost=10.0)
    monkeypatch.setattr(policy, "PATIENCE", patience)
    clock.loop(np.zeros(1), 0, 1000)
    assert (clock.compiled, len(clock.rows)) == (compiled, 1000)
