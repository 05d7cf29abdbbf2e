"""The output of a learning curve (``--every``): lines on stdout, a file at the end, or a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..shared.output import flattened, format_of, plain, write_csv, write_json

if TYPE_CHECKING:
    from rich.console import Console

    from ..shared.options import OutputOptions
    from .run import Run

Point = dict[str, Any]


class CurveOutput:
    """Writes points to stdout if that is not a terminal, or to a file if one is named."""

    def __init__(self, output: OutputOptions, path: str | None) -> None:
        self._format, self._path = format_of(output), path
        self._has_header = False

    def begin(self, points: list[Point]) -> None:
        """Write the points of an earlier part of the run."""
        for point in points:
            self.add(point)

    def add(self, point: Point) -> None:
        """Write a point."""
        if self._path is not None:
            return
        if self._format == "json":
            write_json(point)
        elif self._format == "csv":
            write_csv([point], header=not self._has_header)
            self._has_header = True

    def end(self, run: Run) -> None:
        """Write the file as a whole."""
        if self._path is not None:
            write_curve(self._path, run.curve)


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
