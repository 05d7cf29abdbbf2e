"""A user's own task: how loops call it, and the check of what it returns."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..core.protocol import compiles
from .protocol import away_from_predicted, away_from_worst, loss_of


class Own(NamedTuple):
    """A user's own task; a label is the number of one of its ``targets``."""

    task: Any
    targets: Any


@compiles.on(Own)
def compiles_own(own: Own) -> bool:
    return False


# Scores are copied for each call, because a user's method may write into its argument.


@loss_of.on(Own)
def loss_of_own(own: Own, scores: np.ndarray, prediction: Any, label: int) -> float:
    decoded, y = own.task.decode(scores.copy()), own.targets[label]
    loss = float(own.task.loss_of(decoded, y))
    if not 0.0 <= loss < math.inf:
        raise ValueError(f"{type(own.task).__name__}: the loss of {decoded!r:.60} for {y!r:.60} is {loss}; expected 0 or more")
    return loss


@away_from_worst.on(Own)
def away_from_worst_own(own: Own, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray) -> None:
    y = own.targets[label]
    worst = own.task.loss_augmented(scores.copy(), y)
    direction[:] = np.subtract(_rep(own, own.task.correct(y, scores.copy())), _rep(own, worst))


@away_from_predicted.on(Own)
def away_from_predicted_own(own: Own, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray) -> None:
    decoded = own.task.decode(scores.copy())
    direction[:] = np.subtract(_rep(own, own.task.correct(own.targets[label], scores.copy())), _rep(own, decoded))


def _rep(own: Own, prediction: Any) -> np.ndarray:
    vector = np.asarray(own.task.representation(prediction), float)
    if vector.shape != (own.task.n_scores,):
        raise ValueError(
            f"{type(own.task).__name__}: the representation of {prediction!r:.60} has shape {vector.shape}; "
            f"by n_scores it should be ({own.task.n_scores},)"
        )
    return vector


def check(task: Any, labels: Any, predictions: Any = None, trials: int = 100, seed: int = 0, tolerance: float = 1e-9) -> None:
    """Raise a ValueError that names the law if a task breaks one, of section 2.1 of the paper or of line 8 of Algorithm 1.

    ``labels`` are some labels. ``predictions`` are all predictions; by default they are the labels. Scores are drawn ``trials``
    times.
    """
    predictions = list(labels if predictions is None else predictions)
    vectors = [np.asarray(task.representation(one), float) for one in predictions]
    for one, vector in zip(predictions, vectors, strict=True):
        _law(abs(np.linalg.norm(vector) - 1) < tolerance, f"the representation of {one!r} has length 1")
        _law(_same(task.decode(vector), one), f"decoding the representation of {one!r} gives it back")
    random = np.random.default_rng(seed)
    for t in random.normal(size=(trials, len(vectors[0]))):
        _check_scores(task, t, labels, predictions, np.array(vectors), tolerance)


def _check_scores(task: Any, t: np.ndarray, labels: Any, predictions: Any, vectors: np.ndarray, tolerance: float) -> None:
    decoded = task.decode(t)
    similar, near = task.representation(decoded) @ t, np.linalg.norm(task.representation(decoded) - t)
    _law(similar >= (vectors @ t).max() - tolerance, f"no prediction is more similar to {t} than the decoded {decoded!r}")
    _law(near <= np.linalg.norm(vectors - t, axis=1).min() + tolerance, f"no prediction is nearer to {t} than {decoded!r}")
    _law(_same(task.decode(3 * t), decoded), f"three times the scores {t} decode to the same")
    for y in labels:
        _law(task.loss_of(task.correct(y, t), y) == 0, f"the correct prediction for {y!r} has no loss")
        losses = np.array([task.loss_of(one, y) for one in predictions])
        _law((losses >= 0).all(), f"no loss for {y!r} is negative")
        worst = task.loss_augmented(t, y)
        value = task.loss_of(worst, y) + task.representation(worst) @ t
        _law(value >= (losses + vectors @ t).max() - tolerance, f"loss_augmented({t}, {y!r}) has the highest loss + similarity")


def _same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other))


def _law(holds: Any, words: str) -> None:
    if not holds:
        raise ValueError(f"the task breaks a law: {words}")
