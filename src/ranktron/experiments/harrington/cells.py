"""The cells of Harrington's tables: printed numbers, what they may mean, and a figure of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..experiment import Claim, Printed
from ..judging import Verdict
from ..results import Results
from .field import BAGG, BPM, PLUS_ONE, PRANK, PRANK_VP, REAL, VOTES, VP, WH
from .judging import cell

ROUNDED, UNROUNDED = "ranks", "real numbers"
TOLD = {"correct": "correct ranks", "survival": "survival", PLUS_ONE: PLUS_ONE}
"""What a member of OAP-VP has a vote for, in words."""
Intervals = Mapping[float, tuple[float, float]]
"""A printed number and half of its interval, by τ or by step."""


class Cell(NamedTuple):
    """A printed number, and what it is to be compared with, by what that is."""

    label: str
    value: float
    half: float
    kinds: dict[str, str]


def single(name: str, value: float, half: float, rounded_only: bool = False) -> Cell:
    """Of a method that has no τ."""
    kinds = {ROUNDED: name} if rounded_only else {ROUNDED: name, UNROUNDED: REAL.format(name)}
    return Cell(name, value, half, kinds)


def crowd(bpm: Intervals, bagg: Intervals, vp: Intervals) -> list[Cell]:
    """Of the three ways to combine the members of OAP."""
    found = [single(BPM.format(tau), *pair, rounded_only=True) for tau, pair in bpm.items()]
    found += [single(BAGG.format(tau), *pair) for tau, pair in bagg.items()]
    return found + [Cell(f"OAP-VP, tau {tau}", *pair, voted(tau)) for tau, pair in vp.items()]


def voted(tau: float) -> dict[str, str]:
    """OAP-VP with every way to count votes."""
    return {
        f"{kind}, votes by {TOLD[votes]}": form.format(VP.format(votes, tau))
        for kind, form in ((ROUNDED, "{}"), (UNROUNDED, REAL))
        for votes in (*VOTES, PLUS_ONE)
    }


def steps(printed: Intervals) -> list[Cell]:
    """Of WH."""
    return [single(WH.format(step), *pair) for step, pair in printed.items()]


def alone(prank: tuple[float, float], prank_vp: tuple[float, float]) -> list[Cell]:
    """Of PRank and its voted form."""
    return [single(PRANK, *prank, rounded_only=True), single(PRANK_VP, *prank_vp)]


def claims_of(cells: Iterable[Cell], cases: Sequence[str], source: str) -> Iterator[Claim]:
    """That every number comes out, whatever the case and the kind."""
    for one in cells:
        text = f"{one.label}: {one.value:.2f} ± {one.half:.2f}"
        yield Claim(text, f"{source}, {one.label}", partial(comes_out, one=one, cases=tuple(cases)))


def comes_out(results: Results, one: Cell, cases: Sequence[str]) -> Verdict:
    """Whether a printed number is what was measured; of some cases not everything is."""
    names = {f"{case}, {kind}": f"{case}: {number}" for case in cases for kind, number in one.kinds.items()}
    return cell(results, one.value, one.half, {reading: name for reading, name in names.items() if name in results.names})


def printed_of(cells: Iterable[Cell], case: str, source: str, votes: str, wh: str = ROUNDED) -> Iterator[Printed]:
    """The cells beside the numbers of one case: bagging and voting as real numbers, as the paper's formulas have it."""
    for one in cells:
        kind = wh if one.label.startswith("WH") else UNROUNDED
        number = one.kinds.get(kind) or one.kinds.get(f"{UNROUNDED}, votes by {TOLD[votes]}") or one.kinds[ROUNDED]
        yield Printed(f"{case}: {number}", one.value, f"{source}, {one.label}", one.half)


class Mark(NamedTuple):
    """How what was measured in one case is drawn."""

    case: str
    kind: str
    colour: str
    label: str


def draw_cells(axes: Any, results: Results, cells: Sequence[Cell], marks: Sequence[Mark]) -> None:
    """A line a cell: grey, the printed interval; marks, what was measured, for OAP-VP with each kind of vote."""
    lines = {one.label: len(cells) - i for i, one in enumerate(cells)}
    for one in cells:
        axes.barh(lines[one.label], 2 * one.half + 0.01, left=one.value - one.half - 0.005, height=0.8, color="#D8D8D8")
        axes.plot([one.value] * 2, [lines[one.label] - 0.4, lines[one.label] + 0.4], color="#606060", linewidth=1.2)
    for i, mark in enumerate(marks):
        lift = 0.3 - 0.6 * (i + 0.5) / len(marks)
        for one in cells:
            for number in measured(results, one, mark):
                mean = results.mean(number)
                bar = axes.errorbar(
                    mean.value, lines[one.label] + lift, xerr=mean.half, fmt="o", markersize=4, color=mark.colour, elinewidth=1.2
                )
        bar.set_label(mark.label)
    axes.set_yticks(list(lines.values()), list(lines))
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#E5E5E5", linewidth=0.6)
    axes.set_axisbelow(True)


def measured(results: Results, one: Cell, mark: Mark) -> list[str]:
    """The numbers of a cell that a mark stands for."""
    names = [f"{mark.case}: {number}" for kind, number in one.kinds.items() if kind.startswith(mark.kind)]
    return [name for name in names if name in results.names]
