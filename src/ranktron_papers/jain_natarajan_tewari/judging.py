"""Rules for claims about every trial and about points of curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..judging import CONSISTENT, FAILS, HOLDS, Verdict
from ..results import Results

# The relative error that rounding may add to a bound that is reached.
SLACK = 1e-9
# Smaller differences are due to rounding.
ROUNDING = 1e-12


def never_above(results: Results, names: Iterable[str], limit: float = 1.0) -> Verdict:
    """Whether no number exceeds a limit that is claimed for every stream; a single trial can contradict it."""
    most = {name: float(results.values(name).max()) for name in names}
    highest = max(most, key=most.__getitem__)
    broken = [name for name, value in most.items() if value > limit * (1 + SLACK)]
    text = f"at most {number_text(most[highest])} ({highest}) in {len(results)} trials"
    return Verdict(FAILS if broken else CONSISTENT, text)


def never_below(results: Results, names: Iterable[str], limit: float = 1.0) -> Verdict:
    """Whether no number is below a limit that is claimed for every case."""
    least = {name: float(results.values(name).min()) for name in names}
    lowest = min(least, key=least.__getitem__)
    text = f"at least {number_text(least[lowest])} ({lowest}) in {len(results)} trials"
    return Verdict(CONSISTENT if least[lowest] >= limit * (1 - SLACK) else FAILS, text)


def nothing(results: Results, names: Iterable[str], close: float = 0.0) -> Verdict:
    """Whether all of these numbers are 0 in every trial."""
    most = {name: float(np.abs(results.values(name)).max()) for name in names}
    text = "; ".join(f"{name}: {number_text(value)}" for name, value in most.items())
    return Verdict(HOLDS if max(most.values()) <= close else FAILS, f"{text}, in {len(results)} trials")


def between(results: Results, checks: Iterable[tuple[str, float, float]]) -> Verdict:
    """Whether numbers lie between limits in every trial."""
    parts, word = [], HOLDS
    for name, low, high in checks:
        values = results.values(name)
        word = word if low <= values.min() and values.max() <= high else FAILS
        parts.append(f"{name} {number_text(float(values.min()))} to {number_text(float(values.max()))}")
    return Verdict(word, "; ".join(parts))


def picked(results: Results, wanted: Mapping[str, str], place: int | None = None) -> Results:
    """Some numbers under short names: single ones, and of curves their value at a place or their mean."""
    return results.of_columns({short: _column(results.values(name), place) for short, name in wanted.items()})


def _column(values: np.ndarray, place: int | None) -> np.ndarray:
    if values.ndim == 1:
        return values
    return np.asarray(values.mean(axis=1) if place is None else values[:, place])


def numbers_text(results: Results, names: Sequence[str] | None = None) -> str:
    """Names with their means as text."""
    return ", ".join(f"{name} {number_text(results.mean(name).value)}" for name in (results.names if names is None else names))


def number_text(value: float) -> str:
    """A number with three digits, without an exponent where that stays legible.

    >>> number_text(0.012345), number_text(123456.0), number_text(1e-20), number_text(0.0)
    ('0.0123', '123,456', '1e-20', '0')
    """
    if value == 0 or not np.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 1000:
        return f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.1e}"
    return f"{value:.3g}" if abs(value) >= 1e-4 else f"{value:.0e}"
