"""The description of a model and its file as plain data."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from ...core.conformal import RIGHT, SEEN, TOTAL
from ...core.moments import scaling_now
from ...models import files
from ...models.kinds.list import ListModel
from ..shared.drift import drift_record
from .explanation import feature_name


def portrait(path: str, model: Any, top: int) -> dict[str, Any]:
    """The description of a model, with its strongest features."""
    header, arrays = files.read(path)
    seen = model.n_seen_
    return {
        "model": path,
        "bytes": Path(path).stat().st_size,
        "library": header["library"],
        "algorithm": header["algorithm"],
        "parameters": header["parameters"],
        "changed": _changed(model, header["parameters"]),
        "task": task_of(model),
        "examples": seen,
        "updates": model.n_updates_,
        "loss": model.cumulative_loss_ / seen if seen else None,
        "labels": _maybe(model, "classes_"),
        "thresholds": _maybe(model, "thresholds_"),
        "features": _features(model),
        "numbers": sum(array.size for array in arrays.values()),
        "votes": hasattr(model, "survived_") or getattr(model, "combine", "bpm") != "bpm",
        **_intervals(model),
        **_members(model),
        **_support(model),
        "strongest": strongest(model, top),
        "weights_per": _weights_per(model),
        "drift": drift_record(model),
        "data": model._metadata.get("data"),
    }


def _changed(model: Any, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters that are not as by default."""
    usual = {field.name: files.plain(field.default) for field in dataclasses.fields(model)}
    return {name: value for name, value in parameters.items() if value != usual.get(name)}


def task_of(model: Any) -> str:
    """What the model is for."""
    return "lists" if isinstance(model, ListModel) else "ratings" if hasattr(model, "project") else "classes"


def _maybe(model: Any, attribute: str) -> Any:
    """An attribute as plain data, None where the model has no such one."""
    found = getattr(model, attribute, None)
    return None if found is None else np.asarray(found).tolist()


def _features(model: Any) -> dict[str, Any]:
    features = model._learned.features
    weights = _weights(model)
    without = None if weights is None else int((~weights.reshape(-1, features.count).any(axis=0)).sum())
    named = features.names is not None
    return {"count": features.count, "named": named, "hash_bits": features.hash_bits, "without_weight": without}


def _intervals(model: Any) -> dict[str, Any]:
    """What intervals are made of: the rows noted, and of what share of the last ones the prediction alone was right."""
    state = model._learned.tallies.get("intervals")
    return {} if state is None or not state[SEEN] else {"noted": int(state[SEEN]), "right": float(state[RIGHT] / state[TOTAL])}


def _members(model: Any) -> dict[str, Any]:
    if hasattr(model, "n_members"):
        return {"members": model.n_members}
    return {"hypotheses": len(model.survived_)} if hasattr(model, "survived_") else {}


def _support(model: Any) -> dict[str, Any]:
    if model._learned.kernel_view is None:
        return {}
    return {"support": len(model._learned.oldest_first()), "budget": getattr(model, "budget", None)}


def strongest(model: Any, top: int) -> list[dict[str, Any]]:
    """The features of the largest weights, and the label that a weight is for where every label has its own.

    Where the model scales they are the largest per standard deviation of the feature, which is in the record too.
    """
    weights = _weights(model)
    if weights is None:
        return []
    spreads, found = _spreads(model), []
    strengths = weights if spreads is None else weights * spreads
    order = np.lexsort((np.arange(weights.size), -np.abs(strengths.ravel())))[:top]
    for row, column in zip(*(part.tolist() for part in np.unravel_index(order, weights.shape))):
        if weights[row, column] != 0.0:
            beside = {} if spreads is None else {"per_deviation": float(strengths[row, column])}
            found.append({**_whose(model, row, column, len(weights)), "weight": float(weights[row, column]), **beside})
    return found


def _weights_per(model: Any) -> str:
    """What weights are compared by: one "unit" of each feature, a "deviation" of it, or how they are scaled in a "list"."""
    if getattr(model, "looks_within_lists", False):
        return "list"
    return "unit" if _spreads(model) is None else "deviation"


def _spreads(model: Any) -> np.ndarray | None:
    """The standard deviation of every feature as the model scales by it, 0 for one that is constant; None where it does not."""
    learner = model._learned
    if learner.moments is None:
        return None
    inverse = scaling_now(learner.moments)[1][: learner.features.count]
    spreads: np.ndarray = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0.0)
    return spreads


def _weights(model: Any) -> np.ndarray | None:
    """One row, or one a label, or one of the features and one of their ranks; None with a kernel."""
    coef = getattr(model, "coef_", None)
    if coef is None:
        return None
    return np.stack([coef, model.rank_coef_]) if hasattr(model, "rank_coef_") else np.atleast_2d(coef)


def _whose(model: Any, row: int, column: int, n_rows: int) -> dict[str, Any]:
    """What a weight is of."""
    name = feature_name(model, column)
    if hasattr(model, "rank_coef_"):
        return {"feature": f"rank of {name}" if row else name}
    if n_rows == 1:
        return {"feature": name}
    labels = _maybe(model, "classes_") or []
    return {"feature": name, "label": labels[row] if row < len(labels) else row}
