"""What `evaluate` counts in constant memory, and the figures and intervals that follow from the counts."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ... import metrics
from ...core.lists import lists_of
from ...metrics.grades import row_scores
from ...models import streaming
from ..shared.figures import RatingFigures
from ..shared.reading import label_ranks

RESAMPLES = 2000
# The coverage of the intervals, in per cent.
LEVEL = 95

# A normal variable lies within this many standard deviations of its mean with a probability of LEVEL.
NORMAL = 1.959963984540054

CUTOFFS = (1, 3, 5, 10)


BOOTSTRAP = f"Intervals are the percentile bootstrap's over rows, {RESAMPLES:,} resamples, taking rows as independent."
ERRORS = "Intervals are 1.96 standard errors to either side, taking lists as independent."
REJECTED = "Rows that the model rejected are left out of all figures."
VOTES = "The interval of the ranked probability score is 1.96 standard errors to either side."


class Figure(NamedTuple):
    """A figure and the ends of its interval, NaN where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan


class ExactMean:
    """The mean of numbers, their sum kept exactly."""

    def __init__(self) -> None:
        self.count = 0
        self._sum: list[float] = []
        self._squares = 0.0

    def add(self, values: np.ndarray) -> None:
        """Count these numbers."""
        self.count += len(values)
        self._sum = exact_sum([*self._sum, *values.tolist()])
        self._squares += float(np.square(values).sum())

    def get(self, low: float = 0.0, high: float = math.inf) -> Figure:
        """The mean, and 1.96 standard errors to either side of it, within what is possible."""
        if not self.count:
            return Figure(math.nan)
        mean = math.fsum(self._sum) / self.count
        variance = max(0.0, self._squares / self.count - mean * mean)
        error = NORMAL * math.sqrt(variance / (self.count - 1)) if self.count > 1 else math.nan
        return Figure(mean, max(low, mean - error), min(high, mean + error)) if error == error else Figure(mean)


def exact_sum(values: list[float]) -> list[float]:
    """A few numbers whose exact sum is that of ``values``.

    >>> exact_sum([1e16, 0.25, 0.75])
    [1e+16, 1.0]
    """
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts


class RatingTally:
    """How often each label was predicted for each true label."""

    def __init__(self, model: Any) -> None:
        self.labels: list[Any] = model.classes_.tolist()
        self.rps = ExactMean() if hasattr(model, "predict_proba") else None
        self._figures = RatingFigures(model)

    def predict(self, model: Any, block: Any) -> tuple[Any, ...]:
        """The arguments of ``update`` for a block."""
        ranks = label_ranks(model, block.y)
        shares = None if self.rps is None else model.predict_proba(streaming.known_part(model, streaming.as_table(block)))
        return ranks, model.classes_[ranks], streaming.answer(model, block), shares

    def update(self, ranks: np.ndarray, y: np.ndarray, predicted: np.ndarray, shares: np.ndarray | None) -> None:
        """Count rows by their true and predicted labels; ``ranks`` are the ranks of the true ones."""
        self._figures.update(y, predicted)
        if self.rps is not None and shares is not None:
            self.rps.add(row_scores(ranks, shares))

    def table(self) -> np.ndarray:
        """The confusion matrix: a row per true label, a column per predicted label."""
        rank = {label: place for place, label in enumerate(self.labels)}
        table = np.zeros((len(rank), len(rank)), np.int64)
        for label, predicted, count in self._figures.state()["counts"]:
            table[rank[label], rank[predicted]] = count
        return table

    def figures(self) -> dict[str, Figure]:
        """All figures, by name."""
        values, ends = self._figures.values(), _bootstrap(self.table())
        measured = {"mae": values["loss"], **{name: values[name] for name in ("macro_mae", "accuracy", "kappa")}}
        figures = {name: Figure(value, *ends.get(name, ())) for name, value in measured.items()}
        return figures if self.rps is None else figures | {"rps": self.rps.get()}

    def result(self) -> dict[str, Any]:
        """The result as plain data."""
        table, rejected = self.table(), self._figures.rejected
        return {
            "task": "ratings",
            "rows": int(table.sum()) + rejected,
            "rejected": rejected,
            **_plain(self.figures()),
            "labels": self.labels,
            "confusion": table.tolist(),
            "choices": [BOOTSTRAP, *([REJECTED] if rejected else []), *([VOTES] if self.rps is not None else [])],
        }


def _plain(figures: dict[str, Figure]) -> dict[str, Any]:
    values = {name: figure.value for name, figure in figures.items()}
    return values | {"intervals": {name: [figure.low, figure.high] for name, figure in figures.items()}}


