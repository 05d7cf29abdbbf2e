"""The drift of every model of a league, as strips of what moved from milestone to milestone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from ....report.parts import boxed, cell, heading
from ...shared.drift import farthest
from .chart import colour, swatch
from .tables import entry

WIDTH, HEIGHT = 150.0, 46.0
_SHUFFLED = "The rows were shuffled, which removes drift. --repeats 1 keeps their order and reports drift."
_HOW = (
    "The model between two milestones (powers of two rows) is compared with the model before: how far the direction turned, "
    "and how far thresholds moved, in widths of a rank. The line across a bar is the movement expected by chance; twice as much "
    "is drift, and is drawn in full."
)


class Bar(NamedTuple):
    """A movement since a milestone, the movement expected by chance if it is known, and whether this is drift."""

    since: int
    value: float | None
    chance: float | None
    is_drift: bool


def section(result: dict[str, Any]) -> str:
    """The section on drift; empty if no model records it."""
    if result["repeats"] > 1:
        return f"<section><h2>Drift</h2><p>{_SHUFFLED}</p></section>"
    drifting = [(place, one) for place, one in enumerate(result["league"]) if one.get("drift")]
    if not drifting:
        return ""
    head = [heading("algorithm", True), heading("turn of the direction", True), heading("shift of thresholds", True)]
    rows = [_row(place, record, _tops([one for _, one in drifting])) for place, record in drifting]
    table = boxed("Drift of linear models, in the order of the data", [*head, heading("what it means", True)], rows)
    return f'<section><h2>Drift</h2><p class="muted">{_HOW}</p>{table}</section>'


def _tops(records: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """The largest turn and shift, so that all strips have one scale."""
    movements = [one for record in records for one in record["drift"]["movements"]]
    turns, shifts = [one["turn"] for one in movements], [farthest(one) or 0.0 for one in movements]
    return max([20.0, *turns]), max([0.5, *shifts])


def _row(place: int, record: dict[str, Any], tops: tuple[float, float]) -> str:
    movements = record["drift"]["movements"]
    turns = [Bar(one["since"], one["turn"], one["turn_by_chance"], one["turned"]) for one in movements]
    shifts = [Bar(one["since"], farthest(one), one["shift_by_chance"], one["moved"]) for one in movements if one["shifts"]]
    cells = [entry(swatch(place), record), cell(_strip(turns, tops[0], place, "{:.1f}°"), "text")]
    cells += [cell(_strip(shifts, tops[1], place, "{:.2f} of a rank"), "text")]
    return f"<tr>{''.join(cells)}{cell(escape(record['drift']['told']), 'text wrap')}</tr>"


def _strip(bars: Sequence[Bar], top: float, place: int, form: str) -> str:
    """A bar for each milestone, with a line for the movement expected by chance."""
    if not bars:
        return "–"
    drawn = "".join(_drawn(bar, number, top, place, form) for number, bar in enumerate(bars))
    label = "; ".join(_said(bar, form) for bar in bars)
    size = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" height="{HEIGHT:g}"'
    return f'<svg class="strip" {size} role="img" aria-label="{escape(label)}">{drawn}</svg>'


def _drawn(bar: Bar, number: int, top: float, place: int, form: str) -> str:
    room, x = HEIGHT - 14.0, 3.0 + 24.0 * number
    height = max(1.0, room * (bar.value or 0.0) / top)
    shade = "" if bar.is_drift else ' opacity=".35"'
    size = f'x="{x:g}" y="{room - height:.1f}" width="18" height="{height:.1f}"'
    drawn = f'<rect class="dot {colour(place)}" {size}{shade}><title>{_said(bar, form)}</title></rect>'
    if bar.chance is not None:
        drawn += f'<path class="axis" d="M{x - 2:g} {max(1.0, room - room * bar.chance / top):.1f}h22"/>'
    return f'{drawn}<text class="tick small" x="{x + 9:g}" y="{HEIGHT - 2:g}" text-anchor="middle">{_rounded(bar.since)}</text>'


def _said(bar: Bar, form: str) -> str:
    return f"since {bar.since:,}: {form.format(bar.value)}"


def _rounded(age: int) -> str:
    """A power of two, as short as can be.

    >>> _rounded(512), _rounded(4_096), _rounded(2_097_152)
    ('512', '4k', '2M')
    """
    return f"{age // 1_000_000}M" if age >= 1_000_000 else f"{age // 1_000}k" if age >= 1_000 else str(age)
