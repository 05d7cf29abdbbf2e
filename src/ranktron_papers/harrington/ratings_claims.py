"""Harrington, section 4.2: the claims about the experiments with ratings, and their figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..experiment import Claim
from ..judging import HOLDS, Verdict, less
from ..plots import BLACK, BLUE, GREEN, GREY, ORANGE, Look, curves, name_ends
from ..results import Results
from ..rules import by_case, every, mean_text, part
from .cells import ROUNDED, UNROUNDED, Cell, Mark, draw_cells
from .judging import at_place, count_readings, lowest
from .methods import BAGG, BPM, PRANK, PRANK_VP, REAL, VOTES, VP, WH
from .ratings import BY_ROUND, MEANS, METHODS, OAPS, STEPS, TAU, TAUS, TRAINING, CurvePoints

# Losses are comparable if they differ by no more than this, a tenth of what is printed.
CLOSE = 0.04
KINDS = {ROUNDED: "{}", UNROUNDED: REAL}
REGRESSIONS = [WH.format(step) for step in STEPS]


def best(results: Results, names: Sequence[str]) -> str:
    """The name with the lowest mean."""
    return min(names, key=lambda name: results.mean(name).value)


def best_of(results: Results, form: str, settings: Sequence[float]) -> str:
    """The name of a method at its best τ or step."""
    return best(results, [form.format(setting) for setting in settings])


def is_lowest(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM at its best τ is below all other methods, with and without rounding."""
    found = {}
    for case in cases:
        own = part(results, case)
        for kind, form in KINDS.items():
            ensembles = [form.format(each.format(tau)) for each in OAPS[1:] for tau in TAUS]
            rivals = [PRANK, form.format(PRANK_VP), *REGRESSIONS, *ensembles]
            found[f"{case}, {kind}"] = lowest(own, best_of(own, BPM, TAUS), rivals)
    return count_readings(found)


