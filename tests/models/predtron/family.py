"""Predtron with every task and the options that matter to it, streams for each, and what tests of them share."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from ranktron import Predtron
from ranktron.kernels import Gaussian, Polynomial
from ranktron.tasks import (
    Binary,
    CostMatrix,
    Finite,
    Multiclass,
    Multilabel,
    MultilabelRanking,
    Ordinal,
    RejectAsPublished,
    SubsetRanking,
    Task,
)

from ...covering import alike
from .. import contract

# From eight on a link is not the identity.
FEATURES = 9


class Wind(Task):
    """A user's own task: directions of the wind, where the loss is the angle between them."""

    names = "north", "east", "south", "west"
    n_scores = 2
    smallest_loss = 1.0

    def representation(self, prediction: str) -> np.ndarray:
        return np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])[self.names.index(prediction)]

    def loss_of(self, prediction: str, label: str) -> float:
        apart = abs(self.names.index(prediction) - self.names.index(label))
        return float(min(apart, 4 - apart))

    def decode(self, scores: np.ndarray) -> str:
        return max(self.names, key=lambda name: self.representation(name) @ scores)

    def loss_augmented(self, scores: np.ndarray, label: str) -> str:
        return max(self.names, key=lambda name: self.loss_of(name, label) + self.representation(name) @ scores)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    __hash__ = None  # type: ignore[assignment]


COSTS = [[0, 1, 5], [2, 0, 1], [0.5, 3, 0]]
FOUR_FOR_TWO = Finite([[1, 0], [0, 1], [-1, 0], [0.6, 0.8]], [[0, 2], [1, 0.5], [3, 0], [0.25, 1]])


class Case(NamedTuple):
    """A Predtron."""

    task: Any
    more: dict[str, Any]

    def make(self, face: Any = Predtron, **more: Any) -> Any:
        return face(self.task, **{**self.more, **more})

    def stream(self, n: int = 40, seed: int = 0, whole: bool = False) -> Stream:
        return stream_for(self.task, self.more.get("classes"), n, seed, whole)

    def trained(self, **more: Any) -> Any:
        return trained(self, **more)


@contract.learned_once
def trained(case: Case, **more: Any) -> Any:
    """A model that has learned 20 examples."""
    return learn(case.make(**more), case.stream(20, seed=7))


