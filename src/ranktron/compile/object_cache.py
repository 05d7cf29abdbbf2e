"""Compiled loops as object code on disk, which a process runs without importing numba.

numba has a cache, too, but importing numba takes as long as reading 300 MB of text. So what numba compiles is kept a second time,
without the wrappers that Python calls it by. llvmlite links it, and ctypes calls it: every array is passed as the numbers that
numba's functions take for it. Passing arguments this way takes longer than numba does, so a loop that is called very often
switches to numba.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .cache import NOT_COMPILED, CodeFiles, attempt
from .object_code import entry_of, object_code

__all__ = ["NotPlain", "ObjectCache", "flatten", "is_ours", "object_cache", "processor"]

SUFFIX = ".native"

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_SCALARS: dict[type, tuple[str, type]] = {
    **dict.fromkeys((bool, np.bool_), ("b", bool)),
    **dict.fromkeys((int, np.int64), ("i", int)),
    **dict.fromkeys((float, np.float64), ("f", float)),
}
_LARGEST = 2**63 - 1
_RESULTS = ("int64", "none")
_CPU = ("model name", "flags", "CPU part", "Features")  # of /proc/cpuinfo, on x86 and on Arm
_FINE = (0, -2)  # numba's states: returned, and returned None

# LLVM's loader is not made for several threads, and code goes with the loader that it came by: there is one for all.
_loading = threading.Lock()

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


class ObjectCache:
    """The object code of one version of the package, on one kind of processor."""

    def __init__(self, folder: Path, stamp: str) -> None:
        self._files = CodeFiles(folder, stamp)
        self.folder = self._files.folder
        self._loops: dict[tuple[str, Kind], MachineCode | None] = {}
        self._tried: set[tuple[str, Kind]] = set()

    def find(self, name: str, kind: Kind) -> MachineCode | None:
        """The loop of that name for arguments of that kind, if it is there; once it is not, not until it is kept."""
        key = name, kind
        if key not in self._loops:
            with _loading:
                if key not in self._loops:
                    self._loops[key] = attempt(f"loading {name}", self._loaded, name, kind)
        return self._loops[key]

    def __len__(self) -> int:
        """How many loops are there."""
        return self._files.count(SUFFIX)

    def keep(self, name: str, kind: Kind, compiled: Any) -> None:
        """Keep what numba ``compiled``, unless it needs numba to run, or there is nowhere to write: that is tried once."""
        if (name, kind) not in self._tried and self._files.is_writable:
            self._tried.add((name, kind))
            attempt(f"saving {name}", self._keep, name, kind, compiled)

    def _loaded(self, name: str, kind: Kind) -> MachineCode | None:
        content = self._files.read(self._file(name, kind))
        if content is None:
            return None
        header, _, code = content.partition(b"\n")
        entry, returned = header.decode().split(" ")
        return MachineCode(_linked(code, entry), kind, returned)

    def _keep(self, name: str, kind: Kind, compiled: Any) -> None:
        returned = str(compiled.signature.return_type)
        code = object_code(compiled) if returned in _RESULTS else None
        if code is not None:
            self._files.write(self._file(name, kind), f"{entry_of(compiled)} {returned}\n".encode() + code)
            self._loops.pop((name, kind), None)

    def _file(self, name: str, kind: Kind) -> str:
        return self._files.name(name, repr((processor(), kind)), SUFFIX)


def object_cache(folder: Path, stamp: str) -> ObjectCache | None:
    """The object code in a folder; None where the system does not run any."""
    return ObjectCache(folder, stamp) if sys.platform.startswith("linux") and sys.maxsize > 2**32 else None


@functools.cache
def processor() -> str:
    """Which machine code runs here, and who made it: found out without importing them."""
    about = (line for line in _text("/proc/cpuinfo").split("\n\n")[0].splitlines() if line.startswith(_CPU))
    return " ".join([*_compilers(), os.uname().machine, *about])


def _compilers() -> list[str]:
    """numba and llvmlite, as the first folder has them that Python would find them in."""
    for folder in sys.path:
        with contextlib.suppress(OSError):
            found = [name for name in os.listdir(folder or ".") if name.startswith(("numba-", "llvmlite-"))]
            if found:
                return sorted(found)
    return []


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 14)
    except OSError:
        return ""


@functools.cache
def _engine() -> Any:
    """LLVM's loader; only to be called by who holds the lock."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def _linked(code: bytes, name: str) -> int:
    """Put object code into memory; returns where the function of that name is."""
    import llvmlite.binding as llvm

    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address: int = engine.get_function_address(name)
    return address


class MachineCode:
    """A compiled loop in memory, for arguments of one kind."""

    def __init__(self, address: int, kind: Kind, result: str) -> None:
        self._call, self._is_silent = _ENTRY(address), result == "none"
        self._layout = struct.Struct("".join(_letters(part) for part in kind))

    def __call__(self, numbers: list[Any]) -> Any:
        """Run on the numbers that arguments are passed as."""
        return self.on(numbers)()

    def on(self, numbers: list[Any], kept: Any = None) -> Callable[..., Any]:
        """What runs on them, or on others in the place of the last ones; ``kept`` lives as long as it does."""
        slots = ctypes.create_string_buffer(self._layout.pack(*numbers))
        returned, excuse = ctypes.c_int64(), ctypes.c_void_p()
        places = [ctypes.addressof(part) for part in (slots, returned, excuse)]

        def run(*last: int, kept: Any = kept) -> Any:
            struct.pack_into(f"{len(last)}q", slots, self._layout.size - 8 * len(last), *last)
            if self._call(*places) not in _FINE:
                raise ArithmeticError("a compiled loop raised an exception")
            return None if self._is_silent else returned.value

        return run
