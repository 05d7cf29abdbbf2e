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


class Command(Manual):
    """One command."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        global is_running
        is_running = True
        try:
            return super().invoke(ctx)
        finally:
            is_running = False


class Commands(Manual, click.Group):
    """All commands, of which the help needs the names and the lines only."""

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
        """The command that is called; a name that is almost one gets a hint."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad input ends it with a sentence."""
        with sentences():
            return super().invoke(ctx)
