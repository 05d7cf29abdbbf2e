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
from ..core.protocol import compiles
from .protocol import away_from_predicted, away_from_worst, errs, loss_of
from .task import Task


class Orders(NamedTuple):
    """Place p is represented by ``worth[p]`` / Z, Z² the sum of all squares; a label is the ``Grades`` of a list.

    ``squares[m]`` is that sum for m places. Of equal grades the higher scored come first, or the earlier ones.
    """

    worth: np.ndarray
    squares: np.ndarray
    by_score: bool


class LabelOrders(NamedTuple):
    """The same where every row has grades of its own for all labels; a label is the number of one of ``given``."""

    orders: Orders
    given: Graded
    measure: Any
    room: ListWorkspace


class Steep(NamedTuple):
    """A task in Algorithm 1, for which an assignment problem has to be solved: by a library, so it is not compiled."""

    orders: Any


@loss_of.on(Orders)
def loss_of_orders(task, scores, ranking, grades):
    value = value_of(grades.measure, grades.gains, grades.ranked, grades.ideal)
    return 0.0 if math.isnan(value) else 1.0 - value


@errs.on(Orders)
def errs_orders(task, scores, ranking, grades):
    return falls_short(grades.measure, grades)


@away_from_predicted.on(Orders)
def away_from_predicted_orders(task, scores, ranking, grades, way):
    in_right_order(task, ranking, grades)
    size = math.sqrt(task.squares[scores.shape[0]])
    for i in range(scores.shape[0]):
        way[i] = 0.0
    for place in range(scores.shape[0]):
        way[grades.ideal[place]] += task.worth[place] / size
        way[ranking[place]] -= task.worth[place] / size


@inline
def in_right_order(task, ranking, grades):
    """Write σ_y: the documents, the highest grade first."""
    if not task.by_score:
        for place in range(ranking.shape[0]):
            grades.ideal[place] = grades.by_gain[place]
        return
    counted_first(grades.ranked, grades.counts.shape[0], grades.ideal, grades.counts)
    for place in range(ranking.shape[0]):
        grades.ideal[place] = ranking[grades.ideal[place]]


@loss_of.on(LabelOrders)
def loss_of_label_orders(task, scores, prediction, label):
    return loss_of(task.orders, scores, task.room.by_score[: scores.shape[0]], ranked(task, scores, label))


@errs.on(LabelOrders)
def errs_label_orders(task, scores, prediction, label):
    return errs(task.orders, scores, task.room.by_score[: scores.shape[0]], ranked(task, scores, label))


@away_from_predicted.on(LabelOrders)
def away_from_predicted_label_orders(task, scores, prediction, label, way):
    grades = ranked(task, scores, label)
    away_from_predicted(task.orders, scores, task.room.by_score[: scores.shape[0]], grades, way)


@inline
def ranked(task, scores, label):
    """The grades of a row's labels, in the order of their scores and in that of the grades."""
    m = scores.shape[0]
    best_first(scores, m, task.room.by_score)
    grades = grades_of(task.given, task.measure, label, label * m, label * m + m, task.room)
    look_up(grades, task.room.by_score[:m])
    return grades


@compiles.on(Steep)
def compiles_steep(task):
    return False


@loss_of.on(Steep)
def loss_of_steep(task, scores, prediction, label):
    return loss_of(task.orders, scores, prediction, label)


@errs.on(Steep)
def errs_steep(task, scores, prediction, label):
    return errs(task.orders, scores, prediction, label)


@away_from_worst.on(Steep)
def away_from_worst_steep(task, scores, prediction, label, way):
    if isinstance(task.orders, LabelOrders):
        steepest(task.orders.orders, scores, task.orders.room.by_score[: len(scores)], ranked(task.orders, scores, label), way)
    else:
        steepest(task.orders, scores, prediction, label, way)


def steepest(task: Orders, scores: np.ndarray, ranking: np.ndarray, grades: Grades, way: np.ndarray) -> None:
    """Write rep(σ_y) - rep(σ̃): Lemma 3, by scipy's solver of the assignment problem."""
    order = worst_order(task, scores, grades)
    in_right_order(task, ranking, grades)
    worth = task.worth[: len(scores)] / math.sqrt(task.squares[len(scores)])
    way[:] = 0.0
    way[grades.ideal[: len(scores)]] += worth
    way[order] -= worth


def worst_order(task: Orders, scores: np.ndarray, grades: Grades) -> np.ndarray:
    """The documents in the order with the highest loss + similarity."""
    from scipy.optimize import linear_sum_assignment

    m = len(scores)
    worth = task.worth[:m] / math.sqrt(task.squares[m])
    gains, credits = grades.gains[grades.codes], _credits(grades.measure, m)
    best = float(gains[grades.by_gain[:m]] @ credits) or 1.0
    order: np.ndarray
    _, order = linear_sum_assignment(np.outer(worth, scores) - np.outer(credits, gains / best), maximize=True)
    return order


def _credits(measure: Any, m: int) -> np.ndarray:
    if isinstance(measure, NDCG):
        return measure.discounts[:m]
    return (np.arange(m) < measure.k).astype(float)


# The largest power of a place that is allowed: of 5,000 places even its square is a number.
STEEPEST = 20

# The most documents that a list may be said to have: each costs memory while the step is computed.
LONGEST = 1_000_000


