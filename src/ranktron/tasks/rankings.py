"""Orders of labels or of documents, judged by NDCG or by precision at the top."""

from __future__ import annotations

import dataclasses
import math
import numbers
import re
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.grades import (
    Graded,
    Grades,
    ListWorkspace,
    counted_first,
    falls_short,
    graded,
    grades_of,
    look_up,
    relevant_or_not,
    workspace_for,
)
from ..core.lists import Lists
from ..core.measures import HIGHEST_GRADE, NDCG, PrecisionAt, best_first, discounts, ndcg_smallest_loss, value_of
from .protocol import Task, away_from_predicted, away_from_worst, check_count, has_loss, loss_of


class Orders(NamedTuple):
    """Place p is represented by ``worth[p]`` / Z, where Z² is the sum of all squares; a label is the ``Grades`` of a list.

    ``squares[m]`` is that sum for m places. ``by_score`` orders equal grades by descending score; otherwise the earlier row is
    first.
    """

    worth: np.ndarray
    squares: np.ndarray
    by_score: bool


class LabelOrders(NamedTuple):
    """The same for rows with a grade for each of their labels; a label is the number of a row of ``given``."""

    orders: Orders
    given: Graded
    measure: Any
    room: ListWorkspace


@loss_of.on(Orders)
def loss_of_orders(task: Orders, scores: np.ndarray, ranking: np.ndarray, grades: Grades) -> float:
    value = value_of(grades.measure, grades.gains, grades.ranked, grades.ideal)
    return 0.0 if math.isnan(value) else 1.0 - value


@has_loss.on(Orders)
def has_loss_orders(task: Orders, scores: np.ndarray, ranking: np.ndarray, grades: Grades) -> bool:
    return falls_short(grades.measure, grades)


@away_from_predicted.on(Orders)
def away_from_predicted_orders(
    task: Orders, scores: np.ndarray, ranking: np.ndarray, grades: Grades, direction: np.ndarray
) -> None:
    write_ideal(task, ranking, grades)
    size = math.sqrt(task.squares[scores.shape[0]])
    for i in range(scores.shape[0]):
        direction[i] = 0.0
    for place in range(scores.shape[0]):
        direction[grades.ideal[place]] += task.worth[place] / size
        direction[ranking[place]] -= task.worth[place] / size


@inline
def write_ideal(task: Orders, ranking: np.ndarray, grades: Grades) -> None:
    """Write σ_y, the documents by descending grade, to ``grades.ideal``."""
    if not task.by_score:
        for place in range(ranking.shape[0]):
            grades.ideal[place] = grades.by_gain[place]
        return
    counted_first(grades.ranked, grades.counts.shape[0], grades.ideal, grades.counts)
    for place in range(ranking.shape[0]):
        grades.ideal[place] = ranking[grades.ideal[place]]


@loss_of.on(LabelOrders)
def loss_of_label_orders(task: LabelOrders, scores: np.ndarray, prediction: Any, label: int) -> float:
    return loss_of(task.orders, scores, task.room.by_score[: scores.shape[0]], rank_labels(task, scores, label))


@has_loss.on(LabelOrders)
def has_loss_label_orders(task: LabelOrders, scores: np.ndarray, prediction: Any, label: int) -> bool:
    return has_loss(task.orders, scores, task.room.by_score[: scores.shape[0]], rank_labels(task, scores, label))


@away_from_predicted.on(LabelOrders)
def away_from_predicted_label_orders(
    task: LabelOrders, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray
) -> None:
    grades = rank_labels(task, scores, label)
    away_from_predicted(task.orders, scores, task.room.by_score[: scores.shape[0]], grades, direction)


@inline
def rank_labels(task: LabelOrders, scores: np.ndarray, label: int) -> Grades:
    """The grades of a row's labels, by descending score and by descending grade."""
    m = scores.shape[0]
    best_first(scores, m, task.room.by_score)
    grades = grades_of(task.given, task.measure, label, label * m, label * m + m, task.room)
    look_up(grades, task.room.by_score[:m])
    return grades


@away_from_worst.on(Orders)
def away_from_worst_orders(task: Orders, scores: np.ndarray, ranking: np.ndarray, grades: Grades, direction: np.ndarray) -> None:
    order = worst_order(task, scores, grades)
    write_ideal(task, ranking, grades)
    worth = task.worth[: len(scores)] / math.sqrt(task.squares[len(scores)])
    direction[:] = 0.0
    direction[grades.ideal[: len(scores)]] += worth
    direction[order] -= worth


@away_from_worst.on(LabelOrders)
def away_from_worst_label_orders(
    task: LabelOrders, scores: np.ndarray, prediction: Any, label: int, direction: np.ndarray
) -> None:
    grades = rank_labels(task, scores, label)
    away_from_worst(task.orders, scores, task.room.by_score[: len(scores)], grades, direction)


def worst_order(task: Orders, scores: np.ndarray, grades: Grades) -> np.ndarray:
    """The documents in the order with the highest loss + similarity: Lemma 3, by scipy's solver of the assignment problem."""
    from scipy.optimize import linear_sum_assignment

    m = len(scores)
    worth = task.worth[:m] / math.sqrt(task.squares[m])
    gains, measure = grades.gains[grades.codes], grades.measure
    credits = measure.discounts[:m] if isinstance(measure, NDCG) else (np.arange(m) < measure.k).astype(float)
    best = float(gains[grades.by_gain[:m]] @ credits) or 1.0
    order: np.ndarray
    _, order = linear_sum_assignment(np.outer(worth, scores) - np.outer(credits, gains / best), maximize=True)
    return order


