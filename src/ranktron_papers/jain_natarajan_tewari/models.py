"""Predtron as Jain, Natarajan & Tewari define it."""

from __future__ import annotations

from typing import Any

from ranktron.algorithms import Predtron


def predtron(task: Any, *, average: bool = False, **parameters: Any) -> Any:
    """A Predtron for a task, by default with its last hypothesis. Its class depends on the task."""
    kind: Any = Predtron
    return kind(task, average=average, **parameters)
