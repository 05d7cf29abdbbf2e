"""``ranktron reproduce``: the papers' experiments run again, and every printed number and claim beside what is measured."""

from __future__ import annotations

import functools
from typing import Annotated

import typer

from ._options import OutputOptions, option, spread

_output = functools.partial(option, "Output")


def complete_name(incomplete: str) -> list[str]:
    """Names for the shell."""
    from ..experiments import MODULES, chosen

    return [name for name in (*MODULES, *(one.name for one in chosen())) if name.startswith(incomplete)]


@spread
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME...]",
            help="Experiments, or papers; all without any.",
            show_default=False,
            autocompletion=complete_name,
        ),
    ] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="The first trials only: minutes in place of hours.")] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Run on so many processes; without it one a core.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="The folder of the data sets; without it what RANKTRON_DATA says.", show_default=False),
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the experiments, how long they take, and whether their data are there.")
    ] = False,
    out: Annotated[
        str, _output("--out", "-o", metavar="DIR", help="Where results go, and what is done is kept.")
    ] = "reproduction",
    output: OutputOptions,
) -> None:
    """Run the papers' experiments again and judge what they print and claim.

    DIR gets report.html, which has everything, the figures, numbers.csv and claims.csv. A claim holds, does not hold, or depends
    on what the paper leaves open. A claim about every stream or about the limit is consistent at most. A claim is undecided if
    the measurements do not tell. Every finished trial is kept in DIR, so a run that was broken off, in whatever way, goes on
    where it was when the command is repeated, and a full run uses what a quick one has done.

    No data set comes with the package. An experiment whose data are not there says where to get them, and the others are run.
    Verdicts on another data set than the paper's name both, and printed numbers are not compared with those of other data.

    Examples:

        ranktron reproduce --list
        ranktron reproduce --quick
        ranktron reproduce harrington --data ~/data --jobs 8
    """
    from .reproduction.doing import Reproduction

    asked = Reproduction(names or [], quick, jobs, out, output, data)
    asked.tell_list() if list_ else asked.do()
