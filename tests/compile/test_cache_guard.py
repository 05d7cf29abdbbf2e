"""Whatever happens to the cache of compiled code: numba compiles, answers are right, and the reason is logged."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ranktron.compile import cache, compiled_loop, generic, object_cache, object_code
from ranktron.compile.cache import KEY, CodeFiles
from tests.compile.test_object_cache import Process, start  # noqa: F401  # a fixture
from tests.processes import PACKAGE, run

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="object code is kept on Linux only"),
]
COUNT = """
import sys
import numpy as np
from ranktron.compile.compiled_loop import Compiled
text, counts = b"2 qid:1 1:0.5 2:3\\n" * 9, np.zeros(2, np.int64)
loop = Compiled.deferred("ranktron.data.svmlight.compiled_lines", "count_lines")
loop(np.frombuffer(text + b"\\n" * 64, np.uint8), 0, len(text), counts)
print(counts.tolist(), end=" ")
stats = loop.dispatcher.stats if "dispatcher" in vars(loop) else None
print("numba's cache" if stats and stats.cache_hits else "compiled" if "numba" in sys.modules else "object code")
"""


def counted(folder: Path, before: str = "", **settings: str) -> str:
    """How a new process came by the code that it ran; ``before`` is what it does first."""
    answer, how = run(before + COUNT, NUMBA_CACHE_DIR=str(folder), **settings).split("] ")
    assert answer == "[9, 18"
    return how


def failing(*args: Any) -> Any:
    raise RuntimeError("it does not work")


def missing(*args: Any) -> Any:
    raise AttributeError("'ModulePassManager' has no such pass")


# What fails, while code is made and kept, and while it is loaded

Step = Callable[[pytest.MonkeyPatch], None]
# numba runs the loop instead.
MAKING: dict[str, Step] = {
    "llvmlite lacks a pass": lambda patch: patch.setattr(object_code, "_sweep", missing),
    "LLVM reads other text": lambda patch: patch.setattr(object_code, "_way_in", lambda *args: "\ndefine i99* nothing"),
    "numba is another inside": lambda patch: patch.setattr(object_code, "_machine", missing),
}
# The code is in memory only.
KEEPING: dict[str, Step] = {
    "writing": lambda patch: patch.setattr(CodeFiles, "write", failing),
    "the name": lambda patch: patch.setattr(object_cache, "processor", failing),
}
# What is on disk cannot be used, and perhaps nothing that is linked can be.
LOADING: dict[str, tuple[Step, bool]] = {
    "reading": (lambda patch: patch.setattr(CodeFiles, "read", failing), True),
    "verifying": (lambda patch: patch.setattr(cache, "_digest", failing), True),
    "linking": (lambda patch: patch.setattr(object_cache, "_linked", failing), False),
    "calling the loader": (lambda patch: patch.setattr(object_cache, "MachineCode", failing), False),
}


@pytest.mark.parametrize("step", MAKING)
def test_what_cannot_be_made_is_left_to_numba(step: str, start: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    process: Process = start()
    monkeypatch.setattr(compiled_loop, "object_code", object_code.object_code)
    MAKING[step](monkeypatch)
    assert [process.count() for _ in range(2)] == [False] * 2
    [message] = caplog.messages
    assert message.startswith("compiling ranktron.data.svmlight.compiled_lines.count_lines failed (")
    assert {record.name for record in caplog.records} == {"ranktron"}


@pytest.mark.parametrize("step", KEEPING)
def test_what_cannot_be_kept_is_used(step: str, start: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    KEEPING[step](monkeypatch)
    process: Process = start()
    assert [process.count() for _ in range(3)] == [False, True, True]
    assert "failed" in caplog.messages[-1]
    assert len(caplog.messages) <= 2


@pytest.mark.parametrize("step", LOADING)
def test_what_cannot_be_loaded_is_compiled(step: str, start: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    start().count()
    assert caplog.messages == []
    fails, is_linked = LOADING[step]
    fails(monkeypatch)
    process: Process = start()
    assert [process.count() for _ in range(2)] == [False, is_linked]
    assert caplog.messages[0].startswith("loading ranktron.data.svmlight.compiled_lines.count_lines failed (")


def test_a_pass_that_llvmlite_lacks(start: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    from llvmlite.binding.newpassmanagers import ModulePassManager

    process = start()
    monkeypatch.setattr(compiled_loop, "object_code", object_code.object_code)
    monkeypatch.delattr(ModulePassManager, "add_global_dead_code_eliminate_pass")
    assert not process.count()
    assert "add_global_dead_code_eliminate_pass" in caplog.text


def test_a_source_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    compiled_loop._object_cache.cache_clear()
    monkeypatch.setattr(compiled_loop, "package_digest", failing)
    assert compiled_loop._object_cache() is None
    assert compiled_loop._jit(generic.found_at("ranktron.data.svmlight.compiled_lines:count_lines").__wrapped__) is not None
    assert len(caplog.messages) == 2
    compiled_loop._object_cache.cache_clear()


# What lies in the folder


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept") / "cache"
    assert [counted(folder), counted(folder)] == ["compiled", "object code"]
    return folder


@pytest.fixture
def warm(kept: Path, tmp_path: Path) -> Path:
    """A folder that has the code of a loop."""
    return Path(shutil.copytree(kept, tmp_path / "cache"))


def test_a_fifo_under_every_name(warm: Path) -> None:
    for file in list(warm.iterdir()):
        file.unlink()
        os.mkfifo(file)
    assert counted(warm) == "compiled"


def test_files_that_are_damaged_are_compiled_once(warm: Path) -> None:
    for file in warm.glob("*.n*"):
        file.write_bytes(file.read_bytes()[:-100])
    assert [counted(warm), counted(warm)] == ["compiled", "object code"]


def forged(content: bytes, name: str, folder: Path) -> bytes:
    """What somebody who knows the key could plant."""
    return cache._digest((folder / KEY).read_bytes(), name, content) + content


class Planted:
    """Code in a pickle."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.proof),)


