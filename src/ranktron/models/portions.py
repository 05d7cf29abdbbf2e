"""Batches in portions: each ends at a milestone, and no longer than there is room for what its rows leave behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .milestones import to_milestone
from .trail import EARLIEST, KEPT

if TYPE_CHECKING:
    from .learner import Learner

Run = Callable[[int, int], int]
"""What learns a batch from one row or list to another; returns the first row that cannot be learned, or -1."""


def in_portions(learner: Learner, count: int, with_room: Callable[[int, int], int], ready: Callable[[int], Run]) -> int:
    """Learn so many rows or lists; returns as a ``Run`` does.

    ``with_room(start, portion)`` makes room for as much of a portion as it says; ``ready(count)`` gets ready to learn so many.
    """
    start, run = 0, None
    while start < count:
        left = count - start
        portion = with_room(start, min(left, _next_stop(learner, left)))
        if run is None or learner.grows:
            run = ready(portion if learner.grows else count)
        refused = run(start, start + portion)
        if refused >= 0:
            return refused
        learner.pause()
        start += portion
    return -1


def _next_stop(learner: Learner, rows: int) -> int:
    """How many of so many rows to learn before looking back: a trail that has forgotten a milestone need not see it."""
    if learner.plan["scale"] == "settled":
        return to_milestone(learner.age)
    last = 1 << (learner.age + rows).bit_length() - 1
    return to_milestone(learner.age, max(EARLIEST, last >> KEPT - 1))
