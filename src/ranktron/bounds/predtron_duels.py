"""Adversaries of Predtron: streams that some matrix separates, and on which the model is wrong in all rounds or nearly all.

Each label differs from the model's prediction. The bounds hold for models that predict with their last hypothesis
(``average=False``).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .crammer_singer import orthogonal_rows


def predtron_duel(model: Any, n: int, R: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n rows of norm R, each labelled with the last class if the first is predicted, and with the first otherwise.

    Returns rows, the codes of their labels, and a W of unit norm, whose margin for k classes is at least
    √2 R / (√n + √(1 - 2/k)): that of n = 2R²/γ² rows if k is 2, nearly that if n is large. The rows are orthogonal; with more
    than two classes they also share a small feature, by which W separates the two classes from the others. For two labels
    with one row of weights (``tasks.Binary``), the difference of W's rows has the margin 2R/√n.

    The model needs ``classes``.
    """
    names = list(model.classes)
    shared = _shared_feature(n, len(names))
    X = np.array(list(orthogonal_rows(n, R / math.hypot(1.0, shared))))
    if shared:
        X = np.column_stack([X, np.full(n, shared * X[0, 0])])
    codes = np.array([_answer(model, row, names) for row in X])
    return X, codes, _separator(X, codes, len(names), n)


def _shared_feature(n: int, k: int) -> float:
    """The size of the shared feature, relative to the row's own feature, that maximises the margin for rows of one norm."""
    return ((1 - 2 / k) / n) ** 0.25 if k > 2 else 0.0


def _answer(model: Any, row: np.ndarray, names: list[Any]) -> int:
    code = len(names) - 1 if model.predict_one(row) == names[0] else 0
    model.learn_one(row, names[code])
    return code


def _separator(X: np.ndarray, codes: np.ndarray, k: int, n: int) -> np.ndarray:
    """Scores of ±½ for the two classes from the row's own feature, and ½ more than the others from the shared feature."""
    W = np.zeros((k, X.shape[1]))
    W[-1, :n] = np.where(codes == k - 1, 0.5, -0.5) / X[0, 0]
    W[0, :n] = -W[-1, :n]
    if k > 2:
        W[:, n] = -1 / (k * X[0, n])
        W[[0, -1], n] = (0.5 - 1 / k) / X[0, n]
    return W / np.linalg.norm(W)


def predtron_label_duel(model: Any, n: int, m: int, R: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for m labels at once (``tasks.Multilabel``): each row of n orthogonal ones gets the labels not predicted.

    Returns rows, labels and a W of unit norm with margin 2R / (m √n).
    """
    X, Y = np.array(list(orthogonal_rows(n, R))), np.zeros((n, m), int)
    for t, row in enumerate(X):
        guess = model.predict_one(row) if t else np.arange(m) % 2 == 0  # before any learning labels 0, 2, … are predicted
        Y[t] = 1 - np.asarray(guess, int)
        model.learn_one(row, Y[t])
    return X, Y, np.where(Y.T > 0, 1.0, -1.0) / math.sqrt(n * m)


def list_halving(model: Any, n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """`halving` for lists of two documents x and -x, of which the one that is not ranked first is relevant: for the 1-norm.

    Returns rows, grades, the ids of the lists and the direction of the feature that remains last, on which relevant documents
    have 1 and others -1.
    """
    alive = np.arange(n_features)
    rows: list[np.ndarray] = []
    grades = []
    while len(alive) > 1:
        x = _halves(alive, n_features)
        X = np.array([x, -x])
        y = np.eye(2, dtype=int)[int(not rows or model.rank(X)[0] == 0)]
        model.learn_list(X, y)
        alive = alive[X[int(y[1])][alive] > 0]
        rows.append(X)
        grades.append(y)
    return np.concatenate(rows), np.concatenate(grades), np.repeat(np.arange(len(rows)), 2), np.eye(n_features)[alive[0]]


def label_halving(model: Any, n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for rankings of two labels: rows, their grades, and a W that ranks by the feature that remains last."""
    alive = np.arange(n_features)
    rows: list[np.ndarray] = []
    grades = []
    while len(alive) > 1:
        x = _halves(alive, n_features)
        y = np.eye(2, dtype=int)[int(model.predict_one(x)[1]) if rows else 1]  # before any learning, the first one is on top
        model.learn_one(x, y)
        alive = alive[(x[alive] > 0) == bool(y[0])]
        rows.append(x)
        grades.append(y)
    return np.array(rows), np.array(grades), np.outer([1.0, -1.0], np.eye(n_features)[alive[0]])


def _halves(alive: np.ndarray, n_features: int) -> np.ndarray:
    row = np.zeros(n_features)
    row[alive[::2]], row[alive[1::2]] = 1.0, -1.0
    return row


def predtron_staircase(levels: int, lead: float | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Representations, losses and a W of unit norm for ``tasks.Finite``: with small steps Algorithm 1 errs long on one row.

    For label 0 the last prediction is right, the first costs 1, and the cost of those between falls, as i / (levels + 1). Label
    1, which does not occur, has the opposite costs. Each prediction differs from the right one in the sign of one component, the
    first one by twice ``lead`` only. Present the row [R] with label 0 again and again. Step by step Algorithm 1 demotes the first
    prediction, until its loss-augmented score is below that of the worst prediction that still ties with the right one. Meanwhile
    that tied one is predicted, with its loss. At the theory step the loss is .67 of `predtron_loss_at_step` with 4 levels, .79
    with 8, and .94 (.47 of Theorem 1) with 20 and a lead of 1/180. There are about levels / lead² rounds.
    """
    first = 1 / (3 * levels) if lead is None else lead
    right = np.array([first, *[math.sqrt((1 - first**2) / levels)] * levels])
    representations = right * np.vstack([1 - 2 * np.eye(levels + 1), np.ones(levels + 1)])
    falling = np.arange(levels + 1, -1, -1.0) / (levels + 1)
    W = (1 / right)[:, None]
    return representations, np.column_stack([falling, falling[::-1]]), W / np.linalg.norm(W)
