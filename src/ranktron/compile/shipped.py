"""The loops that came with the wheel: a shared library, compiled in advance for a common kind of processor.

It is used if it is whole, if the sources of the package are those that it was compiled from, and if the processor can run it.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
from pathlib import Path

from .cache import attempt
from .machine_code import Kind, MachineCode

FOLDER = Path(__file__).parent / "loops"
INDEX, LIBRARY = "index.txt", "loops.so"

# What /proc/cpuinfo says of a processor that runs the code, by what LLVM calls its kind.
FLAGS = {
    "x86-64-v3": {
        *("cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2"),
        *("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"),
    },
    "generic": {"asimd"},
}
# The kind that loops are compiled for, by the machine that they are compiled on.
BASELINE = {"x86_64": "x86-64-v3", "aarch64": "generic"}


class ShippedLoops:
    """The library in memory, and where each loop is in it."""

    def __init__(self, library: ctypes.CDLL, loops: dict[str, str]) -> None:
        self._library, self._loops = library, loops

    def __len__(self) -> int:
        return len(self._loops)

    def find(self, name: str, kind: Kind) -> MachineCode | None:
        """The loop of that name for arguments of that kind."""
        symbol = symbol_of(name, kind)
        if symbol not in self._loops:
            return None
        address = ctypes.cast(getattr(self._library, symbol), ctypes.c_void_p).value
        return None if address is None else MachineCode(address, kind, self._loops[symbol] == "True")


def symbol_of(name: str, kind: Kind) -> str:
    """The name of a loop for arguments of that kind."""
    return f"{name.rpartition('.')[2]}_{hashlib.blake2b(repr((name, kind)).encode(), digest_size=12).hexdigest()}"


@functools.cache
def library(stamp: str) -> ShippedLoops | None:
    """The loops that came with the wheel, if they were compiled from the sources of that stamp; None without any."""
    return attempt("loading the loops of the wheel", _loaded, stamp) if (FOLDER / INDEX).exists() else None


def _loaded(stamp: str) -> ShippedLoops | None:
    sources, processor, digest, *loops = (FOLDER / INDEX).read_text().splitlines()
    if sources != stamp:
        raise ValueError("the package was changed since it was built")
    if not runs_here(processor):
        return None  # nothing is wrong: loops are compiled for this processor instead
    if hashlib.sha256((FOLDER / LIBRARY).read_bytes()).hexdigest() != digest:
        raise ValueError(f"{LIBRARY} is damaged; install the package again")
    return ShippedLoops(ctypes.CDLL(str(FOLDER / LIBRARY)), dict(loop.split(" ") for loop in loops))


def runs_here(processor: str) -> bool:
    """Whether this machine runs code for that kind of processor."""
    known = BASELINE.get(os.uname().machine) == processor if hasattr(os, "uname") else False
    return known and FLAGS[processor] <= set(cpu_info().split())


@functools.cache
def cpu_info() -> str:
    """What the system says about its first processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return file.read(1 << 14).split("\n\n")[0]
    except OSError:
        return ""