CASES: dict[str, Case] = {
    "binary": Case(Binary(), {"classes": [-1, 1]}),
    "binary-weights": Case(
        Binary((1.0, 3.0)), {"loss_driven": True, "average": False, "classes": ["b", "a"], "fit_intercept": True}
    ),
    "binary-reject": Case(Binary(reject=0.2), {"classes": ["no", "yes"]}),
    "binary-l1": Case(Binary(), {"link": "l1", "classes": [False, True]}),
    "classes": Case(None, {"classes": list("abcd")}),
    "classes-reject": Case(Multiclass(4, reject=0.3), {"link": "group"}),
    "classes-trace": Case(Multiclass(8), {"link": "trace", "step": 0.5, "average": False}),
    "classes-polynomial": Case(Multiclass(3), {"kernel": Polynomial(2), "fit_intercept": True}),
    "classes-forgetron": Case(
        Multiclass(3, reject=0.4), {"kernel": Gaussian(0.1), "budget": 7, "policy": "forgetron", "average": False}
    ),
    "ordinal": Case(Ordinal(4), {"fit_intercept": True}),
    "ordinal-l1": Case(Ordinal(), {"link": "l1", "step": 0.3, "average": False, "classes": [1, 2, 4, 8]}),
    "costs": Case(CostMatrix(COSTS), {"classes": ["x", "z", "y"]}),
    "costs-driven": Case(CostMatrix(COSTS), {"link": "group", "loss_driven": True}),
    "finite": Case(FOUR_FOR_TWO, {"step": "theory", "radius": 4.0}),
    "finite-budget": Case(FOUR_FOR_TWO, {"kernel": Gaussian(0.1), "budget": 7, "policy": "random", "average": False}),
    "published-reject": Case(RejectAsPublished((0.3, 0.5, 0.7)), {}),
    "hamming": Case(Multilabel("hamming"), {}),
    "hamming-l1": Case(Multilabel("hamming"), {"link": "l1", "step": 0.3}),
    "hamming-trace": Case(Multilabel("hamming"), {"link": "trace", "classes": list("abcdefgh")}),
    "subset": Case(Multilabel("subset"), {"fit_intercept": True, "average": False}),
    "subset-budget": Case(Multilabel("subset"), {"kernel": Gaussian(0.1), "budget": 7, "average": False}),
    "error-set": Case(Multilabel("error-set"), {"link": "group"}),
    "error-set-driven": Case(Multilabel("error-set"), {"loss_driven": True}),
    "labels-ndcg": Case(MultilabelRanking(), {"step": 0.3}),
    "labels-precision": Case(MultilabelRanking(-1.0, "precision@2", "index"), {"loss_driven": True, "link": "l1"}),
    "labels-kernel": Case(MultilabelRanking(2.0, "precision@3"), {"kernel": Polynomial(2), "average": False}),
    "lists-ndcg": Case(SubsetRanking(), {"step": 0.3}),
    "lists-precision": Case(SubsetRanking(-0.5, "precision@2", "index"), {"link": "l1", "average": False}),
    "lists-driven": Case(SubsetRanking(2, "ndcg", "score"), {"loss_driven": True, "link": "group"}),
    "lists-trace": Case(SubsetRanking(), {"loss_driven": True, "link": "trace"}),
    "lists-budget": Case(SubsetRanking(), {"kernel": Gaussian(0.1), "budget": 12, "policy": "forgetron", "average": False}),
    "own": Case(Wind(), {"fit_intercept": True}),
    "own-driven": Case(Wind(), {"loss_driven": True, "link": "l1", "average": False}),
}
OWN = {name for name in CASES if name.startswith("own")}
LISTS = {name for name in CASES if name.startswith("lists")}
MATRICES = {name for name, case in CASES.items() if isinstance(case.task, Multilabel | MultilabelRanking)}
CLASSES = set(CASES) - OWN - LISTS - MATRICES
KERNELS = {name for name, case in CASES.items() if "kernel" in case.more}


def every(names: Any = CASES) -> Any:
    """A test for each of some cases."""
    chosen = [name for name in CASES if name in names]
    return pytest.mark.parametrize("case", alike([CASES[name] for name in chosen]), ids=chosen)


every_case = every()
every_linear_case = every(CASES.keys() - KERNELS)
fresh_and_trained = pytest.mark.parametrize("trained", [False, True], ids=["fresh", "trained"])


@dataclasses.dataclass
class Stream:
    """Examples: rows with labels, or lists told apart by ``qid``."""

    X: Any
    y: Any
    qid: Any = None

    def __len__(self) -> int:
        return len(self.bounds()) - 1

    def bounds(self) -> np.ndarray:
        if self.qid is None:
            return np.arange(self.X.shape[0] + 1)
        return np.r_[0, np.flatnonzero(np.diff(self.qid)) + 1, len(self.qid)]

    def part(self, start: int, stop: int) -> Stream:
        """Some of the examples."""
        rows = slice(*self.bounds()[[start, stop]])
        return Stream(self.X[rows], self.y[rows], None if self.qid is None else self.qid[rows])

    def given(self) -> tuple[Any, ...]:
        """What to call ``fit`` with."""
        return (self.X, self.y) if self.qid is None else (self.X, self.y, self.qid)

    def of(self, X: Any) -> Stream:
        """The same with other rows."""
        return dataclasses.replace(self, X=X)

    def each(self) -> Iterator[Stream]:
        return (self.part(i, i + 1) for i in range(len(self)))


