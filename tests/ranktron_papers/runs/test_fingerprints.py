"""What trials are kept under: it changes with all that their numbers depend on, and with nothing else."""

from __future__ import annotations

import functools
import importlib
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse

from ranktron_papers.runs import fingerprints, reachable_code
from ranktron_papers.runs.fingerprints import digest_of, fingerprint

from .. import madeup

MODULE = '''
"""A module."""

from .helping import halved as half, unused
from . import constants

SIZE = 10  # rows
CLAIM = "it holds"


def trial(seed, data):
    """A trial."""
    return {"a": half(seed) * SIZE * constants.FACTOR}


def draw(results, figure):
    return unused(CLAIM)
'''
HELPING = """
from .deeper import two


def halved(value):
    return value / two()


def unused(text):
    return text
"""
FILES = {
    "__init__": "",
    "module": MODULE,
    "helping": HELPING,
    "deeper": "from .deepest import two",
    "deepest": "def two():\n    return 2\n",
    "constants": "FACTOR = 1\n",
}


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes the package anew, with other texts in some files; the fingerprint of its trial."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**changed):
        folder = tmp_path / "written_package"
        folder.mkdir(exist_ok=True)
        for name, text in (FILES | changed).items():
            (folder / f"{name}.py").write_text(textwrap.dedent(text))
        for name in [one for one in sys.modules if one.startswith("written_package")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        for cached in (reachable_code._definitions, reachable_code._imported):
            cached.cache_clear()
        return fingerprint(importlib.import_module("written_package.module").trial)

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield write
    for name in [one for one in sys.modules if one.startswith("written_package")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("module", "* SIZE", "+ SIZE"),
        ("module", "SIZE = 10", "SIZE = 11"),
        ("module", "halved as half, unused", "halved, unused as half"),
        ("helping", "value /", "value *"),
        ("deepest", "return 2", "return 3"),
        ("constants", "FACTOR = 1", "FACTOR = 2"),
    ],
)
def test_it_changes_with_the_code_that_a_trial_reaches(written, file, before, after):
    assert before in FILES[file]
    assert written() != written(**{file: FILES[file].replace(before, after)})


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("module", "# rows", "# lines"),
        ("module", '"""A trial."""', '"""One trial."""'),
        ("module", '"it holds"', '"it does not"'),
        ("module", "return unused(CLAIM)", "return None"),
        ("helping", "return text", "return text + text"),
        ("module", "SIZE = 10", "SIZE  =  10"),
    ],
)
def test_it_does_not_change_with_anything_else_in_the_same_files(written, file, before, after):
    assert before in FILES[file]
    assert written() == written(**{file: FILES[file].replace(before, after)})


def test_a_function_that_imports_inside(written):
    inside = FILES["module"].replace("    return {", "    from .deepest import two\n    two()\n    return {")
    changed = "def two():\n    return 4\n"
    assert written(module=inside) != written(module=inside, deepest=changed, helping="def halved(v): ...\ndef unused(t): ...")


def test_settings_and_data_count():
    found = {fingerprint(functools.partial(madeup.coin, bias=bias), data) for bias in (0.5, 0.6) for data in ("", "other")}
    assert len(found) == 4
    assert fingerprint(functools.partial(madeup.coin, bias=0.5)) in found
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in found)


def test_the_version_and_the_library_count(monkeypatch):
    found = [fingerprint(madeup.coin)]
    monkeypatch.setattr(fingerprints, "__version__", "0.0.1")
    found.append(fingerprint(madeup.coin))
    monkeypatch.setattr(fingerprints, "_library", lambda: "another")
    found.append(fingerprint(madeup.coin))
    assert len(set(found)) == 3


def test_the_library_is_all_code_but_commands_exports_and_reports(tmp_path, monkeypatch):
    for name in ("core/rule.py", "cli/page.py", "report/parts.py", "exports/file.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("a = 1\n")
    monkeypatch.setattr(fingerprints, "_LIBRARY", tmp_path)
    digests = []
    for change in ("", "# a comment\n", "b = 2\n"):
        for path in tmp_path.rglob("*.py"):
            path.write_text(f"a = 1\n{change}" if "core" in str(path) or not change else "changed = True\n")
        digests.append(fingerprints._library.__wrapped__())
    assert digests[0] == digests[1] != digests[2]


# Data


class Pair(NamedTuple):
    """Data of a made-up kind."""

    left: object
    right: object


class Holder:
    """Data of another."""

    def __init__(self, value):
        self.value = value


DATA = [
    None, True, 1, 1.0, "1", b"1", [1], (1,), {1}, {"1": 1}, Pair(1, 2), Pair(2, 1), Holder(1), Holder(2), Path("1"), int,
    digest_of, np.arange(4), np.arange(4).reshape(2, 2), np.arange(4.0), np.array([1, "1"], object), np.int64(1), np.float64(1),
    sparse.csr_array(np.eye(2)), sparse.csr_array(np.eye(3)), functools.partial(int, base=2), functools.partial(int, base=3),
]  # fmt: skip


def test_different_data_have_different_digests():
    assert len({digest_of(one) for one in DATA}) == len(DATA)


def test_equal_data_have_equal_ones_whatever_order_dictionaries_have_and_however_arrays_lie():
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    assert digest_of({"x", "y", "z"}) == digest_of({"z", "y", "x"})
    assert digest_of(np.arange(6).reshape(2, 3).T) == digest_of(np.array([[0, 3], [1, 4], [2, 5]]))
    assert digest_of(Holder([1.5, "a"])) == digest_of(Holder([1.5, "a"]))


def test_other_processes_find_the_same():
    program = (
        "from tests.ranktron_papers.runs.test_fingerprints import DATA, digest_of, fingerprint, madeup\n"
        "print(fingerprint(madeup.COIN.trial), *map(digest_of, DATA))"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, env=_environment(root), check=True
    )
    assert done.stdout.split() == [fingerprint(madeup.COIN.trial), *map(digest_of, DATA)]


def _environment(root):
    import os

    return {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONHASHSEED": "12345"}
