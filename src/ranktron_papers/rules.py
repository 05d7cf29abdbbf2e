"""Rules for claims with several parts or cases, about curves, and about numbers that do not depend on chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from .experiment import Numbers
from .judging import CONSISTENT, FAILS, HOLDS, UNDECIDED, Verdict, always, less
from .results import Results

# The name of the curve that ends in a number.
BY_ROUND = "{}, by round"
# The same for a curve over the number of rows to learn from.
BY_ROWS = "{}, by rows"


def exactly(results: Results, wanted: Mapping[str, float], close: float = 1e-9) -> Verdict:
    """Whether numbers that do not depend on chance have these values."""
    wrong = {name for name, value in wanted.items() if (abs(results.values(name) - value) > close).any()}
    text = ", ".join(f"{name} is {results.values(name)[0]:g}" for name in wanted)
    return Verdict(FAILS if wrong else HOLDS, text)


def after(results: Results, rounds: Sequence[float], count: int, form: str = BY_ROUND) -> Results:
    """The values of all curves of this form after ``count`` rounds, under the names of the numbers that the curves end in."""
    place, ending = list(rounds).index(count), form.format("")
    return results.derived(
        lambda one: {name.removesuffix(ending): curve[place] for name, curve in one.items() if isinstance(curve, list)}
    )


def of_case(case: str, numbers: Mapping[str, float | list[float]], sign: str = ": ") -> Numbers:
    """Numbers under names that begin with the case they belong to.

    >>> of_case("even grades", {"loss": 0.5})
    {'even grades: loss': 0.5}
    """
    return {f"{case}{sign}{name}": value for name, value in numbers.items()}


def part(results: Results, case: str, sign: str = ": ") -> Results:
    """The numbers of one case, without the case in their names: the inverse of ``of_case``."""
    lead = f"{case}{sign}"
    return results.derived(lambda one: {name.removeprefix(lead): value for name, value in one.items() if name.startswith(lead)})


def every(verdicts: Iterable[Verdict], reason: str = "") -> Verdict:
    """Whether all parts of a claim hold; the worst verdict counts. ``reason`` defaults to the reasons of all parts."""
    found = list(verdicts)
    words = {verdict.word for verdict in found}
    word = next((word for word in (FAILS, UNDECIDED, CONSISTENT) if word in words), HOLDS)
    return Verdict(word, reason or "; ".join(verdict.reason for verdict in found))


def beat(results: Results, lows: Sequence[str], high: str) -> Verdict:
    """Whether each of ``lows`` is below ``high``; the reason is the mean of ``high``."""
    return every([less(results, low, high) for low in lows], mean_text(results, high))


def beaten(results: Results, low: str, highs: Sequence[str]) -> Verdict:
    """Whether ``low`` is below each of ``highs``; the reason is the mean of ``low``."""
    return every([less(results, low, high) for high in highs], mean_text(results, low))


def rising(results: Results, names: Sequence[str]) -> Verdict:
    """Whether numbers rise from the first to the last. Neighbours may be too close to compare, but none may surely fall."""
    text = ", ".join(mean_text(results, name) for name in names)
    steps = [less(results, low, high) for low, high in pairwise(names)]
    falls = [less(results, high, low) for low, high in pairwise(names)]
    if results.is_quick:
        return every(steps, text)
    fallen = any(verdict.word == HOLDS for verdict in falls)
    return Verdict(FAILS if fallen else less(results, names[0], names[-1]).word, text)


def mean_text(results: Results, name: str) -> str:
    """A mean as text."""
    return f"{results.mean(name).value:.3f}"


def means_text(results: Results, names: Iterable[str]) -> str:
    """Names with their means as text."""
    return ", ".join(f"{name} {mean_text(results, name)}" for name in names)


def by_case(cases: Mapping[str, Verdict], lead: str = "", link: str = "for") -> Verdict:
    """The word of ``always``; the reason groups the cases by their verdicts."""
    groups: dict[str, list[str]] = {}
    for case, verdict in sorted(cases.items(), key=lambda case: _ORDER.index(case[1].word)):
        groups.setdefault(verdict.word, []).append(f"{case} ({verdict.reason})")
    text = "; ".join(f"{word} {link} {', '.join(group)}" for word, group in groups.items())
    text = text if len(groups) > 1 else ", ".join(*groups.values())
    return Verdict(always(cases).word, f"{lead}: {text}" if lead else text)


_ORDER = (HOLDS, CONSISTENT, FAILS, UNDECIDED)


def constantly(
    results: Results, rounds: Sequence[float], marks: Sequence[int], low: str, high: str, form: str = BY_ROUND
) -> Verdict:
    """Whether one curve is below another at every mark; the reason names the marks at which it is not."""
    verdicts = {mark: less(after(results, rounds, mark, form), low, high) for mark in marks}
    failed = [f"{mark:,}" for mark, verdict in verdicts.items() if verdict.word == FAILS]
    word, unit = every(verdicts.values(), "").word, "rows" if form == BY_ROWS else "rounds"
    if len(failed) in (0, len(marks)):
        return Verdict(word, "nowhere" if failed else "everywhere" if word == HOLDS else "not surely everywhere")
    return Verdict(word, f"not after {', '.join(failed)} {unit}")
