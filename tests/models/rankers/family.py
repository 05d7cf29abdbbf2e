"""Every ranker of the library, lists to learn from, and what tests of rankers share: a new algorithm is found by itself."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron import AdaGrad
from ranktron.kernels import Gaussian, Polynomial

from ...covering import alike
from .. import contract

PAPERS = ranktron.algorithms.RANKING
NAMES = tuple(sorted(ranktron.doors.RANKERS, key=PAPERS.__contains__, reverse=True))

ALTERNATIVES: dict[str, list[dict[str, Any]]] = {
    "SLAM": [
        {"measure": "ap", "step": 0.5},
        {"measure": "ndcg@3", "step": 0.1, "ties": "average", "margin": 0.5},
        {"measure": "ndcg", "soften": 1.0, "ties": "average"},
        {"measure": "ap", "soften": 0.3, "step": AdaGrad(0.5)},
        {"soften": 2.0, "step": 1.0},
        {"kernel": Polynomial(2)},
        {"kernel": Gaussian(0.1), "budget": 12, "policy": "forgetron", "soften": 0.5},
    ],
    "MinimaxRank": [
        {"measure": "ap"},
        {"measure": "ndcg@2", "margin": 3.0},
        {"kernel": Gaussian(0.1), "budget": 12, "policy": "random"},
    ],
    "ListNet": [
        {"step": 0.05, "measure": "ap"},
        {"step": AdaGrad(1.0), "measure": "ndcg"},
        {"kernel": Gaussian(0.1), "budget": 12},
    ],
    "Ranker": [
        {"query_scale": "minmax", "measure": "ndcg"},
        {"query_scale": None, "step": 0.1},
    ],
}
VARIANTS = alike([(name, parameters) for name in NAMES for parameters in ({}, *ALTERNATIVES.get(name, []))])
LINEAR_VARIANTS = alike([(name, parameters) for name, parameters in VARIANTS if "kernel" not in parameters])


def ids_of(variants: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """Readable names."""
    return [f"{name}-{'-'.join(map(str, parameters.values()))}".rstrip("-") for name, parameters in variants]


every_name = pytest.mark.parametrize("name", NAMES)
every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=ids_of(VARIANTS))
every_linear_variant = pytest.mark.parametrize(("name", "parameters"), LINEAR_VARIANTS, ids=ids_of(LINEAR_VARIANTS))
ROW_VARIANTS = alike([(name, parameters) for name, parameters in VARIANTS if name in PAPERS])
DIRECTIONS = alike([(name, parameters) for name, parameters in LINEAR_VARIANTS if name in PAPERS])
every_paper = pytest.mark.parametrize("name", PAPERS)
every_row_variant = pytest.mark.parametrize(("name", "parameters"), ROW_VARIANTS, ids=ids_of(ROW_VARIANTS))
# Those that score a row by itself, and not within its list.
every_direction = pytest.mark.parametrize(("name", "parameters"), DIRECTIONS, ids=ids_of(DIRECTIONS))

both_averages = pytest.mark.parametrize("average", [True, False], ids=["average", "last"])
fresh_and_trained = pytest.mark.parametrize("trained", [False, True], ids=["fresh", "trained"])
LEARNING = ("fit", "partial_fit", "predict_then_learn")
every_way_to_learn = pytest.mark.parametrize("method", LEARNING)


def make(name: str, **parameters: Any) -> Any:
    """A ranker."""
    return getattr(ranktron, name)(**parameters)


def plain_class(name: str) -> Any:
    """The model of that name, without scikit-learn's face."""
    return getattr(ranktron.algorithms if name in PAPERS else ranktron.doors, name)


def scores_of(model: Any, X: Any, qid: Any) -> np.ndarray:
    """What a model says of the rows of lists."""
    return model.predict(X, qid) if model.looks_within_lists else model.predict(X)


def stream(n_lists: int = 14, d: int = 4, longest: int = 7, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, grades 0 to 4 and ids, list after list: noisy, the second of one document, the third all 0, the fourth all 2."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, longest + 1, n_lists)
    sizes[1:2] = 1
    qid = np.repeat(100 + np.arange(n_lists), sizes)
    X = random.standard_normal((len(qid), d))
    value = X @ random.standard_normal(d) + random.standard_normal(len(qid))
    y = np.digitize(value, [-0.5, 0.5, 1.5, 2.5])
    y[qid == 102], y[qid == 103] = 0, 2
    return X, y, qid


def each(X: Any, y: Any, qid: Any) -> Iterator[tuple[Any, Any]]:
    """The rows and grades of each list, in the order of first appearance."""
    for one in dict.fromkeys(np.asarray(qid).tolist()):
        rows = np.flatnonzero(np.asarray(qid) == one)
        yield X[rows], y[rows]


@contract.learned_once
def model_for(name: str, parameters: dict[str, Any], trained: bool, **more: Any) -> Any:
    """A fresh model, or one that has learned some lists of four features."""
    model = make(name, **parameters, **more)
    return model.partial_fit(*stream(6, seed=7)) if trained else model


def state(model: Any) -> dict[str, Any]:
    """Everything that a model has learned, for comparing bit for bit."""
    return {} if model._learner is None else {**learned(model), "has_ids": bool(model._learner.counts[2])}


def learned(model: Any) -> dict[str, Any]:
    """The same, whether lists came with ids or not."""
    learner = model._learner
    arrays = {name: array.tobytes() for name, array in learner.arrays().items()}
    known = {"names": learner.features.names, "count": learner.features.count}
    return {**arrays, **known, "counts": learner.counts[:2].tolist(), "losses": learner.losses.tobytes()}


def told(model: Any) -> dict[str, Any]:
    """What a model says of itself, bit for bit, however much room it keeps."""
    weights = model.coef_ if model._learner.kernel_view is None else model.dual_coef_
    counts = {name: getattr(model, name) for name in ("n_seen_", "n_updates_", "cumulative_loss_", "n_features_in_")}
    return {"weights": weights.tobytes(), **counts}


def state_later(model: Any) -> dict[str, Any]:
    """The state of a copy that has learned two more lists."""
    if model._learner is None or model._frozen:
        return {}
    model = copy.deepcopy(model)
    count, names = model.n_features_in_, getattr(model, "feature_names_in_", None)
    rows = np.array([np.linspace(-1.0, 1.0, count), np.linspace(1.0, -1.0, count), np.linspace(0.5, 2.0, count)])
    more = rows if names is None else [dict(zip(names, row.tolist())) for row in rows]
    model.learn_list(more, [0, 1, 2])
    model.learn_list(more, [2, 0, 1])
    return state(model)


refused = functools.partial(contract.refused, state=state, later=state_later)
