"""Object code in memory without LLVM: the same answers, and what is of another kind is left to LLVM."""

from __future__ import annotations

import math
import platform
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron.compile import linking, object_cache
from ranktron.compile.generic import Compiled

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(sys.platform != "linux" or platform.machine() != "x86_64", reason="it links for x86-64 and Linux only"),
]


def mathematics(numbers: Any, scale: float, out: Any) -> int:
    """Constants, loops, and functions of the C library."""
    for place in range(numbers.shape[0]):
        out[place] = math.exp(scale * numbers[place]) + math.log1p(abs(numbers[place])) + math.pow(numbers[place], 2.5)
    return numbers.shape[0]


ARGS: Any = (np.linspace(0.1, 3.0, 64), -0.7, np.zeros(64))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str, list[float]]:
    """The object code of the loop, what its way in is called, and what numba says."""
    compiled = Compiled("mathematics", lambda: mathematics)
    overload = compiled._compiled_for(ARGS)
    code = object_cache.object_code(overload)
    assert code is not None
    compiled.dispatcher(*ARGS)
    return code, object_cache.entry_of(overload), ARGS[2].tolist()


def told(address: int) -> list[float]:
    kind, numbers = object_cache.flatten(ARGS)
    ARGS[2][:] = 0.0
    assert object_cache.Loop(address, kind, "int64")(numbers) == 64
    answers: list[float] = ARGS[2].tolist()
    return answers


def test_code_runs_as_numba_runs_it(kept: Any) -> None:
    code, name, answers = kept
    assert told(linking.load(code, name)) == answers
    assert told(linking.load(code, name)) == answers  # a second copy does not disturb the first
    assert told(object_cache._linked_by_llvm(code, name)) == answers


def test_another_machine_or_a_relocation_of_another_kind_is_left_to_llvm(kept: Any) -> None:
    code, name, _ = kept
    for place, value in ((18, 183), (16, 3)):  # for Arm, and a shared library
        with pytest.raises(linking.NotOurs):
            linking.load(code[:place] + struct.pack("<H", value) + code[place + 2 :], name)
    with pytest.raises(linking.NotOurs):
        linking.load(b"MZ" + code[2:], name)
    moved = next(
        section
        for section in linking._sections(code)
        if section.kind == 4 and linking._sections(code)[section.info].flags & 2 and section.size
    )
    with pytest.raises(linking.NotOurs):
        linking.load(code[: moved.offset + 8] + struct.pack("<I", 2) + code[moved.offset + 12 :], name)


def test_a_function_that_no_library_has_is_left_to_llvm(kept: Any) -> None:
    code, name, _ = kept
    with pytest.raises(linking.NotOurs):
        linking.load(code.replace(b"\0log1p\0", b"\0log1q\0"), name)


def test_a_system_that_runs_nothing_written_is_left_to_llvm(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    code, name, _ = kept

    class Strict:
        def __init__(self, library: Any) -> None:
            self.library = library

        def __getattr__(self, name: str) -> Any:
            return (lambda *args: -1) if name == "mprotect" else getattr(self.library, name)

    real = linking._library
    monkeypatch.setattr(linking, "_library", lambda name: Strict(real(name)))
    with pytest.raises(linking.NotOurs):
        linking.load(code, name)


def test_what_is_left_to_llvm_is_loaded_all_the_same(kept: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cache, kind = object_cache.ObjectCache(tmp_path, "0123"), object_cache.flatten(ARGS)[0]
    cache.keep("mathematics", kind, Compiled("mathematics", lambda: mathematics)._compiled_for(ARGS))

    def refuse(code: bytes, name: str) -> int:
        raise linking.NotOurs

    monkeypatch.setattr(object_cache, "load", refuse)
    loop = cache.find("mathematics", kind)
    assert loop is not None
    ARGS[2][:] = 0.0
    loop(object_cache.flatten(ARGS)[1])
    assert ARGS[2].tolist() == kept[2]
