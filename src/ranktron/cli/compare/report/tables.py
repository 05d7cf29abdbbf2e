"""The tables of the page: the league, the grids, the settings, and the curves as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ....report.parts import boxed, cell, heading, number, thinned
from ...shared.curves import short_count
from ..standings import BEST, OPEN, SURE, UNTESTED, extra_columns
from .chart import swatch, whiskers

_KINDS = {BEST: "best", OPEN: "open", SURE: "sure", UNTESTED: "sure"}
_FEW = 16


def league(result: dict[str, Any]) -> str:
    """The league, best first."""
    records, shown = result["league"], extra_columns(result)
    head = [heading("#"), heading("algorithm", True), *_loss_heads(result["measure"])]
    head += [*(heading(title) for _, title, _ in shown), heading("updates"), heading("rows/s")]
    low, high = _scale(records)
    rows = [_league_row(place, record, shown, low, high) for place, record in enumerate(records)]
    return boxed(_caption(result), head, rows)


def _caption(result: dict[str, Any]) -> str:
    rates = "Rows a second are those of compiled loops."
    if result["repeats"] < 2:
        return f"Best first. With one order there are no intervals. {rates}"
    return f"Best first. Means over {result['repeats']} shuffles with 95 % t-intervals. {rates}"


def _loss_heads(title: str) -> list[str]:
    return [heading(title), heading("", True), heading("behind the best"), heading("verdict", True)]


def _loss_cells(place: int, record: dict[str, Any], picture: str) -> list[str]:
    """The loss, a picture of it, how far it is behind the best, and the verdict."""
    behind = number(record["behind"], half=record["behind_interval"]) if place else ""
    cells = [cell(number(record["loss"], half=record["loss_interval"])), cell(picture), cell(behind)]
    return [*cells, cell(f'<span class="verdict {_KINDS[record["verdict"]]}">{escape(record["verdict"])}</span>', "text")]


def _scale(records: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """The range of losses, without entries far behind the others."""
    losses = [record["loss"] for record in records if record["loss"] is not None] or [0.0]
    most = losses[3 * (len(losses) - 1) // 4]
    margin = max(record["loss_interval"] or 0.0 for record in records[: 3 * len(records) // 4 + 1])
    high = min(losses[-1], losses[0] + 3.0 * (most - losses[0])) + margin
    room = (high - losses[0]) / 20
    return losses[0] - margin - room, high + room


def _league_row(place: int, record: dict[str, Any], shown: Sequence[tuple[str, str, str]], low: float, high: float) -> str:
    piece = f'<span class="swatch-of" data-number="{place}">{swatch(place)}</span>'
    cells = [cell(str(place + 1)), entry(piece, record), *_loss_cells(place, record, _picture(record, low, high, place))]
    cells += [cell(number(record[key], form)) for key, _, form in shown]
    cells += [cell(_count(record["updates"])), cell(_count(record["rows_per_second"]))]
    return f'<tr data-place="{place}"{" class=winner" if place == 0 else ""}>{"".join(cells)}</tr>'


def entry(piece: str, record: dict[str, Any]) -> str:
    """The cell with the name of an entry, beside a piece of its curve."""
    name = escape(record["name"]).replace("(", "<wbr>(", 1)
    return f'<th scope="row" class="text wrap"><span class="entry">{piece}<span>{name}</span></span></th>'


def _picture(record: dict[str, Any], low: float, high: float, place: int) -> str:
    return "" if record["loss"] is None else whiskers(record["loss"], record["loss_interval"], low, high, place)


def _count(value: float | None) -> str:
    return "–" if value is None else short_count(float(f"{value:.3g}"))


def grid(found: dict[str, Any]) -> str:
    """The points of a grid, best first."""
    points = found["points"]
    low, high = _scale(points)
    head = [*(heading(name, True) for name in points[0]["point"]), *_loss_heads("loss")]
    rows = []
    for place, point in enumerate(points):
        cells = [cell(escape(text), "text") for text in point["point"].values()]
        cells += _loss_cells(place, point, _picture(point, low, high, 0))
        rows.append(f"<tr{' class=winner' if place == 0 else ''}>{''.join(cells)}</tr>")
    return boxed(f"Grid of {found['family']}, best first", head, rows)


def settings(result: dict[str, Any]) -> str:
    """All parameters of every model, those that were set apart from the defaults."""
    head = [heading("algorithm", True), heading("set", True), heading("default", True)]
    rows = []
    for record in result["league"]:
        given = ", ".join(f"{name}={text}" for name, text in record["settings"].items()) or "–"
        rest = ", ".join(
            f"{name}={_value(value)}"
            for name, value in record["parameters"].items()
            if name not in (*record["settings"], "random_state")
        )
        cells = [cell(escape(record["algorithm"]), "text"), cell(f"<code>{escape(given)}</code>", "text wrap")]
        rows.append(f"<tr>{''.join(cells)}{cell(f'<code>{escape(rest)}</code>', 'text wrap code')}</tr>")
    return boxed("Parameters of every model", head, rows)


def _value(value: Any) -> str:
    """A parameter as it would be typed: a value with parameters of its own is a call.

    >>> _value({"kernel": "Gaussian", "parameters": {"gamma": 1.0}}), _value(None)
    ('Gaussian(gamma=1.0)', 'None')
    """
    if isinstance(value, dict):
        name = next(one for key, one in value.items() if key != "parameters")
        return f"{name}({', '.join(f'{key}={_value(one)}' for key, one in value['parameters'].items())})"
    return value if isinstance(value, str) else repr(value)


def curves(result: dict[str, Any]) -> str:
    """The curves as numbers."""
    found, records = result["curves"], result["league"]
    head = [heading(found["unit"]), *(heading(record["name"]) for record in records)]
    rows = []
    for i in thinned(len(found["at"]), _FEW):
        cells = [cell(number(found["loss"][record["name"]][i])) for record in records]
        rows.append(f'<tr><th scope="row">{found["at"][i]:,}</th>{"".join(cells)}</tr>')
    return boxed("Time-averaged losses", head, rows)
