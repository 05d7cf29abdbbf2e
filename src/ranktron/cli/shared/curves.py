"""Curves in a terminal, drawn by braille characters: two by four dots a character, one colour a curve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...report.style import COLOURS

# Dashes: columns with and without dots.
_DASHES = (1, 0), (3, 2), (1, 2)

_DOTS = (0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80)
_FADED = "dim"

# Pieces of text with their styles.
Line = list[tuple[str, str]]


class Curve(NamedTuple):
    """Points from left to right, and the number in the legend, which gives the colour."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    number: int = 0


class Window(NamedTuple):
    """The part of the plane that is shown."""

    left: float
    right: float
    low: float
    high: float
    log: bool = False

    def across(self, x: float) -> float:
        """The place of ``x`` between left and right, from 0 to 1."""
        if self.log:
            return math.log(x / self.left) / math.log(self.right / self.left)
        return (x - self.left) / (self.right - self.left)

    def up(self, y: float) -> float:
        """The place of ``y`` between low and high, from 0 to 1; values outside are at the edge."""
        return min(max((y - self.low) / (self.high - self.low), 0.0), 1.0)


def numbers(values: Iterable[Any]) -> list[float]:
    """Numbers of plain data, in which None stands for NaN."""
    return [math.nan if value is None else float(value) for value in values]


