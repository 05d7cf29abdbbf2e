"""Figures of predictions in constant memory, for ratings and for lists.

A resumed run continues them: ``state`` is plain data that ``restore`` takes. ``titles`` has the title of each value in a table.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import metrics
from ...core.lists import lists_of
from ...core.measures import PrecisionAt
from ...metrics.grades import kappa_of
from ...metrics.list_values import values_of
from ...models.kinds.list import ListModel

# Up to this many labels, all pairs of labels are counted in one table.
WIDEST = 256


class RatingFigures:
    """Figures of ratings, from how often each label was predicted for each true label."""

    titles = {"loss": "loss (ranks off)", "accuracy": "accuracy", "kappa": "kappa, quadratic", "macro_mae": "ranks off, by label"}

    def __init__(self, model: Any) -> None:
        self._model = model
        self._counts: dict[tuple[Any, Any], int] = {}
        self.rejected = 0

    def update(self, y: Any, predicted: Any, qid: Any = None) -> None:
        """Count pairs of labels; a row without a predicted label was rejected."""
        true, given = np.asarray(y), np.asarray(predicted)
        answered = np.isin(given, self._model.classes_) if self._may_reject else np.ones(len(true), bool)
        self.rejected += int(len(true) - answered.sum())
        for pair, count in _pairs(true, given) if answered.all() else _pairs(true[answered], given[answered]):
            self._counts[pair] = self._counts.get(pair, 0) + count

    @property
    def _may_reject(self) -> bool:
        return getattr(getattr(self._model, "task", None), "reject", None) is not None

    def scale(self) -> list[Any]:
        """All labels in ascending order: the model's, and where labels are numbers, also those that only the data have."""
        names = list(map(plain_label, self._model.classes_.tolist()))
        for label in {true for true, _ in self._counts} - set(names):
            if any(isinstance(one, str) for one in (label, *names)):
                from ...data.streams.tables import listed

                known = listed([repr(name) for name in names])
                raise ValueError(f"label {label!r:.60} is not among the labels of the model: {known}")
            bisect.insort(names, label)
        return names

    def values(self) -> dict[str, float]:
        """Mean absolute error in ranks, accuracy, quadratic weighted kappa and the mean error of labels that count alike.

        They equal those of ``metrics`` to the last bit. Updating four metrics pair by pair takes seven times as long.
        """
        pairs = self._ranked()
        n = sum(count for _, _, count in pairs)
        off: dict[int, tuple[int, int]] = {}
        for true, answer, count in pairs:
            total, rows = off.get(true, (0, 0))
            off[true] = total + abs(true - answer) * count, rows + count
        terms = ((a * c, b * c, a * a * c, b * b * c, a * b * c) for a, b, c in pairs)
        values = {
            "loss": _mean(sum(total for total, _ in off.values()), n),
            "accuracy": _mean(sum(count for true, answer, count in pairs if true == answer), n),
            "kappa": kappa_of(n, *map(sum, zip(*terms))) if n else math.nan,
            "macro_mae": _mean(math.fsum(total / rows for total, rows in off.values()), len(off)),
        }
        if self._may_reject:
            values["rejected"] = _mean(self.rejected, self.rejected + n)
        return values

    def _ranked(self) -> list[tuple[int, int, int]]:
        """The ranks of both labels of every pair, and its count."""
        rank = {label: place for place, label in enumerate(self.scale())}
        return [(rank[true], rank[answer], count) for (true, answer), count in self._counts.items()]

    def loss(self) -> float:
        """Ranks off, on average."""
        pairs = self._ranked()
        return _mean(sum(abs(true - answer) * count for true, answer, count in pairs), sum(count for *_, count in pairs))

    def state(self) -> dict[str, Any]:
        """Pairs of labels and their counts."""
        return {"counts": [[*pair, count] for pair, count in self._counts.items()], "rejected": self.rejected}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue with these counts."""
        self._counts = {(true, answer): count for true, answer, count in state["counts"]}
        self.rejected = state["rejected"]


def _mean(total: float, count: int) -> float:
    return total / count if count else math.nan


def plain_label(label: Any) -> Any:
    """A label such as 3.0 as 3."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


