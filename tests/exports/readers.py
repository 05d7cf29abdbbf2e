"""Readers of exported models, written from what each format means: Java's float is float32 here, its double float64.

A feature that a document lacks is NaN in the rows that they score.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

import ranktron

Scorer = Callable[[np.ndarray], np.ndarray]
JAVA = np.float32


def _dot(X: np.ndarray, weights: np.ndarray, normalisers: dict[int, Callable[[np.ndarray], np.ndarray]]) -> np.ndarray:
    """As LinearRanker and LinearModel: features that did not match are 0, are then normalised, and are added up in float32."""
    score = np.zeros(len(X), JAVA)
    for i, column in enumerate(np.nan_to_num(X, nan=0.0).astype(JAVA).T):
        score += normalisers.get(i, lambda values: values)(column) * weights[i]
    return score


def _standard(mean: Any, deviation: Any) -> Callable[[np.ndarray], np.ndarray]:
    assert np.isfinite(JAVA(mean))
    assert JAVA(deviation) > 0, "the normaliser is refused otherwise"
    return lambda values: (values - JAVA(mean)) / JAVA(deviation)


def elasticsearch(text: str, feature_set: list[str]) -> Scorer:
    """What ``_createmodel`` takes: unknown fields and unknown features are errors, features without a weight weigh 0."""
    body = json.loads(text)
    assert set(body) == {"model"}
    assert set(body["model"]) == {"name", "model"}
    model = body["model"]["model"]
    assert model.pop("type") == "model/linear"
    weights, ordinals = np.zeros(len(feature_set), JAVA), {name: i for i, name in enumerate(feature_set)}
    for name, weight in json.loads(model.pop("definition")).items():
        assert isinstance(weight, float)
        weights[ordinals[name]] = weight
    normalisers = {}
    for name, definition in model.pop("feature_normalizers", {}).items():
        (kind, parts), *more = definition.items()
        assert (kind, more) == ("standard", [])
        assert set(parts) == {"mean", "standard_deviation"}
        normalisers[ordinals[name]] = _standard(parts["mean"], parts["standard_deviation"])
    assert not model, "the plugin knows no other field"
    return lambda X: _dot(X, weights, normalisers)


def solr(text: str, store: list[str]) -> Scorer:
    """What the model store takes: features of the feature store, each once, with a weight and perhaps a normaliser."""
    model = json.loads(text)
    assert model["class"] == "org.apache.solr.ltr.model.LinearModel"
    assert isinstance(model["name"], str)
    names = [feature["name"] for feature in model["features"]]
    assert len(set(names)) == len(names) > 0
    norms = {}
    for i, feature in enumerate(model["features"]):
        if "norm" in feature:
            assert feature["norm"]["class"] == "org.apache.solr.ltr.norm.StandardNormalizer"
            norms[i] = _standard(*(feature["norm"]["params"][part] for part in ("avg", "std")))
    weights = np.array([model["params"]["weights"][name] for name in names]).astype(JAVA)
    columns = [store.index(name) for name in names]
    return lambda X: _dot(X[:, columns], weights, norms)


def ranklib(text: str, names: list[str]) -> Scorer:
    """The first line names the ranker; one line is without ##, as some versions read the first such and some the last."""
    lines = text.splitlines()
    kind = lines[0].replace("## ", "").strip().upper()
    (line,) = (line for line in lines if line.strip() and not line.startswith("##"))
    pairs = [(int(pair.split(":")[0]), float(pair.split(":")[1])) for pair in line.split(" ")]
    constant = 0.0
    if kind == "LINEAR REGRESSION":
        constant = dict(pairs).get(0, 0.0)
        pairs = [(feature, weight) for feature, weight in pairs if feature > 0]
    else:
        assert kind == "COORDINATE ASCENT"
    assert [feature for feature, _ in pairs] == list(range(1, len(names) + 1)), "feature 0 and those beyond the last do not exist"
    return lambda X: constant + sum(weight * np.nan_to_num(X[:, i - 1]).astype(JAVA).astype(float) for i, weight in pairs)


def plain(text: str, names: list[str]) -> Scorer:
    """docs/export.md says what it means."""
    model = json.loads(text)
    assert (model["format"], model["version"]) == ("ranktron linear model", 1)
    return lambda X: model["intercept"] + sum(model["weights"][name] * np.nan_to_num(X[:, i]) for i, name in enumerate(names))


READERS = {"elasticsearch": elasticsearch, "opensearch": elasticsearch, "solr": solr, "ranklib": ranklib, "json": plain}


def numbered(d: int) -> list[str]:
    """The names of features that have none."""
    return [f"f{i + 1}" for i in range(d)]


def rows(n: int = 80, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features that a search engine could compute, grades and queries."""
    random = np.random.default_rng(seed)
    X = random.random((n, 5)) * [1.0, 12.0, 0.3, 5.0, 2.0]
    value = X @ [1.0, -0.1, 2.0, 0.2, -1.0] + 0.3 * random.standard_normal(n)
    return X, np.digitize(value, np.quantile(value, [0.3, 0.6, 0.9])), np.sort(random.integers(0, 8, n))


def sorts_alike(text: str, target: str, score: Scorer, X: np.ndarray, lifted: bool = False) -> None:
    """Scores are equal but for rounding, and a constant if ``lifted``; what rounding cannot turn is in the order of ``score``."""
    d = X.shape[1]
    here, there = score(X), READERS[target](text, numbered(d))(X).astype(float)
    zero = score(np.zeros((1, d)))[0]
    terms = np.abs(X).max(axis=0) @ np.abs(score(np.eye(d)) - zero) + abs(zero)
    rounding = (d + 8) * (2.0**-50 if target == "json" else 2.0**-23) * terms
    np.testing.assert_allclose(there - np.median(there - here) * lifted, here, rtol=0, atol=rounding)
    clear = here[:, None] - here > 2 * rounding
    assert clear.mean() > 0.45, "half of all ordered pairs, but for ties and near ties"
    assert (there[:, None] > there)[clear].all()


def with_weights(weights: Any) -> Any:
    """PRank that has learned one row, wrongly ranked as above the threshold: w = 0 - x."""
    row = np.asarray(weights, float)
    model = ranktron.PRank(average=False).partial_fit(-row[None], [1], classes=[1, 2])
    assert (model.coef_ == row).all()
    return model
