"""Batches in portions: each ends at a milestone, and no longer than there is room for what its rows leave behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..history import EARLIEST, FIRST_MILESTONE, KEPT, is_milestone, milestones

if TYPE_CHECKING:
    from .learner import Learner

# What learns a batch from one row or list to another; returns the first row that cannot be learned, or -1.
Run = Callable[[int, int], int]


def learn_in_chunks(learner: Learner, count: int, with_room: Callable[[int, int], int], ready: Callable[[int], Run]) -> int:
    """Learn so many rows or lists; returns as a ``Run`` does.

    ``with_room(start, portion)`` makes room for as much of a portion as it says; ``ready(count)`` gets ready to learn so many.
    """
    start, age, grows = 0, learner.age, learner.grows
    run = None if grows else ready(count)
    for stop in _stops(learner, age, count):
        while start < stop:
            portion = stop - start
            if run is None or grows:
                portion = with_room(start, portion)
                grows = learner.grows
                run = ready(portion if grows else count)
            refused = run(start, start + portion)
            if refused >= 0:
                return refused
            start += portion
        if is_milestone(age + stop):
            learner.look_back(age + stop)
    return -1


def _stops(learner: Learner, age: int, count: int) -> list[int]:
    """Where to look back while so many are learned, and the end: what a trail has forgotten by then is not worth a stop."""
    least = FIRST_MILESTONE
    if learner.plan["scale"] != "settled":
        if not learner.leaves_a_trail:
            return [count]
        least = max(EARLIEST, 1 << (age + count).bit_length() >> KEPT)
    return [*(one - age for one in milestones(age, age + count, least)), count]
