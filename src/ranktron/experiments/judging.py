"""Verdicts: from numbers by rules that are written down, never by eye."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..statistics import quantile
from .experiment import Printed
from .results import Results

HOLDS, FAILS, DEPENDS, UNDECIDED = "holds", "does not hold", "depends", "undecided"
CONSISTENT = "consistent"
"""Of a sentence about every stream or about the limit: runs can contradict it, and none can prove it."""
NOT_COMPARABLE = "not comparable"
"""Of a printed number, where ours was measured on another data set than the paper's."""

CONFIDENCE, QUICK_CONFIDENCE = 0.95, 0.999
"""How sure a verdict is; a quick run has to be surer, or else it is undecided, for it must not contradict a full one."""


class Verdict(NamedTuple):
    """A word and one sentence of reason."""

    word: str
    reason: str


def less(results: Results, low: str, high: str, by: float = 0.0) -> Verdict:
    """Whether one number is below another by more than ``by``, in the mean over trials, which are compared one by one."""
    told = f"{_shown(results, low)} against {_shown(results, high)}"
    return _below(results, results.values(high) - results.values(low) - by, told)


def below(results: Results, name: str, limit: float) -> Verdict:
    """Whether a number is below a limit in the mean."""
    return _below(results, limit - results.values(name), f"{_shown(results, name)} against {limit:g}")


def _below(results: Results, room: np.ndarray, told: str) -> Verdict:
    """Whether the mean of ``room`` is above 0."""
    mean, half = float(np.mean(room)), _half(results, room)
    sure = not math.isnan(half) and abs(mean) > half
    if not sure and results.is_quick:
        return Verdict(UNDECIDED, f"{told}: too few trials to tell")
    if not sure and not room.any():
        return Verdict(FAILS, f"{told}: no difference in any of {len(results)} trials")
    if not sure:
        return Verdict(UNDECIDED, f"{told}: no difference beyond chance in {len(results)} trials")
    return Verdict(HOLDS if mean > 0 else FAILS, told)


def _half(results: Results, values: np.ndarray) -> float:
    """Half of the interval of a mean; 0 where nothing is left to chance."""
    if len(values) < 2:
        return math.nan if results.is_quick else 0.0
    confidence = QUICK_CONFIDENCE if results.is_quick else CONFIDENCE
    return quantile(confidence, len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def matches(results: Results, printed: Printed, digits: int = 2) -> Verdict:
    """Whether a mean agrees with a printed number: their intervals, or the digits that it is printed with, overlap."""
    mean = float(np.mean(results.values(printed.number)))
    half = _half(results, results.values(printed.number))
    told = f"{_shown(results, printed.number)}, printed {printed.value:g}" + (f" ± {printed.half:g}" if printed.half else "")
    room = (printed.half or 0.0) + 0.5 * 10.0**-digits
    off = abs(mean - printed.value)
    if results.is_quick and not abs(off - room) > half:  # NaN is undecided
        return Verdict(UNDECIDED, f"{told}: too few trials to tell")
    return Verdict(HOLDS if off <= room + (0.0 if math.isnan(half) else half) else FAILS, told)


def at_most_consistent(verdict: Verdict) -> Verdict:
    """The verdict on a sentence that no finite number of runs can prove."""
    return verdict._replace(word=CONSISTENT) if verdict.word == HOLDS else verdict


def always(verdicts: Mapping[str, Verdict]) -> Verdict:
    """Whether a claim holds in every one of these cases, by their names; if it holds in some and fails in others, it depends."""
    words = {verdict.word for verdict in verdicts.values()}
    reasons = "; ".join(f"{case}: {verdict.reason}" for case, verdict in verdicts.items())
    if len(words) == 1:
        return Verdict(words.pop(), reasons)
    if FAILS not in words or words <= {FAILS, UNDECIDED}:
        word = UNDECIDED if UNDECIDED in words else CONSISTENT
        return Verdict(word, "; ".join(f"{case}: {verdict.word}" for case, verdict in verdicts.items()))
    cases = [
        f"{word} for {', '.join(case for case, verdict in verdicts.items() if verdict.word == word)}" for word in sorted(words)
    ]
    return Verdict(DEPENDS, f"{', '.join(cases)} ({reasons})")


def _shown(results: Results, name: str) -> str:
    mean = results.mean(name)
    return f"{name} {mean.value:.4g}" + ("" if math.isnan(mean.half) else f" ± {mean.half:.2g}")
