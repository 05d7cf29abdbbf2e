"""The output of a learning curve (``--every``): lines on stdout, a file at the end, or a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..shared.output import flattened, plain, write_csv, write_json

if TYPE_CHECKING:
    from rich.console import Console

Point = dict[str, Any]


def print_points(points: list[Point], kind: str, header: bool) -> None:
    """Print points to stdout if that is not a terminal."""
    if kind == "json":
        for point in points:
            write_json(point)
    elif kind == "csv" and points:
        write_csv(points, header=header)


def write_curve(path: str, points: list[Point]) -> None:
    """Write points as comma-separated lines, or as JSON lines."""
    from ...files import replace_file

    if path.endswith(".csv"):
        rows = [flattened(point) for point in points]
        lines = [",".join(rows[0])] if rows else []
        lines += [",".join("" if value is None else str(value) for value in row.values()) for row in rows]
    else:
        lines = [json.dumps(plain(point)) for point in points]
    replace_file(Path(path), "".join(f"{line}\n" for line in lines).encode())


def draw_curve(screen: Console, points: list[Point]) -> None:
    """The loss over the rows, in the terminal: a curve for every pass."""
    from rich.text import Text

    from ..shared.curves import Curve, plot

    curves = []
    for number, epoch in enumerate(dict.fromkeys(point["epoch"] for point in points)):
        own = [point for point in points if point["epoch"] == epoch]
        name = f"loss, pass {epoch}" if points[-1]["epoch"] > 1 else "loss"
        curves.append(Curve(name, [point["rows"] for point in own], [point["loss"] for point in own], number))
    for line in plot(curves, min(screen.width, 100), 12):
        screen.print(Text.assemble(*line))
