"""Metrics of a stream, in constant memory: ``update`` counts an example or a list, ``get`` returns the value so far, ``revert``
undoes an update.

The value is that of the function of the same name, bit for bit, of all updates that were not reverted, in any order: sums are
kept as exact fractions. Before the first update ``get`` returns NaN. A refused update changes nothing.

``w`` is the weight of an example or of a list: a whole number counts as that many updates.
"""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from . import lists
from .grades import kappa_of, row_scores, table
from .inputs import Scale, check_label, highest_grade

Exact = int | Fraction
NUMBER = (int, float, np.number, np.bool_)


def exact(number: float) -> Exact:
    """The number as an int or a Fraction, for exact sums."""
    return int(number) if number % 1 == 0 else Fraction(number)


def weight_of(w: Any) -> Exact:
    """A weight, checked."""
    if w == 1:
        return 1
    if not isinstance(w, NUMBER) or not 0 <= w < math.inf:
        raise ValueError(f"w should be a finite number, 0 or more, not {w!r:.60}")
    return exact(float(w))


class Metric:
    """The base of metrics of a stream: weighted sums of some terms, and the sum of the weights."""

    _n_terms = 1

    def __init__(self) -> None:
        self._sums: list[Exact] = [0] * self._n_terms
        self._weight: Exact = 0

    def get(self) -> float:
        """The value so far."""
        return float(self._sums[0]) / float(self._weight) if self._weight else math.nan

    def _add(self, terms: tuple[Exact, ...], weight: Exact) -> None:
        for number, term in enumerate(terms):
            self._sums[number] += weight * term
        self._weight += weight

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.get():.6g}"


class GradeMetric(Metric, abc.ABC):
    """A metric of true and predicted grades: numbers, or any labels if ``classes`` has all labels in ascending order."""

    def __init__(self, classes: Any = None) -> None:
        super().__init__()
        self.classes = classes
        self._scale = None if classes is None else Scale(classes)

    def update(self, y_true: Any, y_pred: Any, w: float = 1.0) -> None:
        """Count an example."""
        self._add(self._terms(y_true, y_pred), weight_of(w))

    def revert(self, y_true: Any, y_pred: Any, w: float = 1.0) -> None:
        """Undo an update with the same example."""
        self._add(self._terms(y_true, y_pred), -weight_of(w))

    @abc.abstractmethod
    def _terms(self, y_true: Any, y_pred: Any) -> tuple[Exact, ...]:
        """The terms that an example adds to the sums."""

    def _position(self, label: Any, name: str) -> float:
        if self._scale is not None:
            return self._scale.rank(label, name)
        if not isinstance(label, NUMBER) or not math.isfinite(label):
            raise ValueError(f"{name} is {label!r:.60}; labels that are not finite numbers need classes=, in ascending order")
        return float(label)

    def _error(self, y_true: Any, y_pred: Any) -> Exact:
        return exact(abs(self._position(y_true, "y_true") - self._position(y_pred, "y_pred")))


class Accuracy(GradeMetric):
    """``accuracy`` of a stream.

    >>> metric = Accuracy()
    >>> metric.update("good", "good")
    >>> metric.update("good", "bad")
    >>> metric
    Accuracy: 0.5
    """

    def _terms(self, y_true: Any, y_pred: Any) -> tuple[Exact, ...]:
        check = check_label if self._scale is None else self._scale.rank
        check(y_true, "y_true")
        check(y_pred, "y_pred")
        return (int(y_true == y_pred),)


class MAE(GradeMetric):
    """``mean_absolute_error`` of a stream.

    >>> metric = MAE(classes=["low", "mid", "high"])
    >>> metric.update("low", "high")
    >>> metric.update("mid", "mid")
    >>> metric.get()
    1.0
    >>> metric.revert("low", "high")
    >>> metric.get()
    0.0
    """

    def _terms(self, y_true: Any, y_pred: Any) -> tuple[Exact, ...]:
        return (self._error(y_true, y_pred),)


class MacroMAE(GradeMetric):
    """``macro_mae`` of a stream; it stores two numbers per label."""

    def __init__(self, classes: Any = None) -> None:
        super().__init__(classes)
        self._labels: dict[Exact, tuple[Exact, Exact]] = {}

    def _terms(self, y_true: Any, y_pred: Any) -> tuple[Exact, ...]:
        return exact(self._position(y_true, "y_true")), self._error(y_true, y_pred)

    def _add(self, terms: tuple[Exact, ...], weight: Exact) -> None:
        label, error = terms
        total, count = self._labels.pop(label, (0, 0))
        if count + weight:
            self._labels[label] = total + weight * error, count + weight

    def get(self) -> float:
        """The value so far."""
        means = [float(total) / float(count) for total, count in self._labels.values()]
        return math.fsum(means) / len(means) if means else math.nan


