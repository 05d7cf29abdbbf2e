"""What figures share: colours, plain axes, and curves with bands and names at their ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .results import Results
from .rules import BY_ROUND

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, SKY, ORANGE, GREEN, PINK, YELLOW, BLACK, GREY = (
    "#0072B2", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000", "#8A8A8A",
)  # fmt: skip


class Look(NamedTuple):
    """How a curve is drawn."""

    colour: str
    dashes: str = "-"
    width: float = 1.8
    # The text at its end, if that is not its name.
    label: str | None = None


def tidy(axes: Any, grid: str = "y") -> None:
    """Remove the frame where nothing is read, and draw a faint grid across one axis or ``both``."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color="#E5E5E5", linewidth=0.6)
    axes.set_axisbelow(True)


def tidy_lines(axes: Any) -> None:
    """The same for lines of text with values beside them: the vertical axis has names only."""
    tidy(axes, "x")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def curve(axes: Any, results: Results, x: Sequence[float], name: str, lowest: float = -np.inf, **line: Any) -> None:
    """Draw a mean curve with its 95 % band, which is cut off below ``lowest``."""
    value, half = results.curve(name)
    axes.plot(x, value, **line)
    axes.fill_between(x, np.maximum(value - half, lowest), value + half, color=line["color"], alpha=0.18, linewidth=0)


def curves(axes: Any, results: Results, rounds: Sequence[float], looks: Mapping[str, Look], form: str = BY_ROUND) -> None:
    """Draw the mean curves with their 95 % bands."""
    for name, look in looks.items():
        curve(axes, results, rounds, form.format(name), color=look.colour, linestyle=look.dashes, linewidth=look.width)
    tidy(axes)


def name_ends(axes: Any, results: Results, looks: Mapping[str, Look], apart: float = 0.05) -> None:
    """Write the names of curves at their right ends, at least the share ``apart`` of the axis from each other.

    A curve ends in the number that has its name.
    """
    bottom, top = axes.get_ylim()
    places = {name: (results.mean(name).value - bottom) / (top - bottom) for name in looks}
    order = sorted(places, key=places.__getitem__)
    for name, place in zip(order, spread([places[name] for name in order], apart), strict=True):
        look = looks[name]
        axes.text(1.015, place, look.label or name, color=look.colour, transform=axes.transAxes, va="center", fontsize=9)


def spread(places: Sequence[float], apart: float) -> list[float]:
    """Ascending places, moved as little as possible so that they are ``apart``; groups keep their centre.

    >>> spread([0.5, 0.5, 0.9], 0.1)
    [0.45, 0.55, 0.9]
    """
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _low(groups[-1], apart) - _high(groups[-2], apart) < apart - 1e-12:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [_low(group, apart) + i * apart for group in groups for i in range(len(group))]


def _low(group: Sequence[float], apart: float) -> float:
    return float(np.mean(group)) - (len(group) - 1) * apart / 2


def _high(group: Sequence[float], apart: float) -> float:
    return float(np.mean(group)) + (len(group) - 1) * apart / 2
