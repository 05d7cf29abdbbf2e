"""The experiments' figures, drawn by matplotlib as PNG and SVG; without it there are none, and one sentence says so."""

from __future__ import annotations

import importlib.util
import io
import sys
from pathlib import Path
from typing import Any

from ...experiments.running import Outcome
from ...experiments.working import failure
from .._curves import COLOURS
from .._messages import note
from .._whole import written

MISSING = "There are no figures, as matplotlib is not installed: pip install 'ranktron[plot]'"
SIZE, DOTS = (7.5, 4.4), 160
"""Inches, unless an experiment asks for others, and dots in one of them."""

_SETTINGS: dict[str, Any] = {
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "ranktron",
}
"""A picture of the same numbers is the same file, and needs no font of the reader's."""


class Figures:
    """Draws experiments into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.drawn: dict[str, bytes] = {}
        """The SVG of each experiment."""
        self.failed: dict[str, str] = {}
        """Why there is none, of those that should have one."""
        self.has_matplotlib = importlib.util.find_spec("matplotlib") is not None
        if not self.has_matplotlib:
            note(MISSING + ".")

    @property
    def told(self) -> str:
        """What there is to say of all figures."""
        return "" if self.has_matplotlib else MISSING

    def draw(self, outcome: Outcome) -> None:
        """Draw an experiment, if there is something to draw."""
        experiment = outcome.experiment
        if outcome.results is None or experiment.draw is None or not self.has_matplotlib:
            return
        try:
            pictures = rendered(experiment.draw, outcome.results)
        except Exception as error:
            self.failed[experiment.name] = failure(error).sentence
            print(f"ranktron: {experiment.name}: its figure cannot be drawn: {failure(error).sentence}", file=sys.stderr)
            return
        self.drawn[experiment.name] = pictures["svg"]
        self._folder.mkdir(parents=True, exist_ok=True)
        for kind, content in pictures.items():
            with written(str(self._folder / f"{experiment.name}.{kind}")) as file:
                file.write(content)


def rendered(draw: Any, results: Any) -> dict[str, bytes]:
    """A figure as files: png and svg."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.rcsetup import cycler

    pictures = {}
    settings: Any = _SETTINGS | {"axes.prop_cycle": cycler(color=COLOURS)}
    with rc_context(settings):
        figure = Figure(figsize=SIZE, layout="constrained")
        draw(results, figure)
        for kind, about in (("png", {}), ("svg", {"Date": None})):
            out = io.BytesIO()
            figure.savefig(out, format=kind, dpi=DOTS, metadata=about)
            pictures[kind] = out.getvalue()
    return pictures
