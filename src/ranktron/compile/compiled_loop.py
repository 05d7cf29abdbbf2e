"""A compiled loop: found as object code, or compiled to it, or run by numba where that is not possible."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import announcing, object_cache
from .cache import attempt, code_folder, package_digest
from .costs import NUMBA, Costs, costs
from .generic import NO_COUNTING, found_at, load_numba
from .machine_code import Kind, MachineCode, NotPlain, flatten
from .object_code import ObjectCode, object_code
from .shipped import symbol_of

IS_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

# One loop is compiled at a time: numba does not compile two, and of two threads that want the same one the second finds it.
_compiling = threading.RLock()

# Two threads that look for the same code load it once. They do not wait for one that compiles.
_finding = threading.Lock()


class SlowRuns:
    """How often a loop of this process was compiled, or ran interpreted."""

    count = 0


slow_runs = SlowRuns()


class Compiled:
    """A compiled loop, as object code or else by numba."""

    def __init__(self, name: str, loop: Callable[[], Callable[..., Any]]) -> None:
        self._name, self._loop = name, loop
        self._code: dict[Kind, MachineCode | None] = {}  # None where it was looked for in vain
        self._by_numba: dict[Kind, Callable[..., Any]] = {}  # what only numba can run

    @classmethod
    def deferred(cls, module: str, name: str) -> Compiled:
        """The loop of that name, in a module that is imported only if it has to be compiled."""
        return cls(f"{module}.{name}", lambda: found_at(f"{module}:{name}").__wrapped__)

    def __call__(self, *args: Any) -> Any:
        """Run on ``args``."""
        return self.bind(args, 0)()

    def bind(self, args: tuple[Any, ...], last: int, what: str = "") -> Callable[..., Any]:
        """What runs on ``args``, with other numbers in the place of the ``last`` ones; ``what`` names it while it is compiled."""
        what = what or self._name.rpartition(".")[2]
        cache, own = self._object_cache, args[: len(args) - last]
        try:
            kind, numbers = flatten(args)
        except NotPlain:
            return functools.partial(self._entry_for(args, what), *own)
        if kind not in self._by_numba:
            code = None if cache is None else self._found(cache, kind) or self._compiled(cache, kind, args, what)
            if code is not None:
                return code.bind(numbers, last, args)
            self._by_numba[kind] = self._entry_for(args, what)
        return functools.partial(self._by_numba[kind], *own)

    def has(self, kind: Kind) -> bool:
        """Whether there is object code that this process has used for such arguments."""
        return self._code.get(kind) is not None

    def is_ready(self, args: tuple[Any, ...]) -> bool:
        """Whether there is object code for such arguments, so that nothing has to be compiled."""
        cache = self._object_cache
        try:
            return cache is not None and self._found(cache, flatten(args)[0]) is not None
        except NotPlain:
            return False

    def cost(self, args: tuple[Any, ...]) -> float:
        """The seconds that compiling it for such arguments is known to take."""
        return _costs().of(self._title(args))

    def _title(self, args: tuple[Any, ...]) -> str:
        """What costs are known by: the loop, and the classes of its first arguments, which are its algorithm."""
        return " ".join([self._name, *(type(arg).__name__ for arg in args[:4])])

    @property
    def _object_cache(self) -> object_cache.ObjectCache | None:
        return _object_cache() if self._name.startswith("ranktron.") else None  # the stamp tells of no other source

    def _found(self, cache: object_cache.ObjectCache, kind: Kind) -> MachineCode | None:
        """The object code for such arguments, if there is any."""
        if kind not in self._code:
            with _finding:
                if kind not in self._code:
                    self._code[kind] = cache.find(self._name, kind)
        return self._code[kind]

    def _compiled(self, cache: object_cache.ObjectCache, kind: Kind, args: tuple[Any, ...], what: str) -> MachineCode | None:
        """Compile it to object code for such arguments; None if only numba can run it."""
        with _compiling:
            code = self._code.get(kind)  # another thread may have compiled it meanwhile
            if code is None and kind not in self._by_numba:
                made = attempt(f"compiling {self._name}", self._object_code, kind, args, what)
                code = self._code[kind] = made and attempt(f"loading {self._name}", cache.add, self._name, kind, made)
            return code

    def _object_code(self, kind: Kind, args: tuple[Any, ...], what: str) -> ObjectCode | None:
        with self._announced(what, args):
            return object_code(self._loop(), args, symbol_of(self._name, kind))

    def _entry_for(self, args: tuple[Any, ...], what: str) -> Callable[..., Any]:
        """The loop as numba runs it for arguments of exactly these types."""
        with _compiling:
            load_numba()
            from numba import typeof

            signature = tuple(typeof(arg) for arg in args)
            if signature not in self.dispatcher.overloads:
                with self._announced(what, args):
                    self.dispatcher.compile(signature)
            entry: Callable[..., Any] = getattr(self.dispatcher.overloads.get(signature), "entry_point", self.dispatcher)
            return entry

    @functools.cached_property
    def dispatcher(self) -> Any:
        """numba's dispatcher, with a cache."""
        load_numba()
        return _jit(self._loop())

    @contextlib.contextmanager
    def _announced(self, what: str, args: tuple[Any, ...]) -> Iterator[None]:
        """Announce that the block compiles, and measure how long it takes."""
        slow_runs.count += 1
        known, title = _costs(), self._title(args)
        with announcing.announce(what, known.of(title)), _without_collecting_garbage():
            with known.measuring(NUMBA) if NUMBA not in sys.modules else contextlib.nullcontext():
                load_numba()
            with known.measuring(title):
                yield


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
def numba_is_there() -> bool:
    """Whether numba is installed: some systems have none, and loops that did not come with the wheel run interpreted there."""
    try:
        return importlib.util.find_spec(NUMBA) is not None
    except (ImportError, ValueError):
        return False


@functools.cache
def _folder() -> Path | None:
    """The folder for compiled code; None if none can be used."""
    return attempt("finding a folder", code_folder)


def _costs() -> Costs:
    return costs(_folder())


@functools.cache
def _object_cache() -> object_cache.ObjectCache | None:
    if IS_DISABLED or os.environ.get("RANKTRON_OBJECT_CACHE") == "0" or not object_cache.is_supported():
        return None
    return attempt("finding compiled code", lambda: object_cache.ObjectCache(_folder(), package_digest()[:16]))


def _jit(loop: Callable[..., Any]) -> Any:
    import numba

    # Only Python calls a loop, so numba need not wrap it for callers in C.
    options: Any = {"nogil": True, "no_cfunc_wrapper": True, **NO_COUNTING}
    dispatcher: Any = numba.njit(**options)(loop)
    folder = _folder()
    if folder is not None and loop.__module__.startswith("ranktron."):
        attempt("finding a folder for numba", _add_cache, dispatcher, folder)
    return dispatcher


def _add_cache(dispatcher: Any, folder: Path) -> None:
    from .numba_cache import NumbaCache

    dispatcher._cache = NumbaCache(folder, package_digest()[:16], dispatcher.py_func)
