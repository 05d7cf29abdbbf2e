"""The best comparator for data that none is right on: it minimises a bound that grows with its loss and with its norm.

That is the bound of Theorem 2 of Crammer & Singer for rules, and of Theorem 6, 8 or 10 of Chaudhuri & Tewari for directions. The
loss is convex, so descent minimises it together with the norm, on maxima that are softened less and less. The bounds are true for
any comparator; the remaining distance to the best one is small, and tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .chaudhuri_tewari import (
    counted_grades,
    minimax_loss_inseparable,
    minimax_surrogate,
    place_weights,
    slam_loss_at_step,
    slam_loss_inseparable,
    slam_surrogate,
)
from .crammer_singer import missed, prank_loss_inseparable
from .widest import graded_rows, rows_of_lists, table

TEMPERATURES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)

# The prices of squared norm that are tried for a direction, as shares of the surrogate loss of the direction 0.
TRADES = np.geomspace(1.0, 1e-6, 19)


def _descend(
    loss: Callable[..., tuple[float, np.ndarray]],
    start: np.ndarray,
    *data: Any,
    temperatures: Sequence[float] = TEMPERATURES,
) -> np.ndarray:
    """Minimise ``loss(found, temperature, *data)``, which returns its gradient too, at lower and lower temperatures."""
    from scipy.optimize import minimize

    found = start
    for temperature in temperatures:
        found = minimize(loss, found, args=(temperature, *data), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return np.asarray(found)


# Rules for grades


class InseparableRule(NamedTuple):
    """A rule of unit norm, the margin in the bound, the rule's shortfall of that margin (D), and the bound of Theorem 2."""

    loss: float
    margin: float
    missed: float
    coef: np.ndarray
    thresholds: np.ndarray


def best_inseparable(X: Any, ranks: Any, n_ranks: int | None = None) -> InseparableRule:
    """The rule and margin for which Theorem 2 of Crammer & Singer is smallest on these rows; ranks count from 1.

    The bound is never above the loss of being wrong by all ranks on all rows, which is that of a rule near 0.

    >>> best = best_inseparable([[-1.0]] * 50 + [[1.0]] * 51, [1] * 50 + [2] * 50 + [1])  # one of the last rows is wrong
    >>> round(best.loss, 2), round(best.margin, 2), best.coef.round(2).tolist()
    (11.2, 1.05, [1.0])
    """
    rows, labels, k = graded_rows(X, ranks, n_ranks)
    d, R = rows.shape[1], float(np.linalg.norm(rows, axis=1).max())
    nearly_0 = np.append(np.zeros(d), np.arange(1.0, k) - (k - 1) / 3) * 1e-9
    u = _descend(_rank_slack, nearly_0 * 1e6, rows, labels, math.sqrt(R**2 + 1))
    tried = [_unit_rule(v[:d], np.sort(v[d:]), rows, labels, R) for v in (nearly_0, u)]
    return min(tried, key=lambda one: one.loss)


def _rank_slack(u: np.ndarray, T: float, rows: np.ndarray, labels: np.ndarray, price: float) -> tuple[float, np.ndarray]:
    """price · ‖u‖ + ‖ξ‖, where ξ_t is a row's shortfall of a margin of 1: the root of Theorem 2 without its factor k - 1."""
    d = rows.shape[1]
    sides = np.where(labels > np.arange(1, len(u) - d + 1)[:, None], 1.0, -1.0)
    short = (1 - sides * (rows @ u[:d] - u[d:, None])) / T
    slack = np.logaddexp(0.0, np.logaddexp.reduce(short, axis=0))
    norm, total = math.hypot(float(np.linalg.norm(u)), 0.01 * T), T * float(np.linalg.norm(slack))
    pull = sides * np.exp(short - slack) * slack * T / total
    return price * norm + total, np.concatenate([-pull.sum(axis=0) @ rows, pull.sum(axis=1)]) + price * u / norm


def _unit_rule(w: np.ndarray, b: np.ndarray, rows: np.ndarray, labels: np.ndarray, R: float) -> InseparableRule:
    norm = math.hypot(*w, *b)
    D = missed(w, b, rows, labels, 1 / norm)
    return InseparableRule(prank_loss_inseparable(len(b) + 1, R, 1 / norm, D), 1 / norm, D, w / norm, b / norm)


# Directions for lists


class InseparableDirection(NamedTuple):
    """A direction, whose length matters, the sum of its surrogate losses, and the bound."""

    loss: float
    surrogate: float
    coef: np.ndarray


class ListBound(NamedTuple):
    """A bound on the loss of lists as a function of the norm of a direction and of its surrogate loss."""

    algorithm: str
    measure: str
    ties: str
    step: float | None
    R: float
    m: int
    v_max: float

    def surrogate(self, scores: np.ndarray, grades: np.ndarray, qid: Any) -> float:
        """The surrogate loss of scores."""
        if self.algorithm == "minimax":
            return minimax_surrogate(scores, grades, qid, self.measure)
        return slam_surrogate(scores, grades, qid, self.measure, self.ties)

    def loss(self, norm: float, surrogate: float) -> float:
        """The bound."""
        if self.algorithm == "minimax":
            return minimax_loss_inseparable(self.R, norm, surrogate)
        if self.step is None:
            return slam_loss_inseparable(self.m, self.R, norm, self.v_max, surrogate)
        return slam_loss_at_step(self.m, self.R, norm, self.v_max, surrogate, self.step)


