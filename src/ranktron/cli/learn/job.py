"""The steps of ``ranktron learn``, from the options to the result."""

from __future__ import annotations

import os

from ..shared.algorithms import ranks_lists
from ..shared.messages import INTERRUPTED, fail, note
from ..shared.output import format_of, write_result
from ..shared.reading import note_skipped
from ..shared.stopping import Stopped, Stopper
from .checkpoint import Checkpoint, check_writable, command_to_continue, save_model
from .curve import Point, print_points, write_curve
from .progress import Progress
from .run import Run
from .start import LearnRequest
from .summary import draw, summary, tested


def execute(request: LearnRequest) -> None:
    """Learn, save the model and report the result."""
    _check_paths(request)
    with Stopper() as stopper:
        run = _started(request, stopper)
        _learn(request, run, stopper)
    run.model._metadata = {"data": run.stream.schema}
    if request.model is not None:
        save_model(run.model, request.model, run.model._metadata)
    _note_data(run)
    result = summary(run, {path: tested(run.model, path, request.reading) for path in request.test})
    if not (request.output.csv and request.curve.every and request.curve.curve is None):  # then the lines are the curve's
        write_result("learn", result, request.output, lambda console: draw(console, run, result, request.model))


def _check_paths(request: LearnRequest) -> None:
    """Refuse files that cannot be written or read, before any work is done."""
    written = {"--model": request.model, "--checkpoint": request.saving.checkpoint, "--curve": request.curve.curve}
    taken = {os.path.realpath(path): "DATA" for path in (*request.data, *request.test)}
    for name, path in written.items():
        if path is not None:
            check_writable(path, name)
            if (other := taken.setdefault(os.path.realpath(path), name)) != name:
                raise ValueError(f"{name} {path} is also {other}; use another file")
    for path in request.test:
        if not os.path.isfile(path):
            raise ValueError(f"--test {path}: no such file")


def _started(request: LearnRequest, stopper: Stopper) -> Run:
    try:
        stopper.waiting(True)
        run = request.run()
        stopper.waiting(False)
        return run
    except Stopped:
        fail("stopped before a row was learned", INTERRUPTED)


def _learn(request: LearnRequest, run: Run, stopper: Stopper) -> None:
    checkpoint, path = _checkpoint(request, run), request.curve.curve
    kind = format_of(request.output) if path is None else "file"
    print_points(run.curve, kind, header=True)
    with Progress(request.output.quiet, run.rows, run.share) as progress:

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
    if path is not None:
        write_curve(path, run.curve)


def _checkpoint(request: LearnRequest, run: Run) -> Checkpoint | None:
    saving = request.saving
    if saving.checkpoint is None:
        return None
    settings = request.settings(None if run.taught else run.model)
    return Checkpoint(saving.checkpoint, saving.checkpoint_rows, saving.checkpoint_seconds, settings, run.rows)


def _note_data(run: Run) -> None:
    """Note what the data had: skipped lines, labels in an order that was assumed, and columns of text."""
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
