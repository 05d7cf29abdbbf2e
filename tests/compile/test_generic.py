"""Generic functions pick their bodies by class, and keep the rules that make them readable."""

from __future__ import annotations

import ast
import collections
import importlib
import inspect
import textwrap
from typing import Any

from ranktron.compile.generic import generic
from tests.processes import PACKAGE


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