def beats_singles(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM at its best τ is below PRank, and below WH at its best step."""
    found = {}
    for case in cases:
        own = part(results, case)
        found[case] = lowest(own, best_of(own, BPM, TAUS), [PRANK, *REGRESSIONS])
    return by_case(found)


def comparable(results: Results, cases: Sequence[str], low: str, high: str) -> Verdict:
    """Whether one method is at most a little above another, each at its best."""
    found = {}
    for case in cases:
        own = part(results, case)
        ours, other = (best_of(own, form, STEPS if form == WH else TAUS) for form in (low, high))
        text = f"{mean_text(own, ours)} of {ours} against {mean_text(own, other)} of {other}"
        found[case] = Verdict(less(own, ours, other, by=-CLOSE).word, text)
    return count_readings(found)


def in_table_order(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether the losses of OAP-BPM, OAP-VP, OAP-Bagg and PRank rise in this order, by kind of vote."""
    found = {}
    for case in cases:
        own = part(results, case)
        for votes in VOTES:
            names = [BPM.format(TAU), REAL.format(VP.format(votes, TAU)), REAL.format(BAGG.format(TAU)), PRANK]
            verdicts = [less(own, low, high) for low, high in pairwise(names)]
            found[f"{case}, votes {votes}"] = every(verdicts, ", ".join(mean_text(own, name) for name in names))
    return count_readings(found)


def fastest(results: Results, cases: Sequence[str], points: CurvePoints, marks: Sequence[int]) -> Verdict:
    """Whether WH, with its best step, has the lowest average at all early marks."""
    found = {}
    for case in cases:
        others = [name for name in METHODS if not name.startswith("WH")]
        verdicts = {}
        for mark in marks:
            own = at_round(results, case, points, mark)
            verdicts[mark] = lowest(own, best_of(own, WH, STEPS), others)
        found[case] = first_exception(verdicts)
    return by_case(found)


def faster(results: Results, cases: Sequence[str], points: CurvePoints, marks: Sequence[int]) -> Verdict:
    """Whether OAP-VP is below OAP-Bagg and OAP-BPM at all early marks, by τ and by votes."""
    found = {}
    for case in cases:
        for kind, form, taus in ((ROUNDED, "{}", TAUS), (UNROUNDED, REAL, (TAU,))):
            for tau in taus:
                for votes in VOTES:
                    rivals = form.format(BAGG.format(tau)), BPM.format(tau)
                    names = form.format(VP.format(votes, tau)), rivals
                    verdicts = {mark: lowest(at_round(results, case, points, mark), *names) for mark in marks}
                    found[f"{case}, {kind}, tau {tau}, votes {votes}"] = first_exception(verdicts)
    return count_readings(found)


def first_exception(verdicts: dict[int, Verdict]) -> Verdict:
    """Whether a claim holds at all marks; the reason is that of the first exception, or of the last mark."""
    mark = next((mark for mark, verdict in verdicts.items() if verdict.word != HOLDS), max(verdicts))
    return every(verdicts.values(), f"after {mark:,} {verdicts[mark].reason}")


def at_round(results: Results, case: str, points: CurvePoints, count: int) -> Results:
    """The averages of a case after ``count`` rounds."""
    names = [*METHODS, *(REAL.format(name) for name in MEANS if count <= points.early)]
    return at_place(results, {name: f"{case}: {BY_ROUND.format(name)}" for name in names}, list(points.rounds).index(count))


def better_than_training(results: Results, cases: Sequence[str]) -> Verdict:
    """Whether OAP-BPM's loss on the test rows is below its average while learning."""
    found = {}
    for case in cases:
        own = part(results, case)
        names = BPM.format(TAU), TRAINING.format(BPM.format(TAU))
        found[case] = Verdict(less(own, *names).word, f"{mean_text(own, names[0])} against {mean_text(own, names[1])}")
    return by_case(found)


def worse_at_first(results: Results, cases: Sequence[str], points: CurvePoints) -> Verdict:
    """Whether OAP-BPM's average is higher at the start than at the end."""
    found = {}
    for case in cases:
        curve = f"{case}: {BY_ROUND.format(BPM.format(TAU))}"
        values = results.values(curve)
        both = results.of_columns({"start": values[:, 0], "end": values[:, -1]})
        text = (
            f"{mean_text(both, 'start')} after {points.rounds[0]:,} rounds, {mean_text(both, 'end')} after {points.rounds[-1]:,}"
        )
        found[case] = Verdict(less(both, "end", "start").word, text)
    return by_case(found)


def shared_claims(cases: Sequence[str], followed: Sequence[str], points: CurvePoints, marks: Sequence[int]) -> list[Claim]:
    """The claims about all three data sets."""
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
            partial(faster, cases=followed, points=points, marks=marks),
        ),
        Claim("OAP-BPM is better on the test set than in training.", where, partial(better_than_training, cases=cases)),
        Claim("OAP-BPM has larger rank losses at the start.", where, partial(worse_at_first, cases=followed, points=points)),
    ]


def draw_column(
    figure: Any,
    results: Results,
    cells: Sequence[Cell],
    points: CurvePoints,
    marks: Sequence[Mark],
    tested: str,
    legend: str = "lower right",
) -> tuple[Any, Any]:
    """Draw a column of Table 2 beside the measured numbers, and the part of Figure 3 for the first mark; returns both axes."""
    left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
    draw_cells(left, results, cells, marks)
    left.set(xlabel=f"mean rank loss on test {tested} (ranks);\ngrey: as printed")
    left.legend(frameon=False, fontsize=8, loc=legend)
    draw_points(right, results, marks[0].case, points)
    return left, right


def draw_points(axes: Any, results: Results, case: str, points: CurvePoints) -> None:
    """Draw the averages of the five methods, round by round."""
    looks = {
        PRANK: Look(BLACK),
        WH.format(STEPS[-2]): Look(GREY),
        BPM.format(TAU): Look(BLUE, label="OAP-BPM"),
        BAGG.format(TAU): Look(ORANGE, label="OAP-Bagg"),
        VP.format("survival", TAU): Look(GREEN, label="OAP-VP, survival"),
    }
    own = part(results, case)
    curves(axes, own, points.rounds, looks)
    axes.set(xlim=(0, points.rounds[-1]), xlabel="rounds", ylabel="average rank loss so far (ranks)")
    ends = at_place(own, {name: BY_ROUND.format(name) for name in looks}, -1)
    name_ends(axes, ends, looks)
