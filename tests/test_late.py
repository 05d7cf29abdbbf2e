"""What is imported when somebody asks for it."""

from __future__ import annotations

import sys

import pytest

import ranktron
from ranktron import algorithms, doors
from ranktron._late import Late


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    late = Late({"one": "no_such_module:One", "two": "colorsys:rgb_to_hsv"})
    sys.modules.pop("colorsys", None)
    assert list(late) == ["one", "two"]
    assert len(late) == 2
    assert "one" in late
    assert "colorsys" not in sys.modules
    assert late["two"](1.0, 1.0, 1.0) == (0.0, 0.0, 1.0)
    with pytest.raises(ModuleNotFoundError):
        late["one"]
    with pytest.raises(KeyError):
        late["three"]


def test_every_algorithm_is_where_it_is_said_to_be() -> None:
    assert {name: getattr(algorithms, name) for name in algorithms.__all__} == dict(algorithms.ALL)
    assert dict(doors.MODELS) == {**doors.RATERS, **doors.RANKERS, "Predtron": algorithms.Predtron}
    assert {"Rater": doors.Rater, "Ranker": doors.Ranker}.items() <= dict(doors.MODELS).items()


@pytest.mark.parametrize("module", [ranktron, algorithms, doors])
def test_what_is_not_there_is_said_as_python_says_it(module: object) -> None:
    name = module.__name__  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=f"^module '{name}' has no attribute 'nothing'$"):
        module.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_everything_but_submodules_is_imported_by_a_star() -> None:
    names: dict[str, object] = {}
    exec("from ranktron import *", names)
    assert set(names) - {"__builtins__"} == {*doors.MODELS, "QueryScaler", "load", "export", "AdaGrad"}
    assert names["Rater"] is ranktron.Rater
