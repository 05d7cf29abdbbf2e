"""Commands whose help reads like a manual page: sections of two columns, the same with every version of click."""

from __future__ import annotations

import inspect
import re
import shutil
import textwrap
from typing import Any

import click

NARROWEST, WIDEST, INDENT = 60, 110, 24


class Option(click.Option):
    """An option that is listed in a section of the help."""

    def __init__(self, *names: Any, section: str = "Options", **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


class Argument(click.Argument):
    """An argument that the help explains."""

    section = "Arguments"

    def __init__(self, *names: Any, help: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.help = help


class Manual(click.Command):
    """A command with help in this layout."""

    def __init__(self, *words: Any, **settings: Any) -> None:
        super().__init__(*words, **{"context_settings": {"help_option_names": ["-h", "--help"]}, **settings})

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help, as wide as the terminal."""
        width = min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)
        formatter.write(text_of(self, ctx, width))


def text_of(command: click.Command, ctx: click.Context, width: int) -> str:
    """The help of a command."""
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    parts = [f"{_bold('Usage:')} {usage}", *_prose(command.help or "", width)]
    for title, lines in _sections(command, ctx).items():
        parts.append("\n".join([_bold(f"{title}:"), *(_entry(left, right, width) for left, right in lines)]))
    return "\n\n".join(parts) + "\n"


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"  # click removes the codes if the output is not a terminal


def _prose(text: str, width: int) -> list[str]:
    """Paragraphs; indented ones are not wrapped."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return [one if one.startswith("  ") else textwrap.fill(" ".join(one.split()), width) for one in paragraphs if one.strip()]


def _sections(command: click.Command, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for one in command.get_params(ctx):
        sections.setdefault(getattr(one, "section", "Options"), []).append((_names(one), _meaning(one)))
    if isinstance(command, click.Group):
        sections["Commands"] = [(name, one.help or "") for name, one in command.commands.items()]
    return {title: lines for title, lines in sections.items() if lines}


def _names(one: Any) -> str:
    if isinstance(one, click.Argument):
        return str(one.metavar)
    short = [name for name in one.opts if not name.startswith("--")]
    long = [name for name in one.opts if name.startswith("--")] + one.secondary_opts
    value = "" if one.is_flag else f" {one.metavar or 'TEXT'}"
    return ("" if short else "    ") + ", ".join([*short, *long]) + value


def _meaning(one: Any) -> str:
    is_shown = isinstance(one.default, str | int | float) and not isinstance(one.default, bool)
    return f"{one.help} [default: {one.default}]" if is_shown else one.help or ""


def _entry(left: str, right: str, width: int) -> str:
    lines = textwrap.wrap(right, width - INDENT, break_on_hyphens=False) or [""]
    if len(left) > INDENT - 4:
        lines.insert(0, "")
    first, *rest = lines
    head = _coloured(left) + (" " * (INDENT - 2 - len(left)) + first if first else "")
    return "\n".join(["  " + head, *(" " * INDENT + line for line in rest)])


def _coloured(names: str) -> str:
    return re.sub(r"(?<![\w-])-{1,2}[\w-]+", lambda found: f"\x1b[36m{found[0]}\x1b[0m", names)
