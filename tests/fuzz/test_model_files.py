"""No model file, whoever wrote it, crashes, hangs, fills the memory or shows a traceback; a model that loads can be used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ranktron
from ranktron.models import files

from .changes import changed
from .kinds import KINDS, is_refused, use

ROOT = Path(__file__).parents[2]
# Cases of each kind: 100,000 in all.
EVERY = 1_130

# Kinds of whose arrays compiled loops take indices. The gate compiles one of them: files are checked before any loop runs.
WITH_INDICES = (
    "PRank",
    *(
        pytest.param(kind, marks=pytest.mark.full)
        for kind in ("PRank-Gaussian(gamma=0.1)-12-forgetron-standard", "MuPRank", "Voted", "ranker SLAM", "Recommender of few")
    ),
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore")
def test_changed_files_do_no_harm(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model"
    KINDS[kind]().save(path)
    header, arrays = files.read(path)
    use(path)
    with np.errstate(all="ignore"):
        for number in range(6):
            path.write_bytes(changed(f"{kind} {number}", header, arrays))
            is_refused(path)


def in_a_process(kind: str, first: int, last: int, folder: Path) -> None:
    """Run some cases with compiled loops, where a crash ends another process than this one."""
    environment = os.environ | {"PYTHONPATH": f"{Path(ranktron.__file__).parents[1]}{os.pathsep}{ROOT}", "RANKTRON_PATIENCE": "0"}
    command = [sys.executable, "-m", "tests.fuzz", kind, str(first), str(last), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-100:], done.stderr[-3000:])
    assert done.stdout.splitlines()[-1].startswith("refused"), done.stdout[-100:]


@pytest.mark.compiled
@pytest.mark.parametrize("kind", WITH_INDICES)
def test_changed_files_do_not_crash_compiled_loops(kind: str, tmp_path: Path) -> None:
    in_a_process(kind, 100, 120, tmp_path)


@pytest.mark.full
@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
def test_many_changed_files_do_not_crash_compiled_loops(kind: str, tmp_path: Path) -> None:
    in_a_process(kind, 0, EVERY, tmp_path)
