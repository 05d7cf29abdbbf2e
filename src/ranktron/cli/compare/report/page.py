"""The report of a league: one page that needs nothing else, made from the result alone."""

from __future__ import annotations

import json
from html import escape
from pathlib import PurePath
from typing import Any

from ....report.parts import boxed, document, heading, thinned
from ..standings import OPEN, SURE
from . import drift, tables
from .chart import NAMED, charts, swatch
from .script import SCRIPT

_MOST_LABELS = 20
_APART = "<h2>What can be told apart</h2>"


def page(result: dict[str, Any]) -> str:
    """The page."""
    title = f"{_title(result)}: league of {len(result['league'])} models"
    parts = [_head(result), _figure(result), _league(result), _apart(result), _sweeps(result), drift.section(result)]
    parts += [_data(result), _settings(result)]
    data = f'<script type="application/json" id="curves">{_embedded(result)}</script>'
    return document(title, result["version"], f"{''.join(parts)}{_foot(result)}", f"{data}<script>{SCRIPT}</script>")


def _title(result: dict[str, Any]) -> str:
    data = result["data"]
    names = [PurePath(path).name or path for path in data["files"]]
    if data["told"]:
        return str(data["told"]).partition(":")[0]
    named = ["standard input" if name == "-" else name for name in names]
    return ", ".join(named[:3]) + (f" and {len(named) - 3} more" if len(named) > 3 else "")


def _head(result: dict[str, Any]) -> str:
    data = result["data"]
    facts = {"rows": data["rows"], "lists": data["lists"], "features": data["features"], "labels": len(data["labels"])}
    facts |= {"models": len(result["league"]), "shuffles" if result["repeats"] > 1 else "order": result["repeats"]}
    shown = "".join(f"<li><b>{count:,}</b><span>{name}</span></li>" for name, count in facts.items() if count)
    stopped = '<p class="warning">The run was stopped before the end of the data.</p>' if result.get("stopped") else ""
    return (
        f'<header><p class="eyebrow">Ranktron league</p><h1>{escape(_title(result))}</h1><ul class="facts">{shown}</ul>'
        f'<p class="headline">{escape(result["headline"])}</p>{stopped}</header>'
    )


def _figure(result: dict[str, Any]) -> str:
    rest = len(result["league"]) - NAMED
    grey = f" The {NAMED} best have names; the other {rest} are grey." if rest > 0 else ""
    bands = " Bands are 95 % intervals over the shuffles." if result["repeats"] > 1 else ""
    return (
        f"<section><h2>Time-averaged {escape(result['measure'])}</h2>"
        '<p class="muted">Every row was predicted before it was learned, so this is what each model would have lost in use '
        f"up to that row.{bands}{grey}</p>{_drawn(result, False)}"
        f"<details><summary>Over a logarithmic axis</summary>{_drawn(result, True)}</details>"
        f"<details><summary>As numbers</summary>{tables.curves(result)}</details></section>"
    )


def _drawn(result: dict[str, Any], log: bool) -> str:
    named = result["league"][:NAMED]
    legend = "".join(f"<li>{swatch(place)} {place + 1}. {escape(one['name'])}</li>" for place, one in enumerate(named))
    return f'<figure class="figure">{charts(result, log)}<ol class="legend">{legend}</ol><div class="tip"></div></figure>'


def _league(result: dict[str, Any]) -> str:
    notes = "".join(f'<p class="warning">{escape(note)}</p>' for note in result["notes"])
    return f"<section><h2>League</h2>{tables.league(result)}{notes}</section>"


