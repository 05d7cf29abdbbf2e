"""Harrington, section 4.2: what is claimed of the experiments with ratings, and their figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..experiment import Claim
from ..judging import HOLDS, Verdict, less
from ..looks import BLACK, BLUE, GREEN, GREY, ORANGE, Look, curves, name_ends
from ..results import Results
from ..rules import every, part, shown, sorted_out
from .cells import ROUNDED, UNROUNDED
from .field import BAGG, BPM, PRANK, PRANK_VP, REAL, VOTES, VP, WH
from .judging import at_place, counted, lowest
from .ratings import BY_ROUND, MEANS, METHODS, OAPS, STEPS, TAU, TAUS, TRAINING, Course

CLOSE = 0.04
"""Losses that differ by no more, a tenth of what is printed, are comparable."""
KINDS = {ROUNDED: "{}", UNROUNDED: REAL}
REGRESSIONS = [WH.format(step) for step in STEPS]


def best(results: Results, names: Sequence[str]) -> str:
    """The name with the lowest mean."""
    return min(names, key=lambda name: results.mean(name).value)


def best_of(results: Results, form: str, settings: Sequence[float]) -> str:
    """A method at its best τ or step."""
    return best(results, [form.format(setting) for setting in settings])


def is_lowest(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM at its best τ is below everybody else, by what bagging and voting say."""
    found = {}
    for case in cases:
        own = part(results, case)
        for kind, form in KINDS.items():
            crowds = [form.format(each.format(tau)) for each in OAPS[1:] for tau in TAUS]
            rivals = [PRANK, form.format(PRANK_VP), *REGRESSIONS, *crowds]
            found[f"{case}, {kind}"] = lowest(own, best_of(own, BPM, TAUS), rivals)
    return counted(found)


