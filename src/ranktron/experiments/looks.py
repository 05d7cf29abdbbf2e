"""How figures look: colours, and curves with bands and names at their ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .results import Results
from .rules import BY_ROUND

BLUE, SKY, ORANGE, GREEN, PINK, YELLOW, BLACK, GREY = (
    "#0072B2", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000", "#8A8A8A",
)  # fmt: skip
"""Okabe and Ito's colours, which the colour-blind tell apart."""


class Look(NamedTuple):
    """How a curve is drawn."""

    colour: str
    dashes: str = "-"
    width: float = 1.8
    label: str | None = None
    """What stands at its end, where that is not its name."""


def curves(axes: Any, results: Results, rounds: Sequence[float], looks: Mapping[str, Look], form: str = BY_ROUND) -> None:
    """Draw the mean curves with their 95 % bands."""
    for name, look in looks.items():
        value, half = results.curve(form.format(name))
        axes.plot(rounds, value, look.dashes, color=look.colour, linewidth=look.width)
        axes.fill_between(rounds, value - half, value + half, color=look.colour, alpha=0.18, linewidth=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E5E5E5", linewidth=0.6)
    axes.set_axisbelow(True)


def name_ends(axes: Any, results: Results, looks: Mapping[str, Look], apart: float = 0.05) -> None:
    """Write the names at the right ends of the curves, ``apart`` parts of the height from each other at least.

    The end of a curve is the number of its name.
    """
    bottom, top = axes.get_ylim()
    places = {name: (results.mean(name).value - bottom) / (top - bottom) for name in looks}
    order = sorted(places, key=places.__getitem__)
    for name, place in zip(order, spread([places[name] for name in order], apart), strict=True):
        look = looks[name]
        axes.text(1.015, place, look.label or name, color=look.colour, transform=axes.transAxes, va="center", fontsize=9)


def spread(places: Sequence[float], apart: float) -> list[float]:
    """Ascending places moved as little as keeps them ``apart``, by halves to either side.

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
