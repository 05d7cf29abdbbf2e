"""`ranktron warmup`: after it nothing is compiled, and a second one has nothing to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ranktron.algorithms.oap import WIDEST_LANES
from ranktron.cli.shared.algorithms import CLASSES
from ranktron.cli.warmup import cases as _warming
from ranktron.doors.rater import MOST_FEATURES
from tests.cli.asking import drawn, fails, lists, ratings, run, svmlight
from tests.cli.program import command, environment
from tests.waiting import LIMIT


def test_nothing_is_compiled_where_that_is_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    import math

    from ranktron.compile import policy

    monkeypatch.setattr(policy, "PATIENCE", math.inf)
    assert fails("warmup") == "NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it"


def test_every_algorithm_is_run_on_rows_of_both_kinds() -> None:
    found = {(case.name, case.is_sparse) for case in _warming.cases(CLASSES, False)}
    assert found == {(name, is_sparse) for name in CLASSES for is_sparse in (False, True)}


@pytest.mark.parametrize(("name", "widest"), [("rater", MOST_FEATURES), ("oap", WIDEST_LANES)])
def test_both_sides_are_run_of_what_learns_many_features_in_another_way(name: str, widest: int) -> None:
    found = [case.n_features for case in _warming.cases([name], False)]
    assert min(found) <= widest < max(found)


def test_kernels_come_on_request() -> None:
    with_kernels = list(_warming.cases(["prank", "oap"], True))
    assert {case.parameters.get("kernel") for case in with_kernels} == {None, *_warming.KERNELS}
    assert {case.name for case in with_kernels if "kernel" in case.parameters} == {"prank"}


def test_parameters_may_be_named() -> None:
    texts = ["prank(scale=standard, forget=0.01),wh", "OAP(tau=0.2)"]
    assert _warming.checked(texts) == ["prank(scale=standard, forget=0.01)", "widrowhoff", "oap(tau=0.2)"]
    found = list(_warming.cases(_warming.checked(texts), True))
    scaled = [case for case in found if case.name == "prank"]
    assert [(case.parameters, case.is_sparse) for case in scaled] == [
        ({"scale": "standard", "forget": "0.01"}, is_sparse) for is_sparse in (False, True)
    ]
    for case in scaled:
        _warming.run(case)


@pytest.mark.parametrize("case", list(_warming.cases(CLASSES, True)), ids=str)
def test_every_case_learns(case: Any) -> None:
    _warming.run(case)  # raises where parameters or rows do not suit the algorithm


def test_lines_are_read_and_lists_judged(tmp_path: Path) -> None:
    _warming.read_lines(str(tmp_path))
    _warming.judge()
    assert {path.name for path in tmp_path.iterdir()} == {"dense.letor", "sparse.letor"}


def test_a_run_tells_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where no object code is kept, and interpreted; ``test_what_is_warm_needs_no_compiler`` compiles."""
    from ranktron.compile import compiled_loop, policy

    monkeypatch.setattr(policy, "PATIENCE", 0)
    monkeypatch.setattr(compiled_loop, "_object_cache", lambda: None)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # for the processes that run the cases
    told = run("warmup", "--algorithms", "siprank", "--jobs", "1")
    assert told.status == 0, told.err
    assert json.loads(told.out)["algorithms"] == ["siprank"]
    assert json.loads(told.out)["loops"] is None
    assert "numba's own cache" in drawn("warmup", "-a", "wh", "-j", "1").out


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_a_folder_that_others_can_write_to_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from ranktron.compile import policy

    monkeypatch.setattr(policy, "PATIENCE", 0)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o777)
    expected = f"{tmp_path} is writable by other users; run chmod go-w on it, or set NUMBA_CACHE_DIR to a private folder"
    assert fails("warmup", "--algorithms", "siprank") == expected


def test_an_unknown_algorithm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from ranktron.compile import policy

    monkeypatch.setattr(policy, "PATIENCE", 0)
    assert "did you mean prank?" in fails("warmup", "--algorithms", "pranck")
    assert "PRank has no --soften" in fails("warmup", "--algorithms", "prank(soften=1)")


@pytest.mark.compiled
@pytest.mark.full
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="object code is kept on Linux only")
@pytest.mark.parametrize(
    ("name", "options"),
    [("prank", []), ("rater", []), ("ranker", []), ("prank(scale=standard)", ["--scale", "standard"])],
    ids=["prank", "rater", "ranker", "scaled"],
)
def test_what_is_warm_needs_no_compiler(name: str, options: list[str], tmp_path: Path) -> None:
    around = environment(NUMBA_DISABLE_JIT="0", NUMBA_CACHE_DIR=str(tmp_path / "cache"), RANKTRON_PATIENCE="0")

    def warmed_up() -> dict[str, Any]:
        done = subprocess.run(command("warmup", "-a", name), capture_output=True, env=around, timeout=LIMIT, check=True)
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    first = warmed_up()
    assert first["compiled"] == first["loops"] > 0
    assert first["folder"] == str(tmp_path / "cache")
    assert warmed_up()["compiled"] == 0
    data, model = tmp_path / "rows.svm", tmp_path / "m.ranktron"
    svmlight(data, *(lists() if name == "ranker" else ratings()))
    learning = ("learn", data, "-a", name.partition("(")[0], *options, "-m", model)
    for words in (learning, ("predict", model, data), ("evaluate", model, data)):
        assert _loads_numba(around, *words) is False


def _loads_numba(around: dict[str, str], *words: Any) -> bool:
    program = (
        "import sys; from ranktron.cli import app; sys.argv[0] = 'ranktron'\ntry: app()\nfinally: print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)], capture_output=True, env=around, timeout=LIMIT, check=True
    )
    return done.stdout.decode().splitlines()[-1] == "True"
