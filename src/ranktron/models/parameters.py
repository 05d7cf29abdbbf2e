"""Parameters of models: declared with a default, a check and the text that documents them.

A class declares ``beta: float = positive(1.0, help="…")``. The values are checked when learning starts, and the "Parameters"
section of the class's docstring is written from these declarations, inherited ones included.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import numbers
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import kernels
from ..steps import AdaGrad
from . import files

Check = Callable[[Any], bool]

# Parameters that have a meaning only for algorithms with a kernel version, and what the others say of them.
OF_KERNELS = ("kernel", "budget", "policy")
NO_KERNEL = """
    Not supported: this algorithm has no kernel version. Leave ``kernel`` at None; ``budget`` and ``policy`` have no effect.
"""


def _parameter(default: Any, check: Check, may_be: str, type_: str, help: str, is_size: bool = False) -> Any:
    """A parameter; its default always passes, so ``check`` need not know None where that is the default."""
    shown = f'"{default}"' if isinstance(default, str) else repr(default)
    type_ += " or None" if default is None else ""
    metadata = {"check": check, "may be": may_be, "is size": is_size, "type": f"{type_}, default={shown}", "help": help}
    return dataclasses.field(default=default, metadata=metadata)


def choice(*options: str, help: str = "") -> Any:
    """One of ``options``; the first is the default."""
    may_be = "one of " + ", ".join(map(repr, options))
    return _parameter(options[0], lambda value: isinstance(value, str) and value in options, may_be, _braces(options), help)


def choice_or_none(*options: str, default: str | None = None, help: str = "") -> Any:
    """One of ``options``, or None, which is the default unless another one is given."""
    may_be = "one of " + ", ".join(map(repr, options)) + ", or None"
    type_ = _braces(options) + (" or None" if default is not None else "")
    return _parameter(default, lambda value: value is None or (isinstance(value, str) and value in options), may_be, type_, help)


def _braces(options: tuple[str, ...]) -> str:
    return "{" + ", ".join(f'"{option}"' for option in options) + "}"


def flag(default: bool | None, help: str = "") -> Any:
    """True or False; None too if it is the default."""
    may_be = "True or False" + (", or None" if default is None else "")
    return _parameter(default, lambda value: isinstance(value, bool | np.bool_), may_be, "bool", help)


def whole(default: int | None, at_least: int, at_most: float = math.inf, is_size: bool = False, help: str = "") -> Any:
    """A whole number in a range; None too if it is the default. ``is_size`` says that some array is at least that long."""
    limits = f"from {at_least} on" if at_most == math.inf else f"from {at_least} to {at_most}"
    may_be = f"a whole number {limits}" + (" or None" if default is None else "")
    return _parameter(default, lambda value: _is_whole(value) and at_least <= value <= at_most, may_be, "int", help, is_size)


def positive(default: float | None, or_word: str | None = None, help: str = "") -> Any:
    """A finite number above 0, or the string ``or_word``; None too if it is the default."""

    def check(value: Any) -> bool:
        return value == or_word if isinstance(value, str) else _is_positive(value)

    may_be = "a positive number" + (f" or {or_word!r}" if or_word else "")
    return _parameter(default, check, may_be, "float" + (f' or "{or_word}"' if or_word else ""), help)


def not_negative(default: float, help: str = "") -> Any:
    """A finite number from 0 on."""
    return _parameter(
        default, lambda value: _is_number(value) and 0 <= float(value) < math.inf, "a number from 0 on", "float", help
    )


def share(default: float, help: str = "") -> Any:
    """A number above 0 and up to 1."""
    may_be = "a number above 0 and not above 1"
    return _parameter(default, lambda value: _is_number(value) and 0 < float(value) <= 1, may_be, "float", help)


def share_or_none(help: str = "") -> Any:
    """A number above 0 and below 1, or None."""
    may_be = "a number above 0 and below 1, or None"
    return _parameter(None, lambda value: _is_number(value) and 0 < float(value) < 1, may_be, "float", help)


def step_or_adagrad(help: str = "") -> Any:
    """A positive number, AdaGrad's adaptive steps, or None."""
    may_be = "a positive number or AdaGrad(rate), or None"
    return _parameter(None, lambda value: isinstance(value, AdaGrad) or _is_positive(value), may_be, "float, AdaGrad", help)


def seed(help: str = "") -> Any:
    """The seed of what is random: None, a whole number or a generator."""

    def check(value: Any) -> bool:
        return hasattr(value, "permutation") or (_is_whole(value) and value >= 0)

    may_be = "None, a whole number from 0 on or a random generator"
    return _parameter(None, check, may_be, "int, random generator", help)


def jobs(help: str = "") -> Any:
    """A number of threads: a whole number, where negative ones count from all cores; None is 1."""
    may_be = "None or a whole number other than 0, such as 2, or -1 for one thread a core"
    return _parameter(1, lambda value: value is None or (_is_whole(value) and value != 0), may_be, "int or None", help)


def kernel_or_none(help: str = "") -> Any:
    """A kernel of ``ranktron.kernels``, a function of two matrices, or None."""

    def check(value: Any) -> bool:
        return isinstance(value, kernels.KINDS) or (callable(value) and not isinstance(value, type))

    may_be = "None, one of ranktron.kernels such as Gaussian(gamma=1.0), or a function of two matrices"
    return _parameter(None, check, may_be, "kernel, callable", help)


