"""Files that are no ranker's, or no longer: one line that names the path, and a writer that is killed leaves a whole one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ranktron
from ranktron.models import files
from tests.covering import examples

from ..contract import assert_refused
from .family import NAMES, every_name, make, stream

X, Y, QID = stream(12)


def saved(folder: Path, name: str = "SLAM", **parameters: Any) -> Path:
    make(name, **parameters).fit(X, Y, QID).save(folder / "model")
    return folder / "model"


@every_name
def test_a_truncated_file_is_refused_at_any_length(name: str, tmp_path: Path) -> None:
    content = saved(tmp_path, name).read_bytes()
    for length in [*range(0, len(content), 13), len(content) - 1]:
        (tmp_path / "cut").write_bytes(content[:length])
        assert_refused(tmp_path / "cut")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(100))
@given(place=st.integers(0, 2**20), bit=st.integers(0, 7), name=st.sampled_from(NAMES))
def test_no_bit_can_flip_unseen(place: int, bit: int, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if not path.exists():
        saved(tmp_path, name).rename(path)
    changed = bytearray(path.read_bytes())
    changed[place % len(changed)] ^= 1 << bit
    (tmp_path / "flipped").write_bytes(changed)
    assert_refused(tmp_path / "flipped")


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], Any]) -> Path:
    """The file with something changed in its header or arrays, and a right digest."""
    header, arrays = files.read(path)
    change(header, arrays)
    files.write(path, header, arrays)
    return path


CHANGES: dict[str, Callable[[dict[str, Any], dict[str, np.ndarray]], Any]] = {
    "an unknown algorithm": lambda header, _: header.update(algorithm="SLAMMER"),
    "an algorithm that rates": lambda header, _: header.update(algorithm="PRank"),
    "another ranker": lambda header, _: header.update(algorithm="MinimaxRank"),
    "an unknown parameter": lambda header, _: header["parameters"].update(speed=3),
    "a measure that is none": lambda header, _: header["parameters"].update(measure="map"),
    "a step that is none": lambda header, _: header["parameters"].update(step={"step": "AdaGrad", "parameters": {"rate": -1}}),
    "a step of another kind": lambda header, _: header["parameters"].update(step={"step": "Adam", "parameters": {}}),
    "too many features": lambda header, _: header["features"].update(count=400),
    "no features": lambda header, _: header.pop("features"),
    "no counts": lambda _, arrays: arrays.pop("counts"),
    "no losses": lambda _, arrays: arrays.pop("losses"),
    "losses in single precision": lambda _, arrays: arrays.update(losses=arrays["losses"].astype(np.float32)),
    "more losses": lambda _, arrays: arrays.update(losses=np.zeros(2)),
    "fewer counts": lambda _, arrays: arrays.update(counts=arrays["counts"][:2]),
    "no squares": lambda _, arrays: arrays.pop("squares"),
    "fewer squares": lambda _, arrays: arrays.update(squares=arrays["squares"][:-1]),
    "no weights": lambda _, arrays: arrays.pop("w"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_file_that_makes_no_sense_is_refused(case: str, tmp_path: Path) -> None:
    assert_refused(rewritten(saved(tmp_path), CHANGES[case]))


def test_a_rater_is_no_ranker(tmp_path: Path) -> None:
    ranktron.PRank().fit(X, Y).save(tmp_path / "model")
    assert_refused(rewritten(tmp_path / "model", lambda header, _: header.update(algorithm="SLAM")))


SAVING = """
import sys
import numpy as np
from ranktron.algorithms import ListNet
random = np.random.default_rng(0)
model = ListNet()
while True:
    model.learn_list(random.standard_normal((3, 2000)), [0, 1, 2])
    model.save(sys.argv[1])
    print(model.n_seen_, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
def test_a_killed_process_leaves_a_file_that_loads(tmp_path: Path) -> None:
    path = tmp_path / "model"
    environment = os.environ | {"PYTHONPATH": str(Path(ranktron.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"}
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", SAVING, str(path)], env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(3):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            last = [3, *map(int, process.stdout.read().split())][-1]
        assert ranktron.load(path).n_seen_ in (last, last + 1)
