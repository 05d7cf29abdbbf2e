"""Parameters and tasks out of range: refused by name, tasks when they are made and the others when learning starts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

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

from ..contract import assert_readable
from .family import CASES, Wind, learn, learn_singly, refused, state

FLAGS: list[Any] = ["yes", 2, None, math.nan]
POSITIVE: list[Any] = [0, 0.0, -1.0, math.nan, math.inf, "big", True, [1.0], 1j]
BAD: dict[str, list[Any]] = {
    "scale": ["min-max", True, 1, "Standard"],
    "forget": [0, 0.0, 1, 1.0, -0.1, math.nan, True, "some"],
    "task": [Multiclass, SubsetRanking, Task, Wind, "multiclass", 3, [Multiclass()], {"task": "Multiclass"}],
    "link": ["l2", "L1", None, 1, ["l1"]],
    "step": [*POSITIVE, "Theory", None],
    "radius": POSITIVE,
    "loss_driven": FLAGS,
    "fit_intercept": FLAGS,
    "average": FLAGS,
    "epochs": [0, -1, 1.5, True, None, "3"],
    "shuffle": FLAGS,
    "random_state": ["today", -1, 1.5],
    "missing": ["drop", None, 0],
    "hash_bits": [0, 31, 2.5, True, "4"],
    "kernel": ["gaussian", 2.0, Gaussian, False],
    "budget": [0, -1, 2.5, True, "many"],
    "policy": ["newest", None, 1],
}
CASES_OF = [pytest.param(name, value, id=f"{name}-{repr(value)[:25]}") for name, values in BAD.items() for value in values]
LEARNING = ("fit", "partial_fit", "predict_then_learn")
KINDS = ["classes", "hamming", "lists-ndcg", "own"]


def test_every_parameter_has_a_case_here() -> None:
    assert set(Predtron().get_params()) - {"classes"} == set(BAD)


@pytest.mark.parametrize(("name", "value"), CASES_OF)
def test_it_is_refused_by_name_and_nothing_is_learned(name: str, value: Any) -> None:
    for kind in KINDS[: 1 if name == "task" else 4]:
        stream = CASES[kind].stream(6)
        model = CASES[kind].make(**({} if name == "task" else {name: value}))
        if name == "task":
            model.set_params(task=value)
        for method in LEARNING:
            with refused(model, f"Predtron: {name}="):
                getattr(model, method)(*stream.given())
        with refused(model, f"Predtron: {name}="):
            learn_singly(model, stream)


@pytest.mark.parametrize(("name", "value"), CASES_OF)
def test_a_trained_model_refuses_it_too(name: str, value: Any) -> None:
    case = CASES["classes"]
    model, good = case.trained(), case.make().get_params()[name]
    before = state(model)
    for method in LEARNING:
        model.set_params(**{name: value})
        with pytest.raises((ValueError, TypeError)) as caught:
            getattr(model, method)(*case.stream(6).given())
        assert_readable(str(caught.value), name)
        model.set_params(**{name: good})
        assert state(model) == before


WRONG: dict[str, Callable[[], Any]] = {
    "a link for a kernel": lambda: Predtron(link="l1", kernel=Polynomial(2)),
    "a trace for a kernel": lambda: Predtron(link="trace", kernel=Polynomial(2)),
    "a link for a kernel of lists": lambda: Predtron(SubsetRanking(), link="group", kernel=Polynomial(2)),
    "a constant for a link": lambda: Predtron(link="l1", fit_intercept=True),
    "a constant for a trace": lambda: Predtron(Multilabel(), link="trace", fit_intercept=True),
    "a constant for lists": lambda: Predtron(SubsetRanking(), fit_intercept=True),
    "no radius": lambda: Predtron(step="theory"),
    "no radius for sets": lambda: Predtron(Multilabel(), step="theory"),
    "no radius for lists": lambda: Predtron(SubsetRanking(highest=3, longest=5), step="theory"),
    "no highest grade": lambda: Predtron(MultilabelRanking(), step="theory", radius=1.0),
    "no longest list": lambda: Predtron(SubsetRanking(highest=3), step="theory", radius=1.0),
}
WORDS = {"a link": ("kernel", "link"), "a trace": ("kernel", "link"), "a constant": ("fit_intercept",), "no radius": ("radius",)}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_go_together_is_refused(wrong: str) -> None:
    model = WRONG[wrong]()
    words = next((words for start, words in WORDS.items() if wrong.startswith(start)), ("theory", "smallest loss"))
    kind = "lists-ndcg" if isinstance(model.task, SubsetRanking) else "classes" if model.task is None else "hamming"
    stream = CASES[kind].stream(8)
    for method in LEARNING:
        with refused(model, "Predtron", *words):
            getattr(model, method)(*stream.given())
    with refused(model, "Predtron", *words):
        learn_singly(model, stream)


def test_steps_of_the_theory_that_no_float_holds_are_refused() -> None:
    stream = CASES["classes"].stream(8)
    for radius in (1e200, 1e-200):
        with refused(model := Predtron(step="theory", radius=radius), "radius"):
            learn(model, stream)


def test_steps_of_the_theory_need_what_they_are_made_of_only() -> None:
    for task, kind in ((MultilabelRanking(measure="precision@2"), "labels-ndcg"), (Wind(), "own"), (None, "classes")):
        model = Predtron(task, step="theory", radius=2.0, average=False, loss_driven=True)
        smallest = 0.5 if kind == "labels-ndcg" else 1.0
        twin = Predtron(task, step=smallest / 16, average=False, loss_driven=True)
        stream = CASES[kind].stream(20)
        assert learn(model, stream).coef_.tobytes() == learn(twin, stream).coef_.tobytes()


TASKS: dict[str, list[Callable[[], Any]]] = {
    "reject": [
        lambda value=value, task=task: task(reject=value)  # type: ignore[misc]
        for task in (Binary, Multiclass)
        for value in (0, 1, 1.0, -0.1, math.nan, math.inf, "half", True, [0.5])
    ],
    "n_classes": [lambda value=value: Multiclass(value) for value in (1, 0, -3, 2.0, "3", True)],  # type: ignore[misc]
    "n_ranks": [lambda value=value: Ordinal(value) for value in (1, 0, -3, 2.0, "3", True)],  # type: ignore[misc]
    "cost": [
        *(
            lambda value=value: Binary(value)  # type: ignore[misc]
            for value in ((1,), (1, 2, 3), (0, 1), (-1, 1), (1, math.nan), (1, math.inf), "ab", 3.0, [[1, 2]])
        ),
        *(
            lambda value=value: CostMatrix(value)  # type: ignore[misc]
            for value in (
                [[0, -1], [1, 0]],
                [[0, 1, 2], [1, 0, 0]],
                [[0, 1], [1, 0], [1, 1]],
                [[1, 1], [1, 0]],
                [[0, 1], [1, 1]],
                [[0, math.nan], [1, 0]],
                [[0, math.inf], [1, 0]],
                [[0]],
                [],
                [[]],
                "abc",
                None,
                [0, 1],
                np.zeros((2, 2, 2)),
                [["0", "1"], ["1", "0"]],
            )
        ),
        *(
            lambda value=value: RejectAsPublished(value)  # type: ignore[misc]
            for value in ((0.5,), (0, 0.5), (0.5, 1.5), (0.5, math.nan), (), "ab", 0.5, [[0.5, 0.5]], (-0.1, 0.5))
        ),
    ],
    "Finite": [
        lambda value=value: Finite(*value)  # type: ignore[misc]
        for value in (
            ([[1, 1], [0, 1]], [[0, 1], [1, 0]]),
            ([[0, 0], [0, 1]], [[0, 1], [1, 0]]),
            ([[math.nan, 0], [0, 1]], [[0, 1], [1, 0]]),
            ([[1, 0]], [[0, 1], [1, 0]]),
            ([[1, 0], [0, 1]], [[0], [1]]),
            ([[1, 0], [0, 1]], [[0, -1], [1, 0]]),
            ([[1, 0], [0, 1]], [[0, 1], [1, 1]]),
            ([1, 0], [[0, 1], [1, 0]]),
            ("ab", [[0, 1], [1, 0]]),
            ([], []),
        )
    ],
    "loss": [lambda value=value: Multilabel(value) for value in ("zero-one", "Hamming", None, 3, ["hamming"])],  # type: ignore[misc]
    "power": [
        lambda value=value, task=task: task(value)  # type: ignore[misc]
        for task in (MultilabelRanking, SubsetRanking)
        for value in (0, 0.0, 1e3, -1e3, math.nan, math.inf, "1", True, 1j, None)
    ],
    "measure": [
        lambda value=value, task=task: task(measure=value)  # type: ignore[misc]
        for task in (MultilabelRanking, SubsetRanking)
        for value in ("map", "ap", "ndcg@5", "precision", "precision@0", "precision@-1", "ndcg\n", "precision@1.5", None, 3)
    ],
    "ties": [lambda value=value: SubsetRanking(ties=value) for value in ("average", None, 1, ["score"])],  # type: ignore[misc]
    "highest": [
        lambda value=value, task=task: task(highest=value)  # type: ignore[misc]
        for task in (MultilabelRanking, SubsetRanking)
        for value in (-1, 1.5, "x", math.nan, True)
    ],
    "longest": [lambda value=value: SubsetRanking(longest=value) for value in (0, -1, 1.5, "x", True, 10**9)],  # type: ignore[misc]
}


@pytest.mark.parametrize("word", TASKS)
def test_a_task_that_makes_no_sense_cannot_be_made(word: str) -> None:
    for make in TASKS[word]:
        with pytest.raises((ValueError, TypeError)) as caught:
            make()
        assert_readable(str(caught.value), word)


@pytest.mark.parametrize("power", [-20, -1e-9, 1e-9, 20])
def test_powers_at_the_edges_are_learned_by(power: float) -> None:
    for kind, task in (("labels-ndcg", MultilabelRanking(power)), ("lists-ndcg", SubsetRanking(power))):
        model = learn(Predtron(task), CASES[kind].stream(20))
        assert np.isfinite(model.coef_).all()
        assert model.n_updates_ > 0
        assert np.linalg.norm(task.representation(np.arange(400))) == pytest.approx(1.0)


def test_tasks_are_values() -> None:
    assert CostMatrix(np.array([[0, 1], [1, 0]])) == CostMatrix([[0.0, 1.0], [1.0, 0.0]]) == CostMatrix(((0, 1), (1, 0)))
    assert Finite(np.eye(2), 1 - np.eye(2)) == Finite([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    assert Binary(np.array([1, 2])) == Binary((1.0, 2.0))
    assert RejectAsPublished(np.array([0.5, 0.25])) == RejectAsPublished([0.5, 0.25])
    assert {Multiclass(3): 1}[Multiclass(3)] == len({SubsetRanking(), SubsetRanking(1.1)}) == 1
    with pytest.raises(AttributeError):
        Multiclass(3).n_classes = 4  # type: ignore[misc]
    costs = np.array([[0.0, 1.0], [1.0, 0.0]])
    task = CostMatrix(costs)
    costs[:] = 7
    assert task == CostMatrix([[0, 1], [1, 0]])


def test_numbers_of_numpys_will_do() -> None:
    stream = CASES["classes-reject"].stream(20)
    own: dict[str, Any] = {"step": np.float32(0.25), "epochs": np.int64(2), "average": np.True_, "radius": np.float64(2.0)}
    plain = {name: value.item() for name, value in own.items()}
    given, expected = (Predtron(Multiclass(4, reject=0.25), **parameters) for parameters in (own, plain))
    assert state(given.fit(*stream.given())) == state(expected.fit(*stream.given()))
    assert state(Predtron(Multiclass(np.int8(4), np.float32(0.25)), **plain).fit(*stream.given())) == state(expected)


class Stubborn(Multiclass):
    """One of ours with another loss, which the loops would not know of."""

    def loss_of(self, prediction: Any, label: Any) -> float:
        return 7.0 * (prediction != label)


class Wilful(Multilabel):
    def decode(self, scores: np.ndarray) -> np.ndarray:
        return 1 - super().decode(scores)


@pytest.mark.parametrize(("task", "kind"), [(Stubborn(4), "classes-reject"), (Wilful(), "hamming")])
def test_what_a_derived_task_changes_is_not_passed_over(task: Any, kind: str) -> None:
    model = Predtron(task)
    for way in (learn, learn_singly):
        with refused(model, "task", "derived from tasks.Task alone"):
            way(model, CASES[kind].stream(20))
