"""The River face: River's own checks, evaluation, pipelines, and files shared with the scikit-learn face."""

from __future__ import annotations

import doctest
import math
from pathlib import Path
from typing import Any

import pytest
from river import base, checks, compose, datasets, ensemble, evaluate, metrics, preprocessing

import ranktron
import ranktron.river

from ..family import NAMES, VARIANT_IDS, VARIANTS, make, state, stream

every_name = pytest.mark.parametrize("name", NAMES)
every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)


def river(name: str, **parameters: Any) -> Any:
    """River's datasets hold numbers up to some ten thousand."""
    if name == "MuPRank":
        parameters.setdefault("radius", 1e6)
    return make(name, ranktron.river, **parameters)


def examples(n: int = 60) -> list[tuple[dict[str, float], int]]:
    X, y = stream(n)
    return [(dict(zip("abcd", row.tolist())), int(label)) for row, label in zip(X, y)]


def cases() -> list[Any]:
    """Every check with every algorithm. The gate has a third of them with each algorithm's defaults: the face is the same."""
    models = [(label, river(name, **parameters), parameters) for (name, parameters), label in zip(VARIANTS, VARIANT_IDS)]
    return [
        pytest.param(model, check, id=f"{label}-{number}", marks=pytest.mark.full if parameters or (number - place) % 3 else ())
        for place, (label, model, parameters) in enumerate(models)
        for number, check in enumerate(checks.yield_checks(model))
    ]


@pytest.mark.parametrize(("model", "check"), cases())
def test_rivers_own_checks(model: Any, check: Any) -> None:
    check(model.clone())


@every_name
def test_every_algorithm_is_a_river_classifier(name: str) -> None:
    model = river(name)
    assert isinstance(model, base.Classifier)
    assert model._multiclass
    assert name in ranktron.river.__all__


@every_name
def test_before_any_label_the_answer_is_none(name: str) -> None:
    model = river(name)
    assert model.predict_one({"a": 1.0}) is None
    assert model.predict_one({}) is None
    assert model.learn_one({"a": 1.0}, 3) is None
    assert model.predict_one({"a": 1.0}) == 3


@every_name
def test_given_classes_it_answers_at_once(name: str) -> None:
    assert river(name, classes=["low", "high"]).predict_one({"a": 1.0}) in ("low", "high")


@every_variant
def test_both_faces_learn_the_same(name: str, parameters: dict[str, Any]) -> None:
    ours, theirs = make(name, **parameters), make(name, ranktron.river, **parameters)
    for x, y in examples():
        ours.learn_one(x, y)
        theirs.learn_one(x, y)
        assert ours.predict_one(x) == theirs.predict_one(x)
    assert state(ours) == state(theirs)


@every_name
def test_progressive_validation_is_predict_then_learn(name: str) -> None:
    model, metric = river(name), metrics.Accuracy()
    evaluate.progressive_val_score(examples(), model, metric)
    twin, right = river(name), []
    for x, y in examples():
        told = twin.predict_one(x)
        right += [] if told is None else [told == y]
        twin.learn_one(x, y)
    assert metric.get() == pytest.approx(sum(right) / len(right))
    assert state(model) == state(twin)


@every_name
def test_a_dataset_of_river_with_a_scaler_is_learned(name: str) -> None:
    model = preprocessing.StandardScaler() | river(name, **({"step": 0.01} if name == "WidrowHoff" else {}))
    metric = evaluate.progressive_val_score(datasets.Phishing().take(400), model, metrics.Accuracy())
    assert metric.get() > (0.4 if name in ("MuPRank", "WidrowHoff") else 0.75)


@every_name
def test_words_as_labels(name: str) -> None:
    model = preprocessing.MinMaxScaler() | river(name)
    metric = evaluate.progressive_val_score(datasets.ImageSegments().take(150), model, metrics.MacroF1())
    assert 0 <= metric.get() <= 1
    learned = model[-1]
    assert learned.classes_.tolist() == sorted(learned.classes_.tolist())
    assert all(isinstance(label, str) for label in learned.classes_.tolist())


