"""The best margin on given data, and the rule that has it: for bounds when no rule is known in advance.

A margin is the least of many inner products, one for each row and threshold or for each pair of documents, and only a few of them
are active. So the best rule for a few is found exactly, the products that it makes smallest are added, and so on until all others
are at least as large: then no other rule has a larger margin. The small problem is Lawson & Hanson's least distance problem for
Euclidean norms, solved by non-negative least squares, and a linear programme for 1-norms.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ..core.lists import lists_of

# The largest relative difference to the best margin; margins below this share of the rows' norm count as none.
TOLERANCE = 1e-8

# The number of smallest products that are added at once.
AT_ONCE = 100


class Rule(NamedTuple):
    """A rule of unit norm and its margin."""

    margin: float
    coef: np.ndarray
    thresholds: np.ndarray


class Direction(NamedTuple):
    """A direction of unit norm, or a matrix with one row per class, and its margin."""

    margin: float
    coef: np.ndarray


class NotSeparable(ValueError):
    """No rule is right on all the data."""


class Problem(NamedTuple):
    """``worst`` gives the rows z with the least z·v, at most `AT_ONCE`; ``radius`` bounds ‖z‖."""

    worst: Callable[[np.ndarray], np.ndarray]
    radius: float
    what: str
    advice: str


def best_margin(X: Any, ranks: Any, n_ranks: int | None = None, *, order: int = 2, signed: bool = True) -> Rule:
    """The rule (w, b) of unit norm whose `margin` on these rows is the largest; ranks count from 1 to ``n_ranks``.

    ``order`` 2 is for the additive algorithms (Theorem 1), 1 for Mu-PRank (Theorem 4), whose rules without ``signed`` have no
    negative weight or threshold. Raises `NotSeparable` if there is no rule with a margin: see `best_inseparable` then.

    >>> rule = best_margin([[2.0, 0.0], [0.0, 0.0], [-2.0, 0.0]], [3, 2, 1])
    >>> round(rule.margin, 4), rule.coef.round(4).tolist(), rule.thresholds.round(4).tolist()
    (0.5774, [0.5774, 0.0], [-0.5774, 0.5774])
    """
    rows, labels, n_ranks = graded_rows(X, ranks, n_ranks)
    d = rows.shape[1]
    kept = np.zeros((n_ranks - 2, d + n_ranks - 1))
    kept[:, d + 1 :] += np.eye(n_ranks - 2)
    kept[:, d:-1] -= np.eye(n_ranks - 2)
    size = np.abs(rows).max() if order == 1 else np.linalg.norm(rows, axis=1).max()
    sought = "rule" if signed else "rule without negative numbers", "best_inseparable finds the best one for Theorem 2"
    problem = Problem(lambda v: _worst_sides(rows, labels, n_ranks, v), float(np.hypot(size, 1.0)), *sought)
    margin, rule = _widest(problem, d + n_ranks - 1, order, signed, kept)
    return Rule(margin, rule[:d], rule[d:])


def graded_rows(X: Any, ranks: Any, n_ranks: int | None) -> tuple[np.ndarray, np.ndarray, int]:
    """Rows and their ranks as arrays, and the number of ranks."""
    rows, labels = table(X), np.asarray(ranks)
    if labels.shape != (len(rows),) or labels.dtype.kind not in "iu" or labels.min(initial=1) < 1:
        raise ValueError(f"ranks should hold a whole number from 1 on for each of {len(rows)} rows, not {ranks!s:.60}")
    highest = int(labels.max())
    if n_ranks is not None and highest > n_ranks:
        raise ValueError(f"rank {highest} in row {int(labels.argmax())} is above n_ranks={n_ranks}")
    return rows, labels, max(n_ranks or highest, 2)


def rows_of_lists(qid: Any, n_rows: int) -> list[np.ndarray]:
    """The row numbers of each list."""
    lists = lists_of(qid, n_rows)
    return np.split(lists.order, lists.bounds[1:-1])


def table(X: Any) -> np.ndarray:
    """Rows as an array of finite numbers."""
    rows = np.asarray(X.toarray() if hasattr(X, "toarray") else X, float)
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise ValueError(f"X should hold rows of finite numbers, at least one; its shape is {rows.shape}")
    return rows


def _worst_sides(rows: np.ndarray, labels: np.ndarray, n_ranks: int, v: np.ndarray) -> np.ndarray:
    """The thresholds next to the interval of each row: y_r (x, -e_r), of which the least inner products are taken."""
    d, n = rows.shape[1], len(rows)
    walls = np.concatenate([[-np.inf], v[d:], [np.inf]])
    f = rows @ v[:d]
    leads = np.concatenate([f - walls[labels - 1], walls[labels] - f])
    places = _lowest(leads)
    row, is_upper = places % n, places >= n
    sides = np.where(is_upper, -1.0, 1.0)
    found = np.zeros((len(places), len(v)))
    found[:, :d] = sides[:, None] * rows[row]
    found[np.arange(len(places)), d + labels[row] - 2 + is_upper] = -sides
    return found


def _lowest(leads: np.ndarray) -> np.ndarray:
    """The places of the lowest finite values, at most `AT_ONCE`."""
    order = np.argsort(leads, kind="stable")[:AT_ONCE]
    return np.asarray(order[np.isfinite(leads[order])])


def best_list_margin(X: Any, y: Any, qid: Any = None, *, order: int = 2) -> Direction:
    """The direction of unit norm whose `list_margin` (Eq. 21 of Chaudhuri & Tewari) on these lists is the largest.

    >>> best = best_list_margin([[3.0, 1.0], [1.0, 1.0], [0.0, 2.0], [0.0, 1.0]], [1, 0, 1, 0], ["a", "a", "b", "b"])
    >>> round(best.margin, 4), best.coef.round(4).tolist()  # the same margin along (2, 0) and (0, 1)
    (0.8944, [0.4472, 0.8944])
    """
    rows = table(X)
    drops = _grade_drops(np.asarray(y), rows_of_lists(qid, len(rows)))
    if not drops:
        raise ValueError("no list has documents of different grades, so every direction ranks all lists correctly")
    size = 2 * float(np.abs(rows).max() if order == 1 else np.linalg.norm(rows, axis=1).max())
    sought = "direction", "best_inseparable_list finds the best one for Theorems 6, 8 and 10"
    problem = Problem(lambda v: _worst_pairs(rows, drops, v), size, *sought)
    return Direction(*_widest(problem, rows.shape[1], order))


def _grade_drops(grades: np.ndarray, lists: list[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows of each grade in each list and of the next lower grade; all other pairs have larger margins."""
    found = []
    for of in lists:
        levels = [of[grades[of] == grade] for grade in np.unique(grades[of])]
        found += [(above, below) for below, above in itertools.pairwise(levels)]
    return found


