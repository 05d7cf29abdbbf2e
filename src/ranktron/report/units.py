"""Numbers with units, for people."""

from __future__ import annotations


def clock(seconds: float) -> str:
    """Seconds as hours, minutes and seconds.

    >>> clock(5), clock(3700)
    ('0:05', '1:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
