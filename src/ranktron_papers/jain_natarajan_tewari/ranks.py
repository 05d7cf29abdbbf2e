"""Jain, Natarajan & Tewari, section 3: several classes beside the multiclass perceptron, and ranks beside PRank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ranktron import bounds
from ranktron.algorithms import MulticlassPerceptron, PRank
from ranktron.tasks import Multiclass, Ordinal

from ..experiment import Numbers
from .classes import whole_rows
from .models import predtron

ROWS, FEATURES, CLASSES, DUEL, TRIED = 1_000, 10, 5, 100, 200
RANKS = (2, 3, 5, 10, 20)
STEPS = ("theory", "1")


def several_classes(seed: int, n: int, n_features: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of whole numbers, the class that some matrix scores highest by a clear lead, and the matrix."""
    random = np.random.default_rng(seed)
    W = random.integers(-3, 4, (k, n_features)).astype(float)
    X = whole_rows(random, 4 * n, n_features)
    scores = np.sort(X @ W.T, axis=1)
    X = X[scores[:, -1] - scores[:, -2] >= 5][:n]
    return X, (X @ W.T).argmax(axis=1), W - W.mean(axis=0)


def noisy(seed: int, y: np.ndarray, k: int) -> np.ndarray:
    """The labels with a tenth of them replaced by other classes."""
    random = np.random.default_rng([seed, 1])
    return (y + random.integers(1, k, len(y)) * (random.random(len(y)) < 0.1)) % k


def multiclass(
    seed: int, data: Any = None, n: int = ROWS, n_features: int = FEATURES, k: int = CLASSES, duel: int = DUEL
) -> Numbers:
    """Several classes: Predtron against the multiclass perceptron, margins, surrogates, and mistakes beside bounds."""
    X, y, W = several_classes(seed, n, n_features, k)
    R, gamma = float(np.linalg.norm(X, axis=1).max()), bounds.predtron_class_margin(W, X, y)
    runs = [differing(X, labels, k) for labels in (y, noisy(seed, y, k))]
    mistakes, ties = error_sets(X, y, k)
    by_definition = bounds.predtron_margin(Multiclass(k), W, X, y, range(k))
    theorem_1, footnote_2 = bounds.predtron_loss(R, gamma), bounds.predtron_error_set_rounds(R, gamma)
    return {
        "rounds that differ, separable rows": runs[0][0],
        "rounds that differ, a tenth mislabelled": runs[1][0],
        "largest difference of weights": max(run[1] for run in runs),
        "difference of margins": abs(by_definition - gamma),
        "difference of surrogates": hinge_difference(seed, k),
        "bound of Theorem 1 over that of Crammer & Singer": theorem_1 / footnote_2,
        "mistakes over the bound of Theorem 1, random rows": mistakes / theorem_1,
        "mistakes over the bound of Theorem 1, adversary": _duel(k, duel),
        "rounds with an error set": float(mistakes + ties),
        "mistakes": float(mistakes),
        "rounds with an error set and no mistake": float(ties),
    }


def differing(X: np.ndarray, y: np.ndarray, k: int) -> tuple[float, float]:
    """In how many rounds Predtron and the multiclass perceptron predict differently, and how far their weights are apart."""
    ours = predtron(Multiclass(k))
    theirs = MulticlassPerceptron(update="max", average=False, classes=range(k))
    different = ours.predict_then_learn(X, y) != theirs.predict_then_learn(X, y)
    return float(different.sum()), float(np.abs(ours.coef_ - theirs.coef_).max())


def error_sets(X: np.ndarray, y: np.ndarray, k: int) -> tuple[int, int]:
    """The rounds with a mistake, and the rounds without one in which another class scores as much as the right one."""
    W, mistakes, ties = np.zeros((k, X.shape[1])), 0, 0
    for x, label in zip(X, y):
        scores = W @ x
        predicted = int(scores.argmax())
        mistakes += predicted != label
        ties += predicted == label and int((scores == scores[label]).sum()) > 1
        W[label] += x * (predicted != label)
        W[predicted] -= x * (predicted != label)
    return mistakes, ties


