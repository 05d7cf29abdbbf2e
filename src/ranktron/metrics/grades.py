"""Measures how well predicted grades, or intervals of grades, agree with the true ones.

Without ``classes`` labels are numbers, and the distance of two labels is their difference; predictions may lie between labels.
With ``classes``, all labels in ascending order, labels may be anything hashable, and the distance is the number of steps between
them. For the grades 1 to 5 both are the same. Sums are exact, so the order of the rows does not matter.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.checks import refuse_masked
from .inputs import Scale, check_labels, column, numbers, same_length

# Sums of whole numbers up to here fit in an int64.
_LARGEST_SUM = 2**62


def accuracy(y_true: Any, y_pred: Any, classes: Any = None) -> float:
    """The share of correct predictions.

    >>> accuracy(["low", "high", "high"], ["low", "high", "low"])
    0.6666666666666666
    """
    if classes is not None:
        true, predicted = _positions(y_true, y_pred, classes)
        return float((true == predicted).mean())
    true, predicted = column(y_true, "y_true"), column(y_pred, "y_pred")
    same_length(true, "y_true", predicted, "y_pred")
    check_labels(true, "y_true")
    check_labels(predicted, "y_pred")
    return sum(map(bool, map(operator.eq, true.tolist(), predicted.tolist()))) / len(true)


def mean_absolute_error(y_true: Any, y_pred: Any, classes: Any = None) -> float:
    """The mean distance of the predicted label from the true one, as in scikit-learn; the papers' ranking loss per row.

    >>> mean_absolute_error([1, 2, 5], [1, 4, 4])
    1.0
    >>> mean_absolute_error(["low", "high"], ["low", "low"], classes=["low", "mid", "high"])
    1.0
    """
    true, predicted = _positions(y_true, y_pred, classes)
    return math.fsum(np.abs(true - predicted).tolist()) / len(true)


def macro_mae(y_true: Any, y_pred: Any, classes: Any = None) -> float:
    """The mean absolute error of each true label, averaged over the labels: rare ones have the same weight as common ones.

    Labels that are never the true one have no error and are left out, even those in ``classes``.

    >>> macro_mae([1, 1, 1, 5], [1, 1, 1, 4])  # (0 + 1) / 2; the mean over rows is 1/4
    0.5

    References
    ----------
    Baccianella, S., Esuli, A. & Sebastiani, F. (2009). Evaluation measures for ordinal regression. ISDA.
    """
    true, predicted = _positions(y_true, y_pred, classes)
    order = np.argsort(true, kind="stable")
    errors, starts = np.abs(true - predicted)[order], np.flatnonzero(np.diff(true[order])) + 1
    means = [math.fsum(own.tolist()) / len(own) for own in np.split(errors, starts)]
    return math.fsum(means) / len(means)


def quadratic_weighted_kappa(y_true: Any, y_pred: Any, classes: Any = None) -> float:
    """Cohen's kappa with squared distances: 1 - (mean squared error) / (its mean over shuffled predictions).

    It is 1 for perfect predictions, 0 for uninformative ones, and negative for worse ones. It is NaN (0/0) if ``y_true`` and
    ``y_pred`` hold one label only. With ``classes``, or for whole numbers without a gap, it is scikit-learn's
    ``cohen_kappa_score(weights="quadratic")``. scikit-learn closes gaps: it reads 1, 2, 5 as 1, 2, 3; here only
    ``classes=[1, 2, 5]`` does so.

    >>> quadratic_weighted_kappa([1, 2, 3, 3], [1, 2, 3, 2])
    0.8

    References
    ----------
    Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit.
    Psychological Bulletin 70(4).
    """
    true, predicted = _positions(y_true, y_pred, classes)
    return kappa_of(len(true), *_moments(true, predicted))


def kappa_of(n: Any, a: Any, b: Any, aa: Any, bb: Any, ab: Any) -> float:
    """The kappa of n pairs, from their exact sums and sums of products."""
    by_chance = n * (aa + bb) - 2 * a * b
    return float(1 - Fraction(n * (aa + bb - 2 * ab)) / by_chance) if by_chance else math.nan


def _moments(true: np.ndarray, predicted: np.ndarray) -> tuple[Any, ...]:
    """Σa, Σb, Σa², Σb² and Σab as exact numbers, of values less the lowest one, which leaves kappa as it is."""
    low = min(true.min(), predicted.min())
    a, b = true - low, predicted - low
    highest = float(max(a.max(), b.max()))
    if highest * highest * len(a) >= _LARGEST_SUM or (true != np.floor(true)).any() or (predicted != np.floor(predicted)).any():
        pairs = [(Fraction(x), Fraction(y)) for x, y in zip(true.tolist(), predicted.tolist())]
        return tuple(sum(terms) for terms in zip(*((x, y, x * x, y * y, x * y) for x, y in pairs)))
    a, b = a.astype(np.int64), b.astype(np.int64)
    return tuple(int(terms.sum()) for terms in (a, b, a * a, b * b, a * b))


def ranked_probability_score(y_true: Any, probabilities: Any, classes: Any = None) -> float:
    """The mean over rows of Σ_r (P(label ≤ r) - [label ≤ r])²: the distance of probabilities from the truth; 0 is perfect.

    It is proper: no forecast is better in expectation than the true probabilities. If one label has probability 1, it is the
    absolute error in ranks. It is not divided by the number of labels less one, which would scale it to [0, 1].

    Parameters
    ----------
    y_true
        The true labels.
    probabilities : array of shape (rows, labels)
        The probability of each label, in ascending order of the labels; every row adds up to 1.
    classes : sequence, optional
        The labels of the columns. By default ``y_true`` holds the numbers of the columns, 0, 1, ….

    Examples
    --------
    >>> ranked_probability_score([0, 2], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])  # (0.5² + 0 + 0 + 0) / 2
    0.125

    References
    ----------
    Epstein, E. S. (1969). A scoring system for probability forecasts of ranked categories. Journal of Applied Meteorology 8(6).
    """
    shares = table(probabilities)
    scale = Scale(range(shares.shape[1]) if classes is None else classes)
    ranks = scale.ranks(column(y_true, "y_true"), "y_true")
    if len(scale) != shares.shape[1]:
        raise ValueError(f"probabilities should have one column per label, {len(scale)}; they have {shares.shape[1]}")
    same_length(ranks, "y_true", shares, "probabilities")
    return math.fsum(row_scores(ranks, shares).tolist()) / len(ranks)


def row_scores(ranks: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The ranked probability score of every row."""
    total, below = np.zeros(len(ranks)), np.zeros(len(ranks))
    for r in range(shares.shape[1] - 1):
        below = below + shares[:, r]
        total += np.square(below - (ranks <= r))
    return total