def list_bound(
    X: Any,
    y: Any,
    qid: Any = None,
    *,
    algorithm: str = "slam",
    measure: str = "ndcg",
    ties: str = "index",
    step: float | None = None,
) -> ListBound:
    """Theorem 6 or 8 (``algorithm="slam"``; with ``step``, `slam_loss_at_step`) or 10 (``"minimax"``) for lists like these."""
    if algorithm not in ("slam", "minimax"):
        raise ValueError(f"algorithm={algorithm!r} should be 'slam' or 'minimax'")
    rows, grades = table(X), counted_grades(y, measure)
    weights = [place_weights(grades[of], measure, ties) for of in rows_of_lists(qid, len(rows))]
    cutoff = measure.partition("@")[2]
    m = max(np.count_nonzero(v) if ties == "average" else min(len(v), int(cutoff or len(v))) for v in weights)
    ratios = [v.max() / v[v > 0].min() for v in weights if v.any()]
    R = float(np.linalg.norm(rows, axis=1).max())
    return ListBound(algorithm, measure, ties, step, R, int(m), float(max(ratios, default=1.0)))


def best_inseparable_list(X: Any, y: Any, qid: Any = None, **kind: Any) -> InseparableDirection:
    """The direction with the smallest bound on these lists; ``kind`` are the arguments of `list_bound`.

    >>> best = best_inseparable_list([[3.0], [1.0], [2.0], [2.5]], [1, 0, 1, 0], [1, 1, 2, 2], algorithm="minimax")
    >>> round(best.loss, 3)  # of two lists one is right
    2.0
    """
    bound = list_bound(X, y, qid, **kind)
    rows, grades = table(X), counted_grades(y, bound.measure)
    pairs = _pairs(grades, rows_of_lists(qid, len(rows)), bound)
    w = np.zeros(rows.shape[1])
    found = [w] + [_descend(_list_slack, start, rows, pairs, trade) for trade, start in _fair_trades(rows, pairs, bound)]
    losses = [(bound.surrogate(rows @ w, grades, qid), w) for w in found]
    tried = [InseparableDirection(bound.loss(float(np.linalg.norm(w)), lost), lost, w) for lost, w in losses]
    return min(tried, key=lambda one: one.loss)


def _fair_trades(rows: np.ndarray, pairs: _Pairs, bound: ListBound) -> list[tuple[float, np.ndarray]]:
    """The three best prices of squared norm, by coarse descents, with the directions to start from."""
    w, tried = np.zeros(rows.shape[1]), []
    if bound.step is not None:
        return [(1 / (2 * bound.step), w)]
    for trade in (TRADES * pairs.worth.sum()).tolist():
        w = _descend(_list_slack, w, rows, pairs, trade, temperatures=(0.03,))
        left, _ = _list_slack(w, 1e-6, rows, pairs, 0.0)
        tried.append((bound.loss(float(np.linalg.norm(w)), left), trade, w))
    return [(trade, w) for _, trade, w in sorted(tried, key=lambda one: one[0])[:3]]


class _Pairs(NamedTuple):
    """Documents and others of lower grades, in groups that begin at ``starts``.

    Only the largest slack of a group counts, times the group's worth.
    """

    better: np.ndarray
    worse: np.ndarray
    starts: np.ndarray
    worth: np.ndarray


def _pairs(grades: np.ndarray, lists: list[np.ndarray], bound: ListBound) -> _Pairs:
    """All pairs: one group per better document for SLAM, one group per list for MinimaxRank."""
    found = []
    for number, of in enumerate(lists):
        i, j = np.nonzero(grades[of][:, None] > grades[of])
        of_slam = bound.algorithm == "slam"
        weights = place_weights(grades[of], bound.measure, bound.ties)[i] if of_slam else np.ones(len(i))
        group = of[i] if of_slam else np.full(len(i), number)
        found.append(np.stack([of[i], of[j], group, weights])[:, weights > 0])
    better, worse, group, worth = np.hstack(found)
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return _Pairs(better.astype(int), worse.astype(int), starts, worth[starts])


def _list_slack(w: np.ndarray, T: float, rows: np.ndarray, pairs: _Pairs, trade: float) -> tuple[float, np.ndarray]:
    """The surrogate loss of a direction and ``trade`` times its squared norm."""
    scores = rows @ w
    short = (1 + scores[pairs.worse] - scores[pairs.better]) / T
    sizes = np.diff(pairs.starts, append=len(short))
    top = np.maximum(0.0, np.maximum.reduceat(short, pairs.starts))
    slack = top + np.log(np.exp(-top) + np.add.reduceat(np.exp(short - np.repeat(top, sizes)), pairs.starts))
    pull = np.repeat(pairs.worth, sizes) * np.exp(short - np.repeat(slack, sizes))
    along = np.bincount(pairs.worse, pull, len(rows)) - np.bincount(pairs.better, pull, len(rows))
    return T * float(pairs.worth @ slack) + trade * float(w @ w), rows.T @ along + 2 * trade * w
