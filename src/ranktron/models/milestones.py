"""Ages at which a learner looks back: powers of two, so that they are few however long the stream."""

from __future__ import annotations

FIRST_MILESTONE = 8
"""The first age at which a learner looks back; the sooner its scaling settles, the better it knows what it learned under it."""


def to_milestone(age: int, least: int = FIRST_MILESTONE) -> int:
    """How many rows there are to go until the age is a power of two, and not below ``least``, which is one.

    >>> to_milestone(0), to_milestone(8), to_milestone(1_000), to_milestone(1_000, 4_096)
    (8, 8, 24, 3096)
    """
    return max(least, 1 << age.bit_length()) - age


def is_milestone(age: int) -> bool:
    """Whether this is one."""
    return age & (age - 1) == 0 and age >= FIRST_MILESTONE
