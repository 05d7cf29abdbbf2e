"""Rules for claims about every trial, and for points of curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..judging import CONSISTENT, FAILS, HOLDS, Verdict
from ..results import Results

SLACK = 1e-9
"""What rounding may add to a bound that is reached."""
ROUNDING = 1e-12
"""Less than that is no difference, where sums are not exact."""


def never_above(results: Results, names: Iterable[str], limit: float = 1.0) -> Verdict:
    """Whether none of these numbers is above a limit, as is promised of every stream: a single one contradicts it."""
    most = {name: float(results.values(name).max()) for name in names}
    highest = max(most, key=most.__getitem__)
    broken = [name for name, value in most.items() if value > limit * (1 + SLACK)]
    told = f"at most {shown(most[highest])} ({highest}) in {len(results)} trials"
    return Verdict(FAILS if broken else CONSISTENT, told)


def never_below(results: Results, names: Iterable[str], limit: float = 1.0) -> Verdict:
    """Whether none of these numbers is below a limit, as is promised of every case."""
    least = {name: float(results.values(name).min()) for name in names}
    lowest = min(least, key=least.__getitem__)
    told = f"at least {shown(least[lowest])} ({lowest}) in {len(results)} trials"
    return Verdict(CONSISTENT if least[lowest] >= limit * (1 - SLACK) else FAILS, told)


def nothing(results: Results, names: Iterable[str], close: float = 0.0) -> Verdict:
    """Whether all of these numbers are 0 in every trial."""
    most = {name: float(np.abs(results.values(name)).max()) for name in names}
    told = "; ".join(f"{name}: {shown(value)}" for name, value in most.items())
    return Verdict(HOLDS if max(most.values()) <= close else FAILS, f"{told}, in {len(results)} trials")


def between(results: Results, checks: Iterable[tuple[str, float, float]]) -> Verdict:
    """Whether numbers lie between limits in every trial."""
    parts, word = [], HOLDS
    for name, low, high in checks:
        values = results.values(name)
        word = word if low <= values.min() and values.max() <= high else FAILS
        parts.append(f"{name} {shown(float(values.min()))} to {shown(float(values.max()))}")
    return Verdict(word, "; ".join(parts))


def picked(results: Results, wanted: Mapping[str, str], place: int | None = None) -> Results:
    """Some numbers under short names: single ones, points of curves at a place, or the means of curves."""
    columns = {short: _column(results.values(name), place) for short, name in wanted.items()}
    trials = [{short: float(column[i]) for short, column in columns.items()} for i in range(len(results))]
    return Results([dict(trial) for trial in trials], results.is_quick)


def _column(values: np.ndarray, place: int | None) -> np.ndarray:
    if values.ndim == 1:
        return values
    return np.asarray(values.mean(axis=1) if place is None else values[:, place])


def told(results: Results, names: Sequence[str] | None = None) -> str:
    """Means, to read."""
    return ", ".join(f"{name} {shown(results.mean(name).value)}" for name in (results.names if names is None else names))


def shown(value: float) -> str:
    """Three digits, without a power of ten where that can be read.

    >>> shown(0.012345), shown(123456.0), shown(1e-20), shown(0.0)
    ('0.0123', '123,456', '1e-20', '0')
    """
    if value == 0 or not np.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 1000:
        return f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.1e}"
    return f"{value:.3g}" if abs(value) >= 1e-4 else f"{value:.0e}"
