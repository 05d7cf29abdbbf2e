"""Rules for Harrington's claims: cells of tables in several readings, one method against others, spreads over trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ..experiment import Printed
from ..judging import FAILS, HOLDS, UNDECIDED, Verdict, always, less, matches
from ..results import Results
from ..rules import every, mean_text


def at_place(results: Results, curves: Mapping[str, str], place: int) -> Results:
    """The values of curves at one place, under other names."""
    return results.of_columns({name: results.values(curve)[:, place] for name, curve in curves.items()})


def spreads(results: Results, names: Iterable[str]) -> Results:
    """The distances of numbers from their medians, which make the interval of a mean wide."""
    return results.of_columns({name: np.abs(results.values(name) - np.median(results.values(name))) for name in names})


def lowest(results: Results, ours: str, rivals: Iterable[str]) -> Verdict:
    """Whether a number is below all others; the reason is its mean and the lowest of the others."""
    others = list(rivals)
    best = min(others, key=lambda name: results.mean(name).value)
    verdicts = [less(results, ours, other) for other in others]
    return every(verdicts, f"{mean_text(results, ours)} against {mean_text(results, best)} of {best}")


def count_readings(cases: Mapping[str, Verdict], mean_text: int = 3) -> Verdict:
    """The word of ``always``; the reason counts the readings by verdict and names some of them."""
    text = []
    for word in (HOLDS, FAILS, UNDECIDED):
        group = [f"{case} ({verdict.reason})" for case, verdict in cases.items() if verdict.word == word]
        more = f" and {len(group) - mean_text} more" if len(group) > mean_text else ""
        if group:
            text.append(f"{word} in {len(group)} of {len(cases)} readings, with {'; '.join(group[:mean_text])}{more}")
    return Verdict(always(cases).word, ". ".join(text))


def in_readings(results: Results, value: float, half: float, readings: Mapping[str, str], most: int = 2) -> Verdict:
    """Whether a printed number is reproduced; ``readings`` maps each reading to the measured number to compare with it."""
    cases = {reading: matches(results, Printed(number, value, "", half)) for reading, number in readings.items()}
    means = {reading: results.mean(number).value for reading, number in readings.items()}
    near = sorted(means, key=lambda reading: abs(means[reading] - value))
    fitting = [reading for reading in near if cases[reading].word == HOLDS]
    text = ", ".join(f"{means[reading]:.3f} ({reading})" for reading in (fitting or near)[:most])
    lead = f"comes out in {len(fitting)} of {len(cases)} readings" if fitting else "nearest"
    return Verdict(always(cases).word, f"{lead}: {text}; all are from {min(means.values()):.3f} to {max(means.values()):.3f}")
