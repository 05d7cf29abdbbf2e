"""The result of `evaluate` in a terminal."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..shared.output import grid

TITLES = {
    "mae": ("MAE", "ranks off, mean over rows"),
    "macro_mae": ("macro MAE", "the same, every label counting alike"),
    "accuracy": ("accuracy", "share of rows with the right label"),
    "kappa": ("kappa", "quadratic weighted; 0 is chance, 1 perfect"),
    "rps": ("RPS", "of probabilities or vote shares; 0 is perfect"),
    "map": ("MAP", "average precision, mean over lists"),
    "mrr": ("MRR", "one over the place of the first relevant"),
    "err": ("ERR", "expected reciprocal rank"),
    "ndcg": ("NDCG", "of whole lists"),
}


def draw_verdict(console: Console, result: dict[str, Any]) -> None:
    """All figures, what they mean, and for ratings the table of labels."""
    rows = f"{result['rows']:,} row" + ("" if result["rows"] == 1 else "s")
    size = f"{result['lists']:,} lists, {rows}" if result["task"] == "lists" else rows
    console.print(Text.assemble((result["algorithm"], "bold"), (f"  {result['model']} · {size}", "dim")))
    console.print()
    console.print(_figures(result))
    if result["task"] == "ratings":
        _draw_confusion(console, result)
    console.print()
    for sentence in result["choices"]:
        console.print(Text(sentence, style="dim"))


def _figures(result: dict[str, Any]) -> Table:
    table = grid("left", "right", "right", "left")
    table.add_row(*(Text(head, style="dim") for head in ("measure", "value", "95 % interval", "")))
    for name, (low, high) in result["intervals"].items():
        title, meaning = TITLES.get(name, (name.replace("ndcg", "NDCG"), _down_to(name)))
        ends = "" if math.isnan(low) else f"{low:.4f} – {high:.4f}"
        value = "–" if math.isnan(result[name]) else f"{result[name]:.4f}"
        table.add_row(title, Text(value, style="bold"), ends, Text(meaning, style="dim"))
    return table


def _down_to(name: str) -> str:
    places = name.partition("@")[2]
    return f"down to place {places}" if name.startswith("ndcg") else f"relevant share of the first {places}"


def _draw_confusion(console: Console, result: dict[str, Any]) -> None:
    names = [str(label) for label in result["labels"]]
    counts = [f"{count:,}" for line in result["confusion"] for count in line]
    width = max(map(len, [*names, *counts]))
    console.print()
    if (width + 2) * (len(names) + 1) + 8 > console.width:
        console.print(
            Text(f"The table of {len(names)} × {len(names)} labels is too wide for this terminal; --json has it.", "dim")
        )
        return
    console.print(Text.assemble(("Labels", "bold"), ("  a row is a true label, a column the predicted label", "dim")))
    table = grid("left", *["right"] * (len(names) + 1))
    table.add_row("", *(Text(name, style="dim") for name in names), Text("right", style="dim"))
    for rank, (name, line) in enumerate(zip(names, result["confusion"])):
        cells = [_cell(count, rank == place) for place, count in enumerate(line)]
        share = f"{line[rank] / sum(line):.0%}" if any(line) else ""
        table.add_row(Text(name, style="dim"), *cells, Text(share, style="dim"))
    console.print(table)


def _cell(count: int, is_right: bool) -> Text:
    return Text(f"{count:,}" if count else "·", style="bold cyan" if is_right and count else "" if count else "dim")
