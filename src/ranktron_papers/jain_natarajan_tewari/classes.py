"""Jain, Natarajan & Tewari, section 3: two classes, weights of classes, and the option to reject."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ranktron import bounds
from ranktron.data import separable
from ranktron.tasks import Binary, Multiclass, RejectAsPublished

from ..experiment import Numbers
from .models import predtron

ROWS, FEATURES, DUEL = 1_000, 10, 50
MISLABELLED = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
WEIGHTS = ((1.0, 1.0), (2.0, 1.0), (30.0, 20.0), (0.3, 0.2))
# The costs of rejecting a row, by class.
REJECTS = ((1.0, 1.0), (0.5, 0.5), (0.3, 0.2), (0.9, 0.1), (0.2, 0.2, 0.2, 0.2))
MARGIN = 0.2


def whole_rows(random: np.random.Generator, n: int, n_features: int) -> np.ndarray:
    """Rows of small whole numbers. Their sums are exact, so two computations of one model are equal bit for bit."""
    return random.integers(-4, 5, (n, n_features)).astype(float)


def two_classes(seed: int, n: int, n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of whole numbers, labels -1 and 1 by a direction from which all keep a distance, and the direction."""
    random = np.random.default_rng(seed)
    w = random.integers(1, 4, n_features) * random.choice([-1.0, 1.0], n_features)
    X = whole_rows(random, 4 * n, n_features)
    X = X[np.abs(X @ w) >= 5][:n]
    return X, np.where(X @ w > 0, 1, -1), w


def mislabelled(seed: int, y: np.ndarray, share: float) -> np.ndarray:
    """The labels with a share of them changed; a larger share includes those of a smaller one."""
    return np.where(np.random.default_rng([seed, 1]).random(len(y)) < share, -y, y)


