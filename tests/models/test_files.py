"""Model files: what was learned comes back bit for bit and goes on, whatever way it was learned."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from safetensors import safe_open

import ranktron
from ranktron.models import files

from ..family import NAMES, make, state, stream
from .contract import as_mappings, assert_readable, every_variant

every_name = pytest.mark.parametrize("name", NAMES)
both_averages = pytest.mark.parametrize("average", [True, False], ids=["average", "last"])
ROWS, LABELS = stream(60)
COLUMNS = list("abcd")


def frame(rows: slice) -> pd.DataFrame:
    return pd.DataFrame(ROWS[rows], columns=COLUMNS)


def some(start: int, stop: int, step: int = 1) -> list[Any]:
    """Mappings, some names absent and new ones all the time."""
    rows = as_mappings(ROWS[start:stop:step], COLUMNS)
    return [{**{key: row[key] for key in COLUMNS[number % 2 :]}, f"n{start + number}": 1.0} for number, row in enumerate(rows)]


def learn(model: Any, way: str, start: int, stop: int) -> Any:
    """Let ``model`` learn so many rows in one of the ways there are."""
    if way in ("array", "frame"):
        model.partial_fit(ROWS[start:stop] if way == "array" else frame(slice(start, stop)), LABELS[start:stop])
    else:
        for x, y in zip(ROWS[start:stop] if way == "single" else some(start, stop), LABELS[start:stop].tolist()):
            model.learn_one(x, y)
    return model


def parameters_for(way: str) -> dict[str, Any]:
    return {"hash_bits": 4} if way == "hashed" else {}


@every_variant
@both_averages
@pytest.mark.parametrize("way", ["array", "frame", "single", "mapping", "hashed"])
def test_a_loaded_model_goes_on_bit_for_bit(name: str, parameters: Any, average: bool, way: str, tmp_path: Path) -> None:
    model = learn(make(name, **parameters, average=average, **parameters_for(way)), way, 0, 30)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert type(loaded) is type(model)
    assert loaded._described() == model._described()
    assert state(loaded) == state(model)
    assert loaded.classes_.dtype == model.classes_.dtype
    for one in (model, loaded):
        learn(one, way, 30, 50)
    assert state(loaded) == state(model)
    mapped = way in ("mapping", "hashed")
    for x, y in zip(some(50, 60) if mapped else ROWS[50:], LABELS[50:].tolist()):
        assert loaded.predict_one(x) == model.predict_one(x)
        loaded.learn_one(x, y)
        model.learn_one(x, y)
    assert state(loaded) == state(model)


@every_variant
def test_saving_changes_nothing_and_may_be_repeated(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    model = learn(make(name, **parameters), "array", 0, 30)
    before = state(model)
    model.save(tmp_path / "one")
    model.save(str(tmp_path / "two"))
    ranktron.load(tmp_path / "one").save(tmp_path / "three")
    assert state(model) == before
    for path in ("one", "two", "three"):
        assert state(ranktron.load(tmp_path / path)) == before
    assert files.read(tmp_path / "one")[0] == files.read(tmp_path / "two")[0] == files.read(tmp_path / "three")[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "three", "two"]


@every_name
def test_labels_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    spellings = [
        np.array(["low", "mid", "higher"]),
        np.array([1.0, 2.0, 4.0]),
        np.array([3, 200, 255], np.uint8),
        np.array([-5, 7, 2**40]),
        np.array(["ä", "b", "日本"], object),
    ]
    for classes in spellings:
        model = make(name, classes=classes).partial_fit(ROWS, classes[LABELS % 3])
        model.save(tmp_path / "model")
        loaded = ranktron.load(tmp_path / "model")
        assert loaded.classes_.dtype == model.classes_.dtype
        assert loaded.classes_.tolist() == classes.tolist()
        np.testing.assert_array_equal(loaded.predict(ROWS), model.predict(ROWS))
    flags = make(name).partial_fit(ROWS, LABELS > 2)
    flags.save(tmp_path / "model")
    assert ranktron.load(tmp_path / "model").classes_.dtype == bool


@pytest.mark.parametrize("classes", [range(1, 6), (1, 2, 3, 4, 5), np.arange(1, 6), list(np.arange(1, 6)), pd.Index(range(1, 6))])
def test_classes_of_any_kind_can_be_saved(classes: Any, tmp_path: Path) -> None:
    model = ranktron.PRank(classes=classes).partial_fit(ROWS, LABELS)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert state(loaded) == state(model)
    assert list(loaded.classes) == [1, 2, 3, 4, 5]
    assert state(loaded.fit(ROWS, LABELS)) == state(model)


def test_parameters_that_are_numpy_numbers_can_be_saved(tmp_path: Path) -> None:
    model = ranktron.NoPRank(beta=np.float32(0.5), epochs=np.int64(2), average=np.True_).fit(ROWS, LABELS)
    model.save(tmp_path / "model")
    assert state(ranktron.load(tmp_path / "model").partial_fit(ROWS, LABELS)) == state(model.partial_fit(ROWS, LABELS))


@every_name
def test_labels_that_may_grow_may_still_do_so_after_loading(name: str, tmp_path: Path) -> None:
    model = make(name)
    for x, y in zip(ROWS[:20], LABELS[:20].tolist()):
        model.learn_one(x, 2 * y)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    for x, y in zip(ROWS[20:40], LABELS[20:40].tolist()):
        model.learn_one(x, y)
        loaded.learn_one(x, y)
    assert state(loaded) == state(model)
    assert not loaded._learner.labels.closed


@every_name
def test_a_saved_snapshot_loads_as_a_model_that_learns(name: str, tmp_path: Path) -> None:
    model = learn(make(name), "array", 0, 30)
    model.snapshot().save(tmp_path / "model")
    assert state(learn(ranktron.load(tmp_path / "model"), "array", 30, 60)) == state(learn(model, "array", 30, 60))


@every_variant
def test_the_file_is_safetensors_with_a_json_header(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    model = learn(make(name, **parameters), "frame", 0, 30)
    model.save(tmp_path / "model.safetensors")
    with safe_open(tmp_path / "model.safetensors", "np") as opened:
        header = json.loads(opened.metadata()["ranktron"])
        arrays = {key: opened.get_tensor(key) for key in opened.keys()}  # noqa: SIM118
    assert header["format"] == files.FORMAT == 1
    assert header["algorithm"] == name
    assert header["library"] == f"ranktron {ranktron.__version__}"
    assert header["parameters"] == model._described()
    assert header["classes"]["values"] == [1, 2, 3, 4, 5]
    assert header["features"]["names"] == COLUMNS
    assert header["features"]["count"] == 4
    learned = model._learner.arrays()
    assert set(arrays) == {*learned, *model._learner.tallies}
    assert all(arrays[key].tobytes() == learned[key].tobytes() for key in learned)


@pytest.mark.parametrize("way", ["array", "mapping"])
def test_load_never_unpickles(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = learn(ranktron.PRank(), way, 0, 30)
    model.save(tmp_path / "model")

    def forbidden(*_: Any, **__: Any) -> None:
        raise AssertionError("load must not unpickle")

    for name in ("load", "loads", "Unpickler", "_Unpickler", "_load", "_loads"):
        monkeypatch.setattr(pickle, name, forbidden)
    monkeypatch.setattr(np, "load", forbidden)
    assert state(ranktron.load(tmp_path / "model")) == state(model)


UNSAVABLE = {
    "a callable": lambda: ranktron.PRank().partial_fit(ROWS, LABELS).set_params(random_state=print),
    "a generator": lambda: ranktron.PRank(random_state=np.random.RandomState(0), shuffle=True).fit(ROWS, LABELS),
    "a new generator": lambda: ranktron.PRank(random_state=np.random.default_rng(0), shuffle=True).fit(ROWS, LABELS),
    "tuple names": lambda: taught_names([("a", 1), ("b", 2)]),
    "names of several kinds": lambda: taught_names(["a", frozenset([1])]),
    "labels that are dates": lambda: ranktron.PRank().partial_fit(ROWS, np.datetime64("2020-01-01") + LABELS),
}


def taught_names(names: list[Any]) -> Any:
    model = ranktron.PRank()
    model.learn_one(dict.fromkeys(names, 1.0), 1)
    return model


@pytest.mark.parametrize("case", UNSAVABLE)
def test_what_cannot_be_saved_is_said_and_the_old_file_stays(case: str, tmp_path: Path) -> None:
    model, path = UNSAVABLE[case](), tmp_path / "model"
    learn(ranktron.PRank(), "array", 0, 30).save(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="cannot be saved") as caught:
        model.save(path)
    assert_readable(str(caught.value))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model"]


@every_name
def test_there_is_nothing_to_save_before_learning(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has not learned anything"):
        make(name).save(tmp_path / "model")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("names", [[1, 2, 3], [1.5, "a"], ["a", True, None], ["\n", "\x00", "日本"]])
def test_plain_names_come_back_as_they_were(names: list[Any], tmp_path: Path) -> None:
    model = taught_names(names)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert [(type(name), name) for name in loaded.feature_names_in_] == [(type(name), name) for name in model.feature_names_in_]
