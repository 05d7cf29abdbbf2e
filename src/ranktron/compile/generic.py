"""Generic functions: a function picks its body by the class of its first argument.

Python looks the body up with every call. numba looks it up while it compiles and inlines it, so a composed algorithm runs like
one written by hand.
"""

from __future__ import annotations

import functools
import importlib
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result", covariant=True)

# Loops allocate nothing, so numba need not count references to arrays, which it would do a dozen times a row.
NO_COUNTING: Any = {"_nrt": False}

# What makes generic and inlined functions known to numba, which is loaded as late as possible.
_deferred: list[Callable[[], None]] = []
_numba_is_loaded = False
_loading = threading.RLock()


class Generic(Protocol[Parameters, Result]):
    """A generic function: ``bodies`` and ``twins`` are by class."""

    __name__: str
    bodies: dict[type, Callable[..., Any]]
    twins: dict[type, str]

    def __call__(self, *args: Parameters.args, **named: Parameters.kwargs) -> Result: ...

    def on(self, cls: type, compiled: str | None = None) -> Callable[[Function], Function]: ...


def generic(default: Callable[Parameters, Result]) -> Generic[Parameters, Result]:
    """Make a function generic: it picks its body by the class of its first argument.

    ``@function.on(SomeClass)`` registers a body for a class; ``default`` is the body for every other one, or raises
    NotImplementedError where a class has to have its own. ``@function.on(SomeClass, compiled="module:name")`` names a twin of the
    body, equal to the last bit, for compiled code.
    """
    bodies: dict[type, Callable[..., Any]] = {}
    twins: dict[type, str] = {}

    @functools.wraps(default)
    def dispatch(subject: Any, *args: Any) -> Any:
        return bodies.get(type(subject), default)(subject, *args)

    def resolve(subject: Any, *args: Any) -> Callable[..., Any]:
        cls = _python_class(subject)
        return cast(Callable[..., Any], found_at(twins[cls])) if cls in twins else bodies.get(cls, default)

    def on(cls: type, compiled: str | None = None) -> Callable[[Function], Function]:
        if compiled is not None:
            twins[cls] = compiled

        def register(body: Function) -> Function:
            bodies[cls] = body  # the last one counts: a class may share the bodies of another but for a few
            return body

        return register

    dispatch.on, dispatch.bodies, dispatch.twins = on, bodies, twins  # type: ignore[attr-defined]
    _defer(lambda: _overload(dispatch, resolve))
    return cast("Generic[Parameters, Result]", dispatch)


def inline(function: Function) -> Function:
    """Let compiled code call a plain function, inlined; Python calls it as it is."""
    _defer(lambda: _overload(function, lambda *args: function))
    return function


def compiled_as(place: str) -> Callable[[Function], Function]:
    """Name the twin, "module:name", that compiled code calls in place of a function; it is equal to the last bit."""

    def with_twin(function: Function) -> Function:
        _defer(lambda: _overload(function, lambda *args: found_at(place)))
        return function

    return with_twin


def _defer(register: Callable[[], None]) -> None:
    _deferred.append(register)
    if _numba_is_loaded:
        register()


def _overload(function: Callable[..., Any], resolve: Callable[..., Any]) -> None:
    from numba.extending import overload

    from .inner import INNER

    options: Any = {"forceinline": True, **INNER}
    overload(function, strict=False, jit_options=options)(resolve)


def _python_class(numba_type: Any) -> Any:
    from numba import types

    if isinstance(numba_type, types.Array):
        return np.ndarray
    if isinstance(numba_type, types.Integer):
        return getattr(np, numba_type.name)
    return getattr(numba_type, "instance_class", numba_type)


def load_numba() -> None:
    """Import numba, once, and register all generic and inlined functions with it."""
    global _numba_is_loaded
    with _loading:
        if not _numba_is_loaded:
            for register in _deferred:
                register()
            _numba_is_loaded = True


def found_at(place: str) -> Any:
    """What ``place``, "module:name", names; the module is imported now."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)
