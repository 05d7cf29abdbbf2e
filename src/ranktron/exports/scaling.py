"""Scaling steps of a pipeline, recognised by the names of their classes: what each feature goes through before the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np


class Scaling(NamedTuple):
    """A feature becomes (feature - centre) · factor."""

    centres: np.ndarray
    factors: np.ndarray


def scaling_of(steps: Iterable[tuple[str, Any]], count: int) -> Scaling:
    """All steps together, applied one after the other."""
    centres, factors = np.zeros(count), np.ones(count)
    for name, step in steps:
        if step is not None and step != "passthrough":
            shift, factor = _affine(name, step)
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                centres, factors = centres + shift / factors, factors * factor
    return Scaling(centres, factors)


def _affine(name: str, step: Any) -> tuple[Any, Any]:
    kind = type(step).__name__
    if kind == "QueryScaler":
        raise ValueError(
            f"step {name!r} scales within each query, and a model at work sees one document: train with StandardScaler or "
            "MinMaxScaler, or let the search engine's features be scaled already and export the model alone"
        )
    if kind not in READERS:
        raise ValueError(
            f"step {name!r} is a {kind}, which cannot be folded into weights, as {', '.join(READERS)} can: "
            "do its work where the features are made, and export the model alone"
        )
    if getattr(step, "clip", False):
        raise ValueError(f"step {name!r} clips, which cannot be folded into weights: train with clip=False")
    try:
        return READERS[kind](step)
    except AttributeError:
        raise ValueError(f"step {name!r} has not learned anything yet: fit the pipeline") from None


def _standard(step: Any) -> tuple[Any, Any]:
    return step.mean_ if step.with_mean else 0.0, 1.0 / step.scale_ if step.with_std else 1.0


def _min_max(step: Any) -> tuple[Any, Any]:
    return -step.min_ / step.scale_, step.scale_


def _max_abs(step: Any) -> tuple[Any, Any]:
    return 0.0, 1.0 / step.scale_


def _robust(step: Any) -> tuple[Any, Any]:
    return step.center_ if step.with_centering else 0.0, 1.0 / step.scale_ if step.with_scaling else 1.0


# By class: what is taken from a feature, and what the rest is multiplied by.
READERS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "StandardScaler": _standard,
    "MinMaxScaler": _min_max,
    "MaxAbsScaler": _max_abs,
    "RobustScaler": _robust,
}
