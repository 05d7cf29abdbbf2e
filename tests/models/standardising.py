"""Running standardisation as it is defined: the mean and the deviation of rows that are all kept, in plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np


def scaled_by(seen: np.ndarray, rows: np.ndarray, forget: float = 0.0, centred: bool = True) -> np.ndarray:
    """Rows, scaled by those ``seen``, of which each weighs less than the next by the share that is forgotten."""
    weights = (1.0 - forget) ** np.arange(len(seen))[::-1]
    if not len(seen):
        return np.zeros_like(rows)
    mean = np.average(seen, axis=0, weights=weights)
    spread = np.sqrt(np.average((seen - mean) ** 2, axis=0, weights=weights))
    varies = spread > 1e-14 * np.abs(mean)
    scaled: np.ndarray = np.where(varies, (rows - mean * centred) / np.where(varies, spread, 1.0), 0.0)
    return scaled


def predicted_then_learned(plain: Any, X: np.ndarray, y: np.ndarray, **how: Any) -> list[Any]:
    """What a plain model says of every row, scaled by those before it; it learns the row as it is scaled with it."""
    told = []
    for t in range(len(X)):
        told.append(plain.predict_one(scaled_by(X[:t], X[t], **how)))
        plain.learn_one(scaled_by(X[: t + 1], X[t], **how), y[t].item())
    return told


def folded(plain: Any, X: np.ndarray, **how: Any) -> tuple[np.ndarray, np.ndarray]:
    """The plain model's weights, and what it adds up to for a row of zeros, for rows as they come after these."""
    zeros = scaled_by(X, np.zeros(X.shape[1]), **how)
    units = scaled_by(X, np.eye(X.shape[1]), **how) - zeros
    return plain.coef_ @ units.T, plain.coef_ @ zeros
