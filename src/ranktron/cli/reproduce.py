"""``ranktron reproduce``: runs the papers' experiments and compares what they print and claim with what is measured."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.messages import INTERRUPTED, fail, note, of_system
from .shared.options import FILE, OutputOptions, WholeNumber, option, options
from .shared.output import console, elapsed, peak_memory, plain, write, written
from .shared.stopping import Stopped, Stopper
from .startup.commands import Command
from .startup.help import Argument

if TYPE_CHECKING:
    from ranktron_papers import Experiment
    from ranktron_papers.report.figures import Figures
    from ranktron_papers.runs.run import Outcome, Run


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a paper or an experiment in the shell."""
    from ranktron_papers import MODULES, chosen

    return [name for name in (*MODULES, *(one.name for one in chosen())) if name.startswith(incomplete)]


_NAMES = "Experiments or papers; by default all."
_DATA = "The folder of the data sets; by default RANKTRON_DATA."
_LIST = "List the experiments, how long they take, and whether their data are there."
_OUT = "The folder for results and finished trials."


@click.command(cls=Command)
@click.argument("names", cls=Argument, nargs=-1, metavar="[NAME...]", shell_complete=complete_name, help=_NAMES)
@option("--quick", is_flag=True, help="Run the first trials only: minutes instead of hours.")
@option("--jobs", "-j", type=WholeNumber(1), metavar="N", help="The number of processes; by default one per core.")
@option("--data", type=FILE, metavar="PATH", help=_DATA)
@option("--list", "list_", is_flag=True, help=_LIST)
@option("--out", "-o", type=FILE, section="Output", default="reproduction", metavar="DIR", help=_OUT)
@options(output=OutputOptions)
def reproduce(
    names: Sequence[str], quick: bool, jobs: int | None, data: str | None, list_: bool, out: str, output: OutputOptions
) -> None:
    """Run the papers' experiments and compare the printed numbers and the claims with the results.

    DIR gets report.html with all results, figures, numbers.csv and claims.csv. A claim holds, does not hold, or depends on
    something that the paper leaves open. A claim about every stream or about a limit is at most consistent with the
    measurements. A claim is undecided if the measurements do not decide it. Finished trials are stored in DIR: if a run is
    interrupted, the same command continues it, and a full run reuses the trials of a quick one.

    The package contains no data sets. An experiment whose data are missing says where to get them, and the others run. Verdicts
    on another data set than the paper's name both, and its printed numbers are not compared.

    Examples:

        ranktron reproduce --list
        ranktron reproduce --quick
        ranktron reproduce harrington --data ~/data --jobs 8
    """
    from ranktron_papers import chosen

    if data is not None:
        if not Path(data).is_dir():
            raise ValueError(f"--data {data}: no such folder")
        os.environ["RANKTRON_DATA"] = os.path.abspath(data)  # the processes of a run inherit it
    experiments, jobs = chosen(names), jobs or cores()
    if list_:
        _list(experiments, jobs, output)
    else:
        _run(experiments, quick, jobs, out, output)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _list(experiments: Sequence[Experiment], jobs: int, output: OutputOptions) -> None:
    """Show experiments and how long they take."""
    from ranktron_papers.report.listing import listed
    from ranktron_papers.report.terminal import show_list

    found = listed(experiments, jobs)
    record = {"command": "reproduce", **found, "seconds": elapsed()}
    write(record, found["experiments"], output, lambda console: show_list(console, found))


def _run(experiments: Sequence[Experiment], quick: bool, jobs: int, out: str, output: OutputOptions) -> None:
    """Run experiments, write their results into the folder ``out``, and show them."""
    from ranktron_papers.report.figures import Figures
    from ranktron_papers.report.page import page
    from ranktron_papers.report.result import result_of
    from ranktron_papers.runs.run import Run

    folder = _writable(out)
    figures = Figures(folder / "figures", _write)
    if figures.warning:
        note(f"{figures.warning}.")
    run = Run(experiments, quick, jobs, folder / "trials")
    outcomes = _outcomes(run, figures, jobs, output.quiet)
    settings = {"line": _line(), "quick": quick, "jobs": jobs, "out": out, "seconds": elapsed(), "peak": peak_memory()}
    result = result_of(outcomes, settings, figures.warning)
    _write_tables(folder, outcomes)
    _write(folder / "report.html", page(plain(result), figures.drawn).encode())
    _show(result, output)
    note(f"The report is in {os.path.join(out, 'report.html')}.")
    failed = [one for one in outcomes if one.has_failed]
    for one in failed:
        _show_failure(one)
    if failed or figures.failed:
        raise SystemExit(1)


def _writable(out: str) -> Path:
    """The folder of the results; refused before any work if it cannot be written to."""
    folder, refused = Path(out), f"--out {out}: no results can be written there"
    try:
        (folder / "trials").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{refused}: {of_system(OSError(*error.args[:2]))}") from None
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{refused}: permission denied")
    return folder


def _outcomes(run: Run, figures: Figures, jobs: int, quiet: bool) -> list[Outcome]:
    """Run the trials with a progress bar; Ctrl-C ends the command with a message that says how to continue."""
    from ranktron_papers.report.progress import Progress

    bar = console(stderr=True) if sys.stderr.isatty() and not quiet else None
    try:
        with Stopper() as stopper, Progress(run, jobs, note, bar) as progress:
            stopper.waiting(True)
            return run.do(figures, progress)
    except Stopped:
        fail(f"stopped after {run.done:,} of {run.wanted:,} trials, which are kept; to continue: {_line()}", INTERRUPTED)


def _line() -> str:
    """The command line, as the user could type it again."""
    return shlex.join(["ranktron", *sys.argv[1:]])


def _write_tables(folder: Path, outcomes: Sequence[Outcome]) -> None:
    from ranktron_papers.tables import ClaimRow, NumberRow, csv_text

    _write(folder / "numbers.csv", csv_text(NumberRow, (row for one in outcomes for row in one.numbers)).encode())
    _write(folder / "claims.csv", csv_text(ClaimRow, (row for one in outcomes for row in one.claims)).encode())


def _write(path: Path, content: bytes) -> None:
    with written(str(path)) as file:
        file.write(content)


def _show(result: dict[str, Any], output: OutputOptions) -> None:
    """Print a result to stdout."""
    from ranktron_papers.report.terminal import show

    record = {**result, "experiments": [_without_curves(one) for one in result["experiments"]]}
    claims = [claim for one in result["experiments"] for claim in one["claims"]]
    write(record, claims, output, lambda console: show(console, result))


def _without_curves(record: dict[str, Any]) -> dict[str, Any]:
    """The record of an experiment without curves, which are in numbers.csv, and without code."""
    single = [row for row in record["numbers"] if row["place"] is None]
    return {name: value for name, value in record.items() if name != "code"} | {"numbers": single}


def _show_failure(outcome: Outcome) -> None:
    """Print why an experiment failed, and its traceback if RANKTRON_TRACEBACK is set."""
    print(f"ranktron: {outcome.experiment.name}: {outcome.why}", file=sys.stderr, flush=True)
    if os.environ.get("RANKTRON_TRACEBACK"):
        print(outcome.trace, file=sys.stderr, flush=True)
