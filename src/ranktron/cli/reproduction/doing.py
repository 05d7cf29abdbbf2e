"""What ``reproduce`` does: run, draw, write, tell."""

from __future__ import annotations

import dataclasses
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import experiments
from ...experiments.running import Outcome, Run, Watch
from ...experiments.tables import ClaimRow, NumberRow, csv_text
from .._messages import INTERRUPTED, fail, note, of_system
from .._output import console, elapsed, format_of, peak_memory, plain, write_csv, write_json
from .._whole import written
from ..learning.stopping import Stopped, Stopper
from .figures import Figures
from .listing import listed
from .page import page
from .progress import Progress
from .result import result_of

if TYPE_CHECKING:
    from .._options import OutputOptions

DATA = "RANKTRON_DATA"


@dataclasses.dataclass
class Reproduction:
    """What was asked for."""

    names: list[str]
    quick: bool
    jobs: int | None
    out: str
    output: OutputOptions
    data: str | None = None

    def __post_init__(self) -> None:
        if self.data is not None:
            if not Path(self.data).is_dir():
                raise ValueError(f"--data {self.data}: there is no such folder")
            os.environ[DATA] = os.path.abspath(self.data)
        self.jobs = self.jobs or cores()
        self.experiments = experiments.chosen(self.names)

    def tell_list(self) -> None:
        """The experiments, and what they would take."""
        from .view import show_list

        found = listed(self.experiments, self.jobs or 1)
        kind = format_of(self.output)
        if kind == "table":
            show_list(console(), found)
        elif kind == "csv":
            write_csv(found["experiments"])
        else:
            write_json({"command": "reproduce", **found, "seconds": elapsed()})

    def do(self) -> None:
        """Run the experiments, write what came out and tell it."""
        folder = self._folder()
        figures = Figures(folder / "figures")
        outcomes = self._run(folder, figures)
        result = result_of(outcomes, self._settings(), figures.told)
        self._write(folder, outcomes, page(plain(result), figures.drawn))
        self._tell(result)
        note(f"The report is in {os.path.join(self.out, 'report.html')}.")
        failed = [one for one in outcomes if one.has_failed]
        for one in failed:
            tell_failure(one)
        if failed or figures.failed:
            raise SystemExit(1)

    def _folder(self) -> Path:
        """The folder of the results, which is known to be one that can be written to before all the work."""
        folder = Path(self.out)
        try:
            (folder / "trials").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"--out {self.out}: no results can be written there: {of_system(OSError(*error.args[:2]))}"
            ) from None
        if not os.access(folder, os.W_OK):
            raise ValueError(f"--out {self.out}: no results can be written there: permission denied")
        return folder

    def _run(self, folder: Path, figures: Figures) -> list[Outcome]:
        run = Run(self.experiments, self.quick, self.jobs or 1, folder / "trials")
        try:
            with Stopper() as stopper, Progress(run, self.jobs or 1, self.output.quiet) as progress:
                stopper.waiting(True)
                return run.do(Both(figures, progress))
        except Stopped:
            again = shlex.join(["ranktron", *sys.argv[1:]])
            fail(f"stopped after {run.done:,} of {run.wanted:,} trials, which are kept; to go on: {again}", INTERRUPTED)

    def _settings(self) -> dict[str, Any]:
        line = shlex.join(["ranktron", *sys.argv[1:]])
        return {
            "line": line,
            "quick": self.quick,
            "jobs": self.jobs,
            "out": self.out,
            "seconds": elapsed(),
            "peak": peak_memory(),
        }

    def _write(self, folder: Path, outcomes: list[Outcome], report: str) -> None:
        files = {
            "numbers.csv": csv_text(NumberRow, (row for one in outcomes for row in one.numbers)),
            "claims.csv": csv_text(ClaimRow, (row for one in outcomes for row in one.claims)),
            "report.html": report,
        }
        for name, text in files.items():
            with written(str(folder / name)) as file:
                file.write(text.encode())

    def _tell(self, result: dict[str, Any]) -> None:
        kind = format_of(self.output)
        if kind == "json":
            write_json({**result, "experiments": [_brief(one) for one in result["experiments"]]})
        elif kind == "csv":
            write_csv([claim for one in result["experiments"] for claim in one["claims"]])
        else:
            from .view import show

            show(console(), result)


def _brief(record: dict[str, Any]) -> dict[str, Any]:
    """An experiment without curves, which numbers.csv has, and code."""
    single = [row for row in record["numbers"] if row["place"] is None]
    return {name: value for name, value in record.items() if name != "code"} | {"numbers": single}


class Both(Watch):
    """Tells the figures and the progress what happens."""

    def __init__(self, figures: Figures, progress: Progress) -> None:
        self._figures, self._progress = figures, progress
        self.found, self.gone_on = progress.found, progress.gone_on  # type: ignore[method-assign]

    def ended(self, outcome: Outcome) -> None:
        """Draw while others are still under way."""
        self._figures.draw(outcome)
        self._progress.ended(outcome)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def tell_failure(outcome: Outcome) -> None:
    """Say what went wrong, and on request where."""
    print(f"ranktron: {outcome.experiment.name}: {outcome.why}", file=sys.stderr, flush=True)
    if os.environ.get("RANKTRON_TRACEBACK"):
        print(outcome.trace, file=sys.stderr, flush=True)
