"""Every estimator of the library, for tests that hold for all of them: a new algorithm is found by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

import ranktron

NAMES = tuple(ranktron.algorithms.__all__)

ALTERNATIVES: dict[str, list[dict[str, Any]]] = {
    "PRank": [{"ties": "strict"}],
    "NoPRank": [{"margin": "loss"}, {"margin": "distance", "trigger": "margin", "beta": 0.5}],
    "MuPRank": [{"signed": True}, {"step": "theory", "gamma": 0.3}],
    "MulticlassPerceptron": [{"update": "uniform", "fit_intercept": True}],
    "WidrowHoff": [{"fit_intercept": True, "step": 0.01}],
}
VARIANTS = [(name, parameters) for name in NAMES for parameters in ({}, *ALTERNATIVES.get(name, []))]
VARIANT_IDS = [f"{name}-{'-'.join(map(str, parameters.values()))}".rstrip("-") for name, parameters in VARIANTS]


def make(name: str, **parameters: Any) -> Any:
    """An estimator that takes features up to 16, whatever its radius is by default."""
    if name == "MuPRank":
        parameters.setdefault("radius", 16.0)
    return getattr(ranktron, name)(**parameters)


def state(model: Any) -> dict[str, Any]:
    """Everything that a model has learned, for comparing bit for bit."""
    if model._learner is None:
        return {}
    learner = model._learner
    arrays = {name: array.tobytes() for name, array in learner.arrays().items()}
    known = {"classes": learner.labels.names, "closed": learner.labels.closed, "names": learner.features.names}
    return {**arrays, **known, "count": learner.features.count, "counts": learner.counts.tolist()}


def stream(n: int = 60, d: int = 4, k: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows and ranks 1 to k, noisy enough that every rule learns from many of them."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    value = X @ random.standard_normal(d) + random.standard_normal(n)
    return X, 1 + np.digitize(value, np.quantile(value, np.linspace(0, 1, k + 1)[1:-1]))
