"""A league in the terminal: live curves, then the table."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ..shared.curves import Curve, legend, marker, numbers, plot, short_count, style
from .standings import BEST, OPEN, extra_columns
from .tournament import Tournament

# The longest name beside a curve, in characters.
LONGEST = 22

MARKS = {BEST: "★", OPEN: "≈"}
METHOD = "★ best  ≈ not told apart from it; the others are worse: 95 % t-intervals of the differences in the same shuffles"
WIDENED = ", widened for {} comparisons (Bonferroni)"
# Updates of the live picture.
A_SECOND = 4


def shortened(name: str, size: int = LONGEST) -> str:
    """A name that fits beside a curve."""
    return name if len(name) <= size else name[: size - 1] + "…"


def drawn(
    at: Sequence[float], losses: dict[str, Any], order: Sequence[str], width: int, height: int, log: bool, unit: str
) -> Text:
    """The curves of the names in ``order``, whose numbers give the colours."""
    found = [Curve(shortened(name), at, numbers(losses[name]), number) for number, name in enumerate(order) if name in losses]
    found.sort(key=lambda curve: curve.y[-1] if len(curve.y) and math.isfinite(curve.y[-1]) else math.inf)
    lines = plot(found, width, height, log, unit)
    has_names = any(piece.strip() == found[0].name for line in lines for piece, _ in line)
    return Text("\n").join(Text.assemble(*line) for line in (lines if has_names else [*lines, *legend(found, width)]))


class LiveLeague:
    """Redraws the curves a few times a second while the league plays."""

    def __init__(self, console: Console, tournament: Tournament, log: bool) -> None:
        self._console, self._tournament, self._league, self._log = console, tournament, tournament.league, log
        self._began = self._drawn = time.monotonic()
        self._order = tournament.entries
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> LiveLeague:
        self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def watch(self) -> None:
        """Redraw if the last picture is old enough."""
        now = time.monotonic()
        if now - self._drawn >= 1.0 / A_SECOND:
            self._live.update(self._picture(now - self._began) if self._league.at else self._waiting(), refresh=True)
            self._drawn = time.monotonic()

    def _waiting(self) -> Text:
        """The text before there is a curve: compiling may delay the first rows."""
        return Text(f"Getting ready: {shortened(self._league.now, self._console.width - 20)}", "dim", no_wrap=True)

    def _picture(self, seconds: float) -> Group:
        league = self._league
        losses = {name: mean for name, (mean, _) in league.curves().items()}
        width, height = self._console.width, heights(self._console, len(losses))
        (leader, loss), share = league.standings()[0], self._tournament.share
        status = Text.assemble(
            (f"{league.seen:,} {league.unit}", "bold"),
            "" if share is None else f" · {share:.0%}",
            f" · {len(losses)} models × {league.repeats} · {seconds:.0f} s · ahead: ",
            (f"{shortened(leader)} {loss:.4f}", style(self._order.index(leader))),
        )
        status.truncate(width, overflow="ellipsis")
        return Group(
            Text("time-averaged loss", "bold"),
            drawn(league.at, losses, self._order, width, height, self._log, league.unit),
            status,
        )


def heights(console: Console, curves: int) -> int:
    """The height of the plot: one line per name if the terminal is high enough."""
    return max(min(max(curves + 2, 14), console.height - 5, 24), 6)


def show(console: Console, result: dict[str, Any], log: bool) -> None:
    """Print the curves, the table and the headline."""
    curves, many = result["curves"], len(result["league"])
    console.print(Text(described(result), "dim"))
    console.print(Text(f"\nTime-averaged {result['measure']}", "bold"))
    height = heights(console, many)
    console.print(drawn(curves["at"], curves["loss"], result["entries"], console.width, height, log, curves["unit"]))
    console.print()
    console.print(league_table(result))
    console.print(Text(f"\n{result['headline']}", "bold"))
    if result["repeats"] > 1 and many > 1:
        console.print(Text(f"{METHOD}{WIDENED.format(many - 1) if many > 2 else ''}.", "dim"))
    for grid in result["sweeps"]:
        console.print(Text(grid["told"]))
    for line in result["notes"]:
        console.print(Text(f"! {line}"))


def described(result: dict[str, Any]) -> str:
    """The data and the procedure, in a sentence or two."""
    data = result["data"]
    lists = f" in {data['lists']:,} lists" if data["lists"] else ""
    what = data["told"] or ", ".join(data["files"])
    labels = f"{len(data['labels'])} {'grades' if lists else 'labels'}"
    return (
        f"{what}: {data['rows']:,} rows{lists}, {data['features']:,} features, {labels}. "
        f"{data['order']} Every row is predicted before it is learned; rows/s counts compiled loops only."
    )


def league_table(result: dict[str, Any]) -> Table:
    """The league, best first."""
    shown = extra_columns(result)
    found = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading in ("", "", "algorithm", "loss", *(title for _, title, _ in shown), "updates", "rows/s"):
        is_name = heading == "algorithm"
        justify: Any = "left" if is_name or not heading else "right"
        found.add_column(heading, justify=justify, no_wrap=not is_name, overflow="fold" if is_name else "ellipsis")
    for record in result["league"]:
        found.add_row(*_cells(record, result), *(_number(record[name], form) for name, _, form in shown), *_counts(record))
    return found


def _cells(record: dict[str, Any], result: dict[str, Any]) -> list[Text]:
    number = result["entries"].index(record["name"])
    weight = "bold" if record["verdict"] == BEST else ""
    half = record["loss_interval"]
    loss = _number(record["loss"], "{:.4f}") + ("" if half is None else f" ±{half:.4f}")
    mark = Text(MARKS.get(record["verdict"], ""), weight)
    return [Text(marker(number), style(number)), mark, Text(record["name"], weight), Text(loss, weight)]


def _counts(record: dict[str, Any]) -> list[str]:
    rate = record["rows_per_second"]
    return [short_count(float(f"{record['updates']:.3g}")), "" if rate is None else short_count(float(f"{rate:.3g}"))]


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value)
