"""Batches are learned in chunks: a chunk ends at a milestone, and where the buffers for what its rows leave behind are full."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..history import EARLIEST, FIRST_MILESTONE, KEPT, is_milestone, milestones

if TYPE_CHECKING:
    from .learner import Learner

# Learns a batch from one row or list to another; returns the first row that cannot be learned, or -1.
Run = Callable[[int, int], int]


def learn_in_chunks(learner: Learner, count: int, reserve: Callable[[int, int], int], bind: Callable[[], Run]) -> int:
    """Learn ``count`` rows or lists; returns as a ``Run`` does.

    ``reserve(start, n)`` allocates for up to n rows or lists and returns how many fit. ``bind()`` returns what learns.
    """
    start, age = 0, learner.age
    # Where nothing grows, one loop with one set of arguments serves the whole batch.
    run = None if learner.facts.grows else bind()
    for stop in _stops(learner, age, count):
        while start < stop:
            n = stop - start
            if run is None or learner.facts.grows:
                # New buffers are new arguments, so the loop is bound again; a scorer that is full grows no more.
                n = reserve(start, n)
                run = bind()
            refused = run(start, start + n)
            if refused >= 0:
                return refused
            start += n
        if is_milestone(age + stop):
            learner.at_milestone(age + stop)
    return -1


def _stops(learner: Learner, age: int, count: int) -> list[int]:
    """The milestones within the batch, and its end."""
    least = FIRST_MILESTONE
    if learner.plan["scale"] != "settled":
        if not learner.has_history:
            return [count]
        least = max(EARLIEST, 1 << (age + count).bit_length() >> KEPT)  # the history forgets earlier ones in this batch
    return [*(one - age for one in milestones(age, age + count, least)), count]
