"""Predtron: the perceptron for any prediction problem with a loss and a representation."""

from __future__ import annotations

import abc
import dataclasses
import inspect
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from .. import tasks
from ..core.protocol import compiles, correct, needs_update, prediction_loss
from ..core.scorers.direction import direction
from ..core.scorers.mirror import mirror
from ..core.scorers.per_class import per_class
from ..core.scorers.trace_mirror import trace_mirror
from ..models.kinds.model import Model
from ..models.parameters import choice, flag, labels_in_order, positive, task_or_none
from ..tasks.classes import ClassTask
from ..tasks.protocol import away_from_predicted, away_from_worst, has_loss, loss_of
from ..tasks.rankings import LabelOrders, Orders


class Algorithm1(NamedTuple):
    """On a loss, move from the loss-augmented prediction towards a correct one."""

    task: Any
    step: float


class LossDriven(NamedTuple):
    """On a loss, move from the prediction towards a correct one, as far as the loss is high."""

    task: Any
    step: float


@compiles.on(LossDriven)
def compiles_loss_driven(rule: LossDriven) -> bool:
    return compiles(rule.task)


@compiles.on(Algorithm1)
def compiles_algorithm1(rule: Algorithm1) -> bool:
    return compiles(rule.task) and not isinstance(rule.task, Orders | LabelOrders)  # scipy finds their worst order


@needs_update.on(Algorithm1)
@needs_update.on(LossDriven)
def needs_update_loss_driven_or_algorithm1(
    rule: Algorithm1 | LossDriven, scores: np.ndarray, prediction: Any, label: Any
) -> bool:
    return has_loss(rule.task, scores, prediction, label)


@prediction_loss.on(Algorithm1)
@prediction_loss.on(LossDriven)
def prediction_loss_loss_driven_or_algorithm1(
    rule: Algorithm1 | LossDriven, scores: np.ndarray, prediction: int, label: int
) -> float:
    return loss_of(rule.task, scores, prediction, label)