def _bootstrap(table: np.ndarray) -> dict[str, tuple[float, float]]:
    """The ends of the percentile bootstrap: resampling rows is the same as resampling the counts in the table."""
    cells = np.argwhere(table)
    n = int(table.sum())
    if n < 2:
        return {}
    random = np.random.Generator(np.random.PCG64(0))
    draws = max(1, 4_000_000 // len(cells))
    parts = [min(draws, RESAMPLES - start) for start in range(0, RESAMPLES, draws)]
    shares = table[tuple(cells.T)] / n
    figures = [_figures_of(random.multinomial(n, shares, size).astype(np.float64), cells) for size in parts]
    found = {name: np.concatenate([part[name] for part in figures]) for name in figures[0]}
    tail = (100 - LEVEL) / 200
    return {name: _ends(values[~np.isnan(values)], tail) for name, values in found.items()}


def _ends(values: np.ndarray, tail: float) -> tuple[float, float]:
    return (math.nan, math.nan) if len(values) == 0 else tuple(np.quantile(values, [tail, 1 - tail]).tolist())


def _figures_of(counts: np.ndarray, cells: np.ndarray) -> dict[str, np.ndarray]:
    """The figures of many tables at once: each row of ``counts`` is a table, and ``cells`` has the ranks of each column."""
    a, b = cells.T.astype(np.float64)
    n, off = counts.sum(axis=1), np.abs(a - b)
    chance = n * (counts @ (a * a + b * b)) - 2 * (counts @ a) * (counts @ b)
    is_rank = (a[:, None] == np.unique(a)).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        macro = (counts @ (is_rank * off[:, None])) / (counts @ is_rank)
        kappa = 1 - n * (counts @ (off * off)) / chance
    seen = np.isfinite(macro)
    return {
        "mae": counts @ off / n,
        "macro_mae": np.where(seen, macro, 0.0).sum(axis=1) / seen.sum(axis=1),
        "accuracy": counts @ (off == 0) / n,
        "kappa": kappa,
    }


class ListTally:
    """Sums of the measures of lists; lists without a relevant document are added at the end, or left out."""

    def __init__(self, empty: str, highest: float | None) -> None:
        self.empty, self.highest = empty, highest
        self.n_lists = self.n_empty = self.n_rows = 0
        # A grade above the highest one that ERR was computed with, once there was one.
        self.outgrown = 0.0
        self._is_given = highest is not None
        self._means: dict[str, ExactMean] = {}

    def predict(self, model: Any, block: Any) -> tuple[Any, ...]:
        """The arguments of ``update`` for a block."""
        return streaming.checked_grades(block.y), streaming.project(model, block), block.qid

    def update(self, grades: np.ndarray, scores: np.ndarray, qid: Any) -> None:
        """Count the lists of some rows."""
        values = self._values(grades, scores, qid)
        is_counted = ~np.isnan(values["ap"])
        self.n_rows += len(grades)
        self.n_lists += len(is_counted)
        self.n_empty += int((~is_counted).sum())
        for name, found in values.items():
            self._means.setdefault(name, ExactMean()).add(found[is_counted])

    def _values(self, grades: np.ndarray, scores: np.ndarray, qid: Any) -> dict[str, np.ndarray]:
        rows = lists_of(qid, len(grades))
        ids = np.repeat(np.arange(len(rows.bounds) - 1), np.diff(rows.bounds))  # ids may be strings: they are compared only once
        y, predicted = grades[rows.order].astype(np.float64), scores[rows.order]
        how: dict[str, Any] = {"qid": ids, "empty": "skip", "per_list": True}
        values = {f"ndcg@{k}": metrics.ndcg(y, predicted, k=k, **how) for k in CUTOFFS}
        values |= {"ndcg": metrics.ndcg(y, predicted, **how), "ap": metrics.average_precision(y, predicted, **how)}
        values |= {"rr": metrics.mrr(y, predicted, **how)}
        if self._fits(float(y.max())):
            values |= {"err": metrics.err(y, predicted, highest=self.highest, **how)}
        return values | {f"precision@{k}": metrics.precision_at(y, predicted, k, **how) for k in CUTOFFS}

    def _fits(self, top: float) -> bool:
        """Whether ``top`` is on the scale of grades, whose highest one is by default that of the first rows."""
        if self.highest is None:
            self.highest = max(1.0, top)
        if top > self.highest and self._is_given:
            raise ValueError(f"there is a grade of {top:g}, above --highest {self.highest:g}")
        self.outgrown = max(self.outgrown, top if top > self.highest else 0.0)
        return not self.outgrown

    def figures(self) -> dict[str, Figure]:
        """All figures, by name."""
        if self.empty != "skip":
            for mean in self._means.values():
                mean.add(np.full(self.n_empty, float(self.empty)))
        names = {"ap": "map", "rr": "mrr"}
        kept = {names.get(name, name): mean.get(high=1.0) for name, mean in self._means.items()}
        return kept | {"err": Figure(math.nan)} if self.outgrown else kept

    def result(self) -> dict[str, Any]:
        """The result as plain data."""
        counted = {"skip": "are left out", "0": "count 0", "1": "count 1"}[self.empty]
        choices = [
            f"{self.n_empty:,} of {self.n_lists:,} lists hold no relevant document; they {counted}.",
            "Gains are 2^grade - 1, a grade above 0 is relevant, and of equal scores the earlier row stands first.",
            self._scale_note(),
            ERRORS,
        ]
        counts = {"lists": self.n_lists, "lists_without_relevant": self.n_empty, "rows": self.n_rows, "empty": self.empty}
        return {"task": "lists", **counts, "highest": self.highest, **_plain(self.figures()), "choices": choices}

    def _scale_note(self) -> str:
        if self.outgrown:
            return (
                f"ERR needs the highest grade at the start, and {self.outgrown:g} came later; pass --highest {self.outgrown:g}."
            )
        return f"ERR uses {self.highest:g} as the highest grade of the scale."
