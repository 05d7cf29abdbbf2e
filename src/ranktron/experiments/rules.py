"""Rules for claims about curves, about several rivals at once, and about what is no matter of chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from .judging import CONSISTENT, FAILS, HOLDS, UNDECIDED, Verdict, always, less
from .results import Results

BY_ROUND = "{}, by round"
"""How the curve is called that leads to a number."""
BY_ROWS = "{}, by rows"
"""The same where it is not rounds that are counted, but rows to learn from."""


def exactly(results: Results, wanted: Mapping[str, float], close: float = 1e-9) -> Verdict:
    """Whether numbers that are no matter of chance are these."""
    wrong = {name for name, value in wanted.items() if (abs(results.values(name) - value) > close).any()}
    told = ", ".join(f"{name} is {results.values(name)[0]:g}" for name in wanted)
    return Verdict(FAILS if wrong else HOLDS, told)


def after(results: Results, rounds: Sequence[float], count: int, form: str = BY_ROUND) -> Results:
    """What had been measured after so many rounds, read from the curves of this form."""
    place, ending = list(rounds).index(count), form.format("")
    return Results(
        [
            {name.removesuffix(ending): curve[place] for name, curve in numbers.items() if isinstance(curve, list)}
            for numbers in results.trials
        ],
        results.is_quick,
    )


def part(results: Results, case: str) -> Results:
    """What is named after a case, without its name."""
    lead = f"{case}: "
    return Results(
        [{name.removeprefix(lead): value for name, value in one.items() if name.startswith(lead)} for one in results.trials],
        results.is_quick,
    )


def every(verdicts: Iterable[Verdict], reason: str = "") -> Verdict:
    """Whether all parts of one claim hold: a part that does not decides. Without a reason it is that of all parts."""
    found = list(verdicts)
    words = {verdict.word for verdict in found}
    word = next((word for word in (FAILS, UNDECIDED, CONSISTENT) if word in words), HOLDS)
    return Verdict(word, reason or "; ".join(verdict.reason for verdict in found))


def beat(results: Results, lows: Sequence[str], high: str) -> Verdict:
    """Whether each of ``lows`` is below ``high``; the reason is what ``high`` has."""
    return every([less(results, low, high) for low in lows], shown(results, high))


def beaten(results: Results, low: str, highs: Sequence[str]) -> Verdict:
    """Whether ``low`` is below each of ``highs``; the reason is what ``low`` has."""
    return every([less(results, low, high) for high in highs], shown(results, low))


def rising(results: Results, names: Sequence[str]) -> Verdict:
    """Whether numbers rise from the first to the last; neighbours may be too close to tell, but none may surely fall."""
    told = ", ".join(shown(results, name) for name in names)
    steps = [less(results, low, high) for low, high in pairwise(names)]
    falls = [less(results, high, low) for low, high in pairwise(names)]
    if results.is_quick:
        return every(steps, told)
    fallen = any(verdict.word == HOLDS for verdict in falls)
    return Verdict(FAILS if fallen else less(results, names[0], names[-1]).word, told)


def shown(results: Results, name: str) -> str:
    """The mean, to read."""
    return f"{results.mean(name).value:.3f}"


def named(results: Results, names: Iterable[str]) -> str:
    """Names with their means, to read."""
    return ", ".join(f"{name} {shown(results, name)}" for name in names)


def sorted_out(cases: Mapping[str, Verdict], lead: str = "", link: str = "for") -> Verdict:
    """The word of ``always``, and a sentence that says for which cases a claim holds and for which it does not."""
    groups: dict[str, list[str]] = {}
    for case, verdict in sorted(cases.items(), key=lambda case: _ORDER.index(case[1].word)):
        groups.setdefault(verdict.word, []).append(f"{case} ({verdict.reason})")
    told = "; ".join(f"{word} {link} {', '.join(group)}" for word, group in groups.items())
    told = told if len(groups) > 1 else ", ".join(*groups.values())
    return Verdict(always(cases).word, f"{lead}: {told}" if lead else told)


_ORDER = (HOLDS, CONSISTENT, FAILS, UNDECIDED)


def constantly(
    results: Results, rounds: Sequence[float], marks: Sequence[int], low: str, high: str, form: str = BY_ROUND
) -> Verdict:
    """Whether one curve is below another at every mark; the reason says where it is not."""
    verdicts = {mark: less(after(results, rounds, mark, form), low, high) for mark in marks}
    failed = [f"{mark:,}" for mark, verdict in verdicts.items() if verdict.word == FAILS]
    word, unit = every(verdicts.values(), "").word, "rows" if form == BY_ROWS else "rounds"
    if len(failed) in (0, len(marks)):
        return Verdict(word, "nowhere" if failed else "everywhere" if word == HOLDS else "not surely everywhere")
    return Verdict(word, f"not after {', '.join(failed)} {unit}")
