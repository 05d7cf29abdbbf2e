"""Figures of Jain, Natarajan & Tewari: the curves of Figure 1, and losses beside bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import plots
from ..plots import BLUE, GREEN, GREY, ORANGE, tidy
from ..results import Results
from .lists import ALMOST_ZERO, CENTRES, COUNTS, LENGTHS, POWERS, TIES

COLOURS = dict(zip(POWERS, (ORANGE, BLUE, GREEN)))
LEGIBLE = {"1/i": "1/i", "-i^1.1": "−i$^{1.1}$", "-i^2": "−i$^2$"}
# The lower end of logarithmic axes of losses.
LEAST = 1e-5


curve = partial(plots.curve, lowest=LEAST)


# Figure 1 (a) and (b)


def draw_readings(results: Results, figure: Any, x: Sequence[float], label: str) -> None:
    """One panel per reading: a column for each kind of centres, a row for each treatment of ties."""
    figure.set_size_inches(9.5, 5.2)
    panels = figure.subplots(len(TIES), len(CENTRES), sharex=True, sharey=True)
    for row, ties in zip(panels, TIES):
        for axes, centres in zip(row, CENTRES):
            _reading(axes, results, x, f"{centres}, ties by {ties}")
        row[0].set_ylabel(f"ties by {ties}\n1 − NDCG of test lists")
    for axes, centres in zip(panels[0], CENTRES):
        axes.set_title(centres, fontsize=10)
    for axes in panels[-1]:
        axes.set_xlabel(label)
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(POWERS) + 1, frameon=False)


def _reading(axes: Any, results: Results, x: Sequence[float], reading: str) -> None:
    for name, marker in zip(POWERS, "os^"):
        look: dict[str, Any] = {
            "color": COLOURS[name],
            "marker": marker,
            "markersize": 3.5,
            "linewidth": 1.5,
            "label": LEGIBLE[name],
        }
        curve(axes, results, x, f"{name}, {reading}", **look)
    axes.axhline(ALMOST_ZERO, color=GREY, linewidth=0.9, linestyle=":", label=f"{ALMOST_ZERO:g}, called almost 0")
    axes.set(yscale="log", ylim=(2 * LEAST, 0.3))
    tidy(axes)


draw_by_count = partial(draw_readings, x=COUNTS, label="lists learned")
draw_by_length = partial(draw_readings, x=LENGTHS, label="documents a list")


# Figure 1(c)


def draw_links(results: Results, figure: Any, widths: Sequence[float], sparsities: Sequence[float]) -> None:
    """Draw the reading of the text on the left, that of the caption on the right."""
    by_width, by_sparsity = figure.subplots(1, 2, sharey=True)
    for axes, x, name in ((by_width, widths, "{}, {}, step 1"), (by_sparsity, sparsities, "{} by sparsity, {}, step 1")):
        for ties, dashes in zip(TIES, ("--", "-")):
            for link, colour, marker in (("ℓ1", BLUE, "o"), ("ℓ2", ORANGE, "s")):
                look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4, "linewidth": 1.6, "linestyle": dashes}
                curve(axes, results, x, name.format(link, f"ties by {ties}"), label=f"{link}, ties by {ties}", **look)
        axes.set(xscale="log", ylim=(0, None))
        axes.set_xticks(x, [f"{one:g}" for one in x])
        axes.minorticks_off()
        tidy(axes)
    by_width.set(xlabel="features, of which 5 matter", ylabel="1 − NDCG of test lists")
    by_sparsity.set(xlabel="features that matter, of 200")
    figure.legend(*by_width.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)


# Losses and bounds


def draw_beside_bounds(results: Results, figure: Any, groups: Mapping[str, str]) -> None:
    """Draw losses over their bounds, the mean and the range over trials; ``groups`` maps the numbers to labels."""
    axes, names = figure.subplots(), list(groups)
    for place, name in enumerate(names):
        values = np.maximum(results.values(name), 1e-12)
        axes.plot([values.min(), values.max()], [place, place], color=BLUE, linewidth=1.2, alpha=0.5)
        axes.plot(values.mean(), place, "o", color=BLUE if values.max() <= 1 + 1e-9 else ORANGE, markersize=6)
    axes.axvline(1.0, color=GREY, linewidth=1.2, linestyle="--")
    axes.text(1.0, -0.8, " the bound", color=GREY, va="center", fontsize=9)
    axes.set(
        xscale="log",
        ylim=(len(names) - 0.4, -1.2),
        xlabel="total loss, as a part of the bound (mean, least and most of all trials)",
    )
    axes.set_yticks(range(len(names)), list(groups.values()))
    tidy(axes, "x")


def draw_mislabelled(results: Results, figure: Any, shares: Sequence[float]) -> None:
    """Draw the mistakes and their upper limit by the share of wrong labels."""
    axes = figure.subplots()
    for name, colour, dashes, place in (
        ("mistakes", BLUE, "-", "mistakes"),
        ("mistakes allowed", GREY, "--", "the most there can be"),
    ):
        curve(axes, results, shares, name, color=colour, linestyle=dashes, marker="o", markersize=4)
        axes.text(shares[-1], results.curve(name)[0][-1], f"  {place}", color=colour, va="center", fontsize=9)
    axes.set(xlabel="share of labels that are wrong", ylabel="mistakes in 1,000 rounds", yscale="log", xlim=(-0.01, 0.4))
    axes.set_xticks(shares[::2], [f"{share:.0%}" for share in shares[::2]])
    tidy(axes)


def draw_by_ranks(results: Results, figure: Any, ranks: Sequence[float]) -> None:
    """Draw losses and their bounds by the number of ranks."""
    axes = figure.subplots()
    looks = {
        "Predtron, theory step": (BLUE, "-"),
        "Predtron, step 1": (GREEN, "-"),
        "PRank": (ORANGE, "-"),
        "bound of Predtron": (BLUE, "--"),
        "bound of PRank": (ORANGE, "--"),
    }
    for name, (colour, dashes) in looks.items():
        curve(axes, results, ranks, name, color=colour, linestyle=dashes, marker="o", markersize=4, label=name)
    axes.set(xscale="log", yscale="log", xlabel="ranks", ylabel="total loss of 1,000 rounds (ranks)")
    axes.set_xticks(ranks, [f"{one:g}" for one in ranks])
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=9)
    tidy(axes)
