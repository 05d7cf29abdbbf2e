"""Intervals of every kind of estimator, on stationary streams and on streams that change in different ways."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..report import Line, Section, at_least, at_most
from .coverage import COVERAGE, LEAST, MOST, Cover
from .sets import Rows

LENGTHS, BATCH = (3_000, 6_000, 20_000, 80_000), 10
SHOWN = 20_000
CUTS = (-0.8, -0.25, 0.25, 0.8)
EASY, EASY_PART = "no noise for 70 %, then chance", 0.7

ESTIMATORS: dict[str, Callable[[], Any]] = {
    "`Rater`": ranktron.Rater,
    "`OrdinalLogit`": ranktron.OrdinalLogit,
    "`AROWPRank`": ranktron.AROWPRank,
    "`PRank`": ranktron.PRank,
    "`NoPRank`, margin": lambda: ranktron.NoPRank(trigger="margin"),
    "`SiPRank`": ranktron.SiPRank,
    "`ROMMAPRank`": ranktron.ROMMAPRank,
    "`MulticlassPerceptron`": ranktron.MulticlassPerceptron,
    "`WidrowHoff`": lambda: ranktron.WidrowHoff(step=0.01),
}


def along(n: int, angle: Any = 0.5, noise: Any = 0.3, shift: Any = 0.0) -> Rows:
    """Five ranks along a direction, which is given as one angle per row; the last feature is 1."""
    random = np.random.default_rng(n)
    X = np.column_stack([random.standard_normal((n, 4)), np.ones(n)])
    value = X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle) + shift + noise * random.standard_normal(n)
    return X, 1 + np.digitize(value, CUTS)


def wandering(n: int) -> Rows:
    """Thresholds that follow a random walk within limits, so that no label covers everything."""
    return along(n, shift=np.sin(np.cumsum(np.random.default_rng(n + 1).standard_normal(n)) * 3.0 / np.sqrt(n)))


def turned_over(n: int) -> Rows:
    """All weights change in the middle."""
    random = np.random.default_rng(n)
    X, rules = random.standard_normal((n, 10)), random.standard_normal((10, 2))
    value = np.where(np.arange(n) < n // 2, *(X @ rules).T) / 3.0 + 0.1 * random.standard_normal(n)
    return X, 1 + np.digitize(value, CUTS)


def by_chance(n: int) -> Rows:
    """Random labels: there is nothing to learn."""
    random = np.random.default_rng(n)
    return random.standard_normal((n, 5)), random.integers(1, 6, n)


def outlying(n: int) -> Rows:
    """One row in a hundred is a thousand times as long."""
    X, y = synthetic.linear(n, 5, noise=0.7, seed=n)
    return X * np.where(np.random.default_rng(n).random(n) < 0.01, 1e3, 1.0)[:, None], y


def easy_then_not(n: int) -> Rows:
    """Predictable labels that become random."""
    X, y = along(n, noise=0.0)
    return X, np.where(np.arange(n) < EASY_PART * n, y, by_chance(n)[1])


STREAMS: dict[str, Callable[[int], Rows]] = {
    "Crammer and Singer's, 5 labels": lambda n: synthetic.crammer_singer(n, seed=0),
    "a direction that turns twice around": lambda n: along(n, np.linspace(0.0, 4.0 * np.pi, n)),
    "thresholds that wander": wandering,
    "noise that grows": lambda n: along(n, noise=np.linspace(0.1, 1.5, n)),
    "all weights change half way": turned_over,
    "labels by chance": by_chance,
    "features with huge outliers": outlying,
    EASY: easy_then_not,
}


def sections() -> list[Section]:
    """The lowest and the highest coverage of all, and a table for one length of stream."""
    covers = {
        (name, stream, n): covered(make(), *STREAMS[stream](n), EASY_PART if stream == EASY else 0.0)
        for n in LENGTHS
        for stream in STREAMS
        for name, make in ESTIMATORS.items()
    }
    whole = {key: cover.all for key, cover in covers.items()}
    open_ones = {key: cover.hard for key, cover in covers.items() if cover.hard.too_wide}
    lowest = min(whole, key=lambda key: whole[key].interval)
    highest = max(open_ones, key=lambda key: open_ones[key].interval)
    lines = [
        Line("lowest coverage", whole[lowest].interval, at_least(LEAST), run_name(lowest)),
        Line("highest where the single rank covers less", open_ones[highest].interval, at_most(MOST), run_name(highest)),
    ]
    outside = [run_name(key) for key, cover in whole.items() if cover.interval < LEAST]
    outside += [run_name(key) for key, cover in open_ones.items() if cover.interval > MOST]
    about = f"{ABOUT} Outside of these bounds: {'; '.join(outside) or 'none'}."
    cells = [[stream, *(shown(whole[name, stream, SHOWN]) for name in ESTIMATORS)] for stream in STREAMS]
    table = f"Coverage and, in brackets, the mean number of labels in an interval; {SHOWN:,} rows."
    return [
        Section(f"Intervals of every kind that should hold {COVERAGE:.0%}", about, lines),
        Section("Intervals, estimator by estimator", table, headings=["stream", *ESTIMATORS], cells=cells),
    ]


class Covers(NamedTuple):
    """Coverage of the whole stream, and of its part that is not easy, which for most streams is the whole."""

    all: Cover
    hard: Cover


def covered(model: Any, X: np.ndarray, y: np.ndarray, easy: float = 0.0) -> Covers:
    """Coverage of intervals that are computed before rows are learned, a few rows at a time; the first rows are not counted."""
    model.partial_fit(X[:BATCH], y[:BATCH], classes=[1, 2, 3, 4, 5])
    covers = []
    with warnings.catch_warnings(action="ignore"):  # among outliers WidrowHoff diverges
        for start in range(BATCH, len(y), BATCH):
            rows, ranks = X[start : start + BATCH], y[start : start + BATCH]
            low, high = model.predict_interval(rows, COVERAGE)
            covers.append(((low <= ranks) & (ranks <= high), model.predict(rows) == ranks, high - low + 1))
            model.partial_fit(rows, ranks)
    kept = [np.concatenate(part) for part in zip(*covers)]
    begins = max(0, int(easy * len(y)) - BATCH)
    return Covers(Cover(*(float(part.mean()) for part in kept)), Cover(*(float(part[begins:].mean()) for part in kept)))


def run_name(key: tuple[str, str, int]) -> str:
    """The name of a run."""
    name, stream, n = key
    return f"{name}, {stream}, {n:,} rows"


def shown(cover: Cover) -> str:
    """A cell of the table."""
    return f"{cover.interval:.3f} ({cover.width:.2f})"


ABOUT = f"""\
`predict_interval` before rows are learned, {BATCH} at a time; streams of {", ".join(f"{n:,}" for n in LENGTHS)} rows. The lowest
is of whole streams. The highest is of what comes after the change where a stream is easy first: before it the single rank covers
more than {COVERAGE:.0%} by itself."""
