"""Curves and intervals as SVG, which a page holds as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from ....report.parts import thinned
from ....report.style import COLOURS
from ...shared.curves import Curve, Window, along, decimals_of, numbers, short_count, spread, ticks, window

# The number of best entries with a colour and a name; the others are grey.
NAMED = 14

_DASHES = ("", "7 3", "2 3")


class Frame(NamedTuple):
    """The size of a chart, the margins around its plot, and whether names or only places stand at the ends of curves."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    names: bool

    def x(self, view: Window, x: float) -> float:
        """Where ``x`` is from the left."""
        return self.left + view.across(x) * (self.width - self.left - self.right)

    def y(self, view: Window, y: float) -> float:
        """Where ``y`` is from the top; values outside the plot may be a little beyond it."""
        share = min(max((y - view.low) / (view.high - view.low), -2.0), 5.0)
        return self.height - self.bottom - share * (self.height - self.top - self.bottom)


WIDE = Frame(960, 430, 52, 250, 14, 44, True)
NARROW = Frame(360, 290, 40, 24, 12, 40, False)


def colour(place: int) -> str:
    """The class of a curve's colour."""
    return f"c{place % len(COLOURS)}" if place < NAMED else "rest"


def dash(place: int) -> str:
    """The attribute of a curve's dashes."""
    dashes = _DASHES[place // len(COLOURS) % len(_DASHES)] if place < NAMED else ""
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def charts(result: dict[str, Any], log: bool) -> str:
    """The curves for a wide and for a narrow page; the page shows the one that fits."""
    found = curves_of(result)
    view = window(found, log)
    halves = result["curves"]["interval"]
    return "".join(_chart(found, halves, view, frame, result["curves"]["unit"]) for frame in (WIDE, NARROW))


def curves_of(result: dict[str, Any]) -> list[Curve]:
    """The curves of a result, best first."""
    losses, at = result["curves"]["loss"], result["curves"]["at"]
    return [Curve(one["name"], at, numbers(losses[one["name"]]), place) for place, one in enumerate(result["league"])]


def _chart(curves: Sequence[Curve], halves: dict[str, Any], view: Window, frame: Frame, unit: str) -> str:
    size, kind = f"0 0 {frame.width} {frame.height}", "wide" if frame.names else "narrow"
    drawn = [_band(curve, halves[curve.name], view, frame) for curve in reversed(curves) if curve.number < NAMED]
    drawn += [_line(curve, view, frame) for curve in reversed(curves)]
    label = f"Time-averaged loss of {len(curves)} models over the {unit} learned; the table below has the numbers."
    clip = f"plot-{kind}{'-log' if view.log else ''}"
    inside = f'<rect x="{frame.left}" y="{frame.top}" width="{frame.width - frame.left - frame.right}" '
    inside += f'height="{frame.height - frame.top - frame.bottom}"/>'
    facts = f'data-left="{frame.left}" data-right="{frame.width - frame.right}" data-from="{view.left:.6g}" '
    facts += f'data-to="{view.right:.6g}" data-log="{int(view.log)}"'
    rule = f'<line class="rule" y1="{frame.top}" y2="{frame.height - frame.bottom}" x1="-9" x2="-9"/>'
    return (
        f'<svg class="chart {kind}" viewBox="{size}" role="img" aria-label="{escape(label)}" {facts}>'
        f'<clipPath id="{clip}">{inside}</clipPath>{_axes(view, frame, unit)}<g clip-path="url(#{clip})">{"".join(drawn)}</g>'
        f"{_ends(curves, view, frame)}{rule}</svg>"
    )


def _axes(view: Window, frame: Frame, unit: str) -> str:
    left, right, bottom = frame.left, frame.width - frame.right, frame.height - frame.bottom
    heights = ticks(view.low, view.high, 6 if frame.names else 4)
    decimals = max(decimals_of(heights), 1)
    parts = [
        f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="tick" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.{decimals}f}</text>'
        for value, y in ((value, frame.y(view, value)) for value in heights)
    ]
    for value in along(view, 7 if frame.names else 4):
        x = frame.x(view, value)
        parts.append(
            f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 5}"/>'
            f'<text class="tick" x="{x:.1f}" y="{bottom + 19}" text-anchor="middle">{short_count(value)}</text>'
        )
    parts.append(f'<line class="axis" x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
    parts.append(f'<text class="tick" x="{right}" y="{frame.height - 6}" text-anchor="end">{unit} learned</text>')
    return "".join(parts)


def _places(curve: Curve, values: Sequence[Any], view: Window, frame: Frame) -> list[tuple[float, float]]:
    points = [(curve.x[i], values[i]) for i in thinned(len(curve.x))]
    return [(frame.x(view, x), frame.y(view, y)) for x, y in points if math.isfinite(y) and x >= view.left]


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _line(curve: Curve, view: Window, frame: Frame) -> str:
    places = _places(curve, curve.y, view, frame)
    if not places:
        return ""
    kind = f"curve {colour(curve.number)}{' best' if curve.number == 0 else ''}"
    title = f"<title>{escape(curve.name)}: {curve.y[-1]:.4f}</title>"
    return f'<path class="{kind}" data-place="{curve.number}" d="{_path(places)}"{dash(curve.number)}>{title}</path>'


def _band(curve: Curve, halves: Sequence[Any], view: Window, frame: Frame) -> str:
    sizes = numbers(halves)
    above = _places(curve, [y + half for y, half in zip(curve.y, sizes)], view, frame)
    below = _places(curve, [y - half for y, half in zip(curve.y, sizes)], view, frame)
    return (
        ""
        if not above
        else f'<path class="band {colour(curve.number)}" data-place="{curve.number}" d="{_path([*above, *reversed(below)])}Z"/>'
    )


def _ends(curves: Sequence[Curve], view: Window, frame: Frame) -> str:
    """Names, or places in the table, at the ends of the curves, apart from each other and tied to their curves."""
    ended = [curve for curve in curves if curve.number < NAMED and len(curve.y) and math.isfinite(curve.y[-1])]
    known = sorted(ended, key=lambda curve: -curve.y[-1])
    ends = [max(frame.y(view, curve.y[-1]), float(frame.top)) for curve in known]
    apart = 17.0 if frame.names else 13.0
    places = spread(ends, apart, frame.top + 2.0, frame.height - frame.bottom)
    right = frame.width - frame.right
    return "".join(_end(curve, right, end, place, frame) for curve, end, place in zip(known, ends, places))


def _end(curve: Curve, right: int, end: float, place: float, frame: Frame) -> str:
    kind, start = colour(curve.number), right + (14 if frame.names else 6)
    tie = f'<path class="tie {kind}" d="M{right} {end:.1f}L{start} {place:.1f}"/>'
    text = f"{curve.number + 1}"
    if frame.names:
        tie += f'<path class="curve {kind}" d="M{start} {place:.1f}h18"{dash(curve.number)}/>'
        text, start = escape(curve.name if len(curve.name) <= 26 else curve.name[:25] + "…"), start + 24
    best = " best" if curve.number == 0 else ""
    name = f'<text class="name{best}" x="{start}" y="{place + 4:.1f}">{text}</text>'
    return f'<g class="end" data-place="{curve.number}">{tie}{name}</g>'


def whiskers(value: float, half: float | None, low: float, high: float, place: int) -> str:
    """A dot with its interval, on a scale from low to high that all rows of a table share; an arrow for what is beyond."""
    width, span = 110.0, (high - low) or 1.0

    def across(x: float) -> float:
        return 5.0 + (width - 10.0) * min(max((x - low) / span, 0.0), 1.0)

    bar = "" if half is None else f'<path class="whisker" d="M{across(value - half):.1f} 8H{across(value + half):.1f}"/>'
    dot = f'<circle class="dot {colour(place)}" cx="{across(value):.1f}" cy="8" r="3.5"/>'
    if value > high:
        bar, dot = "", f'<path class="dot {colour(place)}" d="M{width - 9:g} 4l7 4l-7 4z"/>'
    scale = f'<path class="grid" d="M0 8H{width:g}"/>'
    return f'<svg class="whiskers" viewBox="0 0 {width:g} 16" aria-hidden="true">{scale}{bar}{dot}</svg>'


def swatch(place: int) -> str:
    """A piece of a curve, for a legend."""
    piece = f'<path class="curve {colour(place)}" d="M1 4h20"{dash(place)}/>'
    return f'<svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">{piece}</svg>'
