"""The arithmetic of ``tastes`` for compiled code."""

from __future__ import annotations

from typing import Any


def move_tastes(tastes: Any, person: Any, others: Any, item: Any, push: float, keep: float) -> None:
    for f in range(tastes.shape[1]):
        own, other = tastes[person, f], others[item, f]
        tastes[person, f] = keep * own + push * other
        others[item, f] = keep * other + push * own
