"""Model files of Predtrons: what was learned comes back bit for bit and goes on; damage is noticed; own tasks are not saved."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ranktron
from ranktron import Predtron
from ranktron.models import files
from ranktron.tasks import Binary, CostMatrix, Multiclass, Multilabel, MultilabelRanking
from tests.covering import examples

from ..contract import assert_refused, run_process
from .family import CASES, COSTS, OWN, Case, Wind, answers, every, learn, learn_singly, refused, state
from .test_layouts import mapped

SAVED = CASES.keys() - OWN


@every(SAVED)
def test_a_loaded_model_goes_on_bit_for_bit(case: Case, tmp_path: Path) -> None:
    stream = case.stream()
    model = learn_singly(learn(case.make(), stream.part(0, 12)), stream.part(12, 20))
    before = state(model)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert type(loaded) is type(model)
    assert loaded._described() == model._described()
    assert state(loaded) == state(model) == before
    for one in (model, loaded):
        learn_singly(learn(one, stream.part(20, 30)), stream.part(30, 40))
    assert state(loaded) == state(model)
    assert answers(loaded, stream.X) == answers(model, stream.X)
    assert hasattr(loaded, "classes_") == hasattr(model, "classes_")
    if hasattr(model, "classes_"):
        assert loaded.classes_.tolist() == model.classes_.tolist()
        assert loaded.classes_.dtype == model.classes_.dtype


@every(SAVED)
@pytest.mark.parametrize("hash_bits", [None, 3], ids=["names", "hashed"])
def test_models_of_mappings_go_on_bit_for_bit(case: Case, hash_bits: int | None, tmp_path: Path) -> None:
    model = mapped(case, case.make(hash_bits=hash_bits), n=12)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    assert state(loaded) == state(model)
    assert state(mapped(case, loaded, seed=1, n=12)) == state(mapped(case, model, seed=1, n=12))


@every(["classes", "hamming", "labels-ndcg", "lists-ndcg"])
def test_saving_changes_nothing_and_may_be_repeated(case: Case, tmp_path: Path) -> None:
    model = case.trained()
    before = state(model)
    model.save(tmp_path / "one")
    model.snapshot().save(tmp_path / "two")
    ranktron.load(tmp_path / "one").save(tmp_path / "three")
    assert state(model) == before
    headers = [files.read(tmp_path / name)[0] for name in ("one", "two", "three")]
    assert headers[0] == headers[1] == headers[2]
    assert headers[0]["algorithm"] == "Predtron"
    assert state(learn(ranktron.load(tmp_path / "two"), case.stream())) == state(learn(model, case.stream()))


def test_tasks_come_back_equal(tmp_path: Path) -> None:
    X, y = np.eye(6), [0, 1, 2, 0, 1, 2]
    costs = np.array(COSTS)
    for task in (Multiclass(np.int64(3)), CostMatrix(costs), CostMatrix(costs.tolist()), Multiclass(3, reject=np.float64(0.25))):
        Predtron(task).fit(X, y).save(tmp_path / "model")
        loaded = ranktron.load(tmp_path / "model")
        assert loaded.task == task
        assert state(loaded.partial_fit(X, y)) == state(Predtron(task).fit(X, y).partial_fit(X, y))
    Predtron(Binary(np.array([1.0, 2.0])), radius=np.float32(3.0)).fit(X, np.array(y) > 0).save(tmp_path / "model")
    assert ranktron.load(tmp_path / "model").task == Binary((1.0, 2.0))


@pytest.mark.parametrize("names", [["a", "b"], [3, 1], ["ä", 2]])
def test_names_of_label_columns_come_back(names: list[Any], tmp_path: Path) -> None:
    Y = pd.DataFrame([[0, 1], [1, 0], [1, 1]], columns=names)
    for task in (Multilabel(), MultilabelRanking()):
        model = Predtron(task).fit(np.eye(3), Y)
        model.save(tmp_path / "model")
        loaded = ranktron.load(tmp_path / "model")
        assert loaded.classes_.tolist() == names
        assert state(loaded.partial_fit(np.eye(3), Y)) == state(model.partial_fit(np.eye(3), Y))
        with refused(loaded, "differ"):
            loaded.partial_fit(np.eye(3), Y[names[::-1]])


def test_labels_that_may_grow_may_still_do_so_after_loading(tmp_path: Path) -> None:
    X = np.random.default_rng(0).standard_normal((40, 9))
    model = Predtron(link="group")
    for x, y in zip(X[:20], range(20)):
        model.learn_one(x, y % 3 * 2)
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    for x, y in zip(X[20:], range(20)):
        for one in (model, loaded):
            one.learn_one(x, y % 5)
    assert state(loaded) == state(model)
    assert model.classes_.tolist() == [0, 1, 2, 3, 4]


@every(OWN)
def test_a_task_of_ones_own_is_not_saved_and_the_old_file_stays(case: Case, tmp_path: Path) -> None:
    path, model = tmp_path / "model", case.trained()
    CASES["classes"].trained().save(path)
    before = path.read_bytes()
    with refused(model, "task of your own", "cannot be saved"):
        model.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model"]


def test_a_task_of_ones_own_under_the_name_of_one_of_ours_is_not_taken_for_it(tmp_path: Path) -> None:
    stream = CASES["own"].stream(20)
    with refused(model := learn(Predtron(type("Multiclass", (Wind,), {})()), stream), "cannot be saved"):
        model.save(tmp_path / "model")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("function", [lambda A, B: A @ B.T])
def test_a_function_for_a_kernel_is_not_saved(function: Any, tmp_path: Path) -> None:
    for name in ("classes", "hamming", "lists-ndcg"):
        with refused(model := CASES[name].trained(kernel=function), "kernel", "cannot be saved"):
            model.save(tmp_path / "model")


def saved(folder: Path, name: str) -> Path:
    CASES[name].trained().save(folder / "model")
    return folder / "model"


@pytest.mark.parametrize("name", ["classes-reject", "hamming", "labels-ndcg", "lists-ndcg"])
def test_a_truncated_file_is_refused_at_any_length(name: str, tmp_path: Path) -> None:
    content = saved(tmp_path, name).read_bytes()
    for length in [*range(0, len(content), 97), len(content) - 1]:
        (tmp_path / "cut").write_bytes(content[:length])
        assert_refused(tmp_path / "cut")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
@given(place=st.integers(0, 2**20), bit=st.integers(0, 7), name=st.sampled_from(["binary-reject", "error-set", "lists-driven"]))
def test_no_bit_can_flip_unseen(place: int, bit: int, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if not path.exists():
        saved(tmp_path, name).rename(path)
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= 1 << bit
    (tmp_path / "flipped").write_bytes(content)
    assert_refused(tmp_path / "flipped")


Change = Callable[[dict[str, Any], dict[str, np.ndarray]], Any]
CHANGES: dict[str, tuple[str, Change]] = {
    "an unknown task": ("classes-reject", lambda h, _: h["parameters"]["task"].update(task="Magic")),
    "the base of all tasks": ("classes-reject", lambda h, _: h["parameters"]["task"].update(task="Task", parameters={})),
    "a function of tasks": (
        "classes-reject",
        lambda h, _: h["parameters"]["task"].update(task="check", parameters={"task": None, "labels": []}),
    ),
    "a task of another kind": (
        "classes-reject",
        lambda h, _: h["parameters"].update(task={"task": "Multilabel", "parameters": {}}),
    ),
    "classes for lists": ("lists-ndcg", lambda h, _: h["parameters"].update(task=None)),
    "lists for classes": ("classes", lambda h, _: h["parameters"].update(task={"task": "SubsetRanking", "parameters": {}})),
    "a task that is a word": ("classes", lambda h, _: h["parameters"].update(task="Multiclass")),
    "a parameter out of range": ("classes-reject", lambda h, _: h["parameters"]["task"]["parameters"].update(reject=2.0)),
    "an unknown parameter": ("classes-reject", lambda h, _: h["parameters"]["task"]["parameters"].update(speed=2.0)),
    "fewer classes than labels": ("classes-reject", lambda h, _: h["parameters"]["task"]["parameters"].update(n_classes=3)),
    "another link": ("classes-reject", lambda h, _: h["parameters"].update(link="trace")),
    "no link": ("classes-reject", lambda h, _: h["parameters"].update(link="euclidean")),
    "a link that is none": ("hamming", lambda h, _: h["parameters"].update(link="l3")),
    "no threshold": ("classes-reject", lambda _, arrays: arrays.pop("threshold")),
    "half a threshold": ("classes-reject", lambda _, arrays: arrays.update(threshold=arrays["threshold"][:7])),
    "no losses": ("hamming", lambda _, arrays: arrays.pop("losses")),
    "losses in single precision": ("classes", lambda _, arrays: arrays.update(losses=arrays["losses"].astype(np.float32))),
    "no counts": ("labels-ndcg", lambda _, arrays: arrays.pop("counts")),
    "no labels": ("hamming", lambda h, _: h.pop("labels")),
    "fewer labels": ("hamming", lambda h, _: h["labels"].update(count=4)),
    "a label too many": ("hamming-trace", lambda h, _: h["labels"]["names"]["values"].append("i")),
    "a label twice": ("hamming-trace", lambda h, _: h["labels"]["names"]["values"].__setitem__(0, "b")),
    "a negative number of labels": ("hamming", lambda h, _: h["labels"].update(count=-5)),
    "labels that are no number": ("hamming", lambda h, _: h["labels"].update(count="5")),
    "no classes": ("classes", lambda h, _: h.pop("classes")),
    "a class too many": ("classes", lambda h, _: h["classes"]["values"].append("e")),
    "too many features": ("hamming", lambda h, _: h["features"].update(count=400)),
    "no theta": ("hamming-l1", lambda _, arrays: arrays.pop("theta")),
    "no clock": ("hamming-trace", lambda _, arrays: arrays.pop("clock")),
    "no weights": ("lists-ndcg", lambda _, arrays: arrays.pop("w")),
    "a step that is none": ("finite", lambda h, _: h["parameters"].update(step="practice")),
    "no radius": ("finite", lambda h, _: h["parameters"].update(radius=None)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_makes_no_sense_is_refused(change: str, tmp_path: Path) -> None:
    name, spoil = CHANGES[change]
    header, arrays = files.read(saved(tmp_path, name))
    spoil(header, arrays)
    files.write(tmp_path / "model", header, arrays)
    assert_refused(tmp_path / "model")


LEARN_ON = """
import sys
import numpy as np
import ranktron
model = ranktron.load(sys.argv[1])
X = np.random.default_rng(5).standard_normal((20, 9))
model.partial_fit(X, model.predict(-X))
print(model.coef_.tobytes().hex(), model.cumulative_loss_)
"""


def test_another_process_goes_on_bit_for_bit(tmp_path: Path) -> None:
    model = CASES["hamming-l1"].trained()
    model.save(tmp_path / "model")
    told = run_process(LEARN_ON, str(tmp_path / "model"))
    X = np.random.default_rng(5).standard_normal((20, 9))
    model.partial_fit(X, model.predict(-X))
    assert told == f"{model.coef_.tobytes().hex()} {model.cumulative_loss_}"