# The largest allowed power of a place. Even its square does not overflow for 5,000 places.
STEEPEST = 20

# The largest allowed ``longest``: computing the step takes memory for each document.
LONGEST = 1_000_000


@dataclasses.dataclass(frozen=True)
class OrderTask(Task):
    """The base of tasks of orders. A prediction is an array of indices, best first; a label is an array of grades."""

    power: float = 1.1
    measure: str = "ndcg"
    ties: str = "score"
    highest: int | None = None

    def __post_init__(self) -> None:
        name, power = type(self).__name__, self.power
        if isinstance(power, bool) or not isinstance(power, numbers.Real) or not 0 < abs(float(power)) <= STEEPEST:
            raise ValueError(f"{name}: power={power!r} should be a number other than 0, from -{STEEPEST} to {STEEPEST}")
        if not isinstance(self.measure, str) or re.fullmatch(r"ndcg|precision@[1-9][0-9]*", self.measure) is None:
            raise ValueError(f"{name}: measure={self.measure!r} should be 'ndcg', or 'precision@' and a whole number from 1 on")
        if self.ties not in ("score", "index"):
            raise ValueError(f"{name}: ties={self.ties!r} should be 'score' or 'index'")
        check_count(self, "highest", at_least=1)

    def core(self, longest: int) -> Orders:
        """The task as the loops see it, for lists of at most ``longest`` documents."""
        places = np.arange(1.0, longest + 1)
        worth = -(places**self.power) if self.power > 0 else places**self.power
        return Orders(worth, np.concatenate([[0.0], np.cumsum(worth * worth)]), self.ties == "score")

    def graded(self, y: np.ndarray, lists: Lists) -> Graded:
        """The grades as the loops see them. For precision all grades above 0 gain 1, but σ_y still has the higher ones first."""
        given = graded(y, lists, binary=False)
        return given if self.measure == "ndcg" else relevant_or_not(given)

    def label_core(self, targets: np.ndarray) -> LabelOrders:
        """The same for a matrix of grades with one row per example."""
        n, m = targets.shape
        lists = Lists(np.empty(0, np.int64), np.arange(n + 1) * m)
        given = self.graded(targets.ravel(), lists)
        measure = NDCG(0, discounts(m)) if self.measure == "ndcg" else PrecisionAt(int(self.measure.partition("@")[2]))
        return LabelOrders(self.core(m), given, measure, workspace_for(lists, given))

    def smallest_loss_for(self, longest: int | None) -> float | None:
        """c_L for lists of at most ``longest`` documents, if that and the highest grade are known."""
        if self.measure != "ndcg":
            return 1.0 / int(self.measure.partition("@")[2])
        if longest is None or self.highest is None:
            return None
        return ndcg_smallest_loss(longest, min(self.highest, HIGHEST_GRADE))

    def representation(self, prediction: Any) -> np.ndarray:
        """f(place) / Z for every document."""
        core, vector = self.core(len(prediction)), np.empty(len(prediction))
        vector[np.asarray(prediction)] = core.worth / math.sqrt(core.squares[-1])
        return vector

    def decode(self, scores: np.ndarray) -> np.ndarray:
        """The indices by descending score, the lower index first among equals. Scores may have several rows."""
        return np.argsort(-np.asarray(scores, float), axis=-1, kind="stable")

    def loss_of(self, prediction: Any, label: Any) -> float:
        """1 - the measure, or 0 where nothing is relevant."""
        return float(loss_of(self.label_core(_row(label)), self.representation(prediction), 0, 0))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> np.ndarray:
        """An order with the highest L(σ, y) + <rep(σ), t>."""
        core, scores = self.label_core(_row(label)), np.asarray(scores, float)
        return worst_order(core.orders, scores, rank_labels(core, scores, 0))

    def correct(self, label: Any, scores: Any) -> np.ndarray:
        """σ_y: the indices by descending grade."""
        core, scores = self.label_core(_row(label)), np.asarray(scores, float)
        grades = rank_labels(core, scores, 0)
        write_ideal(core.orders, core.room.by_score[: len(scores)], grades)
        return grades.ideal[: len(scores)].copy()


@dataclasses.dataclass(frozen=True)
class MultilabelRanking(OrderTask):
    """Orders of labels: ``y`` is a matrix of grades from 0 on with one column per label; predicted are the labels, best first.

    Parameters
    ----------
    power : float
        Place i is represented by -i^power, or by i^power if ``power`` is negative. A high power makes the top places more alike.
    measure : str
        ``"ndcg"``, or ``"precision@k"``: the number of relevant labels in the top k, divided by its highest possible value.
    ties : {"score", "index"}
        The order of labels with equal grades in σ_y: by descending score, or by column as in the theory.
    highest : int, optional
        The highest grade; ``step="theory"`` needs it.
    """


@dataclasses.dataclass(frozen=True)
class SubsetRanking(OrderTask):
    """Orders of documents: rows with grades, in lists by ``qid`` as for :class:`SLAM`; the prediction is a score per row.

    The parameters are those of :class:`MultilabelRanking`, with documents instead of labels. ``longest`` is the largest number of
    documents in a list, at most 1,000,000; ``step="theory"`` needs it.
    """

    longest: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count(self, "longest", at_least=1)
        if self.longest is not None and self.longest > LONGEST:
            raise ValueError(f"{type(self).__name__}: longest={self.longest!r} should be at most {LONGEST:,}")

    @property
    def smallest_loss(self) -> float | None:
        """c_L, if the highest grade and the longest list are known."""
        return self.smallest_loss_for(self.longest)


def _row(label: Any) -> np.ndarray:
    return np.asarray(label, float).reshape(1, -1)
