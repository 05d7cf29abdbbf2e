"""The texts that others read, one function a format."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .rules import Rule

SOLR = "org.apache.solr.ltr"


def elasticsearch(rule: Rule, name: str) -> str:
    """The body that makes a ``model/linear`` of the learning-to-rank plugin, of Elasticsearch as of OpenSearch."""
    weights, means = _in_float32(rule)
    model: dict[str, Any] = {"type": "model/linear", "definition": json.dumps(weights)}
    if means:
        model["feature_normalizers"] = {
            feature: {"standard": {"mean": mean, "standard_deviation": 1.0}} for feature, mean in means.items()
        }
    return _text({"model": {"name": name, "model": model}})


def solr(rule: Rule, name: str) -> str:
    """A ``LinearModel`` for Solr's model store."""
    weights, means = _in_float32(rule)
    features: list[dict[str, Any]] = [{"name": feature} for feature in rule.names]
    for feature in features:
        if feature["name"] in means:
            params = {"avg": repr(means[feature["name"]]), "std": "1.0"}
            feature["norm"] = {"class": f"{SOLR}.norm.StandardNormalizer", "params": params}
    return _text({"class": f"{SOLR}.model.LinearModel", "name": name, "features": features, "params": {"weights": weights}})


def ranklib(rule: Rule, name: str) -> str:
    """A model file: without a constant a "Coordinate Ascent", with one a "Linear Regression", where it is feature 0."""
    pairs = [f"{feature}:{weight!r}" for feature, weight in enumerate(rule.weights.tolist(), start=1)]
    kind = "Coordinate Ascent"
    if rule.intercept != 0.0:
        kind, pairs = "Linear Regression", [f"0:{rule.intercept!r}", *pairs]
    return f"## {kind}\n## Name = {json.dumps(name)}\n## Features = {json.dumps(rule.names)}\n{' '.join(pairs)}"


def plain(rule: Rule, name: str) -> str:
    """Our own: what is needed to score and to grade, in plain words."""
    thresholds = _listed(rule.model, "thresholds_")
    content = {
        "format": "ranktron linear model",
        "version": 1,
        "name": name,
        "algorithm": type(rule.model).__name__,
        "weights": _by_name(rule, rule.weights),
        "intercept": rule.intercept,
        "thresholds": thresholds,
        "classes": None if thresholds is None else _listed(rule.model, "classes_"),
        "folded_scaling": _folded(rule),
    }
    return _text(content)


def _listed(model: Any, attribute: str) -> list[Any] | None:
    values = getattr(model, attribute, None)
    return None if values is None else np.asarray(values).tolist()


def _folded(rule: Rule) -> dict[str, Any] | None:
    if not rule.centres.any() and (rule.factors == 1.0).all():
        return None
    return {"centre": _by_name(rule, rule.centres), "factor": _by_name(rule, rule.factors)}


def _by_name(rule: Rule, values: np.ndarray) -> dict[str, float]:
    return dict(zip(rule.names, values.tolist(), strict=True))


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, allow_nan=False, default=str)


def _in_float32(rule: Rule) -> tuple[dict[str, float], dict[str, float]]:
    """The weights, and what to take from the features before, for a reader without a constant that rounds to float32.

    The constant goes with the feature of the largest weight: w · (x - m + c / w) = w · (x - m) + c.
    """
    rounded = _rounded(rule, "weight", rule.weights)
    heaviest = int(np.argmax(np.abs(rounded)))
    if rule.weights.any() and abs(rounded[heaviest]) < np.finfo(np.float32).tiny:
        raise ValueError("the weights are all too small for float32, in which the target computes: scale the features")
    means = np.where(rounded != 0.0, rule.centres, 0.0)
    if rounded[heaviest] != 0.0:
        means[heaviest] -= rule.constant / float(rounded[heaviest])
    _rounded(rule, "mean", means)
    shifted = {feature: mean for feature, mean in _by_name(rule, means).items() if mean != 0.0}
    return _by_name(rule, rule.weights), shifted


def _rounded(rule: Rule, what: str, values: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        rounded = values.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(rounded))
    if len(bad):
        where = f"the {what} of feature {rule.names[bad[0]]!r} would be {float(values[bad[0]])!r}"
        raise ValueError(f"{where}, too large for float32, in which the target computes: scale the features")
    return rounded
