"""The group of commands: the module of a command is imported when that command is called."""

from __future__ import annotations

import difflib
import importlib
from typing import Any

import click

from ..shared.messages import sentences
from .help import Manual

# The module of every command, in which a function has the command's name, and its line in the list of commands.
COMMANDS = {
    "learn": ("learn.command", "Stream a file of graded examples through a learner and save the model."),
    "predict": ("predict.command", "Predict the labels or the scores of rows."),
    "evaluate": ("evaluate.command", "Evaluate a model by all metrics of its task."),
    "compare": ("compare.command", "Compare several algorithms on one stream, in a league."),
    "inspect": ("inspect.command", "Describe a model, and explain why it ranks one row above another."),
    "export": ("export", "Write a model for a search engine."),
    "reproduce": ("reproduce", "Run the papers' experiments and compare their numbers and claims with the results."),
    "warmup": ("warmup.command", "Compile all loops now, so that nothing is compiled later."),
}

# Whether a command is running; after an interrupt it may have to clean up.
is_running = False


class Command(Manual):
    """One command."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        from ...compile import announcing
        from ..shared.compiling import announced

        global is_running
        is_running, announcing.announce = True, announced
        try:
            return super().invoke(ctx)
        finally:
            is_running, announcing.announce = False, announcing.log


class Commands(Manual, click.Group):
    """All commands. The help needs their names and lines only, so they are not imported for it."""

    def __init__(self, *words: Any, **settings: Any) -> None:
        super().__init__(*words, subcommand_metavar="COMMAND ...", **settings)
        self.commands = {name: click.Command(name, help=line) for name, (_, line) in COMMANDS.items()}

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"..{COMMANDS[name][0]}", __package__)
        found: click.Command = getattr(module, name)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; for an unknown name, an error that names a similar command."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad input ends it with an error of one sentence."""
        with sentences():
            return super().invoke(ctx)
