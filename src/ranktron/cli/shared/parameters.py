"""The parameters of algorithms as options of a command: names, types and help come from the classes."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any

from ...models.parameters import help_text
from .algorithms import CLASSES, having, offered
from .options import Function, option, option_of


def parameter_options(function: Function) -> Function:
    """Gives a command an option for every parameter of any algorithm; the command gets the texts of those that were given."""
    names = list(dict.fromkeys(parameter for kind in CLASSES.values() for parameter in offered(kind)))

    @functools.wraps(function)
    def command(**given: Any) -> None:
        values = {name: given.pop(name) for name in names}
        function(**given, parameters={name: value for name, value in values.items() if value is not None})

    decorated: Function = command
    for name in reversed(names):
        decorated = _as_option(name)(decorated)
    return decorated


def _as_option(parameter: str) -> Any:
    about: dict[str, Any] = {"section": "Parameters of algorithms", "default": None, "help": _meaning(parameter)}
    defaults = [_field(CLASSES[name], parameter).default for name in having(parameter)]
    default = next((value for value in defaults if value is not None), None)
    if isinstance(default, bool):
        return option(f"{option_of(parameter)}/--no-{option_of(parameter)[2:]}", parameter, **about)
    metavar = {int: "N", float: "NUMBER", str: "WORD"}.get(type(default), "VALUE")
    return option(option_of(parameter), parameter, metavar=metavar, **about)


def _field(kind: Any, parameter: str) -> Any:
    return next(field for field in dataclasses.fields(kind) if field.name == parameter)


def _meaning(parameter: str) -> str:
    """What a parameter means, or each of its meanings, and which algorithms have it."""
    names = having(parameter)
    meanings: dict[str, list[str]] = {}
    for name in names:
        sentence = _first_sentence(CLASSES[name], parameter)
        # Sentences that begin alike differ in details only: the help has the first of them.
        known = next((one for one in meanings if one[:30] == sentence[:30]), sentence)
        meanings.setdefault(known, []).append(name)
    if len(meanings) == 1:
        return " ".join(filter(None, [*meanings, _choices(CLASSES[names[0]], parameter), _whose(names)]))
    return " ".join(
        f"{', '.join(names)}: {_choices(CLASSES[names[0]], parameter) or sentence}" for sentence, names in meanings.items()
    )


def _first_sentence(kind: Any, parameter: str) -> str:
    text = re.sub(r"``|:class:|`", "", help_text(kind, parameter))
    return re.split(r"(?<=\.)\s(?=[A-Z])|;\s", text)[0].rstrip(".") + "."


def _choices(kind: Any, parameter: str) -> str:
    """The words that a parameter may be, the default first."""
    may_be = _field(kind, parameter).metadata["may be"]
    words = re.findall(r"'([^']*)'", may_be) if may_be.startswith("one of '") else []
    return f"{', '.join(words)}." if words else ""


def _whose(names: list[str]) -> str:
    others = [name for name in CLASSES if name not in names]
    return f"({', '.join(names)})" if len(others) > len(names) else f"(all but {', '.join(others)})" if others else "(all)"
