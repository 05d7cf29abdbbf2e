"""What has to hold of every task, by trying all predictions: section 2 of the paper, Lemma 4, and what class weights do."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron import Predtron, bounds
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
    check,
)

from ..models.predtron.family import COSTS, FOUR_FOR_TWO, Wind

POWERS = (1.1, 2.0, 0.5, -1.0, -0.3)
CLASS_TASKS: dict[str, tuple[Any, int, int]] = {
    "binary": (Binary(), 2, 2),
    "binary-weights": (Binary((0.5, 3.0)), 2, 2),
    "binary-reject": (Binary(reject=0.3), 2, 2),
    "classes": (Multiclass(4), 4, 4),
    "classes-reject": (Multiclass(3, reject=0.3), 3, 3),
    "ordinal": (Ordinal(4), 4, 4),
    "costs": (CostMatrix(COSTS), 3, 3),
    "two right": (CostMatrix([[0, 0, 1], [0, 0, 2], [3, 1, 0]]), 3, 3),
    "finite": (FOUR_FOR_TWO, 4, 2),
    "finite-fewer": (Finite([[0.0, 1.0], [1.0, 0.0]], [[0, 0, 1], [0, 2, 0]]), 2, 3),
    "published-reject": (RejectAsPublished((0.3, 0.5, 1.0)), 4, 3),
}


def sets(m: int) -> list[np.ndarray]:
    return [np.array(one) for one in itertools.product([0, 1], repeat=m)]


def orders(m: int) -> list[np.ndarray]:
    return [np.array(one) for one in itertools.permutations(range(m))]


def gradings(m: int) -> list[np.ndarray]:
    return [np.array(one) for one in itertools.product([0, 1, 2], repeat=m)][:: 2 * m - 3]


@pytest.mark.parametrize("name", CLASS_TASKS)
def test_tasks_of_labels_keep_the_laws(name: str) -> None:
    task, predictions, labels = CLASS_TASKS[name]
    check(task, range(labels), range(predictions), trials=60)


@pytest.mark.parametrize("loss", ["hamming", "subset", "error-set"])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_tasks_of_sets_keep_the_laws(loss: str, m: int) -> None:
    check(Multilabel(loss), sets(m), trials=8)


@pytest.mark.parametrize("task", [MultilabelRanking, SubsetRanking])
@pytest.mark.parametrize("measure", ["ndcg", "precision@1", "precision@3"])
@pytest.mark.parametrize("m", [2, 3, 4])
def test_tasks_of_orders_keep_the_laws(task: Any, measure: str, m: int) -> None:
    for power, ties in zip(POWERS, itertools.cycle(["score", "index"])):
        check(task(power, measure, ties), gradings(m)[:: 4 if m == 4 else 1], orders(m), trials=2)


def test_one_document_is_in_the_only_order() -> None:
    check(SubsetRanking(), [[0], [3]], [np.array([0])])


def test_an_own_task_keeps_the_laws() -> None:
    check(Wind(), Wind.names)


LIES: list[tuple[Any, Any, str]] = [
    (Multilabel(), "decode", "gives it back"),
    (MultilabelRanking(), "decode", "gives it back"),
    (Multiclass(4), "loss_augmented", "highest loss"),
    (Multilabel("error-set"), "loss_augmented", "highest loss"),
    (MultilabelRanking(), "loss_augmented", "highest loss"),
    (MultilabelRanking(), "correct", "has no loss"),
]


@pytest.mark.parametrize(("task", "method", "words"), LIES)
def test_a_broken_law_of_one_of_ours_would_be_found(task: Any, method: str, words: str) -> None:
    labels: Any = range(4) if isinstance(task, Multiclass) else sets(3) if isinstance(task, Multilabel) else gradings(3)
    predictions: Any = orders(3) if isinstance(task, MultilabelRanking) else labels
    last = predictions[1]
    lying = type("Lying", (type(task),), {method: lambda self, *given: last})
    liar = lying(**vars(task))
    with pytest.raises(ValueError, match=words):
        check(liar, labels, predictions)


small = st.integers(-4, 4).map(float)


@given(st.lists(small, min_size=2, max_size=4), st.data())
def test_lemma_4_by_trying_all_orders(scores: list[float], data: Any) -> None:
    """A compatible t has the margin γ if and only if neighbours of different grade are γ Z / (f(i) - f(i+1)) apart."""
    m = len(scores)
    grades = np.array(data.draw(st.lists(st.integers(0, 2), min_size=m, max_size=m)))
    power = data.draw(st.sampled_from(POWERS))
    t = np.array(scores)
    for grade in range(3):
        t[grades == grade] = t[grades == grade].mean() if (grades == grade).any() else 0.0
    task = MultilabelRanking(power)
    losses = [task.loss_of(order, grades) for order in orders(m)]
    if not max(losses) > 0 or not t.any():
        return  # there is no wrong order, or no direction
    by_definition = bounds.predtron_margin(task, t[:, None], [np.ones(1)], [grades], orders(m)) * np.linalg.norm(t)
    by_formula = bounds.predtron_list_margin(np.ones(1), t[:, None], grades, power=power)
    assert by_formula == pytest.approx(by_definition, abs=1e-9)
    f = np.arange(1.0, m + 1) ** power * (-1.0 if power > 0 else 1.0)
    order = np.argsort(-grades, kind="stable")
    drops = [i for i in range(m - 1) if grades[order[i]] > grades[order[i + 1]]]
    widths = [(t[order[i]] - t[order[i + 1]]) * (f[i] - f[i + 1]) / np.linalg.norm(f) for i in drops]
    assert (min(widths) > 1e-12) == (by_definition > 1e-12)
    if by_definition > 1e-12:
        assert min(widths) == pytest.approx(by_definition)


rows = st.lists(st.tuples(small, small, small), min_size=1, max_size=25)


@given(rows, st.data())
def test_the_published_reject_never_rejects_from_zero(X: list[tuple[float, ...]], data: Any) -> None:
    n = data.draw(st.integers(2, 4))
    costs = data.draw(st.lists(st.sampled_from([0.01, 0.25, 0.5, 1.0]), min_size=n, max_size=n))
    y = data.draw(st.lists(st.integers(0, n - 1), min_size=len(X), max_size=len(X)))
    for loss_driven, average in itertools.product([False, True], repeat=2):
        model = Predtron(RejectAsPublished(costs), loss_driven=loss_driven, average=average, classes=range(n))
        assert (model.predict_then_learn(np.array(X), y) >= 0).all()
        assert (model.predict(np.array(X)) >= 0).all()
        assert model.coef_.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def test_the_published_reject_would_reject_from_elsewhere() -> None:
    task = RejectAsPublished((0.5, 0.5, 0.5))
    assert task.decode(np.array([1.0, 0.9, 0.8])) == 3
    assert task.decode(np.array([1.0, 0.0, -1.0])) == 0
    model = Predtron(task).fit(np.eye(3), [0, 1, 2])
    model._learner.arrays()["W"][...] = 1.0
    assert model.predict(np.ones((2, 3))).tolist() == [-1, -1]


@given(rows, st.data())
def test_class_weights_change_nothing_but_the_loss_in_algorithm_1(X: list[tuple[float, ...]], data: Any) -> None:
    y = data.draw(st.lists(st.integers(0, 1), min_size=len(X), max_size=len(X)))
    weights = data.draw(st.tuples(*[st.sampled_from([0.1, 1.0, 30.0])] * 2))
    plain, weighed = (Predtron(task, classes=[0, 1]) for task in (Binary(), Binary(weights)))
    assert plain.predict_then_learn(np.array(X), y).tolist() == weighed.predict_then_learn(np.array(X), y).tolist()
    assert plain.coef_.tobytes() == weighed.coef_.tobytes()
    assert plain.n_updates_ == weighed.n_updates_
    wrong, told = [0, 0], Predtron(Binary(), classes=[0, 1], average=False).predict_then_learn(np.array(X), y)
    for label, one in zip(y, told.tolist()):
        wrong[label] += label != one
    assert weighed.cumulative_loss_ == pytest.approx(wrong[0] * weights[0] + wrong[1] * weights[1])


@given(rows, st.data())
def test_class_weights_are_steps_in_the_loss_driven_version(X: list[tuple[float, ...]], data: Any) -> None:
    y = data.draw(st.lists(st.integers(0, 1), min_size=len(X), max_size=len(X)))
    model = Predtron(Binary((2.0, 0.5)), classes=[0, 1], loss_driven=True, average=False)
    w = np.zeros(3)
    for x, label in zip(np.array(X), y):
        if (x @ w >= 0) != label:
            w += 2 * (2.0, 0.5)[label] * (1 if label else -1) * x
        model.learn_one(x, label)
        assert model.coef_.tolist() == [w.tolist()]