def table(probabilities: Any) -> np.ndarray:
    """Probabilities with one row per example, checked."""
    refuse_masked(probabilities, "probabilities")
    shares = np.asarray(probabilities)
    if shares.ndim != 2 or shares.dtype.kind not in "iufb":
        raise ValueError(f"probabilities should be a matrix of numbers, one row per example, not {shares.dtype} {shares.shape}")
    shares = shares.astype(np.float64)
    fair = (shares >= 0).all(axis=1) & (np.abs(shares.sum(axis=1) - 1) <= 1e-6)
    if not fair.all():
        row = int(np.argmin(fair))
        raise ValueError(f"probabilities should not be negative and add up to 1; row {row} is {shares[row].tolist()!r:.60}")
    return shares


def interval_coverage(y_true: Any, low: Any, high: Any, classes: Any = None) -> float:
    """The share of labels in their interval, both ends included; ``predict_interval`` aims at the coverage that it is given.

    Look at the width, too: the interval of all labels always covers the true one.

    >>> interval_coverage([1, 2, 5], [1, 3, 3], [2, 4, 5])
    0.6666666666666666
    """
    scale = _scale_of(classes)
    lowest, highest = _ends(low, high, scale)
    true = _places(y_true, "y_true", scale)
    same_length(true, "y_true", lowest, "low")
    return float(((lowest <= true) & (true <= highest)).mean())


def interval_width(low: Any, high: Any, classes: Any = None) -> float:
    """The mean distance of the two ends: 0 if every interval is one label.

    >>> interval_width(["low", "mid"], ["high", "mid"], classes=["low", "mid", "high"])
    1.0
    """
    lowest, highest = _ends(low, high, _scale_of(classes))
    return math.fsum((highest - lowest).tolist()) / len(lowest)


def _ends(low: Any, high: Any, scale: Scale | None) -> tuple[np.ndarray, np.ndarray]:
    lowest, highest = _places(low, "low", scale), _places(high, "high", scale)
    same_length(lowest, "low", highest, "high")
    if (lowest > highest).any():
        row = int(np.argmax(lowest > highest))
        raise ValueError(f"low should not be above high; in row {row} low is {_shown(low, row)} and high is {_shown(high, row)}")
    return lowest, highest


def _shown(labels: Any, row: int) -> str:
    return f"{column(labels, 'labels').tolist()[row]!r:.60}"


def _positions(y_true: Any, y_pred: Any, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    scale = _scale_of(classes)
    true, predicted = _places(y_true, "y_true", scale), _places(y_pred, "y_pred", scale)
    same_length(true, "y_true", predicted, "y_pred")
    return true, predicted


def _scale_of(classes: Any) -> Scale | None:
    return None if classes is None else Scale(classes)


def _places(labels: Any, name: str, scale: Scale | None) -> np.ndarray:
    """The labels as numbers, or as ranks on the scale."""
    if scale is None:
        return numbers(labels, name, "; labels that are not numbers need classes=, all labels in ascending order")
    return scale.ranks(column(labels, name), name).astype(np.float64)
