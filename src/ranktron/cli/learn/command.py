"""``ranktron learn``: streams data through a learner, reports how well it does, and saves the model."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import click

from ..shared.algorithms import CLASSES, DEFAULTS, RANKING, RATING
from ..shared.options import FILE, DataOptions, OutputOptions, WholeNumber, data_argument, field, option, options
from ..shared.parameters import parameter_options
from ..startup.commands import Command

_saving = functools.partial(field, section="Checkpoints")
_output = functools.partial(field, section="Output")


@dataclasses.dataclass
class PassOptions:
    """How often and in which order the data are read."""

    epochs: int = field(type=WholeNumber(1), default=1, metavar="N", help="Passes over the data; more than one needs files.")
    shuffle: bool = field(is_flag=True, default=False, help="Read the rows, or the lists, in random order.")
    seed: int | None = field(type=WholeNumber(0), metavar="N", help="The seed of shuffles and of random algorithms.")
    classes: str | None = field(metavar="LABELS", help="All labels in ascending order: bad,fair,good.")


@dataclasses.dataclass
class SavingOptions:
    """Checkpoints."""

    checkpoint: str | None = _saving(type=FILE, metavar="FILE", help="Save the run to this file from time to time.")
    checkpoint_rows: int = _saving(type=WholeNumber(1), default=100_000, metavar="N", help="Save at least every N rows.")
    checkpoint_seconds: float | None = _saving(type=float, metavar="NUMBER", help="Also save at least every NUMBER seconds.")
    resume: str | None = _saving(
        type=FILE,
        metavar="FILE",
        help="Continue from a checkpoint as if the run had not been interrupted, or let a model learn more.",
    )


@dataclasses.dataclass
class CurveOptions:
    """The learning curve."""

    every: int | None = _output(type=WholeNumber(1), metavar="N", help="Report the figures every N rows: the learning curve.")
    curve: str | None = _output(
        type=FILE, metavar="FILE", help="Write the curve to this file: CSV if it ends in .csv, otherwise JSON Lines."
    )

    def __post_init__(self) -> None:
        if self.curve is not None and self.every is None:
            raise ValueError("--curve needs --every N, the number of rows between two points")


def _complete_algorithm(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in CLASSES if name.startswith(incomplete)]


_ALGORITHM = (
    f"For ratings: {', '.join(RATING)}; for lists: {', '.join(RANKING)}. By default {DEFAULTS[False]}, or {DEFAULTS[True]} if "
    "there are queries: both accept features of any scale."
)


@click.command(cls=Command, no_args_is_help=True)
@data_argument
@option("--algorithm", "-a", shell_complete=_complete_algorithm, help=_ALGORITHM)
@option("--model", "-m", type=FILE, metavar="FILE", help="Write the model to this file.")
@option("--test", multiple=True, type=FILE, metavar="FILE", help="Evaluate the final model on this file; may be repeated.")
@options(passes=PassOptions, reading=DataOptions, saving=SavingOptions, curve=CurveOptions, output=OutputOptions)
@parameter_options
def learn(**given: Any) -> None:
    """Stream graded examples through a learner and save the model.

    Every row, or every list of rows, is predicted before it is learned, so the final figures are honest without a test set. Data
    are read once, in constant memory, from files of any size or from a pipe.

    Examples:

        ranktron learn ratings.csv --target stars --model stars.ranktron
        ranktron learn train.svm -a slam --soften 0.5 --test vali.svm
        curl -s https://example.com/stars.jsonl | ranktron learn - -t stars

    A long run that may be interrupted: the same command continues it.

        ranktron learn big.csv -t stars -m m.ranktron --checkpoint c --resume c
    """
    from .job import execute
    from .start import LearnRequest

    execute(LearnRequest(**given))
