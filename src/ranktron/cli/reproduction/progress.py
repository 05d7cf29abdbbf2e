"""How far a run is: a bar with the time that is left where somebody looks, otherwise a plain line an experiment."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

from ...experiments import Experiment
from ...experiments.running import Outcome, Run, Watch
from .._messages import note
from .._output import console
from ..learning.progress import clock

PRIOR = 10.0
"""Seconds for which the experiments' own estimates count, beside what is seen."""


class Progress(Watch):
    """Tells what happens in a run while it is entered."""

    def __init__(self, run: Run, jobs: int, quiet: bool) -> None:
        self._left = {course.experiment.name: course.experiment.seconds * course.wanted for course in run.courses}
        self._run, self._jobs = run, jobs
        self._began, self._done = time.monotonic(), 0.0
        self._is_live = sys.stderr.isatty() and not quiet
        self._bar: Any = None

    def __enter__(self) -> Self:
        if self._is_live:
            self._bar = _bar(self)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def share(self) -> float:
        """How much of what had to be run in the beginning is done, by the time that it is expected to take."""
        return self._done / max(self._done + sum(self._left.values()), 1e-9)

    @property
    def seconds_left(self) -> float:
        """How long it still takes: as fast as it was so far, and in the beginning as was expected."""
        passed = time.monotonic() - self._began
        pace = (self._done + PRIOR * self._jobs) / (passed + PRIOR)
        return sum(self._left.values()) / pace

    @property
    def told(self) -> str:
        """The state of the run in words."""
        return f"{self._run.done:,} of {self._run.wanted:,} trials"

    # What happens

    def found(self, experiment: Experiment, kept: int, wanted: int) -> None:
        """So many trials need not be run."""
        self._left[experiment.name] = experiment.seconds * (wanted - kept)

    def gone_on(self, experiment: Experiment) -> None:
        """Another trial is done."""
        self._left[experiment.name] -= experiment.seconds
        self._done += experiment.seconds

    def ended(self, outcome: Outcome) -> None:
        """Tell what became of an experiment."""
        self._left[outcome.experiment.name] = 0.0
        if self._bar is not None:
            self._bar.console.print(_line(outcome), highlight=False)
        else:
            note(_line(outcome).plain)


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


def _bar(progress: Progress) -> Any:
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
            return Text(f"{progress.share:4.0%}  {progress.told}  {left}", no_wrap=True, overflow="ellipsis")

    bar = Bar(Share(), Words(), console=console(stderr=True), transient=True, refresh_per_second=4)
    bar.add_task("")
    return bar
