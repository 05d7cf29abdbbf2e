"""Scorers as plain state, however they are nested: for undoing, for model files, and for reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import generic
from ..checks import check_numbers
from ..protocol import check_learned
from .protocol import column_fields, local_fields


@generic
def buffer_fields(scorer: Any) -> tuple[str, ...]:
    """The fields that are room to work in, or follow from the parameters: no part of what was learned."""
    return ()


@generic
def without_layout(scorer: Any) -> Any:
    """The scorer without what only says how it is laid out in memory."""
    return scorer


@generic
def changes_all_columns(scorer: Any) -> bool:
    """Whether learning a row may change any column, whatever the parts of the scorer say of themselves."""
    return False


@generic
def clear_buffers(scorer: Any) -> None:
    """Empty the room to work in, where it has to be empty between examples."""


class Learned(NamedTuple):
    """An array that is learned."""

    name: str
    array: np.ndarray
    has_columns: bool  # one a feature, or one a row of the support
    is_local: bool  # an update changes the columns of its row only


def arrays_of(scorer: Any, prefix: str = "", is_swept: bool = False) -> Iterator[Learned]:
    """Every array that is learned, however deep."""
    scorer = without_layout(scorer)
    is_swept = is_swept or changes_all_columns(scorer)
    beside, with_columns, moving = buffer_fields(scorer), column_fields(scorer), local_fields(scorer)
    for name, part in zip(scorer._fields, scorer):
        if name in beside:
            continue
        if isinstance(part, np.ndarray):
            yield Learned(prefix + name, part, name in with_columns, name in moving and not is_swept)
        elif hasattr(part, "_asdict"):
            yield from arrays_of(part, f"{prefix}{name}.", is_swept)


def check_scorer(scorer: Any, n_features: int) -> None:
    """Raise ValueError if anything that a scorer of a model file has learned is out of range."""
    for one in arrays_of(scorer):
        check_numbers(one.name, one.array)
    _check_parts(scorer, "", n_features)


def _check_parts(part: Any, prefix: str, n_features: int) -> None:
    part = without_layout(part)
    check_learned(part, prefix, n_features)
    for name, inner in zip(part._fields, part):
        if hasattr(inner, "_asdict") and name not in buffer_fields(part):
            _check_parts(inner, f"{prefix}{name}.", n_features)


def _names(fields_of: Callable[[Any], tuple[str, ...]], scorer: Any) -> tuple[str, ...]:
    return tuple(name for name in fields_of(scorer) if name in scorer._fields)


@generic
def trimmed(scorer: Any, columns: int | None) -> Any:
    """The scorer without room to spare, with so many columns or with all of them."""
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = trimmed(part, columns)
        elif columns is not None and name in _names(column_fields, scorer) and part.shape[-1]:
            parts[name] = part[..., :columns]
    return type(scorer)(**parts)


def with_numbers(scorer: Any, like: Any) -> Any:
    """The scorer with the numbers, not the arrays, of another one of its kind."""
    like = without_layout(like)
    if without_layout(scorer) is not scorer:
        return type(scorer)(with_numbers(without_layout(scorer), like), *scorer[1:])
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = with_numbers(part, getattr(like, name))
        elif not isinstance(part, np.ndarray):
            parts[name] = getattr(like, name)
    return type(scorer)(**parts)
