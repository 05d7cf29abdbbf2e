"""Learners that get all rows at once: PRank's family, and scikit-learn's support vector machines."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..crammer_singer.synthetic import Method

PASSES = 100
# The slides do not state ε of SVR: these are scikit-learn's default and half a rank.
WIDTHS = (0.1, 0.5)

# A function of rows, ranks from 1 to k, fresh rows and k, which returns the ranks of the fresh rows.
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]


def by_ours(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int, method: Method) -> np.ndarray:
    """The predictions of one of our estimators."""
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # WH may diverge
        predicted: np.ndarray = method.estimator(list(range(1, n_ranks + 1))).fit(X, y).predict(fresh)
    return predicted


def by_machine(X: np.ndarray, y: np.ndarray, fresh: np.ndarray, n_ranks: int, make: Callable[[], Any]) -> np.ndarray:
    """The predictions of a machine, rounded to the nearest rank."""
    if len(set(y.tolist())) == 1:  # a classifier refuses a single class
        return np.full(len(fresh), y[0])
    predicted = make().fit(X, y).predict(fresh)
    return np.asarray(np.clip(np.floor(predicted + 0.5), 1, n_ranks))


def multi_class(cost: float) -> Any:
    """Crammer & Singer's machine for several classes, without an intercept: the rows have a constant if they need one."""
    from sklearn.svm import LinearSVC

    # liblinear's own tolerance for this problem; scikit-learn's is hardly ever reached.
    liblinear = {"tol": 0.1, "max_iter": 100_000}
    return LinearSVC(multi_class="crammer_singer", C=cost, fit_intercept=False, random_state=0, **liblinear)


def one_against_one(cost: float) -> Any:
    """A machine for each pair of classes; their votes decide."""
    from sklearn.svm import SVC

    return SVC(kernel="linear", C=cost)


def regression(cost: float, width: float) -> Any:
    """Support vector regression."""
    from sklearn.svm import SVR

    return SVR(kernel="linear", C=cost, epsilon=width)


def ours(kind: str, **parameters: Any) -> Learner:
    """One of our estimators as a learner."""
    return partial(by_ours, method=Method(kind, parameters))


PRANKS: dict[str, Learner] = {
    "PRank": ours("PRank"),
    f"PRank, {PASSES} passes": ours("PRank", epochs=PASSES),
    "averaged PRank": ours("PRank", average=True),
    f"averaged PRank, {PASSES} passes": ours("PRank", average=True, epochs=PASSES),
}
BASELINES: dict[str, Learner] = {"MCP": ours("MulticlassPerceptron"), "WH, step 0.05": ours("WidrowHoff", step=0.05)}


def machines(costs: Sequence[float]) -> dict[str, Learner]:
    """The machines with each cost C of errors."""
    estimator: dict[str, Callable[[], Any]] = {
        **{f"multi-class SVM, C {cost:g}": partial(multi_class, cost) for cost in costs},
        **{f"one-against-one SVM, C {cost:g}": partial(one_against_one, cost) for cost in costs},
        **{f"SVR, C {cost:g}, ε {width:g}": partial(regression, cost, width) for cost in costs for width in WIDTHS},
    }
    return {name: partial(by_machine, make=make) for name, make in estimator.items()}
