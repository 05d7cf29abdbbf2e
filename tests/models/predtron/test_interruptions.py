"""Whatever line an interruption hits while a Predtron learns, it is as before and goes on as if nothing had been."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from .family import Case, Stream, every, learn, state, state_later

SOME = ["binary-reject", "classes-forgetron", "costs-driven", "hamming-l1", "hamming-trace", "error-set", "labels-ndcg"]
SOME += ["labels-precision", "lists-ndcg", "lists-driven", "lists-budget", "own"]


def traced(model: Any, stream: Stream, stop: float) -> int:
    """How many lines of the library a pass takes; it is interrupted before line ``stop``."""
    passed, before, is_pass = [0], sys.gettrace(), [False]

    def trace(frame: Any, event: str, _: Any) -> Any:
        path = Path(frame.f_code.co_filename)
        if path.name == "loops.py":
            is_pass[0] = event != "return"
        if "ranktron" in path.parts[-4:] and is_pass[0] and event == "line":
            passed[0] += 1
            if passed[0] > stop:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        learn(model, stream)
    finally:
        sys.settrace(before)
    return passed[0]


@every(SOME)
def test_an_interruption_changes_nothing(case: Case) -> None:
    stream = case.stream(6, seed=4)
    for rows in (stream.X, sp.csr_array(stream.X * (np.abs(stream.X) > 0.4))):
        model = case.trained()
        before, later = state(model), state_later(model)
        lines = traced(copy.deepcopy(model), stream.of(rows), np.inf)
        assert lines > 100
        for stop in np.linspace(0, lines - 1, 7).astype(int):
            twin = copy.deepcopy(model)
            with pytest.raises(KeyboardInterrupt):
                traced(twin, stream.of(rows), stop)
            assert state(twin) == before
            assert state_later(twin) == later
