"""The River face: a Predtron of labels, and one of sets whose targets are mappings from labels to truth values."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from river import base, checks, compose, datasets, evaluate, metrics, preprocessing

import ranktron
from ranktron import tasks
from ranktron.data import separable
from ranktron.river import Predtron
from ranktron.river import load as load_for_river

from .family import CASES, CLASSES, Case, every, state

MODELS: dict[str, Any] = {
    "default": Predtron(),
    "ordinal": Predtron(tasks.Ordinal(), link="l1"),
    "binary": Predtron(tasks.Binary(), classes=[False, True]),
    "reject": Predtron(tasks.Multiclass(reject=0.3), average=False),
    "kernel": Predtron(kernel=ranktron.kernels.Gaussian(0.1), budget=10, average=False),
    "sets": Predtron(tasks.Multilabel()),
    "sets-group": Predtron(tasks.Multilabel("subset"), link="group", hash_bits=4),
}


def checks_of(model: Any) -> list[Any]:
    """River's datasets of sets would have to be downloaded: those checks get one of ours."""
    found = [*checks.yield_checks(model)]
    if not isinstance(model, base.MultiLabelClassifier):
        return found
    return [functools.partial(one.func, dataset=tagged(60)) if isinstance(one, functools.partial) else one for one in found]


CHECKED = ["default", "binary", "reject", "sets", "sets-group"]
# The gate has a third of the checks with each model.
NUMBERED = [
    pytest.param(name, number, marks=pytest.mark.full if (number - place) % 3 else ())
    for place, name in enumerate(CHECKED)
    for number in range(len([*checks.yield_checks(MODELS[name])]))
]


@pytest.mark.parametrize(("name", "number"), NUMBERED)
def test_rivers_own_checks(name: str, number: int) -> None:
    checks_of(MODELS[name])[number](MODELS[name].clone())


def labelled(n: int = 200) -> list[tuple[dict[str, float], str]]:
    X, y = separable.classes(n, 6, 3, margin=0.3, seed=0)
    return [(dict(zip("uvwxyz", x.tolist())), "abc"[label]) for x, label in zip(X, y)]


def tagged(n: int = 200) -> list[tuple[dict[str, float], dict[str, bool]]]:
    X, Y = separable.multilabel(n, 6, 3, margin=0.3, seed=0)
    return [(dict(zip("uvwxyz", x.tolist())), dict(zip("abc", (y > 0).tolist()))) for x, y in zip(X, Y)]


def test_kinds() -> None:
    assert isinstance(Predtron(), base.Classifier)
    assert isinstance(Predtron(tasks.Multilabel()), base.MultiLabelClassifier)
    assert Predtron()._multiclass
    assert not Predtron(tasks.Binary())._multiclass
    for task in (tasks.SubsetRanking(), tasks.MultilabelRanking()):
        with pytest.raises(ValueError, match="River has no kind of estimator"):
            Predtron(task)


def test_progressive_validation_of_classes_is_predict_then_learn() -> None:
    model, metric = Predtron(), metrics.Accuracy()
    evaluate.progressive_val_score(labelled(), model, metric)
    twin, right = ranktron.Predtron(), []
    for number, (x, y) in enumerate(labelled()):
        right += [twin.predict_one(x) == y] if number else []
        twin.learn_one(x, y)
    assert metric.get() == pytest.approx(np.mean(right))
    assert metric.get() > 0.8
    assert state(model) == state(twin)


def test_progressive_validation_of_sets_is_predict_then_learn() -> None:
    model, exact = Predtron(tasks.Multilabel()), metrics.multioutput.ExactMatch()
    evaluate.progressive_val_score(tagged(), model, exact)
    twin, right = ranktron.Predtron(tasks.Multilabel()), []
    for number, (x, y) in enumerate(tagged()):
        told = twin.predict_one(x).tolist() if number else None
        right += [told == [y[name] for name in "abc"]] if number else []
        twin.learn_one(x, y)
    assert exact.get() == pytest.approx(np.mean(right), abs=1 / 200)
    assert exact.get() > 0.6
    assert state(model) == state(twin)
    assert model.classes_.tolist() == ["a", "b", "c"]


def test_before_any_label_there_is_no_answer() -> None:
    assert Predtron().predict_one({"a": 1.0}) is None
    assert Predtron().predict_proba_one({"a": 1.0}) == {}
    assert Predtron(tasks.Multilabel()).predict_one({"a": 1.0}) == {}
    assert Predtron(tasks.Multiclass(3)).predict_one({"a": 1.0}) == 0


