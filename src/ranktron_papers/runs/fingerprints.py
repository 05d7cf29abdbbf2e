"""A digest of all that the numbers of a trial depend on: the library, the experiment's own code, its settings, its data."""

from __future__ import annotations

import ast
import functools
import hashlib
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ranktron
from ranktron import __version__

from .reachable_code import code_of, stripped

_LIBRARY = Path(ranktron.__file__).parent
# Folders of the library whose code no measured number depends on.
_ELSEWHERE = {"cli", "exports", "report"}


def fingerprint(trial: Callable[..., Any], data: str = "") -> str:
    """The name of the folder for the trials of an experiment; ``data`` is the digest of its data."""
    code = [text for function in _functions(trial) for text in code_of(function)]
    parts = [__version__, _library(), *code, digest_of(trial), data]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def digest_of(value: Any) -> str:
    """A digest of data, equal for equal content in any process."""
    found = hashlib.sha256()
    _feed(found, value)
    return found.hexdigest()


def _feed(into: Any, value: Any) -> None:
    into.update(f"({type(value).__name__}".encode())
    if isinstance(value, np.ndarray) and value.dtype != object:
        into.update(f"{value.dtype.str}{value.shape}".encode())
        into.update(np.ascontiguousarray(value).tobytes())
    else:
        parts = _parts(value)
        for part in parts if parts is not None else ():
            _feed(into, part)
        if parts is None:
            into.update(_plain(value))
    into.update(b")")


def _parts(value: Any) -> list[Any] | None:
    """The parts of a value in an order that does not depend on chance; None if it has no parts."""
    if isinstance(value, np.ndarray | list | tuple):
        return list(value)
    if isinstance(value, dict):
        return [part for key in sorted(value, key=repr) for part in (key, value[key])]
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if isinstance(value, functools.partial):
        return [value.func, value.args, value.keywords]
    has_own = hasattr(value, "__dict__") and not hasattr(value, "__qualname__")
    return [vars(value)] if has_own else None


def _plain(value: Any) -> bytes:
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}".encode()
    return repr(value).encode() if isinstance(value, str | bytes | int | float | None) else pickle.dumps(value, 5)


# Code


@functools.cache
def _library() -> str:
    """A digest of the library's code without ``_ELSEWHERE``."""
    paths = sorted(path for path in _LIBRARY.rglob("*.py") if path.relative_to(_LIBRARY).parts[0] not in _ELSEWHERE)
    return hashlib.sha256("\n".join(ast.dump(stripped(str(path))) for path in paths).encode()).hexdigest()


def _functions(trial: Any) -> Iterator[Any]:
    """A function, or the functions in a ``partial``."""
    if isinstance(trial, functools.partial):
        for one in (trial.func, *trial.args, *trial.keywords.values()):
            yield from _functions(one)
    elif hasattr(trial, "__qualname__"):
        yield trial
