"""Rules that turn measured numbers into verdicts. No verdict is given by eye."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ranktron.statistics import quantile

from .experiment import Printed
from .results import Results

HOLDS, FAILS, DEPENDS, UNDECIDED = "holds", "does not hold", "depends", "undecided"
# For a claim about every stream or about a limit: a run can contradict it, but none can prove it.
CONSISTENT = "consistent"
# For a printed number if ours was measured on another data set than the paper's.
NOT_COMPARABLE = "not comparable"

# The confidence that a verdict needs. It is higher for a quick run, which must not contradict a full one.
CONFIDENCE, QUICK_CONFIDENCE = 0.95, 0.999


class Verdict(NamedTuple):
    """A word, and the reason in one sentence."""

    word: str
    reason: str


def less(results: Results, low: str, high: str, by: float = 0.0) -> Verdict:
    """Whether ``low`` is below ``high`` by more than ``by`` in the mean; the two are compared within each trial."""
    text = f"{_shown(results, low)} against {_shown(results, high)}"
    return _positive(results, results.values(high) - results.values(low) - by, text)


def below(results: Results, name: str, limit: float) -> Verdict:
    """Whether the mean of a number is below a limit."""
    return _positive(results, limit - results.values(name), f"{_shown(results, name)} against {limit:g}")


def _positive(results: Results, differences: np.ndarray, text: str) -> Verdict:
    """Whether the mean of ``differences``, one per trial, is surely above 0."""
    mean, half = float(np.mean(differences)), _half(results, differences)
    sure = not math.isnan(half) and abs(mean) > half
    if not sure and results.is_quick:
        return Verdict(UNDECIDED, f"{text}: too few trials to tell")
    if not sure and not differences.any():
        return Verdict(FAILS, f"{text}: no difference in any of {len(results)} trials")
    if not sure:
        return Verdict(UNDECIDED, f"{text}: no difference beyond chance in {len(results)} trials")
    return Verdict(HOLDS if mean > 0 else FAILS, text)


def _half(results: Results, values: np.ndarray) -> float:
    """Half the width of a mean's interval; 0 for the only trial of a full run, which involves no chance."""
    if len(values) < 2:
        return math.nan if results.is_quick else 0.0
    confidence = QUICK_CONFIDENCE if results.is_quick else CONFIDENCE
    return quantile(confidence, len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def matches(results: Results, printed: Printed, digits: int = 2) -> Verdict:
    """Whether a mean agrees with a printed number: its interval meets the printed one, widened by half of the last digit."""
    mean = float(np.mean(results.values(printed.number)))
    half = _half(results, results.values(printed.number))
    text = f"{_shown(results, printed.number)}, printed {printed.value:g}" + (f" ± {printed.half:g}" if printed.half else "")
    tolerance = (printed.half or 0.0) + 0.5 * 10.0**-digits
    off = abs(mean - printed.value)
    if results.is_quick and not abs(off - tolerance) > half:  # also if the interval is NaN
        return Verdict(UNDECIDED, f"{text}: too few trials to tell")
    return Verdict(HOLDS if off <= tolerance + (0.0 if math.isnan(half) else half) else FAILS, text)


def at_most_consistent(verdict: Verdict) -> Verdict:
    """The verdict on a claim that no finite number of runs can prove: ``CONSISTENT`` in place of ``HOLDS``."""
    return verdict._replace(word=CONSISTENT) if verdict.word == HOLDS else verdict


def always(verdicts: Mapping[str, Verdict]) -> Verdict:
    """Whether a claim holds in all of these cases; if it holds in some and fails in others, the verdict is ``DEPENDS``."""
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
