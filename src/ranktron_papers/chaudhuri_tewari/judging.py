"""Rules for Chaudhuri & Tewari's claims, which have several parts and readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..judging import FAILS, HOLDS, Verdict, less
from ..results import Results
from ..rules import by_case, every, part


def behind(results: Results, low: str, highs: Sequence[str], ending: str = "") -> Verdict:
    """Whether a number is below each of several others, all with this ending; the reason is their means."""
    verdict = every(less(results, low + ending, high + ending) for high in highs)
    return verdict._replace(reason=", ".join(f"{name} {results.mean(name + ending).value:.4f}" for name in (low, *highs)))


def in_each(results: Results, cases: Iterable[str], judge: Callable[[Results], Verdict]) -> Verdict:
    """The verdict of a rule by case, given the numbers of each case."""
    return by_case({case: judge(part(results, case)) for case in cases})


def exact(holds: bool, reason: str) -> Verdict:
    """The verdict on a claim that does not depend on chance."""
    return Verdict(HOLDS if holds else FAILS, reason)
