"""The verbs of a task: what a prediction costs, and which way to move the scores.

A label is what the task makes of it: a class's code, the number of a row among its targets, or the grades of a list.
"""

from __future__ import annotations

from ..compile.generic import generic, inline


@generic
def loss_of(task, scores, prediction, label):
    """L(σ, y) for what is predicted by these scores."""
    return loss_between(task, prediction, label)


@generic
def errs(task, scores, prediction, label):
    """Whether there is a loss."""
    return loss_of(task, scores, prediction, label) > 0.0


@generic
def away_from_worst(task, scores, prediction, label, way):
    """Write rep(σ_y) - rep(σ̃), where σ̃ has the highest L(σ, y) + <rep(σ), t>: line 8 of Algorithm 1."""
    lead_from(task, worst(task, scores, label), scores, label, way)


@generic
def away_from_predicted(task, scores, prediction, label, way):
    """Write rep(σ_y) - rep(σ) for the prediction σ."""
    lead_from(task, prediction, scores, label, way)


# Where predictions have codes, 0, 1, …


@generic
def represent(task, code, sign, vector):
    """Add ± rep(σ); by default every prediction has a place of its own."""
    vector[code] += sign


@generic
def similarity(task, scores, code):
    """<rep(σ), t>."""
    return scores[code]


@generic
def count_predictions(task, scores):
    """How many predictions there are."""
    return scores.shape[0]


@generic
def loss_between(task, code, label):
    """L(σ, y)."""
    raise NotImplementedError


@generic
def rightful(task, label):
    """σ_y, a prediction without loss."""
    return label


@inline
def worst(task, scores, label):
    """The σ with the highest L(σ, y) + <rep(σ), t>, the lowest of equals.

    Losses are compared with losses and similarities with similarities: 1 + t would swallow what small scores differ by.
    """
    best = 0
    for code in range(1, count_predictions(task, scores)):
        ahead = loss_between(task, code, label) - loss_between(task, best, label)
        if ahead > similarity(task, scores, best) - similarity(task, scores, code):
            best = code
    return best


@inline
def lead_from(task, code, scores, label, way):
    """Write rep(σ_y) - rep(σ)."""
    for r in range(way.shape[0]):
        way[r] = 0.0
    represent(task, rightful(task, label), 1.0, way)
    represent(task, code, -1.0, way)
