"""The drift of every model of a league, as strips of what moved from milestone to milestone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from .._curves import short_count
from ..looking.drifted import farthest
from .chart import colour, swatch
from .parts import boxed, cell, heading

WIDTH, HEIGHT, STEP = 150.0, 46.0, 14.0
_SHUFFLED = "The rows were shuffled, and in a shuffle nothing drifts: --repeats 1 keeps them in their order, and tells of drift."
_HOW = (
    "What predicted between two milestones, rows that are powers of two, is compared with what predicted before: how far the "
    "direction turned, and how far thresholds moved, in widths of a rank. A line across a bar is what chance would do; what is "
    "twice as far is drift, and drawn in full."
)


def section(result: dict[str, Any]) -> str:
    """The part of the page on drift; nothing where no model tells of it."""
    if result["repeats"] > 1:
        return f"<section><h2>Drift</h2><p>{_SHUFFLED}</p></section>"
    told = [(place, one) for place, one in enumerate(result["league"]) if one.get("drift")]
    if not told:
        return ""
    head = [heading("algorithm", True), heading("turn of the direction", True), heading("shift of thresholds", True)]
    rows = [_row(place, record, _tops([one for _, one in told])) for place, record in told]
    table = boxed("Drift of linear models, in the order of the data", [*head, heading("what it means", True)], rows)
    return f'<section><h2>Drift</h2><p class="muted">{_HOW}</p>{table}</section>'


def _tops(records: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """The largest turn and shift, so that all strips have one scale."""
    movements = [one for record in records for one in record["drift"]["movements"]]
    turns, shifts = [one["turn"] for one in movements], [farthest(one) or 0.0 for one in movements]
    return max([20.0, *turns]), max([0.5, *shifts])


def _row(place: int, record: dict[str, Any], tops: tuple[float, float]) -> str:
    movements = record["drift"]["movements"]
    turns = [(one["since"], one["turn"], one["turn_by_chance"], one["turned"]) for one in movements]
    shifts = [(one["since"], farthest(one), one["shift_by_chance"], one["moved"]) for one in movements]
    name = f'<span class="entry">{swatch(place)}<span>{escape(record["name"]).replace("(", "<wbr>(", 1)}</span></span>'
    cells = [f'<th scope="row" class="text wrap">{name}</th>', cell(_strip(turns, tops[0], place, "{:.1f}°"), "text")]
    cells += [
        cell(_strip(shifts, tops[1], place, "{:.2f} of a rank"), "text"),
        cell(escape(record["drift"]["told"]), "text wrap"),
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _strip(bars: Sequence[tuple[int, float | None, float | None, bool]], top: float, place: int, form: str) -> str:
    """A bar for each milestone, with what chance would do across it."""
    known = [bar for bar in bars if bar[1] is not None]
    if not known:
        return "–"
    drawn, room = "", HEIGHT - 14.0
    for number, (since, value, chance, is_drift) in enumerate(known):
        x, height = 3.0 + number * (STEP + 6.0), max(1.0, room * (value or 0.0) / top)
        title = f"<title>since {since:,}: {form.format(value)}</title>"
        shade = "" if is_drift else ' opacity=".35"'
        drawn += (
            f'<rect class="dot {colour(place)}" x="{x:g}" y="{room - height:.1f}" width="{STEP:g}" height="{height:.1f}"{shade}>'
        )
        drawn += f"{title}</rect>"
        if chance is not None:
            y = max(1.0, room - room * chance / top)
            drawn += f'<path class="axis" d="M{x - 2:g} {y:.1f}h{STEP + 4:g}"/>'
        drawn += (
            f'<text class="tick small" x="{x + STEP / 2:g}" y="{HEIGHT - 2:g}" text-anchor="middle">{short_count(since)}</text>'
        )
    label = "; ".join(f"since {since:,}: {form.format(value)}" for since, value, _, _ in known)
    size = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" height="{HEIGHT:g}"'
    return f'<svg class="strip" {size} role="img" aria-label="{escape(label)}">{drawn}</svg>'
