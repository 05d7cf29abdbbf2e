"""Intervals on a stream: how often 90 % intervals contain the next rank, and how wide they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..report import Line, Section, at_least, at_most
from .methods import OURS
from .sets import ROWS, Rows, sets, streams

ORDERS, COVERAGE, LEAST, MOST = 3, 0.9, 0.88, 0.92
FIRST = 50


class Cover(NamedTuple):
    """Shares of rows covered by the interval and by the single rank, and the mean number of ranks in an interval."""

    interval: float
    single: float
    width: float

    @property
    def too_wide(self) -> bool:
        """Whether a lower coverage would have been possible, because the single rank covers less than asked for."""
        return self.single < COVERAGE


def sections() -> list[Section]:
    """The bars, and one line per stream."""
    covers = {name: averaged(name, rows) for name, rows in {**sets(), **drifting()}.items()}
    return [bars(covers), table(covers)]


def drifting() -> dict[str, Rows]:
    """Streams whose rule changes in the middle: the order is reversed, or every threshold moves."""
    X, y = synthetic.linear(ROWS, 10, seed=0)
    late = np.arange(ROWS) >= ROWS // 2
    return {
        "the order turns round": (X, np.where(late, 6 - y, y)),
        "grades rise": (X, np.where(late, np.minimum(y + 1, 5), y)),
    }


def averaged(name: str, rows: Rows) -> Cover:
    """The means over random orders; streams that drift keep their order."""
    orders = [rows] if name in drifting() else list(streams(name, rows, ORDERS))
    return Cover(*np.mean([covered(*order) for order in orders], axis=0).tolist())


def covered(X: np.ndarray, y: np.ndarray) -> Cover:
    """Each row is predicted before it is learned; the first rows are only learned."""
    model = ranktron.Rater(classes=list(range(1, int(y.max()) + 1))).partial_fit(X[:FIRST], y[:FIRST])
    rows = []
    for x, rank in zip(X[FIRST:], y[FIRST:].tolist(), strict=True):
        low, high = model.predict_interval_one(x, COVERAGE)
        rows.append((low <= rank <= high, model.predict_one(x) == rank, high - low + 1))
        model.learn_one(x, rank)
    return Cover(*np.mean(rows, axis=0).tolist())


def bars(covers: dict[str, Cover]) -> Section:
    """The bars: coverage neither too low nor too high."""
    lowest = min(covers, key=lambda name: covers[name].interval)
    lines = [Line("lowest coverage", covers[lowest].interval, at_least(LEAST), lowest)]
    open_ones = [name for name, cover in covers.items() if cover.too_wide]
    if open_ones:
        highest = max(open_ones, key=lambda name: covers[name].interval)
        lines.append(Line("highest where the single rank covers less", covers[highest].interval, at_most(MOST), highest))
    return Section(f"Intervals that should hold {COVERAGE:.0%}", ABOUT, lines)


def table(covers: dict[str, Cover]) -> Section:
    """One line per stream."""
    cells = [[name, f"{one.interval:.1%}", f"{one.single:.1%}", f"{one.width:.2f}"] for name, one in covers.items()]
    headings = ["stream", "in the interval", "the single rank", "ranks in an interval"]
    return Section("Intervals, stream by stream", "As above.", headings=headings, cells=cells)


ABOUT = f"""\
`{OURS[1:-1].removesuffix("()")}.predict_interval` before every row is learned, from row {FIRST + 1} on; means over {ORDERS}
random orders. In the last two streams the rule changes in the middle."""
