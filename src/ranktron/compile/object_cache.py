"""Object code of loops: in memory, in the wheel, or on disk from an earlier process, which runs it without importing numba.

numba has a cache, too, but importing numba takes a second, and its cache needs it. So a loop is compiled to object code that
stands by itself. llvmlite links it, ctypes calls it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from pathlib import Path
from typing import Any

from . import shipped
from .cache import CodeFiles, attempt
from .machine_code import Kind, MachineCode
from .object_code import ObjectCode

SUFFIX = ".native"

_CPU = ("model name", "flags", "CPU part", "Features")  # of /proc/cpuinfo, on x86 and on Arm

# LLVM's loader is not made for several threads, and code goes with the loader that it came by: there is one for all.
_loading = threading.Lock()


class ObjectCache:
    """The object code of one version of the package, on one kind of processor; in memory only where no folder can be used."""

    def __init__(self, folder: Path | None, stamp: str) -> None:
        self._files = None if folder is None else CodeFiles(folder, stamp)
        self._stamp = stamp

    @property
    def folder(self) -> Path | None:
        """Where it is kept."""
        return None if self._files is None else self._files.folder

    def find(self, name: str, kind: Kind) -> MachineCode | None:
        """The loop of that name for arguments of that kind, if it came with the wheel or is on disk."""
        with _loading:
            return attempt(f"loading {name}", self._loaded, name, kind)

    def __len__(self) -> int:
        """How many loops are on disk."""
        return 0 if self._files is None else self._files.count(SUFFIX)

    @property
    def in_wheel(self) -> int:
        """How many loops came with the wheel."""
        return len(shipped.library(self._stamp) or ())

    def add(self, name: str, kind: Kind, made: ObjectCode) -> MachineCode:
        """Link what was compiled, and keep it on disk unless there is nowhere to write: that is tried once."""
        with _loading:
            code = MachineCode(_linked(made.code, made.entry), kind, made.is_silent)
        if self._files is not None and self._files.is_writable:
            attempt(f"saving {name}", self._keep, self._files, name, kind, made)
        return code

    def _loaded(self, name: str, kind: Kind) -> MachineCode | None:
        came_with = shipped.library(self._stamp)
        found = None if came_with is None else came_with.find(name, kind)
        if found is not None:
            return found
        content = None if self._files is None else self._files.read(self._file(self._files, name, kind))
        if content is None:
            return None
        header, _, code = content.partition(b"\n")
        entry, is_silent = header.decode().split(" ")
        return MachineCode(_linked(code, entry), kind, is_silent == "True")

    def _keep(self, files: CodeFiles, name: str, kind: Kind, made: ObjectCode) -> None:
        files.write(self._file(files, name, kind), f"{made.entry} {made.is_silent}\n".encode() + made.code)

    def _file(self, files: CodeFiles, name: str, kind: Kind) -> str:
        return files.name(name, repr((processor(), kind)), SUFFIX)


def is_supported() -> bool:
    """Whether the system runs object code."""
    return sys.platform.startswith("linux") and sys.maxsize > 2**32


@functools.cache
def processor() -> str:
    """Which machine code runs here, and who made it: found out without importing them."""
    about = (line for line in shipped.cpu_info().splitlines() if line.startswith(_CPU))
    return " ".join([*_compilers(), os.uname().machine, *about])


def _compilers() -> list[str]:
    """numba and llvmlite, as the first folder has them that Python would find them in."""
    for folder in sys.path:
        with contextlib.suppress(OSError):
            found = [name for name in os.listdir(folder or ".") if name.startswith(("numba-", "llvmlite-"))]
            if found:
                return sorted(found)
    return []


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
