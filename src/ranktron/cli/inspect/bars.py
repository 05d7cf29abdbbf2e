"""Pictures of numbers in lines of text: signed bars, and the intervals between thresholds, in steps of half a character."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

# Stands for an interval between equal thresholds.
EMPTY = "╎"

# An interval without an end gets this part of the width.
SHARE_OF_AN_END = 6


def signed_bars(values: Sequence[float], width: int) -> list[str]:
    """One bar a value, all of ``width`` characters and of one scale, to either side of an axis.

    >>> print("\\n".join(signed_bars([2.0, -1.0, 0.5], 7)))
      │━━━━
    ━━│
      │━
    """
    longest = max(map(abs, values)) or 1.0
    low, high = min(0.0, *values) / longest, max(0.0, *values) / longest
    shorter = math.ceil((width - 1) * min(-low, high) / (high - low or 1.0))
    left = shorter if -low < high else width - 1 - shorter if low else 0
    scale = 2.0 * (width - 1 - shorter)  # half characters of the longest bar, which fills its side
    return [_signed_bar(round(value / longest * scale), left, width) for value in values]


def _signed_bar(length: int, left: int, width: int) -> str:
    middle = 2 * left
    return _stroke(middle + min(length, 0), middle, left) + "│" + _stroke(0, length, width - 1 - left)


def _stroke(start: int, stop: int, width: int) -> str:
    """A line from half character ``start`` to ``stop``."""
    halves = [start <= half < stop for half in range(2 * width)]
    return "".join(" ╺╸━"[2 * halves[2 * cell] + halves[2 * cell + 1]] for cell in range(width))


def intervals(thresholds: Sequence[float], width: int) -> tuple[list[str], str]:
    """One line a label, with the interval between its thresholds, and the number line that these stand on.

    An interval is at least half a character long, unless its thresholds are equal: then nothing falls into it.

    >>> lines, axis = intervals([-1.0, 2.0], 18)
    >>> print("\\n".join([*lines, axis]))
    ◂━━
       ━━━━━━━━━━━╸
                  ╺━━▸
    ───┴──────────┴───
    """
    places = _places(thresholds, width)
    ends = [0, *places, 2 * width]
    lines = []
    for rank, (start, stop) in enumerate(itertools.pairwise(ends)):
        is_empty = 0 < rank < len(thresholds) and thresholds[rank - 1] == thresholds[rank]
        lines.append(_interval(start, stop, width, is_empty))
    lines[0], lines[-1] = "◂" + lines[0][1:], lines[-1][:-1] + "▸"
    ticks = {place // 2 for place in places}
    return lines, "".join("┴" if cell in ticks else "─" for cell in range(width))


def _places(thresholds: Sequence[float], width: int) -> list[int]:
    """The half character at which each threshold stands."""
    end = 2 * (width // SHARE_OF_AN_END)
    low, high = min(thresholds), max(thresholds)
    size = max(abs(low), abs(high)) or 1.0  # the difference of the two might overflow
    span = high / size - low / size
    room = 2 * width - 1 - 2 * end
    shares = [(one / size - low / size) / span if span > 0.0 else 0.5 for one in thresholds]
    return [end + round(share * room) for share in shares]


def _interval(start: int, stop: int, width: int, is_empty: bool) -> str:
    if is_empty:
        return EMPTY.rjust(start // 2 + 1).ljust(width)
    return _stroke(start, max(stop, start + 1), width)


def short_number(value: float) -> str:
    """A number in a table, four digits of it.

    >>> [short_number(value) for value in (3.0, -0.123456, 1234567.0, 0.0000012)]
    ['3', '-0.1235', '1.235e+06', '1.2e-06']
    """
    return f"{value:.4g}" if math.isfinite(value) else {math.inf: "∞", -math.inf: "-∞"}.get(value, "NaN")