def _pairs(true: np.ndarray, predicted: np.ndarray) -> Iterator[tuple[tuple[Any, Any], int]]:
    """How often each label was predicted for each true label."""
    names = _range_of(true, predicted)
    (true_names, true_codes), (predicted_names, predicted_codes) = (_coded(labels, names) for labels in (true, predicted))
    table = np.bincount(true_codes * len(predicted_names) + predicted_codes)
    for place in np.flatnonzero(table).tolist():
        yield (true_names[place // len(predicted_names)], predicted_names[place % len(predicted_names)]), int(table[place])


def _range_of(true: np.ndarray, predicted: np.ndarray) -> range | None:
    """All numbers that labels can be, if they are whole and close together: then no sorting is needed."""
    if true.dtype.kind not in "iuf" or predicted.dtype.kind not in "iuf" or not len(true):
        return None
    low, high = min(true.min(), predicted.min()), max(true.max(), predicted.max())
    if not high - low < WIDEST or any(
        labels.dtype.kind == "f" and (labels != np.rint(labels)).any() for labels in (true, predicted)
    ):
        return None
    return range(int(low), int(high) + 1)


def _coded(labels: np.ndarray, names: range | None) -> tuple[list[Any], np.ndarray]:
    """The labels that occur, or all in a range, and the index of each row's label."""
    if names is not None:
        return list(names), (labels - names[0]).astype(np.int64)
    if labels.dtype.kind != "O":
        found, codes = np.unique(labels, return_inverse=True)
        return list(map(plain_label, found.tolist())), codes
    place: dict[Any, int] = {}
    codes = np.fromiter((place.setdefault(label, len(place)) for label in labels.tolist()), np.int64, len(labels))
    return list(map(plain_label, place)), codes


class ListFigures:
    """Figures of lists: means over those that have a relevant document."""

    def __init__(self, model: Any) -> None:
        self.measure: str = model.measure
        self.titles = {
            "loss": f"loss (1 - {self.measure})",
            self.measure: self.measure,
            "ndcg": "NDCG",
            "map": "MAP",
            "mrr": "MRR",
            "precision@10": "precision at 10",
        }
        self._sums: dict[str, tuple[float, float]] = dict.fromkeys(list(self.titles)[1:], (0.0, 0.0))
        self.lists = self.skipped = 0

    def update(self, y: Any, predicted: Any, qid: Any = None) -> None:
        """Count the lists of a block, by the grades and scores of their documents."""
        lists = skipped = 0
        runs = None if qid is None else np.cumsum(np.append(False, qid[1:] != qid[:-1]))  # a list is a run of equal ids
        for name in self._sums:
            values = _judged(name, np.asarray(y), np.asarray(predicted), runs, name == self.measure)
            counted = values[~np.isnan(values)].tolist()
            self._sums[name] = _added(self._sums[name], counted)
            lists, skipped = len(counted), len(values) - len(counted)
        self.lists += lists
        self.skipped += skipped

    def values(self) -> dict[str, float]:
        """1 - the model's measure, the measure, NDCG, MAP, MRR and precision at 10."""
        means = {name: sum(parts) / self.lists if self.lists else math.nan for name, parts in self._sums.items()}
        return {"loss": 1.0 - means[self.measure], **means}

    def loss(self) -> float:
        """1 - the model's measure."""
        return 1.0 - sum(self._sums[self.measure]) / self.lists if self.lists else math.nan

    def state(self) -> dict[str, Any]:
        """Sums and counts."""
        return {"sums": {name: list(parts) for name, parts in self._sums.items()}, "lists": self.lists, "skipped": self.skipped}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue with these sums."""
        self._sums = {name: (parts[0], parts[1]) for name, parts in state["sums"].items()}
        self.lists, self.skipped = state["lists"], state["skipped"]


def list_bounds(qid: Any) -> np.ndarray:
    """The first row of each list and the end of the last one; a list is a run of equal ids.

    >>> list_bounds(np.array([7, 7, 3, 7]))
    array([0, 2, 3, 4])
    """
    return np.concatenate([[0], np.flatnonzero(qid[1:] != qid[:-1]) + 1, [len(qid)]])


Figures = RatingFigures | ListFigures


def figures_of(model: Any) -> Figures:
    """The figures of a model's task."""
    return ListFigures(model) if isinstance(model, ListModel) else RatingFigures(model)


def _judged(name: str, grades: np.ndarray, scores: np.ndarray, qid: Any, as_learned: bool) -> np.ndarray:
    """The value of every list, NaN for those without a relevant document."""
    kind, _, k = name.partition("@")
    if kind == "precision" and as_learned:  # over the number of relevant documents if that is below k
        values: Any = values_of(PrecisionAt(int(k)), scores, (grades > 0).astype(float), lists_of(qid, len(grades)))
    elif kind == "precision":
        values = metrics.precision_at(grades, scores, int(k), qid, empty="skip", per_list=True)
    elif kind == "ndcg":
        values = metrics.ndcg(grades, scores, qid, k=int(k) if k else None, empty="skip", per_list=True)
    else:
        measure: Any = metrics.mrr if kind == "mrr" else metrics.average_precision
        values = measure(grades, scores, qid, empty="skip", per_list=True)
    return np.asarray(values)


def _added(parts: tuple[float, float], terms: list[float]) -> tuple[float, float]:
    """A sum in two parts, with twice the usual digits: it does not depend on how lists are split into blocks."""
    high = math.fsum((*parts, *terms))
    return high, math.fsum((*parts, *terms, -high))
