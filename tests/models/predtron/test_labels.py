"""Labels that come as they like: new ones any time where their number is open, and answers in the words they came in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ranktron import Predtron
from ranktron.kernels import Gaussian
from ranktron.tasks import Binary, CostMatrix, Finite, Multiclass, Ordinal, RejectAsPublished

from .family import COSTS, FOUR_FOR_TWO, refused, state

X = np.random.default_rng(0).standard_normal((60, 9))
OPEN: dict[str, dict[str, Any]] = {
    "classes": {},
    "ordinal-l1": {"task": Ordinal(), "link": "l1"},
    "classes-trace": {"link": "trace", "average": False},
    "group": {"link": "group", "loss_driven": True},
    "intercept": {"fit_intercept": True},
    "reject": {"task": Multiclass(reject=0.3)},
    "kernel": {"kernel": Gaussian(0.1), "budget": 9, "policy": "forgetron", "average": False},
}


def growing(how: dict[str, Any]) -> Any:
    """A model to which labels 4, 0, 8, 6, 2, … come, one after the other."""
    model = Predtron(**how)
    for number, x in enumerate(X):
        model.learn_one(x, [4, 0, 8, 6, 2, 10, 12, 14, 16][number % (1 + min(number // 6, 8))])
    return model


@pytest.mark.parametrize("name", OPEN)
def test_new_labels_find_their_place(name: str) -> None:
    model = growing(OPEN[name])
    assert model.classes_.tolist() == [0, 2, 4, 6, 8, 10, 12, 14, 16]
    assert model.n_seen_ == 60
    assert np.isfinite(model.decision_function(X)).all()
    assert set(model.predict(X).tolist()) <= {-1, *model.classes_.tolist()}
    assert state(model) == state(growing(OPEN[name]))


@pytest.mark.parametrize("name", ["classes", "ordinal-l1", "group", "reject"])
def test_a_new_label_has_no_weight_before_its_first_row(name: str) -> None:
    model, last = growing(OPEN[name]), growing({**OPEN[name], "average": False}).coef_
    expected = (60 * model.coef_ + last) / 61  # the mean over time, with what is held once more
    model.learn_one(np.zeros(9), 5)
    place = model.classes_.tolist().index(5)
    assert model.coef_[place].tolist() == [0.0] * 9
    np.testing.assert_allclose(np.delete(model.coef_, place, axis=0), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", OPEN)
def test_a_new_label_with_a_row_that_is_refused_is_not_there(name: str) -> None:
    model = growing(OPEN[name])
    for x in (np.full(9, np.nan), np.ones(8), np.r_[np.inf, np.ones(8)]):
        with refused(model):
            model.learn_one(x, 5)
    with refused(model):
        model.learn_one(X[0], "words among numbers")
    assert model.classes_.tolist() == [0, 2, 4, 6, 8, 10, 12, 14, 16]


@pytest.mark.parametrize("task", [Multiclass(3), Ordinal(3), CostMatrix(COSTS), RejectAsPublished((0.1, 0.2, 0.3))])
def test_labels_are_numbers_from_0_on_where_there_are_so_many(task: Any) -> None:
    model = Predtron(task)
    model.learn_one(X[0], 2)
    assert model.classes_.tolist() == [0, 1, 2]
    for label in (3, "a", 1.5, None):
        with refused(model, "[0, 1, 2]"):
            model.learn_one(X[0], label)
    assert Predtron(task).predict_one(X[0]) == 0
    assert Predtron(task).fit(X[:4], [0, 2, 0, 2]).classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("labels", [["low", "mid", "high"], [10, 5, 1], [0.5, 0.25, 4.0], ["a", 1, 2.5]])
def test_labels_are_told_as_they_were_given(labels: list[Any]) -> None:
    y = [labels[number % 3] for number in range(60)]
    for task in (Multiclass(), Multiclass(3), Ordinal(3), CostMatrix(COSTS)):
        model = Predtron(task, classes=labels).fit(X, np.array(y, object))
        assert model.classes_.tolist() == labels
        told = model.predict(X).tolist()
        assert set(map(repr, told)) <= set(map(repr, labels))
        assert [model.predict_one(x) for x in X] == told


def test_the_order_of_labels_matters_to_ranks_and_prices() -> None:
    y = np.array(["low", "mid", "high"])[np.digitize(X[:, 0], [-0.4, 0.4])]
    right, sorted_ = Predtron(Ordinal(), classes=["low", "mid", "high"]).fit(X, y), Predtron(Ordinal()).fit(X, y)
    assert sorted_.classes_.tolist() == ["high", "low", "mid"]
    assert right.cumulative_loss_ != sorted_.cumulative_loss_


def test_predictions_that_are_no_labels_are_told_by_number() -> None:
    y = (X[:, 0] > 0).astype(int)
    model = Predtron(FOUR_FOR_TWO, average=False, epochs=3).fit(X, y)
    assert set(model.predict(X).tolist()) <= {0, 1, 2, 3}
    assert set(model.predict(X).tolist()) - {0, 1}
    assert [model.predict_one(x) for x in X] == model.predict(X).tolist()
    square = Finite(np.eye(2), [[0, 1], [1, 0]])
    words = np.array(["no", "yes"])[y]
    model = Predtron(square, classes=["no", "yes"]).fit(X, words)
    assert set(model.predict(X).tolist()) == {"no", "yes"}
    assert model.predict_one(X[0]) in ("no", "yes")
    assert state(model) == {**state(Predtron(Multiclass(2), classes=["no", "yes"]).fit(X, words))}


@pytest.mark.parametrize("labels", [[-1, 1], [0, 1], ["no", "yes"], [False, True], [2.0, 3.0]])
def test_the_second_of_two_labels_is_the_positive_one(labels: list[Any]) -> None:
    y = np.array(labels)[(X[:, 0] > 0).astype(int)]
    model = Predtron(Binary(), average=False).fit(X, y)
    assert model.classes_.tolist() == labels
    scores = model.decision_function(X)
    assert scores.shape == (60,)
    assert model.predict(X).tolist() == [labels[int(score >= 0)] for score in scores]
    flipped = Predtron(Binary(), classes=labels[::-1], average=False).fit(X, y)
    assert flipped.classes_.tolist() == labels[::-1]


def test_truth_values_tell_both_labels_at_once() -> None:
    model = Predtron(Binary())
    model.learn_one(X[0], True)
    model.learn_one(X[1], np.False_)
    assert model.classes_.tolist() == [False, True]