@every_name
def test_composition(name: str) -> None:
    model = compose.TransformerUnion(compose.Select("a", "b"), compose.Select("c") | preprocessing.StandardScaler()) | river(name)
    for x, y in examples():
        model.learn_one(x, y)
    assert set(model[-1].feature_names_in_) == {"a", "b", "c"}
    assert model.predict_one({"a": 1.0, "b": 0.0, "c": 0.5, "d": 7.0}) in {1, 2, 3, 4, 5}


@every_variant
def test_clones_keep_parameters_and_forget(name: str, parameters: dict[str, Any]) -> None:
    model = river(name, **parameters)
    for x, y in examples():
        model.learn_one(x, y)
    again = model.clone()
    assert again.predict_one({"a": 1.0}) is None
    assert again._get_params() == model._get_params()
    other = model.clone(new_params={"missing": "zero", "classes": [1, 2]})
    assert (other.missing, model.missing) == ("zero", "error")
    for x, y in examples():
        again.learn_one(x, y)
    assert state(again) == state(model)


@every_name
def test_a_clone_with_attributes_is_independent(name: str) -> None:
    model = river(name)
    for x, y in examples():
        model.learn_one(x, y)
    before = state(model)
    twin = model.clone(include_attributes=True)
    assert state(twin) == before
    for x, y in examples():
        twin.learn_one(x, y)
    assert state(model) == before


@every_variant
def test_files_are_shared_by_the_two_faces(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    model = river(name, **parameters)
    for x, y in examples():
        model.learn_one(x, y)
    model.save(tmp_path / "model")
    ours, theirs = ranktron.load(tmp_path / "model"), ranktron.river.load(tmp_path / "model")
    assert type(ours) is getattr(ranktron, name)
    assert type(theirs) is type(model)
    assert state(ours) == state(theirs) == state(model)
    for x, y in examples(90)[60:]:
        for one in (model, ours, theirs):
            one.learn_one(x, y)
    assert state(ours) == state(theirs) == state(model)
    ours.save(tmp_path / "again")
    assert state(ranktron.river.load(tmp_path / "again")) == state(model)


@every_name
def test_a_bad_value_is_refused_and_changes_nothing(name: str) -> None:
    model = river(name)
    for x, y in examples(20):
        model.learn_one(x, y)
    before = state(model)
    for x, y in (({"a": math.nan, "new": 1.0}, 1), ({"a": "word"}, 1), ({"a": 1.0}, None)):
        with pytest.raises((ValueError, TypeError)):
            model.learn_one(x, y)
    with pytest.raises(ValueError, match="NaN"):
        model.predict_one({"a": math.nan})
    assert state(model) == before


def test_the_example_in_the_modules_docstring_runs() -> None:
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(ranktron.river.__doc__ or ""):
        exec(example.source, names)
    assert names["model"][-1].n_seen_ > 0


@every_name
def test_hashing_keeps_a_stream_of_new_names_in_bounds(name: str) -> None:
    model = river(name, hash_bits=4)
    for number in range(200):
        model.learn_one({f"word {number}": 1.0}, number % 3)
    assert model.n_features_in_ == 16


@every_variant
def test_shares_add_up_and_rivers_ensembles_work(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, ranktron.river, **parameters)
    assert model.predict_proba_one({"a": 1.0}) == {}
    for x, y in examples():
        model.learn_one(x, y)
    shares = model.predict_proba_one({"a": 1.0, "b": 0.5, "c": -1.0})
    assert list(shares) == [1, 2, 3, 4, 5]
    assert sum(shares.values()) == pytest.approx(1.0)
    if not hasattr(model, "predict_proba"):
        assert shares[model.predict_one({"a": 1.0, "b": 0.5, "c": -1.0})] == 1.0


def test_a_bag_of_our_learners_predicts() -> None:
    bag = ensemble.BaggingClassifier(ranktron.river.PRank(), n_models=3, seed=1)
    metric = evaluate.progressive_val_score(examples(400), bag, metrics.Accuracy())
    assert metric.get() > 0.25
