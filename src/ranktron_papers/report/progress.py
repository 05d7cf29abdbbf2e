"""The progress of a run: a bar with the time left in a terminal, otherwise a plain line per experiment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ranktron.report.parts import clock

from .. import Experiment
from ..runs.run import Observer, Outcome, Run

if TYPE_CHECKING:
    from rich.console import Console

# The weight of the experiments' own estimates, in seconds of observation.
PRIOR = 10.0


class Progress(Observer):
    """Shows the progress of a run while it is entered: by a bar on ``console``, or line by line by ``note`` without one."""

    def __init__(self, run: Run, jobs: int, note: Callable[[str], None], console: Console | None) -> None:
        self._left = {part.experiment.name: part.experiment.seconds * part.wanted for part in run.parts}
        self._run, self._jobs = run, jobs
        self._began, self._done = time.monotonic(), 0.0
        self._note, self._console = note, console
        self._bar: Any = None

    def __enter__(self) -> Self:
        if self._console is not None:
            self._bar = _bar(self, self._console)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def share(self) -> float:
        """The share of the work that is done, by the time that it is expected to take."""
        return self._done / max(self._done + sum(self._left.values()), 1e-9)

    @property
    def seconds_left(self) -> float:
        """The estimated time left: at the pace so far, and in the beginning at the expected one."""
        passed = time.monotonic() - self._began
        pace = (self._done + PRIOR * self._jobs) / (passed + PRIOR)
        return sum(self._left.values()) / pace

    @property
    def text(self) -> str:
        """How many trials are done."""
        return f"{self._run.done:,} of {self._run.wanted:,} trials"

    def begun(self, experiment: Experiment, kept: int, wanted: int) -> None:
        """Subtract the stored trials from the work left."""
        self._left[experiment.name] = experiment.seconds * (wanted - kept)

    def trial_done(self, experiment: Experiment) -> None:
        """Count a trial."""
        self._left[experiment.name] -= experiment.seconds
        self._done += experiment.seconds

    def ended(self, outcome: Outcome) -> None:
        """Report the end of an experiment."""
        self._left[outcome.experiment.name] = 0.0
        if self._bar is not None:
            self._bar.console.print(_line(outcome), highlight=False)
        else:
            self._note(_line(outcome).plain)


def _line(outcome: Outcome) -> Any:
    from rich.text import Text

    name = outcome.experiment.name
    if outcome.results is None:
        mark, style = ("✗", "red") if outcome.has_failed else ("–", "yellow")
        return Text.assemble((mark, style), f" {name}  ", (outcome.why, "" if outcome.has_failed else "dim"))
    count = len(outcome.results)
    kept = "" if not outcome.kept else ", all kept before" if outcome.kept == count else f", {outcome.kept:,} of them kept before"
    trials = f"{count:,} trial{'s' if count > 1 else ''}{kept}"
    return Text.assemble(("✓", "green"), f" {name}  ", (f"{trials}, {clock(outcome.seconds)} of work", "dim"))


def _bar(progress: Progress, console: Console) -> Any:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    class Share(ProgressColumn):
        def render(self, task: Any) -> ProgressBar:
            return ProgressBar(1.0, progress.share, 24, complete_style="cyan", finished_style="cyan")

    class Words(ProgressColumn):
        def render(self, task: Any) -> Text:
            left = f"about {clock(progress.seconds_left)} left"
            return Text(f"{progress.share:4.0%}  {progress.text}  {left}", no_wrap=True, overflow="ellipsis")

    bar = Bar(Share(), Words(), console=console, transient=True, refresh_per_second=4)
    bar.add_task("")
    return bar
