"""Every task gives what ``tasks/protocol.py`` lists as mandatory, and a test of that can fail."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, NamedTuple

import pytest

from ranktron import tasks
from ranktron.tasks import OURS, Multilabel, Task
from ranktron.tasks.protocol import away_from_predicted, away_from_worst, loss_between, loss_of
from ranktron.tasks.rankings import OrderTask

from ..models.predtron.family import Wind

WHERE = "see tasks/protocol.py"
MODULES = [importlib.import_module(f"{tasks.__name__}.{module.name}") for module in pkgutil.iter_modules(tasks.__path__)]
CORES = {
    value.__name__: value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "_fields")
}


def missing(task: type) -> list[str]:
    """One sentence for each mandatory member that a task lacks."""
    if not issubclass(task, Task):
        return [f"task {task.__name__} does not derive from Task: {WHERE}"]
    lacking = [f"{name}()" for name in sorted(getattr(task, "__abstractmethods__", ()))]
    # The targets of a batch, not the task, determine the number of scores of sets and orders of labels.
    if not hasattr(task, "n_scores") and not issubclass(task, Multilabel | OrderTask):
        lacking.append("n_scores")
    return [f"task {task.__name__} lacks {name}: {WHERE}" for name in lacking]


def missing_functions(core: type) -> list[str]:
    """One sentence for each mandatory function without a body for a core."""
    if core in loss_between.bodies:
        return []
    lacking = [] if core in loss_of.bodies else ["loss_of() or loss_between()"]
    if core not in away_from_worst.bodies and core not in away_from_predicted.bodies:
        lacking.append("away_from_worst() or away_from_predicted()")
    return [f"core {core.__name__} lacks {name}: {WHERE}" for name in lacking]


@pytest.mark.parametrize("task", [*OURS, Wind], ids=lambda task: task.__name__)
def test_every_task_is_complete(task: type) -> None:
    assert missing(task) == []


@pytest.mark.parametrize("name", CORES)
def test_every_core_is_complete(name: str) -> None:
    assert missing_functions(CORES[name]) == []


class Half(Task):
    """A task that was begun."""

    representation = Wind.representation
    decode = Wind.decode


class Bare(NamedTuple):
    """A core that was begun."""

    weights: Any


def test_a_lacking_member_is_named() -> None:
    assert missing(Half) == [f"task Half lacks {name}: {WHERE}" for name in ("loss_augmented()", "loss_of()", "n_scores")]
    assert missing(dict) == [f"task dict does not derive from Task: {WHERE}"]
    with pytest.raises(TypeError, match=r"abstract class Half .*loss_augmented.*loss_of"):
        Half()  # type: ignore[abstract]


def test_a_lacking_function_is_named() -> None:
    needed = ("loss_of() or loss_between()", "away_from_worst() or away_from_predicted()")
    assert missing_functions(Bare) == [f"core Bare lacks {name}: {WHERE}" for name in needed]
    with pytest.raises(NotImplementedError, match="core Bare lacks loss_between: "):
        loss_between(Bare(0), 0, 0)


def test_half_a_task_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        type("Half", (Task,), {"representation": Wind.representation, "n_scores": 2})()
