"""``ranktron compare``: compares several algorithms on one stream, which is read once."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import click

from ..shared.options import DATA_HELP, FILE, DataOptions, OutputOptions, WholeNumber, field, options
from ..startup.commands import Command
from ..startup.help import Argument

_league = functools.partial(field, section="League")
_output = functools.partial(field, section="Output")


@dataclasses.dataclass
class LeagueOptions:
    """The algorithms and how they are compared."""

    algorithms: Sequence[str] = _league(
        "--algorithms",
        "-a",
        default=(),
        multiple=True,
        metavar="NAMES",
        help='The algorithms: "prank,oap(tau=0.2)"; by default all that suit the data.',
    )
    sweep: Sequence[str] = _league(
        default=(),
        multiple=True,
        metavar="NAME=VALUES",
        help="Try values of a parameter: step=0.01,0.1,1. May be repeated, for a grid.",
    )
    repeats: int = _league(
        type=WholeNumber(1), default=5, metavar="N", help="The number of shuffles of the rows; 1 keeps their order."
    )
    seed: int = _league(type=WholeNumber(0), default=0, metavar="N", help="The seed of shuffles and of random algorithms.")
    limit: int | None = _league(type=WholeNumber(1), metavar="ROWS", help="Stop after this number of rows.")
    classes: str | None = _league(metavar="LABELS", help="All labels in ascending order: bad,fair,good.")


@dataclasses.dataclass
class PictureOptions:
    """The pictures."""

    report: str | None = _output(type=FILE, metavar="FILE", help="Write an HTML report: curves, table, settings.")
    log: bool = _output(is_flag=True, default=False, help="Draw the curves with a logarithmic axis.")


@click.command(cls=Command)
@click.argument(
    "data",
    cls=Argument,
    nargs=-1,
    type=FILE,
    metavar="[DATA...]",
    help=f"{DATA_HELP[:-1]}, and synthetic, the default, the papers' stream.",
)
@options(playing=LeagueOptions, reading=DataOptions, pictures=PictureOptions, output=OutputOptions)
def compare(
    data: Sequence[str], playing: LeagueOptions, reading: DataOptions, pictures: PictureOptions, output: OutputOptions
) -> None:
    """Compare several algorithms on the same data, in a league.

    The data are read once. Every model predicts every row before it learns it, so no rows have to be held out, and all do so in
    the same shuffles, so the losses have intervals. The table says which is best, and which are not told apart from it.

    Examples:

        ranktron compare ratings.csv --target stars --report league.html
        ranktron compare ratings.csv -t stars -a prank,wh --sweep step=0.001,0.01,0.1
        ranktron compare train.svm -a "listnet,slam(soften=0.5)" --repeats 10
        ranktron compare synthetic --limit 5000
    """
    from .job import run
    from .sources import SYNTHETIC
    from .tournament import Tournament

    run(Tournament(list(data) or [SYNTHETIC], playing, reading), pictures, output)
