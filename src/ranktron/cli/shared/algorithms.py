"""Algorithms by their names, with their parameters."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import Any

from ... import doors
from ...models import files, loading
from ...models.kinds.list import ListModel
from ...models.parameters import OF_KERNELS, check_parameters
from .literals import MODELS, read
from .metadata import check_about
from .options import option_of

# The default algorithms for rows and for lists.
DEFAULTS = {False: "rater", True: "ranker"}

_RATING = sorted(map(str.lower, doors.RATERS), key=lambda name: (name != "rater", not name.endswith("prank"), len(name)))
RATING = (*_RATING, "predtron")
RANKING = tuple(sorted(map(str.lower, doors.RANKERS), key=lambda name: (name != "ranker", name != "listnet", len(name))))
CLASSES: dict[str, Any] = {name: MODELS[name] for name in (*RATING, *RANKING)}
# Parameters that commands have options of their own for.
_ELSEWHERE = {"epochs", "shuffle", "random_state", "classes", "missing", "hash_bits"}
# Short names.
SHORT = {"mcp": "multiclassperceptron", "wh": "widrowhoff"}


def class_of(name: str) -> Any:
    """The algorithm of that name."""
    known = CLASSES.get(SHORT.get(name.lower(), name.lower()))
    if known is None:
        near = difflib.get_close_matches(name.lower(), [*CLASSES, *SHORT], 1)
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(CLASSES)}"
        raise ValueError(f"there is no algorithm {name!r}; {hint}")
    return known


def name_of(model: Any) -> str:
    """The name of a model's algorithm."""
    return next(name for name in (kind.__name__.lower() for kind in type(model).__mro__) if name in CLASSES)


def make(name: str, texts: Mapping[str, Any], **settings: Any) -> Any:
    """A new model: ``texts`` are typed parameters; of ``settings`` it takes those that it has."""
    kind = class_of(name)
    own = own_parameters(kind)
    for parameter in texts:
        if parameter not in own:
            others = ", ".join(having(parameter)[:4])
            hint = f"; {others} {'have' if ',' in others else 'has'} {option_of(parameter)}" if others else ""
            raise ValueError(
                f"{kind.__name__} has no {option_of(parameter)}; it has {', '.join(map(option_of, offered(kind)))}{hint}"
            )
    values = {parameter: read(value, option_of(parameter)) for parameter, value in texts.items()}
    model = kind(**values, **{parameter: value for parameter, value in settings.items() if parameter in own})
    check_parameters(model)
    return model


def own_parameters(kind: Any) -> list[str]:
    """The parameters of an algorithm, without those of kernels where it takes none."""
    left_out = () if getattr(kind, "takes_kernels", True) else OF_KERNELS
    return [field.name for field in dataclasses.fields(kind) if field.name not in left_out]


def offered(kind: Any) -> list[str]:
    """The parameters of an algorithm that are options of commands."""
    return [parameter for parameter in own_parameters(kind) if parameter not in _ELSEWHERE]


def having(parameter: str) -> list[str]:
    """The algorithms that have a parameter."""
    return [name for name, kind in CLASSES.items() if parameter in offered(kind)]


def ranks_lists(model: Any) -> bool:
    """Whether a model learns lists, and not rows."""
    return isinstance(model, ListModel)


def looks_within_lists(model: Any) -> bool:
    """Whether a model scores a row within its list, so that lists must be complete."""
    return ranks_lists(model) and model.looks_within_lists


def load_model(path: str) -> Any:
    """The model in a file; commands work on rows and lists, so a recommender is refused."""
    header, arrays = files.read(path)
    if header.get("algorithm") == "Recommender":
        raise ValueError(
            f"{path} holds a Recommender, but commands are for rows and lists; open it in Python with ranktron.load({path!r})"
        )
    model = loading.found_in(path, header, arrays, doors.MODELS)
    check_about(path, model._metadata)
    return model
