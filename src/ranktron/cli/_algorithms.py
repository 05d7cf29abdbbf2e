"""Algorithms by their names, and their parameters as options of commands."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import doors
from ..models import files, loading
from ..models.list_model import ListModel
from ..models.parameters import check_parameters
from ._literals import read

DEFAULTS = {False: "rater", True: "ranker"}
"""What learns rows, and what learns lists, if nobody says."""

_KINDS = {name.lower(): kind for name, kind in doors.MODELS.items()}
_RATING = sorted(map(str.lower, doors.RATERS), key=lambda name: (name != "rater", not name.endswith("prank"), len(name)))
RATING = (*_RATING, "predtron")
RANKING = tuple(sorted(map(str.lower, doors.RANKERS), key=lambda name: (name != "ranker", name != "listnet", len(name))))
CLASSES: dict[str, Any] = {name: _KINDS[name] for name in (*RATING, *RANKING)}
SHORT = {"mcp": "multiclassperceptron", "wh": "widrowhoff"}
"""Other names of some."""

_ELSEWHERE = {"epochs", "shuffle", "random_state", "classes", "missing", "hash_bits"}
"""Parameters that commands have options of their own for."""

_SHARED = {
    "kernel": 'A kernel in place of the inner product: "Gaussian(0.5)", "Polynomial(2)" or Linear.',
    "budget": "The most rows that a kernel model keeps.",
    "policy": "Which row a full budget lets go.",
}
"""What the docstrings of single algorithms do not tell."""


def class_of(name: str) -> Any:
    """The algorithm of that name."""
    known = CLASSES.get(SHORT.get(name.lower(), name.lower()))
    if known is None:
        near = difflib.get_close_matches(name.lower(), [*CLASSES, *SHORT], 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(CLASSES)}"
        raise ValueError(f"there is no algorithm {name!r}: {hint}")
    return known


def name_of(model: Any) -> str:
    """The name of a model's algorithm."""
    return next(name for name, kind in CLASSES.items() if isinstance(model, kind))


def make(name: str, texts: Mapping[str, Any], **settled: Any) -> Any:
    """A new model: ``texts`` are parameters as they are typed, ``settled`` are values for those of its parameters that it has."""
    kind = class_of(name)
    own = own_parameters(kind)
    for parameter in texts:
        if parameter not in own:
            others = ", ".join(_having(parameter)[:4])
            hint = f"; {others} {'have' if ',' in others else 'has'} {_option(parameter)}" if others else ""
            raise ValueError(
                f"{kind.__name__} has no {_option(parameter)}: it has {', '.join(map(_option, _offered(kind)))}{hint}"
            )
    values = {parameter: read(value, f"--{_dashed(parameter)}") for parameter, value in texts.items()}
    model = kind(**values, **{parameter: value for parameter, value in settled.items() if parameter in own})
    check_parameters(model)
    return model


def ranks_lists(model: Any) -> bool:
    """Whether a model learns lists, and not rows."""
    return isinstance(model, ListModel)


def looks_within_lists(model: Any) -> bool:
    """Whether a model scores a row within its list, so that lists must come whole."""
    return ranks_lists(model) and model.looks_within_lists


def load_model(path: str) -> Any:
    """The model in a file; one that knows people and items, and no rows, is nothing for commands."""
    header, arrays = files.read(path)
    if header.get("algorithm") == "Recommender":
        raise ValueError(
            f"{path} holds a Recommender, and commands are for rows and lists: in Python, ranktron.load({path!r}) opens it"
        )
    return loading.found_in(path, header, arrays, doors.MODELS)


def complete_algorithm(incomplete: str) -> list[str]:
    """Names for the shell."""
    return [name for name in CLASSES if name.startswith(incomplete)]


AlgorithmOption = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        "-a",
        autocompletion=complete_algorithm,
        show_default=False,
        help=f"For ratings: {', '.join(RATING)}; for lists: {', '.join(RANKING)}. "
        f"Without it {DEFAULTS[False]}, or {DEFAULTS[True]} where there are queries: both cope with features of any scale.",
    ),
]


# Parameters


def typed(parameters: Any) -> dict[str, Any]:
    """The parameters that were given, of an object of ``Parameters``."""
    return {name: value for name, value in vars(parameters).items() if value is not None}


def _dashed(parameter: str) -> str:
    return parameter.replace("_", "-")


def _option(parameter: str) -> str:
    return f"--{_dashed(parameter)}"


def own_parameters(kind: Any) -> list[str]:
    """The parameters of an algorithm, without those of kernels where it takes none."""
    left_out = () if getattr(kind, "takes_kernels", True) else _SHARED
    return [field.name for field in dataclasses.fields(kind) if field.name not in left_out]


def _offered(kind: Any) -> list[str]:
    return [parameter for parameter in own_parameters(kind) if parameter not in _ELSEWHERE]


def _having(parameter: str) -> list[str]:
    return [name for name, kind in CLASSES.items() if parameter in _offered(kind)]


def _told(parameter: str) -> str:
    """What the help says of a parameter, or of each of its meanings, and whose it is."""
    having = _having(parameter)
    meanings: dict[str, list[str]] = {}
    for name in having:
        sentence = _sentences(CLASSES[name]).get(parameter, "")
        known = next((one for one in meanings if one[:30] == sentence[:30]), sentence)
        meanings.setdefault(known, []).append(name)
    told = [sentence for sentence in meanings if sentence] or [_SHARED[parameter]]
    if len(told) == 1:
        return " ".join(filter(None, [told[0], _choices(parameter, having), _whose(having)]))
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


def _metavar(default: Any) -> str:
    return {int: "N", float: "NUMBER", str: "WORD"}.get(type(default), "VALUE")


def _as_option(parameter: str, default: Any) -> tuple[str, Any, Any]:
    panel = "Parameters of algorithms"
    about = {"help": _told(parameter), "rich_help_panel": panel, "show_default": False}
    if isinstance(default, bool):
        flag = typer.Option(f"--{_dashed(parameter)}/--no-{_dashed(parameter)}", **about)  # type: ignore[arg-type]
        return parameter, Annotated[bool | None, flag], None
    return parameter, Annotated[str | None, typer.Option(_option(parameter), metavar=_metavar(default), **about)], None  # type: ignore[arg-type]


def _all_options() -> list[tuple[str, Any, Any]]:
    fields = [field for kind in reversed(CLASSES.values()) for field in dataclasses.fields(kind)]
    defaults = {field.name: field.default for field in sorted(fields, key=lambda field: field.default is not None)}
    order = dict.fromkeys(parameter for kind in CLASSES.values() for parameter in _offered(kind))
    return [_as_option(parameter, defaults[parameter]) for parameter in order]


if TYPE_CHECKING:

    class Parameters:
        """A group of options: every parameter of any algorithm, None where it was not given."""
else:
    Parameters = dataclasses.make_dataclass("Parameters", _all_options())
