"""Writes the help texts of all commands into docs/cli.md: ``python tools/write_help.py docs/cli.md``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from ranktron.cli import app
from ranktron.cli.startup.help import text_of

BEGIN, END = "<!-- help texts: begin -->", "<!-- help texts: end -->"
WIDTH = 100


def help_texts() -> str:
    """The help of the program and of every command."""
    top = app.context_class(app, info_name="ranktron")
    commands = {f"ranktron {name}": app.get_command(top, name) for name in app.commands}
    everything = {"ranktron": app, **commands}
    return "\n".join(f"### {name}\n\n```text\n{_help_of(one, name)}```\n" for name, one in everything.items() if one)


def _help_of(command: click.Command, name: str) -> str:
    text = text_of(command, click.Context(command, info_name=name, **command.context_settings), WIDTH)
    plain = re.sub("\x1b" + r"\[[0-9]*m", "", text)
    return "\n".join(line.rstrip() for line in plain.splitlines()) + "\n"


def updated(page: str) -> str:
    """A page with the help texts as they are now."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page should have lines {BEGIN} and {END}, between which the help texts go")
    return f"{before}{BEGIN}\n\n{help_texts()}\n{END}{after}"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(updated(target.read_text(encoding="utf-8")), encoding="utf-8")
