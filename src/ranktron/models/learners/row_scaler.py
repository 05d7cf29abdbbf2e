"""The scaling of a learner: what it knows of its columns, and rows that are scaled by it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.moments import CENTRED, Moments, scaling_now, widened
from ...core.row_scaling import RunningRows, ScaledRows
from ...core.rows import CSR, Rows
from ...core.scorers.protocol import Hypothesis, rescale_hypothesis
from ..features import Features

# Names up to which mappings are centred, as dense rows are: beyond that a row may well lack most of them.
WIDEST = 1024

# How a kernel, if there is one, sees rows.
View = Callable[[Rows], Any]


def are_centred(rows: Rows, features: Features) -> bool:
    """Whether columns are centred, judged by the first rows."""
    return not isinstance(rows, CSR) or (features.names is not None and features.count <= WIDEST)


def grown(known: Moments, scorer: Any, features: Features, age: int, is_linear: bool) -> tuple[Moments, Any]:
    """The moments and the scorer for more columns; with very many names, columns are no longer centred.

    What was learned is carried over to that, so that nothing it says changes; where it cannot be, columns stay centred.
    """
    known = widened(known, features.count)
    has_few = features.names is None or features.count <= WIDEST
    if known.tally[CENTRED] != 1.0 or has_few or not is_linear or not _carries(scorer):
        return known, scorer
    known, scorer = copy.deepcopy((known, scorer))  # the old ones may be needed again
    count = min(features.count, len(known.centre))
    rescale_hypothesis(scorer, np.ones(count), -(known.centre * known.inverse)[:count], age)
    known.centre[:], known.tally[CENTRED] = 0.0, 0.0
    return known, scorer


def _carries(scorer: Any) -> bool:
    try:
        rescale_hypothesis(scorer, np.empty(0), np.empty(0), 0)
    except ValueError:
        return False
    return True


def running_rows(known: Moments, rows: Rows, n_columns: int, longest: int, view: View) -> RunningRows:
    """Rows to learn from, at most ``longest`` at a time."""
    raw, first, second = (_buffer(known, rows, n_columns, longest) for _ in range(3))
    old = np.empty((6, max(n_columns, 2)))
    return RunningRows(rows, known, raw, old, first, second, view(first), view(second))


def scaled_rows(known: Moments, rows: Rows, n_columns: int, view: View) -> ScaledRows:
    """Rows to answer for."""
    raw, first = (_buffer(known, rows, n_columns, 1) for _ in range(2))
    return ScaledRows(rows, known, raw, first, view(first))


def _buffer(known: Moments, rows: Rows, n_columns: int, longest: int) -> Any:
    """A buffer for ``longest`` rows: dense where they are to be centred."""
    if known.tally[CENTRED] == 1.0:
        return np.zeros((longest, n_columns))
    if not isinstance(rows, CSR):
        return _sparse_buffer(longest, n_columns, np.dtype(np.int32))
    one_row = len(rows.indptr) == 2  # which may be a buffer itself, that is filled again for each example
    most = len(rows.values) if one_row else int(np.diff(rows.indptr).max(initial=0))
    return _sparse_buffer(longest, most, rows.indices.dtype)


def _sparse_buffer(longest: int, most: int, index: Any) -> CSR:
    return CSR(np.zeros(longest + 1, index), np.zeros(longest * most, index), np.zeros(longest * most))


def folded(known: Moments, rule: Hypothesis) -> Hypothesis:
    """The same rule for raw rows: what centring adds goes into the thresholds, or into the intercept where there are none.

    w·z - b with z = (x - centre) · inverse is (w · inverse)·x - (b + Σ w · inverse · centre).
    """
    _, inverse = scaling_now(known)
    coef, shift = rule.coef * inverse[: rule.coef.shape[-1]], shift_of(known, rule.coef)
    if np.size(rule.thresholds):
        return rule._replace(coef=coef, thresholds=rule.thresholds + np.asarray(shift)[..., None])
    intercept = rule.intercept if np.size(rule.intercept) else 0.0
    return rule._replace(coef=coef, intercept=intercept - shift)


def shift_of(known: Moments, coef: np.ndarray) -> np.ndarray:
    """What centring subtracts from the projection of a raw row: Σ w · inverse · centre."""
    centre, inverse = (part[: coef.shape[-1]] for part in scaling_now(known))
    return (coef[..., : len(centre)] * inverse) @ centre


def check_settles(scorer: Any, has_kernel: bool) -> None:
    """Refuse at once what could not be carried over to another scale later."""
    if has_kernel:
        raise ValueError(
            "scale='settled' needs a linear model, because a kernel keeps rows as they were scaled; use scale='standard'"
        )
    rescale_hypothesis(scorer, np.empty(0), np.empty(0), 0)
