"""Rules for Harrington's claims: cells of tables under several readings, one method against others, widths of intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ..experiment import Printed
from ..judging import FAILS, HOLDS, UNDECIDED, Verdict, always, less, matches
from ..results import Results
from ..rules import every, shown


def at_place(results: Results, curves: Mapping[str, str], place: int) -> Results:
    """A point of curves, as numbers of other names."""
    return _made(results, {name: results.values(curve)[:, place] for name, curve in curves.items()})


def spreads(results: Results, names: Iterable[str]) -> Results:
    """How far numbers are from their medians in every trial: what makes the interval of a mean wide."""
    return _made(results, {name: np.abs(results.values(name) - np.median(results.values(name))) for name in names})


def _made(results: Results, columns: Mapping[str, np.ndarray]) -> Results:
    return Results([{name: float(column[i]) for name, column in columns.items()} for i in range(len(results))], results.is_quick)


def lowest(results: Results, ours: str, rivals: Iterable[str]) -> Verdict:
    """Whether a number is below all others; the reason is what it is, and the lowest of the others."""
    others = list(rivals)
    best = min(others, key=lambda name: results.mean(name).value)
    verdicts = [less(results, ours, other) for other in others]
    return every(verdicts, f"{shown(results, ours)} against {shown(results, best)} of {best}")


def counted(cases: Mapping[str, Verdict], shown: int = 3) -> Verdict:
    """The word of ``always``, and a sentence that counts the readings in which a claim holds, and gives some of them."""
    told = []
    for word in (HOLDS, FAILS, UNDECIDED):
        group = [f"{case} ({verdict.reason})" for case, verdict in cases.items() if verdict.word == word]
        more = f" and {len(group) - shown} more" if len(group) > shown else ""
        if group:
            told.append(f"{word} in {len(group)} of {len(cases)} readings, with {'; '.join(group[:shown])}{more}")
    return Verdict(always(cases).word, ". ".join(told))


def cell(results: Results, value: float, half: float, readings: Mapping[str, str], most: int = 2) -> Verdict:
    """Whether a printed number comes out, by the reading; ``readings`` says what is to be compared with it in each."""
    cases = {reading: matches(results, Printed(number, value, "", half)) for reading, number in readings.items()}
    means = {reading: results.mean(number).value for reading, number in readings.items()}
    near = sorted(means, key=lambda reading: abs(means[reading] - value))
    fitting = [reading for reading in near if cases[reading].word == HOLDS]
    told = ", ".join(f"{means[reading]:.3f} ({reading})" for reading in (fitting or near)[:most])
    lead = f"comes out in {len(fitting)} of {len(cases)} readings" if fitting else "nearest"
    return Verdict(always(cases).word, f"{lead}: {told}; all are from {min(means.values()):.3f} to {max(means.values()):.3f}")
