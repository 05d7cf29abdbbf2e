"""Thresholds on a line: how Crammer & Singer draw an update (Figure 1) and a margin (Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..plots import BLUE, GREY, ORANGE, SKY
from ..results import Results

SIZE, SMALL = 10, 8
ASKED = {
    "fixed": ("margin β at every threshold", (1.0, 1.0, 1.0, 1.0)),
    "loss": ("margin β |y − ŷ|, here 3β, at every threshold", (3.0, 3.0, 3.0, 3.0)),
    "distance": ("margin β, 2β, 3β by the distance", (3.0, 2.0, 1.0, 1.0)),
}


def draw_update(results: Results, figure: Any) -> None:
    """Draw three lines: before the update, its moves, and after it."""
    numbers = _first(results)
    before, after = (_thresholds(numbers, when) for when in ("before", "after"))
    row, moved = numbers["w·x before"], numbers["w·x after"]
    low, high = min([row, *after]) - 0.8, max([*before, moved]) + 0.8
    top, middle, bottom = figure.subplots(3, 1)
    _line(top, low, high, f"before: a row of rank 4 is ranked {numbers['predicted rank before']:.0f}")
    _rule(top, before, row)
    _line(middle, low, high, "the update")
    _rule(middle, before, row, alpha=0.4)
    _arrow(middle, row, moved, 0.66, ORANGE, f"w·x + 3‖x‖² = w·x + {moved - row:.4g}")
    for old, new in zip(before[:3], after[:3], strict=True):
        _arrow(middle, old, new, 0.36, BLUE, "−1")
    _line(bottom, low, high, f"after: it is ranked {numbers['predicted rank after']:.0f}")
    _rule(bottom, after, moved)


def draw_margins(results: Results, figure: Any) -> None:
    """Draw a line for every margin: the rule after the update, and the required distances of thresholds from the row."""
    numbers = _first(results)
    ends = [value for name, value in numbers.items() if " after, " in name and name[0] in "wb"]
    for axes, (kind, (title, asked)) in zip(figure.subplots(3, 1), ASKED.items(), strict=True):
        _line(axes, min(ends) - 0.8, max(ends) + 0.8, title)
        row, sides = numbers[f"w·x after, {kind}"], (-1, -1, -1, 1)
        for side, size in dict.fromkeys(zip(sides, asked, strict=True)):
            name = "β" if size == 1 else f"{size:.0f}β"
            _arrow(axes, row, row + side * size, 0.5 + 0.22 * (size - 1 if kind == "distance" else 0), ORANGE, name, size / 2)
        _rule(axes, _thresholds(numbers, f"after, {kind}"), row)


def _first(results: Results) -> dict[str, float]:
    return {name: float(results.values(name)[0]) for name in results.names}


def _thresholds(numbers: Mapping[str, float], when: str) -> list[float]:
    return [numbers[f"b{r} {when}"] for r in range(1, 5)]


def _line(axes: Any, low: float, high: float, title: str) -> None:
    axes.set(xlim=(low, high), ylim=(-0.45, 1.15))
    axes.set_axis_off()
    axes.plot([low, high], [0.2, 0.2], color=GREY, linewidth=1.2, zorder=1)
    axes.set_title(title, loc="left", fontsize=SIZE, color="#333333", pad=2)


def _rule(axes: Any, thresholds: Sequence[float], row: float, alpha: float = 1.0) -> None:
    """Draw ticks at the thresholds with their values, the interval of rank 4, and the row as a point."""
    axes.fill_between(thresholds[2:], 0.1, 0.3, color=SKY, alpha=0.35 * alpha, linewidth=0)
    axes.text(np.mean(thresholds[2:]), -0.02, "rank 4", ha="center", va="top", color=BLUE, fontsize=SMALL)
    for place in sorted({round(b, 9) for b in thresholds}):
        names = [f"$b_{r}$" for r, b in enumerate(thresholds, 1) if round(b, 9) == place]
        axes.plot([place, place], [0.08, 0.32], color=BLUE, linewidth=2, alpha=alpha)
        axes.text(place, -0.02, " ".join(names), ha="center", va="top", color=BLUE, fontsize=SIZE)
        axes.text(place, -0.24, f"{place:.4g}", ha="center", va="top", color=GREY, fontsize=SMALL)
    axes.plot([row], [0.2], "o", color=ORANGE, markersize=9, alpha=alpha, zorder=3)
    axes.text(row, 0.32, f"w·x = {row:.4g}", ha="center", va="bottom", color=ORANGE, fontsize=SMALL)


def _arrow(axes: Any, start: float, end: float, height: float, colour: str, name: str, along: float | None = None) -> None:
    """Draw an arrow with its name above its middle, or at the distance ``along`` from its start."""
    axes.annotate("", (end, height), (start, height), arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.5})
    place = (start + end) / 2 if along is None else start + (along if end > start else -along)
    axes.text(place, height + 0.03, name, ha="center", color=colour, fontsize=SIZE)
