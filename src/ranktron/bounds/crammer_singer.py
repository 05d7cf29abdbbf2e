"""Crammer & Singer (2005): PRank, Si-PRank, No-PRank and Mu-PRank; and Harrington (2003): OAP, an ensemble of PRanks.

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
    """D of Theorem 2: the root of Σ d_t², where a row falls short of margin gamma by d_t under the rule of unit norm.

    >>> missed(np.array([3.0]), np.array([0.0, 4.0]), np.array([[2.0], [-1.0]]), np.array([3, 1]), 1.0)
    0.7211102550927979
    """
    return float(np.linalg.norm(np.maximum(0.0, gamma - _leads(coef, thresholds, X, ranks).min(axis=0))))


def _leads(coef: np.ndarray, thresholds: np.ndarray, X: np.ndarray, ranks: np.ndarray, order: int = 2) -> np.ndarray:
    """y_r (w·x - b_r), one row per threshold, for the rule scaled to unit norm."""
    scores = np.asarray(X) @ coef - np.asarray(thresholds)[:, None]
    sides = np.where(np.asarray(ranks) > np.arange(1, len(thresholds) + 1)[:, None], 1.0, -1.0)
    return np.asarray(sides * scores / np.linalg.norm(np.concatenate([coef, thresholds]), ord=order))


def prank_loss(n_ranks: int, R: float, gamma: float) -> float:
    """Theorem 1: the ranking loss of PRank (and of Si-PRank) on a stream with margin gamma.

    For two ranks, a single row with the label that is not predicted reaches it.
    """
    return (n_ranks - 1) * (R**2 + 1) / gamma**2


def prank_loss_tighter(n_ranks: int, R: float, gamma: float) -> float:
    """The proof of Theorem 1 before its last step, for PRank; a single row that is wrong by all ranks reaches it."""
    return ((n_ranks - 1) * R**2 + 1) / gamma**2


def oap_updates(n_members: int, n_ranks: int, R: float, gamma: float) -> float:
    """The updates of all members of Harrington's (2003) OAP together, each with the bound of PRank.

    A part of the rows has at least the margin of all. Where the paper defines R as the largest squared norm, it means the largest
    norm.
    """
    return n_members * prank_loss_tighter(n_ranks, R, gamma)


def prank_loss_inseparable(n_ranks: int, R: float, gamma: float, D: float) -> float:
    """Theorem 2: the same if rows fall short of the margin by d_t, D² = Σ d_t² (`missed`), for PRank and for Si-PRank.

    Step A.3 of the paper's proof needs thresholds that are 2γ apart. This proof does not: with n_t = Σ |τ_r| and N their sum, the
    rule gains at least γN - Σ n_t d_t, and Σ n_t d_t ≤ √((k - 1) N) D; its norm is at most √((k - 1)(R² + 1) N).
    """
    return (n_ranks - 1) * (D + math.sqrt(R**2 + 1)) ** 2 / gamma**2


def prank_loss_inseparable_tighter(n_ranks: int, R: float, gamma: float, D: float) -> float:
    """The same for PRank, whose norm is at most √(((k - 1) R² + 1) N), as in the proof of Theorem 1."""
    return (math.sqrt(n_ranks - 1) * D + math.sqrt((n_ranks - 1) * R**2 + 1)) ** 2 / gamma**2


def siprank_mistakes(R: float, gamma: float, D: float = 0.0) -> float:
    """Footnote 2: the rounds on which Si-PRank is wrong; with D as in Theorem 2."""
    return (D + math.sqrt(R**2 + 1)) ** 2 / gamma**2


def noprank_weights(beta: float, gamma: float) -> float:
    """Theorem 3: the sum of all multipliers τ of No-PRank; ``beta`` is the largest margin that it enforces.

    That is β with ``margin="fixed"``, and (n_ranks - 1) β with ``"loss"`` and ``"distance"``. `spiral` comes close to the bound
    if the trigger is the margin. If the trigger is a mistake, for two ranks ‖v‖² grows by at most β Σ τ, so half of it holds.
    """
    return 2 * beta / gamma**2


def noprank_mistakes(R: float, gamma: float) -> float:
    """Corollary 1: the rounds on which No-PRank is wrong, with ``margin="fixed"``; one row of two ranks reaches half of it."""
    return 2 * (R**2 + 1) / gamma**2


def noprank_loss(n_ranks: int, R: float, gamma: float) -> float:
    """The remark after Corollary 1: the ranking loss of No-PRank, for all three of its margins.

    For ``"fixed"`` it is k - 1 times the mistakes. The others enforce margins up to (k - 1) β, so Σ τ ≤ 2 (k - 1) β / γ². But one
    of the wrong thresholds has margin |y - ŷ| β, so Σ τ in this round is at least |y - ŷ| β / (R² + 1).
    """
    return (n_ranks - 1) * noprank_mistakes(R, gamma)


def muprank_loss(n_ranks: int, n_features: int, gamma: float, step: float, signed: bool = False) -> float:
    """Theorem 4: the ranking loss of Mu-PRank; infinite if the step is too large for the margin.

    Unless ``signed``, the rule must not have negative weights or thresholds, as Mu-PRank has none; the paper omits this
    condition. `halving` comes close to the bound.
    """
    gain = step * gamma - _log_cosh(step * (n_ranks - 1))
    return math.log(_components(n_ranks, n_features, signed)) / gain if gain > 0 else math.inf


def muprank_loss_at_theory_step(n_ranks: int, n_features: int, gamma: float, signed: bool = False) -> float:
    """Corollary 2, with the factor 2 of Theorem 4, which the paper omits; `halving` exceeds the printed bound."""
    return 2 * (n_ranks - 1) ** 2 * math.log(_components(n_ranks, n_features, signed)) / gamma**2


def muprank_theory_step(n_ranks: int, gamma: float) -> float:
    """The step of Corollary 2, log((k - 1 + γ) / (k - 1 - γ)) / 2 (k - 1): the best for Theorem 4."""
    return math.atanh(gamma / (n_ranks - 1)) / (n_ranks - 1)


def _components(n_ranks: int, n_features: int, signed: bool) -> int:
    return (n_features + n_ranks - 1) * (2 if signed else 1)


def _log_cosh(x: float) -> float:
    return x + math.log1p(math.exp(-2 * x)) - math.log(2)


def orthogonal_rows(n: int, R: float) -> Iterator[np.ndarray]:
    """n orthogonal rows of norm R: the stream on which PRank's bound is tight."""
    for t in range(n):
        row = np.zeros(n)
        row[t] = R
        yield row


def duel(model: Any, rows: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray, int]:
    """Give each row the extreme label that is farther from the model's prediction; returns rows, ranks and the loss.

    The model needs ``classes``. The bounds hold for models that predict with their last hypothesis (``average=False``).
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
    """The adversary of multiplicative updates, for two labels: each row has the wrong sign in half of the remaining features.

    The feature that remains last explains every label, so the margin of (that feature, threshold 0) is ``size``, the absolute
    value of the remaining features.
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

    Each row falls short of the enforced margin by ``short`` times it, and the rule w = (1, 0), b = 0 has margin gamma on it. The
    model moves in a spiral around this rule, as long as some row of norm R falls short. So Σ τ comes close to `noprank_weights`,
    and closer for smaller ``short`` and gamma / R.
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
    """The next row (gamma, ·) with this side, on which the model has this margin."""
    along, aside = model.coef_
    return np.array([gamma, (least - gamma * along + side * float(model.thresholds_[0])) / aside])