def hinge_difference(seed: int, k: int, tried: int = TRIED) -> float:
    """How far φ, by its definition, is from max(0, 1 + max t_σ - t_y)."""
    task, random, most = Multiclass(k), np.random.default_rng([seed, 2]), 0.0
    for t, y in zip(random.normal(size=(tried, k)), random.integers(k, size=tried)):
        hinge = max(0.0, 1 + np.delete(t, y).max() - t[y])
        most = max(most, abs(surrogate(task, t, int(y)) - hinge))
    return most


def surrogate(task: Any, t: np.ndarray, y: Any) -> float:
    """φ(t, y): the highest value of the loss less the lead of the right prediction's similarity."""
    worst, right = task.loss_augmented(t, y), task.correct(y, t)
    return float(task.loss_of(worst, y) - (task.representation(right) - task.representation(worst)) @ t)


def _duel(k: int, n: int) -> float:
    """The loss over Theorem 1's bound on rows that get a class that was not predicted."""
    model = predtron(Multiclass(k), classes=range(k))
    X, codes, W = bounds.predtron_duel(model, n)
    return float(model.cumulative_loss_) / bounds.predtron_loss(1.0, bounds.predtron_class_margin(W, X, codes))


# Ranks


def along_a_line(seed: int, n: int, n_features: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, ranks from 0 on along a direction, the direction, and thresholds; rows lie in the middle halves of intervals."""
    random = np.random.default_rng([seed, k])
    X, w = random.standard_normal((n, n_features)), random.standard_normal(n_features)
    w /= np.linalg.norm(w)
    thresholds, y = np.arange(1.0, k) - k / 2, random.integers(k, size=n)
    along = y - k / 2 + random.uniform(0.25, 0.75, n)
    return X + np.outer(along - X @ w, w), y, w, thresholds


def as_classes(w: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """A matrix that scores the rank highest, for rows with a 1 appended: r times the projection less the first r thresholds."""
    r = np.arange(len(thresholds) + 1.0)
    W = np.column_stack([np.outer(r, w), -np.concatenate([[0.0], np.cumsum(thresholds)])])
    return np.asarray(W - W.mean(axis=0))


def ordinal(seed: int, data: Any = None, ranks: Sequence[int] = RANKS, n: int = ROWS, n_features: int = FEATURES // 2) -> Numbers:
    """Ranks: the losses of Predtron, reduced to classes, and of PRank, beside their bounds, by the number of ranks."""
    names = ("Predtron, theory step", "Predtron, step 1", "PRank", "bound of Predtron", "bound of PRank")
    columns = np.array([_on_ranks(seed, k, n, n_features) for k in ranks]).T
    curves = dict(zip(names, columns, strict=True))
    ratio = curves["bound of Predtron"] / curves["bound of PRank"]
    return {
        **{name: curve.tolist() for name, curve in curves.items()},
        "Predtron's loss over its bound, theory step": float((columns[0] / columns[3]).max()),
        "Predtron's loss over its bound, step 1": float((columns[1] / columns[3]).max()),
        "PRank's loss over its bound": float((columns[2] / columns[4]).max()),
        "bound of Predtron over that of PRank, fewest ranks": float(ratio[0]),
        "bound of Predtron over that of PRank, most ranks": float(ratio[-1]),
    }


def _on_ranks(seed: int, k: int, n: int, n_features: int) -> list[float]:
    X, y, w, thresholds = along_a_line(seed, n, n_features, k)
    rows, W = np.column_stack([X, np.ones(n)]), as_classes(w, thresholds)
    R, gamma = float(np.linalg.norm(rows, axis=1).max()), bounds.predtron_class_margin(W, rows, y)
    theory = predtron(Ordinal(k), step="theory", radius=R).partial_fit(rows, y)
    plain = predtron(Ordinal(k)).partial_fit(rows, y)
    prank = PRank(average=False, classes=range(k)).partial_fit(X, y)
    theirs = bounds.prank_loss(k, float(np.linalg.norm(X, axis=1).max()), bounds.margin(w, thresholds, X, y + 1))
    losses = [float(model.cumulative_loss_) for model in (theory, plain, prank)]
    return [*losses, bounds.predtron_ordinal_loss(k, R, gamma), theirs]