def _apart(result: dict[str, Any]) -> str:
    others = result["league"][1:]
    if not others:
        return ""
    if result["repeats"] < 2:
        return f"<section>{_APART}<p>Nothing: the data were read in one order only. Use --repeats 5.</p></section>"
    best, rows = escape(result["league"][0]["name"]), ""
    for verdict, said in ((OPEN, f"Not told apart from {best}"), (SURE, f"Behind {best}, sure at 95 %")):
        names = [record["name"] for record in others if record["verdict"] == verdict]
        rows += f"<dt>{said}</dt><dd>{escape(', '.join(names)) or 'none'}</dd>"
    count = f"{len(others)} comparison{'s' if len(others) > 1 else ''}"
    return (
        f"<section>{_APART}<dl>{rows}</dl><p>All models learned the same shuffles, so losses are compared "
        f"shuffle by shuffle: the difference to the best is sure where its 95 % t-interval, widened for {count} (Bonferroni), "
        f"lies above 0.</p><p>The intervals show how much depends on the order of these rows, not what other rows would "
        "give.</p></section>"
    )


def _sweeps(result: dict[str, Any]) -> str:
    if not result["sweeps"]:
        return ""
    parts = []
    for found in result["sweeps"]:
        warnings = "".join(f'<p class="warning">{escape(text[:1].upper() + text[1:])}.</p>' for text in found["warnings"])
        parts.append(f"<h3>{escape(found['family'])}</h3><p>{escape(found['told'])}</p>{warnings}{tables.grid(found)}")
    return f"<section><h2>Grids</h2>{''.join(parts)}</section>"


def _data(result: dict[str, Any]) -> str:
    data = result["data"]
    facts = {
        "what": data["told"],
        "files": "" if data["told"] else ", ".join(data["files"]),
        "format": "" if data["told"] else data["format"],
        "rows": f"{data['rows']:,}" + (f" in {data['lists']:,} lists" if data["lists"] else ""),
        "features": f"{data['features']:,}",
        "text columns": data["encoding"],
        "order": data["order"],
        "skipped lines": f"{data['bad_lines']:,}" if data["bad_lines"] else "",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items() if text)
    return f"<section><h2>Data</h2><dl>{rows}</dl>{_labels(data)}</section>"


def _labels(data: dict[str, Any]) -> str:
    most = max(one["rows"] for one in data["labels"])
    rows = []
    for one in data["labels"][:_MOST_LABELS]:
        bar = f'<span class="bar" style="width:{100 * one["rows"] / most:.1f}px"></span>'
        share = one["rows"] / data["rows"]
        rows.append(
            f'<tr><th scope="row" class="text wrap">{escape(str(one["label"]))}</th><td>{one["rows"]:,}</td>'
            f'<td>{share:.1%}</td><td class="text">{bar}</td></tr>'
        )
    left_out = len(data["labels"]) - _MOST_LABELS
    caption = "Labels in ascending order" + (f"; {left_out} more are not shown" if left_out > 0 else "")
    head = [heading("label", True), heading("rows"), heading("share"), heading("", True)]
    return boxed(caption, head, rows)


def _settings(result: dict[str, Any]) -> str:
    command = f"<h3>Command</h3><pre><code>{escape(result['line'])}</code></pre>"
    return f"<section><h2>Settings</h2>{tables.settings(result)}{command}</section>"


def _foot(result: dict[str, Any]) -> str:
    facts = [f"ranktron {result['version']}", f"seed {result['seed']}", f"{result['seconds']:.1f} s"]
    facts.append(f"peak memory {result['peak_memory_bytes'] / 1e6:,.0f} MB")
    return f"<footer>{escape(' · '.join(facts))}</footer>"


def _embedded(result: dict[str, Any]) -> str:
    """The curves for the tooltips; no text in them can end the element that holds them."""
    found = result["curves"]
    points = thinned(len(found["at"]))
    curves = [
        {"name": one["name"], "loss": [_rounded(found["loss"][one["name"]][i]) for i in points]} for one in result["league"]
    ]
    record = {"unit": found["unit"], "at": [found["at"][i] for i in points], "curves": curves}
    return json.dumps(record, separators=(",", ":")).replace("<", "\\u003c")


def _rounded(loss: float | None) -> float | None:
    return None if loss is None else round(loss, 5)
