"""Scorers as plain state, however they are nested: for undoing, for model files, and for reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import verb
from ..checks import check_numbers
from ..protocol import check_learned
from .protocol import columnwise, local


@verb
def room(scorer: Any) -> tuple[str, ...]:
    """The fields that are room to work in, or follow from the parameters: no part of what was learned."""
    return ()


@verb
def bare(scorer: Any) -> Any:
    """The scorer without what only says how it is laid out in memory."""
    return scorer


@verb
def sweeps(scorer: Any) -> bool:
    """Whether learning a row may change any column, whatever the parts of the scorer say of themselves."""
    return False


@verb
def clear(scorer: Any) -> None:
    """Empty the room to work in, where it has to be empty between examples."""


class Learned(NamedTuple):
    """An array that is learned."""

    name: str
    array: np.ndarray
    has_columns: bool  # one a feature, or one a row of the support
    is_local: bool  # an update changes the columns of its row only


def arrays_of(scorer: Any, prefix: str = "", is_swept: bool = False) -> Iterator[Learned]:
    """Every array that is learned, however deep."""
    scorer = bare(scorer)
    is_swept = is_swept or sweeps(scorer)
    beside, with_columns, moving = room(scorer), columnwise(scorer), local(scorer)
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
    part = bare(part)
    check_learned(part, prefix, n_features)
    for name, inner in zip(part._fields, part):
        if hasattr(inner, "_asdict") and name not in room(part):
            _check_parts(inner, f"{prefix}{name}.", n_features)


def _names(verb: Callable[[Any], tuple[str, ...]], scorer: Any) -> tuple[str, ...]:
    return tuple(name for name in verb(scorer) if name in scorer._fields)


@verb
def trimmed(scorer: Any, columns: int | None) -> Any:
    """The scorer without room to spare, with so many columns or with all of them."""
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = trimmed(part, columns)
        elif columns is not None and name in _names(columnwise, scorer) and part.shape[-1]:
            parts[name] = part[..., :columns]
    return type(scorer)(**parts)


def with_numbers(scorer: Any, like: Any) -> Any:
    """The scorer with the numbers, not the arrays, of another one of its kind."""
    like = bare(like)
    if bare(scorer) is not scorer:
        return type(scorer)(with_numbers(bare(scorer), like), *scorer[1:])
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = with_numbers(part, getattr(like, name))
        elif not isinstance(part, np.ndarray):
            parts[name] = getattr(like, name)
    return type(scorer)(**parts)
