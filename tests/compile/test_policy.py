"""When a loop is compiled, and what is loaded for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron.compile import policy
from ranktron.core import loops
from tests.processes import run

LARGE = (
    "from ranktron.algorithms import PRank; import numpy as np; X = np.random.default_rng(0).random(({rows}, 2));"
    "model = PRank().partial_fit(X, (4 * X[:, 0]).astype(int))"
)
LOADER = "; import sys; print('numba' in sys.modules, 'llvmlite' in sys.modules)"


@pytest.mark.compiled
def test_a_large_job_is_compiled_once_and_then_loaded(tmp_path: Path) -> None:
    place = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(LARGE.format(rows=49_000) + LOADER, **place) == "False False"  # a job to look for compiled code, not to compile
    assert run(LARGE.format(rows=51_000) + LOADER, **place) == "True True"
    assert run(LARGE.format(rows=51_000) + LOADER, **place) == "False True"
    loaded = "; from ranktron.compile import compiled_loop; print(len(compiled_loop._object_cache()._loops))"
    assert [run(LARGE.format(rows=rows) + loaded, **place) for rows in (900, 1_100)] == ["0", "1"]


def test_a_loop_is_compiled_once_its_kind_of_work_repays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "PATIENCE", 100)
    loop = policy.Loop(loops.learn_rows.__wrapped__)  # type: ignore[attr-defined]
    args = (1, "two", 3.0, None)
    assert loop.compiled_if_worth(60, *args) is None
    assert loop.compiled_if_worth(60, "another", "kind", 3.0, None) is None
    assert loop.compiled_if_worth(60, *args) is not None
