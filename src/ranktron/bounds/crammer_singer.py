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
    return float(_leads(coef, thresholds, X, ranks, order).min())


def missed(coef: np.ndarray, thresholds: np.ndarray, X: np.ndarray, ranks: np.ndarray, gamma: float) -> float:
    """D of Theorem 2: the root of Σ d_t², where d_t is by how much a row misses a margin of gamma under the rule of unit norm.

    >>> missed(np.array([3.0]), np.array([0.0, 4.0]), np.array([[2.0], [-1.0]]), np.array([3, 1]), 1.0)
    0.7211102550927979
    """
    return float(np.linalg.norm(np.maximum(0.0, gamma - _leads(coef, thresholds, X, ranks).min(axis=0))))


def _leads(coef: np.ndarray, thresholds: np.ndarray, X: np.ndarray, ranks: np.ndarray, order: int = 2) -> np.ndarray:
    """y_r (w·x - b_r), a row a threshold, for the rule scaled to unit norm."""
    scores = np.asarray(X) @ coef - np.asarray(thresholds)[:, None]
    sides = np.where(np.asarray(ranks) > np.arange(1, len(thresholds) + 1)[:, None], 1.0, -1.0)
    return np.asarray(sides * scores / np.linalg.norm(np.concatenate([coef, thresholds]), ord=order))


def prank_loss(n_ranks: int, R: float, gamma: float) -> float:
    """Theorem 1: the ranking loss of PRank (and of Si-PRank) on a stream with margin gamma.

    Of two ranks, a single row with the label that is not predicted reaches it.
    """
    return (n_ranks - 1) * (R**2 + 1) / gamma**2


def prank_loss_tighter(n_ranks: int, R: float, gamma: float) -> float:
    """What the proof of Theorem 1 gives before its last step, for PRank; a single row that is wrong by all ranks reaches it."""
    return ((n_ranks - 1) * R**2 + 1) / gamma**2


def prank_loss_inseparable(n_ranks: int, R: float, gamma: float, D: float) -> float:
    """Theorem 2: the same where the rows miss the margin by d_t, D² = Σ d_t² (`missed`), for PRank and for Si-PRank.

    Step A.3 of its proof needs thresholds that are 2γ apart. Without: with n_t = Σ |τ_r| and N their sum, the rule gains at least
    γN - Σ n_t d_t, and Σ n_t d_t ≤ √((k - 1) N) D; its norm is at most √((k - 1)(R² + 1) N).
    """
    return (n_ranks - 1) * (D + math.sqrt(R**2 + 1)) ** 2 / gamma**2


def prank_loss_inseparable_tighter(n_ranks: int, R: float, gamma: float, D: float) -> float:
    """The same for PRank, whose norm is at most √(((k - 1) R² + 1) N), as in the proof of Theorem 1."""
    return (math.sqrt(n_ranks - 1) * D + math.sqrt((n_ranks - 1) * R**2 + 1)) ** 2 / gamma**2


def siprank_mistakes(R: float, gamma: float, D: float = 0.0) -> float:
    """Footnote 2: the rounds on which Si-PRank is wrong; with D as in Theorem 2."""
    return (D + math.sqrt(R**2 + 1)) ** 2 / gamma**2


def noprank_weights(beta: float, gamma: float) -> float:
    """Theorem 3: the sum of all multipliers τ that No-PRank ever uses; ``beta`` is the largest margin that it asks for.

    With ``margin="fixed"`` that is β, with ``"loss"`` and ``"distance"`` (n_ranks - 1) β. `spiral` comes near to it where the
    trigger is the margin. Where it is a mistake, of two ranks, ‖v‖² grows by β Σ τ at most, so that half of it is not exceeded.
    """
    return 2 * beta / gamma**2


def noprank_mistakes(R: float, gamma: float) -> float:
    """Corollary 1: the rounds on which No-PRank is wrong, for ``margin="fixed"``; of two ranks, a single row costs half of it."""
    return 2 * (R**2 + 1) / gamma**2


