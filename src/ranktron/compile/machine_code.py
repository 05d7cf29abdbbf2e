"""Machine code in memory: what arguments it is for, and how Python calls it.

A loop takes its arguments as numbers of 8 bytes each, side by side in memory: an array as its address, its size, its shape and
its strides. They are written there once, so that a call costs a microsecond, and only the numbers change that say where to start
and where to stop.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from .cache import NOT_COMPILED

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_SCALARS: dict[type, tuple[str, type]] = {
    **dict.fromkeys((bool, np.bool_), ("b", bool)),
    **dict.fromkeys((int, np.int64), ("i", int)),
    **dict.fromkeys((float, np.float64), ("f", float)),
}
_LARGEST = 2**63 - 1
# The bytes before the arguments, where the loop leaves its result, and what is returned if it raised an exception.
OWN, RAISED = 16, -(2**63)

Kind = tuple[Any, ...]


class NotPlain(Exception):
    """An argument that only numba knows how to pass."""


def flatten(args: tuple[Any, ...]) -> tuple[Kind, list[Any]]:
    """What the compiler distinguishes about ``args``, and the numbers that they are passed as."""
    numbers: list[Any] = []
    return tuple([_pass(arg, numbers) for arg in args]), numbers


def _pass(arg: Any, numbers: list[Any]) -> Any:
    cls = type(arg)
    if cls is np.ndarray:
        flags = arg.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        numbers += (0, 0, arg.size, arg.itemsize, arg.__array_interface__["data"][0], *arg.shape, *arg.strides)
        return arg.dtype.str, arg.ndim, layout, flags.writeable, flags.aligned
    if cls in _SCALARS:
        kind, convert = _SCALARS[cls]
        if kind == "i" and not -_LARGEST <= arg <= _LARGEST:
            raise NotPlain
        numbers.append(convert(arg))
        return kind
    if isinstance(arg, tuple) and is_ours(cls.__module__):
        return cls.__module__, cls.__qualname__, *[_pass(part, numbers) for part in arg]
    raise NotPlain


@functools.cache
def is_ours(module: str) -> bool:
    """Whether the stamp changes with the module's source."""
    return module == "builtins" or (module.startswith("ranktron.") and not set(NOT_COMPILED).intersection(module.split(".")))


def _letters(kind: Any) -> str:
    """What the numbers of an argument of that kind are, in the letters of ``struct``, 8 bytes each."""
    if isinstance(kind, str):
        return "d" if kind == "f" else "q"
    if len(kind) == 5 and kind[2] in ("C", "F", "A") and isinstance(kind[1], int):
        return "q" * (5 + 2 * kind[1])
    return "".join(_letters(part) for part in kind[2:])


class MachineCode:
    """A compiled loop in memory, for arguments of one kind."""

    def __init__(self, address: int, kind: Kind, is_silent: bool) -> None:
        self._call, self._is_silent = _ENTRY(address), is_silent
        self._layout = struct.Struct("".join(_letters(part) for part in kind))

    def bind(self, numbers: list[Any], last: int, kept: Any) -> Callable[..., Any]:
        """What runs on the numbers that arguments are passed as, with others in the place of the ``last`` ones.

        ``kept``, the arguments themselves, lives as long as what is returned.
        """
        memory = ctypes.create_string_buffer(bytes(OWN) + self._layout.pack(*numbers))
        call = functools.partial(self._call, ctypes.addressof(memory))
        put, place = struct.Struct(f"{last}q").pack_into, OWN + self._layout.size - 8 * last
        is_silent = self._is_silent

        def run(*numbers: int, kept: Any = kept) -> Any:
            if numbers:
                put(memory, place, *numbers)
            result = call()
            if result == RAISED:
                raise ArithmeticError("a compiled loop raised an exception")
            return None if is_silent else result

        return run
