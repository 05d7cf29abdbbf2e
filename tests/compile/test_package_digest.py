"""Compiled code belongs to the sources it was compiled from: any edit of them makes it invalid."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ranktron.compile import cache
from tests.processes import PACKAGE, run

LEARN = """
import sys
import numpy as np
from ranktron.algorithms import PRank
X, y = np.arange(12.0).reshape(6, 2) % 5, np.array([1, 2, 3, 3, 2, 1])
model = PRank(average=False).partial_fit(X, y)
print(model.coef_.tolist(), 'numba' in sys.modules)
"""


@pytest.mark.compiled
@pytest.mark.full
def test_any_edit_of_the_package_invalidates_the_compile_cache(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "ranktron", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "ranktron" / "__pycache__"
    environment = {"RANKTRON_PATIENCE": "0", "NUMBA_CACHE_DIR": ""}
    first, again = (run(LEARN, tmp_path, **environment) for _ in range(2))
    assert first.endswith("] True")
    assert again == first.replace("True", "False")
    rule = tmp_path / "ranktron" / "algorithms" / "prank.py"
    rule.write_text(rule.read_text().replace("side = 1.0 if", "side = 2.0 if"))
    edited = run(LEARN, tmp_path, **environment)
    assert edited.endswith("] True")
    assert edited.split("]")[0] != first.split("]")[0]
    rule.write_text(rule.read_text().replace("MoveTheWrong", "Renamed"))
    muprank = tmp_path / "ranktron" / "algorithms" / "muprank.py"
    muprank.write_text(muprank.read_text().replace("MoveTheWrong", "Renamed"))
    assert run(LEARN, tmp_path, **environment) == edited
    assert len(list(folder.glob("ranktron.core.loops.learn_rows-*.native"))) == 1


@pytest.mark.compiled
@pytest.mark.full
def test_without_a_place_for_a_cache_code_is_compiled_all_the_same(tmp_path: Path) -> None:
    nowhere = "from numba.core import caching; caching.CacheImpl._locator_classes = []\n"
    (tmp_path / "file").touch()
    answers = [run(nowhere + LEARN, RANKTRON_PATIENCE="0", NUMBA_CACHE_DIR=str(tmp_path / "file")) for _ in range(2)]
    assert answers == [run(LEARN, NUMBA_DISABLE_JIT="1").replace("False", "True")] * 2


def test_nothing_is_compiled_from_the_folders_that_the_stamp_does_not_look_at() -> None:
    for name in cache.NOT_COMPILED:
        for source in PACKAGE.rglob(f"{name}/**/*.py"):
            text = source.read_text()
            assert [word for word in ("@Loop", "@generic", ".on(") if word in text] == [], source
    assert any(PACKAGE.rglob("cli/*.py"))


def test_the_stamp_follows_every_other_source(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "ranktron", ignore=shutil.ignore_patterns("__pycache__"))
    told = "from ranktron.compile.cache import package_digest; print(package_digest())"
    first = run(told, tmp_path)
    compiled = (
        "core/rows.py",
        "core/scorers/thresholded.py",
        "core/native/rows.py",
        "algorithms/prank.py",
        "data/svmlight/line.py",
    )
    for edited, changes in (("cli/learn/command.py", False), *((name, True) for name in compiled)):
        path = tmp_path / "ranktron" / edited
        text = path.read_text()
        path.write_text(text + "# edited\n")
        assert (run(told, tmp_path) != first) == changes
        path.write_text(text)
