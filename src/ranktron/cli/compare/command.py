"""``ranktron compare``: several algorithms over one stream, in one reading of it."""

from __future__ import annotations

import dataclasses
import functools
from typing import Annotated

import typer

from ..shared.options import DataOptions, OutputOptions, option, spread

_league = functools.partial(option, "League")
_output = functools.partial(option, "Output")

Data = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[DATA...]",
        help="Files, read one after the other; - is standard input, and the word synthetic, as nothing, the papers' stream.",
        show_default=False,
    ),
]


@dataclasses.dataclass
class LeagueOptions:
    """Who plays, and how."""

    algorithms: Annotated[
        list[str], _league("--algorithms", "-a", help='Who plays: "prank,oap(tau=0.2)"; otherwise all that fit.', metavar="NAMES")
    ] = dataclasses.field(default_factory=list)
    sweep: Annotated[
        list[str], _league(help="Try values of a parameter: step=0.01,0.1,1. May be repeated, for a grid.", metavar="NAME=VALUES")
    ] = dataclasses.field(default_factory=list)
    repeats: Annotated[int, _league(help="In how many shuffles of the rows; 1 is the order they have.", metavar="N", min=1)] = 5
    seed: Annotated[
        int, _league(help="What to shuffle by, and what random algorithms toss their coins by.", metavar="N", min=0)
    ] = 0
    limit: Annotated[int | None, _league(help="Stop after so many rows.", metavar="ROWS", min=1)] = None
    classes: Annotated[str | None, _league(help="All labels in ascending order: bad,fair,good.", metavar="LABELS")] = None


@dataclasses.dataclass
class Pictures:
    """What is drawn."""

    report: Annotated[str | None, _output(help="Write a page for the browser: curves, table, settings.", metavar="FILE")] = None
    log: Annotated[bool, _output("--log", help="Draw the curves over a logarithmic axis.")] = False


@spread
def compare(
    data: Data = None, *, playing: LeagueOptions, reading: DataOptions, pictures: Pictures, output: OutputOptions
) -> None:
    """Let several algorithms learn the same data side by side: the league.

    The data are read once. Every model predicts every row before it learns it, so no rows have to be held out, and all do so in
    the same shuffles, so the losses have intervals. The table says who is best, and who cannot be told from it.

    Examples:

        ranktron compare ratings.csv --target stars --report league.html
        ranktron compare ratings.csv -t stars -a prank,wh --sweep step=0.001,0.01,0.1
        ranktron compare train.svm -a "listnet,slam(soften=0.5)" --repeats 10
        ranktron compare synthetic --limit 5000
    """
    from .job import Comparison

    Comparison(data, playing, reading, pictures, output).do()
