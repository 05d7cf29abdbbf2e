"""One weight vector a class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..budget import drop, multiply, pull, shrink, spread, weight
from ..protocol import score, score_mean, update
from ..rows import add, add_both, dot, dot_mean
from .fading import scale_line, scale_sums
from .protocol import Hypothesis, columnwise, copy_line, copy_within, hypothesis, insert_rank, member, zeros


class Weights(NamedTuple):
    """W_r·x + c_r for every class r; lags as in ``Cut``."""

    W: np.ndarray
    lag: np.ndarray
    c: np.ndarray
    c_lag: np.ndarray


def weights(n_features: int, n_classes: int, average: bool, intercept: bool) -> Weights:
    """All zeros; the intercepts c are empty where none are wanted."""
    W, c = zeros(n_classes, n_features), zeros(n_classes if intercept else 0)
    return Weights(W, zeros(n_classes if average else 0, n_features), c, np.zeros_like(c))


@score.on(Weights)
def _(model, X, i, scores):
    finite = 0.0  # times a score is 0, or NaN if the score is not finite
    for r in range(scores.shape[0]):
        scores[r] = dot(X, i, model.W[r])
        if model.c.shape[0]:
            scores[r] += model.c[r]
        finite += 0.0 * scores[r]
    return finite


@score_mean.on(Weights)
def _(model, X, i, age, scores):
    if model.lag.shape[0] == 0:
        return score(model, X, i, scores)
    finite = 0.0  # times a score is 0, or NaN if the score is not finite
    for r in range(scores.shape[0]):
        scores[r] = dot_mean(X, i, model.W[r], model.lag[r], age)
        if model.c.shape[0]:
            scores[r] += age * model.c[r] - model.c_lag[r]
        finite += 0.0 * scores[r]
    return finite


@update.on(Weights)
def _(model, X, i, correction, age):
    for r in range(correction.shape[0]):
        push = correction[r]
        if push == 0.0:
            continue
        if model.lag.shape[0]:
            add_both(X, i, push, model.W[r], age * push, model.lag[r])
        else:
            add(X, i, push, model.W[r])
        if model.c.shape[0]:
            model.c[r] += push
            model.c_lag[r] += age * push


@scale_sums.on(Weights)
def _(model, factor):
    for r in range(model.lag.shape[0]):
        scale_line(model.lag[r], factor)
    scale_line(model.c_lag, factor)


@columnwise.on(Weights)
def _(model):
    return ("W", "lag")


@hypothesis.on(Weights)
def _(model, n_ranks, age):
    if len(model.lag) == 0 or age == 0:
        return Hypothesis(model.W.copy(), model.c.copy(), np.empty(0))
    return Hypothesis((age * model.W - model.lag) / age, (age * model.c - model.c_lag) / age, np.empty(0))


@insert_rank.on(Weights)
def _(model, place, projection, projection_sum):
    return Weights(*(np.insert(part, place, 0.0, axis=0) if len(part) else part for part in model))


@member.on(Weights)
def _(models, m):
    return Weights(models.W[m], models.lag[m], models.c[m], models.c_lag[m])


@drop.on(Weights)
def _(model, column):
    for r in range(model.W.shape[0]):
        model.W[r, column] = 0.0
    for r in range(model.lag.shape[0]):
        model.lag[r, column] = 0.0


@weight.on(Weights)
def _(model, column):
    total = 0.0
    for r in range(model.W.shape[0]):
        total += abs(model.W[r, column])
    return total


@spread.on(Weights)
def _(model, column, X, own):
    total = 0.0
    for r in range(model.W.shape[0]):
        total += pull(model.W[r], column, X, own)
    return total


@shrink.on(Weights)
def _(model, factor, age):
    for r in range(model.W.shape[0]):
        if model.lag.shape[0]:
            multiply(model.W[r], model.lag[r], factor, age)
        else:
            multiply(model.W[r], model.c[:0], factor, age)
    multiply(model.c, model.c_lag, factor, age)


@copy_within.on(Weights)
def _(models, source, target):
    for r in range(models.W.shape[1]):
        copy_line(models.W[:, r], source, target)
    copy_line(models.c, source, target)
