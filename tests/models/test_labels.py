"""Which labels there are: settled by classes or by the first rows, or growing one example at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ranktron

from ..family import NAMES, make, state, stream
from .contract import every_linear_variant, every_variant, every_way_to_learn, refused

every_name = pytest.mark.parametrize("name", NAMES)


@every_name
@every_way_to_learn
def test_an_unknown_label_is_named_with_its_row_and_a_remedy(name: str, method: str) -> None:
    X, y = stream(40)
    y[23] = 9
    model = make(name, classes=[1, 2, 3, 4, 5])
    with refused(model, "label 9", "row 23", "[1, 2, 3, 4, 5]", "classes="):
        getattr(model, method)(X, y)
    trained = make(name).partial_fit(*stream(40))
    if method != "fit":
        with refused(trained, "label 9", "row 23", "[1, 2, 3, 4, 5]", "classes="):
            getattr(trained, method)(X, y)


@pytest.mark.parametrize(
    ("classes", "label"),
    [([1, 2, 3], 4), ([1, 2, 3], 0), ([1, 2, 3], 2.5), ([1, 2, 3], "2"), (["a", "b"], "ab"), (["a", "b"], 1), ([10, 20], 15)],
)
def test_no_label_passes_for_another(classes: list[Any], label: Any) -> None:
    model = ranktron.PRank(classes=classes)
    labels = np.array([classes[0], label], object)
    with refused(model, repr(label), "row 1"):
        model.partial_fit([[1.0], [2.0]], labels)
    with refused(model, repr(label), "row 1"):
        model.partial_fit([[1.0], [2.0]], [classes[0], label] if type(label) is type(classes[0]) else labels)
    with refused(model, repr(label)):
        model.learn_one([1.0], label)


@every_name
def test_later_classes_must_be_the_same(name: str) -> None:
    X, y = stream(40)
    model = make(name).partial_fit(X, y, classes=[1, 2, 3, 4, 5])
    twice = make(name).partial_fit(X, y).partial_fit(X, y)
    assert state(model.partial_fit(X, y, classes=np.array([1, 2, 3, 4, 5]))) == state(twice)
    for classes in ([1, 2, 3, 4], [5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6], ["1", "2", "3", "4", "5"]):
        with refused(model, "classes", "[1, 2, 3, 4, 5]"):
            model.partial_fit(X, y, classes=classes)


@every_name
def test_a_label_named_twice_is_refused(name: str) -> None:
    X, y = stream(40)
    for learn in (
        lambda model: model.set_params(classes=[1, 2, 2, 3, 4, 5]).fit(X, y),
        lambda model: model.partial_fit(X, y, classes=[1, 2, 2, 3, 4, 5]),
        lambda model: model.set_params(classes=["a", "a"]).learn_one([1.0], "a"),
    ):
        model = make(name)
        with refused(model, "classes", "twice"):
            learn(model)


@every_name
@every_way_to_learn
def test_continuous_labels_are_refused_unless_they_are_classes(name: str, method: str) -> None:
    X, y = stream(40)
    model = make(name)
    row = int(np.argmax(y % 2))
    with refused(model, "continuous", str(y[row] / 2), f"row {row}", "classes="):
        getattr(model, method)(X, y / 2)
    halves = np.arange(1, 6) / 2
    model = make(name, classes=halves)
    getattr(model, method)(X, y / 2)
    assert model.classes_.tolist() == halves.tolist()
    assert {**state(model), "classes": None} == {**state(make(name).partial_fit(X, y)), "classes": None}


@every_name
@every_way_to_learn
def test_one_class_is_refused_without_classes(name: str, method: str) -> None:
    X, _ = stream(5)
    model = make(name)
    with refused(model, "one class", "[3]", "classes="):
        getattr(model, method)(X, [3] * 5)
    model = make(name, classes=[1, 2, 3, 4, 5])
    getattr(model, method)(X, [3] * 5)
    assert model.n_seen_ == 5


@every_variant
def test_labels_are_inserted_below_between_and_above(name: str, parameters: dict[str, Any]) -> None:
    X, _ = stream(40)
    model = make(name, **parameters)
    rows = iter(X)
    arrivals = (([3], [3]), ([3, 5], [5, 3, 5]), ([1, 3, 5], [1, 5, 1]), ([1, 3, 4, 5], [4]), ([1, 3, 4, 5, 9], [9, 1]))
    for grown, labels in arrivals:
        for label in labels:
            model.learn_one(next(rows), label)
        assert model.classes_.tolist() == grown
        assert model.predict_one(X[30]) in grown
        assert set(model.predict(X)) <= set(grown)
        if hasattr(model, "thresholds_"):
            assert model.thresholds_.shape == (len(grown) - 1,)
            assert (np.diff(model.thresholds_) >= 0).all()
        if len(grown) > 1:
            assert model.decision_function(X).shape == ((40, len(grown)) if len(grown) > 2 else (40,))


@every_linear_variant
@pytest.mark.parametrize("average", [True, False])
def test_thresholds_stay_in_order_as_labels_arrive(name: str, parameters: dict[str, Any], average: bool) -> None:
    X, y = stream(60, k=9)
    model = make(name, **parameters, average=average)
    for row, label in zip(X, y):
        model.learn_one(row, int(label))
        assert np.isfinite(model.coef_).all()
        assert (np.diff(getattr(model, "thresholds_", [])) >= 0).all()
    assert model.classes_.tolist() == list(range(1, 10))
    assert model.n_seen_ == 60


@pytest.mark.parametrize("name", ["PRank", "SiPRank", "NoPRank"])
def test_a_label_between_two_is_an_empty_interval(name: str) -> None:
    X, y = stream(40, k=3)
    model = make(name, average=False)
    for row, label in zip(X, 2 * y):
        model.learn_one(row, int(label))
    thresholds, told = model.thresholds_, model.predict(X)
    twin = model._learner
    twin.insert(3, twin.features.row(X[0], "error")[0])
    np.testing.assert_array_equal(model.thresholds_, [thresholds[0], thresholds[0], thresholds[1]])
    np.testing.assert_array_equal(model.predict(X), told)


def test_a_label_on_top_starts_at_the_projection_or_the_highest_threshold() -> None:
    model = ranktron.PRank(average=False)
    for x, y in (([1.0], 1), ([2.0], 2), ([-1.0], 1)):
        model.learn_one(x, y)
    for x in ([8.0], [-8.0]):
        twin = ranktron.PRank(average=False)
        for row, label in (([1.0], 1), ([2.0], 2), ([-1.0], 1)):
            twin.learn_one(row, label)
        learner = twin._learner
        learner.insert(3, learner.features.row(np.array(x), "error")[0])
        assert twin.thresholds_.tolist() == [model.thresholds_[0], max(model.thresholds_[0], model.coef_[0] * x[0])]


@every_name
def test_words_are_inserted_in_their_order(name: str) -> None:
    X, _ = stream(10)
    model = make(name)
    for row, label in zip(X, ["b", "a", "c", "bb", "a"]):
        model.learn_one(row, label)
    assert model.classes_.tolist() == ["a", "b", "bb", "c"]
    with refused(model, "7", "order", "classes="):
        model.learn_one(X[6], 7)


@every_name
def test_given_classes_are_all_there_is(name: str) -> None:
    X, _ = stream(10)
    model = make(name, classes=[1, 2, 3])
    with refused(model, "label 4", "[1, 2, 3]"):
        model.learn_one(X[0], 4)
    model.learn_one(X[0], 2)
    with refused(model, "label 0", "[1, 2, 3]"):
        model.learn_one(X[1], 0)
    assert model.classes_.tolist() == [1, 2, 3]


@every_name
@pytest.mark.parametrize("method", ["fit", "partial_fit", "predict_then_learn"])
def test_after_a_batch_no_label_is_inserted(name: str, method: str) -> None:
    X, y = stream(20)
    model = make(name)
    getattr(model, method)(X, y)
    with refused(model, "label 6", "[1, 2, 3, 4, 5]"):
        model.learn_one(X[0], 6)


@every_name
def test_a_batch_after_single_examples_knows_their_labels_only(name: str) -> None:
    X, y = stream(20)
    model = make(name)
    for row, label in zip(X[:10], y[:10] % 3):
        model.learn_one(row, label)
    model.partial_fit(X, y % 3)
    assert model.n_seen_ == 30
    with refused(model, "label 7", "row 1"):
        model.partial_fit(X[:2], [0, 7])


def test_many_classes_do_not_flood_the_message() -> None:
    model = ranktron.PRank(classes=range(1000))
    with refused(model, "label 5000", "row 1"):
        model.partial_fit([[1.0], [2.0]], [1, 5000])
    with refused(model, "label 5000"):
        model.learn_one([1.0], 5000)
