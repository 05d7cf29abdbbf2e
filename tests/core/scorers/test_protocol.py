"""Every scorer has what the table of ``core.scorers.protocol`` calls mandatory, and the table is complete."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from typing import Any, NamedTuple

import numpy as np
import pytest

from ranktron.core import budget, scorers
from ranktron.core import protocol as learning
from ranktron.core.protocol import learn, move, score, score_mean, update
from ranktron.core.scorers import protocol
from ranktron.core.scorers.lanes import Lanes
from ranktron.core.scorers.protocol import check_scorer_class, hypothesis, insert_rank
from ranktron.core.scorers.stack import Stack

MODULES = [importlib.import_module(f"{scorers.__name__}.{one.name}") for one in pkgutil.iter_modules(scorers.__path__)]
SCORERS = [
    cls for cls in score.bodies if cls not in (Stack, Lanes)
]  # an ensemble's members learn, but do not predict by themselves


@pytest.mark.parametrize("cls", SCORERS)
def test_the_library_has_complete_scorers(cls: type) -> None:
    check_scorer_class(cls)


def test_all_scorers_are_looked_at() -> None:
    assert len(SCORERS) == 15
    assert {cls.__module__ for cls in SCORERS} == {module.__name__ for module in MODULES} - {
        protocol.__name__,
        Stack.__module__,
        Lanes.__module__,
    }


@pytest.mark.parametrize("missing", [score, score_mean, update, insert_rank, hypothesis])
def test_a_scorer_that_lacks_a_part_is_named_with_the_part(missing: Any) -> None:
    class Incomplete(NamedTuple):
        w: np.ndarray
        lag: np.ndarray

    functions = {score, score_mean, update, insert_rank, hypothesis} - {missing}
    try:
        for function in functions:
            function.on(Incomplete)(lambda scorer, *args: None)
        with pytest.raises(TypeError, match=rf"^Incomplete is not a scorer: register a body of [a-z_ ]*\b{missing.__name__}\b"):
            check_scorer_class(Incomplete)
        missing.on(Incomplete)(lambda scorer, *args: None)
        check_scorer_class(Incomplete)
    finally:
        for function in (*functions, missing):
            function.bodies.pop(Incomplete, None)


def test_a_default_that_reads_a_field_needs_the_field() -> None:
    class Plain(NamedTuple):
        w: np.ndarray

    functions = (score, score_mean, move, hypothesis)
    try:
        for function in functions:
            function.on(Plain)(lambda scorer, *args: None)
        with pytest.raises(TypeError, match=r"^Plain is not a scorer: it has no field lag, so register a body of divisor"):
            check_scorer_class(Plain)
    finally:
        for function in functions:
            function.bodies.pop(Plain)


def test_a_scorer_is_a_named_tuple() -> None:
    with pytest.raises(TypeError, match=r"^dict is not a scorer: derive it from typing\.NamedTuple$"):
        check_scorer_class(dict)


def is_mandatory(function: Any) -> bool:
    return "raise NotImplementedError" in inspect.getsource(function.__wrapped__)


def test_the_table_lists_every_function_of_scorers_and_says_which_are_mandatory() -> None:
    table = dict(re.findall(r"^``(\w+)``  +(.*?)   *\S.*$", protocol.__doc__ or "", re.MULTILINE))
    own = [one for module in (protocol, budget) for one in vars(module).values() if hasattr(one, "bodies")]
    own = [one for one in own if one.__module__ in (protocol.__name__, budget.__name__)]
    own += [one for one in vars(learning).values() if set(SCORERS) & set(getattr(one, "bodies", ()))]
    functions = {one.__name__: one for one in own}
    assert set(table) == set(functions)
    for name, default in table.items():
        assert default.startswith("mandatory") == is_mandatory(functions[name]), name
    assert not is_mandatory(learn)
