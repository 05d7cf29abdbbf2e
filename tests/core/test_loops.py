"""The loop is short enough to be read, and docs/design.md shows the one that runs."""

from __future__ import annotations

import ast
import builtins
import inspect
from pathlib import Path
from typing import Any

import pytest

from ranktron.core.loops import learn_lists, learn_rows, predict_rows

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"


def called_names(function: Any) -> set[str]:
    """The names of the functions that a loop calls, built-in ones apart."""
    calls = [node.func for node in ast.walk(ast.parse(inspect.getsource(function.__wrapped__))) if isinstance(node, ast.Call)]
    return {name for name in map(ast.unparse, calls) if not hasattr(builtins, name)}


@pytest.mark.parametrize("loop", [learn_rows, learn_lists, predict_rows])
def test_a_loop_calls_a_dozen_functions_at_most(loop: Any) -> None:
    names = called_names(loop)
    assert len(names) <= 12, f"{loop.__name__} calls {len(names)} functions: {sorted(names)}"


def test_the_design_shows_the_loop_that_runs() -> None:
    _, shown = DESIGN.read_text().split("<!-- learn_rows: begin -->\n```python\n")
    shown, _ = shown.split("```\n<!-- learn_rows: end -->")
    source = inspect.getsource(learn_rows.__wrapped__)  # type: ignore[attr-defined]
    assert shown == source.removeprefix("@Loop\n"), "docs/design.md does not show learn_rows as it is: copy it again"


def test_every_function_of_the_loop_is_explained_in_the_design() -> None:
    _, after = DESIGN.read_text().split("<!-- learn_rows: end -->")
    table = after.split("\n## ")[0]
    assert {name for name in called_names(learn_rows) if f"`{name}`" not in table} == set()
