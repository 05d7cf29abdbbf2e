"""What numba has compiled, on disk: one file for each loop and signature.

numba's own cache raises an error to the user if a file is damaged or the disk is full, and unpickles what others may have put
there. Its index is lost, or names the code of another signature, when processes that start together write it at the same time.
And it notices changes of the loop's own file only, so that an edited rule or an upgrade would run the old code.
"""

from __future__ import annotations

import pickle
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from .cache import CodeFiles, attempt
from .machine_code import is_ours


class NumbaCache(NullCache):
    """The cache of one loop, as its dispatcher uses it."""

    def __init__(self, folder: Path, stamp: str, loop: Callable[..., Any]) -> None:
        self._files, self._name = CodeFiles(folder, stamp), f"{loop.__module__}.{loop.__name__}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for such arguments, or None."""
        return attempt(f"loading {self._name}", self._load, sig, target_context) if _is_ours(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for such arguments."""
        if self._files.is_writable and _is_ours(sig):
            attempt(f"saving {self._name}", self._save, sig, data)

    def _load(self, sig: Any, context: Any) -> Any:
        context.refresh()
        content = self._files.read(self._file(sig, context.codegen()))
        return None if content is None else CompileResult._rebuild(context, *pickle.loads(content))

    def _save(self, sig: Any, result: Any) -> None:
        if not result.library.has_dynamic_globals and not result.lifted:
            self._files.write(self._file(sig, result.codegen), dumps(result._reduce()))

    def _file(self, sig: Any, codegen: Any) -> str:
        about = [_described(sig), codegen.magic_tuple(), numba.__version__, platform.python_version()]
        return self._files.name(self._name, repr(about), ".numba")


def _described(kind: Any) -> Any:
    """All that tells types apart: numba's text for two classes with the same name is the same."""
    cls = getattr(kind, "instance_class", None)
    return str(kind), cls and (cls.__module__, cls.__qualname__), [_described(member) for member in _members(kind)]


def _is_ours(kind: Any) -> bool:
    """Whether the stamp changes with the source of every class in it."""
    cls = getattr(kind, "instance_class", None)
    return (cls is None or is_ours(cls.__module__)) and all(map(_is_ours, _members(kind)))


def _members(kind: Any) -> Any:
    return kind if isinstance(kind, tuple) else getattr(kind, "types", ())
