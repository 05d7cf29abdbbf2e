"""Algorithms by their names, with their parameters.

Typed values of parameters are literals, or calls that make kernels, steps, tasks and algorithms.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import inspect
from collections.abc import Mapping
from typing import Any

from ... import doors, kernels
from ...models import files, loading
from ...models.kinds.list import ListModel
from ...models.parameters import OF_KERNELS, check_parameters
from ...steps import AdaGrad
from .metadata import check_about
from .options import option_of

# All models by their lower-case names.
MODELS: dict[str, Any] = {name.lower(): kind for name, kind in doors.MODELS.items()}

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
    """A new model: ``texts`` are typed parameters; of ``settings`` it takes those that it has and that are not typed."""
    kind = class_of(name)
    own = own_parameters(kind)
    for parameter in texts:
        if parameter not in own:
            others = ", ".join(having(parameter)[:4])
            hint = f"; {others} {'have' if ',' in others else 'has'} {option_of(parameter)}" if others else ""
            raise ValueError(
                f"{kind.__name__} has no {option_of(parameter)}; it has {', '.join(map(option_of, offered(kind)))}{hint}"
            )
    values = {parameter: value for parameter, value in settings.items() if parameter in own}
    values |= {parameter: read(value, option_of(parameter)) for parameter, value in texts.items()}
    model = kind(**values)
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


# Typed values

_PLAIN = {"true": True, "false": False, "none": None}


def _maker(word: str) -> Any:
    """The class of that name; LookupError if it does not exist."""
    if word.lower() in MODELS:
        return MODELS[word.lower()]
    from ... import tasks

    return {kind.__name__.lower(): kind for kind in (*kernels.KINDS, *tasks.OURS, AdaGrad)}[word.lower()]


def read(text: Any, where: str) -> Any:
    """The value of a typed text; a text that is neither a literal nor a call is a word.

    >>> read("0.5", "--tau"), read("ndcg@10", "--measure"), read("Gaussian(0.5)", "--kernel")
    (0.5, 'ndcg@10', Gaussian(gamma=0.5))
    """
    if not isinstance(text, str):
        return text
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, LookupError, MemoryError, RecursionError):
        if "(" in text:
            raise ValueError(f"{where} {text!r} is not valid; write a call such as 'Gaussian(0.5)'") from None
        return text
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where} {text!r}: {error}") from None


def _value(node: ast.expr) -> Any:
    """The value of an expression; LookupError if it is not allowed."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value  # type: ignore[operator]
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(one) for one in node.elts]
    if isinstance(node, ast.Name):
        return _named(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _made(_maker(node.func.id), node)
    raise LookupError


def _made(maker: Any, call: ast.Call) -> Any:
    given, named = [_value(one) for one in call.args], {str(one.arg): _value(one.value) for one in call.keywords}
    known = inspect.signature(maker).parameters
    for name in named:
        if name not in known:
            raise ValueError(f"{maker.__name__} has no parameter {name}; it has {', '.join(known) or 'none'}")
    return maker(*given, **named)


def _named(word: str) -> Any:
    return _PLAIN[word.lower()] if word.lower() in _PLAIN else _maker(word)()
