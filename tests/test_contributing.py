"""CONTRIBUTING.md adds an algorithm by one file, one import line and one test: this does it in a copy of the project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES: Mapping[str, str] = dict(BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
RULE, IMPORTS, ORACLE = "margin_prank.py", "__init__.py", "test_margin_prank.py"

# One file for each kind of promise; the other tests of the family find an estimator in the same way.
FAMILY = (
    *("estimators/test_documentation.py", "estimators/test_layouts.py", "estimators/test_checks.py", "river/test_river.py"),
    *("models/test_bad_parameters.py", "models/test_files.py", "models/test_snapshots.py", "algorithms/test_streams.py"),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project to which the document's files and its import line are added."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "released"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    for path, text in FILES.items():
        before = (folder / path).read_text(encoding="utf-8") if path.endswith(IMPORTS) else ""
        (folder / path).write_text(before.replace("\nfrom .prank", f"\n{text}from .prank") or text, encoding="utf-8")
    return folder


def run(copy: Path, *words: str) -> str:
    """What a program that uses the copy prints; an error is a failure of the test."""
    settings = {**os.environ, "PYTHONPATH": str(copy / "src"), "MYPYPATH": str(copy / "src"), "COLUMNS": "200"}
    done = subprocess.run([sys.executable, "-m", *words], cwd=copy, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_one_file_one_import_line_and_one_test() -> None:
    assert [Path(path).name for path in FILES] == [RULE, IMPORTS, ORACLE]
    assert FILES[f"src/ranktron/algorithms/{IMPORTS}"].count("\n") == 1


def test_the_command_line_has_it_with_its_options(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("1 1:0.5\n2 1:1.5\n3 1:2.5\n")
    assert "marginprank" in run(copy, "ranktron", "learn", "--help")
    words = ("learn", str(tmp_path / "a.svm"), "--algorithm", "marginprank", "--margin", "0.25", "--model", str(tmp_path / "m"))
    run(copy, "ranktron", *words)
    assert "margin" in run(copy, "ranktron", "inspect", str(tmp_path / "m"))


def test_the_tests_of_the_family_find_it_and_the_oracle_passes(copy: Path) -> None:
    words = (
        "pytest",
        "--all",
        "--assert=plain",
        "-p",
        "no:cacheprovider",
        "-m",
        "not compiled",
        "-k",
        "MarginPRank or margin_prank",
    )
    told = run(copy, *words, "-vv", f"tests/algorithms/{ORACLE}", *(f"tests/{path}" for path in FAMILY))
    passed = set(re.findall(r"^tests/(\S+)::\S+ PASSED", told, re.MULTILINE))
    assert passed == {f"algorithms/{ORACLE}", *FAMILY}


def test_type_checkers_know_it_and_accept_it(copy: Path) -> None:
    (copy / "user.py").write_text("import ranktron\n\nreveal_type(ranktron.MarginPRank(margin=0.2).score([[1.0]], [1]))\n")
    words = ("mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull)
    told = run(copy, *words, "user.py", f"src/ranktron/algorithms/{RULE}")
    assert re.search(r'Revealed type is "(builtins\.)?float"', told)
