"""Separable streams for Predtron: a matrix W of unit norm separates each with a given margin (`ranktron.bounds.predtron_margin`).

Rows are normal, and then moved by the least that gives them the scores under W that the label and the margin need. Labels, ranks
and grades count from 0, except for the -1 and 1 of `binary`.
"""

from __future__ import annotations

import math

import numpy as np


def binary(n: int, n_features: int, *, margin: float = 0.1, seed: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Two labels, -1 and 1, with 2 y w·x ≥ ``margin``.

    >>> X, y = binary(100, 3, seed=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 3), [-1, 1])
    """
    random = np.random.default_rng(seed)
    X, w = random.standard_normal((n, n_features)), _unit(random, n_features)
    y = np.where(X @ w >= 0, 1, -1)
    return X + np.outer(y * np.maximum(0.0, margin / 2 - y * (X @ w)), w), y


def classes(
    n: int, n_features: int, n_classes: int = 3, *, margin: float = 0.1, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Classes whose score is above all others by ``margin``; needs at least as many features as classes.

    >>> X, y = classes(100, 5, 3, seed=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 5), [0, 1, 2])
    """
    random = np.random.default_rng(seed)
    X, W = random.standard_normal((n, n_features)), _rows_at_right_angles(random, n_classes, n_features)
    scores, rows = X @ W.T, np.arange(n)
    y = scores.argmax(axis=1)
    others = np.sort(scores, axis=1)[:, -2]
    scores[rows, y] = np.maximum(scores[rows, y], others + margin)
    return _with_scores(X, W, scores), y


def ordinal(
    n: int, n_features: int, n_ranks: int = 5, *, margin: float = 0.1, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Ranks along one direction, at the distance from the thresholds that gives the reduction to classes its margin.

    Class r scores r (w·x) less the first r thresholds, so the best class is the rank. The last feature is constant, for the
    thresholds.

    >>> X, y = ordinal(100, 3, 4, seed=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 3), [0, 1, 2, 3])
    """
    random = np.random.default_rng(seed)
    thresholds = np.arange(1.0, n_ranks) - n_ranks / 2
    W = np.column_stack([np.arange(n_ranks), -np.concatenate([[0.0], np.cumsum(thresholds)])])
    width = 4 * margin * np.linalg.norm(W - W.mean(axis=0))  # between thresholds; a quarter at either end is margin
    y = random.integers(n_ranks, size=n)
    X, w = random.standard_normal((n, n_features - 1)), _unit(random, n_features - 1)
    along = width * (y - n_ranks / 2 + random.uniform(0.25, 0.75, n))
    return np.column_stack([X + np.outer(along - X @ w, w), np.full(n, width)]), y


def multilabel(
    n: int, n_features: int, n_labels: int = 3, *, margin: float = 0.1, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Rows with 0 or 1 for each label, and 2 |w_j·x| / √m ≥ ``margin``; needs at least as many features as labels.

    >>> X, Y = multilabel(100, 5, 3, seed=0)
    >>> X.shape, Y.shape, sorted(set(Y.ravel().tolist()))
    ((100, 5), (100, 3), [0, 1])
    """
    random = np.random.default_rng(seed)
    X, W = random.standard_normal((n, n_features)), _rows_at_right_angles(random, n_labels, n_features)
    scores = X @ W.T
    far = np.maximum(np.abs(scores), margin * math.sqrt(n_labels) / 2)
    return _with_scores(X, W, np.copysign(far, scores)), (scores >= 0).astype(int)


