"""Experiments use public names only: one that needs a private door would be a flaw in the interface."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ranktron.experiments

FOLDER = Path(ranktron.experiments.__file__).parent
PAPERS = sorted(FOLDER.glob("*/*.py"))
PUBLIC = ("ranktron", "algorithms", "bounds", "data", "kernels", "metrics", "tasks", "sets", "separable", "synthetic")


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in ("_replace", "_asdict", "_fields")


@pytest.mark.parametrize("path", PAPERS, ids=[f"{path.parent.name}-{path.stem}" for path in PAPERS])
def test_a_paper_uses_public_names_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self"]
    assert [node.attr for node in asked if _is_private(node.attr)] == []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level == 3 or (node.module or "").startswith("ranktron")):
            parts = (node.module or "ranktron").split(".")
            names = [alias.name for alias in node.names]
            assert all(part in (*PUBLIC, "experiments") for part in parts), node.module
            assert not any(_is_private(name) for name in (*parts, *names)), names


def test_there_are_papers() -> None:
    assert len({path.parent.name for path in PAPERS if path.parent.name != "__pycache__"}) == 6