@correct.on(Algorithm1)
def correct_algorithm1(
    rule: Algorithm1, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    away_from_worst(rule.task, scores, prediction, label, correction)
    for r in range(correction.shape[0]):
        correction[r] *= rule.step


@correct.on(LossDriven)
def correct_loss_driven(
    rule: LossDriven, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray
) -> None:
    loss = loss_of(rule.task, scores, prediction, label)
    away_from_predicted(rule.task, scores, prediction, label, correction)
    for r in range(correction.shape[0]):
        correction[r] *= rule.step * loss


def kind_of(task: Any) -> str:
    """The kind of estimator for this task: "classes", "targets" that are not classes, or "lists"."""
    if isinstance(task, tasks.SubsetRanking):
        return "lists"
    return "targets" if isinstance(task, tasks.Task) and not isinstance(task, ClassTask) else "classes"


@dataclasses.dataclass(eq=False, repr=False)
class Predtron(Model, abc.ABC):
    """Predtron (Jain, Natarajan & Tewari 2015): learns any task with finitely many predictions, a representation and a loss.

    The ``task`` says what to predict; it is one of :mod:`ranktron.tasks` or your own: classes, with a cost per confusion or a
    reject option; grades; sets of labels; orders of labels or of documents. The prediction is the one whose representation is
    most similar to the scores t = W x. If it has a loss, W moves from the prediction with the highest loss + similarity towards
    a correct one; with ``loss_driven``, from the prediction that was made, in proportion to its loss. Either way the total loss
    on a stream that some W predicts correctly with a margin is bounded, however long the stream is: see :mod:`ranktron.bounds`.

    Kernels need ``link="euclidean"``.

    Examples
    --------
    >>> from ranktron import Predtron
    >>> from ranktron.tasks import Multiclass, Multilabel
    >>> model = Predtron(Multiclass()).fit([[1, 0], [0, 1], [-1, -1]], ["left", "up", "away"])
    >>> model.predict([[3, 1], [1, 4]]).tolist()
    ['left', 'up']
    >>> tagger = Predtron(Multilabel("hamming")).fit([[1, 0], [0, 1], [1, 1]], [[1, 0, 0], [0, 1, 0], [1, 1, 0]])
    >>> tagger.predict([[1, 0], [2, 2]]).tolist()
    [[1, 0, 0], [1, 1, 0]]

    References
    ----------
    Jain, P., Natarajan, N. & Tewari, A. (2015). Predtron: a family of online algorithms for general prediction problems. NIPS 28.
    """

    task: Any = task_or_none(
        help="""
        What to predict: a task of :mod:`ranktron.tasks`, or your own. None is ``Multiclass()``. The task decides whether the
        estimator is a classifier, a classifier of label matrices, or a ranker of lists with ``qid``.
        """
    )
    _: dataclasses.KW_ONLY
    link: str = choice(
        "euclidean",
        "l1",
        "group",
        "trace",
        help="""
        The norm in which a good W is expected to be small. Keep ``"euclidean"`` unless few weights matter (``"l1"``), few
        features (``"group"``) or few directions (``"trace"``, which needs a singular value decomposition per update). ``step``
        has different units for each.
        """,
    )
    step: Any = positive(
        1.0,
        or_word="theory",
        help="""
        The length of an update. For 0/1 losses, and for ``loss_driven`` with any loss, it is only the unit of W. Otherwise it
        weighs the loss against the scores, and a larger step has the better bound (``ranktron.bounds.predtron_loss_at_step``).
        ``"theory"`` is c_L / (4 radius²), where c_L is the smallest loss of the task, for which the paper states its bound.
        """,
    )
    radius: float | None = positive(
        None,
        help="""
        The largest norm of a row. Only ``step="theory"`` needs it. For other links than the Euclidean one see
        ``ranktron.bounds.predtron_link_radius``.
        """,
    )
    loss_driven: bool = flag(
        False,
        help="""
        Whether to move from the prediction that was made, by a step proportional to its loss, instead of from the prediction of
        highest loss + similarity. This needs no loss-augmented prediction, so it is faster for orders.
        """,
    )
    fit_intercept: bool = flag(
        False, help="Whether each score has a constant too. Only for the Euclidean link, and not for lists of documents."
    )
    classes: Sequence[Any] | None = labels_in_order(
        help="""
        All labels in order; for label matrices, the names of the columns. None takes the labels of the first batch in sorted
        order, or the column names of a data frame of labels.
        """
    )

    # The class that an object has, by the kind of its task: those of ``predtron_kinds``.
    kinds: ClassVar[dict[str, type]] = {}

    if TYPE_CHECKING:  # the task decides which methods there are
        _parts: ClassVar[Any]
        _new_learner: ClassVar[Any]

        def __getattr__(self, name: str) -> Any: ...

    def __new__(cls, *args: Any, **parameters: Any) -> Any:
        """An object whose class is set when its task is."""
        return object.__new__(cls if cls in cls.kinds.values() else cls.kinds["classes"])

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "task":
            self.__class__ = self.kinds[kind_of(value)]
        super().__setattr__(name, value)
        if name in ("task", "_learner"):
            learner = self._learner if name == "task" else None
            self.__dict__["_is_stale"] = learner is not None and learner.plan["task"] != self._described()["task"]

    def _check_task(self) -> None:
        if self._is_stale:
            raise ValueError("task was changed after learning began: fit the model again, or make a new one")

    @property
    def _learned(self) -> Any:
        self._check_task()
        return super()._learned

    _is_stale = False

    @property
    def _task(self) -> Any:
        return tasks.Multiclass() if self.task is None else self.task

    def _rule(self, core: Any, smallest_loss: float | None) -> Algorithm1 | LossDriven:
        step = self.step if self.step != "theory" else self._theory_step(smallest_loss)
        return (LossDriven if self.loss_driven else Algorithm1)(core, float(step))

    def _theory_step(self, smallest_loss: float | None) -> float:
        if self.radius is None:
            raise ValueError('Predtron: step="theory" is c_L / (4 radius²): pass radius, the largest norm of a row')
        if smallest_loss is None:
            raise ValueError(f'Predtron: step="theory" needs the smallest loss, which {self._task} does not have')
        step = smallest_loss / 4.0 / self.radius / self.radius
        if not 0.0 < step < math.inf:
            raise ValueError(f'Predtron: radius={self.radius!r} makes step="theory" {step}: scale the features')
        return step

    def _scorer(self, n_columns: int, n_scores: int, as_line: bool = False) -> Any:
        if self.fit_intercept and (as_line or self.link != "euclidean"):
            why = "no order depends on a constant" if as_line else "a link has none"
            raise ValueError(f"Predtron: fit_intercept=True has no meaning here, for {why}: leave it False")
        if self.link == "euclidean":
            if as_line:
                return direction(n_columns, self.average)
            return per_class(n_columns, n_scores, self.average, self.fit_intercept)
        if self.kernel is not None:
            raise ValueError(f"Predtron: a kernel goes with link='euclidean', not with link={self.link!r}")
        if self.link == "trace":
            return trace_mirror(n_columns, n_scores, self.average, as_line)
        return mirror(n_columns, n_scores, self.average, self.link == "group", as_line)


# Of the parameters, and not of ``__new__``, which takes any.
Predtron.__signature__ = inspect.signature(Predtron.__init__.__get__(object()))  # type: ignore[attr-defined]

from . import predtron_kinds  # noqa: E402, F401  # which are made of what is above
