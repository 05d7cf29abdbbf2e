"""The best rule for rows that no rule is right on: it minimises the bound of Theorem 2.

For a margin of 1, the bound grows with the norm of the rule and with its shortfall. Both are convex, so descent minimises their
sum, with maxima that are softened less and less. The bound is true for any rule; the remaining distance to the best one is small,
and tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .crammer_singer import missed, prank_loss_inseparable
from .widest import graded_rows

TEMPERATURES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


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
    u = descend(lambda v, T: _rank_slack(v, T, rows, labels, math.sqrt(R**2 + 1)), nearly_0 * 1e6)
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


def descend(
    loss: Callable[[np.ndarray, float], tuple[float, np.ndarray]],
    start: np.ndarray,
    temperatures: Sequence[float] = TEMPERATURES,
) -> np.ndarray:
    """Minimise a loss, which returns its gradient too, at lower and lower temperatures."""
    from scipy.optimize import minimize

    found = start
    for temperature in temperatures:
        found = minimize(loss, found, args=(temperature,), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return np.asarray(found)
