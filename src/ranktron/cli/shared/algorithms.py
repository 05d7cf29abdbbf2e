"""Algorithms by their names, and their parameters as options of commands."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import doors
from ..._late import Late
from ...models import files, loading
from ...models.kinds.list import ListModel
from ...models.parameters import check_parameters
from ._parameters import PARAMETERS
from .literals import MODELS, read
from .metadata import check_about

# What learns rows, and what learns lists, if nobody says.
DEFAULTS = {False: "rater", True: "ranker"}

_RATING = sorted(map(str.lower, doors.RATERS), key=lambda name: (name != "rater", not name.endswith("prank"), len(name)))
RATING = (*_RATING, "predtron")
RANKING = tuple(sorted(map(str.lower, doors.RANKERS), key=lambda name: (name != "ranker", name != "listnet", len(name))))
CLASSES = Late({name: MODELS.places[name] for name in (*RATING, *RANKING)})
# Other names of some.
SHORT = {"mcp": "multiclassperceptron", "wh": "widrowhoff"}

# Parameters that commands have options of their own for.
_ELSEWHERE = {"epochs", "shuffle", "random_state", "classes", "missing", "hash_bits"}

# Parameters of all that take kernels, and what they mean: the docstrings of single algorithms do not tell.
OF_KERNELS = {
    "kernel": 'A kernel in place of the inner product: "Gaussian(0.5)", "Polynomial(2)" or Linear.',
    "budget": "The most rows that a kernel model keeps.",
    "policy": "Which row a full budget lets go.",
}


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
    return next(name for name in (kind.__name__.lower() for kind in type(model).__mro__) if name in CLASSES)


def make(name: str, texts: Mapping[str, Any], **settled: Any) -> Any:
    """A new model: ``texts`` are parameters as they are typed, ``settled`` are values for those of its parameters that it has."""
    kind = class_of(name)
    own = own_parameters(kind)
    for parameter in texts:
        if parameter not in own:
            others = ", ".join(having(parameter)[:4])
            hint = f"; {others} {'have' if ',' in others else 'has'} {_option(parameter)}" if others else ""
            raise ValueError(
                f"{kind.__name__} has no {_option(parameter)}: it has {', '.join(map(_option, offered(kind)))}{hint}"
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
    model = loading.found_in(path, header, arrays, doors.MODELS)
    check_about(path, model._about)
    return model


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
    left_out = () if getattr(kind, "takes_kernels", True) else OF_KERNELS
    return [field.name for field in dataclasses.fields(kind) if field.name not in left_out]


def offered(kind: Any) -> list[str]:
    """Those that are options of commands."""
    return [parameter for parameter in own_parameters(kind) if parameter not in _ELSEWHERE]


def having(parameter: str) -> list[str]:
    """The algorithms that have a parameter."""
    return [name for name, kind in CLASSES.items() if parameter in offered(kind)]


def _as_option(parameter: str, metavar: str | None, told: str) -> tuple[str, Any, Any]:
    """A field of ``Parameters``; without a word for its values, it is a flag."""
    about: Any = {"help": told, "rich_help_panel": "Parameters of algorithms", "show_default": False}
    if metavar is None:
        flag = typer.Option(f"--{_dashed(parameter)}/--no-{_dashed(parameter)}", **about)
        return parameter, Annotated[bool | None, flag], None
    return parameter, Annotated[str | None, typer.Option(_option(parameter), metavar=metavar, **about)], None


if TYPE_CHECKING:

    class Parameters:
        """A group of options: every parameter of any algorithm, None where it was not given."""
else:
    Parameters = dataclasses.make_dataclass("Parameters", [_as_option(*about) for about in PARAMETERS])
