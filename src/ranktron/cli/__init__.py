"""The command line: one file a command, which is imported when that command is asked for."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import sys
import threading
from typing import Annotated, Any

import typer
import typer.core

from .startup.help import HelpfulCommand, Manual

# The module of every command, in which a function has the command's name, and what the list of commands says of it.
COMMANDS = {
    "learn": ("learn.command", "Stream a file of graded examples through a learner and keep the model."),
    "predict": ("predict.command", "Tell the ranks or the scores of rows."),
    "evaluate": ("evaluate.command", "Judge a model by all metrics of its task."),
    "compare": ("compare.command", "Let several algorithms learn one stream side by side: the league."),
    "inspect": ("inspect.command", "Show what a model is, and why it puts one row above another."),
    "export": ("export", "Write a model for a search engine."),
    "reproduce": ("reproduce", "Run the papers' experiments again: every printed number and claim beside what is measured."),
    "warmup": ("warmup.command", "Compile everything now, so that nothing is compiled later."),
}

# Whether a command runs, which may have to clean up when it is interrupted.
is_running = False

_HELP = {"help_option_names": ["-h", "--help"]}


class LazyGroup(Manual, typer.core.TyperGroup):
    """Lists the commands without importing them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, line) in COMMANDS.items():
            self.commands[name] = HelpfulCommand(name=name, help=line)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command that is to be run, imported now."""
        global is_running
        name, found, rest = super().resolve_command(ctx, args)
        found = found and command(str(name))
        gc.freeze()  # or each of the collections that may come, the last at the exit, would look at all that was imported
        gc.enable()
        is_running = True
        return name, found, rest


def command(name: str) -> Any:
    """A command with all its options."""
    module, _ = COMMANDS[name]
    function = getattr(importlib.import_module(f".{module}", __name__), name)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    needs_words = name not in ("compare", "reproduce", "warmup")
    app.command(name, cls=HelpfulCommand, no_args_is_help=needs_words, context_settings=_HELP)(function)
    return typer.main.get_command(app)


def _tell_version(asked: bool) -> None:
    if asked:
        from .. import __version__

        typer.echo(f"ranktron {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
)


@app.callback()
def ranktron(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version and exit.")
    ] = False,
) -> None:
    """Learn to rate and to rank from a stream of graded feedback: any file or pipe in, a model and a picture out.

    Each command explains itself: ranktron learn --help.
    """


def main() -> None:
    """Run the program."""
    global is_running
    import ranktron as library

    library._at_once = False
    sys.setswitchinterval(0.0002)  # threads that parse take turns with the one that learns
    gc.disable()  # until all is imported: nothing of that goes away again
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's would spin meanwhile, and nothing here multiplies matrices
    _open_streams()
    try:
        app(prog_name="ranktron")
    except SystemExit as end:
        if not end.code:
            _leave()
        raise
    except OSError:  # where not even the help can be told
        from .shared.messages import sentences

        with sentences():
            raise
    finally:
        is_running = False


def _open_streams() -> None:
    """What was closed before the program began leads nowhere, and to no file that is opened later."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _leave() -> None:
    """End at once, all being done and told: Python would first take apart all that was imported, which takes a while."""
    if threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):  # nowhere to write to: Python will say so
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
