"""``ranktron learn``: stream data through a learner, see how well it does, keep the model."""

from __future__ import annotations

import dataclasses
import functools
from typing import Annotated

import typer

from ..shared.algorithms import AlgorithmOption, Parameters
from ..shared.options import DataOptions, OutputOptions, Paths, option, spread

_saving = functools.partial(option, "Never lose work")
_output = functools.partial(option, "Output")


@dataclasses.dataclass
class Passes:
    """How often and in which order the data are presented, and what for."""

    epochs: Annotated[int, typer.Option(help="Passes over the data, which have to be files.", metavar="N", min=1)] = 1
    shuffle: Annotated[bool, typer.Option("--shuffle", help="Take the rows, or the lists, in random order.")] = False
    seed: Annotated[
        int | None, typer.Option(help="What to shuffle by, and what random algorithms toss their coins by.", metavar="N", min=0)
    ] = None
    classes: Annotated[
        str | None, typer.Option(help="All labels in ascending order: bad,fair,good.", metavar="LABELS", show_default=False)
    ] = None


@dataclasses.dataclass
class Saving:
    """How work is not lost."""

    checkpoint: Annotated[str | None, _saving(help="Save the run here on the way.", metavar="FILE")] = None
    checkpoint_rows: Annotated[int, _saving(help="Save at least every N rows.", metavar="N", min=1)] = 100_000
    checkpoint_seconds: Annotated[float | None, _saving(help="Save every so many seconds, too.", metavar="NUMBER")] = None
    resume: Annotated[
        str | None,
        _saving(help="Go on from a checkpoint, as if nothing had happened; or let a model learn more.", metavar="FILE"),
    ] = None


@dataclasses.dataclass
class Curve:
    """The learning curve."""

    every: Annotated[int | None, _output(help="Tell the figures every N rows: the learning curve.", metavar="N", min=1)] = None
    curve: Annotated[
        str | None, _output(help="Write the curve here, as .csv or JSON lines.", metavar="FILE", show_default=False)
    ] = None

    def __post_init__(self) -> None:
        if self.curve is not None and self.every is None:
            raise ValueError("--curve needs --every N: how many rows from one point to the next")


@spread
def learn(
    data: Paths,
    *,
    algorithm: AlgorithmOption = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="Write the model here.", metavar="FILE")] = None,
    test: Annotated[
        list[str] | None, typer.Option(help="Judge the model by this file in the end; may be repeated.", metavar="FILE")
    ] = None,
    passes: Passes,
    reading: DataOptions,
    saving: Saving,
    curve: Curve,
    output: OutputOptions,
    parameters: Parameters,
) -> None:
    """Stream graded examples through a learner and keep the model.

    Every row, or every list of rows, is predicted before it is learned, so the figures in the end are honest without a test set.
    Data are read once, in constant memory, from files of any size or from a pipe.

    Examples:

        ranktron learn ratings.csv --target stars --model stars.ranktron
        ranktron learn train.svm -a slam --soften 0.5 --test vali.svm
        curl -s https://example.com/stars.jsonl | ranktron learn - -t stars

    A long run that may be broken off: repeat the command, and it goes on where it was.

        ranktron learn big.csv -t stars -m m.ranktron --checkpoint c --resume c
    """
    from .job import Job
    from .start import Beginning

    beginning = Beginning(data, algorithm, parameters, reading, passes, saving, curve.every)
    Job(beginning, curve, output, model, test or []).do()