def _worst_pairs(rows: np.ndarray, drops: list[tuple[np.ndarray, np.ndarray]], v: np.ndarray) -> np.ndarray:
    scores = rows @ v
    pairs = np.array([(above[scores[above].argmin()], below[scores[below].argmax()]) for above, below in drops])
    pairs = pairs[_lowest(scores[pairs[:, 0]] - scores[pairs[:, 1]])]
    return np.asarray(rows[pairs[:, 0]] - rows[pairs[:, 1]])


def best_class_margin(X: Any, codes: Any, n_classes: int | None = None) -> Direction:
    """The matrix of unit norm whose `predtron_class_margin` on these rows is the largest; labels count from 0.

    >>> best = best_class_margin([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    >>> round(best.margin, 4), best.coef.round(4).tolist()
    (1.0, [[0.5, -0.5], [-0.5, 0.5]])
    """
    rows, labels, k = graded_rows(X, np.asarray(codes) + 1, n_classes)
    size = float(np.sqrt(2) * np.linalg.norm(rows, axis=1).max())
    problem = Problem(lambda v: _worst_classes(rows, labels - 1, k, v), size, "matrix", "other features may help")
    margin, W = _widest(problem, k * rows.shape[1])
    return Direction(margin, W.reshape(k, -1))


def _worst_classes(rows: np.ndarray, codes: np.ndarray, k: int, v: np.ndarray) -> np.ndarray:
    scores, every = rows @ v.reshape(k, -1).T, np.arange(len(rows))
    right = scores[every, codes]
    scores[every, codes] = -np.inf
    others = scores.argmax(axis=1)
    worst = _lowest(right - scores[every, others])
    found = np.zeros((len(worst), k, rows.shape[1]))
    found[np.arange(len(worst)), codes[worst]] = rows[worst]
    found[np.arange(len(worst)), others[worst]] -= rows[worst]
    return found.reshape(len(worst), -1)


# The small problem of the active products


def _widest(
    problem: Problem, size: int, order: int = 2, signed: bool = True, kept: Iterable[np.ndarray] = ()
) -> tuple[float, np.ndarray]:
    """The v of unit norm with the largest least z·v, and with z·v ≥ 0 for the rows to be kept."""
    if order not in (1, 2):
        raise ValueError(f"order={order!r} should be 2 for the Euclidean norm or 1 for the sum of absolute values")
    kept = np.vstack([*kept, np.zeros((0, size)) if signed else np.eye(size)])
    few, v, guess = problem.worst(np.zeros(size)) / problem.radius, np.zeros(size), 1.0
    while True:
        v = _widest_of_few(few, kept, guess) if order == 2 else _widest_in_1_norm(few, kept, signed)
        hoped = float((few @ v).min())
        if hoped <= TOLERANCE:
            raise NotSeparable(f"no {problem.what} is right on all the data with a margin; {problem.advice}")
        added = problem.worst(v) / problem.radius
        if (added @ v).min() >= hoped * (1 - TOLERANCE):
            return float((added @ v).min() * problem.radius), v
        few, guess = np.vstack([few, added]), hoped


def _widest_of_few(few: np.ndarray, kept: np.ndarray, guess: float) -> np.ndarray:
    """min ‖v‖ so that z·v is at least ``guess`` for the few, and not negative for the kept: scaled to norm 1, or zeros."""
    from scipy.optimize import nnls

    E = np.vstack([np.vstack([few, kept]).T, np.concatenate([np.full(len(few), guess), np.zeros(len(kept))])])
    u, _ = nnls(E, np.eye(len(E))[-1], maxiter=100 * E.shape[1])
    v = (E @ u)[:-1]
    norm = np.linalg.norm(v)
    return v / norm if norm > TOLERANCE * guess else np.zeros(len(v))


def _widest_in_1_norm(few: np.ndarray, kept: np.ndarray, signed: bool) -> np.ndarray:
    """max g so that z·v is at least g for the few, and not negative for the kept; v = p - q, p and q ≥ 0, Σ p + q = 1."""
    from scipy.optimize import linprog

    d = few.shape[1]
    least = np.vstack([few, kept])
    least = np.hstack([least, -least] if signed else [least])
    lack = np.append(np.ones(len(few)), np.zeros(len(kept)))[:, None]
    size = least.shape[1]
    ends = [(0.0, None)] * size + [(None, None)]
    total = np.append(np.ones(size), 0.0)[None]
    solved = linprog(-np.eye(size + 1)[-1], np.hstack([-least, lack]), np.zeros(len(least)), total, [1.0], ends)
    v = solved.x[:d] - (solved.x[d : 2 * d] if signed else 0.0)
    return np.asarray(v / max(np.abs(v).sum(), TOLERANCE))