def test_what_others_may_have_planted_does_not_run(warm: Path, tmp_path: Path) -> None:
    for file in warm.glob("*.n*"):
        content = b"x int64\n" + b"\xcc" * 9000
        file.write_bytes(forged(content, file.name, warm))
    planted = {file: file.read_bytes() for file in warm.iterdir()}
    warm.chmod(0o777)
    assert counted(warm) == "compiled"
    assert not (tmp_path / "it ran").exists()
    assert {file: file.read_bytes() for file in warm.iterdir()} == planted


def test_a_pickle_that_others_may_have_planted_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert counted(folder, RANKTRON_OBJECT_CACHE="0") == "compiled"
    [file] = folder.glob("*.numba")
    file.write_bytes(forged(pickle.dumps(Planted(tmp_path / "it ran")), file.name, folder))
    folder.chmod(0o777)
    assert counted(folder, RANKTRON_OBJECT_CACHE="0") == "compiled"
    assert not (tmp_path / "it ran").exists()


@pytest.mark.gate(1)
@pytest.mark.parametrize("content", [b"no pickle", pickle.dumps(["not", "what", "numba", "keeps"])], ids=["text", "list"])
def test_a_pickle_that_numba_cannot_use(content: bytes, tmp_path: Path) -> None:
    hows = [counted(tmp_path, RANKTRON_OBJECT_CACHE="0") for _ in range(2)]
    assert hows == ["compiled", "numba's cache"]
    for file in tmp_path.glob("*.numba"):
        file.write_bytes(forged(content, file.name, tmp_path))
    hows = [counted(tmp_path, RANKTRON_OBJECT_CACHE="0") for _ in range(2)]
    assert hows == ["compiled", "numba's cache"]


NOWHERE = {
    "a system's folder": {"NUMBA_CACHE_DIR": "/proc/nothing"},
    "a home that cannot be written": {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": "/proc/nobody"},
    "no home": {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": "nowhere"},
}


@pytest.mark.gate(1)
@pytest.mark.parametrize("place", NOWHERE)
def test_without_a_place_to_write_code_is_compiled_and_one_sentence_logged(place: str) -> None:
    beside = "import os; os.access = lambda *args: False\n"
    settings = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_DISABLE_JIT": "0", **NOWHERE[place]}
    done = subprocess.run([sys.executable, "-c", beside + COUNT], env=settings, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[9, 18] compiled"
    [line] = done.stderr.splitlines()
    assert line.endswith("so the cache of compiled code is not used")


def test_a_full_disk(tmp_path: Path) -> None:
    assert counted(tmp_path, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n") == "compiled"
    assert {file.name for file in tmp_path.iterdir()} == {KEY, "ranktron.seconds"}


def test_a_umask_that_allows_all(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert [counted(folder, "import os; os.umask(0)\n") for _ in range(2)] == ["compiled", "object code"]
    assert all(place.stat().st_mode & 0o022 == 0 for place in (folder, *folder.iterdir()))


# numba's cache


def test_signatures_are_told_apart_by_all_that_numba_tells_apart() -> None:
    from numba import float64, typeof

    from ranktron.compile.numba_cache import _described, _is_ours

    ours, strange = (namedtuple("Rule", "a b") for _ in range(2))
    ours.__module__ = "ranktron.algorithms.rules"
    signatures = [
        (typeof(one),) for one in (ours(1, 2), strange(1, 2), ours(1.0, 2), (ours(1, 2), 3), (strange(1, 2), 3), 1, 1.0)
    ]
    assert len({repr(_described(signature)) for signature in signatures}) == len(signatures)
    assert [_is_ours(signature) for signature in signatures] == [True, False, True, True, False, True, True]
    assert _is_ours((float64[:],))


@pytest.mark.full
@pytest.mark.parametrize("state", ["empty", "damaged"])
def test_twenty_processes_that_start_together_are_right(state: str, tmp_path: Path) -> None:
    if state == "damaged":
        counted(tmp_path)
        for file in tmp_path.iterdir():
            file.write_bytes(file.read_bytes()[:-1])
    hows: list[str] = []
    threads = [threading.Thread(target=lambda: hows.append(counted(tmp_path))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hows) == 20
    assert len(list(tmp_path.iterdir())) == 3  # the key, the loop, and the seconds that it took
    counted(tmp_path)
    assert counted(tmp_path) == "object code"
