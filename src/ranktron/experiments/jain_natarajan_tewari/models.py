"""Predtron as Jain, Natarajan & Tewari have it."""

from __future__ import annotations

from typing import Any

from ...algorithms import Predtron


def predtron(task: Any, *, average: bool = False, **parameters: Any) -> Any:
    """Predtron for a task, which predicts with its last hypothesis; its kind follows the task."""
    kind: Any = Predtron
    return kind(task, average=average, **parameters)
