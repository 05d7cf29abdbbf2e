"""The section of an experiment in the report: description, figure, claims, printed and measured numbers, settings."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

from ranktron.report.parts import boxed, cell, clock, heading, thinned

from ..judging import CONSISTENT, DEPENDS, FAILS, HOLDS, NOT_COMPARABLE, UNDECIDED
from ..tables import NOT_RUN, NumberRow, format_mean

# The CSS class of every verdict, in the order of the report.
KINDS = {
    HOLDS: "holds",
    CONSISTENT: "consistent",
    FAILS: "fails",
    DEPENDS: "depends",
    UNDECIDED: "undecided",
    NOT_COMPARABLE: "otherdata",
    NOT_RUN: "notrun",
}

_MARKS = {HOLDS: "✓", CONSISTENT: "≈", FAILS: "✗", DEPENDS: "◐", UNDECIDED: "?", NOT_COMPARABLE: "≠", NOT_RUN: "–"}
_OF_NUMBERS = {HOLDS: "agrees", FAILS: "differs", NOT_RUN: "not measured"}
# The most points of a curve that a table shows.
_FEW = 12


def chip(word: str, is_number: bool = False) -> str:
    """A verdict on a claim or on a printed number, as a label."""
    return f'<span class="chip {KINDS[word]}">{_MARKS[word]} {_OF_NUMBERS.get(word, word) if is_number else word}</span>'


def verdict(row: dict[str, Any], is_number: bool = False) -> str:
    """A verdict; above it the data set, if it is not the paper's."""
    data = f'<span class="source data">on {escape(row["data"])}:</span>' if row["data"] else ""
    return f"{data}{chip(row['verdict'], is_number)}"


def experiment(one: dict[str, Any], figure: bytes | None) -> str:
    """The section of an experiment, from its record in the result."""
    rows = [NumberRow(**row) for row in one["numbers"]]
    title = f'<h3 class="experiment">{escape(one["heading"])}</h3>'
    parts = [_why_not(one), _picture(one, figure), _claims(one), _printed(rows), _all_numbers(rows), _settings(one)]
    return f'<section id="{escape(one["name"])}">{title}<p>{escape(one["about"])}</p>{"".join(parts)}</section>'


def _why_not(one: dict[str, Any]) -> str:
    word = {"failed": "Failed", NOT_RUN: "Not run"}.get(one["status"])
    return f'<p class="warning">{word}: {escape(one["why"].rstrip("."))}.</p>' if word else ""


def _picture(one: dict[str, Any], figure: bytes | None) -> str:
    if figure is None:
        return ""
    data = base64.b64encode(figure).decode()
    label = f"Figure: {one['title']}"
    return (
        f'<div class="card" role="region" aria-label="{escape(label)}" tabindex="0">'
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(label)}"/></div>'
    )


def _claims(one: dict[str, Any]) -> str:
    if not one["claims"]:
        return ""
    head = [heading("verdict", True), heading("what the paper claims", True), heading("what was measured", True)]
    rows = [_claim(claim) for claim in one["claims"]]
    return boxed("Claims", head, rows, "stack")


def _claim(claim: dict[str, Any]) -> str:
    text = f'{escape(claim["claim"])}<span class="source">{escape(claim["source"])}</span>'
    return f"<tr>{cell(verdict(claim), 'text')}{cell(text, 'claim')}{cell(escape(claim['reason']), 'reason')}</tr>"


def _printed(rows: Sequence[NumberRow]) -> str:
    found = [row for row in rows if row.printed is not None]
    if not found:
        return ""
    head = [
        heading("number", True),
        heading("printed"),
        heading("measured"),
        heading("", True),
        heading("where it is printed", True),
    ]
    return boxed("Printed numbers beside those measured", head, [_printed_row(row) for row in found])


def _printed_row(row: NumberRow) -> str:
    name = f'<th scope="row" class="long">{escape(row.number)}</th>'
    numbers = f"{cell(_greyed(printed_text(row)))}{cell(_greyed(format_mean(row.mean, row.half)))}"
    return f"<tr>{name}{numbers}{cell(verdict(row._asdict(), True), 'text')}{cell(escape(row.source), 'from')}</tr>"


def printed_text(row: NumberRow) -> str:
    """A printed number ± half the width of its interval."""
    return f"{row.printed:.10g}" + (f" ± {row.printed_half:.10g}" if row.printed_half else "")


def _greyed(text: str) -> str:
    """A number with its interval in grey."""
    number, sign, interval = text.partition(" ± ")
    rest = f' <span class="half">± {interval}</span>' if sign else ""
    return f'<span class="number">{number}{rest}</span>'


def _all_numbers(rows: Sequence[NumberRow]) -> str:
    if all(row.mean is None for row in rows):
        return ""
    single = list({row.number: row for row in rows if row.place is None}.values())
    curves = {row.number: [one for one in rows if one.number == row.number] for row in rows if row.place is not None}
    parts = [_single(single)] if single else []
    parts += [_curves(names, curves) for names in _with_equal_places(curves)]
    return f"<details><summary>All numbers</summary>{''.join(parts)}</details>"


def _single(rows: Sequence[NumberRow]) -> str:
    head = [heading("number", True), heading("measured"), heading("trials")]
    lines = [
        f'<tr><th scope="row" class="long">{escape(row.number)}</th>{cell(_greyed(format_mean(row.mean, row.half)))}'
        f"{cell(f'{row.trials:,}')}</tr>"
        for row in rows
    ]
    return boxed("Every single number", head, lines)


def _with_equal_places(curves: dict[str, list[NumberRow]]) -> list[list[str]]:
    """The names of curves, those over the same x values together."""
    found: dict[tuple[float | None, ...], list[str]] = {}
    for name, points in curves.items():
        found.setdefault(tuple(point.place for point in points), []).append(name)
    return list(found.values())


def _curves(names: Sequence[str], curves: dict[str, list[NumberRow]]) -> str:
    head = [heading("at"), *(heading(name) for name in names)]
    lines = []
    for i in thinned(len(curves[names[0]]), _FEW):
        points = [curves[name][i] for name in names]
        cells = "".join(cell(_greyed(format_mean(one.mean, one.half))) for one in points)
        lines.append(f'<tr><th scope="row">{points[0].place:,.10g}</th>{cells}</tr>')
    return boxed("Curves, some of their points; numbers.csv has all", head, lines)


def _settings(one: dict[str, Any]) -> str:
    facts = dict(one["settings"])
    if one["trials"]:
        last = one["trials"] - 1
        facts |= {"trials": f"{one['trials']:,}" + (f", the first of {one['trials_in_full']:,}" if one["is_quick"] else "")}
        facts |= {"seeds": f"0 to {last:,}" if last else "0", "time": f"{clock(one['work_seconds'])} on one core"}
        facts |= {"kept in": f"trials/{one['name']}/{one['fingerprint']}"}
    facts |= {"code": one["trial"]}
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts.items())
    code = f"<pre><code>{escape(one['code'])}</code></pre>" if one["code"] else ""
    return f"<details><summary>Settings, seeds and code of a trial</summary><dl>{rows}</dl>{code}</details>"
