"""The help texts in docs/cli.md and the options of algorithms: ``python -m ranktron.cli.startup.docs docs/cli.md`` writes both.

What a parameter means is told by the docstring of its algorithm. Commands read it from ``_parameters.py``, or each would have to
import every algorithm to know its own options.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import os
import re
import sys
from pathlib import Path
from typing import Any

from ..shared.algorithms import CLASSES, OF_KERNELS, having, offered

BEGIN, END = "<!-- help texts: begin -->", "<!-- help texts: end -->"
WIDTH = 100
PARAMETERS = Path(__file__).parents[1] / "shared" / "_parameters.py"
HEAD = '''\
# ruff: noqa: E501
"""Every parameter of any algorithm, what its values are called, None for a flag, and what it means; written by ``_docs``."""

from __future__ import annotations
'''


def help_texts() -> str:
    """What ``--help`` says, of the program and of every command."""
    import typer.main

    from .. import COMMANDS, app, command

    everything = {"ranktron": typer.main.get_command(app)} | {f"ranktron {name}": command(name) for name in COMMANDS}
    return "\n".join(f"### {name}\n\n```text\n{_help_of(one, name)}```\n" for name, one in everything.items())


def _help_of(command: Any, name: str) -> str:
    from .help import text_of

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


def parameters() -> str:
    """The module that tells of every parameter of any algorithm."""
    fields = [field for kind in reversed([*CLASSES.values()]) for field in dataclasses.fields(kind)]
    defaults = {field.name: field.default for field in sorted(fields, key=lambda field: field.default is not None)}
    order = dict.fromkeys(parameter for kind in CLASSES.values() for parameter in offered(kind))
    told = "".join(_entry(name, _metavar(defaults[name]), _told(name)) for name in order)
    return f"{HEAD}\nPARAMETERS: list[tuple[str, str | None, str]] = [\n{told}]\n"


def _entry(*parts: str | None) -> str:
    lines = "".join(f"        {_quoted(part)},\n" for part in parts)
    return f"    (\n{lines}    ),\n"


def _quoted(text: str | None) -> str:
    return repr(text) if text is None or '"' in text else f'"{text}"'


def _metavar(default: Any) -> str | None:
    return None if isinstance(default, bool) else {int: "N", float: "NUMBER", str: "WORD"}.get(type(default), "VALUE")


def _told(parameter: str) -> str:
    """What the help says of a parameter, or of each of its meanings, and whose it is."""
    names = having(parameter)
    meanings: dict[str, list[str]] = {}
    for name in names:
        sentence = _sentences(CLASSES[name]).get(parameter, "")
        known = next((one for one in meanings if one[:30] == sentence[:30]), sentence)
        meanings.setdefault(known, []).append(name)
    told = [sentence for sentence in meanings if sentence] or [OF_KERNELS[parameter]]
    if len(told) == 1:
        return " ".join(filter(None, [told[0], _choices(parameter, names), _whose(names)]))
    return " ".join(
        f"{', '.join(names)}: {_choices(parameter, names) or sentence}" for sentence, names in meanings.items() if sentence
    )


def _whose(names: list[str]) -> str:
    others = [name for name in CLASSES if name not in names]
    return f"({', '.join(names)})" if len(others) > len(names) else f"(all but {', '.join(others)})" if others else "(all)"


def _choices(parameter: str, names: list[str]) -> str:
    """The words that a parameter of these algorithms may be, the default first."""
    may_be = {field.name: field.metadata["may be"] for field in dataclasses.fields(CLASSES[names[0]])}[parameter]
    words = re.findall(r"'([^']*)'", may_be) if may_be.startswith("one of '") else []
    return f"{', '.join(words)}." if words else ""


@functools.cache
def _sentences(kind: Any) -> dict[str, str]:
    """The first sentence on every parameter in the docstring of an algorithm."""
    section = inspect.cleandoc(kind.__doc__).partition("Parameters\n----------\n")[2]
    told: dict[str, str] = {}
    for heading, text in re.findall(r"^(\w[^\n]*)\n((?: {4}[^\n]*\n)+)", section, re.MULTILINE):
        first = re.split(r"(?<=\.)\s(?=[A-Z`])|;\s", re.sub(r"``|:class:|`", "", " ".join(text.split())))[0].rstrip(".") + "."
        if not first.startswith("As for"):
            told |= dict.fromkeys(heading.partition(" : ")[0].split(", "), first)
    return told


if __name__ == "__main__":
    if PARAMETERS.read_text(encoding="utf-8") != parameters():
        PARAMETERS.write_text(parameters(), encoding="utf-8")
        os.execv(sys.executable, [sys.executable, "-m", "ranktron.cli.startup.docs", *sys.argv[1:]])  # whose options follow it
    target = Path(sys.argv[1])
    target.write_text(renewed(target.read_text(encoding="utf-8")), encoding="utf-8")
