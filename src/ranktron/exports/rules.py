"""A linear model, and the scaling before it, as one rule for features as they come."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..models.kinds.model import Model
from ..models.labels import short

# How far above 0 the lowest score of a sample is put, as a share of the range of its scores.
HEADROOM = 0.1

# Scaling steps, recognised by the names of their classes: what is taken from a feature, and what the rest is multiplied by.
SCALERS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "StandardScaler": lambda step: (step.mean_ if step.with_mean else 0.0, 1.0 / step.scale_ if step.with_std else 1.0),
    "MinMaxScaler": lambda step: (-step.min_ / step.scale_, step.scale_),
    "MaxAbsScaler": lambda step: (0.0, 1.0 / step.scale_),
    "RobustScaler": lambda step: (step.center_ if step.with_centering else 0.0, 1.0 / step.scale_ if step.with_scaling else 1.0),
}


@dataclasses.dataclass(frozen=True)
class Rule:
    """The score Σ weight · (feature - centre) + constant, for features as they come."""

    model: Any
    names: list[str]
    learned_names: list[Any] | None
    weights: np.ndarray
    centres: np.ndarray
    factors: np.ndarray  # which are in the weights already
    constant: float

    @property
    def intercept(self) -> float:
        """The score where all features are 0."""
        return self.constant - math.fsum(self.weights * self.centres)

    def above_zero(self, sample: Any) -> Rule:
        """This rule with a constant that puts the scores of ``sample`` above 0, in float32 too."""
        X = self._rows(sample)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.append(X @ self.weights, 0.0) + self.intercept
            terms = float((abs(X) @ abs(self.weights)).max() + abs(self.weights * self.centres).sum())
        if not math.isfinite(terms):
            raise ValueError("sample holds NaN or infinity, or numbers too large for the weights: fill it, or scale the features")
        lowest, highest = float(scores.min()), float(scores.max())
        rounding = (len(self.weights) + 8) * 2.0**-23 * (terms + abs(self.constant) + abs(lowest))
        lift = HEADROOM * (highest - lowest) + rounding - lowest
        return dataclasses.replace(self, constant=self.constant + max(lift, 0.0))

    def _rows(self, sample: Any) -> Any:
        columns = list(getattr(sample, "columns", ()))
        if self.learned_names and columns and isinstance(columns[0], str) and columns != self.learned_names:
            raise ValueError(f"sample should have the columns learned with, {short(self.learned_names)}, not {short(columns)}")
        X = sample.tocsr() if hasattr(sample, "tocsr") else np.asarray(sample, np.float64)
        if X.ndim != 2 or X.shape[0] == 0 or X.shape[1] != len(self.weights):
            raise ValueError(f"sample should be rows of {len(self.weights)} features, got an array of shape {X.shape}")
        return X


def as_rule(model: Any, feature_names: Iterable[Any] | None) -> Rule:
    """The rule by which ``model`` sorts."""
    steps = _steps_of("", model)
    final = steps.pop()[1]
    weights, constant = _linear(final)
    centres, factors = _scaling_of(steps, len(weights))
    learned = _learned_names([model, *(step for _, step in steps), final])
    names = _names(learned if feature_names is None else feature_names, len(weights))
    with np.errstate(over="ignore", invalid="ignore"):
        rule = Rule(final, names, learned, weights * factors, centres, factors, constant)
        _check_finite(rule)
    return rule


def _steps_of(name: str, model: Any) -> list[tuple[str, Any]]:
    """The named steps of a pipeline, and of the pipelines in it; anything else is its own."""
    steps = getattr(model, "steps", None)
    if not isinstance(steps, list) or not steps:
        return [(name, model)]
    return [found for inner, step in steps for found in _steps_of(inner, step)]


def _scaling_of(steps: Iterable[tuple[str, Any]], count: int) -> tuple[np.ndarray, np.ndarray]:
    """The centres and factors of all steps together, applied one after the other."""
    centres, factors = np.zeros(count), np.ones(count)
    for name, step in steps:
        if step is not None and step != "passthrough":
            shift, factor = _affine(name, step)
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                centres, factors = centres + shift / factors, factors * factor
    return centres, factors


def _affine(name: str, step: Any) -> tuple[Any, Any]:
    kind = type(step).__name__
    if kind == "QueryScaler":
        raise ValueError(
            f"step {name!r} scales within each query, and a model at work sees one document: train with StandardScaler or "
            "MinMaxScaler, or let the search engine's features be scaled already and export the model alone"
        )
    if kind not in SCALERS:
        raise ValueError(
            f"step {name!r} is a {kind}, which cannot be folded into weights, as {', '.join(SCALERS)} can: "
            "do its work where the features are made, and export the model alone"
        )
    if getattr(step, "clip", False):
        raise ValueError(f"step {name!r} clips, which cannot be folded into weights: train with clip=False")
    try:
        return SCALERS[kind](step)
    except AttributeError:
        raise ValueError(f"step {name!r} has not learned anything yet: fit the pipeline") from None


def _linear(model: Any) -> tuple[np.ndarray, float]:
    """The weights and the constant by which a model sorts rows as it gets them."""
    kind = type(model).__name__
    if not isinstance(model, Model):
        raise TypeError(f"export takes a linear model of ranktron, or a pipeline that ends in one, not {kind}")
    _check_linear(model, kind)
    coef: np.ndarray = np.asarray(model.coef_, np.float64)
    intercept: np.ndarray = np.asarray(getattr(model, "intercept_", 0.0), np.float64)
    if coef.ndim == 2 and len(coef) == 1:  # one score, whose sign decides
        coef, intercept = coef[0], intercept[0]
    elif coef.ndim == 2:  # one row a class, weighed as MulticlassPerceptron.project does
        ranks = np.arange(len(coef)) - (len(coef) - 1) / 2
        coef, intercept = ranks @ coef, ranks @ intercept
    return coef, float(intercept)


def _check_linear(model: Any, kind: str) -> None:
    learner = model._learned
    if getattr(model, "looks_within_lists", False):
        raise ValueError(
            f"this {kind} scales features within each list, so that a document by itself has no score: learn with "
            "query_scale=None, on features that are scaled already"
        )
    if getattr(model, "combine", "bpm") != "bpm":
        raise ValueError(f"this {kind} sorts by the votes of many hypotheses, which are not a weighted sum: average instead")
    if learner.features.hash_bits is not None:
        raise ValueError(f"this {kind} has hashed its features, so that no name has a weight of its own: learn without hash_bits")
    if hasattr(model, "coef_") and not hasattr(model, "project") and np.ndim(model.coef_) == 2 and len(model.coef_) > 1:
        raise ValueError(f"this {kind} has a score for each of {len(model.coef_)} labels and none to sort by: export a ranker")
    if not hasattr(model, "coef_"):
        raise ValueError(f"this {kind} has a kernel, and so is not a weighted sum of features: learn without one")


def _learned_names(parts: Iterable[Any]) -> list[Any] | None:
    for part in parts:
        names = getattr(part, "feature_names_in_", None)
        if names is not None:
            return list(names)
    return None


def _names(given: Iterable[Any] | None, count: int) -> list[str]:
    if given is None:
        return [f"f{column + 1}" for column in range(count)]
    if isinstance(given, str):
        raise TypeError(f"feature_names={given!r} should be a sequence of names, one a feature")
    names = [str(name) for name in given]
    if len(names) != count:
        raise ValueError(f"feature_names should be {count} names, one a feature, not {len(names)}")
    seen: set[str] = set()
    for name in names:
        if not name or name in seen:
            raise ValueError(f"the feature name {name!r} is {'there twice' if name else 'empty'}; pass other feature_names=")
        seen.add(name)
    return names


def _check_finite(rule: Rule) -> None:
    sizes = np.abs(rule.weights * rule.centres)
    bad = np.flatnonzero(~np.isfinite(sizes))
    if len(bad):
        raise ValueError(f"the weight of feature {rule.names[bad[0]]!r} overflows with the scaling folded in: scale it less")
    if not math.isfinite(sizes.sum() + abs(rule.constant)):
        raise ValueError("the constant overflows with the scaling folded in: scale the features less")
