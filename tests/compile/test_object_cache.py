"""Object code on disk: what is kept, and that nothing wrong with it is ever more than a delay."""

from __future__ import annotations

import functools
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron.compile import cache, compiled_loop, object_cache, object_code
from ranktron.compile.cache import KEY, CodeFiles, code_folder
from ranktron.compile.compiled_loop import Compiled
from ranktron.compile.generic import found_at, load_numba
from tests.processes import PACKAGE, run

compiled = pytest.mark.compiled
TEXT = b"2 qid:1 1:0.5 2:3\n0 qid:1 7:1\n# 4\n" * 9


class Process:
    """A loop of the library as a new process finds it, with object code in ``folder``."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, stamp: str = "0123") -> None:
        self.cache = object_cache.ObjectCache(folder, stamp)
        patch.setattr(compiled_loop, "_object_cache", lambda: self.cache)
        patch.setattr(compiled_loop, "object_code", self.object_code)
        self.loop = Compiled.deferred("ranktron.data.svmlight.compiled_lines", "count_lines")
        self.compiled = 0

    def object_code(self, *args: Any) -> Any:
        """What compiling gives, which is done once for all tests."""
        self.compiled += 1
        return compiled_once(*args)

    def count(self) -> bool:
        """Whether the code that counts the lines of a text, and its features, was there already."""
        counts, before = np.zeros(2, np.int64), self.compiled
        self.loop(np.frombuffer(TEXT + b"\n" * 64, np.uint8), 0, len(TEXT), counts)
        assert counts.tolist() == [TEXT.count(b"\n"), TEXT.replace(b"qid:", b"").count(b":")]
        return self.compiled == before and "dispatcher" not in vars(self.loop)


@functools.cache
def _compiled() -> Any:
    load_numba()
    counts, loop = np.zeros(2, np.int64), found_at("ranktron.data.svmlight.compiled_lines:count_lines").__wrapped__
    return object_code.object_code(loop, (np.frombuffer(TEXT, np.uint8), 0, 0, counts), "count_lines_of_the_tests")


def compiled_once(*args: Any) -> Any:
    return _compiled()


def loops(folder: Path) -> list[Path]:
    """The files of a folder but for its key."""
    return [file for file in folder.iterdir() if file.name != KEY]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    return lambda folder=tmp_path / "cache", **more: Process(monkeypatch, folder, **more)


# What is kept


@compiled
def test_what_numba_compiled_is_loaded_from_then_on(start: Any, tmp_path: Path) -> None:
    assert [start().count(), *[process.count() for process in [start()] * 2]] == [False, True, True]
    [kept] = loops(tmp_path / "cache")
    assert kept.name.startswith("ranktron.data.svmlight.compiled_lines.count_lines-0123-")
    assert kept.suffix == ".native"


@compiled
def test_a_process_goes_over_to_what_it_has_kept_itself(start: Any) -> None:
    process = start()
    assert [process.count() for _ in range(3)] == [False, True, True]


DAMAGES: dict[str, Any] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[:-1],
    "cut in its digest": lambda content: content[:20],
    "a digest only": lambda content: content[:32],
    "longer": lambda content: content + b"\0",
    "another digest": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "another name": lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:],
    "another instruction": lambda content: content[:-900] + bytes([content[-900] ^ 128]) + content[-899:],
    "something else": lambda content: b"\x7fELF" * 1000,
}


@compiled
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_replaced(damage: str, start: Any, tmp_path: Path) -> None:
    start().count()
    [kept] = loops(tmp_path / "cache")
    kept.write_bytes(DAMAGES[damage](kept.read_bytes()))
    assert [start().count(), start().count()] == [False, True]


@compiled
def test_a_folder_in_the_place_of_a_file(start: Any, tmp_path: Path) -> None:
    start().count()
    [kept] = loops(tmp_path / "cache")
    kept.unlink()
    kept.mkdir()
    process = start()
    assert [process.count(), process.count(), start().count()] == [False, True, False]
    assert [one.name for one in loops(tmp_path / "cache")] == [kept.name]


@compiled
def test_where_nothing_can_be_written_that_is_tried_once(start: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    tried, real = [], CodeFiles.write
    monkeypatch.setattr(CodeFiles, "write", lambda files, name, code: tried.append(name) or real(files, name, code))
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper"):
        for _ in range(2):
            process = start(folder)
            assert [process.count() for _ in range(3)] == [False, True, True]
    assert len([name for name in tried if name.endswith(".native")]) == 2


@compiled
def test_files_of_other_versions_are_deleted_and_no_others(start: Any, tmp_path: Path) -> None:
    start(stamp="old").count()
    (tmp_path / "cache" / "notes.txt").touch()
    (tmp_path / "cache" / "learn_rows.nbi").touch()
    assert not start(stamp="new").count()
    assert sorted(one.name.split("-")[1] if "-" in one.name else one.name for one in loops(tmp_path / "cache")) == [
        "learn_rows.nbi",
        "new",
        "notes.txt",
    ]
    assert not start(stamp="old").count()


@compiled
def test_another_processor_or_compiler_is_another_file(start: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import llvmlite
    import numba

    parts = (f"llvmlite-{llvmlite.__version__}", f"numba-{numba.__version__}", os.uname().machine)
    assert all(part in object_cache.processor() for part in parts)
    if os.path.exists("/proc/cpuinfo"):
        assert "flags" in object_cache.processor() or "Features" in object_cache.processor()
    start().count()
    monkeypatch.setattr(object_cache, "processor", lambda: "another one")
    assert [start().count(), start().count()] == [False, True]
    assert len(loops(tmp_path / "cache")) == 2


@compiled
def test_threads_may_load_and_keep_at_once(start: Any, tmp_path: Path) -> None:
    for warm in (False, True):
        process, together = start(), threading.Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            loaded = list(pool.map(lambda _, process=process, all=together: all.wait() >= 0 and process.count(), range(8)))
        if warm:
            assert loaded == [True] * 8
        assert len(loops(tmp_path / "cache")) == 1
        assert start().count()


# Where


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "_checked", lambda folder: folder)  # whoever may write to it
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert code_folder() == tmp_path
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(os, "access", lambda *args: True)
    assert code_folder() == PACKAGE / "__pycache__"
    monkeypatch.setattr(os, "access", lambda *args: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert code_folder() == tmp_path / "own" / "ranktron"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert code_folder() == tmp_path / ".cache" / "ranktron"
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it is where nobody has a home
    with pytest.raises(ValueError, match="no home folder; set NUMBA_CACHE_DIR"):
        code_folder()


def test_object_code_is_for_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert object_cache.is_supported()
    monkeypatch.setattr(sys, "platform", "win32")
    assert not object_cache.is_supported()


LOCKED = """
import logging, os
from pathlib import Path
from ranktron.compile import object_cache
object_cache.processor()
if os.geteuid() == 0:
    os.setuid(65534)  # nothing is locked for root
cache = object_cache.ObjectCache(Path({place!r}), "0123")
print(cache.find("loop", ()))
"""


def test_a_folder_that_may_not_be_entered_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0)
    place = str(tmp_path / "locked" / "cache")
    assert run(LOCKED.format(place=place)) == "None"


def test_interpreted_code_never_looks_for_object_code(tmp_path: Path) -> None:
    learn = (
        "import sys; import numpy as np; from ranktron.compile import compiled_loop; from ranktron.algorithms import PRank;"
        "PRank().partial_fit(np.ones((50, 2)), np.arange(50) % 3);"
        "print(compiled_loop._object_cache(), 'llvmlite' in sys.modules)"
    )
    environment = {"RANKTRON_PATIENCE": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(learn, NUMBA_DISABLE_JIT="1", **environment) == "None False"
