"""Whatever line an interruption hits while lists are learned, the model is as before and goes on as if nothing had been."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from .family import every_variant, make, state, state_later, stream

FOLDERS = ("core", "scorers", "algorithms")


def traced(model: Any, lists: tuple[Any, ...], stop: float) -> int:
    """How many lines of the pass it takes to learn the lists; it is interrupted before line ``stop``."""
    passed, before = [0], sys.gettrace()

    def trace(frame: Any, event: str, _: Any) -> Any:
        path = Path(frame.f_code.co_filename)
        if path.parent.name not in FOLDERS and path.name != "steps.py":
            return None
        if event == "line":
            passed[0] += 1
            if passed[0] > stop:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        model.partial_fit(*lists)
    finally:
        sys.settrace(before)
    return passed[0]


@every_variant
@pytest.mark.parametrize("container", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_an_interruption_changes_nothing(name: str, parameters: dict[str, Any], container: Callable[[np.ndarray], Any]) -> None:
    X, y, qid = stream(3, seed=4)
    model = make(name, **parameters).fit(*stream(6, seed=5))
    before, later, rows = state(model), state_later(model), container(X)
    lines = traced(copy.deepcopy(model), (rows, y, qid), np.inf)
    assert lines > 100
    for stop in np.linspace(0, lines - 1, 15).astype(int):
        twin = copy.deepcopy(model)
        with pytest.raises(KeyboardInterrupt):
            traced(twin, (rows, y, qid), stop)
        assert state(twin) == before
        assert state_later(twin) == later
