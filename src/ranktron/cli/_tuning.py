"""Settings of the process that suit streaming: large blocks come and go, and several threads take turns."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8  # glibc's names for them, in malloc.h
_ENOUGH = 1 << 30
SMALL, LARGE = 1 << 16, 4 << 20
"""Bytes of a file up to which nothing is got ready, and from which on loading LLVM pays."""

ROOM = 32 << 20
"""Bytes that the blocks take which are in the works at once."""


@contextlib.contextmanager
def tuned(args: Iterable[str]) -> Iterator[None]:
    """Take turns often, and keep freed memory; what a file among the arguments needs is got ready by threads meanwhile."""
    sys.setswitchinterval(0.0002)
    size = max(map(_size, args), default=0)
    with contextlib.ExitStack() as after:
        with contextlib.suppress(OSError, AttributeError):  # another C library
            if sys.platform.startswith("linux"):
                library = ctypes.CDLL(None)
                _keep_memory(library)
                if size > SMALL:
                    after.callback(_used_once(library, min(2 * size, ROOM)))
        from ..compile.linking import links_here

        if size > LARGE and not links_here():
            threading.Thread(target=_prepare).start()
        yield


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _keep_memory(library: Any) -> None:
    """Have what is freed by any thread used again."""
    for setting, value in ((_MMAP_THRESHOLD, _ENOUGH), (_TRIM_THRESHOLD, _ENOUGH), (_ARENAS, 1)):
        library.mallopt(setting, value)


def _used_once(library: Any, size: int) -> Callable[[], None]:
    """Let a thread use so much memory; what is returned frees it.

    The system clears memory page by page when it is first used: that takes longer than parsing what a block puts there.
    (``madvise`` can have all of it cleared at once, in half the time, but with that whole commands were found to take longer.)
    """
    library.malloc.restype = ctypes.c_void_p
    library.malloc.argtypes = [ctypes.c_size_t]
    library.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    room = library.malloc(size)
    using = threading.Thread(target=library.memset, args=(room, 0, size if room else 0))
    using.start()

    def free() -> None:
        using.join()
        library.free(room)

    return free


def _prepare() -> None:
    """Load LLVM, which links compiled code."""
    with contextlib.suppress(ImportError):
        import llvmlite.binding  # noqa: F401  # before numpy, which others import meanwhile

        from ..compile import object_cache

        object_cache.prepare()