def stream_for(task: Any, classes: Any, n: int, seed: int, whole: bool) -> Stream:
    """A noisy stream: of small whole numbers, or normal."""
    random = np.random.default_rng(seed)
    if isinstance(task, SubsetRanking):
        qid = np.repeat(np.arange(n), random.integers(1, 6, n))
        X = rows_of(random, len(qid), whole)
        return Stream(X, random.integers(0, 4, len(qid)), qid)
    X = rows_of(random, n, whole)
    scores = X @ random.standard_normal((FEATURES, 8)) + random.standard_normal((n, 8))
    if isinstance(task, Multilabel):
        return Stream(X, (scores[:, : len(classes or "abcde")] > 0).astype(int))
    if isinstance(task, MultilabelRanking):
        return Stream(X, np.digitize(scores[:, :5], [0, 2]))
    labels = np.array(Wind.names) if isinstance(task, Wind) else labels_of(task, classes)
    codes = scores[:, : len(labels)].argmax(axis=1)
    codes[: len(labels)] = random.permutation(len(labels))[:n]  # so that the first rows hold them all
    return Stream(X, labels[codes])


def rows_of(random: Any, n: int, whole: bool) -> np.ndarray:
    rows: np.ndarray = random.integers(-3, 4, (n, FEATURES)).astype(float) if whole else random.standard_normal((n, FEATURES))
    return rows


def labels_of(task: Any, classes: Any) -> np.ndarray:
    return np.array(classes if classes is not None else range((task and task.n_labels) or 4))


def learn(model: Any, stream: Stream) -> Any:
    """Let a model learn a batch; whatever labels come, it knows of them all."""
    return model.partial_fit(*stream.given())


def learn_singly(model: Any, stream: Stream) -> Any:
    """The same one by one."""
    for one in stream.each():
        if one.qid is None:
            model.learn_one(one.X[0], one.y[0])
        else:
            model.learn_list(one.X, one.y)
    return model


def state(model: Any) -> dict[str, Any]:
    """Everything that a model has learned, for comparing bit for bit."""
    learner = model._learner
    if learner is None:
        return {}
    numbers = {name: array.tobytes() for name, array in {**learner.arrays(), **learner.tallies}.items()}
    labels = getattr(learner, "labels", None)
    known = None if labels is None else (str(labels.names), len(labels), getattr(labels, "closed", True))
    features = {"names": str(learner.features.names), "count": learner.features.count}
    return {**numbers, **features, "labels": known, "loss": float(learner.losses[0])}


def learned(model: Any) -> dict[str, Any]:
    """The same, whether lists came with ids or not, and features with names or not."""
    return {**state(model), "counts": model._learner.counts[:2].tolist(), "names": None}


def answers(model: Any, X: Any) -> tuple[Any, ...]:
    """What a model says of rows, bit for bit."""
    return listed(model.predict(X)), model.decision_function(X).tobytes()


def listed(told: Any) -> list[Any]:
    return [one.tolist() if isinstance(one, np.ndarray) else one for one in np.asarray(told, object).tolist()]


def state_later(model: Any) -> dict[str, Any]:
    """The state of a copy that has learned some more."""
    if model._learner is None or model._frozen:
        return {}
    model = copy.deepcopy(model)
    X = np.outer([1.0, -2.0, 0.5], np.linspace(-1.0, 1.0, model.n_features_in_))
    names = getattr(model, "feature_names_in_", None)
    rows = X if names is None else [dict(zip(names, row.tolist())) for row in X]
    if isinstance(model.task, SubsetRanking):
        model.learn_list(rows, [0, 2, 1])
    else:
        for row, label in zip(rows, targets_like(model)):
            model.learn_one(row, label)
    return state(model)


def targets_like(model: Any) -> list[Any]:
    if isinstance(model.task, Wind):
        return ["west", "north", "east"]
    if isinstance(model.task, Multilabel | MultilabelRanking):
        return [(np.arange(len(model.classes_)) + shift) % 2 for shift in (0, 1, 0)]
    labels = model.classes_.tolist()
    return [labels[-1], labels[0], labels[-1]]


refused = functools.partial(contract.refused, state=state, later=state_later)
