"""What a model can tell of what it has learned, and how it is kept."""

from __future__ import annotations

import copy
import dataclasses
import functools
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np

from ... import kernels
from ...steps import AdaGrad
from .. import files
from ..learners.concurrency import reads, still
from ..learners.learner import Learner
from ..trail import named_trail

# Parameters that say how to present rows; the others shape what is learned.
_FREE_TO_CHANGE = ("epochs", "shuffle", "random_state", "classes", "missing", "n_jobs")


class NotFitted(ValueError, AttributeError):
    """The model has not learned anything yet."""


class Learned:
    """The reading side of a model: attributes, snapshots and files."""

    _learner = cast(Any, None)  # not annotated: a dataclass would take it for a parameter
    _frozen = False
    _about = cast(dict[str, Any], {})  # plain data that is kept with the model: how its data was read, where a run stands
    _not_fitted: ClassVar[type[Exception]] = NotFitted

    @property
    def _learned(self) -> Learner:
        learner: Learner | None = self._learner
        if learner is None:
            raise self._not_fitted(f"this {type(self).__name__} has not learned anything yet")
        return learner

    @property
    @reads
    def n_features_in_(self) -> int:
        """How many features there are."""
        return self._learned.features.count

    @property
    @reads
    def feature_names_in_(self) -> np.ndarray:
        """The names of the features, where they have any."""
        names = self._learned.features.names
        if names is None:
            raise AttributeError(f"this {type(self).__name__} knows no feature names")
        array = np.empty(len(names), object)
        array[:] = names
        return array

    @property
    @reads
    def coef_(self) -> np.ndarray:
        """The direction w that ``predict`` uses."""
        return self._learned.hypothesis().coef

    @property
    @reads
    def n_seen_(self) -> int:
        """How many examples were learned."""
        return self._learned.age

    @property
    @reads
    def n_updates_(self) -> int:
        """How many of them changed the hypothesis."""
        return int(self._learned.counts[1])

    @reads
    def certificate(
        self,
        X: Any = None,
        y: Any = None,
        qid: Any = None,
        *,
        comparator: Any = None,
        margin: float | None = None,
        radius: float | None = None,
        largest: float | None = None,
        confidence: float = 0.95,
    ) -> Any:
        """The loss so far beside what a theorem guarantees, and a bound on the loss of fresh rows.

        ``X`` and ``y`` are what was learned: the best rule for them makes the guarantee, if no ``comparator`` or assumed
        ``margin`` is given. :func:`ranktron.bounds.certificate` says what all of it means, and what it asks of the data.
        """
        from ...bounds import certificate

        return certificate(
            self, X, y, qid, comparator=comparator, margin=margin, radius=radius, largest=largest, confidence=confidence
        )

    @reads
    def snapshot(self) -> Self:
        """An independent copy that only answers: as many answers as you like by one state of a model that goes on learning."""
        frozen = copy.copy(self)
        frozen._learner = still(self._learned)
        frozen.__dict__["_frozen"] = True
        return frozen

    def _check_not_frozen(self) -> None:
        if self._frozen:
            raise ValueError("a snapshot does not learn; let the model it was taken from learn, or save and load it")

    @classmethod
    @functools.cache
    def _parameters(cls) -> tuple[str, ...]:
        """The names of all parameters."""
        return tuple(field.name for field in dataclasses.fields(cls))  # type: ignore[arg-type]

    def _plan(self) -> dict[str, Any]:
        """The parameters that shape what is learned, as plain data."""
        return {name: plain_parameter(getattr(self, name)) for name in self._parameters() if name not in _FREE_TO_CHANGE}

    def _described(self) -> dict[str, Any]:
        return {name: plain_parameter(getattr(self, name)) for name in self._parameters()}

    def _check_plan(self, learner: Learner) -> None:
        changed = [name for name, value in self._plan().items() if value != learner.plan[name]]
        if changed:
            raise ValueError(f"{changed[0]} was changed after learning began: fit the model again, or make a new one")

    def _known(self) -> dict[str, Any]:
        """What the learner knows beside features, as plain data."""
        return {}

    def save(self, path: str | Path) -> None:
        """Write the model to a file, all of it or nothing; ``ranktron.load`` reads it and goes on bit for bit."""
        files.write(path, *self._content())

    @reads
    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The header and the arrays of a file."""
        learner = self._learned
        self._check_plan(learner)
        if not learner.is_plain:
            raise ValueError("a model whose kernel is a function cannot be saved: use one of ranktron.kernels")
        header = {
            "algorithm": type(self).__name__,
            "parameters": self._described(),
            **self._known(),
            "features": learner.features.__getstate__(),
            **({"about": self._about} if self._about else {}),
        }
        arrays = learner.arrays() | learner.tallies | named_trail(learner.trail)
        return header, {name: array.copy() for name, array in arrays.items()}


_PLAIN = (bool, int, float, str)


def plain_parameter(value: Any) -> Any:
    """A parameter as plain data: kernels, steps and estimators by their names and parameters."""
    if value is None or type(value) in _PLAIN:
        return value
    from ... import tasks  # which hardly any model needs

    if isinstance(value, Learned):
        return {"algorithm": type(value).__name__, "parameters": value._described()}
    if type(value) in tasks.OURS:
        return {"task": type(value).__name__, "parameters": {name: files.plain(part) for name, part in vars(value).items()}}
    if isinstance(value, AdaGrad):
        return {"step": "AdaGrad", "parameters": {"rate": files.plain(value.rate)}}
    if isinstance(value, kernels.KINDS):
        return {"kernel": type(value).__name__, "parameters": {name: files.plain(part) for name, part in vars(value).items()}}
    return files.plain(value)
