"""The compile cache, and what is loaded when."""

from __future__ import annotations

import ast
import collections
import importlib
import inspect
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import ranktron
from ranktron.compile import object_cache
from ranktron.compile.generic import generic

PACKAGE = Path(ranktron.__file__).parent


def run(code: str, folder: Path | str = PACKAGE.parent, **environment: str) -> str:
    """What a fresh process prints that imports the package from ``folder``."""
    settings = {"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "0", "RANKTRON_PATIENCE": "50_000", **environment}
    process = subprocess.run([sys.executable, "-c", code], env=os.environ | settings, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


LEARN = """
import sys
import numpy as np
from ranktron.algorithms import PRank
from ranktron.core.loops import learn_rows
X, y = np.arange(12.0).reshape(6, 2) % 5, np.array([1, 2, 3, 3, 2, 1])
model = PRank(average=False).partial_fit(X, y)
print(model.coef_.tolist(), 'numba' in sys.modules)
if 'numba' in sys.modules:
    stats = learn_rows.compiled.dispatcher.stats
    print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


@pytest.mark.compiled
def test_any_edit_of_the_package_invalidates_the_compile_cache(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "ranktron", ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "ranktron" / "__pycache__"
    environment = {"RANKTRON_PATIENCE": "0", "NUMBA_CACHE_DIR": ""}
    first, again = (run(LEARN, tmp_path, **environment) for _ in range(2))
    assert first.endswith("] True\n0 1")
    assert again == first.replace("True\n0 1", "False")
    for lost in cache.glob("*.native"):
        lost.unlink()
    assert run(LEARN, tmp_path, **environment) == first.replace("0 1", "1 0")  # numba has it too
    assert run(LEARN, tmp_path, **environment) == again
    rule = tmp_path / "ranktron" / "algorithms" / "prank.py"
    rule.write_text(rule.read_text().replace("side = 1.0 if", "side = 2.0 if"))
    edited = run(LEARN, tmp_path, **environment)
    assert edited.endswith("] True\n0 1")
    assert edited.split("]")[0] != first.split("]")[0]
    rule.write_text(rule.read_text().replace("MoveTheWrong", "Renamed"))
    muprank = tmp_path / "ranktron" / "algorithms" / "muprank.py"
    muprank.write_text(muprank.read_text().replace("MoveTheWrong", "Renamed"))
    assert run(LEARN, tmp_path, **environment) == edited
    assert len(list(cache.glob("ranktron.core.loops.learn_rows-*.numba"))) == 1
    assert len(list(cache.glob("ranktron.core.loops.learn_rows-*.native"))) == 1


LOADED = "; import sys; print(*(name for name in ('numba', 'sklearn', 'scipy', 'pandas', 'rich') if name in sys.modules))"


def test_import_loads_neither_numba_nor_scikit_learn() -> None:
    assert run("import ranktron" + LOADED) == ""


def test_a_small_job_on_a_model_loads_neither_numba_nor_scikit_learn() -> None:
    small = (
        "from ranktron.algorithms import NoPRank; import numpy as np; X = np.random.default_rng(0).random((500, 9));"
        "model = NoPRank().partial_fit(X, (4 * X[:, 0]).astype(int)); model.predict(X)"
    )
    assert run(small + LOADED) == ""


LARGE = (
    "from ranktron.algorithms import PRank; import numpy as np; X = np.random.default_rng(0).random(({rows}, 2));"
    "model = PRank().partial_fit(X, (4 * X[:, 0]).astype(int))"
)
LOADER = "; import sys; print('numba' in sys.modules, 'llvmlite' in sys.modules)"


@pytest.mark.compiled
def test_a_large_job_is_compiled_once_and_then_loaded(tmp_path: Path) -> None:
    place = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(LARGE.format(rows=49_000) + LOADER, **place) == "False False"  # a job to look for compiled code, not to compile
    assert run(LARGE.format(rows=51_000) + LOADER, **place) == "True True"
    assert run(LARGE.format(rows=51_000) + LOADER, **place) == "False True"
    loaded = "; from ranktron.compile import compiled_loop; print(len(compiled_loop._object_cache()._loops))"
    assert [run(LARGE.format(rows=rows) + loaded, **place) for rows in (900, 1_100)] == ["0", "1"]


@pytest.mark.compiled
def test_without_a_place_for_a_cache_code_is_compiled_all_the_same(tmp_path: Path) -> None:
    nowhere = "from numba.core import caching; caching.CacheImpl._locator_classes = []\n"
    (tmp_path / "file").touch()
    answers = [run(nowhere + LEARN, RANKTRON_PATIENCE="0", NUMBA_CACHE_DIR=str(tmp_path / "file")) for _ in range(2)]
    assert answers == [run(LEARN, NUMBA_DISABLE_JIT="1").replace("False", "True\n0 1")] * 2


def test_names_are_found_late_and_unknown_ones_are_refused() -> None:
    assert {"PRank", "load", "river", "bounds"} <= set(dir(ranktron))
    assert ranktron.bounds.__name__ == "ranktron.bounds"
    with pytest.raises(AttributeError, match="has no attribute 'Prank'"):
        _ = ranktron.Prank


def test_a_generic_function_picks_its_body_by_class_and_its_own_for_any_other() -> None:
    @generic
    def shout(subject: object, mark: str) -> str:
        return f"thing{mark}"

    @shout.on(int)
    def shout_number(subject: int, mark: str) -> str:
        return f"{subject}{mark}"

    assert (shout(3, "!"), shout("x", "?")) == ("3!", "thing?")


SOURCES = {
    ".".join(("ranktron", *path.relative_to(PACKAGE).with_suffix("").parts)): text
    for path in sorted(PACKAGE.rglob("*.py"))
    if "@generic\n" in (text := path.read_text()) or "@inline\n" in text or ".on(" in text
}


def has_default(function: Any) -> bool:
    """Whether the function's own body is one, and does not say that every class needs its own."""
    body = ast.parse(textwrap.dedent(inspect.getsource(function.__wrapped__))).body[0].body  # type: ignore[attr-defined]
    return "raise NotImplementedError" not in ast.unparse(body[-1])


def test_a_generic_function_has_two_bodies_or_more() -> None:
    modules = [importlib.import_module(name) for name in SOURCES]  # all of them, for bodies are registered when they are imported
    functions = [one for module in modules for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    functions = [one for one in functions if hasattr(one, "bodies")]
    assert len(functions) > 90
    for function in functions:
        bodies = len({(body, function.twins.get(cls)) for cls, body in function.bodies.items()}) + has_default(function)
        assert bodies >= 2, f"{function.__module__}.{function.__name__} has fewer than two bodies: make it a plain function"


def test_every_body_has_a_name_of_its_own() -> None:
    modules = collections.defaultdict(list)
    for module, text in SOURCES.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and any(is_compiled(ast.unparse(one)) for one in node.decorator_list):
                modules[node.name].append(module)
    assert "_" not in modules, f"give the bodies called _ in {modules['_']} names that a traceback can show"
    for name, places in modules.items():
        assert len(places) == 1, f"{' and '.join(places)} have functions called {name}: a name should have one meaning"


def is_compiled(decorator: str) -> bool:
    return decorator in ("generic", "inline", "Loop") or ".on(" in decorator or decorator.startswith("compiled_as(")


def test_nothing_is_compiled_from_the_folders_that_the_stamp_does_not_look_at() -> None:
    for name in object_cache.NOT_COMPILED:
        for source in PACKAGE.rglob(f"{name}/**/*.py"):
            text = source.read_text()
            assert [word for word in ("@Loop", "@generic", ".on(") if word in text] == [], source
    assert any(PACKAGE.rglob("cli/*.py"))


def test_the_stamp_follows_every_other_source(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "ranktron", ignore=shutil.ignore_patterns("__pycache__"))
    told = "from ranktron.compile.cache import package_digest; print(package_digest())"
    first = run(told, tmp_path)
    for edited, changes in (("cli/learn/command.py", False), ("core/rows.py", True), ("data/svmlight/line.py", True)):
        path = tmp_path / "ranktron" / edited
        path.write_text(path.read_text() + "# edited\n")
        assert (run(told, tmp_path) != first) == changes