class QuadraticKappa(GradeMetric):
    """``quadratic_weighted_kappa`` of a stream; it stores six numbers."""

    _n_terms = 5

    def _terms(self, y_true: Any, y_pred: Any) -> tuple[Exact, ...]:
        a, b = exact(self._position(y_true, "y_true")), exact(self._position(y_pred, "y_pred"))
        return a, b, a * a, b * b, a * b

    def get(self) -> float:
        """The value so far; NaN until there are two labels."""
        return kappa_of(self._weight, *self._sums)


class RPS(GradeMetric):
    """``ranked_probability_score`` of a stream of probabilities, as mappings from labels or in the order of ``classes``.

    >>> metric = RPS(classes=["low", "mid", "high"])
    >>> metric.update("low", {"low": 0.5, "mid": 0.5})
    >>> metric
    RPS: 0.25
    """

    def __init__(self, classes: Any) -> None:
        super().__init__(classes)
        self._scale: Scale = Scale(classes)

    def _terms(self, y_true: Any, y_pred: Any) -> tuple[Exact, ...]:
        rank, shares = self._scale.rank(y_true, "y_true"), table([self._shares(y_pred)])
        return (exact(row_scores(np.array([rank]), shares).item()),)

    def _shares(self, y_pred: Any) -> Any:
        shares = y_pred
        if isinstance(y_pred, Mapping):
            shares = [0.0] * len(self._scale)
            for label, share in y_pred.items():
                shares[self._scale.rank(label, "y_pred")] = share
        if np.shape(shares) != (len(self._scale),):
            raise ValueError(f"y_pred should hold one probability per label, {len(self._scale)}, not {y_pred!r:.60}")
        return shares


class ListMetric(Metric):
    """A metric of lists, updated with one list of documents at a time; its value is the mean of a function in ``lists``."""

    def __init__(self, function: Callable[..., Any], **settings: Any) -> None:
        super().__init__()
        self._values = functools.partial(function, per_list=True, **settings)
        self._values([0.0], [0.0])  # refuses bad settings at once

    def update(self, y: Any, scores: Any, w: float = 1.0) -> None:
        """Count a list, by the grades and the scores of its documents."""
        self._count(self._values(y, scores).item(), weight_of(w))

    def revert(self, y: Any, scores: Any, w: float = 1.0) -> None:
        """Undo an update with the same list."""
        self._count(self._values(y, scores).item(), -weight_of(w))

    def _count(self, value: float, weight: Exact) -> None:
        if not math.isnan(value):
            self._add((exact(value),), weight)


class NDCG(ListMetric):
    """``ndcg`` of a stream of lists.

    >>> metric = NDCG(k=10)
    >>> metric.update([0, 2, 1], [0.1, 0.9, 0.5])
    >>> metric.update([0, 1], [0.3, 0.2])
    >>> metric
    NDCG: 0.815465
    """

    def __init__(self, k: int | None = None, gain: str = "exponential", ties: str = "first", empty: float | str = 1.0) -> None:
        super().__init__(lists.ndcg, k=k, gain=gain, ties=ties, empty=empty)


class AveragePrecision(ListMetric):
    """``average_precision`` of a stream of lists."""

    def __init__(self, empty: float | str = 1.0) -> None:
        super().__init__(lists.average_precision, empty=empty)


class ERR(ListMetric):
    """``err`` of a stream of lists, which needs the ``highest`` grade of the scale."""

    def __init__(self, highest: float, k: int | None = None, empty: float | str = 0.0) -> None:
        super().__init__(lists.err, k=k, highest=highest_grade(highest), empty=empty)


class MRR(ListMetric):
    """``mrr`` of a stream of lists."""

    def __init__(self, k: int | None = None, empty: float | str = 0.0) -> None:
        super().__init__(lists.mrr, k=k, empty=empty)


class Precision(ListMetric):
    """``precision_at`` of a stream of lists."""

    def __init__(self, k: int, empty: float | str = 0.0) -> None:
        super().__init__(lists.precision_at, k=k, empty=empty)