def noprank_loss(n_ranks: int, R: float, gamma: float) -> float:
    """The remark after Corollary 1: the ranking loss of No-PRank, for all three of its margins.

    For ``"fixed"`` it is k - 1 times the mistakes. The others ask for up to (k - 1) β, so that Σ τ ≤ 2 (k - 1) β / γ²; but of the
    thresholds that are wrong one asks for |y - ŷ| β, so that Σ τ in this round is at least |y - ŷ| β / (R² + 1).
    """
    return (n_ranks - 1) * noprank_mistakes(R, gamma)


def muprank_loss(n_ranks: int, n_features: int, gamma: float, step: float, signed: bool = False) -> float:
    """Theorem 4: the ranking loss of Mu-PRank; infinite where the step is too large for the margin.

    The paper does not say that the rule has to be without negative weights and thresholds, as Mu-PRank's own are: it has, unless
    ``signed``. `halving` comes near to it.
    """
    gain = step * gamma - _log_cosh(step * (n_ranks - 1))
    return math.log(_components(n_ranks, n_features, signed)) / gain if gain > 0 else math.inf


def muprank_loss_at_theory_step(n_ranks: int, n_features: int, gamma: float, signed: bool = False) -> float:
    """Corollary 2, with the factor 2 that Theorem 4 gives and the paper lost; `halving` exceeds what is printed."""
    return 2 * (n_ranks - 1) ** 2 * math.log(_components(n_ranks, n_features, signed)) / gamma**2


def muprank_theory_step(n_ranks: int, gamma: float) -> float:
    """The step of Corollary 2, log((k - 1 + γ) / (k - 1 - γ)) / 2 (k - 1): the best for Theorem 4."""
    return math.atanh(gamma / (n_ranks - 1)) / (n_ranks - 1)


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


def halving(model: Any, n_features: int, size: float = 1.0) -> tuple[np.ndarray, np.ndarray, int]:
    """The adversary of multiplicative updates, for two labels: half of the features left speak for the wrong label each time.

    The last feature standing alone explains every label, so the margin of (that feature, threshold 0) is ``size``, the absolute
    value of all that are left.
    """
    alive = np.arange(n_features)
    played, ranks, loss = [], [], 0
    names = list(model.classes)
    while len(alive) > 1:
        row = np.zeros(n_features)
        row[alive[::2]], row[alive[1::2]] = size, -size
        guess = names.index(model.predict_one(row))
        model.learn_one(row, names[1 - guess])
        alive = alive[row[alive] == (size if guess == 0 else -size)]
        played.append(row)
        ranks.append(2 - guess)
        loss += 1
    return np.array(played), np.array(ranks), loss


def spiral(model: Any, gamma: float, R: float, short: float = 0.05) -> tuple[np.ndarray, np.ndarray, float]:
    """Rows on which No-PRank with ``trigger="margin"`` and two ranks moves often, by little; returns rows, ranks and Σ τ.

    Each row lacks ``short`` times the margin that is asked for, and the rule w = (1, 0), b = 0 has margin gamma on it. The model
    winds round this rule and on beyond it, as long as some row of norm R can lack anything. So Σ τ nears `noprank_weights`, the
    nearer the smaller ``short`` and gamma / R are.
    """
    names = list(model.classes)
    played: list[np.ndarray] = []
    ranks, used, row = [], 0.0, np.array([gamma, 0.9 * math.sqrt(R**2 - gamma**2)])
    while math.hypot(*row) <= R:
        is_upper = len(played) % 2
        before = float(model.thresholds_[0]) if played else 0.0
        played.append(row if is_upper else -row)
        ranks.append(1 + is_upper)
        model.learn_one(played[-1], names[is_upper])
        used += abs(float(model.thresholds_[0]) - before)
        row = _lacking(model, gamma, (1 - short) * model.beta, -1.0 if is_upper else 1.0)
    return np.array(played), np.array(ranks), used


def _lacking(model: Any, gamma: float, least: float, side: float) -> np.ndarray:
    """The row (gamma, ·) that comes with this side next, and on which the model has this margin."""
    along, aside = model.coef_
    return np.array([gamma, (least - gamma * along + side * float(model.thresholds_[0])) / aside])
