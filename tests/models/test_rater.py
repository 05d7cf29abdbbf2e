"""Rater beyond the features that a belief is held over: it goes over to No-PRank, says the same, and goes on from there."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron
from ranktron.algorithms.noprank import SmallestStep
from ranktron.algorithms.ordinal_logit import AllThresholds
from ranktron.doors.rater import MOST_FEATURES
from ranktron.models.streaming import BadRow, feed

from ..family import PLAIN, state, stream
from .contract import assert_readable
from .test_streaming import Block, csr

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"forget": 0.05},
    {"average": False},
    {"average": True},
    {"scale": None},
    {"scale": "standard"},
]
every_kind = pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
PROBE = {f"a{column}": 0.5 for column in range(4)}


def examples(start: int, stop: int) -> list[tuple[dict[str, float], int]]:
    """Four features that tell, and a new name each time."""
    X, y = stream(400, k=3, seed=2)
    rows = [{f"a{column}": value for column, value in enumerate(x.tolist())} | {f"n{row}": 1.0} for row, x in enumerate(X)]
    return list(zip(rows, y.tolist()))[start:stop]


def taught(parameters: dict[str, Any], stop: int) -> Any:
    model = ranktron.Rater(**parameters)
    for x, label in examples(0, stop):
        model.learn_one(x, label)
    return model


def full(parameters: dict[str, Any]) -> Any:
    """A model that has as many features as the belief may have."""
    model = taught(parameters, MOST_FEATURES - 4)
    assert (model.n_features_in_, type(model._learned.rule)) == (MOST_FEATURES, AllThresholds)
    return model


def said(model: Any) -> list[Any]:
    shares = model.predict_proba_one(PROBE)
    return [*shares.values(), *model.thresholds_, *model.coef_[:MOST_FEATURES]]


@every_kind
def test_going_over_changes_nothing_that_it_says(parameters: dict[str, Any]) -> None:
    model = full(parameters)
    before, interval = said(model), model.predict_interval_one(PROBE)
    model._learned.add_features(["one more"])
    assert type(model._learned.rule) is SmallestStep
    assert said(model) == pytest.approx(before, rel=1e-12, abs=1e-12)
    assert model.predict_interval_one(PROBE) == interval


@every_kind
@pytest.mark.parametrize("stop", [MOST_FEATURES - 40, MOST_FEATURES + 40], ids=["few", "many"])
def test_copies_and_files_go_on_bit_for_bit(parameters: dict[str, Any], stop: int, tmp_path: Path) -> None:
    model = taught(parameters, stop)
    model.save(tmp_path / "model")
    others = [ranktron.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))]
    frozen = model.snapshot()
    asked = [frozen.predict_proba_one(PROBE), frozen.predict_interval_one(PROBE)]
    for x, label in [*examples(stop, stop + 90), (PROBE, 4), (PROBE, 0)]:  # there are two new labels at the end
        for one in (model, *others):
            one.learn_one(x, label)
    assert type(model._learned.rule) is SmallestStep
    assert all(state(one) == state(model) for one in others)
    assert all(one.predict_proba_one(PROBE) == model.predict_proba_one(PROBE) for one in others)
    assert [frozen.predict_proba_one(PROBE), frozen.predict_interval_one(PROBE)] == asked


@every_kind
def test_a_row_that_is_refused_leaves_the_belief(parameters: dict[str, Any]) -> None:
    model, other = full(parameters), full(parameters)
    with pytest.raises(ValueError, match="NaN") as caught:
        model.learn_one({**PROBE, "new": float("nan")}, 1)
    assert_readable(str(caught.value))
    assert type(model._learned.rule) is AllThresholds
    assert state(model) == state(other)
    for x, label in examples(MOST_FEATURES - 4, MOST_FEATURES + 24):
        model.learn_one(x, label)
        other.learn_one(x, label)
    assert state(model) == state(other)


@pytest.mark.parametrize("form", [np.asarray, csr])
def test_blocks_that_widen_go_over_and_back_if_they_are_refused(form: Any) -> None:
    few, many = MOST_FEATURES - 9, MOST_FEATURES + 9
    X, y = stream(60, d=many, seed=3)
    names = [f"f{column}" for column in range(many)]
    model, whole = PLAIN.Rater(), PLAIN.Rater()
    for one in (model, whole):
        feed(one, Block(form(X[:30, :few].copy()), few, names, y[:30]))
    before, bad = state(model), X[30:].copy()
    bad[9, 3] = np.inf
    with pytest.raises(BadRow, match="row 9"):
        feed(model, Block(form(bad), many, names, y[30:]))
    assert state(model) == before
    assert type(model._learned.rule) is AllThresholds
    for one in (model, whole):
        feed(one, Block(form(X[30:]), many, names, y[30:]))
    assert type(model._learned.rule) is SmallestStep
    assert state(model) == state(whole)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_wide_rows_are_learned_by_noprank_from_the_start(form: Any) -> None:
    X, y = stream(60, d=MOST_FEATURES + 1, seed=4)
    rater = ranktron.Rater().fit(form(X), y)
    line = ranktron.NoPRank(scale="settled", trigger="margin", margin="fixed").fit(form(X), y)
    assert rater.coef_.tobytes() == line.coef_.tobytes()
    assert rater.thresholds_.tobytes() == line.thresholds_.tobytes()
    assert rater.predict_proba(form(X)).sum(axis=1) == pytest.approx(np.ones(60))


def test_hashed_names_are_as_many_as_there_may_be() -> None:
    bits = MOST_FEATURES.bit_length() - 1
    narrow, wide = ranktron.Rater(hash_bits=bits), ranktron.Rater(hash_bits=bits + 1)
    for x, label in examples(0, 40):
        narrow.learn_one(x, label)
        wide.learn_one(x, label)
    assert (type(narrow._learned.rule), type(wide._learned.rule)) == (AllThresholds, SmallestStep)
