"""What a task has to provide: `Task`, the class to derive from, and the generic functions by which loops use a task.

Loops do not see a `Task`, but what its ``core`` returns: a NamedTuple, for which bodies of the functions below are registered. A
label is whatever the task makes of it: a code, the number of a row among the targets of a batch, or the ``Grades`` of a list. A
user's own task is wrapped as `Own`, whose bodies call its methods.

=======================  ====================  ================================================================
function                 default               meaning
=======================  ====================  ================================================================
``loss_of``              ``loss_between``      L(σ, y) of what the scores predict
``has_loss``             ``loss_of`` > 0       whether L(σ, y) is above 0
``away_from_worst``      by ``worst``          write rep(σ_y) - rep(σ̃)
``away_from_predicted``  by the prediction     write rep(σ_y) - rep(σ)
=======================  ====================  ================================================================

These defaults need predictions with codes 0, 1, …, as the next functions do:

=======================  ====================  ================================================================
``loss_between``         mandatory for codes   L(σ, y) of a code
``correct_code``         the label             the code of σ_y, a prediction without loss
``represent``            a unit vector         add rep(σ) or -rep(σ)
``similarity``           the code's score      <rep(σ), t>
``count_predictions``    one for every score   the number of codes
=======================  ====================  ================================================================
"""

from __future__ import annotations

import abc
import numbers
from typing import Any

import numpy as np

from ..compile.generic import generic, inline

# A NamedTuple with bodies of these functions, and a label as it knows it.
Core = Any
Label = Any


class Task(abc.ABC):
    """A prediction problem for :class:`Predtron`. Derive from it to define your own.

    There are finitely many predictions σ, each with a representation of length 1, and finitely many labels y. Both may be objects
    of any kind.

    ==================  =========  ===================================================================
    member              default    meaning
    ==================  =========  ===================================================================
    ``n_scores``        mandatory  the length of a representation
    ``representation``  mandatory  rep(σ), a vector of length 1
    ``decode``          mandatory  pred(t), the prediction that is most similar to the scores t
    ``loss_of``         mandatory  L(σ, y), 0 or more
    ``loss_augmented``  mandatory  the prediction σ with the highest L(σ, y) + <rep(σ), t>
    ``correct``         the label  σ_y, a prediction without loss
    ``smallest_loss``   None       c_L, the smallest loss above 0, which ``step="theory"`` needs
    ==================  =========  ===================================================================

    ``ranktron.tasks.check`` tests on random scores that the members fit together; for example that decoding rep(σ) returns σ.

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

    n_scores: Any
    smallest_loss: Any = None

    @abc.abstractmethod
    def representation(self, prediction: Any) -> np.ndarray:
        """rep(σ), a vector of length 1."""

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


def check_count(task: Task, name: str, at_least: int) -> None:
    """Refuse a parameter that is neither None nor a whole number from ``at_least`` on."""
    count = getattr(task, name)
    if count is not None and (isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < at_least):
        raise ValueError(f"{type(task).__name__}: {name}={count!r} should be None or a whole number from {at_least} on")


@generic
def loss_of(task: Core, scores: np.ndarray, prediction: Any, label: Label) -> float:
    """L(σ, y) of what these scores predict."""
    return loss_between(task, prediction, label)


@generic
def has_loss(task: Core, scores: np.ndarray, prediction: Any, label: Label) -> bool:
    """Whether there is a loss."""
    return loss_of(task, scores, prediction, label) > 0.0


@generic
def away_from_worst(task: Core, scores: np.ndarray, prediction: Any, label: Label, direction: np.ndarray) -> None:
    """Write rep(σ_y) - rep(σ̃), where σ̃ has the highest L(σ, y) + <rep(σ), t>: line 8 of Algorithm 1."""
    away_from(task, worst(task, scores, label), label, direction)


@generic
def away_from_predicted(task: Core, scores: np.ndarray, prediction: Any, label: Label, direction: np.ndarray) -> None:
    """Write rep(σ_y) - rep(σ) for the prediction σ."""
    away_from(task, prediction, label, direction)


# From here on predictions have codes, 0, 1, …


@generic
def loss_between(task: Core, code: int, label: Label) -> float:
    """L(σ, y)."""
    raise NotImplementedError(f"core {type(task).__name__} lacks loss_between: see tasks/protocol.py")


@generic
def correct_code(task: Core, label: Label) -> Label:
    """σ_y, a prediction without loss."""
    return label


@generic
def represent(task: Core, code: int, sign: float, vector: np.ndarray) -> None:
    """Add rep(σ), or -rep(σ) if ``sign`` is -1; by default a prediction has a place of its own."""
    vector[code] += sign


@generic
def similarity(task: Core, scores: np.ndarray, code: int) -> float:
    """<rep(σ), t>."""
    return float(scores[code])


@generic
def count_predictions(task: Core, scores: np.ndarray) -> int:
    """The number of predictions."""
    return scores.shape[0]


@inline
def worst(task: Core, scores: np.ndarray, label: Label) -> int:
    """The σ with the highest L(σ, y) + <rep(σ), t>, and the lowest code among equals."""
    best = 0
    for code in range(1, count_predictions(task, scores)):
        # Differences of losses and of similarities are compared, not sums: 1 + t would round away small differences of t.
        ahead = loss_between(task, code, label) - loss_between(task, best, label)
        if ahead > similarity(task, scores, best) - similarity(task, scores, code):
            best = code
    return best


@inline
def away_from(task: Core, code: int, label: Label, direction: np.ndarray) -> None:
    """Write rep(σ_y) - rep(σ) for a code."""
    for r in range(direction.shape[0]):
        direction[r] = 0.0
    represent(task, correct_code(task, label), 1.0, direction)
    represent(task, code, -1.0, direction)
