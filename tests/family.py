"""Every estimator of the library, for tests that hold for all of them: a new algorithm is found by itself.

Those with a kernel have no ``coef_``; tests that look at it take the linear ones.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import ranktron
from ranktron.kernels import Gaussian, Polynomial

from .covering import alike

NAMES = alike(tuple(ranktron.doors.RATERS))
# The same without a face.
PLAIN = SimpleNamespace(**ranktron.doors.MODELS)

ALTERNATIVES: dict[str, list[dict[str, Any]]] = {
    "PRank": [
        {"ties": "strict", "forget": 0.7},
        {"kernel": Polynomial(2)},
        {"kernel": Gaussian(0.1), "budget": 12, "policy": "forgetron", "scale": "standard"},
    ],
    "NoPRank": [{"margin": "loss"}, {"margin": "distance", "trigger": "margin", "beta": 0.5}, {"scale": "settled"}],
    "MuPRank": [{"signed": True}, {"step": "theory", "gamma": 0.3}],
    "MulticlassPerceptron": [
        {"update": "uniform", "fit_intercept": True, "scale": "standard"},
        {"kernel": Gaussian(0.1), "budget": 12, "policy": "random"},
    ],
    "OrdinalLogit": [{"order": 1}],
    "WidrowHoff": [{"fit_intercept": True, "step": 0.01}, {"kernel": Gaussian(0.1), "budget": 12}],
    "OAP": [
        {"combine": "voting", "votes": "survival", "sampling": "poisson"},
        {"combine": "bagging", "tau": 0.05, "n_members": 40},
        {"scale": "standard", "forget": 0.2},
    ],
    "Voted": [{"combine": "plurality", "limit": 7}, {"combine": "median", "count": "survival"}],
}


def is_scaled(name: str, parameters: dict[str, Any]) -> bool:
    """Whether features are scaled: then dense rows and mappings of few names are centred and sparse rows are not.

    So the same numbers are not the same rows in all their forms, and a row is learned as it is scaled with it, not before it.
    """
    return (name == "Rater" and "scale" not in parameters) or parameters.get("scale") is not None


VARIANTS = alike([(name, parameters) for name in NAMES for parameters in ({}, *ALTERNATIVES.get(name, []))])
LINEAR_VARIANTS = alike([(name, parameters) for name, parameters in VARIANTS if "kernel" not in parameters])
UNSCALED = alike([variant for variant in VARIANTS if not is_scaled(*variant)])
UNSCALED_LINEAR = alike([variant for variant in LINEAR_VARIANTS if not is_scaled(*variant)])


def ids_of(variants: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """What pytest calls them."""
    return [f"{name}-{'-'.join(map(str, parameters.values()))}".rstrip("-") for name, parameters in variants]


VARIANT_IDS, LINEAR_IDS = ids_of(VARIANTS), ids_of(LINEAR_VARIANTS)


def make(name: str, library: Any = ranktron, **parameters: Any) -> Any:
    """An estimator that takes features up to 16, whatever its radius is by default, and of few members, for speed."""
    if parameters.get("average") is False:
        parameters.pop("forget", None)  # there is nothing to forget
    if name == "MuPRank":
        parameters.setdefault("radius", 16.0)
    if name == "OAP":
        parameters.setdefault("n_members", 5)
        if "average" in parameters:  # its members are averaged, or not
            parameters["estimator"] = library.PRank(average=parameters.pop("average"))
    if name == "Voted":
        parameters.setdefault("limit", 12)
        parameters.pop("average", None)
    return getattr(library, name)(**parameters)


def weights_of(model: Any) -> np.ndarray:
    """What the hypothesis weighs features by, or with a kernel the rows of its support."""
    weights: np.ndarray = model.coef_ if hasattr(model, "coef_") else model.dual_coef_
    return weights


def state(model: Any) -> dict[str, Any]:
    """Everything that a model has learned, for comparing bit for bit."""
    if model._learner is None:
        return {}
    learner = model._learner
    arrays = {name: array.tobytes() for name, array in {**learner.arrays(), **learner.tallies}.items()}
    known = {"classes": learner.labels.names, "closed": learner.labels.closed, "names": learner.features.names}
    return {**arrays, **known, "count": learner.features.count, "counts": learner.counts.tolist()}


def stream(n: int = 60, d: int = 4, k: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows and ranks 1 to k, noisy enough that every rule learns from many of them."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    value = X @ random.standard_normal(d) + random.standard_normal(n)
    return X, 1 + np.digitize(value, np.quantile(value, np.linspace(0, 1, k + 1)[1:-1]))