def ranking_measure(default: str, help: str = "") -> Any:
    """A measure of ranked lists, by name."""

    def check(value: Any) -> bool:
        return isinstance(value, str) and re.fullmatch(r"ap|ndcg(@[1-9][0-9]*)?", value) is not None

    may_be = "'ndcg', 'ndcg@' and a whole number from 1 on, such as 'ndcg@10', or 'ap'"
    return _parameter(default, check, may_be, "str", help)


def task_or_none(help: str = "") -> Any:
    """A task of ``ranktron.tasks``, a user's own, or None."""

    def check(value: Any) -> bool:
        from .. import tasks

        return type(value) in tasks.OURS or (isinstance(value, tasks.Task) and not isinstance(value, tasks.OURS))

    may_be = "one of ranktron.tasks, such as Multiclass(), or your own that is derived from tasks.Task alone"
    return _parameter(None, check, may_be, "Task", help)


def estimator_or_none(fits: Check, may_be: str, help: str = "") -> Any:
    """A model that ``fits``, or None."""
    return _parameter(None, fits, may_be, "estimator", help)


def labels_in_order(help: str = "") -> Any:
    """All labels in ascending order, or None; ``given_labels`` checks them where they are first used."""
    return _parameter(None, lambda value: True, "anything", "sequence", help)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    return _is_number(value) and 0 < float(value) < math.inf


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


# Checking


def check_parameters(model: Any) -> None:
    """Raise ValueError for the first parameter that has a value it may not have."""
    for name, default, check, may_be in _checks(type(model)):  # type: ignore[arg-type]
        value = getattr(model, name)
        if value is not default and not check(value):
            raise ValueError(f"{type(model).__name__}: {name}={value!r} should be {may_be}")


def check_sizes(model: Any, most: int) -> None:
    """Raise ValueError for a parameter of the model, or of its estimator, that asks for arrays of more than ``most`` numbers."""
    for field in dataclasses.fields(model):
        value = getattr(model, field.name)
        if field.metadata["is size"] and value is not None and value > most:
            raise ValueError(f"{field.name}={value} is more than a file of {most} numbers can hold")
        if hasattr(value, "_described"):  # an estimator
            check_sizes(value, most)


@functools.cache
def _checks(cls: type) -> list[tuple[str, Any, Check, str]]:
    fields = dataclasses.fields(cls)
    return [(field.name, field.default, field.metadata["check"], field.metadata["may be"]) for field in fields]


def plain_parameter(value: Any) -> Any:
    """A parameter as plain data: kernels, steps and estimators by their names and parameters."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    from .. import tasks  # which hardly any model needs

    if hasattr(value, "_described"):  # an estimator
        return {"algorithm": type(value).__name__, "parameters": value._described()}
    if type(value) in tasks.OURS:
        return {"task": type(value).__name__, "parameters": {name: files.plain(part) for name, part in vars(value).items()}}
    if isinstance(value, AdaGrad):
        return {"step": "AdaGrad", "parameters": {"rate": files.plain(value.rate)}}
    if isinstance(value, kernels.KINDS):
        return {"kernel": type(value).__name__, "parameters": {name: files.plain(part) for name, part in vars(value).items()}}
    return files.plain(value)


# Documenting


def help_text(cls: type, name: str) -> str:
    """The text that documents the parameter ``name`` of a model class, in one line; empty if it has none."""
    is_unsupported = name in OF_KERNELS and not getattr(cls, "takes_kernels", True)
    return " ".join((NO_KERNEL if is_unsupported else _declared(cls)[name].metadata["help"]).split())


def document_parameters(cls: type) -> None:
    """Write the "Parameters" section into the docstring of a model class, unless it has one."""
    doc = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
    if not doc or "\nParameters\n---" in doc:  # without docstrings (python -OO), or an estimator that has its model's
        return
    section = "\n".join(["Parameters", "----------", *_entries(cls)])
    story, heading, rest = re.match(r"(.*?)(\n\n\w+\n-{3,}\n|\Z)(.*)", doc, re.DOTALL).groups()  # type: ignore[union-attr]
    cls.__doc__ = f"{story.rstrip()}\n\n{section}{heading}{rest}".rstrip() + "\n"


def _entries(cls: type) -> list[str]:
    """The parameters as numpydoc lists them, a class's own ones before those it inherits."""
    fields, takes_kernels = _declared(cls), getattr(cls, "takes_kernels", True)
    entries = [
        _entry(name, field.metadata["type"], field.metadata["help"])
        for name, field in fields.items()
        if takes_kernels or name not in OF_KERNELS
    ]
    if not takes_kernels and "kernel" in fields:
        entries.append(_entry(", ".join(OF_KERNELS), "not supported", NO_KERNEL))
    return entries


def _entry(name: str, type_: str, help: str) -> str:
    lines = [f"    {line.strip()}" for line in help.strip().splitlines()]
    return "\n".join([f"{name} : {type_}", *lines])


def _declared(cls: type) -> dict[str, Any]:
    """The fields of a class by name; its own may still be waiting for ``dataclass`` to collect them."""
    declared: dict[str, Any] = {}
    for kind in cls.__mro__:
        collected = vars(kind).get("__dataclass_fields__", {})
        for name, value in vars(kind).items():
            declared.setdefault(name, value if isinstance(value, dataclasses.Field) else collected.get(name))
    # Other attributes have no metadata; nor has a parameter that a class has replaced by a class variable.
    return {name: field for name, field in declared.items() if field is not None and field.metadata}
