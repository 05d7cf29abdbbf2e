"""The rule for theorems, that no measured loss exceeds its bound, and a figure of how close they come."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..judging import CONSISTENT, FAILS, Verdict
from ..plots import BLUE, ORANGE, tidy_lines
from ..results import Results

ROUNDING = 1 + 1e-9
STREAMS, ADVERSARY = "{}, random streams", "{}, adversary"
LOSS, BOUND = "{}: loss", "{}: bound"


def within(key: str, note: str = "") -> Callable[[Results], Verdict]:
    """The rule for a theorem, given the name of its numbers; the note is appended to the reason."""

    def judge(results: Results) -> Verdict:
        kinds = [kind.format(key) for kind in (STREAMS, ADVERSARY) if kind.format(key) in results.names]
        largest = {name: float(results.values(name).max()) for name in kinds}
        text = " and ".join(f"{_share(share)} of it on {_where(name, results)}" for name, share in largest.items())
        worst = max(largest, key=largest.__getitem__)
        if largest[worst] <= ROUNDING:
            return Verdict(CONSISTENT, f"the bound is not exceeded: at most {text}{note}")
        return Verdict(FAILS, f"{_counter_example(results, worst)}; it reaches {text}{note}")

    return judge


def _share(share: float) -> str:
    """A share with three digits, rounded down, so that only 1 means that a bound is reached."""
    if 1 / ROUNDING <= share <= ROUNDING:
        return "all"
    digits = 2 - math.floor(math.log10(share)) if share > 0 else 3
    return f"{math.floor(share * 10**digits) / 10**digits:.3g}"


def _where(name: str, results: Results) -> str:
    return f"{len(results)} random streams" if name.endswith("random streams") else "the adversary"


def _counter_example(results: Results, name: str) -> str:
    trial = int(results.values(name).argmax())
    loss, bound = (float(results.values(form.format(name))[trial]) for form in (LOSS, BOUND))
    return f"{loss:.4g} was measured where it allows {bound:.4g}"


def never(number: str) -> Callable[[Results], Verdict]:
    """The rule that a number is 0 in all trials."""

    def judge(results: Results) -> Verdict:
        times = int(results.values(number).sum())
        return Verdict(CONSISTENT if times == 0 else FAILS, f"{number}: {times} in {len(results)} trials")

    return judge


# Drawing


def draw(results: Results, figure: Any, groups: Mapping[str, Sequence[str]]) -> None:
    """Draw one line per theorem: its losses over its bound on random streams and on its adversary, grouped by paper."""
    lines = _lines(groups)
    figure.set_size_inches(8.5, 0.2 * (len(lines) + len(groups)) + 1.2)
    axes = figure.add_subplot()
    for kind, colour, mark, label in (
        (STREAMS, BLUE, "o", "random streams: median and range"),
        (ADVERSARY, ORANGE, "D", "adversary, at its nearest"),
    ):
        _marks(axes, results, lines, kind, colour, mark, label)
    axes.set_xscale("log")
    _bound(axes, max(lines.values()))
    _label(axes, lines, groups)


def _lines(groups: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The vertical places of the names, with space above each group for its title."""
    names = [name for group in groups.values() for name in ("", *group)]
    heights = np.cumsum([-1.4 if name == "" else -1.0 for name in names])
    return {name: float(height) for name, height in zip(names, heights) if name}


def _marks(axes: Any, results: Results, lines: dict[str, float], kind: str, colour: str, mark: str, label: str) -> None:
    known = {name: kind.format(name) for name in lines if kind.format(name) in results.names}
    shares = {name: np.maximum(results.values(number), 1e-12) for name, number in known.items()}
    heights = [lines[name] for name in shares]
    if kind == STREAMS:
        low, high = zip(*((v.min(), v.max()) for v in shares.values()))
        axes.hlines(heights, low, high, color=colour, alpha=0.35, linewidth=3)
    middle = [float(np.median(v) if kind == STREAMS else v.max()) for v in shares.values()]
    axes.plot(middle, heights, mark, color=colour, markersize=5, label=label)


def _bound(axes: Any, top: float) -> None:
    """Draw a line at 1, and shade the side where bounds are broken."""
    low, high = axes.get_xlim()
    axes.set_xlim(low, max(high, 3.0))
    axes.axvline(1.0, color="black", linewidth=1)
    axes.axvspan(1.0, axes.get_xlim()[1], color=ORANGE, alpha=0.08, linewidth=0)
    axes.text(0.9, top + 1.2, "the bound", ha="right", va="center", fontsize=8)
    axes.text(1.12, top + 1.2, "broken", ha="left", va="center", fontsize=8, color=ORANGE)


def _label(axes: Any, lines: dict[str, float], groups: Mapping[str, Sequence[str]]) -> None:
    axes.set_yticks(list(lines.values()), [name.partition(" ")[2] for name in lines], fontsize=8)
    axes.set_ylim(min(lines.values()) - 0.8, max(lines.values()) + 1.8)
    for title, group in groups.items():
        axes.text(-0.01, lines[group[0]] + 1.1, title, transform=axes.get_yaxis_transform(), ha="right", va="center",
                  fontsize=8, fontweight="bold")  # fmt: skip
    axes.set_xlabel("measured loss, in parts of what the theorem allows (log scale)")
    axes.legend(loc="lower left", frameon=False, fontsize=8)
    tidy_lines(axes)
