"""``ranktron learn``: stream data through a learner, see how well it does, keep the model."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import click

from ..shared.algorithms import CLASSES, DEFAULTS, RANKING, RATING
from ..shared.options import FILE, DataOptions, OutputOptions, WholeNumber, data_argument, field, option, options
from ..shared.parameters import parameter_options
from ..startup.commands import Command

_saving = functools.partial(field, section="Never lose work")
_output = functools.partial(field, section="Output")


@dataclasses.dataclass
class PassOptions:
    """How often and in which order the data are presented, and what for."""

    epochs: int = field(type=WholeNumber(1), default=1, metavar="N", help="Passes over the data, which have to be files.")
    shuffle: bool = field(is_flag=True, default=False, help="Take the rows, or the lists, in random order.")
    seed: int | None = field(
        type=WholeNumber(0), metavar="N", help="What to shuffle by, and what random algorithms toss their coins by."
    )
    classes: str | None = field(metavar="LABELS", help="All labels in ascending order: bad,fair,good.")


@dataclasses.dataclass
class SavingOptions:
    """How work is not lost."""

    checkpoint: str | None = _saving(type=FILE, metavar="FILE", help="Save the run here on the way.")
    checkpoint_rows: int = _saving(type=WholeNumber(1), default=100_000, metavar="N", help="Save at least every N rows.")
    checkpoint_seconds: float | None = _saving(type=float, metavar="NUMBER", help="Save every so many seconds, too.")
    resume: str | None = _saving(
        type=FILE, metavar="FILE", help="Go on from a checkpoint, as if nothing had happened; or let a model learn more."
    )


@dataclasses.dataclass
class CurveOptions:
    """The learning curve."""

    every: int | None = _output(type=WholeNumber(1), metavar="N", help="Tell the figures every N rows: the learning curve.")
    curve: str | None = _output(type=FILE, metavar="FILE", help="Write the curve here, as .csv or JSON lines.")

    def __post_init__(self) -> None:
        if self.curve is not None and self.every is None:
            raise ValueError("--curve needs --every N: how many rows from one point to the next")


def _complete_algorithm(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in CLASSES if name.startswith(incomplete)]


_ALGORITHM = (
    f"For ratings: {', '.join(RATING)}; for lists: {', '.join(RANKING)}. Without it {DEFAULTS[False]}, or {DEFAULTS[True]} where "
    "there are queries: both cope with features of any scale."
)


@click.command(cls=Command, no_args_is_help=True)
@data_argument
@option("--algorithm", "-a", shell_complete=_complete_algorithm, help=_ALGORITHM)
@option("--model", "-m", type=FILE, metavar="FILE", help="Write the model here.")
@option("--test", multiple=True, type=FILE, metavar="FILE", help="Judge the model by this file in the end; may be repeated.")
@options(passes=PassOptions, reading=DataOptions, saving=SavingOptions, curve=CurveOptions, output=OutputOptions)
@parameter_options
def learn(
    data: Sequence[str],
    algorithm: str | None,
    model: str | None,
    test: Sequence[str],
    passes: PassOptions,
    reading: DataOptions,
    saving: SavingOptions,
    curve: CurveOptions,
    output: OutputOptions,
    parameters: dict[str, str | bool],
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
    from .job import LearnCommand
    from .start import RunRequest

    request = RunRequest(data, algorithm, parameters, reading, passes, saving, curve.every)
    LearnCommand(request, curve, output, model, test).do()