def style(number: int) -> str:
    """The colour of a curve."""
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """The marker of a curve in a legend: full for a solid curve, hollow for a dashed one."""
    return "●○◌"[number // len(COLOURS) % len(_DASHES)]


TINIEST = 1e-300  # a fraction of a much smaller number underflows to 0


def window(curves: Sequence[Curve], log: bool = False) -> Window:
    """The part worth showing: all columns, but not the heights of the first steps and of curves far behind.

    A time average is erratic at first, and one bad curve would flatten the others: both leave the window at its top.
    """
    left = min((curve.x[0] for curve in curves if len(curve.x)), default=1.0) if log else 0.0
    right = max((curve.x[-1] for curve in curves if len(curve.x)), default=1.0)
    if right <= left:
        right = left + 1.0
    settled = left * (right / left) ** 0.35 if log else right / 7
    heights = [[y for x, y in zip(curve.x, curve.y) if x >= settled and math.isfinite(y)] for curve in curves]
    lows, highs = (sorted(pick(one) for one in heights if one) for pick in (min, max))
    if not lows:
        return Window(left, right, 0.0, 1.0, log)
    high = min(highs[-1], lows[0] + 2.0 * (highs[len(highs) // 2] - lows[0]))
    size = high - lows[0] or abs(high)
    margin = (size if size > TINIEST else 1.0) / 20
    return Window(left, right, max(lows[0] - margin, min(lows[0], 0.0)), high + margin, log)


def plot(curves: Sequence[Curve], width: int, height: int, log: bool = False, unit: str = "rows") -> list[Line]:
    """The curves between axes with ticks, and their names at their ends, in lines of at most ``width`` characters.

    The first curve is on top of the others; there are at most as many names as lines. If the plot is too narrow for names, only
    the legend has them.

    >>> curve = Curve("PRank", [1, 50, 100], [1.0, 0.5, 0.25])
    >>> for line in plot([curve], 40, 5):
    ...     print("".join(text for text, _ in line).rstrip())
        │⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠑⠤⡀
        │               ⠈⠑⠤⡀
    0.4 ┤                  ⠈⠑⠤⡀
        │                     ⠈⠑⠤⡀
        │                        ⠈⠑⠢ ● PRank
        └┴────────────┴────────────┴
         0           50          100
    """
    view = window(curves, log)
    ticks = _heights(view, height)
    margin = max((len(text) for text in ticks.values()), default=0) + 1
    named = curves[:height]
    beside = max((len(curve.name) for curve in named), default=0) + 3
    names = _placed(named, view, height) if beside <= 0.4 * width else {}
    across = width - margin - 1 - (beside if names else 0)
    cells = _cells(curves, view, across, height)
    lines: list[Line] = []
    for row in range(height):
        line: Line = [(ticks.get(row, "").rjust(margin - 1) + (" ┤" if row in ticks else " │"), _FADED), *cells[row]]
        if row in names:
            line += [(f" {marker(names[row].number)} ", style(names[row].number)), (names[row].name, "")]
        lines.append(line)
    return [*lines, *_feet(view, margin, across, unit)]


def legend(curves: Sequence[Curve], width: int) -> list[Line]:
    """The names with their colours, as many per line as fit."""
    column = max((len(curve.name) for curve in curves), default=0) + 4
    a_line = max(width // column, 1)
    return [
        [piece for curve in curves[start : start + a_line] for piece in _named(curve, column - 2)]
        for start in range(0, len(curves), a_line)
    ]


def _named(curve: Curve, size: int) -> Line:
    return [(f"{marker(curve.number)} ", style(curve.number)), (curve.name.ljust(size), "")]


def _cells(curves: Sequence[Curve], view: Window, across: int, height: int) -> list[Line]:
    """The plot itself: for every line of text, runs of characters of one style."""
    masks = [[0] * across for _ in range(height)]
    owners = [[-1] * across for _ in range(height)]
    for curve in reversed(curves):
        for column, row in _dots(curve, view, 2 * across, 4 * height):
            masks[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
            owners[row // 4][column // 2] = curve.number
    return [_runs(mask, owner) for mask, owner in zip(masks, owners)]


def _runs(masks: list[int], owners: list[int]) -> Line:
    line: Line = []
    for mask, owner in zip(masks, owners):
        text, colour = (chr(0x2800 + mask), style(owner)) if mask else (" ", "")
        if line and line[-1][1] == colour:
            line[-1] = line[-1][0] + text, colour
        else:
            line.append((text, colour))
    return line


def _dots(curve: Curve, view: Window, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """The dots of a curve, without gaps from column to column."""
    drawn, left_out = _DASHES[curve.number // len(COLOURS) % len(_DASHES)]
    before = None
    for column, y in _resampled(curve, view, columns):
        row = round((1.0 - view.up(y)) * (rows - 1))
        start = row if before is None else before + (row > before) - (row < before)
        before = row
        if column % (drawn + left_out) < drawn:
            yield from ((column, one) for one in range(min(start, row), max(start, row) + 1))


def _resampled(curve: Curve, view: Window, columns: int) -> Iterator[tuple[int, float]]:
    """The curve's height in every column from its first point to its last, on straight lines between points."""
    places = [(view.across(x) * (columns - 1), y) for x, y in zip(curve.x, curve.y) if x >= view.left and math.isfinite(y)]
    if not places:
        return
    point = 0
    for column in range(math.floor(places[0][0]), round(places[-1][0]) + 1):
        while point + 1 < len(places) and places[point + 1][0] <= column:
            point += 1
        (x0, y0), (x1, y1) = places[point], places[min(point + 1, len(places) - 1)]
        share = min(max((column - x0) / (x1 - x0), 0.0), 1.0) if x1 > x0 else 0.0
        yield column, y0 + share * (y1 - y0)


def _placed(curves: Sequence[Curve], view: Window, height: int) -> dict[int, Curve]:
    """A line of text for every name: near the end of its curve, in order, one name per line."""
    known = sorted((curve for curve in curves if len(curve.y) and math.isfinite(curve.y[-1])), key=lambda curve: -curve.y[-1])
    rows = spread([(1.0 - view.up(curve.y[-1])) * (height - 1) for curve in known], 1.0, 0.0, height - 1.0)
    return {round(row): curve for row, curve in zip(rows, known)}


def spread(wanted: Sequence[float], apart: float, first: float, last: float) -> list[float]:
    """Places in ascending order, as near to the wanted ones as possible, at least ``apart`` from each other and within the ends.

    >>> spread([1.0, 1.0, 5.0], 1.0, 0.0, 5.0)
    [1.0, 2.0, 5.0]
    """
    places = list(wanted)
    for number in range(1, len(places)):
        places[number] = max(places[number], places[number - 1] + apart)
    limit = last
    for number in reversed(range(len(places))):
        places[number] = max(min(places[number], limit), first)
        limit = places[number] - apart
    return places


def _heights(view: Window, height: int) -> dict[int, str]:
    """Labels of the vertical axis by line of text."""
    values = ticks(view.low, view.high, max(height // 4, 2))
    decimals = max(decimals_of(values), 1)
    return {round((1.0 - view.up(value)) * (height - 1)): f"{value:.{decimals}f}" for value in values}


def _feet(view: Window, margin: int, across: int, unit: str) -> list[Line]:
    """The horizontal axis and its labels."""
    marks = {round(view.across(x) * (across - 1)): short_count(x) for x in along(view, max(across // 14, 2))}
    axis = "".join("┴" if column in marks else "─" for column in range(across))
    labels = [" "] * (across + margin + 12)
    for column, text in sorted(marks.items()):
        start = min(max(margin + 1 + column - len(text) // 2, 0), margin + 1 + across - len(text))
        if all(one == " " for one in labels[max(start - 1, 0) : start + len(text)]):
            labels[start : start + len(text)] = text
    text = "".join(labels).rstrip()
    text = text + f" {unit}" if len(text) + len(unit) + 1 <= margin + 1 + across else text
    return [[(" " * margin + "└" + axis, _FADED)], [(text, _FADED)]]


def along(view: Window, count: int) -> Iterable[float]:
    """Ticks of the horizontal axis: round numbers, powers of ten if it is logarithmic."""
    if not view.log:
        return ticks(view.left, view.right, count)
    powers = range(math.ceil(math.log10(view.left) - 1e-9), math.floor(math.log10(view.right) + 1e-9) + 1)
    return [10.0**power for power in powers]


def ticks(low: float, high: float, count: int) -> list[float]:
    """About ``count`` round numbers from low to high.

    >>> ticks(0.0, 50_000.0, 5)
    [0.0, 10000.0, 20000.0, 30000.0, 40000.0, 50000.0]
    """
    rough = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(one for one in (1, 2, 5, 10) if one * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(-math.floor(math.log10(step)), 0)
    return [round(number * step, digits) + 0.0 for number in range(first, last + 1)]


def decimals_of(values: Sequence[float]) -> int:
    """The number of decimals that these round numbers need."""
    return max((len(f"{value:.10f}".rstrip("0").partition(".")[2]) for value in values), default=0)


def short_count(x: float) -> str:
    """A number of rows in a few characters.

    >>> [short_count(x) for x in (0, 999, 1500, 40_000, 2_500_000)]
    ['0', '999', '1.5k', '40k', '2.5M']
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if x >= size:
            return f"{x / size:.4g}{letter}"
    return f"{x:.4g}"
