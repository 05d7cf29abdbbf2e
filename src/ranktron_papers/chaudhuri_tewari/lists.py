"""Lists with a margin, in three readings of Chaudhuri & Tewari's section 8, and learners that see lists one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron import metrics

# Features, grades and list ids.
Rows = tuple[Any, np.ndarray, np.ndarray]

NDCG, AP = "ndcg@10", "ap"
MARGIN = 0.1


class DataReading(NamedTuple):
    """The standard deviation of documents of a grade, and whether grades are even steps along the ranker."""

    spread: float
    even: bool
    # An upper bound on the length of documents.
    longest: float


EVEN, WIDE, NARROW = "even grades", "wide Gaussians", "narrow Gaussians"
# The paper only says that each grade has a Gaussian of its own and that a ranker induces a margin.
READINGS = {EVEN: DataReading(1.0, True, 15.0), WIDE: DataReading(1.0, False, 15.0), NARROW: DataReading(0.2, False, 10.0)}


class Separable:
    """A source of lists that a ranker of norm 1 orders with a margin.

    Each grade has a normal distribution around a centre of its own. Along the ranker, either the grades are even steps, as in
    ``ranktron.data.synthetic.chaudhuri_tewari``, or documents are drawn from the Gaussian until they keep half a margin from the
    middle between neighbouring centres.
    """

    def __init__(
        self, reading: str, seed: int, *, margin: float = MARGIN, n_documents: int = 20, n_features: int = 20, n_grades: int = 5
    ) -> None:
        self.reading, self.margin, self.n_documents = READINGS[reading], margin, n_documents
        self.random = np.random.default_rng(seed)
        ranker = self.random.standard_normal(n_features)
        self.ranker = ranker / np.linalg.norm(ranker)
        self.centres = self._centres(n_grades)
        places = self.centres @ self.ranker
        middles = (places[1:] + places[:-1]) / 2
        self.low, self.high = np.append(-np.inf, middles + margin / 2), np.append(middles - margin / 2, np.inf)

    def _centres(self, n_grades: int) -> np.ndarray:
        """The centres of the grades; unless grades are even steps, they are ordered and two margins apart along the ranker."""
        while True:
            centres = self.random.standard_normal((n_grades, len(self.ranker)))
            if self.reading.even:
                return centres
            centres = centres[np.argsort(centres @ self.ranker)]
            if np.diff(centres @ self.ranker).min() >= 2 * self.margin:
                return centres

    def draw(self, n_lists: int) -> Rows:
        """The next lists; grades are uniform."""
        y = self.random.integers(len(self.centres), size=n_lists * self.n_documents)
        X = self.centres[y] + self.reading.spread * self.random.standard_normal((len(y), len(self.ranker)))
        X += np.outer(self._along(y) - X @ self.ranker, self.ranker)
        return X, y, np.repeat(np.arange(n_lists), self.n_documents)

    def _along(self, y: np.ndarray) -> np.ndarray:
        if self.reading.even:
            return y + (1.0 - self.margin) * self.random.random(len(y))
        places = self.centres @ self.ranker
        along = np.full(len(y), np.nan)
        while len(left := np.flatnonzero(np.isnan(along))):
            drawn = places[y[left]] + self.reading.spread * self.random.standard_normal(len(left))
            kept = (drawn >= self.low[y[left]]) & (drawn <= self.high[y[left]])
            along[left[kept]] = drawn[kept]
        return along


# Learners


def learner(name: str, measure: str, average: bool = False, **settings: Any) -> Any:
    """A new ranker, by default with the paper's last hypothesis."""
    return getattr(ranktron, name)(measure=measure, average=average, **settings)


def measured_lists(scores: np.ndarray, rows: Rows, measure: str) -> np.ndarray:
    """NDCG@10 or average precision of every list."""
    _, y, qid = rows
    if measure == AP:
        return np.asarray(metrics.average_precision(y, scores, qid, per_list=True))
    return np.asarray(metrics.ndcg(y, scores, qid, k=10, per_list=True))


def time_averaged(values: np.ndarray) -> np.ndarray:
    """The running mean."""
    return np.cumsum(values) / np.arange(1, len(values) + 1)


def online_curve(model: Any, rows: Rows, measure: str) -> np.ndarray:
    """The time-averaged measure of lists that were ranked before they were learned."""
    X, y, qid = rows
    return time_averaged(measured_lists(model.predict_then_learn(X, y, qid), rows, measure))


def curves_by_step(
    name: str, rows: Rows, measure: str, steps: Sequence[float], unit: float = 1.0, average: bool = False
) -> dict[float, np.ndarray]:
    """The time-averaged measure of a learner by its step, in multiples of ``unit``."""
    return {step: online_curve(learner(name, measure, average, step=step * unit), rows, measure) for step in steps}


def best_step(curves: dict[float, np.ndarray]) -> float:
    """The step with the highest final value, the smallest in a tie."""
    return max(curves, key=lambda step: (curves[step][-1], -step))


def decades(low: int, high: int) -> tuple[float, ...]:
    """Powers of ten and their geometric middles, to three digits.

    >>> decades(-1, 0)
    (0.1, 0.316, 1.0)
    """
    return tuple(float(f"{10 ** (half / 2):.3g}") for half in range(2 * low, 2 * high + 1))
