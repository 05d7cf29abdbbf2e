"""Lists whose rows are scaled by what the stream has shown: pieces, files, refusals, names, and compiled code."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron
from ranktron.compile import policy

from ..contract import as_mappings
from .family import state

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("SLAM", {"scale": "standard"}),
    ("MinimaxRank", {"scale": "standard", "forget": 0.1}),
    ("Ranker", {"scale": "standard", "query_scale": None}),
]
every_kind = pytest.mark.parametrize(("name", "parameters"), KINDS)
every_form = pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
QID = np.repeat(np.arange(20), 4)


def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.standard_normal((80, 4)) * (random.random((80, 4)) < 0.7)
    y = np.digitize(X @ [1.0, -1.0, 0.5, 0.0] + random.standard_normal(80), [0.0, 1.0])
    return X * [1.0, 100.0, 1e-3, 5.0] + [0.0, 20.0, 0.0, -3.0], y


def make(name: str, parameters: dict[str, Any]) -> Any:
    return getattr(ranktron, name)(**parameters)


@every_kind
@every_form
def test_lists_in_pieces_and_from_files_are_the_whole(name: str, parameters: Any, form: Any, tmp_path: Path) -> None:
    X, y = rows()
    whole, pieces = make(name, parameters), make(name, parameters)
    told = whole.predict_then_learn(form(X), y, qid=QID)
    for start in range(0, 80, 4):
        part = slice(start, start + 4)
        if start:
            assert pieces.predict(form(X[part])).tobytes() == told[part].tobytes()
        pieces.partial_fit(form(X[part]), y[part], qid=QID[part])
        pieces.save(tmp_path / "model")
        pieces = ranktron.load(tmp_path / "model")
    assert state(pieces) == state(whole)


@every_kind
@every_form
@pytest.mark.parametrize("bad", [np.nan, 1e155])
def test_a_refused_list_leaves_no_trace(name: str, parameters: Any, form: Any, bad: float) -> None:
    X, y = rows()
    model = make(name, parameters).partial_fit(form(X[:24]), y[:24], qid=QID[:24])
    before, spoilt = state(model), X.copy()
    spoilt[74, 1] = bad
    with pytest.raises(ValueError, match="row 50"):
        model.partial_fit(form(spoilt[24:]), y[24:], qid=QID[24:])
    assert state(model) == before
    whole = make(name, parameters).partial_fit(form(X), y, qid=QID)
    assert state(model.partial_fit(form(X[24:]), y[24:], qid=QID[24:])) == state(whole)


@every_kind
def test_mappings_are_arrays(name: str, parameters: Any) -> None:
    X, y = rows()
    arrays, mappings = make(name, parameters), make(name, parameters)
    for start in range(0, 80, 4):
        part = slice(start, start + 4)
        arrays.learn_list(X[part], y[part])
        mappings.learn_list(as_mappings(X[part]), y[part])
    assert arrays.coef_.tobytes() == mappings.coef_.tobytes()


@pytest.mark.gate(1)
@pytest.mark.compiled
@every_form
def test_compiled_is_interpreted(form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = rows()
    told = []
    for patience in (math.inf, 0):
        monkeypatch.setattr(policy, "PATIENCE", patience)
        model = ranktron.SLAM(scale="standard", forget=0.1)
        told.append((model.predict_then_learn(form(X), y, qid=QID).tobytes(), state(model), model.predict(form(X)).tobytes()))
    assert told[0] == told[1]
