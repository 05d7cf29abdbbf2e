"""Learners that are given all rows at once: PRank's family, and scikit-learn's support vector machines."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..crammer_singer.synthetic import Method

PASSES = 100
WIDTHS = (0.1, 0.5)
"""ε of SVR, which is not stated: scikit-learn's, and half a rank."""

Learner = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]
"""From rows, ranks 1 to k, fresh rows and k to the ranks of the fresh rows."""


def by_ours(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int, method: Method) -> np.ndarray:
    """What an estimator of ranktron says."""
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # WH may diverge
        told: np.ndarray = method.made(list(range(1, n_ranks + 1))).fit(X, y).predict(fresh)
    return told


def by_machine(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int, make: Callable[[], Any]) -> np.ndarray:
    """What a machine says, rounded to the nearest rank."""
    if len(set(y.tolist())) == 1:  # which a machine for classes refuses
        return np.full(len(fresh), y[0])
    told = make().fit(X, y).predict(fresh)
    return np.clip(np.floor(told + 0.5), 1, n_ranks)


def multi_class(cost: float) -> Any:
    """Crammer & Singer's machine for several classes; the rows have a constant where they need one."""
    from sklearn.svm import LinearSVC

    liblinear = {"tol": 0.1, "max_iter": 100_000}  # its own tolerance for this problem; scikit-learn's is hardly ever reached
    return LinearSVC(multi_class="crammer_singer", C=cost, fit_intercept=False, random_state=0, **liblinear)


def one_against_one(cost: float) -> Any:
    """A machine for every two classes, which vote."""
    from sklearn.svm import SVC

    return SVC(kernel="linear", C=cost)


def regression(cost: float, width: float) -> Any:
    """Support vector regression."""
    from sklearn.svm import SVR

    return SVR(kernel="linear", C=cost, epsilon=width)


def ours(kind: str, **parameters: Any) -> Learner:
    """An estimator of ranktron."""
    return partial(by_ours, method=Method(kind, parameters))


PRANKS: dict[str, Learner] = {
    "PRank": ours("PRank"),
    f"PRank, {PASSES} passes": ours("PRank", epochs=PASSES),
    "averaged PRank": ours("PRank", average=True),
    f"averaged PRank, {PASSES} passes": ours("PRank", average=True, epochs=PASSES),
}
BASELINES: dict[str, Learner] = {"MCP": ours("MulticlassPerceptron"), "WH, step 0.05": ours("WidrowHoff", step=0.05)}


def machines(costs: Sequence[float]) -> dict[str, Learner]:
    """The machines with each cost of errors C."""
    made: dict[str, Callable[[], Any]] = {
        **{f"multi-class SVM, C {cost:g}": partial(multi_class, cost) for cost in costs},
        **{f"one-against-one SVM, C {cost:g}": partial(one_against_one, cost) for cost in costs},
        **{f"SVR, C {cost:g}, ε {width:g}": partial(regression, cost, width) for cost in costs for width in WIDTHS},
    }
    return {name: partial(by_machine, make=make) for name, make in made.items()}
