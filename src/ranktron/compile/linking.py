"""Object files put into memory by hand: as much of a linker as compiled loops need, in 1 ms.

LLVM has one, but to import it takes thirty times as long as this. Loops refer by their full addresses to themselves, to their
constants and to a few functions of the C library: one kind of relocation. What is of another kind is left to LLVM.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import struct
import sys
from typing import Any, NamedTuple

_X86_64_OBJECT = b"\x7fELF\x02\x01\x01", (1, 62)
_HAS_CONTENT, _SYMBOLS, _RELOCATIONS, _IS_EMPTY = 1, 2, 4, 8
_IN_MEMORY = 2
_UNDEFINED, _COMMON = 0, 0xFFF2
_FULL_ADDRESS = 1
_READ_AND_RUN = 5

_kept: list[mmap.mmap] = []
"""What was put into memory stays there."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int

    def content(self, code: bytes) -> bytes:
        return code[self.offset : self.offset + self.size]


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int  # its place in the section; the alignment of a common one
    size: int


class NotOurs(Exception):
    """An object file with something in it that is left to LLVM."""


def links_here() -> bool:
    """Whether this machine runs such code, so that LLVM need not be imported."""
    return sys.platform.startswith("linux") and os.uname().machine == "x86_64"


def load(code: bytes, name: str) -> int:
    """Put an object file into memory; returns where the function of that name is."""
    magic, kind = _X86_64_OBJECT
    if not code.startswith(magic) or struct.unpack_from("<HH", code, 16) != kind:
        raise NotOurs
    sections, symbols = _sections(code), _symbols(code)
    places, size = _laid_out(sections, symbols)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))

    def address(symbol: _Symbol) -> int:
        if symbol.section == _UNDEFINED:
            return _outside(symbol.name)
        if symbol.section == _COMMON:
            return start + places[symbol.name]
        return start + places[symbol.section] + symbol.value

    for number, section in enumerate(sections):
        if number in places and section.kind == _HAS_CONTENT:
            memory[places[number] : places[number] + section.size] = section.content(code)
        if section.kind == _RELOCATIONS and section.info in places:
            for at, what, shift in struct.iter_unpack("<QQq", section.content(code)):
                if what & 0xFFFFFFFF != _FULL_ADDRESS:
                    raise NotOurs
                struct.pack_into("<Q", memory, places[section.info] + at, address(symbols[what >> 32]) + shift)
    if _library(None).mprotect(ctypes.c_void_p(start), ctypes.c_size_t(size), _READ_AND_RUN):
        raise NotOurs
    _kept.append(memory)
    return next(address(symbol) for symbol in symbols if symbol.name == name)


def _sections(code: bytes) -> list[_Section]:
    (table,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    return [_Section(*struct.unpack_from("<IIQQQQIIQQ", code, table + size * number)) for number in range(count)]


def _symbols(code: bytes) -> list[_Symbol]:
    sections = _sections(code)
    table = next(section for section in sections if section.kind == _SYMBOLS)
    names = sections[table.link].content(code)
    entries = struct.iter_unpack("<IBBHQQ", table.content(code))
    return [_Symbol(names[at : names.index(b"\0", at)].decode(), *rest) for at, _, _, *rest in entries]


def _laid_out(sections: list[_Section], symbols: list[_Symbol]) -> tuple[dict[int | str, int], int]:
    """Where each section and each common symbol is put that has to be in memory, and how much room they take."""
    wanted: list[tuple[int | str, int, int]] = [
        (number, section.alignment, section.size)
        for number, section in enumerate(sections)
        if section.flags & _IN_MEMORY and section.kind in (_HAS_CONTENT, _IS_EMPTY)
    ]
    wanted += [(symbol.name, symbol.value, symbol.size) for symbol in symbols if symbol.section == _COMMON]
    places, end = {}, 0
    for what, alignment, size in wanted:
        places[what] = -(-end // max(alignment, 1)) * max(alignment, 1)
        end = places[what] + size
    return places, max(end, 1)


def _outside(symbol: str) -> int:
    """Where a function of the C library is."""
    for library in ("libm.so.6", None):
        found = getattr(_library(library), symbol, None)
        if found is not None:
            return ctypes.cast(found, ctypes.c_void_p).value or 0
    raise NotOurs


@functools.cache
def _library(name: str | None) -> Any:
    try:
        return ctypes.CDLL(name)
    except OSError:
        raise NotOurs from None