def test_labels_that_are_left_out_of_a_set_are_not_in_it() -> None:
    model, twin = (Predtron(tasks.Multilabel(), classes=["a", "b", "c"]) for _ in range(2))
    for x, y in tagged(40):
        model.learn_one(x, {name: True for name, there in y.items() if there})
        twin.learn_one(x, y)
    assert state(model) == state(twin)
    told = model.predict_one(tagged()[50][0])
    assert list(told) == ["a", "b", "c"]
    assert all(type(one) is bool for one in told.values())
    with pytest.raises(ValueError, match="'d' is not among"):
        model.learn_one({"u": 1.0}, {"d": True})
    assert state(model) == state(twin)


@pytest.mark.parametrize("name", MODELS)
def test_clones_keep_parameters_and_forget(name: str) -> None:
    model = MODELS[name].clone()
    stream: Any = tagged(30) if name.startswith("sets") else [(x, y == "a") for x, y in labelled(30)]
    for x, y in stream:
        model.learn_one(x, y)
    again, twin = model.clone(), model.clone(include_attributes=True)
    assert type(again) is type(model)
    assert again._get_params() == model._get_params()
    assert again._learner is None
    before = state(model)
    assert state(twin) == before
    for x, y in stream:
        again.learn_one(x, y)
        twin.learn_one(x, y)
    assert state(again) == before == state(model)


def test_a_clone_may_have_another_task() -> None:
    model = Predtron().clone(new_params={"task": tasks.Multilabel()})
    assert isinstance(model, base.MultiLabelClassifier)


@every(CLASSES)
def test_both_faces_learn_the_same_and_share_files(case: Case, tmp_path: Path) -> None:
    ours, theirs = case.make(), case.make(face=Predtron)
    for one in case.stream(25).each():
        x, y = dict(zip("abcdefghi", one.X[0].tolist())), one.y[0]
        ours.learn_one(x, y)
        theirs.learn_one(x, y)
        assert ours.predict_one(x) == theirs.predict_one(x)
    assert state(ours) == state(theirs)
    theirs.save(tmp_path / "model")
    assert type(ranktron.load(tmp_path / "model")) is type(ours)
    assert type(load_for_river(tmp_path / "model")) is type(theirs)
    assert state(load_for_river(tmp_path / "model")) == state(ours)


def test_files_of_what_river_has_no_kind_for_are_refused(tmp_path: Path) -> None:
    CASES["lists-ndcg"].trained().save(tmp_path / "model")
    with pytest.raises(ValueError, match="River has no kind of estimator"):
        load_for_river(tmp_path / "model")


def test_datasets_and_pipelines_of_river() -> None:
    model = preprocessing.StandardScaler() | Predtron()
    metric = evaluate.progressive_val_score(datasets.Phishing().take(400), model, metrics.Accuracy())
    assert metric.get() > 0.8
    model = preprocessing.MinMaxScaler() | Predtron()
    assert evaluate.progressive_val_score(datasets.ImageSegments().take(200), model, metrics.MacroF1()).get() > 0.2
    union = compose.TransformerUnion(compose.Select("u"), compose.Select("v") | preprocessing.StandardScaler())
    model = union | Predtron(tasks.Multilabel())
    for x, y in tagged(30):
        model.learn_one(x, y)
    assert set(model[-1].feature_names_in_) == {"u", "v"}


@pytest.mark.parametrize("sets", [False, True])
def test_a_bad_value_is_refused_and_changes_nothing(sets: bool) -> None:
    model = Predtron(tasks.Multilabel() if sets else None)
    stream: Any = tagged(20) if sets else labelled(20)
    for x, y in stream:
        model.learn_one(x, y)
    before, good = state(model), stream[0][1]
    for x, y in (
        ({"u": math.nan, "new": 1.0}, good),
        ({"u": "word"}, good),
        ({"u": 1.0}, None),
        ({"u": 1.0, "n": 1.0}, {"a": 7}),
    ):
        with pytest.raises((ValueError, TypeError)):
            model.learn_one(x, y)
        assert state(model) == before


def test_hashing_keeps_a_stream_of_new_names_in_bounds() -> None:
    model = Predtron(tasks.Multilabel(), hash_bits=4, link="l1")
    for number in range(100):
        model.learn_one({f"word {number}": 1.0}, {"a": number % 2 == 0, "b": number % 3 == 0})
    assert model.n_features_in_ == 16
