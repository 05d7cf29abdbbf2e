"""Settings of the process that suit streaming: large blocks come and go, and several threads take turns."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # glibc's names for them, in malloc.h
_ENOUGH = 1 << 30
LARGE = 4 << 20
"""Bytes of a file that compiled code will be loaded for."""


def tune() -> None:
    """Keep freed memory, which otherwise has to be cleared page by page for every block, and take turns often."""
    sys.setswitchinterval(0.0002)
    if sys.platform.startswith("linux"):
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # another C library
            for setting in (_MMAP_THRESHOLD, _TRIM_THRESHOLD):
                ctypes.CDLL(None).mallopt(setting, _ENOUGH)


def import_ahead(args: Iterable[str]) -> None:
    """Load LLVM in a thread, if compiled code will need it and there is a large file among the arguments."""
    from .._linking import links_here

    if not links_here() and any(_size(arg) > LARGE for arg in args):
        import threading

        threading.Thread(target=_prepare).start()


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _prepare() -> None:
    with contextlib.suppress(ImportError):
        import llvmlite.binding  # noqa: F401  # before numpy, which others import meanwhile

        from .. import _native

        _native.prepare()
