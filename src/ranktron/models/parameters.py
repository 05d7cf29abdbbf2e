"""Parameters: declared with their default and what they may be, checked when learning starts."""

from __future__ import annotations

import dataclasses
import functools
import math
import numbers
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import kernels
from ..steps import AdaGrad

Check = Callable[[Any], bool]


def _parameter(default: Any, check: Check, may_be: str, is_size: bool = False) -> Any:
    return dataclasses.field(default=default, metadata={"check": check, "may be": may_be, "is size": is_size})


def choice(*options: str) -> Any:
    """One of ``options``; the first is the default."""
    may_be = "one of " + ", ".join(map(repr, options))
    return _parameter(options[0], lambda value: isinstance(value, str) and value in options, may_be)


def choice_or_none(*options: str, default: str | None = None) -> Any:
    """One of ``options``, or None, which is the default unless there is another."""
    may_be = "one of " + ", ".join(map(repr, options)) + ", or None"
    return _parameter(default, lambda value: value is None or (isinstance(value, str) and value in options), may_be)


def flag(default: bool | None) -> Any:
    """True or False, or None where None is the default."""

    def check(value: Any) -> bool:
        return isinstance(value, bool | np.bool_) or (value is None and default is None)

    return _parameter(default, check, "True or False" + (", or None" if default is None else ""))


def whole(default: int | None, at_least: int, at_most: float = math.inf, is_size: bool = False) -> Any:
    """A whole number in a range, or None where None is the default; ``is_size`` if arrays are at least so long."""

    def check(value: Any) -> bool:
        return (value is None and default is None) or (_is_whole(value) and at_least <= value <= at_most)

    limits = f"from {at_least} on" if at_most == math.inf else f"from {at_least} to {at_most}"
    return _parameter(default, check, f"a whole number {limits}" + (" or None" if default is None else ""), is_size)


def positive(default: float | None, or_word: str | None = None) -> Any:
    """A finite number above 0; ``or_word`` is allowed beside it, and None where None is the default."""

    def check(value: Any) -> bool:
        if isinstance(value, str):
            return value == or_word
        return (value is None and default is None) or (_is_number(value) and 0 < float(value) < math.inf)

    return _parameter(default, check, "a positive number" + (f" or {or_word!r}" if or_word else ""))


def seed() -> Any:
    """What to shuffle by: None, a whole number or a generator."""

    def check(value: Any) -> bool:
        return value is None or hasattr(value, "permutation") or (_is_whole(value) and value >= 0)

    return _parameter(None, check, "None, a whole number from 0 on or a random generator")


def kernel_or_none() -> Any:
    """A kernel of ``ranktron.kernels``, or a function of two matrices."""

    def check(value: Any) -> bool:
        return value is None or isinstance(value, kernels.KINDS) or (callable(value) and not isinstance(value, type))

    return _parameter(None, check, "None, one of ranktron.kernels such as Gaussian(gamma=1.0), or a function of two matrices")


def ranking_measure(default: str) -> Any:
    """What the order of a list is judged by."""

    def check(value: Any) -> bool:
        return isinstance(value, str) and re.fullmatch(r"ap|ndcg(@[1-9][0-9]*)?", value) is not None

    return _parameter(default, check, "'ndcg', 'ndcg@' and a whole number from 1 on, such as 'ndcg@10', or 'ap'")


def step_or_adagrad(default: Any) -> Any:
    """A positive number, or steps that adapt."""

    def check(value: Any) -> bool:
        if value is None or isinstance(value, AdaGrad):
            return default is None or value is not None
        return _is_number(value) and 0 < float(value) < math.inf

    return _parameter(default, check, "a positive number or AdaGrad(rate)" + (", or None" if default is None else ""))


def not_negative(default: float) -> Any:
    """A finite number from 0 on."""
    return _parameter(default, lambda value: _is_number(value) and 0 <= float(value) < math.inf, "a number from 0 on")


def one_of_ours(kind: Callable[[], type], may_be: str) -> Any:
    """A model of a ``kind``, or None."""
    return _parameter(None, lambda value: value is None or isinstance(value, kind()), may_be)


def task_or_none() -> Any:
    """What to predict."""

    def check(value: Any) -> bool:
        from .. import tasks

        return value is None or type(value) in tasks.OURS or (isinstance(value, tasks.Task) and not isinstance(value, tasks.OURS))

    return _parameter(
        None, check, "one of ranktron.tasks, such as Multiclass(), or your own that is derived from tasks.Task alone"
    )


def jobs() -> Any:
    """How many threads: a whole number, negative ones counted from all cores; None is 1."""

    def check(value: Any) -> bool:
        return value is None or (_is_whole(value) and value != 0)

    return _parameter(1, check, "None or a whole number other than 0, such as 2, or -1 for one thread a core")


def share(default: float) -> Any:
    """A number above 0 and up to 1."""
    return _parameter(default, lambda value: _is_number(value) and 0 < float(value) <= 1, "a number above 0 and not above 1")


def share_or_none() -> Any:
    """A number above 0 and below 1, or None."""
    return _parameter(
        None, lambda value: value is None or (_is_number(value) and 0 < float(value) < 1), "a number above 0 and below 1, or None"
    )


def labels_in_order() -> Any:
    """All labels in ascending order, or None: ``given_labels`` checks them where they are first used."""
    return _parameter(None, lambda value: True, may_be="anything")


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def check_parameters(model: Any) -> None:
    """Raise for the first parameter that is not what it may be."""
    for name, default, check, may_be in _checks(type(model)):  # type: ignore[arg-type]
        value = getattr(model, name)
        if value is not default and not check(value):
            raise ValueError(f"{type(model).__name__}: {name}={value!r} should be {may_be}")


def check_sizes(model: Any, most: int) -> None:
    """Raise ValueError for a parameter that asks for arrays of more than ``most`` numbers, or whose estimator does."""
    for field in dataclasses.fields(model):
        value = getattr(model, field.name)
        if field.metadata["is size"] and value is not None and value > most:
            raise ValueError(f"{field.name}={value} is more than a file of {most} numbers can be of")
        if hasattr(value, "_described"):  # an estimator
            check_sizes(value, most)


@functools.cache
def _checks(cls: type) -> list[tuple[str, Any, Check, str]]:
    fields = dataclasses.fields(cls)
    return [(field.name, field.default, field.metadata["check"], field.metadata["may be"]) for field in fields]