class OrderTask(Task):
    """What tasks of orders share; a prediction is an array of indices, best first, and a label an array of grades."""

    power: float
    measure: str
    ties: str

    def __post_init__(self) -> None:
        name, power = type(self).__name__, self.power
        if isinstance(power, bool) or not isinstance(power, numbers.Real) or not 0 < abs(float(power)) <= STEEPEST:
            raise ValueError(f"{name}: power={power!r} should be a number other than 0, from -{STEEPEST} to {STEEPEST}")
        if not isinstance(self.measure, str) or re.fullmatch(r"ndcg|precision@[1-9][0-9]*", self.measure) is None:
            raise ValueError(f"{name}: measure={self.measure!r} should be 'ndcg', or 'precision@' and a whole number from 1 on")
        if self.ties not in ("score", "index"):
            raise ValueError(f"{name}: ties={self.ties!r} should be 'score' or 'index'")
        for known in ("highest", "longest"):
            limit = getattr(self, known, None)
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, numbers.Integral) or limit < 1):
                raise ValueError(f"{name}: {known}={limit!r} should be None or a whole number from 1 on")
            if known == "longest" and limit is not None and limit > LONGEST:
                raise ValueError(f"{name}: longest={limit!r} should be at most {LONGEST:,}")

    def core(self, longest: int) -> Orders:
        """What the loops work with, for lists of at most so many documents."""
        places = np.arange(1.0, longest + 1)
        worth = -(places**self.power) if self.power > 0 else places**self.power
        return Orders(worth, np.concatenate([[0.0], np.cumsum(worth * worth)]), self.ties == "score")

    def judged_by(self, longest: int) -> Any:
        """The measure as the loops know it."""
        return NDCG(0, discounts(longest)) if self.measure == "ndcg" else PrecisionAt(int(self.measure.partition("@")[2]))

    def graded(self, y: np.ndarray, lists: Lists) -> Graded:
        """The grades as the loops know them; for precision those above 0 gain the same, but the higher ones still go first."""
        given = graded(y, lists, binary=False)
        return given if self.measure == "ndcg" else relevant_or_not(given)

    def label_core(self, targets: np.ndarray) -> LabelOrders:
        """The same for a matrix of grades, a row an example."""
        n, m = targets.shape
        lists = Lists(np.empty(0, np.int64), np.arange(n + 1) * m)
        given = self.graded(targets.ravel(), lists)
        return LabelOrders(self.core(m), given, self.judged_by(m), workspace_for(lists, given))

    def representation(self, prediction: Any) -> np.ndarray:
        """f(place) / Z for every document."""
        core, vector = self.core(len(prediction)), np.empty(len(prediction))
        vector[np.asarray(prediction)] = core.worth / math.sqrt(core.squares[-1])
        return vector

    def decode(self, scores: np.ndarray) -> np.ndarray:
        """The indices by descending score, the lower of equals first; also of many rows of scores."""
        return np.argsort(-np.asarray(scores, float), axis=-1, kind="stable")

    def loss_of(self, prediction: Any, label: Any) -> float:
        """1 - the measure; 0 where nothing is relevant."""
        return float(loss_of(self.label_core(_row(label)), self.representation(prediction), 0, 0))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> np.ndarray:
        """An order with the highest L(σ, y) + <rep(σ), t>."""
        core, scores = self.label_core(_row(label)), np.asarray(scores, float)
        return worst_order(core.orders, scores, ranked(core, scores, 0))

    def correct(self, label: Any, scores: Any) -> np.ndarray:
        """σ_y: the highest grade first."""
        core, scores = self.label_core(_row(label)), np.asarray(scores, float)
        grades = ranked(core, scores, 0)
        in_right_order(core.orders, core.room.by_score[: len(scores)], grades)
        return grades.ideal[: len(scores)].copy()


@dataclasses.dataclass(frozen=True)
class MultilabelRanking(OrderTask):
    """Orders of labels: ``y`` is a matrix of grades from 0 on with a column a label; a row is predicted the labels, best first.

    Parameters
    ----------
    power : float
        Place i is represented by -i^power, or by i^power if that is negative; the higher, the less the top places stand out.
    measure : str
        ``"ndcg"``, or ``"precision@5"`` and the like, which is divided by as many relevant labels as there can be at the top.
    ties : {"score", "index"}
        Which order of labels with equal grades to aim at: that of their present scores, or that of the columns, as in the theory.
    highest : int, optional
        The highest grade, for ``step="theory"``.
    """

    power: float = 1.1
    measure: str = "ndcg"
    ties: str = "score"
    highest: int | None = None

    def smallest_loss_for(self, n_labels: int) -> float | None:
        """c_L, if the highest grade is known."""
        return _smallest_loss(self.measure, n_labels, self.highest)


@dataclasses.dataclass(frozen=True)
class SubsetRanking(OrderTask):
    """Orders of documents: rows with grades in lists told apart by ``qid``, as for :class:`SLAM`; scores are predicted.

    The parameters are those of :class:`MultilabelRanking`, where documents take the place of labels; ``longest`` is the most
    documents of a list, at most 1,000,000, for ``step="theory"``.
    """

    power: float = 1.1
    measure: str = "ndcg"
    ties: str = "score"
    highest: int | None = None
    longest: int | None = None

    @property
    def smallest_loss(self) -> float | None:
        """c_L, if the highest grade and the longest list are known."""
        return _smallest_loss(self.measure, self.longest, self.highest)


def _smallest_loss(measure: str, m: int | None, highest: int | None) -> float | None:
    if measure != "ndcg":
        return 1.0 / int(measure.partition("@")[2])
    return None if m is None or highest is None else ndcg_smallest_loss(m, min(highest, HIGHEST_GRADE))


def _row(label: Any) -> np.ndarray:
    return np.asarray(label, float).reshape(1, -1)
