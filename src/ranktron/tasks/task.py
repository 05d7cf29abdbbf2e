"""What a task is: what may be predicted, how it is represented, and what it costs."""

from __future__ import annotations

import abc
import math
from typing import Any, NamedTuple

import numpy as np

from ..core.protocol import compiles
from .protocol import away_from_predicted, away_from_worst, loss_of


class Task(abc.ABC):
    """A prediction problem for :class:`Predtron`; derive from it for one of your own.

    There are finitely many predictions σ, each with a representation of length 1, and finitely many labels y; they may be objects
    of any kind, as long as the five methods below agree on them. What has to hold, and ``ranktron.tasks.check`` looks at it:

    - ``decode(t)`` is the prediction whose representation is most similar to the scores t, so ``decode(representation(σ))`` is σ;
    - no loss is negative, and ``correct(y, t)`` has none;
    - ``loss_augmented(t, y)`` has the highest L(σ, y) + <rep(σ), t>.

    Examples
    --------
    Directions of the wind, where the loss is the angle between them:

    >>> import numpy as np
    >>> from ranktron import Predtron
    >>> from ranktron.tasks import Task, check
    >>> class Wind(Task):
    ...     names = "north", "east", "south", "west"
    ...     n_scores = 2
    ...
    ...     def representation(self, prediction):
    ...         angle = self.names.index(prediction) * np.pi / 2
    ...         return np.array([np.cos(angle), np.sin(angle)])
    ...
    ...     def loss_of(self, prediction, label):
    ...         apart = abs(self.names.index(prediction) - self.names.index(label))
    ...         return float(min(apart, 4 - apart))
    ...
    ...     def decode(self, scores):
    ...         return max(self.names, key=lambda name: self.representation(name) @ scores)
    ...
    ...     def loss_augmented(self, scores, label):
    ...         return max(self.names, key=lambda name: self.loss_of(name, label) + self.representation(name) @ scores)
    ...
    >>> check(Wind(), labels=Wind.names)
    >>> model = Predtron(Wind()).fit([[1, 0], [0, 1], [-1, 0], [0, -1]], ["east", "south", "west", "north"])
    >>> model.predict([[2, 0], [0, 3]]).tolist()
    ['east', 'south']
    """

    # How long a representation is.
    n_scores: Any

    # c_L, the smallest loss above 0: for ``step="theory"``.
    smallest_loss: Any = None

    @abc.abstractmethod
    def representation(self, prediction: Any) -> np.ndarray:
        """rep(σ), of length 1."""

    @abc.abstractmethod
    def decode(self, scores: np.ndarray) -> Any:
        """pred(t): the prediction whose representation is most similar to the scores."""

    @abc.abstractmethod
    def loss_of(self, prediction: Any, label: Any) -> float:
        """L(σ, y)."""

    @abc.abstractmethod
    def loss_augmented(self, scores: np.ndarray, label: Any) -> Any:
        """The prediction σ with the highest L(σ, y) + <rep(σ), t>."""

    def correct(self, label: Any, scores: np.ndarray) -> Any:
        """σ_y: a prediction without loss, by default the label itself."""
        return label


class Own(NamedTuple):
    """A user's own task; a label is the number of one of its ``targets``."""

    task: Any
    targets: Any


@compiles.on(Own)
def compiles_own(own):
    return False


@loss_of.on(Own)
def loss_of_own(own, scores, prediction, label):
    told, y = own.task.decode(scores.copy()), own.targets[label]  # what a method does to its scores is its own affair
    loss = float(own.task.loss_of(told, y))
    if not 0.0 <= loss < math.inf:
        raise ValueError(f"{type(own.task).__name__}: the loss of {told!r:.60} for {y!r:.60} is {loss}; it should be 0 or more")
    return loss


@away_from_worst.on(Own)
def away_from_worst_own(own, scores, prediction, label, way):
    y = own.targets[label]
    worst = own.task.loss_augmented(scores.copy(), y)
    way[:] = np.subtract(_rep(own, own.task.correct(y, scores.copy())), _rep(own, worst))


@away_from_predicted.on(Own)
def away_from_predicted_own(own, scores, prediction, label, way):
    told = own.task.decode(scores.copy())
    way[:] = np.subtract(_rep(own, own.task.correct(own.targets[label], scores.copy())), _rep(own, told))


def _rep(own: Own, prediction: Any) -> Any:
    vector = np.asarray(own.task.representation(prediction), float)
    if vector.shape != (own.task.n_scores,):
        raise ValueError(
            f"{type(own.task).__name__}: the representation of {prediction!r:.60} has shape {vector.shape}; "
            f"by its n_scores it should be ({own.task.n_scores},)"
        )
    return vector


def check(task: Any, labels: Any, predictions: Any = None, trials: int = 100, seed: int = 0, tolerance: float = 1e-9) -> None:
    """Raise a ValueError that names the law a task breaks, if it breaks one: section 2.1 of the paper, and line 8 of Algorithm 1.

    ``labels`` are some labels, ``predictions`` all predictions, by default the labels too; scores are drawn ``trials`` times.
    """
    predictions = list(labels if predictions is None else predictions)
    vectors = [np.asarray(task.representation(one), float) for one in predictions]
    for one, vector in zip(predictions, vectors, strict=True):
        _law(abs(np.linalg.norm(vector) - 1) < tolerance, f"the representation of {one!r} has length 1")
        _law(_same(task.decode(vector), one), f"decoding the representation of {one!r} gives it back")
    random = np.random.default_rng(seed)
    for t in random.normal(size=(trials, len(vectors[0]))):
        _check_scores(task, t, labels, predictions, np.array(vectors), tolerance)


def _check_scores(task: Any, t: np.ndarray, labels: Any, predictions: Any, vectors: np.ndarray, tolerance: float) -> None:
    told = task.decode(t)
    similar, near = task.representation(told) @ t, np.linalg.norm(task.representation(told) - t)
    _law(similar >= (vectors @ t).max() - tolerance, f"no prediction is more similar to {t} than the decoded {told!r}")
    _law(near <= np.linalg.norm(vectors - t, axis=1).min() + tolerance, f"no prediction is nearer to {t} than {told!r}")
    _law(_same(task.decode(3 * t), told), f"three times the scores {t} decode to the same")
    for y in labels:
        _law(task.loss_of(task.correct(y, t), y) == 0, f"the correct prediction for {y!r} has no loss")
        losses = np.array([task.loss_of(one, y) for one in predictions])
        _law((losses >= 0).all(), f"no loss for {y!r} is negative")
        worst = task.loss_augmented(t, y)
        value = task.loss_of(worst, y) + task.representation(worst) @ t
        _law(value >= (losses + vectors @ t).max() - tolerance, f"loss_augmented({t}, {y!r}) has the highest loss + similarity")


def _same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other))


def _law(holds: Any, words: str) -> None:
    if not holds:
        raise ValueError(f"the task breaks a law: {words}")
