"""The cells of Harrington's tables: printed numbers, the measured ones that they may stand for, and a figure of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..experiment import Claim, Printed
from ..judging import Verdict
from ..plots import tidy_lines
from ..results import Results
from .judging import in_readings
from .methods import BAGG, BPM, PLUS_ONE, PRANK, PRANK_VP, REAL, VOTES, VP, WH

ROUNDED, UNROUNDED = "ranks", "real numbers"
# What a member of OAP-VP gets votes for, in words.
TOLD = {"correct": "correct ranks", "survival": "survival", PLUS_ONE: PLUS_ONE}
# A printed number and half the width of its interval, by τ or by step.
Intervals = Mapping[float, tuple[float, float]]


class Cell(NamedTuple):
    """A printed number, and the names of the measured ones to compare it with, by reading."""

    label: str
    value: float
    half: float
    kinds: dict[str, str]


def single(name: str, value: float, half: float, rounded_only: bool = False) -> Cell:
    """The cell of a method that is compared under one name."""
    kinds = {ROUNDED: name} if rounded_only else {ROUNDED: name, UNROUNDED: REAL.format(name)}
    return Cell(name, value, half, kinds)


def oap_cells(bpm: Intervals, bagg: Intervals, vp: Intervals) -> list[Cell]:
    """The cells of OAP with its three ways to combine members."""
    found = [single(BPM.format(tau), *pair, rounded_only=True) for tau, pair in bpm.items()]
    found += [single(BAGG.format(tau), *pair) for tau, pair in bagg.items()]
    return found + [Cell(f"OAP-VP, tau {tau}", *pair, voting_readings(tau)) for tau, pair in vp.items()]


def voting_readings(tau: float) -> dict[str, str]:
    """The readings of OAP-VP: every way to count votes, rounded or not."""
    return {
        f"{kind}, votes by {TOLD[votes]}": form.format(VP.format(votes, tau))
        for kind, form in ((ROUNDED, "{}"), (UNROUNDED, REAL))
        for votes in (*VOTES, PLUS_ONE)
    }


def wh_cells(printed: Intervals) -> list[Cell]:
    """The cells of WH."""
    return [single(WH.format(step), *pair) for step, pair in printed.items()]


def prank_cells(prank: tuple[float, float], prank_vp: tuple[float, float]) -> list[Cell]:
    """The cells of PRank and of its voted form."""
    return [single(PRANK, *prank, rounded_only=True), single(PRANK_VP, *prank_vp)]


def claims_of(cells: Iterable[Cell], cases: Sequence[str], source: str) -> Iterator[Claim]:
    """One claim per cell: that its number is reproduced."""
    for one in cells:
        text = f"{one.label}: {one.value:.2f} ± {one.half:.2f}"
        yield Claim(text, f"{source}, {one.label}", partial(is_reproduced, one=one, cases=tuple(cases)))


def is_reproduced(results: Results, one: Cell, cases: Sequence[str]) -> Verdict:
    """Whether a printed number is reproduced, by case and kind, of which some combinations are not measured."""
    names = {f"{case}, {kind}": f"{case}: {number}" for case in cases for kind, number in one.kinds.items()}
    return in_readings(results, one.value, one.half, {reading: name for reading, name in names.items() if name in results.names})


def printed_of(cells: Iterable[Cell], case: str, source: str, votes: str, wh: str = ROUNDED) -> Iterator[Printed]:
    """The cells beside the numbers of one case: bagging and voting are real numbers, as in the paper's formulas."""
    for one in cells:
        kind = wh if one.label.startswith("WH") else UNROUNDED
        number = one.kinds.get(kind) or one.kinds.get(f"{UNROUNDED}, votes by {TOLD[votes]}") or one.kinds[ROUNDED]
        yield Printed(f"{case}: {number}", one.value, f"{source}, {one.label}", one.half)


class Mark(NamedTuple):
    """How the measurements of one case are drawn."""

    case: str
    kind: str
    colour: str
    label: str


def draw_cells(axes: Any, results: Results, cells: Sequence[Cell], marks: Sequence[Mark]) -> None:
    """One line per cell: the printed interval in grey, and marks for the measured numbers."""
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
    tidy_lines(axes)


def measured(results: Results, one: Cell, mark: Mark) -> list[str]:
    """The numbers of a cell that a mark represents."""
    names = [f"{mark.case}: {number}" for kind, number in one.kinds.items() if kind.startswith(mark.kind)]
    return [name for name in names if name in results.names]