def multilabel_ranking(
    n: int,
    n_features: int,
    n_labels: int = 4,
    n_grades: int = 3,
    *,
    margin: float = 0.1,
    power: float = 1.1,
    seed: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Rows with a uniform grade for each label, and the margin of Lemma 4 for rankings with this ``power``.

    It needs at least as many features as labels.

    >>> X, Y = multilabel_ranking(100, 6, 4, seed=0)
    >>> X.shape, Y.shape, sorted(set(Y.ravel().tolist()))
    ((100, 6), (100, 4), [0, 1, 2])
    """
    random = np.random.default_rng(seed)
    X, W = random.standard_normal((n, n_features)), _rows_at_right_angles(random, n_labels, n_features)
    Y = random.integers(n_grades, size=(n, n_labels))
    return _with_scores(X, W, np.array([_levels(grades, margin, power) for grades in Y])), Y


def subset_ranking(
    lists: int,
    documents: int,
    n_features: int,
    n_grades: int = 3,
    *,
    margin: float = 0.1,
    power: float = 1.1,
    seed: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists of documents with uniform grades, and the margin of Lemma 4 for rankings with this ``power``: rows, grades, list ids.

    >>> X, y, qid = subset_ranking(10, 5, 4, seed=0)
    >>> X.shape, sorted(set(y.tolist())), len(set(qid.tolist()))
    ((50, 4), [0, 1, 2], 10)
    """
    random = np.random.default_rng(seed)
    X, w = random.standard_normal((lists * documents, n_features)), _unit(random, n_features)
    y = random.integers(n_grades, size=(lists, documents))
    levels = np.concatenate([_levels(grades, margin, power) for grades in y])
    return X + np.outer(levels - X @ w, w), y.ravel(), np.repeat(np.arange(lists), documents)


def sparse_lists(
    lists: int, documents: int, n_features: int, relevant: int, *, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The lists of Figure 1(c), Jain, Natarajan & Tewari 2015: rows in [-1, 1]^p of which only the first features matter.

    A direction of norm 1 over the ``relevant`` first features scores a document. One of m documents has grade m - j if its score
    is between 1/(j + 1) and 1/j: grade m - 1 from ½ on, 0 below 1/m. The margin is whatever the random rows have.

    >>> X, y, qid = sparse_lists(20, 5, 100, 4, seed=0)
    >>> X.shape, sorted(set(y.tolist())), len(set(qid.tolist()))
    ((100, 100), [0, 1, 2, 3, 4], 20)
    """
    random = np.random.default_rng(seed)
    X = random.uniform(-1.0, 1.0, (lists * documents, n_features))
    thresholds = 1.0 / np.arange(documents, 1, -1)
    y = np.digitize(X[:, :relevant] @ _unit(random, relevant), thresholds)
    return X, y, np.repeat(np.arange(lists), documents)


def _unit(random: np.random.Generator, size: int) -> np.ndarray:
    direction = random.standard_normal(size)
    return np.asarray(direction / np.linalg.norm(direction))


def _rows_at_right_angles(random: np.random.Generator, n_scores: int, n_features: int) -> np.ndarray:
    """A random W of unit norm with orthogonal rows, so that rows with any scores exist."""
    if n_features < n_scores:
        raise ValueError(f"{n_features} features cannot separate {n_scores} scores; use at least {n_scores} features")
    return np.linalg.qr(random.standard_normal((n_features, n_scores)))[0].T / math.sqrt(n_scores)


def _with_scores(X: np.ndarray, W: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The rows with these scores that are nearest to those of X."""
    return np.asarray(X + (scores - X @ W.T) @ W * len(W))


def _levels(grades: np.ndarray, margin: float, power: float) -> np.ndarray:
    """Scores with mean 0, with gaps 1.5 times as wide as Lemma 4 requires where the grade drops."""
    place = np.arange(1.0, len(grades) + 1) ** power * (-1.0 if power > 0 else 1.0)
    order = np.argsort(-grades, kind="stable")
    gaps = np.where(np.diff(grades[order]) < 0, 1.5 * margin * np.linalg.norm(place) / -np.diff(place), 0.0)
    levels = np.empty(len(grades))
    levels[order] = -np.concatenate([[0.0], np.cumsum(gaps)])
    return np.asarray(levels - levels.mean())
