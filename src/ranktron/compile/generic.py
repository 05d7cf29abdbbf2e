"""Generic functions, and the loops that are compiled around them.

A generic function picks its body by the class of its first argument. Python looks the body up with every call; numba looks it up
while it compiles and inlines it, so a composed algorithm runs like one written by hand.

A kernel is a loop over rows. It runs interpreted until it has done enough work to repay loading the compiler, and compiled from
then on. Both give the same result bit for bit.
"""

from __future__ import annotations

import functools
import hashlib
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

from .._late import found_at
from . import object_cache
from .cache import attempt, code_folder

_IS_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
PATIENCE = math.inf if _IS_DISABLED else int(os.environ.get("RANKTRON_PATIENCE", "50_000"))
"""Rows that a loop runs interpreted with one kind of scorer, rule and rows: then compiling it has repaid itself."""

MANY_CALLS = 5_000
"""Calls of a loop after which numba, which calls it more quickly, has repaid being loaded."""

_NO_COUNTING: Any = {"_nrt": False}
"""Kernels allocate nothing, so numba need not count references to arrays, which it would a dozen times a row."""

_deferred: list[Callable[[], None]] = []
"""What makes generic and inlined functions known to numba, which is loaded as late as possible."""

_numba_is_loaded = False
_loading = threading.RLock()


