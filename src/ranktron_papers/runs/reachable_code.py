"""The code that a function reaches inside its package, found in the source files. The rest of these files does not count."""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_EVERYTHING = "*"


class Name(NamedTuple):
    """A name at the top of a module, or ``*`` for all names there."""

    module: str
    name: str


def code_of(function: Any) -> list[str]:
    """The code of a function and of all that it uses of its own package, as text without comments, layout and docstrings."""
    found: dict[Name, list[str]] = {}
    waiting = [Name(function.__module__, function.__qualname__.partition(".")[0])]
    while waiting:
        name = waiting.pop()
        if name not in found:
            statements = _definitions(name.module).get(name.name, [])
            found[name] = [f"{name.module}:{ast.dump(one)}" for one in statements]
            waiting += [used for one in statements for used in _used(one, name.module)]
            waiting += [_imported(name.module)[name.name]] if name.name in _imported(name.module) else []
    return sorted({text for texts in found.values() for text in texts})


@functools.cache
def _definitions(module: str) -> dict[str, list[ast.stmt]]:
    """The statements at the top of a module by the names that they define; one that defines none belongs to every name."""
    statements = [one for one in stripped(_path(module)).body if not isinstance(one, ast.ImportFrom | ast.Import)]
    defining = [(_defined(one), one) for one in statements]
    names = {name for defined, _ in defining for name in defined} | {_EVERYTHING}
    return {name: [one for defined, one in defining if name in (*defined, _EVERYTHING) or not defined] for name in names}


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return set()


def _used(statement: ast.stmt, module: str) -> Iterator[Name]:
    """The names that a statement uses, with the modules that define them."""
    imported = _imported(module) | dict(_imports(statement, module))
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            yield imported.get(node.id, Name(module, node.id))


@functools.cache
def _imported(module: str) -> dict[str, Name]:
    return {name: one for statement in stripped(_path(module)).body for name, one in _imports(statement, module)}


def _imports(statement: ast.stmt, module: str) -> Iterator[tuple[str, Name]]:
    """What a statement imports from its own package, by the names that it gets."""
    for node in ast.walk(statement):
        source = _source(node, module) if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.ImportFrom) and f"{source}.".startswith(f"{_root(module)}."):
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                yield alias.asname or alias.name, Name(inner, _EVERYTHING) if _is_module(inner) else Name(source, alias.name)


def _source(node: ast.ImportFrom, module: str) -> str:
    """The full name of the module that is imported from."""
    here = module.split(".") + ["__init__"] * Path(_path(module)).match("__init__.py")
    return ".".join([*here[: -node.level], *filter(None, [node.module])]) if node.level else str(node.module)


def _root(module: str) -> str:
    """The package whose code is followed: ranktron_papers, or the one that a module elsewhere is in."""
    papers = __name__.partition(".")[0]
    return papers if f"{module}.".startswith(f"{papers}.") else module.rpartition(".")[0]


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the name is inside a module that is not a package
        return False


def _path(module: str) -> str:
    known = getattr(sys.modules.get(module), "__file__", None)
    spec = None if known else importlib.util.find_spec(module)
    return str(known or (spec and spec.origin))


def stripped(path: str) -> ast.Module:
    """The syntax tree of a file without docstrings."""
    tree = ast.parse(Path(path).read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
    return tree


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
