"""The papers' guarantees as functions: bounds, the margin they ask for, and adversaries that come close to them.

Crammer & Singer (2005) first: ``R`` is the largest norm of a row and ``gamma`` the margin of a rule (w, b) of norm 1; for the
multiplicative bounds norms are max norms of rows and 1-norms of rules.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .lists import lists_of
from .measures import discounts, exponential


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


# Lists (Chaudhuri & Tewari 2015): m documents a list at most, or k places that count; ``v_max`` as below


def list_margin(coef: np.ndarray, X: np.ndarray, y: np.ndarray, qid: Any = None) -> float:
    """Eq. 21: the least w·x_i - w·x_j over the pairs of a list with grades y_i > y_j, for the direction scaled to unit norm.

    >>> list_margin(np.array([3.0, 4.0]), np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), np.array([2, 1, 0]))
    0.6
    """
    scores, grades = np.asarray(X) @ coef / np.linalg.norm(coef), np.asarray(y)
    lists = lists_of(qid, len(scores))
    rows = lists.order
    least = math.inf
    for start, stop in itertools.pairwise(lists.bounds.tolist()):
        s, grade = scores[rows[start:stop]], grades[rows[start:stop]]
        for level in np.unique(grade)[1:]:
            least = min(least, float(s[grade == level].min() - s[grade < level].max()))
    return least


def weight_ratio(y: np.ndarray, measure: str = "ndcg") -> float:
    """v_max of one list: the largest weight of Eq. 10, 11 or 24 over the smallest that is not 0; it is 1 for ``"ap"``.

    >>> round(weight_ratio(np.array([2, 1, 0])), 3), weight_ratio(np.array([2, 1, 0]), "ap")
    (4.755, 1.0)
    """
    if measure == "ap":
        return 1.0
    _, _, k = measure.partition("@")
    grades = np.sort(np.asarray(y, float))[::-1][: int(k) if k else None]
    weights = exponential(grades) * discounts(len(grades))
    return float(weights.max() / weights[weights > 0.0].min())


def slam_loss(m: int, R: float, gamma: float, v_max: float = 1.0) -> float:
    """Corollary 7: the total 1 - NDCG, or 1 - AP, of SLAM on a stream of lists with margin gamma, at its theory step."""
    return 4 * m * R**2 * v_max / gamma**2


def slam_loss_at_cutoff(k: int, R: float, gamma: float, v_max: float = 1.0) -> float:
    """Theorem 8: the total 1 - NDCG@k, however long the lists are."""
    return slam_loss(k, R, gamma, v_max)


def slam_loss_inseparable(m: int, R: float, norm: float, v_max: float, surrogate: float) -> float:
    """Theorem 6 against a direction of this norm whose SLAM losses add up to ``surrogate``; Eq. 19 lacks v_max under its root."""
    constant = 4 * norm**2 * m * R**2 * v_max
    return surrogate + math.sqrt(constant * surrogate) + constant


def slam_theory_step(m: int, R: float, v_max: float = 1.0) -> float:
    """The step under which the bounds of SLAM are proved where there is a margin; it learns slowly."""
    return 1 / (4 * m * R**2 * v_max)


def minimax_loss(R: float, gamma: float) -> float:
    """Corollary 11: the total loss of MinimaxRank on a stream of lists with margin gamma, in any measure."""
    return 4 * R**2 / gamma**2


def minimax_loss_inseparable(R: float, norm: float, surrogate: float) -> float:
    """Theorem 10 against a direction of this norm whose losses of Eq. 27 add up to ``surrogate``."""
    return surrogate + 2 * norm * R * math.sqrt(surrogate) + 4 * norm**2 * R**2


def list_duel(model: Any, R: float, gamma: float, m: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Theorem 9: lists of m documents on which the model's first place is always wrong, though a direction has margin gamma.

    Returns the rows, their grades, the ids of their lists and the direction, where component i + 1 follows list i. In each list
    the only relevant document is below the top, which costs at least 1 - 1 / log2(3) in NDCG and ½ in AP, and just that if m is
    2. The model ranks by its last hypothesis (``average=False``) for the bounds to speak of it.
    """
    rounds = math.floor(R**2 / gamma**2) - 1
    rows, grades = [], []
    direction = np.full(rounds + 1, -gamma / (2 * R))
    for t in range(rounds):
        X, y = np.zeros((m, rounds + 1)), np.zeros(m, int)
        X[0, t + 1], X[1, t + 1], X[2:, 0] = R, -R, R
        first_is_on_top = t == 0 or model.rank(X)[0] == 0  # before any learning, the first of equals is
        y[int(first_is_on_top)] = 1
        if not first_is_on_top:
            direction[t + 1] *= -1
        model.learn_list(X, y)
        rows.append(X)
        grades.append(y)
    return np.concatenate(rows), np.concatenate(grades), np.repeat(np.arange(rounds), m), direction
