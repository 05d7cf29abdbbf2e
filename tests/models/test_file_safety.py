"""Saving is all or nothing: an error, a full disk or a kill leaves the old file or the new one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import ranktron

from ..family import state, stream


def model_of(rows: int) -> Any:
    return ranktron.PRank().partial_fit(*stream(rows))


def failing(*_: Any, **__: Any) -> None:
    raise OSError("No space left on device")


@pytest.mark.parametrize("call", ["replace", "fsync"])
@pytest.mark.parametrize("error", [OSError("No space left on device"), KeyboardInterrupt()], ids=["full", "interrupted"])
def test_a_failed_save_leaves_the_old_file_and_nothing_else(
    call: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    path = tmp_path / "model"
    model_of(20).save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(type(error)):
        model_of(40).save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model"]
    model_of(40).save(path)
    assert ranktron.load(path).n_seen_ == 40


def test_a_first_save_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(OSError, match="No space"):
        model_of(20).save(tmp_path / "model")
    assert not os.listdir(tmp_path)


def test_content_is_on_disk_before_it_takes_the_old_files_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, path = [], tmp_path / "model"
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append("fsync"), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda source, target: (done.append("replace"), replace(source, target)))
    model_of(20).save(path)
    assert done[:2] == ["fsync", "replace"]
    assert os.name != "posix" or done == ["fsync", "replace", "fsync"]


def test_a_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        model_of(20).save(tmp_path / "model")
    finally:
        os.umask(before)
    assert (tmp_path / "model").stat().st_mode & 0o777 == 0o640


def test_saving_into_a_folder_that_is_not_there_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        model_of(20).save(tmp_path / "nowhere" / "model")


def test_a_file_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model_of(20).save("model")
    assert state(ranktron.load("model")) == state(model_of(20))


SAVING = """
import sys
import numpy as np
from ranktron.algorithms import PRank
random = np.random.default_rng(0)
model = PRank(classes=[1, 2, 3])
while True:
    model.partial_fit(random.standard_normal((1, 2000)), random.integers(1, 4, 1))
    model.save(sys.argv[1])
    print(model.n_seen_, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
def test_a_killed_process_leaves_a_file_that_loads(tmp_path: Path) -> None:
    path = tmp_path / "model"
    environment = os.environ | {"PYTHONPATH": str(Path(ranktron.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"}
    for round_ in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", SAVING, str(path)], env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(3):
                process.stdout.readline()
            time.sleep(0.0013 * round_)
            process.send_signal(signal.SIGKILL)
            last = [3, *map(int, process.stdout.read().split())][-1]
        assert process.returncode == -signal.SIGKILL
        loaded = ranktron.load(path)
        assert loaded.n_seen_ in (last, last + 1)
        assert loaded.partial_fit(stream(5, d=2000)[0], [1, 2, 3, 1, 2]).n_seen_ == loaded.n_seen_
