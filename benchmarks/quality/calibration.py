"""Calibration of the probabilities after one pass, on the papers' synthetic problem."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..report import Section
from .measures import calibration_error, top_label_error

ROWS, FRESH, SEEDS = (500, 4_000, 30_000), 20_000, 5
LABELS = range(1, 6)


def models() -> dict[str, Callable[[], Any]]:
    """Rater, and OrdinalLogit with every scaling, with and without a slope."""
    found: dict[str, Callable[[], Any]] = {"`Rater()`": partial(ranktron.Rater, classes=LABELS)}
    for order in (2, 1):
        for scale in (None, "standard", "settled"):
            for calibrate in (True, False):
                options = {"order": order} | ({"scale": scale} if scale else {}) | ({} if calibrate else {"calibrate": False})
                words = ", ".join(f"{name}={value!r}" for name, value in options.items()).replace("'", '"')
                found[f"`OrdinalLogit({words})`"] = partial(ranktron.OrdinalLogit, classes=LABELS, **options)
    return found


def sections() -> list[Section]:
    """One table."""
    cells = [[name, *(f"{each[0]:.3f} / {each[1]:.3f}" for each in errors(make))] for name, make in models().items()]
    return [Section("Probabilities on the synthetic problem", NOTES, headings=["what", *map("{:,}".format, ROWS)], cells=cells)]


def errors(make: Callable[[], Any]) -> np.ndarray:
    """Calibration errors of all thresholds and of the most probable label after some numbers of rows: means over the seeds."""
    found = np.empty((SEEDS, len(ROWS), 2))
    for seed in range(SEEDS):
        X, y = synthetic.crammer_singer(ROWS[-1], seed=2 * seed)
        fresh, truth = synthetic.crammer_singer(FRESH, seed=2 * seed + 1)
        model = make()
        for place, (start, stop) in enumerate(zip((0, *ROWS), ROWS)):
            shares = model.partial_fit(X[start:stop], y[start:stop]).predict_proba(fresh)
            found[seed, place] = calibration_error(truth, shares), top_label_error(truth, shares)
    means: np.ndarray = found.mean(axis=0)
    return means


NOTES = f"""\
The problem of Crammer & Singer (2005) with its six explicit features, one pass, after {ROWS[0]}, {ROWS[1]:,} and
{ROWS[2]:,} rows. Before the slash the calibration error of all thresholds, as for the held-out grades; after it that of the
most probable label: the difference between its probability and how often it is correct, in tenths of the unit interval. Means
over {SEEDS} seeds, each tested on {FRESH:,} fresh rows. `calibrate=False` is what OrdinalLogit did up to 0.7.0."""
