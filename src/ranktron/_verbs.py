"""Verbs and kernels: small generic functions, and the loops that are compiled around them.

A verb picks its body by the class of its first argument. Called from Python that is an ordinary lookup; called from compiled
code it happens while compiling and the body is inlined, so a composed algorithm runs like one written by hand.

A kernel is a loop over rows. It runs interpreted until it has done enough work to repay loading the compiler, and compiled from
then on; both give the same result bit for bit, so nobody needs to know which it was.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import importlib
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

_IS_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
PATIENCE = math.inf if _IS_DISABLED else int(os.environ.get("RANKTRON_PATIENCE", "50_000"))
"""Rows that a loop runs interpreted with one kind of scorer, rule and rows: then compiling it has repaid itself."""

_NO_COUNTING: Any = {"_nrt": False}
"""Kernels allocate nothing, so numba need not count references to arrays, which it would a dozen times a row."""

_verbs: list[Callable[[], None]] = []
_numba_is_loaded = False


def verb(stub: Callable[..., Any]) -> Any:
    """Make ``stub`` generic: ``@stub.on(SomeClass)`` gives it a body, its own is for every other class.

    ``@stub.on(SomeClass, compiled="module:name")`` names another body, equal to the last bit, for compiled code.
    """
    bodies: dict[type, Callable[..., Any]] = {}
    compiled_bodies: dict[type, str] = {}

    @functools.wraps(stub)
    def dispatch(subject: Any, *args: Any) -> Any:
        return bodies.get(type(subject), stub)(subject, *args)

    def teach_numba() -> None:
        from numba.extending import overload

        @overload(dispatch, strict=False, jit_options={"forceinline": True, **_NO_COUNTING})
        def resolve(subject: Any, *args: Any) -> Callable[..., Any]:
            cls = _python_class(subject)
            if cls in compiled_bodies:
                module, name = compiled_bodies[cls].split(":")
                return cast(Callable[..., Any], getattr(importlib.import_module(module), name))
            return bodies.get(cls, stub)

    def on(cls: type, compiled: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        if compiled is not None:
            compiled_bodies[cls] = compiled
        return lambda body: bodies.setdefault(cls, body)

    dispatch.on = on  # type: ignore[attr-defined]
    _verbs.append(teach_numba)
    if _numba_is_loaded:
        teach_numba()
    return dispatch


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

    def __call__(self, rows: int, *args: Any) -> Any:
        """Run on ``args``, which is a matter of so many ``rows``."""
        return (self.settled(rows, *args) or self.interpreted)(*args)

    def settled(self, rows: int, *args: Any) -> Callable[..., Any] | None:
        """The compiled loop if it pays for arguments of this kind, of which so many ``rows`` more are to come."""
        kind = (type(args[0]), type(args[1]), type(args[2]), type(args[3]))
        done = self._rows[kind] = self._rows.get(kind, 0) + rows
        return self.compiled if done > PATIENCE else None

    def bound(self, rows: int, *args: Any) -> Callable[..., Any] | None:
        """What ``settled`` gives, for arguments of exactly these types: a call need not find that out, which takes 2 µs."""
        loop: Any = self.settled(rows, *args)
        if loop is None:
            return None
        from numba import typeof

        signature = tuple(typeof(arg) for arg in args)
        loop.compile(signature)
        entry: Callable[..., Any] = getattr(loop.overloads.get(signature), "entry_point", loop)
        return entry

    def interpreted(self, *args: Any) -> Any:
        """Run as Python."""
        with np.errstate(all="ignore"):  # compiled code is silent on overflow too
            return self._loop(*args)

    @functools.cached_property
    def compiled(self) -> Callable[..., Any]:
        """The compiled loop, cached on disk under a stamp that any change to the package changes."""
        _load_numba()
        return _jit(self._loop)


def _jit(loop: Callable[..., Any]) -> Callable[..., Any]:
    import numba

    njit: Any = functools.partial(numba.njit, nogil=True, **_NO_COUNTING)
    try:
        dispatcher: Callable[..., Any] = njit(cache=True)(loop)
        _stamp(dispatcher._cache)  # type: ignore[attr-defined]
    except (RuntimeError, AttributeError):  # nowhere to write a cache, or another numba inside
        dispatcher = njit(loop)
    return dispatcher


def _stamp(cache: Any) -> None:
    """Name the cache's files after the package's digest, and delete those of another one.

    numba itself watches the loop's own file only: edit a rule elsewhere, or upgrade, and it would run the old one.
    """
    from numba.core.caching import IndexDataCacheFile

    name, digest = cache._impl.filename_base, package_digest()
    for stale in Path(cache.cache_path).glob(f"{glob.escape(name)}-*.nb[ic]"):
        if not stale.name.startswith(f"{name}-{digest[:16]}"):
            stale.unlink(missing_ok=True)
    cache._cache_file = IndexDataCacheFile(cache.cache_path, f"{name}-{digest[:16]}", digest)


def _load_numba() -> None:
    global _numba_is_loaded
    if not _numba_is_loaded:
        _numba_is_loaded = True
        for teach in _verbs:
            teach()


@functools.cache
def package_digest() -> str:
    """SHA-256 of the package's sources."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
