"""The steps of ``ranktron learn``, from the options to the result."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..shared.algorithms import ranks_lists
from ..shared.messages import INTERRUPTED, fail, note
from ..shared.output import format_of, write_result
from ..shared.reading import note_skipped
from ..shared.stopping import Stopped, Stopper
from .checkpoint import Checkpoint, check_writable, command_to_continue, save_model
from .curve import Point, print_points, write_curve
from .progress import Progress
from .run import Run
from .start import RunRequest
from .summary import draw, summary, tested

if TYPE_CHECKING:
    from ..shared.options import OutputOptions
    from .command import CurveOptions


@dataclasses.dataclass
class LearnCommand:
    """One call of ``ranktron learn``."""

    request: RunRequest
    curve: CurveOptions
    output: OutputOptions
    model_file: str | None
    tests: Sequence[str]

    def do(self) -> None:
        """Learn, save the model and report the result."""
        self._check_paths()
        with Stopper() as stopper:
            run = self._started(stopper)
            self._learn(run, stopper)
        run.model._metadata = {"data": run.stream.schema}
        if self.model_file is not None:
            save_model(run.model, self.model_file, run.model._metadata)
        self._say_notes(run)
        result = summary(run, {path: tested(run.model, path, self.request.reading) for path in self.tests})
        if not (self.output.csv and self.curve.every and self.curve.curve is None):  # then the lines are the curve's
            write_result("learn", result, self.output, lambda console: draw(console, run, result, self.model_file))

    def _check_paths(self) -> None:
        """Refuse files that cannot be written or read, before any work is done."""
        saving = self.request.saving
        written = {"--model": self.model_file, "--checkpoint": saving.checkpoint, "--curve": self.curve.curve}
        taken = {os.path.realpath(path): "DATA" for path in (*self.request.data, *self.tests)}
        for name, path in written.items():
            if path is not None:
                check_writable(path, name)
                if (other := taken.setdefault(os.path.realpath(path), name)) != name:
                    raise ValueError(f"{name} {path} is also {other}; use another file")
        for path in self.tests:
            if not os.path.isfile(path):
                raise ValueError(f"--test {path}: no such file")

    def _started(self, stopper: Stopper) -> Run:
        try:
            stopper.waiting(True)
            run = self.request.run()
            stopper.waiting(False)
            return run
        except Stopped:
            fail("stopped before a row was learned", INTERRUPTED)

    def _learn(self, run: Run, stopper: Stopper) -> None:
        checkpoint = self._checkpoint(run)
        kind = format_of(self.output) if self.curve.curve is None else "file"
        print_points(run.curve, kind, header=True)
        with Progress(self.output.quiet, run.rows, run.share) as progress:

            def after_point(point: Point) -> None:
                print_points([point], kind, header=len(run.curve) == 1)

            def after_block() -> None:
                if checkpoint is not None:
                    checkpoint.save_if_due(run)
                if progress.is_due:
                    progress.update(run.share, run.rows, run.figures.loss())

            try:
                run.go(stopper, after_point, after_block)
                if checkpoint is not None:
                    checkpoint.save(run)
            except Stopped:
                progress.clear()
                _end_stopped(run, checkpoint)
        if self.curve.curve is not None:
            write_curve(self.curve.curve, run.curve)

    def _checkpoint(self, run: Run) -> Checkpoint | None:
        saving = self.request.saving
        if saving.checkpoint is None:
            return None
        how = saving.checkpoint_rows, saving.checkpoint_seconds
        return Checkpoint(saving.checkpoint, *how, self.request.settings(None if run.taught else run.model), run.rows)

    def _say_notes(self, run: Run) -> None:
        note_skipped(*(run.bad or (0, [])))
        names = [] if ranks_lists(run.model) or run.model.classes is not None else run.model.classes_.tolist()
        if any(isinstance(name, str) for name in names):
            from ...data.streams.tables import listed

            note(f"labels in order: {listed(list(map(str, names)), between=' < ')}; use --classes for another order")
        if run.stream.encoding:
            note(run.stream.encoding)


def _end_stopped(run: Run, checkpoint: Checkpoint | None) -> None:
    so_far = f"stopped after {run.rows:,} rows"
    if checkpoint is None or not run.rows:
        fail(f"{so_far}; nothing was saved (use --checkpoint FILE)", INTERRUPTED)
    checkpoint.save(run)
    if not run.stream.rereadable:
        fail(f"{so_far}, saved in {checkpoint.path}; to continue with later data: --resume {checkpoint.path}", INTERRUPTED)
    fail(f"{so_far}, saved in {checkpoint.path}; to continue: {command_to_continue(checkpoint.path)}", INTERRUPTED)
