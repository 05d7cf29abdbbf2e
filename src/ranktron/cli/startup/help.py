"""Help texts: plain, in two columns, the same with every version of the libraries behind."""

from __future__ import annotations

import inspect
import re
import shutil
import textwrap
from typing import Any

import typer.core

from ._quick import quickened

NARROWEST, WIDEST, INDENT = 60, 110, 24


class Manual:
    """Mixed into a command: its help reads like a manual page, and its options are read quickly."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Arguments and options."""
        return [quickened(param) for param in super().get_params(ctx)]  # type: ignore[misc]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        formatter.write(text_of(self, ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What an error says of the usage."""
        return _pieces(self, ctx)


class HelpfulCommand(Manual, typer.core.TyperCommand):
    """One command."""


def text_of(command: Any, ctx: Any, width: int = 0) -> str:
    """The help of a command, by default as wide as the terminal."""
    width = width or min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)
    sections = [f"{_bold('Usage:')} {' '.join([ctx.command_path, *_pieces(command, ctx)])}", *_prose(command.help or "", width)]
    for title, lines in _panels(command, ctx).items():
        sections.append("\n".join([_bold(f"{title}:"), *(_entry(left, right, width) for left, right in lines)]))
    return "\n\n".join(sections) + "\n"


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"  # is left out where nobody looks


def _pieces(command: Any, ctx: Any) -> list[str]:
    names = [one.metavar or str(one.name).upper() for one in command.get_params(ctx) if one.param_type_name == "argument"]
    return ["[OPTIONS]", *names, *(["COMMAND ..."] if hasattr(command, "commands") else [])]


def _prose(text: str, width: int) -> list[str]:
    """Paragraphs; those that are indented stay as they are."""
    paragraphs = re.sub(r"\[/?bold\]", "", inspect.cleandoc(text)).split("\n\n")
    return [one if one.startswith("  ") else textwrap.fill(" ".join(one.split()), width) for one in paragraphs if one.strip()]


def _panels(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for one in command.get_params(ctx):
        if getattr(one, "hidden", False):
            continue
        is_argument = one.param_type_name == "argument"
        title = getattr(one, "rich_help_panel", None) or ("Arguments" if is_argument else "Options")
        panels.setdefault(title, []).append((_names(one, is_argument), _told(one)))
    if hasattr(command, "commands"):
        panels["Commands"] = [(name, one.help) for name, one in command.commands.items()]
    return {title: lines for title, lines in panels.items() if lines}


def _names(one: Any, is_argument: bool) -> str:
    if is_argument:
        return one.metavar or str(one.name).upper()
    short = [name for name in one.opts if not name.startswith("--")]
    long = [name for name in one.opts if name.startswith("--")] + one.secondary_opts
    value = "" if one.is_flag else f" {one.metavar or 'TEXT'}"
    return ("" if short else "    ") + ", ".join([*short, *long]) + value


def _told(one: Any) -> str:
    default = one.default
    shown = getattr(one, "show_default", False) and not callable(default)
    if not shown or default is None or default is ... or isinstance(default, bool) or default in ((), [], ""):
        return one.help or ""
    return f"{one.help} [default: {default}]"


def _entry(left: str, right: str, width: int) -> str:
    room = width - INDENT
    lines = textwrap.wrap(right, room, break_on_hyphens=False) or [""]
    if len(left) > INDENT - 4:
        lines.insert(0, "")
    first, *rest = lines
    head = _coloured(left) + (" " * (INDENT - 2 - len(left)) + first if first else "")
    return "\n".join(["  " + head, *(" " * INDENT + line for line in rest)])


def _coloured(names: str) -> str:
    return re.sub(r"(?<![\w-])-{1,2}[\w-]+", lambda found: f"\x1b[36m{found[0]}\x1b[0m", names)
