"""The loops that come with a wheel: which of them are used, and that they compute what others do."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron.compile import cache, compiled_loop, object_cache, shipped
from ranktron.compile.compiled_loop import Compiled
from ranktron.compile.machine_code import RAISED, flatten
from ranktron.compile.shipped import BASELINE, INDEX, LIBRARY, symbol_of
from tests.processes import PACKAGE, run

ROOT = PACKAGE.parents[1]
pytestmark = [
    pytest.mark.skipif(platform.machine() not in BASELINE or not sys.platform.startswith("linux"), reason="no wheel is for it"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links the loops"),
]
ARGS = (np.zeros(3), 4, 5)
NAME = "ranktron.core.loops.learn_rows"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one loop, which returns the sum of its last two arguments, or raises an exception if the first is 0."""
    words = "long memory[]) { long *numbers = memory + 2; long a = numbers[7], b = numbers[8]; "
    symbol = symbol_of(NAME, flatten(ARGS)[0])
    (tmp_path / "loop.c").write_text(f"long {symbol}({words} return a ? a + b : {RAISED + 1}L - 1; }}")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(tmp_path / LIBRARY), str(tmp_path / "loop.c")], check=True)
    write_index(tmp_path, symbol)
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(shipped, "library", shipped.library.__wrapped__)
    return tmp_path


def write_index(folder: Path, *loops: str, **other: str) -> None:
    digest = hashlib.sha256((folder / LIBRARY).read_bytes()).hexdigest()
    told = {"sources": "0123", "processor": BASELINE[platform.machine()], "digest": digest} | other
    (folder / INDEX).write_text("\n".join([*told.values(), *(f"{loop} False" for loop in loops)]))


@pytest.fixture
def loop(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """A loop as a process finds it."""
    found = object_cache.ObjectCache(tmp_path / "cache", "0123")
    monkeypatch.setattr(compiled_loop, "_object_cache", lambda: found)
    return Compiled(NAME, lambda: pytest.fail("it was compiled"))


needs_baseline = pytest.mark.skipif(
    not shipped.runs_here(BASELINE.get(platform.machine(), "")), reason="this processor has not all that the loops of wheels use"
)


@needs_baseline
def test_a_loop_of_the_wheel_needs_no_compiler(loop: Compiled) -> None:
    assert loop.is_ready(ARGS)
    assert loop(*ARGS) == 9
    assert loop.bind(ARGS, 2)(20, 30) == 50
    assert not loop.is_ready((np.zeros(3, np.float32), 4, 5))
    with pytest.raises(ArithmeticError):
        loop(ARGS[0], 0, 5)


WRONG = {
    "other sources": {"sources": "4567"},
    "a damaged library": {"digest": "0" * 64},
    "an index of something else": {"sources": "\n\n"},
}


@pytest.mark.parametrize("what", WRONG)
def test_with_any_doubt_the_loops_are_not_used(what: str, folder: Path, loop: Compiled, caplog: Any) -> None:
    write_index(folder, symbol_of(NAME, flatten(ARGS)[0]), **WRONG[what])
    assert not loop.is_ready(ARGS)
    assert caplog.messages[0].startswith("loading the loops of the wheel failed (ValueError: ")


def test_another_processor_compiles_without_a_word(loop: Compiled, caplog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "cpu_info", lambda: "flags : fpu sse sse2")
    assert not loop.is_ready(ARGS)
    assert caplog.messages == []


def test_a_library_that_cannot_be_loaded(folder: Path, loop: Compiled, caplog: Any) -> None:
    (folder / LIBRARY).write_bytes(b"no library")
    write_index(folder, "learn_rows_0")
    assert not loop.is_ready(ARGS)
    assert "loading the loops of the wheel failed (OSError" in caplog.messages[0] or not shipped.runs_here(
        BASELINE[platform.machine()]
    )


def test_an_index_without_a_loop_of_the_library(folder: Path, loop: Compiled) -> None:
    write_index(folder, "learn_rows_0")
    assert not loop.is_ready(ARGS)


# The loops themselves

LEARN = """
import hashlib, sys
import numpy as np
import scipy.sparse as sp
from ranktron.algorithms import PRank
random = np.random.default_rng(0)
X = random.standard_normal((500, 7))
y = np.digitize(X @ random.standard_normal(7), [-1.0, 0.0, 1.0])
digest = hashlib.sha256()
for average in (True, False):
    for rows in (X, X.astype(np.float32), sp.csr_array(X)):
        model = PRank(average=average).fit(rows, y)
        digest.update(model.coef_.tobytes() + model.thresholds_.tobytes() + model.predict(rows).tobytes())
    model = PRank(average=average)
    for row, label in zip(X, y.tolist()):
        mapping = {f"f{number}": value for number, value in enumerate(row.tolist())}
        model.learn_one(mapping, label)
        digest.update(bytes([model.predict_one(mapping)]))
    digest.update(model.coef_.tobytes())
print(digest.hexdigest(), [name for name in ("numba", "llvmlite") if name in sys.modules])
"""


@pytest.mark.full
@pytest.mark.compiled
def test_loops_compiled_for_the_wheel_learn_the_same_bit_for_bit(tmp_path: Path) -> None:
    copy = tmp_path / "project"
    for name in ("src", "tools"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    loops = copy / "src" / "ranktron" / "compile" / "loops"
    words = [sys.executable, str(copy / "tools" / "precompile.py"), str(loops), "--only", "prank"]
    around = {name: value for name, value in os.environ.items() if name not in ("NUMBA_DISABLE_JIT", "PYTHONPATH")}
    subprocess.run(words, check=True, env=around, capture_output=True)
    assert ctypes.CDLL(str(loops / LIBRARY)) is not None
    nowhere = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    ours, modules = run(LEARN, copy / "src", RANKTRON_PATIENCE="", **nowhere).split(" ", 1)
    assert modules == "[]"
    assert run(LEARN, NUMBA_DISABLE_JIT="1") == f"{ours} []"
    compiled = run(LEARN, RANKTRON_PATIENCE="0", **nowhere)
    assert compiled == f"{ours} ['numba', 'llvmlite']"
    # An edit makes them invalid.
    rule = copy / "src" / "ranktron" / "algorithms" / "prank.py"
    rule.write_text(rule.read_text() + "\n")
    assert run(LEARN, copy / "src", RANKTRON_PATIENCE="0", **nowhere) == compiled


def test_the_tag_follows_from_what_the_library_calls(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("precompile", ROOT / "tools" / "precompile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / LIBRARY).write_bytes(b"\0GLIBC_2.2.5\0GLIBC_2.29\0")
    assert module.tag(tmp_path) == f"py3-none-manylinux_2_29_{platform.machine()}"


def test_the_folder_of_the_wheel_is_no_part_of_the_sources() -> None:
    assert (shipped.FOLDER / INDEX).exists() is False, "loops of a build lie among the sources: delete them"
    assert cache.package_digest() == cache.package_digest.__wrapped__()