def generic(default: Callable[..., Any]) -> Any:
    """Make a function generic: it picks its body by the class of its first argument.

    ``@function.on(SomeClass)`` registers a body for a class; ``default`` is the body for every other one. Python looks the body
    up when it calls the function; compiled code has it inlined. ``@function.on(SomeClass, compiled="module:name")`` names a twin
    of the body, equal to the last bit, for compiled code.
    """
    bodies: dict[type, Callable[..., Any]] = {}
    twins: dict[type, str] = {}

    @functools.wraps(default)
    def dispatch(subject: Any, *args: Any) -> Any:
        return bodies.get(type(subject), default)(subject, *args)

    def resolve(subject: Any, *args: Any) -> Callable[..., Any]:
        cls = _python_class(subject)
        return cast(Callable[..., Any], found_at(twins[cls])) if cls in twins else bodies.get(cls, default)

    def on(cls: type, compiled: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        if compiled is not None:
            twins[cls] = compiled
        return lambda body: bodies.setdefault(cls, body)

    dispatch.on = on  # type: ignore[attr-defined]
    _defer(lambda: _overload(dispatch, resolve))
    return dispatch


def inline(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let compiled code call a plain function, inlined; Python calls it as it is."""
    _defer(lambda: _overload(function, lambda *args: function))
    return function


def _defer(teach_numba: Callable[[], None]) -> None:
    _deferred.append(teach_numba)
    if _numba_is_loaded:
        teach_numba()


def _overload(function: Callable[..., Any], resolve: Callable[..., Any]) -> None:
    from numba.extending import overload

    overload(function, strict=False, jit_options={"forceinline": True, **_NO_COUNTING})(resolve)


def _python_class(numba_type: Any) -> Any:
    from numba import types

    if isinstance(numba_type, types.Array):
        return np.ndarray
    if isinstance(numba_type, types.Integer):
        return getattr(np, numba_type.name)
    return getattr(numba_type, "instance_class", numba_type)


class Kernel:
    """A loop that starts out interpreted and is compiled once its work repays the compiler."""

    def __init__(self, loop: Callable[..., Any]) -> None:
        functools.update_wrapper(self, loop)
        self._loop = loop
        self._rows: dict[tuple[type, ...], float] = {}
        self._in_vain: dict[tuple[type, ...], float] = {}

    def __call__(self, rows: int, *args: Any) -> Any:
        """Run on ``args``, which is a matter of so many ``rows``."""
        return (self.compiled_if_worth(rows, *args) or self.interpreted)(*args)

    def compiled_if_worth(self, rows: int, *args: Any) -> Compiled | None:
        """The compiled loop if it pays for arguments of this kind, of which so many ``rows`` more are to come."""
        kind, done = self._counted(rows, args)
        if done > PATIENCE:
            return self.compiled
        if done > max(patience_with_a_cache(), self._in_vain.get(kind, 0)):
            if self.compiled.is_cached(args):
                return self.compiled
            self._in_vain[kind] = 2 * done  # asking takes as long as some rows
        return None

    def entry_point_for(self, rows: int, *args: Any) -> Callable[..., Any] | None:
        """The compiled loop for arguments of exactly these types, if it pays: a call skips numba's look-up of 2 µs."""
        _, done = self._counted(rows, args)
        return self.compiled.entry_point_for(args) if done > PATIENCE else None

    def _counted(self, rows: int, args: tuple[Any, ...]) -> tuple[tuple[type, ...], float]:
        """What kind of arguments these are, and how many rows there were of it."""
        kind = (type(args[0]), type(args[1]), type(args[2]), type(args[3]))
        done = self._rows[kind] = self._rows.get(kind, 0) + rows
        return kind, done

    def interpreted(self, *args: Any) -> Any:
        """Run as Python."""
        with np.errstate(all="ignore"):  # compiled code is silent on overflow too
            return self._loop(*args)

    @functools.cached_property
    def compiled(self) -> Compiled:
        """The compiled loop."""
        return Compiled(f"{self._loop.__module__}.{self._loop.__name__}", lambda: self._loop)


class Compiled:
    """A compiled loop, from object code on disk or else by numba."""

    def __init__(self, name: str, loop: Callable[[], Callable[..., Any]]) -> None:
        self._name, self._loop = name, loop
        self._calls = 0

    def __call__(self, *args: Any) -> Any:
        """Run on ``args``."""
        loop, numbers = self._loop_for(args)
        return loop(numbers) if loop is not None else self.dispatcher(*args)

    def bind(self, args: tuple[Any, ...]) -> Callable[[int, int], Any]:
        """What runs on ``args`` and two numbers more, from where to where: what the others are passed as is found out once."""
        loop, numbers = self._loop_for((*args, 0, 0))
        if loop is None:
            return functools.partial(self.dispatcher, *args)
        return loop.on(numbers, args)

    def _loop_for(self, args: tuple[Any, ...]) -> tuple[object_cache.Loop | None, list[Any]]:
        """The object code for such arguments and what they are passed as; none if only numba can run on them."""
        self._calls += 1
        cache = self._object_cache if self._calls <= MANY_CALLS else None
        if cache is None:
            return None, []
        try:
            kind, numbers = object_cache.flatten(args)
        except object_cache.NotPlain:
            return None, []
        loop = cache.find(self._name, kind)
        if loop is None:
            cache.keep(self._name, kind, self._compiled_for(args))
        return loop, numbers

    @property
    def _object_cache(self) -> object_cache.ObjectCache | None:
        return _object_cache() if self._name.startswith("ranktron.") else None  # the stamp tells of no other source

    @classmethod
    def deferred(cls, module: str, name: str) -> Compiled:
        """The kernel of that name, in a module that is imported only if it has to be compiled."""
        return cls(f"{module}.{name}", lambda: found_at(f"{module}:{name}").__wrapped__)

    def is_cached(self, args: tuple[Any, ...]) -> bool:
        """Whether there is object code for such arguments, so that nothing has to be compiled."""
        cache = self._object_cache
        try:
            return cache is not None and cache.find(self._name, object_cache.flatten(args)[0]) is not None
        except object_cache.NotPlain:
            return False

    def entry_point_for(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The loop for arguments of exactly these types."""
        entry: Callable[..., Any] = getattr(self._compiled_for(args), "entry_point", self.dispatcher)
        return entry

    def _compiled_for(self, args: tuple[Any, ...]) -> Any:
        from numba import typeof

        signature = tuple(typeof(arg) for arg in args)
        self.dispatcher.compile(signature)
        return self.dispatcher.overloads.get(signature)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """numba's dispatcher, with a cache."""
        with _loading:
            _load_numba()
            return self.__dict__.get("dispatcher") or _jit(self._loop())


def patience_with_a_cache() -> float:
    """Rows that a loop runs interpreted although it could be loaded: few, and hardly any once one has been looked for."""
    if not object_cache.links_here() and "llvmlite" not in sys.modules:
        return PATIENCE / 25
    return PATIENCE / (1_000 if package_digest.cache_info().currsize else 250)


@functools.cache
def _folder() -> Path | None:
    """The folder for compiled code; None if none can be used."""
    return attempt("finding a folder", code_folder)


@functools.cache
def _object_cache() -> object_cache.ObjectCache | None:
    folder = None if _IS_DISABLED else _folder()
    return (
        None
        if folder is None
        else attempt("finding compiled code", lambda: object_cache.object_cache(folder, package_digest()[:16]))
    )


def _jit(loop: Callable[..., Any]) -> Any:
    import numba

    dispatcher: Any = numba.njit(nogil=True, **_NO_COUNTING)(loop)
    folder = _folder()
    if folder is not None and loop.__module__.startswith("ranktron."):
        attempt("finding compiled code", _add_cache, dispatcher, folder)
    return dispatcher


def _add_cache(dispatcher: Any, folder: Path) -> None:
    from .numba_cache import NumbaCache

    dispatcher._cache = NumbaCache(folder, package_digest()[:16], dispatcher.py_func)


def _load_numba() -> None:
    global _numba_is_loaded
    with _loading:
        if not _numba_is_loaded:
            for teach in _deferred:
                teach()
            _numba_is_loaded = True


@functools.cache
def package_digest() -> str:
    """SHA-256 of the package's sources, but for the folders that no compiled loop is in or looks into."""
    sources = sorted(_sources(os.path.dirname(os.path.dirname(__file__))))
    return hashlib.sha256(b"".join(map(_content, sources))).hexdigest()


def _sources(folder: str) -> Iterator[str]:  # every command waits for this: pathlib would take three times as long
    for entry in os.scandir(folder):
        if entry.name.endswith(".py"):
            yield entry.path
        elif entry.name not in object_cache.NOT_COMPILED and entry.is_dir():
            yield from _sources(entry.path)


def _content(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return os.read(file, os.fstat(file).st_size)
    finally:
        os.close(file)
