"""Parses typed values of parameters: literals, and calls that make kernels, steps, tasks and algorithms."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from ... import doors, kernels
from ...steps import AdaGrad

# All models by their lower-case names.
MODELS: dict[str, Any] = {name.lower(): kind for name, kind in doors.MODELS.items()}

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
