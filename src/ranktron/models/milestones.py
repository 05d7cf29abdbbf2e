"""Ages at which a learner looks back: powers of two, so that they are few however long the stream."""

from __future__ import annotations

# The first age at which a learner looks back; the sooner its scaling settles, the better it knows what it learned under it.
FIRST_MILESTONE = 8


def milestones(after: int, before: int, least: int = FIRST_MILESTONE) -> list[int]:
    """Those after one age and before another, and not below ``least``, which is one.

    >>> milestones(0, 100), milestones(8, 64), milestones(1_000, 10_000, 4_096)
    ([8, 16, 32, 64], [16, 32], [4096, 8192])
    """
    return [1 << power for power in range(max(after, least - 1).bit_length(), (before - 1).bit_length())]


def is_milestone(age: int) -> bool:
    """Whether this is one."""
    return age & (age - 1) == 0 and age >= FIRST_MILESTONE
