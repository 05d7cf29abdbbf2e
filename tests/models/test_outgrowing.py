"""Mappings under ``scale`` that outgrow the names up to which columns are centred: nothing that was learned is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ranktron
from ranktron.core.moments import CENTRED
from ranktron.models.learners import row_scaler

from ..family import make, state, stream

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("PRank", {"scale": "standard"}),
    ("NoPRank", {"scale": "settled", "forget": 0.05}),
    ("OrdinalLogit", {"scale": "settled"}),
    ("Rater", {}),
]
every_kind = pytest.mark.parametrize(("name", "parameters"), KINDS)
NAMES = 20
PROBE = {"a": 3.0, "b": -7.0, "d": 1.0, "n7": 1.0}


@pytest.fixture(autouse=True)
def few_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_scaler, "WIDEST", NAMES)


def examples(start: int, stop: int) -> list[tuple[dict[str, float], int]]:
    """Four features that are far from 0, and a new name every other time."""
    X, y = stream(100, k=3)
    rows = [dict(zip("abcd", (5.0 + x).tolist())) | {f"n{number // 2}": 1.0 + number} for number, x in enumerate(X)]
    return list(zip(rows, y.tolist()))[start:stop]


def taught(name: str, parameters: dict[str, Any], stop: int) -> Any:
    model = make(name, **parameters)
    for x, label in examples(0, stop):
        model.learn_one(x, label)
    return model


def said(model: Any) -> list[float]:
    return [model.predict_one(PROBE), *model.thresholds_, *model.coef_[:NAMES]]


@every_kind
def test_it_says_the_same_and_sees_sparse_rows_from_then_on(name: str, parameters: dict[str, Any]) -> None:
    model = taught(name, parameters, 32)
    assert (model.n_features_in_, model._learned.moments.tally[CENTRED]) == (NAMES, 1.0)
    before = said(model)
    model._learned.add_features(["one more"])
    assert model._learned.moments.tally[CENTRED] == 0.0
    assert said(model) == pytest.approx(before, rel=1e-9, abs=1e-9)
    counted = model._learned.moments.stored[:4].copy()
    model.learn_one({"one more": 1.0}, 1)
    assert (model._learned.moments.stored[:4] == counted).all()


@every_kind
def test_a_row_that_is_refused_leaves_columns_centred(name: str, parameters: dict[str, Any]) -> None:
    model, other = (taught(name, parameters, 32) for _ in range(2))
    with pytest.raises(ValueError, match="infinity"):
        model.learn_one({**PROBE, "new": float("inf")}, 1)
    assert state(model) == state(other)
    for x, label in examples(32, 60):
        model.learn_one(x, label)
        other.learn_one(x, label)
    assert state(model) == state(other)


@every_kind
@pytest.mark.parametrize("stop", [30, 40])
def test_files_go_on_bit_for_bit(name: str, parameters: dict[str, Any], stop: int, tmp_path: Path) -> None:
    model = taught(name, parameters, stop)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    for x, label in examples(stop, 100):
        assert loaded.predict_one(x) == model.predict_one(x)
        loaded.learn_one(x, label)
        model.learn_one(x, label)
    assert state(loaded) == state(model)


def test_what_cannot_be_carried_over_stays_centred() -> None:
    model = taught("MulticlassPerceptron", {"scale": "standard"}, 60)
    assert model._learned.moments.tally[CENTRED] == 1.0
