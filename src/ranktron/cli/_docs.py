"""The help texts in docs/cli.md: ``python -m ranktron.cli._docs docs/cli.md`` writes them anew."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- help texts: begin -->", "<!-- help texts: end -->"
WIDTH = 100


def help_texts() -> str:
    """What ``--help`` says, of the program and of every command."""
    import typer.main

    from . import COMMANDS, app, command

    everything = {"ranktron": typer.main.get_command(app)} | {f"ranktron {name}": command(name) for name in COMMANDS}
    return "\n".join(f"### {name}\n\n```text\n{_help_of(one, name)}```\n" for name, one in everything.items())


def _help_of(command: Any, name: str) -> str:
    from ._help import text_of

    text = text_of(command, command.context_class(command, info_name=name), WIDTH)
    plain = re.sub("\x1b" + r"\[[0-9]*m", "", text)
    return "\n".join(line.rstrip() for line in plain.splitlines()) + "\n"


def renewed(page: str) -> str:
    """A page with the help texts as they are now."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page should have lines {BEGIN} and {END}, between which the help texts go")
    return f"{before}{BEGIN}\n\n{help_texts()}\n{END}{after}"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(renewed(target.read_text(encoding="utf-8")), encoding="utf-8")