def perceptron(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rosenblatt's perceptron: its prediction for each row before it learns the row, and its final weights."""
    w, predicted = np.zeros(X.shape[1]), []
    for x, label in zip(X, y):
        predicted.append(1 if w @ x >= 0 else -1)
        if predicted[-1] != label:
            w = w + label * x
    return np.array(predicted), w


def binary(seed: int, data: Any = None, n: int = ROWS, n_features: int = FEATURES, duel: int = DUEL) -> Numbers:
    """Two classes: Predtron against the perceptron, and mistakes beside the bound, with correct and with wrong labels."""
    X, y, w = two_classes(seed, n, n_features)
    R, classical = float(np.linalg.norm(X, axis=1).max()), float((y * (X @ w)).min() / np.linalg.norm(w))
    ours, u = bounds.predtron_binary_margin(w, X, y), w / np.linalg.norm(w) / classical
    mistakes, allowed = zip(*(_with_mislabelled(X, mislabelled(seed, y, share), u, R) for share in MISLABELLED))
    return {
        "rounds that differ, separable rows": _differing(X, y)[0],
        "rounds that differ, a tenth mislabelled": _differing(X, mislabelled(seed, y, 0.1))[0],
        "largest difference of weights": max(_differing(X, mislabelled(seed, y, share))[1] for share in (0.0, 0.1)),
        "margin over the classical one": ours / classical,
        "bound of Theorem 1 over R²/γ²": bounds.predtron_loss(R, ours) / bounds.predtron_binary_mistakes(R, classical),
        "mistakes over R²/γ², random rows": mistakes[0] / bounds.predtron_binary_mistakes(R, classical),
        "mistakes over R²/γ², orthogonal rows": _duel(duel),
        "mistakes": [float(count) for count in mistakes],
        "mistakes allowed": list(allowed),
        "mistakes over those allowed": max(one / most for one, most in zip(mistakes, allowed)),
    }


def _differing(X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """In how many rounds Predtron and the perceptron predict differently, and how far their final weights are apart."""
    model = predtron(Binary(), step=0.5, classes=[-1, 1])
    predicted = model.predict_then_learn(X, y)
    reference, w = perceptron(X, y)
    return float((predicted != reference).sum()), float(np.abs(np.ravel(model.coef_) - w).max())


def _with_mislabelled(X: np.ndarray, y: np.ndarray, u: np.ndarray, R: float) -> tuple[int, float]:
    """Mistakes M and their upper limit by M - R‖u‖√M ≤ H: each adds at least 1 - its hinge loss to ⟨w, u⟩."""
    predicted = predtron(Binary(), classes=[-1, 1]).predict_then_learn(X, y)
    hinge, size = float(np.maximum(0.0, 1 - y * (X @ u)).sum()), R * float(np.linalg.norm(u))
    return int((predicted != y).sum()), ((size + math.sqrt(size**2 + 4 * hinge)) / 2) ** 2


def _duel(n: int, R: float = 2.0) -> float:
    """Mistakes over the bound on orthogonal rows that get the label that was not predicted."""
    model = predtron(Binary(), classes=[-1, 1])
    X, codes, W = bounds.predtron_duel(model, n, R)
    margin = bounds.predtron_binary_margin(W[1] - W[0], X, 2 * codes - 1)
    return float(model.cumulative_loss_) / bounds.predtron_binary_mistakes(R, margin / 2)


# Corollary 2


def weighted(seed: int, data: Any = None, n: int = ROWS, n_features: int = FEATURES, duel: int = DUEL) -> Numbers:
    """Weights of classes: the loss beside Corollary 2, as printed and corrected, and how many predictions they change."""
    X, y = separable.binary(n, n_features, margin=MARGIN, seed=seed)
    R, numbers = float(np.linalg.norm(X, axis=1).max()), Numbers()
    for pair in WEIGHTS:
        name, model = f"{pair[0]:g} and {pair[1]:g}", _weighted(*pair)
        numbers |= _beside(f"random rows, {name}", _weighted(*pair).partial_fit(X, y), R, MARGIN)
        rows, codes, W = bounds.predtron_duel(model, duel)
        margin = bounds.predtron_binary_margin(W[1] - W[0], rows, 2 * codes - 1)
        numbers |= _beside(f"orthogonal rows, {name}", model, 1.0, margin)
    return numbers | _changed(X, mislabelled(seed, y, 0.1))


def _weighted(heavy: float, light: float, **parameters: Any) -> Any:
    """Predtron whose first class, which it predicts before it learns, has the larger weight."""
    return predtron(Binary(weights=(heavy, light)), classes=[-1, 1], **parameters)


def _beside(name: str, model: Any, R: float, margin: float) -> Numbers:
    """The loss over the bound with α₂², as printed, and over the one with α₂, which follows from Theorem 1."""
    heavy, light = model.task.weights
    printed = 4 * R**2 * heavy**2 / (light**2 * margin**2)
    return {
        f"loss over the printed bound, {name}": model.cumulative_loss_ / printed,
        f"loss over the corrected bound, {name}": model.cumulative_loss_ / bounds.predtron_weighted_loss(R, margin, heavy, light),
    }


def _changed(X: np.ndarray, y: np.ndarray, heavy: float = 30.0) -> Numbers:
    """The share of predictions that change if one class gets a larger weight."""
    numbers: Numbers = {}
    for name, loss_driven in (("Algorithm 1", False), ("loss-driven", True)):
        plain, other = _weighted(1.0, 1.0, loss_driven=loss_driven), _weighted(heavy, 1.0, loss_driven=loss_driven)
        changed = plain.predict_then_learn(X, y) != other.predict_then_learn(X, y)
        numbers[f"share of answers changed, {name}"] = float(np.mean(changed))
        numbers[f"largest change of W, {name}"] = float(np.abs(plain.coef_ - other.coef_).max())
    return numbers


# REJECT


def rejecting(
    seed: int, data: Any = None, n: int = ROWS, n_features: int = FEATURES, costs: Sequence[Sequence[float]] = REJECTS
) -> Numbers:
    """REJECT as a prediction of its own: how often it is made, and the loss beside the bounds; then our own rule."""
    numbers: Numbers = {}
    for each in costs:
        k = len(each)
        X, y = separable.classes(n, n_features, k, margin=MARGIN, seed=seed)
        wrong = _noisy(seed, y, k)
        numbers |= _rejected(X, y, wrong, each)
    return numbers | _ours(X, wrong, k)


def _rejected(X: np.ndarray, y: np.ndarray, wrong: np.ndarray, costs: Sequence[float]) -> Numbers:
    """How often REJECT is predicted, with correct and then with noisy labels, and the loss of the former beside its bounds."""
    k, name = len(costs), " ".join(f"{cost:g}" for cost in costs)
    model = predtron(RejectAsPublished(costs), classes=range(k))
    predicted, later = model.predict_then_learn(X, y), model.predict_then_learn(X, wrong)
    margin, R = rejection_margin(MARGIN, k), float(np.linalg.norm(X, axis=1).max())
    loss, printed = float(np.sum(predicted != y)), 4 * R**2 * max(costs) ** 2 / (min(costs) ** 2 * margin**2)
    return {
        f"rejected, costs {name}": float(np.mean(predicted == -1)),
        f"rejected of noisy rows, costs {name}": float(np.mean(later == -1)),
        f"loss over the printed bound, costs {name}": loss / printed,
        f"loss over the corrected bound, costs {name}": loss / bounds.predtron_reject_loss(R, margin, min(costs)),
    }


def rejection_margin(margin: float, k: int) -> float:
    """The margin that includes REJECT, given the margin γ between k classes.

    If the rows of W have mean 0, the scores add up to 0 and REJECT's similarity is 0. The best of k scores that leads all others
    by γ is then at least γ (k - 1) / k. Subtracting the mean from all rows of W does not increase its norm.

    >>> rejection_margin(0.5, 2)
    0.25
    """
    return margin * (k - 1) / k


def _noisy(seed: int, y: np.ndarray, k: int) -> np.ndarray:
    """The labels with a fifth of them replaced by other classes."""
    random = np.random.default_rng([seed, 2])
    return (y + random.integers(1, k, len(y)) * (random.random(len(y)) < 0.2)) % k


def _ours(X: np.ndarray, y: np.ndarray, k: int, cost: float = 0.3) -> Numbers:
    """The cost of a row if nothing is rejected, and with our rule, which learns the lead that a class needs."""
    plain = predtron(Multiclass(k), average=True).predict_then_learn(X, y)
    ours = predtron(Multiclass(k, reject=cost), average=True).predict_then_learn(X, y)
    return {
        f"rejected of noisy rows by reject={cost:g}": float(np.mean(ours == -1)),
        "cost of a noisy row, never rejecting": float(np.mean(plain != y)),
        f"cost of a noisy row by reject={cost:g}": float(np.where(ours == -1, cost, ours != y).mean()),
    }
