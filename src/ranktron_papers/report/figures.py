"""Draws the experiments' figures as PNG and SVG with matplotlib. Without it there is a warning and no figure."""

from __future__ import annotations

import importlib.util
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ranktron.report.style import COLOURS

from ..runs.run import Observer, Outcome
from ..runs.worker import failure_of

MISSING = "There are no figures because matplotlib is not installed: pip install 'ranktron[plot]'"
# The default size in inches, and the dots per inch.
SIZE, DOTS = (7.5, 4.4), 160

# The last two make figures of the same numbers the same files, which need no font of the reader's.
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


class Figures(Observer):
    """Draws every experiment that ends; ``write`` stores the content of a file in the folder."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder, self._write = folder, write
        self.drawn: dict[str, bytes] = {}  # the SVG of each experiment
        self.failed: dict[str, str] = {}  # why an experiment has no figure though it should
        self.warning = MISSING if importlib.util.find_spec("matplotlib") is None else ""

    def ended(self, outcome: Outcome) -> None:
        """Draw the figure of an experiment, if it has one, while others are still running."""
        experiment = outcome.experiment
        if outcome.results is None or experiment.draw is None or self.warning:
            return
        try:
            pictures = rendered(experiment.draw, outcome.results)
        except Exception as error:
            self.failed[experiment.name] = failure_of(error).sentence
            print(f"ranktron: {experiment.name}: its figure cannot be drawn: {failure_of(error).sentence}", file=sys.stderr)
            return
        self.drawn[experiment.name] = pictures["svg"]
        self._folder.mkdir(parents=True, exist_ok=True)
        for kind, content in pictures.items():
            self._write(self._folder / f"{experiment.name}.{kind}", content)


def rendered(draw: Any, results: Any) -> dict[str, bytes]:
    """A figure as the contents of two files, png and svg."""
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
