"""The command line: one file or folder per command, whose module is imported when that command is called."""

from __future__ import annotations

import os
import sys

import click

from .shared.messages import sentences
from .startup.commands import Commands
from .startup.completion import completion_options


def _print_version(ctx: click.Context, option: click.Parameter, is_given: bool) -> None:
    if is_given:
        from .. import __version__

        click.echo(f"ranktron {__version__}")
        ctx.exit()


@click.group("ranktron", cls=Commands, no_args_is_help=True)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version and exit."
)
@completion_options
def app() -> None:
    """Learn to rate and to rank from a stream of graded feedback: any file or pipe in, a model and a picture out.

    Every command has its own help: ranktron learn --help.
    """


def main() -> None:
    """Run the program."""
    sys.setswitchinterval(0.0002)  # parsing threads must not delay the learning thread
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle BLAS threads would spin, and no command multiplies matrices
    _open_streams()
    with sentences():  # also if the help cannot be written
        app(prog_name="ranktron")


def _open_streams() -> None:
    """Open closed standard streams on the null device, so that no file opened later gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
