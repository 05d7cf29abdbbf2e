"""Model files of rankers: what was learned comes back bit for bit and goes on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ranktron
from ranktron import AdaGrad, models

from ..contract import as_mappings, assert_readable, run_process
from .family import NAMES, both_averages, each, every_name, every_variant, make, refused, state, stream

X, Y, QID = stream(18, longest=20)
COLUMNS = list("abcd")


def some(rows: np.ndarray, start: int) -> list[Any]:
    """Mappings, some names absent and new ones all the time."""
    mapped = as_mappings(rows, COLUMNS)
    return [{**{key: x[key] for key in COLUMNS[row % 2 :]}, f"n{start + row}": 1.0} for row, x in enumerate(mapped)]


def learn(model: Any, way: str, start: int, stop: int) -> Any:
    """Let ``model`` learn the lists from ``start`` to ``stop`` in one of the ways there are."""
    rows = np.isin(QID - 100, range(start, stop))
    if way in ("batch", "frame"):
        given = X[rows] if way == "batch" else pd.DataFrame(X[rows], columns=COLUMNS)
        return model.partial_fit(given, Y[rows], QID[rows])
    for number, (part, grades) in enumerate(each(X[rows], Y[rows], QID[rows])):
        model.learn_list(part if way == "list" else some(part, start + number), grades)
    return model


@every_variant
@both_averages
@pytest.mark.parametrize("way", ["batch", "frame", "list", "mapping", "hashed"])
def test_a_loaded_model_goes_on_bit_for_bit(name: str, parameters: Any, average: bool, way: str, tmp_path: Path) -> None:
    hashed = {"hash_bits": 4} if way == "hashed" else {}
    model = learn(make(name, **parameters, average=average, **hashed), way, 0, 9)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert type(loaded) is type(model)
    assert loaded.get_params() == model.get_params()
    assert state(loaded) == state(model)
    given = some(X, 0) if hashed or way == "mapping" else pd.DataFrame(X, columns=COLUMNS) if way == "frame" else X
    assert loaded.predict(given).tobytes() == model.predict(given).tobytes()
    for one in (model, loaded):
        learn(one, way, 9, 18)
    assert state(loaded) == state(model)
    assert loaded.n_seen_ == 18
    assert loaded.cumulative_loss_ == model.cumulative_loss_


@every_variant
def test_saving_changes_nothing_and_may_be_repeated(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    model = learn(make(name, **parameters), "batch", 0, 9)
    before = state(model)
    model.save(tmp_path / "one")
    model.save(str(tmp_path / "two"))
    ranktron.load(tmp_path / "one").save(tmp_path / "three")
    assert state(model) == before
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes() == (tmp_path / "three").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["one", "three", "two"]


@every_name
def test_whether_lists_have_ids_is_kept(name: str, tmp_path: Path) -> None:
    for qid in (QID, None):
        make(name).fit(X, Y, qid).save(tmp_path / "model")
        loaded = ranktron.load(tmp_path / "model")
        if qid is None:
            assert loaded.score(X, Y) > 0
        else:
            with refused(loaded, "qid"):
                loaded.score(X, Y)


STEPS: list[Any] = [None, 1, 0.25, np.float32(0.1), AdaGrad(0.1), AdaGrad(np.float64(2.0)), AdaGrad(1)]


@pytest.mark.parametrize("name", [name for name in NAMES if "step" in make(name).get_params()])
@pytest.mark.parametrize("step", STEPS)
def test_steps_come_back(name: str, step: Any, tmp_path: Path) -> None:
    model = make(name, step=step).fit(X, Y, QID)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert loaded.step == step
    assert isinstance(loaded.step, AdaGrad) == isinstance(step, AdaGrad)
    assert state(loaded.partial_fit(X, Y, QID)) == state(model.partial_fit(X, Y, QID))


@every_name
def test_a_saved_snapshot_loads_as_a_model_that_learns(name: str, tmp_path: Path) -> None:
    model = learn(make(name), "batch", 0, 9)
    model.snapshot().save(tmp_path / "model")
    assert state(learn(ranktron.load(tmp_path / "model"), "batch", 9, 18)) == state(learn(model, "batch", 9, 18))


def test_a_kernel_that_is_a_function_cannot_be_saved(tmp_path: Path) -> None:
    model = ranktron.SLAM(kernel=lambda A, B: A @ B.T).fit(X, Y, QID)
    with pytest.raises(ValueError, match="cannot be saved") as caught:
        model.save(tmp_path / "model")
    assert_readable(str(caught.value))
    assert not os.listdir(tmp_path)


@every_name
def test_there_is_nothing_to_save_before_learning_or_after_a_change(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has not learned anything"):
        make(name).save(tmp_path / "model")
    with pytest.raises(ValueError, match="measure was changed"):
        make(name).fit(X, Y, QID).set_params(measure="ap").save(tmp_path / "model")
    assert not os.listdir(tmp_path)


LOADING = """
import sys
import numpy as np
from ranktron import models, algorithms, doors
model = models.load(sys.argv[1], vars(algorithms) | vars(doors))
print(type(model).__name__, model.n_seen_, model.predict(np.eye(4)).tobytes().hex(), "sklearn" in sys.modules)
"""


@every_name
def test_a_file_loads_in_another_process_and_without_scikit_learn(name: str, tmp_path: Path) -> None:
    model = learn(make(name), "batch", 0, 18)
    model.save(tmp_path / "model")
    told = run_process(LOADING, str(tmp_path / "model"))
    assert told == f"{name} 18 {model.predict(np.eye(4)).tobytes().hex()} False"


def test_the_plain_model_and_the_estimator_share_files(tmp_path: Path) -> None:
    plain = ranktron.algorithms.SLAM().fit(X, Y, QID)
    plain.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert isinstance(loaded, ranktron.SLAM)
    assert state(loaded) == state(plain) == state(ranktron.SLAM().fit(X, Y, QID))
    again = models.load(tmp_path / "model", vars(ranktron.algorithms))
    assert type(again) is ranktron.algorithms.SLAM
