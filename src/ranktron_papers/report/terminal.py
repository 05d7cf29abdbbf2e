"""Experiments and verdicts as tables in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..judging import CONSISTENT, DEPENDS, FAILS, HOLDS, UNDECIDED
from ..tables import NOT_RUN, headline
from .listing import FAULTY, MISSING, NONE_NEEDED

# The columns of titles and claims, which are cut in a narrow terminal, and their least width.
_CUT, _SHORTEST = ("", "claim"), 12

STYLES = {HOLDS: "green", CONSISTENT: "green", FAILS: "red", DEPENDS: "yellow", UNDECIDED: "cyan", NOT_RUN: "dim"}


def span(seconds: float) -> str:
    """A rough duration as text.

    >>> span(0.2), span(42.4), span(600.0), span(5400.0)
    ('1 s', '42 s', '10 min', '1.5 h')
    """
    if seconds < 90:
        return f"{max(round(seconds), 1)} s" if seconds else "–"
    return f"{seconds / 60:.0f} min" if seconds < 5340 else f"{seconds / 3600:.1f} h"


def show_list(console: Console, found: dict[str, Any]) -> None:
    """Print the experiments, paper by paper."""
    records = found["experiments"]
    rows = []
    for paper in dict.fromkeys(one["paper"] for one in records):
        own = [one for one in records if one["paper"] == paper]
        rows += [[Text(paper, "bold"), Text(own[0]["paper_title"], "bold")], *map(_list_cells, own)]
    headings = {"experiment": "left", "": "left", "trials": "right", "quick": "right", "full": "right", "data": "left"}
    console.print(_table(headings, rows, console.width))
    quick, full = (sum(one[f"{kind}_seconds"] for one in records) for kind in ("quick", "full"))
    jobs = f"{found['jobs']} process{'es' if found['jobs'] > 1 else ''}"
    console.print(Text(f"\nOn {jobs} about {span(quick)} with --quick, {span(full)} without.", "dim"))
    for why in dict.fromkeys(one["why"] for one in records if one["why"]):
        console.print(Text(f"! {why}"))


def _list_cells(one: dict[str, Any]) -> list[Text]:
    needs = "" if one["data"] == NONE_NEEDED else one["data"]
    data = Text(needs, "yellow" if needs in (MISSING, FAULTY) else "dim")
    times = [Text(span(one[f"{kind}_seconds"])) for kind in ("quick", "full")]
    return [Text(f"  {one['name']}"), Text(one["heading"]), Text(f"{one['quick_trials']:,} / {one['trials']:,}"), *times, data]


def _table(headings: dict[str, Any], rows: Sequence[Sequence[Text]], width: int) -> Table:
    """One line per row; a narrow terminal cuts titles and claims."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    places = {
        title: max([len(title), *(len(row[place]) for row in rows if len(row) > place)]) for place, title in enumerate(headings)
    }
    taken = sum(size + 2 for title, size in places.items() if title not in _CUT)
    for title, justify in headings.items():
        size = min(places[title], max(width - taken, _SHORTEST)) if title in _CUT else places[title]
        table.add_column(title, justify=justify, no_wrap=True, overflow="ellipsis", width=size)
    for row in rows:
        table.add_row(*row)
    return table


def show(console: Console, result: dict[str, Any]) -> None:
    """Print the verdicts: how many of each, then claim by claim."""
    rows = [
        [Text(claim["verdict"], STYLES[claim["verdict"]]), Text(one["name"], "dim"), Text(_on_its_data(claim))]
        for one in result["experiments"]
        for claim in one["claims"]
    ]
    console.print()
    console.print(Text(headline(result["claims"], result["printed"], result["on_other_data"]), "bold"))
    if rows:
        console.print()
        console.print(_table({"verdict": "left", "experiment": "left", "claim": "left"}, rows, console.width))


def _on_its_data(claim: dict[str, Any]) -> str:
    return f"on {claim['data']}: " * bool(claim["data"]) + str(claim["claim"])
