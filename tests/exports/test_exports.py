"""Exported models score and sort in every target as they do here."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

import ranktron
from ranktron import export, river

from .readers import READERS, Scorer, elasticsearch, numbered, plain, rows, solr, sorts_alike, with_weights

targets = pytest.mark.parametrize("target", READERS)

ORDINAL = {
    "PRank": lambda: ranktron.PRank(),
    "PRank, the last": lambda: ranktron.PRank(average=False),
    "SiPRank": lambda: ranktron.SiPRank(),
    "NoPRank": lambda: ranktron.NoPRank(trigger="margin"),
    "MuPRank": lambda: ranktron.MuPRank(radius=16.0, signed=True),
    "ROMMAPRank": lambda: ranktron.ROMMAPRank(),
    "AROWPRank": lambda: ranktron.AROWPRank(),
    "OrdinalLogit": lambda: ranktron.OrdinalLogit(),
    "Rater": lambda: ranktron.Rater(),
    "PRank, scaled": lambda: ranktron.PRank(scale="standard"),
    "MulticlassPerceptron, scaled": lambda: ranktron.MulticlassPerceptron(scale="standard", fit_intercept=True),
    "MulticlassPerceptron": lambda: ranktron.MulticlassPerceptron(),
    "MulticlassPerceptron, constants": lambda: ranktron.MulticlassPerceptron(fit_intercept=True),
    "WidrowHoff": lambda: ranktron.WidrowHoff(step=0.01, fit_intercept=True),
    "OAP": lambda: ranktron.OAP(n_members=5),
    "OAP of classes": lambda: ranktron.OAP(estimator=ranktron.MulticlassPerceptron(fit_intercept=True), n_members=5),
    "OAP of WidrowHoff": lambda: ranktron.OAP(estimator=ranktron.WidrowHoff(step=0.01, fit_intercept=True), n_members=5),
}
SCALERS = {
    "standard": lambda: [StandardScaler()],
    "only centred": lambda: [StandardScaler(with_std=False)],
    "only divided": lambda: [StandardScaler(with_mean=False)],
    "min-max": lambda: [MinMaxScaler(feature_range=(-1, 3))],
    "max-abs": lambda: [MaxAbsScaler()],
    "robust": lambda: [RobustScaler()],
    "robust, only divided": lambda: [RobustScaler(with_centering=False)],
    "robust, only centred": lambda: [RobustScaler(with_scaling=False)],
    "in a row": lambda: [RobustScaler(), "passthrough", MinMaxScaler(), StandardScaler()],
    "nested": lambda: [make_pipeline(MaxAbsScaler(), None), StandardScaler()],
}


@targets
@pytest.mark.parametrize("kind", ORDINAL)
def test_every_model_sorts_there_as_here(kind: str, target: str) -> None:
    X, y, _ = rows()
    model = ORDINAL[kind]().fit(X, y)
    sorts_alike(export(model, target), target, model.project, X)


@targets
@pytest.mark.parametrize("kind", ["SLAM", "MinimaxRank", "ListNet"])
def test_every_ranker_sorts_there_as_here(kind: str, target: str) -> None:
    X, y, qid = rows()
    model = getattr(ranktron, kind)().fit(X, y, qid=qid)
    sorts_alike(export(model, target), target, model.predict, X)


def scaled(kind: str, model: Any) -> tuple[Any, Scorer]:
    X, y, _ = rows()
    pipeline = make_pipeline(*SCALERS[kind](), model).fit(X, y)
    return pipeline, lambda rows: pipeline[-1].project(pipeline[:-1].transform(rows))


@targets
@pytest.mark.parametrize("kind", SCALERS)
def test_scaling_is_folded_in(kind: str, target: str) -> None:
    pipeline, score = scaled(kind, ranktron.NoPRank())
    sorts_alike(export(pipeline, target), target, score, rows()[0])


@targets
def test_constants_and_scaling_together_are_the_models_own_scores(target: str) -> None:
    pipeline, score = scaled("standard", ranktron.WidrowHoff(step=0.01, fit_intercept=True))
    X = rows()[0]
    there = READERS[target](export(pipeline, target), numbered(5))(X)
    np.testing.assert_allclose(there, score(X), rtol=1e-5, atol=1e-5)


@targets
def test_a_missing_feature_is_0_before_it_is_scaled(target: str) -> None:
    pipeline, score = scaled("standard", ranktron.PRank())
    X = rows()[0]
    holes = np.where(np.arange(X.size).reshape(X.shape) % 3 == 0, np.nan, X)
    there = READERS[target](export(pipeline, target), numbered(5))(holes)
    np.testing.assert_allclose(there, score(np.nan_to_num(holes)), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("target", ["elasticsearch", "solr"])
def test_features_far_from_0_are_centred_before_float32_rounds_products(target: str) -> None:
    X = np.column_stack([12_000_000.0 + np.arange(50), np.arange(50) * 7 % 50 / 100])  # the first column is exact in float32
    pipeline = make_pipeline(StandardScaler(), ranktron.PRank()).fit(X, np.arange(50) * 4 // 50)
    there = READERS[target](export(pipeline, target), ["f1", "f2"])(X)
    here = pipeline[-1].project(pipeline[:-1].transform(X))
    np.testing.assert_allclose(there - np.median(there - here), here, rtol=0, atol=1e-5 * np.abs(here).max())


# Any weights


float32s = st.floats(-(2.0**60), 2.0**60).filter(lambda weight: weight == 0 or abs(weight) > 2.0**-60)
features = st.floats(0, 1e6, width=32).filter(lambda value: value == 0 or value > 1e-6)
means = st.floats(-1e4, 1e4).filter(lambda mean: mean == 0 or abs(mean) > 1e-6)


def with_scaling(data: st.DataObject, weights: list[float]) -> Any:
    """A model of ``weights`` behind any means and deviations."""
    d = len(weights)
    scaler = StandardScaler().fit(np.zeros((1, d)))
    scaler.mean_ = np.array(data.draw(st.lists(means, min_size=d, max_size=d)))
    scaler.scale_ = np.array(data.draw(st.lists(st.floats(1e-3, 1e3), min_size=d, max_size=d)))
    return make_pipeline(scaler, with_weights(weights))


@targets
@given(data=st.data())
def test_any_weights_and_any_scaling_give_the_exact_score_but_for_rounding(target: str, data: st.DataObject) -> None:
    d = data.draw(st.integers(1, 6))
    weights = data.draw(st.lists(float32s, min_size=d, max_size=d))
    x = data.draw(st.lists(features, min_size=d, max_size=d))
    model = with_scaling(data, weights)
    there = READERS[target](export(model, target), numbered(d))(np.array([x]))[0]
    parts = zip(weights, x, model[0].mean_.tolist(), model[0].scale_.tolist(), strict=True)
    terms = [Fraction(w) / Fraction(s) * part for w, v, m, s in parts for part in (Fraction(v), -Fraction(m))]
    assert abs(Fraction(float(there)) - sum(terms)) <= Fraction((d + 8) * 2.0**-23) * sum(map(abs, terms))


@given(st.lists(st.floats(-1e150, 1e150), min_size=1, max_size=8))
def test_no_digit_is_lost(weights: list[float]) -> None:
    model = with_weights(weights)
    assert list(json.loads(export(model, "json"))["weights"].values()) == weights
    assert [float(pair.split(":")[1]) for pair in export(model, "ranklib").splitlines()[-1].split()] == weights


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1, max_size=6, unique=True), st.text(min_size=1))
def test_any_names_come_through(names: list[str], name: str) -> None:
    model = with_weights(np.arange(1.0, len(names) + 1))
    X = np.eye(len(names))
    for target, read in READERS.items():
        text = export(model, target, name=name, feature_names=names)
        assert text.isascii()
        np.testing.assert_array_equal(read(text, names)(X), np.arange(1.0, len(names) + 1))
    assert json.loads(export(model, "solr", name=name))["name"] == name
    _, named, listed, _ = export(model, "ranklib", name=name, feature_names=names).split("\n")
    assert json.loads(named.removeprefix("## Name = ")) == name
    assert json.loads(listed.removeprefix("## Features = ")) == names


@pytest.mark.parametrize("read", [elasticsearch, solr])
def test_search_engines_go_by_names_whatever_else_their_features_are(read: Any) -> None:
    text = export(with_weights([1.0, 10.0]), read.__name__, feature_names=["title", "age"])
    assert read(text, ["age", "unused", "title"])(np.array([[2.0, 5.0, 3.0]])) == [23.0]


def test_zeros_are_written_and_a_model_of_zeros_has_no_constant_to_carry() -> None:
    model = ranktron.WidrowHoff(fit_intercept=True, average=False).partial_fit([[0.0, 0.0]], [2], classes=[1, 2])
    assert model.intercept_ > 0
    text = export(model, "elasticsearch", sample=[[1.0, 2.0]])
    assert json.loads(json.loads(text)["model"]["model"]["definition"]) == {"f1": 0.0, "f2": 0.0}
    assert elasticsearch(text, ["f1", "f2"])(np.ones((1, 2))) == 0.0
    assert json.loads(export(model, "json"))["intercept"] == model.intercept_


# Scores above 0


@pytest.mark.parametrize("target", ["elasticsearch", "opensearch", "solr", "ranklib"])
@pytest.mark.parametrize("kind", SCALERS)
def test_a_sample_lifts_all_scores_above_0_and_keeps_the_order(kind: str, target: str) -> None:
    pipeline, score = scaled(kind, ranktron.PRank())
    X = rows()[0]
    assert score(X).min() < 0
    text = export(pipeline, target, sample=X)
    there = READERS[target](text, numbered(5))(np.vstack([X, np.full((1, 5), np.nan)]))
    lowest, highest = there.min(), there.max()
    assert lowest == pytest.approx(0.1 * (highest - lowest), rel=1e-3)
    sorts_alike(text, target, score, X, lifted=True)


@given(st.integers(1, 5), st.data())
def test_not_even_rounding_gets_below_0(d: int, data: st.DataObject) -> None:
    model = with_scaling(data, data.draw(st.lists(float32s, min_size=d, max_size=d)))
    X = np.array(data.draw(st.lists(st.lists(features, min_size=d, max_size=d), min_size=1, max_size=4)))
    text = export(model, "elasticsearch", sample=X)
    assert (elasticsearch(text, numbered(d))(np.vstack([X, np.zeros(d)])) >= 0).all()


def test_a_document_without_features_gets_a_score_above_0_too() -> None:
    scaler = StandardScaler(with_std=False).fit([[10.0]])
    text = export(make_pipeline(scaler, with_weights([1.0])), "elasticsearch", sample=[[9.0], [11.0]])
    np.testing.assert_allclose(elasticsearch(text, ["f1"])(np.array([[np.nan], [9.0], [11.0]])), [1.1, 10.1, 12.1], rtol=1e-4)


def test_scores_that_are_high_enough_stay() -> None:
    model = ranktron.WidrowHoff(fit_intercept=True, average=False).partial_fit([[0.0], [1.0]], [2, 2], classes=[1, 2])
    assert model.intercept_ > 0.1 * model.coef_[0] > 0
    assert export(model, "solr", sample=[[0.5], [1.0]]) == export(model, "solr")


def test_a_sample_may_come_in_any_form() -> None:
    X, y, _ = rows()
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = ranktron.PRank().fit(frame, y)
    assert model.project(frame).min() < 0
    text = export(model, "solr", sample=X)
    assert text == export(model, "solr", sample=frame)
    sparse = json.loads(export(model, "solr", sample=csr_array(X)))["features"]
    for one, other in zip(sparse, json.loads(text)["features"], strict=True):
        assert ("norm" in one) == ("norm" in other)
        if "norm" in one:
            assert float(one["norm"]["params"]["avg"]) == pytest.approx(float(other["norm"]["params"]["avg"]))
    assert '"norm"' in text
    with pytest.raises(ValueError, match="sample should have the columns learned with"):
        export(model, "solr", sample=frame[list("badce")])


# Names and grades


def test_names_come_from_the_frame_the_mappings_or_the_columns() -> None:
    X, y, _ = rows()
    frame = pd.DataFrame(X, columns=["b m 25", 'the "age"', "größe", "d", "e"])
    for model in (ranktron.PRank().fit(frame, y), make_pipeline("passthrough", MaxAbsScaler(), ranktron.PRank()).fit(frame, y)):
        assert list(json.loads(export(model, "json"))["weights"]) == list(frame.columns)
    model = ranktron.PRank()
    model.learn_one({"title": 1.0, 7: 2.0}, 1)
    assert list(json.loads(export(model, "json"))["weights"]) == ["7", "title"]
    assert list(json.loads(export(ranktron.PRank().fit(X, y), "json"))["weights"]) == ["f1", "f2", "f3", "f4", "f5"]
    assert list(json.loads(export(model, "json", feature_names=["x", "y"]))["weights"]) == ["x", "y"]
    streamed = river.PRank()
    streamed.learn_one({"title": 1.0}, 1)
    assert list(json.loads(export(streamed, "json"))["weights"]) == ["title"]


@pytest.mark.parametrize("kind", ["PRank", "NoPRank", "MuPRank", "WidrowHoff", "OAP"])
def test_the_plain_text_grades_as_predict_does(kind: str) -> None:
    X, y, _ = rows()
    words = np.array(["bad", "fair", "good", "great"])
    pipeline = make_pipeline(MinMaxScaler(), ORDINAL[kind]().set_params(classes=words.tolist())).fit(X, words[y])
    model = json.loads(export(pipeline, "json"))
    assert model["algorithm"] == type(pipeline[-1]).__name__
    scores = plain(json.dumps(model), numbered(5))(X)
    thresholds = np.array(model["thresholds"])
    told = np.array(model["classes"])[[np.sum(score >= thresholds) for score in scores]]
    clear = np.abs(scores[:, None] - thresholds).min(axis=1) > 1e-9
    assert clear.mean() > 0.9
    assert (told == pipeline.predict(X))[clear].all()


def test_the_plain_text_says_what_was_folded_in() -> None:
    pipeline, _ = scaled("min-max", ranktron.PRank())
    model = json.loads(export(pipeline, "json"))
    factors = np.array(list(model["folded_scaling"]["factor"].values()))
    centres = np.array(list(model["folded_scaling"]["centre"].values()))
    np.testing.assert_allclose((rows()[0] - centres) * factors, pipeline[0].transform(rows()[0]))
    np.testing.assert_allclose(list(model["weights"].values()), pipeline[-1].coef_ * factors)
    alone = json.loads(export(ranktron.MulticlassPerceptron().fit(*rows()[:2]), "json"))
    assert alone["folded_scaling"] is alone["thresholds"] is alone["classes"] is None


def test_exporting_loads_no_scikit_learn_and_compiles_nothing() -> None:
    heavy = "{'sklearn', 'scipy', 'numba', 'river'}"
    code = f"import sys, ranktron.exports; sys.exit(repr({heavy} & set(sys.modules)) if {heavy} & set(sys.modules) else 0)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_steps_are_told_by_their_class_and_not_by_their_library() -> None:
    foreign = type("MaxAbsScaler", (), {})()
    foreign.scale_ = np.array([2.0, 4.0])
    pipeline = SimpleNamespace(steps=[("scale", foreign), ("rank", with_weights([1.0, 1.0]))])
    assert json.loads(export(pipeline, "json"))["weights"] == {"f1": 0.5, "f2": 0.25}
