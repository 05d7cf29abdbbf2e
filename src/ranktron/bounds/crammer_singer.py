"""Crammer & Singer (2005): PRank, Si-PRank, No-PRank and Mu-PRank.

``R`` is the largest norm of a row and ``gamma`` the margin of a rule (w, b) of norm 1; for the multiplicative bounds norms are
max norms of rows and 1-norms of rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np


def margin(coef: np.ndarray, thresholds: np.ndarray, X: np.ndarray, ranks: np.ndarray, order: int = 2) -> float:
    """The least y_r (w·x - b_r) over rows and thresholds, for the rule scaled to unit norm; ranks count from 1.

    >>> margin(np.array([3.0]), np.array([0.0, 4.0]), np.array([[2.0], [-1.0]]), np.array([3, 1]))
    0.4
    """
    scores = np.asarray(X) @ coef - np.asarray(thresholds)[:, None]
    sides = np.where(np.asarray(ranks) > np.arange(1, len(thresholds) + 1)[:, None], 1.0, -1.0)
    size = np.linalg.norm(np.concatenate([coef, thresholds]), ord=order)
    return float((sides * scores).min() / size)


def prank_loss(n_ranks: int, R: float, gamma: float) -> float:
    """Theorem 1: the ranking loss of PRank (and of Si-PRank) on a stream with margin gamma."""
    return (n_ranks - 1) * (R**2 + 1) / gamma**2


def prank_loss_tighter(n_ranks: int, R: float, gamma: float) -> float:
    """What the proof of Theorem 1 gives before its last step."""
    return ((n_ranks - 1) * R**2 + 1) / gamma**2


def prank_loss_inseparable(n_ranks: int, R: float, gamma: float, D: float) -> float:
    """Theorem 2: the same where the rows miss the margin by d_t, D² = Σ d_t²."""
    return (n_ranks - 1) * (D + math.sqrt(R**2 + 1)) ** 2 / gamma**2


def siprank_mistakes(R: float, gamma: float) -> float:
    """Footnote 2: the rounds on which Si-PRank is wrong."""
    return (R**2 + 1) / gamma**2


def noprank_weights(beta: float, gamma: float) -> float:
    """Theorem 3: the sum of all multipliers τ that No-PRank ever uses."""
    return 2 * beta / gamma**2


def noprank_mistakes(R: float, gamma: float) -> float:
    """Corollary 1: the rounds on which No-PRank is wrong."""
    return 2 * (R**2 + 1) / gamma**2


def muprank_loss(n_ranks: int, n_features: int, gamma: float, step: float, signed: bool = False) -> float:
    """Theorem 4: the ranking loss of Mu-PRank; infinite where the step is too large for the margin."""
    gain = step * gamma - _log_cosh(step * (n_ranks - 1))
    return math.log(_components(n_ranks, n_features, signed)) / gain if gain > 0 else math.inf


def muprank_loss_at_theory_step(n_ranks: int, n_features: int, gamma: float, signed: bool = False) -> float:
    """Corollary 2, with the factor 2 that Theorem 4 gives and the paper lost."""
    return 2 * (n_ranks - 1) ** 2 * math.log(_components(n_ranks, n_features, signed)) / gamma**2


def _components(n_ranks: int, n_features: int, signed: bool) -> int:
    return (n_features + n_ranks - 1) * (2 if signed else 1)


def _log_cosh(x: float) -> float:
    return x + math.log1p(math.exp(-2 * x)) - math.log(2)


def orthogonal_rows(n: int, R: float) -> Iterator[np.ndarray]:
    """Rows of norm R of which none says anything of another: the stream on which PRank's bound is tight."""
    for t in range(n):
        row = np.zeros(n)
        row[t] = R
        yield row


def duel(model: Any, rows: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray, int]:
    """Give each row the extreme label that is farther from the model's prediction; returns rows, ranks and the loss.

    The model needs ``classes``, and predicts with its last hypothesis (``average=False``) for the bounds to speak of it.
    """
    played, ranks, loss = [], [], 0
    names = list(model.classes)
    for row in rows:
        guess = names.index(model.predict_one(row))
        rank = 0 if guess >= len(names) / 2 else len(names) - 1
        model.learn_one(row, names[rank])
        played.append(row)
        ranks.append(rank + 1)
        loss += abs(guess - rank)
    return np.array(played), np.array(ranks), loss


def halving(model: Any, n_features: int) -> tuple[np.ndarray, np.ndarray, int]:
    """The adversary of multiplicative updates, for two labels: half of the features left speak for the wrong label each time.

    The last feature standing alone explains every label, so the margin of (that feature, threshold 0) is 1.
    """
    alive = np.arange(n_features)
    played, ranks, loss = [], [], 0
    names = list(model.classes)
    while len(alive) > 1:
        row = np.zeros(n_features)
        row[alive[::2]], row[alive[1::2]] = 1.0, -1.0
        guess = names.index(model.predict_one(row))
        model.learn_one(row, names[1 - guess])
        alive = alive[row[alive] == (1.0 if guess == 0 else -1.0)]
        played.append(row)
        ranks.append(2 - guess)
        loss += 1
    return np.array(played), np.array(ranks), loss
