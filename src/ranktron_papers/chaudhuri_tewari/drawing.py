"""The figures of Chaudhuri & Tewari's experiments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..plots import BLACK, BLUE, GREEN, GREY, ORANGE, SKY, YELLOW, Look, curve, tidy
from ..results import Results
from .lists import READINGS

# Curves differ in colour and in dashes.
LOOKS = {
    "SLAM": Look(BLUE),
    "MinimaxRank": Look(ORANGE, "--"),
    "ListNet": Look(GREEN, "-."),
    "SLAM averaged": Look(SKY, ":"),
    "MinimaxRank averaged": Look(YELLOW, ":"),
    "ListNet averaged": Look(BLACK, ":"),
}
# The names in the paper.
PAPERS = {"SLAM": "SLAM (Algorithm 2)", "MinimaxRank": "MinimaxRank (Algorithm 3)"}


def panel(axes: Any, title: str, across: str, up: str) -> None:
    """Label the axes of a panel."""
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    tidy(axes)


def draw_curve(
    axes: Any, results: Results, name: str, places: Sequence[float], look: Look, label: str, lowest: float = -math.inf
) -> None:
    """Draw a mean curve with its band in its look."""
    curve(axes, results, places, name, lowest, linestyle=look.dashes, color=look.colour, linewidth=1.7, label=label)


def legend(figure: Any, axes: Any, columns: int = 3) -> None:
    """Draw one legend for all panels, below them."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=columns, frameon=False, fontsize=9)


def draw_figure_1(results: Results, figure: Any) -> None:
    """One panel per reading: time-averaged NDCG@10 by the number of lists."""
    from .separable import FIGURE_1

    figure.set_layout_engine("constrained")
    for axes, reading in zip(figure.subplots(1, len(READINGS), sharey=True), READINGS, strict=True):
        for name in ("SLAM", "MinimaxRank", "ListNet"):
            whole = f"{reading}: {name}, by round"
            draw_curve(axes, results, whole, FIGURE_1.axes[whole], LOOKS[name], PAPERS.get(name, name))
        panel(axes, reading, "lists so far", "")
        axes.set(xscale="log", ylim=(0.85, 1.003))
    figure.axes[0].set_ylabel("time-averaged NDCG@10")
    legend(figure, figure.axes[0])


def draw_constant(results: Results, figure: Any) -> None:
    """One panel per reading: the total loss so far, on logarithmic axes."""
    from .constant import CONSTANT, LISTNETS, MINIMAX, SLAM, SLOW

    figure.set_layout_engine("constrained")
    shown = {SLAM: LOOKS["SLAM"], MINIMAX: LOOKS["MinimaxRank"], LISTNETS[1]: LOOKS["ListNet"], SLOW: LOOKS["SLAM averaged"]}
    for axes, reading in zip(figure.subplots(1, len(READINGS), sharey=True), READINGS, strict=True):
        for name, look in shown.items():
            whole = f"{reading}: {name}, by round"
            draw_curve(axes, results, whole, CONSTANT.axes[whole], look, name, lowest=LOWEST)
        bound = results.mean(f"{reading}: bound, {MINIMAX}").value
        axes.axhline(bound, color="#555555", linewidth=1.0, label="bound of MinimaxRank")
        panel(axes, reading, "lists so far", "")
        axes.set(xscale="log", yscale="log", ylim=(LOWEST, None))
    figure.axes[0].set_ylabel("total loss so far (1 - NDCG@10)")
    legend(figure, figure.axes[0])


# The lower end of the axis of losses.
LOWEST = 0.1


def draw_lower(results: Results, figure: Any) -> None:
    """The total loss by R²/γ², between the bounds."""
    from .lower import LENGTHS, NDCG_COST, RANKERS, SIZES

    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    lower, upper = [NDCG_COST * (size - 1) for size in SIZES], [4.0 * size for size in SIZES]
    really = [4.0 * size / results.mean("least margin over γ").value ** 2 for size in SIZES]
    axes.plot(SIZES, upper, color="#555555", linewidth=1.2, label="upper bound of MinimaxRank, 4R²/γ²")
    axes.plot(SIZES, really, ":", color="#555555", linewidth=1.6, label="the same by the margin that the lists really have")
    axes.plot(SIZES, lower, "--", color="#555555", linewidth=1.2, label="lower bound, Theorem 9")
    totals = [results.curve(f"1 - NDCG in all, {name}, {m} documents")[0] for name in RANKERS for m in LENGTHS]
    label = f"{len(RANKERS)} rankers, lists of {', '.join(map(str, LENGTHS))} documents"
    for number, total in enumerate(totals):
        axes.plot(SIZES, total, "o", color=LOOKS["SLAM"].colour, markersize=6, label=None if number else label)
    panel(axes, "", "R²/γ², one more than the rounds", "total loss (1 - NDCG)")
    axes.set(xscale="log", yscale="log")
    axes.legend(frameon=False, fontsize=9)


def draw_search(results: Results, figure: Any) -> None:
    """AP as in Figure 2 and NDCG@10 as in Figure 3; a row a reading."""
    readings = list(dict.fromkeys(name.partition(": ")[0] for name in results.names))
    figure.set_layout_engine("constrained")
    figure.set_size_inches(7.5, 1.0 + 3.4 * len(readings))
    grid = figure.subplots(len(readings), 2, squeeze=False)
    for reading, row in zip(readings, grid, strict=True):
        for (title, paper), axes in zip({"AP": "Figure 2", "NDCG@10": "Figure 3"}.items(), row, strict=True):
            draw_measure(axes, results, f"{reading}: {title}")
            scaling = f", features {reading}" if len(readings) > 1 else ""
            panel(axes, f"as in {paper}{scaling}", "per cent of the lists so far", f"time-averaged {title}")
    legend(figure, grid[0][0])


def draw_measure(axes: Any, results: Results, lead: str) -> None:
    """Draw all learners and the random order."""
    for name, look in LOOKS.items():
        draw_curve(axes, results, f"{lead}, {name}, by round", range(1, 101), look, PAPERS.get(name, name))
    lot = results.mean(f"{lead}, random order").value
    axes.axhline(lot, color=GREY, linewidth=1.0)
    axes.text(100, lot, "random order", color="#6A6A6A", fontsize=8, ha="right", va="bottom")
