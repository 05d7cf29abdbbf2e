"""The papers' package uses public names of ranktron only: an experiment that needed others would show a flaw in the interface.

What else it shares with the library is listed here. No module of the library uses the papers but their command.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ranktron
import ranktron_papers

FOLDER, LIBRARY = (Path(package.__file__).parent for package in (ranktron_papers, ranktron))
MODULES = {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*.py"))}
PUBLIC = {"ranktron"} | {
    f"ranktron.{name}" for name in ("algorithms", "bounds", "data", "data.sets", "data.separable", "kernels", "metrics", "tasks")
}
# Student's t, atomic writes, and what all reports are made of.
SHARED = {"ranktron.statistics", "ranktron.files"} | {f"ranktron.report.{name}" for name in ("parts", "style", "units")}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in ("_replace", "_asdict", "_fields", "_exit")


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The modules that are imported from by their whole names, and what is imported of them; relative imports are our own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((str(node.module), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_a_module_uses_public_names_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self"]
    assert [node.attr for node in asked if _is_private(node.attr)] == []
    used = [(module, name) for module, name in _imports(tree) if module.partition(".")[0] == "ranktron"]
    assert {module for module, _ in used} <= PUBLIC | SHARED
    assert not any(_is_private(name) for _, name in used)


def test_every_paper_is_checked() -> None:
    assert {f"{name}/__init__.py" for name in ranktron_papers.MODULES.values()} <= MODULES.keys()


def test_the_library_does_not_use_the_papers_but_in_their_command() -> None:
    users = [path for path in sorted(LIBRARY.rglob("*.py")) if "ranktron_papers" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(LIBRARY).as_posix() for path in users] == ["cli/reproduce.py"]
