"""The best direction for lists that no direction ranks without error: it minimises Theorem 6, 8 or 10 of Chaudhuri & Tewari.

These bounds grow with the surrogate loss of a direction and with its norm. The loss is convex, so for each price of squared norm
the best direction is found by descent, on maxima that are softened less and less. The best of some prices is taken.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..core.lists import Lists, lists_of
from .chaudhuri_tewari import minimax_loss_inseparable, slam_loss_at_step, slam_loss_inseparable
from .slack import descend
from .surrogates import counted_grades, minimax_surrogate, place_weights, slam_surrogate
from .widest import table

# The prices of squared norm, as shares of the surrogate loss of the direction 0.
TRADES = np.geomspace(1.0, 1e-6, 19)


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
    weights = [place_weights(grades[of], measure, ties) for of in _each(lists_of(qid, len(rows)))]
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
    pairs = _pairs(grades, lists_of(qid, len(rows)), bound)
    w = np.zeros(rows.shape[1])
    found = [w] + [descend(_slack(rows, pairs, trade), start) for trade, start in _fair_trades(rows, pairs, bound)]
    losses = [(bound.surrogate(rows @ w, grades, qid), w) for w in found]
    return min((InseparableDirection(bound.loss(float(np.linalg.norm(w)), lost), lost, w) for lost, w in losses), key=_loss)


def _loss(found: InseparableDirection) -> float:
    return found.loss


def _fair_trades(rows: np.ndarray, pairs: _Pairs, bound: ListBound) -> list[tuple[float, np.ndarray]]:
    """The three best prices of squared norm, by coarse descents, with the directions to start from."""
    w, tried = np.zeros(rows.shape[1]), []
    if bound.step is not None:
        return [(1 / (2 * bound.step), w)]
    for trade in (TRADES * pairs.worth.sum()).tolist():
        w = descend(_slack(rows, pairs, trade), w, temperatures=(0.03,))
        left, _ = _list_slack(w, 1e-6, rows, pairs, 0.0)
        tried.append((bound.loss(float(np.linalg.norm(w)), left), trade, w))
    return [(trade, w) for _, trade, w in sorted(tried, key=lambda one: one[0])[:3]]


def _slack(rows: np.ndarray, pairs: _Pairs, trade: float) -> Callable[[np.ndarray, float], tuple[float, np.ndarray]]:
    return functools.partial(_list_slack, rows=rows, pairs=pairs, trade=trade)


def _each(lists: Lists) -> list[np.ndarray]:
    return np.split(lists.order, lists.bounds[1:-1])


class _Pairs(NamedTuple):
    """Documents and others of lower grades, in groups that begin at ``starts``.

    Only the largest slack of a group counts, times the group's worth.
    """

    better: np.ndarray
    worse: np.ndarray
    starts: np.ndarray
    worth: np.ndarray


def _pairs(grades: np.ndarray, lists: Lists, bound: ListBound) -> _Pairs:
    """All pairs: one group per better document for SLAM, one group per list for MinimaxRank."""
    found = []
    for number, of in enumerate(_each(lists)):
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
