"""A compiled loop: found as object code on disk, or else compiled by numba, whose result is kept for the next process."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import object_cache
from .cache import attempt, code_folder, package_digest
from .generic import NO_COUNTING, found_at, load_numba

IS_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

# Calls of a loop after which numba, which passes arguments more quickly than ctypes, has repaid being loaded.
MANY_CALLS = 5_000

# Only Python calls a loop, so numba need not wrap it for callers in C.
LOOP: dict[str, Any] = {"no_cfunc_wrapper": True, **NO_COUNTING}

_compiling = threading.RLock()


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

    def _loop_for(self, args: tuple[Any, ...]) -> tuple[object_cache.MachineCode | None, list[Any]]:
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
        with _without_collecting_garbage():
            self.dispatcher.compile(signature)
        return self.dispatcher.overloads.get(signature)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """numba's dispatcher, with a cache."""
        with _compiling:
            load_numba()
            return self.__dict__.get("dispatcher") or _jit(self._loop())


@contextlib.contextmanager
def _without_collecting_garbage() -> Iterator[None]:
    """Let the compiler make its million objects, most of which stay, without looking for garbage: a tenth of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@functools.cache
def _folder() -> Path | None:
    """The folder for compiled code; None if none can be used."""
    return attempt("finding a folder", code_folder)


@functools.cache
def _object_cache() -> object_cache.ObjectCache | None:
    folder = None if IS_DISABLED or os.environ.get("RANKTRON_OBJECT_CACHE") == "0" else _folder()
    return (
        None
        if folder is None
        else attempt("finding compiled code", lambda: object_cache.object_cache(folder, package_digest()[:16]))
    )


def _jit(loop: Callable[..., Any]) -> Any:
    import numba

    dispatcher: Any = numba.njit(nogil=True, **LOOP)(loop)
    folder = _folder()
    if folder is not None and loop.__module__.startswith("ranktron."):
        attempt("finding compiled code", _add_cache, dispatcher, folder)
    return dispatcher


def _add_cache(dispatcher: Any, folder: Path) -> None:
    from .numba_cache import NumbaCache

    dispatcher._cache = NumbaCache(folder, package_digest()[:16], dispatcher.py_func)
