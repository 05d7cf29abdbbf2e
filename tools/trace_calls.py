"""Print which functions of the library one call runs: ``python tools/trace_calls.py [interpreted]``.

Two calls are traced, each after earlier ones on the same model: ``PRank.partial_fit`` of a dense batch and ``Rater.learn_one`` of
a mapping. Counted is every function in a file of ``ranktron`` that Python calls, as ``sys.setprofile`` reports it, once however
often it runs. Comprehensions, lambdas and generator expressions count as the function that they stand in.

By default the loops are compiled, so a loop is one call and the count is the walk a reader makes from the method to the loop.
With ``interpreted`` the loops run as Python, so the rules, the scorers and the rows that they call are counted too.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron.compile import policy

PACKAGE = Path(ranktron.__file__).parent
PARTS_OF_A_FUNCTION = ("<locals>", "<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")


class Call(NamedTuple):
    """The first call of a function, and how deep in the stack it was: calls of other packages do not count."""

    depth: int
    file: str
    function: str


def trace(call: Callable[[], Any]) -> list[Call]:
    """The functions of the package that ``call`` runs, in the order of their first calls."""
    found: dict[tuple[str, str], Call] = {}
    stack: list[bool] = []  # of every call under way, whether it is one of the package

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            path = Path(frame.f_code.co_filename)
            stack.append(path.is_relative_to(PACKAGE))
            if stack[-1]:
                file, function = path.relative_to(PACKAGE).as_posix(), _function(frame.f_code.co_qualname)
                found.setdefault((file, function), Call(sum(stack) - 1, file, function))
        elif event == "return" and stack:
            stack.pop()

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return list(found.values())


def _function(name: str) -> str:
    """The function that a comprehension, a lambda or a generator expression stands in; other functions as they are."""
    parts = name.split(".")
    while parts[-1] in PARTS_OF_A_FUNCTION:
        parts.pop()
    return ".".join(parts)


def partial_fit() -> list[Call]:
    """A later ``PRank.partial_fit`` of a dense batch."""
    X, y = np.arange(100.0).reshape(20, 5) % 7, np.arange(20) % 3
    model = ranktron.PRank().partial_fit(X, y).partial_fit(X, y)
    return trace(lambda: model.partial_fit(X, y))


def learn_one() -> list[Call]:
    """A later ``Rater.learn_one`` of a mapping."""
    model = ranktron.Rater()
    examples = [{name: float((row + 2) * column % 7) for column, name in enumerate("abcde")} for row in range(20)]
    for row, x in enumerate(examples):
        model.learn_one(x, row % 3)
    return trace(lambda: model.learn_one(examples[0], 1))


CALLS = {"PRank.partial_fit(X, y)": partial_fit, "Rater.learn_one(mapping, y)": learn_one}


def walks(interpreted: bool) -> dict[str, list[Call]]:
    """The functions that each of the calls runs."""
    patience, policy.PATIENCE = policy.PATIENCE, math.inf if interpreted else 0.0
    try:
        return {name: traced() for name, traced in CALLS.items()}
    finally:
        policy.PATIENCE = patience


def n_files(calls: list[Call]) -> int:
    """How many files the functions are in."""
    return len({one.file for one in calls})


def report(walks: dict[str, list[Call]]) -> str:
    """The functions of each call, indented by depth, and how many they are."""
    return "\n".join(line for name, calls in walks.items() for line in _described(name, calls))


def _described(name: str, calls: list[Call]) -> list[str]:
    lines = [f"{'  ' * (one.depth + 1) + one.function:58} {one.file}" for one in calls]
    return [f"{name}: {len(calls)} functions in {n_files(calls)} files", *lines]


if __name__ == "__main__":
    print(report(walks(interpreted="interpreted" in sys.argv[1:])))
