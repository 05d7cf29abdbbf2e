"""Rules for claims that have several parts, or several readings, for Chaudhuri & Tewari's experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..experiment import Numbers
from ..judging import FAILS, HOLDS, Verdict, less
from ..results import Results
from ..rules import every, part, sorted_out


def derived(results: Results, made: Mapping[str, Callable[[Numbers], float]]) -> Results:
    """Numbers that are made of those of each trial."""
    return Results([{name: make(one) for name, make in made.items()} for one in results.trials], results.is_quick)


def behind(results: Results, low: str, highs: Sequence[str], ending: str = "") -> Verdict:
    """Whether a number is below each of several others, all with this ending; the reason is what they are."""
    verdict = every(less(results, low + ending, high + ending) for high in highs)
    return verdict._replace(reason=", ".join(f"{name} {results.mean(name + ending).value:.4f}" for name in (low, *highs)))


def in_each(results: Results, cases: Iterable[str], judge: Callable[[Results], Verdict]) -> Verdict:
    """The verdict of a rule for every case, by what is named after it."""
    return sorted_out({case: judge(part(results, case)) for case in cases})


def exact(holds: bool, reason: str) -> Verdict:
    """Of what is no matter of chance."""
    return Verdict(HOLDS if holds else FAILS, reason)
