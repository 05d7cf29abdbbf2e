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
    Multiclass,
    Multilabel,
    MultilabelRanking,
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


@pytest.mark.parametrize("power", [-20, -1e-9, 1e-9, 20])
def test_powers_at_the_edges_are_learned_by(power: float) -> None:
    for kind, task in (("labels-ndcg", MultilabelRanking(power)), ("lists-ndcg", SubsetRanking(power))):
        model = learn(Predtron(task), CASES[kind].stream(20))
        assert np.isfinite(model.coef_).all()
        assert model.n_updates_ > 0
        assert np.linalg.norm(task.representation(np.arange(400))) == pytest.approx(1.0)


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
