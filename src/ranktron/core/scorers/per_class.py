"""One weight vector per class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..budget import column_weight, direction_removal_cost, drop_column, multiply, removal_cost, shrink
from ..protocol import Scorer, score, score_mean, update
from ..rows import AnyRows, add, add_both, dot, dot_mean
from .protocol import (
    Hypothesis,
    Roles,
    copy_member,
    copy_member_array,
    field_roles,
    hypothesis,
    insert_rank,
    member,
    scale_array,
    scale_averages,
    zeros,
)


class PerClass(NamedTuple):
    """W_r·x + c_r for every class r; lags as in ``Thresholded``."""

    W: np.ndarray
    lag: np.ndarray
    c: np.ndarray
    c_lag: np.ndarray


def per_class(n_features: int, n_classes: int, average: bool, intercept: bool) -> PerClass:
    """All zeros; ``c`` is empty without intercepts."""
    W, c = zeros(n_classes, n_features), zeros(n_classes if intercept else 0)
    return PerClass(W, zeros(n_classes if average else 0, n_features), c, np.zeros_like(c))


@score.on(PerClass)
def score_per_class(model: PerClass, X: AnyRows, i: int, scores: np.ndarray) -> float:
    finite = 0.0  # 0 times a score is 0, or NaN if the score is not finite
    for r in range(scores.shape[0]):
        scores[r] = dot(X, i, model.W[r])
        if model.c.shape[0]:
            scores[r] += model.c[r]
        finite += 0.0 * scores[r]
    return finite


@score_mean.on(PerClass)
def score_mean_per_class(model: PerClass, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    if model.lag.shape[0] == 0:
        return score(model, X, i, scores)
    finite = 0.0  # 0 times a score is 0, or NaN if the score is not finite
    for r in range(scores.shape[0]):
        scores[r] = dot_mean(X, i, model.W[r], model.lag[r], age)
        if model.c.shape[0]:
            scores[r] += age * model.c[r] - model.c_lag[r]
        finite += 0.0 * scores[r]
    return finite


@update.on(PerClass)
def update_per_class(model: PerClass, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    for r in range(correction.shape[0]):
        push = correction[r]
        if push == 0.0:
            continue  # with many classes most have no correction
        if model.lag.shape[0]:
            add_both(X, i, push, model.W[r], age * push, model.lag[r])
        else:
            add(X, i, push, model.W[r])
        if model.c.shape[0]:
            model.c[r] += push
            model.c_lag[r] += age * push


@scale_averages.on(PerClass)
def scale_averages_per_class(model: PerClass, factor: float) -> None:
    for r in range(model.lag.shape[0]):
        scale_array(model.lag[r], factor)
    scale_array(model.c_lag, factor)


@field_roles.on(PerClass)
def field_roles_per_class(model: PerClass) -> Roles:
    return Roles(columns=("W", "lag"))


@hypothesis.on(PerClass)
def hypothesis_per_class(model: PerClass, n_ranks: int, age: float) -> Hypothesis:
    if len(model.lag) == 0 or age == 0:
        return Hypothesis(model.W.copy(), model.c.copy(), np.empty(0))
    return Hypothesis((age * model.W - model.lag) / age, (age * model.c - model.c_lag) / age, np.empty(0))


@insert_rank.on(PerClass)
def insert_rank_per_class(model: PerClass, place: int, projection: float, projection_sum: float) -> Scorer:
    return PerClass(*(np.insert(part, place, 0.0, axis=0) if len(part) else part for part in model))


@member.on(PerClass)
def member_per_class(models: PerClass, m: int) -> Scorer:
    return PerClass(models.W[m], models.lag[m], models.c[m], models.c_lag[m])


@drop_column.on(PerClass)
def drop_column_per_class(model: PerClass, column: int) -> None:
    for r in range(model.W.shape[0]):
        model.W[r, column] = 0.0
    for r in range(model.lag.shape[0]):
        model.lag[r, column] = 0.0


@column_weight.on(PerClass)
def column_weight_per_class(model: PerClass, column: int) -> float:
    total = 0.0
    for r in range(model.W.shape[0]):
        total += abs(model.W[r, column])
    return total


@removal_cost.on(PerClass)
def removal_cost_per_class(model: PerClass, column: int, X: AnyRows, own: float) -> float:
    total = 0.0
    for r in range(model.W.shape[0]):
        total += direction_removal_cost(model.W[r], column, X, own)
    return total


@shrink.on(PerClass)
def shrink_per_class(model: PerClass, factor: float, age: float) -> None:
    for r in range(model.W.shape[0]):
        if model.lag.shape[0]:
            multiply(model.W[r], model.lag[r], factor, age)
        else:
            multiply(model.W[r], model.c[:0], factor, age)
    multiply(model.c, model.c_lag, factor, age)


@copy_member.on(PerClass)
def copy_member_per_class(models: PerClass, source: int, target: int) -> None:
    for r in range(models.W.shape[1]):
        copy_member_array(models.W[:, r], source, target)
    copy_member_array(models.c, source, target)
