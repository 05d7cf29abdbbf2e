"""Settings of the process that suit streaming: large blocks come and go, and several threads take turns."""

from __future__ import annotations

import contextlib
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # glibc's names for them, in malloc.h
_ENOUGH = 1 << 30


def tune() -> None:
    """Keep freed memory, which otherwise has to be cleared page by page for every block, and take turns often."""
    sys.setswitchinterval(0.0002)
    if sys.platform.startswith("linux"):
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # another C library
            for setting in (_MMAP_THRESHOLD, _TRIM_THRESHOLD):
                ctypes.CDLL(None).mallopt(setting, _ENOUGH)