def beats_singles(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM at its best τ is below PRank, and below WH at its best step."""
    found = {}
    for case in cases:
        own = part(results, case)
        found[case] = lowest(own, best_of(own, BPM, TAUS), [PRANK, *REGRESSIONS])
    return sorted_out(found)


def comparable(results: Results, cases: Sequence[str], low: str, high: str) -> Verdict:
    """Whether one method is at most a little above another, each at its best."""
    found = {}
    for case in cases:
        own = part(results, case)
        ours, other = (best_of(own, form, STEPS if form == WH else TAUS) for form in (low, high))
        told = f"{shown(own, ours)} of {ours} against {shown(own, other)} of {other}"
        found[case] = Verdict(less(own, ours, other, by=-CLOSE).word, told)
    return counted(found)


def in_table_order(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM, OAP-VP, OAP-Bagg and PRank follow each other, by votes and by what bagging and voting say."""
    found = {}
    for case in cases:
        own = part(results, case)
        for votes in VOTES:
            names = [BPM.format(TAU), REAL.format(VP.format(votes, TAU)), REAL.format(BAGG.format(TAU)), PRANK]
            verdicts = [less(own, low, high) for low, high in pairwise(names)]
            found[f"{case}, votes {votes}"] = every(verdicts, ", ".join(shown(own, name) for name in names))
    return counted(found)


def fastest(results: Results, cases: Sequence[str], course: Course, marks: Sequence[int]) -> Verdict:
    """Whether WH, with its best step, has the lowest average at all early marks."""
    found = {}
    for case in cases:
        others = [name for name in METHODS if not name.startswith("WH")]
        verdicts = {}
        for mark in marks:
            own = at_round(results, case, course, mark)
            verdicts[mark] = lowest(own, best_of(own, WH, STEPS), others)
        found[case] = first_doubt(verdicts)
    return sorted_out(found)


def faster(results: Results, cases: Sequence[str], course: Course, marks: Sequence[int]) -> Verdict:
    """Whether OAP-VP is below OAP-Bagg and OAP-BPM at all early marks, by τ and by votes."""
    found = {}
    for case in cases:
        for kind, form, taus in ((ROUNDED, "{}", TAUS), (UNROUNDED, REAL, (TAU,))):
            for tau in taus:
                for votes in VOTES:
                    rivals = form.format(BAGG.format(tau)), BPM.format(tau)
                    names = form.format(VP.format(votes, tau)), rivals
                    verdicts = {mark: lowest(at_round(results, case, course, mark), *names) for mark in marks}
                    found[f"{case}, {kind}, tau {tau}, votes {votes}"] = first_doubt(verdicts)
    return counted(found)


def first_doubt(verdicts: dict[int, Verdict]) -> Verdict:
    """Whether all marks agree; the reason is that of the first that does not, or of the last."""
    mark = next((mark for mark, verdict in verdicts.items() if verdict.word != HOLDS), max(verdicts))
    return every(verdicts.values(), f"after {mark:,} {verdicts[mark].reason}")


def at_round(results: Results, case: str, course: Course, count: int) -> Results:
    """The averages of a case after so many rounds."""
    names = [*METHODS, *(REAL.format(name) for name in MEANS if count <= course.early)]
    return at_place(results, {name: f"{case}: {BY_ROUND.format(name)}" for name in names}, list(course.rounds).index(count))


def better_than_training(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM's loss on the test rows is below its average while learning."""
    found = {}
    for case in cases:
        own = part(results, case)
        names = BPM.format(TAU), TRAINING.format(BPM.format(TAU))
        found[case] = Verdict(less(own, *names).word, f"{shown(own, names[0])} against {shown(own, names[1])}")
    return sorted_out(found)


def worse_at_first(results: Results, cases: Sequence[str], course: Course) -> Verdict:
    """Whether OAP-BPM's average is higher at the start than at the end."""
    found = {}
    for case in cases:
        curve = f"{case}: {BY_ROUND.format(BPM.format(TAU))}"
        both = Results([{"start": one[curve][0], "end": one[curve][-1]} for one in results.trials], results.is_quick)  # type: ignore[index]
        told = f"{shown(both, 'start')} after {course.rounds[0]:,} rounds, {shown(both, 'end')} after {course.rounds[-1]:,}"
        found[case] = Verdict(less(both, "end", "start").word, told)
    return sorted_out(found)


def shared_claims(cases: Sequence[str], followed: Sequence[str], course: Course, marks: Sequence[int]) -> list[Claim]:
    """What is said of all three data sets."""
    where, figure = "Section 4.2, last paragraph", "Section 4.2, on Figure 3"
    return [
        Claim(
            "OAP-BPM performs better than PRank and online regression.",
            "Abstract; section 5",
            partial(beats_singles, cases=cases),
        ),
        Claim(
            "OAP-VP converges faster than both OAP-Bagg and OAP-BPM.",
            figure,
            partial(faster, cases=followed, course=course, marks=marks),
        ),
        Claim("OAP-BPM is better on the test set than in training.", where, partial(better_than_training, cases=cases)),
        Claim("OAP-BPM has larger rank losses at the start.", where, partial(worse_at_first, cases=followed, course=course)),
    ]


def draw_course(axes: Any, results: Results, case: str, course: Course) -> None:
    """The averages of the five methods, round by round."""
    looks = {
        PRANK: Look(BLACK),
        WH.format(STEPS[-2]): Look(GREY),
        BPM.format(TAU): Look(BLUE, label="OAP-BPM"),
        BAGG.format(TAU): Look(ORANGE, label="OAP-Bagg"),
        VP.format("survival", TAU): Look(GREEN, label="OAP-VP, survival"),
    }
    own = part(results, case)
    curves(axes, own, course.rounds, looks)
    axes.set(xlim=(0, course.rounds[-1]), xlabel="rounds", ylabel="average rank loss so far (ranks)")
    ends = at_place(own, {name: BY_ROUND.format(name) for name in looks}, -1)
    name_ends(axes, ends, looks)
