"""Settings of the process that suit streaming: large blocks come and go, and several threads take turns."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Iterable

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8  # glibc's names for them, in malloc.h
_ENOUGH = 1 << 30
LARGE = 4 << 20
"""Bytes of a file that are worth a thread."""

ROOM = 32 << 20
"""Bytes that the blocks take which are in the works at once."""


def tune(args: Iterable[str]) -> None:
    """Take turns often, and keep freed memory; with a large file among the arguments, begin in threads what it will need."""
    sys.setswitchinterval(0.0002)
    size = max(map(_size, args), default=0)
    with contextlib.suppress(OSError, AttributeError):  # another C library
        if sys.platform.startswith("linux"):
            _keep_memory(min(2 * size, ROOM) if size > LARGE else 0)
    from .._linking import links_here

    if size > LARGE and not links_here():
        threading.Thread(target=_prepare).start()


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _keep_memory(size: int) -> None:
    """Have what is freed by any thread used again, and so much of it at hand soon.

    The system clears memory page by page when it is first used: that takes longer than parsing what a block puts there.
    """
    library = ctypes.CDLL(None)
    for setting, value in ((_MMAP_THRESHOLD, _ENOUGH), (_TRIM_THRESHOLD, _ENOUGH), (_ARENAS, 1)):
        library.mallopt(setting, value)
    library.malloc.restype = ctypes.c_void_p
    library.malloc.argtypes = [ctypes.c_size_t]
    library.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]

    def use_once() -> None:
        room = library.malloc(size)
        if room:
            library.memset(room, 0, size)
            library.free(room)

    if size:
        threading.Thread(target=use_once).start()


def _prepare() -> None:
    """Load LLVM, which links compiled code."""
    with contextlib.suppress(ImportError):
        import llvmlite.binding  # noqa: F401  # before numpy, which others import meanwhile

        from .. import _native

        _native.prepare()
